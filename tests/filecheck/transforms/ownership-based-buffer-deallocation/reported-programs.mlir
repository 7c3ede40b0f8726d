// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation{private-function-dynamic-ownership=true} %s | filecheck %s

// Programs of the kinds that were reported against mlir-opt, which crashed on them or
// freed a buffer twice.

// https://github.com/llvm/llvm-project/issues/77096: what a call only borrows is freed
// by the caller, once, although the callee could be told that it owns it.

// CHECK-LABEL: func.func private @borrows(%x: memref<2xf32>) {
// CHECK-NEXT:    func.return
// CHECK:       func.func @calls_twice
// CHECK:         func.call @borrows(%a) : (memref<2xf32>) -> ()
// CHECK-NEXT:    func.call @borrows(%a) : (memref<2xf32>) -> ()
// CHECK-NEXT:    bufferization.dealloc (%a : memref<2xf32>)
// CHECK-NEXT:    func.return
func.func private @borrows(%x: memref<2xf32>) {
  return
}
func.func @calls_twice() {
  %a = memref.alloc() : memref<2xf32>
  func.call @borrows(%a) : (memref<2xf32>) -> ()
  func.call @borrows(%a) : (memref<2xf32>) -> ()
  return
}

// https://github.com/llvm/llvm-project/issues/119863: a loop without any buffer, between
// blocks.

// CHECK-LABEL: func.func @numbers_only
// CHECK-NOT:     bufferization
// CHECK:         func.return %r : f32
func.func @numbers_only(%f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop
^loop:
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %f) -> (f32) {
    %y = arith.mulf %x, %x : f32
    scf.yield %y : f32
  }
  cf.br ^exit
^exit:
  return %r : f32
}

// https://github.com/llvm/llvm-project/issues/116363: the buffer of a tensor is used in
// a loop of a later block, next to one that is allocated there.

// CHECK-LABEL: func.func @tensor_in_a_later_block
// CHECK:         memref.store %v, %a[%i]
// CHECK:         bufferization.dealloc (%a : memref<?xi32>)
// CHECK-NEXT:    func.return
func.func @tensor_in_a_later_block(%t: tensor<?xi32>, %n: index) {
  %m = bufferization.to_buffer %t : tensor<?xi32> to memref<?xi32>
  cf.br ^later
^later:
  %a = memref.alloc(%n) : memref<?xi32>
  "affine.for"(%n) <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<(d0) -> (d0)>, step = 1 : index, operandSegmentSizes = array<i32: 0, 1, 0>}> ({
  ^bb0(%i: index):
    %v = memref.load %m[%i] : memref<?xi32>
    memref.store %v, %a[%i] : memref<?xi32>
    "affine.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// https://github.com/llvm/llvm-project/issues/120945: one buffer goes to two blocks, each
// of which returns it.

// CHECK-LABEL: func.func @two_returns
// CHECK-NOT:     bufferization
// CHECK:         cf.cond_br %c, ^{{.*}}(%a : memref<f32>), ^{{.*}}(%a : memref<f32>)
// CHECK-NOT:     bufferization
// CHECK:         func.return %x
// CHECK-NOT:     bufferization
// CHECK:         func.return %y
func.func @two_returns(%c: i1) -> memref<f32> {
  %a = memref.alloc() : memref<f32>
  cf.cond_br %c, ^one(%a : memref<f32>), ^other(%a : memref<f32>)
^one(%x: memref<f32>):
  return %x : memref<f32>
^other(%y: memref<f32>):
  return %y : memref<f32>
}

// https://github.com/llvm/llvm-project/issues/73191: a buffer that comes from a lower
// level belongs to that level.

// CHECK-LABEL: func.func @from_below
// CHECK:         %m = builtin.unrealized_conversion_cast
// CHECK-NEXT:    memref.copy %m, %a
// CHECK-NEXT:    bufferization.dealloc (%a : memref<3xi1>)
// CHECK-NEXT:    func.return
func.func @from_below(%s: !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)>) {
  %a = memref.alloc() : memref<3xi1>
  %m = builtin.unrealized_conversion_cast %s : !llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<1 x i64>, !llvm.array<1 x i64>)> to memref<3xi1>
  memref.copy %m, %a : memref<3xi1> to memref<3xi1>
  return
}

// https://github.com/llvm/llvm-project/issues/68948: a private function returns the
// buffer of a tensor, which its caller does not own.

// CHECK-LABEL: func.func private @buffer_of_a_tensor() -> (memref<?xf16>, i1) {
// CHECK:         %[[FALSE:.*]] = arith.constant false
// CHECK:         func.return %m, %[[FALSE]] : memref<?xf16>, i1
func.func private @buffer_of_a_tensor() -> memref<?xf16> {
  %e = tensor.empty() : tensor<5xf16>
  %t = tensor.cast %e : tensor<5xf16> to tensor<?xf16>
  %m = bufferization.to_buffer %t : tensor<?xf16> to memref<?xf16>
  return %m : memref<?xf16>
}
