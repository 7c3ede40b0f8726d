// Tensor code that `linalg-to-csl` has no builtin function for becomes loops of CSL: a
// product, and a loop that changes a tensor element by element. There are no memory
// descriptors then, so `memref-to-dsd` is left out: loads and stores need the buffers.

// RUN: xdsl-opt -p one-shot-bufferize,canonicalize,linalg-to-csl,convert-linalg-to-loops -t csl %s | filecheck %s

"csl.module"() <{kind = #csl<module_kind program>, sym_name = "pe"}> ({
  %a = memref.alloc() : memref<4x8xf32>
  %b = memref.alloc() : memref<8x2xf32>
  %c = memref.alloc() : memref<4x2xf32>

// CHECK:       fn product() void {
// CHECK:         for(@range(i32, 0, 4, 1)) |[[I:.*]]| {
// CHECK:           for(@range(i32, 0, 2, 1)) |[[J:.*]]| {
// CHECK-NEXT:        c{{\[}}[[I]], [[J]]{{\]}} = 0.0;
// CHECK:         for(@range(i32, 0, 4, 1)) |[[I:.*]]| {
// CHECK:           for(@range(i32, 0, 2, 1)) |[[J:.*]]| {
// CHECK:             for(@range(i32, 0, 8, 1)) |[[K:.*]]| {
// CHECK-NEXT:          c{{\[}}[[I]], [[J]]{{\]}} = (((a{{\[}}[[I]], [[K]]{{\]}}) * (b{{\[}}[[K]], [[J]]{{\]}})) + (c{{\[}}[[I]], [[J]]{{\]}}));
// CHECK:         return;
  csl.func @product() {
    %zero = arith.constant 0.0 : f32
    %x = bufferization.to_tensor %a restrict : memref<4x8xf32>
    %y = bufferization.to_tensor %b restrict : memref<8x2xf32>
    %z = bufferization.to_tensor %c restrict writable : memref<4x2xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%z : tensor<4x2xf32>) -> tensor<4x2xf32>
    %product = linalg.matmul ins(%x, %y : tensor<4x8xf32>, tensor<8x2xf32>) outs(%zeros : tensor<4x2xf32>) -> tensor<4x2xf32>
    bufferization.materialize_in_destination %product in writable %c : (tensor<4x2xf32>, memref<4x2xf32>) -> ()
    csl.return
  }

// CHECK:       fn double() void {
// CHECK:         for(@range(i32, 0, 4, 1)) |i| {
// CHECK-NEXT:      c[i, 0] = ((c[i, 0]) + (c[i, 0]));
// CHECK-NEXT:    }
// CHECK-NEXT:    return;
  csl.func @double() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %z = bufferization.to_tensor %c restrict writable : memref<4x2xf32>
    %doubled = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %z) -> tensor<4x2xf32> {
      %old = tensor.extract %t[%i, %c0] : tensor<4x2xf32>
      %twice = arith.addf %old, %old : f32
      %new = tensor.insert %twice into %t[%i, %c0] : tensor<4x2xf32>
      scf.yield %new : tensor<4x2xf32>
    }
    bufferization.materialize_in_destination %doubled in writable %c : (tensor<4x2xf32>, memref<4x2xf32>) -> ()
    csl.return
  }
}) : () -> ()
