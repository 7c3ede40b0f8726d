// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// CHECK-LABEL: @alloc_tensor
// CHECK-SAME: (%[[T:.*]]: memref<4xf32, strided<[?], offset: ?>>, %[[N:.*]]: index)
// CHECK-NEXT: %[[A:.*]] = memref.alloc(%[[N]]) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT: %[[B:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: memref.copy %[[T]], %[[B]]
// CHECK-NEXT: %[[C:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1>
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
func.func @alloc_tensor(%t: tensor<4xf32>, %n: index) -> (tensor<?xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %1 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  %2 = bufferization.alloc_tensor() {memory_space = 1} : tensor<4xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @buffers_in_and_out
// CHECK-SAME: (%[[M:.*]]: memref<4xf32>, %[[V:.*]]: f32, %[[I:.*]]: index)
// CHECK-NEXT: memref.store %[[V]], %[[M]][%[[I]]]
// CHECK-NEXT: return %[[M]] : memref<4xf32>
func.func @buffers_in_and_out(%m: memref<4xf32>, %v: f32, %i: index) -> memref<4xf32> {
  %0 = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %1 = tensor.insert %v into %0[%i] : tensor<4xf32>
  %2 = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32>
  return %2 : memref<4xf32>
}

// A buffer that was not said to be writable is copied, and a cast gives it its type.

// CHECK-LABEL: @not_writable
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK: memref.store %{{.*}}, %[[COPY]]
// CHECK-NEXT: memref.cast %[[COPY]] : memref<4xf32> to memref<4xf32, strided<[?]>>
func.func @not_writable(%m: memref<4xf32>, %v: f32, %i: index) -> memref<4xf32, strided<[?]>> {
  %0 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %1 = tensor.insert %v into %0[%i] : tensor<4xf32>
  %2 = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32, strided<[?]>>
  return %2 : memref<4xf32, strided<[?]>>
}

// The buffer of an argument of a block is what took the place of that argument.

// CHECK-LABEL: @buffers_of_arguments
// CHECK-SAME: (%[[T:.*]]: memref<4xf32, strided<[?], offset: ?>>, %[[N:.*]]: index)
// CHECK: scf.for {{.*}} iter_args(%[[A:[a-z0-9]+]] = 
// CHECK-NOT: bufferization
// CHECK: memref.load %[[A]]
// CHECK: memref.load %[[T]]
func.func @buffers_of_arguments(%t: tensor<4xf32>, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %u = tensor.empty() : tensor<4xf32>
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u, %s = %f0) -> (tensor<4xf32>, f32) {
    %m = bufferization.to_buffer %a read_only : tensor<4xf32> to memref<4xf32>
    %1 = memref.load %m[%c0] : memref<4xf32>
    %2 = tensor.insert %1 into %a[%c1] : tensor<4xf32>
    scf.yield %2, %1 : tensor<4xf32>, f32
  }
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %3 = memref.load %m[%c0] : memref<4xf32, strided<[?], offset: ?>>
  return %0#1, %3 : f32, f32
}

// CHECK-LABEL: @materialize
// CHECK-SAME: (%[[T:.*]]: memref<4xf32, {{.*}}>, %[[M:.*]]: memref<4xf32>, %[[D:.*]]: memref<4xf32, {{.*}}>)
// CHECK-NEXT: memref.copy %[[T]], %[[M]]
// CHECK-NEXT: memref.copy %[[T]], %[[D]]
// CHECK-NEXT: return %[[D]]
func.func @materialize(%t: tensor<4xf32>, %m: memref<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  %0 = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @dealloc_tensor
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: memref.dealloc %[[A]]
func.func @dealloc_tensor(%v: f32, %i: index) -> f32 {
  %0 = bufferization.alloc_tensor() : tensor<4xf32>
  %1 = tensor.insert %v into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  bufferization.dealloc_tensor %1 : tensor<4xf32>
  return %2 : f32
}
