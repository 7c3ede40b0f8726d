// RUN: xbuf opt %s | filecheck %s

// What MLIR printed until 2024 becomes the ops of today.
// CHECK-LABEL: func.func @old_spelling
func.func @old_spelling(%t: tensor<4x?xf32>, %u: tensor<*xf32>, %m: memref<4x?xf32, strided<[?, 1]>>, %v: memref<*xf32>) {
  // CHECK-NEXT: %0 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32, strided<[?, 1]>>
  %0 = bufferization.to_memref %t : memref<4x?xf32, strided<[?, 1]>>
  // CHECK-NEXT: %1 = bufferization.to_buffer %u read_only {hint} : tensor<*xf32> to memref<*xf32>
  %1 = bufferization.to_memref %u read_only {hint} : memref<*xf32>
  // CHECK-NEXT: %2 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32>
  %2 = bufferization.to_memref %t : tensor<4x?xf32> to memref<4x?xf32>
  // CHECK-NEXT: %3 = bufferization.to_buffer %t read_only : tensor<4x?xf32> to memref<4x?xf32>
  %3 = "bufferization.to_memref"(%t) <{read_only}> : (tensor<4x?xf32>) -> memref<4x?xf32>
  // CHECK-NEXT: %4 = bufferization.to_tensor %m restrict writable {hint} : memref<4x?xf32, strided<[?, 1]>> to tensor<4x?xf32>
  %4 = bufferization.to_tensor %m restrict writable {hint} : memref<4x?xf32, strided<[?, 1]>>
  // CHECK-NEXT: %5 = bufferization.to_tensor %v : memref<*xf32> to tensor<*xf32>
  %5 = bufferization.to_tensor %v : memref<*xf32>
  return
}
