// RUN: xdsl-opt -t mlir-22 -p bufferization-bufferize %s | filecheck %s

// CHECK:      func.func @alloc_tensor(%n: index, %t: tensor<4xf32>) -> (tensor<?xf32>, tensor<4xf32>) {
// CHECK-NEXT:   %0 = bufferization.to_buffer %t {bufferization.core} : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:   %1 = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:   %2 = bufferization.to_tensor %1 : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:   %3 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.copy %0, %3 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   %4 = bufferization.to_tensor %3 : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:   func.return %2, %4 : tensor<?xf32>, tensor<4xf32>
// CHECK-NEXT: }
func.func @alloc_tensor(%n: index, %t: tensor<4xf32>) -> (tensor<?xf32>, tensor<4xf32>) {
  %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %1 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  return %0, %1 : tensor<?xf32>, tensor<4xf32>
}

// CHECK:      func.func @pair(%m: memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:   %0 = memref.cast %m : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   func.return %0 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: }
func.func @pair(%m: memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>> {
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  return %1 : memref<4xf32, strided<[?], offset: ?>>
}
