// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries}' %s | filecheck %s

// Zero is the default memory space.

// CHECK-LABEL: @alloc
// CHECK-NEXT:    memref.alloc() {{.*}} : memref<4xf32, 3>
// CHECK-NEXT:    memref.alloc() {{.*}} : memref<4xf32>
func.func @alloc(%i: index) -> (f32, f32) {
  %0 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32>
  %1 = bufferization.alloc_tensor() {memory_space = 0 : i64} : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  %3 = tensor.extract %1[%i] : tensor<4xf32>
  return %2, %3 : f32, f32
}

// CHECK-LABEL: @copy_to_another_space
// CHECK:         %[[A:.*]] = memref.alloc() {{.*}} : memref<4xf32, 3>
// CHECK-NEXT:    memref.copy %t, %[[A]] : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, 3>
func.func @copy_to_another_space(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = bufferization.alloc_tensor() copy(%t) {memory_space = 3 : i64} : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// A copy is where the original is, with contents or without.

// CHECK-LABEL:   @copies_stay_in_their_space
// CHECK-COUNT-3:   memref.alloc() {{.*}} : memref<4xf32, 3>
// CHECK-NOT:       memref.alloc
func.func @copies_stay_in_their_space(%f: f32, %i: index) -> (f32, f32, f32) {
  %0 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.fill ins(%f : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  %3 = tensor.insert %f into %1[%i] : tensor<4xf32>
  %4 = tensor.extract %1[%i] : tensor<4xf32>
  %5 = tensor.extract %2[%i] : tensor<4xf32>
  %6 = tensor.extract %3[%i] : tensor<4xf32>
  return %4, %5, %6 : f32, f32, f32
}

// A function returns the memory space of what it returns.

// CHECK-LABEL: func.func @returned() -> memref<4xf32, 3>
func.func @returned() -> tensor<4xf32> {
  %0 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @caller
// CHECK-NEXT:    %[[R:.*]] = func.call @returned() : () -> memref<4xf32, 3>
// CHECK-NEXT:    memref.load %[[R]][%i] : memref<4xf32, 3>
func.func @caller(%i: index) -> f32 {
  %0 = call @returned() : () -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// Its arguments are in the default one, and what it writes is copied back.

// CHECK-LABEL: @write
func.func private @write(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @call_with_another_space
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() {{.*}} : memref<4xf32, 3>
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK-NEXT:    memref.copy %[[A]], %[[B]]
// CHECK-NEXT:    %[[C:.*]] = memref.cast %[[B]]
// CHECK-NEXT:    func.call @write(%[[C]], %f, %i)
// CHECK-NEXT:    memref.copy %[[C]], %[[A]]
// CHECK-NEXT:    memref.load %[[A]][%i]
func.func @call_with_another_space(%f: f32, %i: index) -> f32 {
  %0 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<4xf32>
  %1 = call @write(%0, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  return %2 : f32
}
