// RUN: xdsl-opt %s | xdsl-opt | filecheck %s

// CHECK-LABEL: func.func @alloc_tensor
func.func @alloc_tensor(%t: tensor<4x?xf32>, %n: index) {
  // CHECK-NEXT: bufferization.alloc_tensor(%n) : tensor<4x?xf32>
  %0 = bufferization.alloc_tensor(%n) : tensor<4x?xf32>
  // CHECK-NEXT: bufferization.alloc_tensor(%n) {memory_space = 1 : i64} : tensor<4x?xf32>
  %1 = bufferization.alloc_tensor(%n) {memory_space = 1 : i64} : tensor<4x?xf32>
  // CHECK-NEXT: bufferization.alloc_tensor() copy(%t) {memory_space = 1 : i64} : tensor<4x?xf32>
  %2 = bufferization.alloc_tensor() copy(%t) {memory_space = 1 : i64} : tensor<4x?xf32>
  // CHECK-NEXT: bufferization.alloc_tensor(%n) size_hint = %n : tensor<4x?xf32>
  %3 = bufferization.alloc_tensor(%n) size_hint=%n : tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @to_buffer
func.func @to_buffer(%t: tensor<4x?xf32>, %u: tensor<*xf32>) {
  // CHECK-NEXT: bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32>
  %0 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32>
  // CHECK-NEXT: bufferization.to_buffer %t read_only : tensor<4x?xf32> to memref<4x?xf32, strided<[?, ?], offset: ?>>
  %1 = bufferization.to_buffer %t read_only : tensor<4x?xf32> to memref<4x?xf32, strided<[?, ?], offset: ?>>
  // CHECK-NEXT: bufferization.to_buffer %t {hint} : tensor<4x?xf32> to memref<4x?xf32, strided<[?, 1]>, 1 : i64>
  %2 = bufferization.to_buffer %t {hint} : tensor<4x?xf32> to memref<4x?xf32, strided<[?, 1]>, 1>
  // CHECK-NEXT: bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32, affine_map<(d0, d1) -> (d1, d0)>>
  %3 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32, affine_map<(d0, d1) -> (d1, d0)>>
  // CHECK-NEXT: bufferization.to_buffer %u : tensor<*xf32> to memref<*xf32>
  %4 = bufferization.to_buffer %u : tensor<*xf32> to memref<*xf32>
  return
}

// CHECK-LABEL: func.func @to_tensor
func.func @to_tensor(%m: memref<4x?xf32, strided<[?, ?], offset: ?>, 1>, %u: memref<*xf32>) {
  // CHECK-NEXT: bufferization.to_tensor %m restrict writable : memref<4x?xf32, strided<[?, ?], offset: ?>, 1 : i64> to tensor<4x?xf32>
  %0 = bufferization.to_tensor %m restrict writable : memref<4x?xf32, strided<[?, ?], offset: ?>, 1> to tensor<4x?xf32>
  // CHECK-NEXT: bufferization.to_tensor %m restrict {hint} : memref<4x?xf32, strided<[?, ?], offset: ?>, 1 : i64> to tensor<4x?xf32>
  %1 = bufferization.to_tensor %m restrict {hint} : memref<4x?xf32, strided<[?, ?], offset: ?>, 1> to tensor<4x?xf32>
  // CHECK-NEXT: bufferization.to_tensor %u : memref<*xf32> to tensor<*xf32>
  %2 = bufferization.to_tensor %u : memref<*xf32> to tensor<*xf32>
  return
}

// CHECK-LABEL: func.func @clone
func.func @clone(%m: memref<?xf32, strided<[?], offset: ?>>) {
  // CHECK-NEXT: bufferization.clone %m : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
  %0 = bufferization.clone %m : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
  return
}

// CHECK-LABEL: func.func @materialize_in_destination
func.func @materialize_in_destination(%t: tensor<?xf32>, %m: memref<?xf32, strided<[?], offset: ?>>) {
  // CHECK-NEXT: bufferization.materialize_in_destination %t in %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %0 = bufferization.materialize_in_destination %t in %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  // CHECK-NEXT: bufferization.materialize_in_destination %t in restrict writable %m : (tensor<?xf32>, memref<?xf32, strided<[?], offset: ?>>) -> ()
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<?xf32>, memref<?xf32, strided<[?], offset: ?>>) -> ()
  return
}
