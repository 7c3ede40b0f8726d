// RUN: xdsl-opt -t mlir-22 -p move-reads-before-writes %s | filecheck %s

// The read needs a number from memory, and stays. The write moves behind it, with the
// second write, which needs the first.

// CHECK-LABEL: @behind
// CHECK-NEXT:    %k = memref.load %m
// CHECK-NEXT:    %x = tensor.extract %a[%k]
// CHECK-NEXT:    %b = tensor.insert %f into %a[%i]
// CHECK-NEXT:    %c = tensor.insert %f into %b[%j]
// CHECK-NEXT:    %y = tensor.extract %c
func.func @behind(%a: tensor<8xf32>, %f: f32, %m: memref<8xindex>, %i: index, %j: index) -> (f32, f32) {
  %b = tensor.insert %f into %a[%i] : tensor<8xf32>
  %c = tensor.insert %f into %b[%j] : tensor<8xf32>
  %k = memref.load %m[%i] : memref<8xindex>
  %x = tensor.extract %a[%k] : tensor<8xf32>
  %y = tensor.extract %c[%j] : tensor<8xf32>
  return %x, %y : f32, f32
}

// Nothing that could fail passes an op that may end the program. The insertion is in
// bounds, and passes.

// CHECK-LABEL: @in_bounds
// CHECK-NEXT:    arith.constant 3
// CHECK-NEXT:    cf.assert
// CHECK-NEXT:    tensor.extract %a[%i]
// CHECK-NEXT:    tensor.insert %f into %a[%c3]
func.func @in_bounds(%a: tensor<8xf32>, %f: f32, %p: i1, %i: index) -> (f32, f32) {
  %c3 = arith.constant 3 : index
  %b = tensor.insert %f into %a[%c3] : tensor<8xf32>
  cf.assert %p, "out of bounds"
  %x = tensor.extract %a[%i] : tensor<8xf32>
  %y = tensor.extract %b[%i] : tensor<8xf32>
  return %x, %y : f32, f32
}

// What is computed from the read is larger than the buffer that is saved, so that the
// write moves.

// CHECK-LABEL: @larger
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    linalg.broadcast
// CHECK-NEXT:    tensor.insert
func.func @larger(%a: tensor<8xf32>, %f: f32, %i: index) -> (tensor<4x8xf32>, f32) {
  %b = tensor.insert %f into %a[%i] : tensor<8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %d = linalg.broadcast ins(%a : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %y = tensor.extract %b[%i] : tensor<8xf32>
  return %d, %y : tensor<4x8xf32>, f32
}
