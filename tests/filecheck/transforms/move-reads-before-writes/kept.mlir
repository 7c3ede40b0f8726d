// RUN: xdsl-opt -t mlir-22 -p 'move-reads-before-writes{explain}' %s 2>&1 | filecheck %s

// What is not moved, and why. Each function stays as it is.

// CHECK:      remark: 'tensor.insert' needs a buffer of its own for operand #1:
// CHECK-SAME: but the read needs the result of 'tensor.insert'
// CHECK:      remark: 'tensor.insert' needs a buffer of its own for operand #1:
// CHECK-SAME: but 'tensor.extract'{{.*}} may fail, and would pass an op that may end the
// CHECK:      remark: 'tensor.insert' needs a buffer of its own for operand #1:
// CHECK-SAME: but the moved tensors could need more memory than that buffer
// CHECK:      remark: 'tensor.insert' needs a buffer of its own for operand #1: a result would then be in the buffer of an argument

// CHECK-LABEL: @needs_the_write
// CHECK-NEXT:    %b = tensor.insert
// CHECK-NEXT:    %x = tensor.extract %b[%i]
// CHECK-NEXT:    %k = arith.index_cast
// CHECK-NEXT:    %y = tensor.extract %a[%k]
func.func @needs_the_write(%a: tensor<8xi32>, %f: i32, %i: index) -> (i32, i32) {
  %b = tensor.insert %f into %a[%i] : tensor<8xi32>
  %x = tensor.extract %b[%i] : tensor<8xi32>
  %k = arith.index_cast %x : i32 to index
  %y = tensor.extract %a[%k] : tensor<8xi32>
  return %x, %y : i32, i32
}

// CHECK-LABEL: @checked_index
// CHECK-NEXT:    tensor.insert
// CHECK-NEXT:    cf.assert
// CHECK-NEXT:    tensor.extract %a
func.func @checked_index(%a: tensor<8xf32>, %f: f32, %p: i1, %i: index) -> (f32, f32) {
  %b = tensor.insert %f into %a[%i] : tensor<8xf32>
  cf.assert %p, "out of bounds"
  %x = tensor.extract %a[%i] : tensor<8xf32>
  %y = tensor.extract %b[%i] : tensor<8xf32>
  return %x, %y : f32, f32
}

// CHECK-LABEL: @larger
// CHECK-NEXT:    tensor.insert
// CHECK-NEXT:    tensor.extract %b
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    linalg.broadcast
func.func @larger(%a: tensor<8xf32>, %f: f32, %m: memref<8xf32>, %i: index) -> tensor<4x8xf32> {
  %b = tensor.insert %f into %a[%i] : tensor<8xf32>
  %y = tensor.extract %b[%i] : tensor<8xf32>
  memref.store %y, %m[%i] : memref<8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %d = linalg.broadcast ins(%a : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  return %d : tensor<4x8xf32>
}

// In place, the argument itself would be returned, and the caller given a copy of that.

// CHECK-LABEL: @returned
// CHECK-NEXT:    tensor.insert
// CHECK-NEXT:    tensor.extract
func.func @returned(%a: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %b = tensor.insert %f into %a[%i] : tensor<8xf32>
  %x = tensor.extract %a[%i] : tensor<8xf32>
  return %b, %x : tensor<8xf32>, f32
}

// Nothing is copied: nothing moves.

// CHECK-LABEL: @no_conflict
// CHECK-NEXT:    tensor.extract
// CHECK-NEXT:    tensor.insert
// CHECK-NEXT:    arith.addf
func.func @no_conflict(%a: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %x = tensor.extract %a[%i] : tensor<8xf32>
  %b = tensor.insert %f into %a[%i] : tensor<8xf32>
  %y = arith.addf %x, %x : f32
  return %b, %y : tensor<8xf32>, f32
}
