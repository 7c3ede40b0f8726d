// RUN: xdsl-opt -t mlir-22 -p one-shot-bufferize %s | filecheck %s

// Functions, calls and returns keep their tensors.

// CHECK-LABEL: @argument
// CHECK-SAME: (%[[T:.*]]: tensor<4xf32>, %[[V:.*]]: f32, %[[I:.*]]: index) -> tensor<4xf32>
// CHECK-NEXT: %[[M:.*]] = bufferization.to_buffer %[[T]] : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: memref.copy %[[M]], %[[COPY]]
// CHECK-NEXT: memref.store %[[V]], %[[COPY]][%[[I]]]
// CHECK-NEXT: %[[R:.*]] = bufferization.to_tensor %[[COPY]] : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT: return %[[R]] : tensor<4xf32>
func.func @argument(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @calls
// CHECK-NEXT: %[[A:.*]] = memref.alloc
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[A]]
// CHECK-NEXT: %[[T:.*]] = bufferization.to_tensor %[[A]]
// CHECK-NEXT: %[[R:.*]] = func.call @argument(%[[T]], %{{.*}}, %{{.*}}) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
// CHECK-NEXT: %[[M:.*]] = bufferization.to_buffer %[[R]]
// CHECK-NEXT: memref.load %[[M]]
func.func @calls(%v: f32, %i: index) -> f32 {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = func.call @argument(%1, %v, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  %3 = tensor.extract %2[%i] : tensor<4xf32>
  return %3 : f32
}

// A tensor of any rank cannot be copied, so it is in place where it can be. The return
// is not bufferized, and gets the tensor.

// CHECK-LABEL: func.func @cast_of_any_rank(
// CHECK-NEXT:    [[BUFFER:%.*]] = bufferization.to_buffer %t : tensor<*xi32> to memref<*xi32>
// CHECK-NEXT:    [[TENSOR:%.*]] = bufferization.to_tensor [[BUFFER]] : memref<*xi32> to tensor<*xi32>
// CHECK-NEXT:    func.return [[TENSOR]]
func.func @cast_of_any_rank(%t: tensor<*xi32>) -> tensor<*xi32> {
  %u = tensor.cast %t : tensor<*xi32> to tensor<*xi32>
  return %u : tensor<*xi32>
}
