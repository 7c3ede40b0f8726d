// RUN: xbuf opt %s -p canonicalize,cse | filecheck %s

// CHECK-LABEL: func.func @unused
func.func @unused(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // CHECK-NOT: to_buffer
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  // CHECK-NOT: to_tensor
  %1 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  // CHECK-NOT: clone
  %2 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  // CHECK: func.return
  return
}

// CHECK-LABEL: func.func @frees
func.func @frees(%m: memref<4xf32>, %true: i1) {
  // CHECK-NEXT: bufferization.dealloc
  bufferization.dealloc (%m : memref<4xf32>) if (%true)
  return
}

// Each clone and each alloc_tensor is its own memory.
// CHECK-LABEL: func.func @kept_apart
func.func @kept_apart(%m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %0 = bufferization.clone
  %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  // CHECK-NEXT: %1 = bufferization.clone
  %1 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  // CHECK-NEXT: %2 = bufferization.alloc_tensor
  %2 = bufferization.alloc_tensor() : tensor<4xf32>
  // CHECK-NEXT: %3 = bufferization.alloc_tensor
  %3 = bufferization.alloc_tensor() : tensor<4xf32>
  // CHECK-NEXT: func.return %0, %1, %2, %3
  return %0, %1, %2, %3 : memref<4xf32>, memref<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A write in between keeps two reads apart.
// CHECK-LABEL: func.func @write_between
func.func @write_between(%m: memref<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %0 = bufferization.to_tensor
  %0 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  // CHECK-NEXT: memref.store
  memref.store %v, %m[%i] : memref<4xf32>
  // CHECK-NEXT: %1 = bufferization.to_tensor
  %1 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  // CHECK-NEXT: func.return %0, %1
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
