// RUN: xdsl-opt -t mlir-22 -p tensor-bufferize %s | filecheck %s

// What is written is a copy, although nobody needs the tensor it is a copy of.
// CHECK:      func.func @insert(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
// CHECK-NEXT:   %0 = bufferization.to_buffer %t {bufferization.core} : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:   %1 = arith.constant 0 : index
// CHECK-NEXT:   %2 = memref.dim %0, %1 : memref<?xf32>
// CHECK-NEXT:   %3 = memref.alloc(%2) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:   memref.copy %0, %3 : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:   memref.store %f, %3[%i] : memref<?xf32>
// CHECK-NEXT:   %4 = bufferization.to_tensor %3 : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:   func.return %4 : tensor<?xf32>
// CHECK-NEXT: }
func.func @insert(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The example of the talk: contents that were never written are copied as well.
// CHECK:      func.func @foo(%sz: index, %f: f32, %idx1: index, %idx2: index) -> f32 {
// CHECK-NEXT:   %t = memref.alloc(%sz) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = memref.dim %t, %0 : memref<?xf32>
// CHECK-NEXT:   %2 = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:   memref.copy %t, %2 : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:   memref.store %f, %2[%idx1] : memref<?xf32>
// CHECK-NEXT:   %3 = memref.load %2[%idx2] : memref<?xf32>
// CHECK-NEXT:   func.return %3 : f32
// CHECK-NEXT: }
func.func @foo(%sz: index, %f: f32, %idx1: index, %idx2: index) -> f32 {
  %t = tensor.empty(%sz) : tensor<?xf32>
  %1 = tensor.insert %f into %t[%idx1] : tensor<?xf32>
  %2 = tensor.extract %1[%idx2] : tensor<?xf32>
  return %2 : f32
}

// A slice is copied, so that its buffer is dense.
// CHECK:      func.func @extract_slice(%t: tensor<8xf32>, %i: index) -> tensor<4xf32> {
// CHECK-NEXT:   %0 = bufferization.to_buffer %t {bufferization.core} : tensor<8xf32> to memref<8xf32>
// CHECK-NEXT:   %1 = memref.subview %0[%i] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
// CHECK-NEXT:   %2 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.copy %1, %2 : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
// CHECK-NEXT:   %3 = bufferization.to_tensor %2 : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:   func.return %3 : tensor<4xf32>
// CHECK-NEXT: }
func.func @extract_slice(%t: tensor<8xf32>, %i: index) -> tensor<4xf32> {
  %0 = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK:      func.func @insert_slice(%s: tensor<4xf32>, %t: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %0 = bufferization.to_buffer %s {bufferization.core} : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:   %1 = bufferization.to_buffer %t {bufferization.core} : tensor<8xf32> to memref<8xf32>
// CHECK-NEXT:   %2 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:   memref.copy %1, %2 : memref<8xf32> to memref<8xf32>
// CHECK-NEXT:   %3 = memref.subview %2[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
// CHECK-NEXT:   memref.copy %0, %3 : memref<4xf32> to memref<4xf32, strided<[1], offset: 2>>
// CHECK-NEXT:   %4 = bufferization.to_tensor %2 : memref<8xf32> to tensor<8xf32>
// CHECK-NEXT:   func.return %4 : tensor<8xf32>
// CHECK-NEXT: }
func.func @insert_slice(%s: tensor<4xf32>, %t: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.insert_slice %s into %t[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Other shapes of the same contents need no copy.
// CHECK:      func.func @same_contents(%t: tensor<2x4xf32>) -> tensor<?xf32> {
// CHECK-NEXT:   %0 = bufferization.to_buffer %t {bufferization.core} : tensor<2x4xf32> to memref<2x4xf32>
// CHECK-NEXT:   %1 = memref.collapse_shape %0 [[0, 1]] : memref<2x4xf32> into memref<8xf32>
// CHECK-NEXT:   %2 = memref.cast %1 : memref<8xf32> to memref<?xf32>
// CHECK-NEXT:   %3 = bufferization.to_tensor %2 : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:   func.return %3 : tensor<?xf32>
// CHECK-NEXT: }
func.func @same_contents(%t: tensor<2x4xf32>) -> tensor<?xf32> {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %1 = tensor.cast %0 : tensor<8xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK:      func.func @other_dialect(%t: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
// CHECK-NEXT:   %0 = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %0 : tensor<4xf32>
// CHECK-NEXT: }
func.func @other_dialect(%t: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  %0 = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
