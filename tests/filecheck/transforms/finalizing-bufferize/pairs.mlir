// RUN: xdsl-opt -t mlir-22 -p finalizing-bufferize %s | filecheck %s

// CHECK:      func.func @same_type(%m: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:   func.return %m : memref<4xf32>
// CHECK-NEXT: }
func.func @same_type(%m: memref<4xf32>) -> memref<4xf32> {
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32>
  return %1 : memref<4xf32>
}

// CHECK:      func.func @cast(%m: memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   %0 = memref.cast %m : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %0 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }
func.func @cast(%m: memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>> {
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  return %1 : memref<4xf32, strided<[?], offset: ?>>
}

// A cast to the identity layout could fail.
// CHECK:      func.func @copy(%m: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32> {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = memref.dim %m, %0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %2 = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:   memref.copy %m, %2 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// CHECK-NEXT:   func.return %2 : memref<?xf32>
// CHECK-NEXT: }
func.func @copy(%m: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32> {
  %0 = bufferization.to_tensor %m : memref<?xf32, strided<[?], offset: ?>> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32>
  return %1 : memref<?xf32>
}

// CHECK:      func.func @unused(%m: memref<4xf32>) {
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @unused(%m: memref<4xf32>) {
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  return
}

// CHECK:      func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
