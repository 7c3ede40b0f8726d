// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// CHECK-LABEL: @insert_and_extract
// CHECK-SAME: (%[[T:.*]]: memref<?xf32, strided<[?], offset: ?>>, %[[V:.*]]: f32, %[[I:.*]]: index)
// CHECK-NEXT: memref.store %[[V]], %[[T]][%[[I]]]
// CHECK-NEXT: %[[READ:.*]] = memref.load %[[T]][%[[I]]]
// CHECK-NEXT: return %[[READ]] : f32
func.func @insert_and_extract(%t: tensor<?xf32>, %v: f32, %i: index) -> f32 {
  %0 = tensor.insert %v into %t[%i] : tensor<?xf32>
  %1 = tensor.extract %0[%i] : tensor<?xf32>
  return %1 : f32
}

// The copy of a tensor of dynamic size is as large as that is.

// CHECK-LABEL: @copy
// CHECK-SAME: (%[[T:.*]]: memref<?x4xf32, {{.*}}>, %{{.*}})
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[SIZE:.*]] = memref.dim %[[T]], %[[C0]]
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc(%[[SIZE]]) {alignment = 64 : i64} : memref<?x4xf32>
// CHECK-NEXT: memref.copy %[[T]], %[[COPY]]
// CHECK-NEXT: memref.store %{{.*}}, %[[COPY]]
// CHECK-NEXT: memref.load %[[T]]
func.func @copy(%t: tensor<?x4xf32>, %v: f32, %i: index) -> (tensor<?x4xf32>, f32) {
  %0 = tensor.insert %v into %t[%i, %i] : tensor<?x4xf32>
  %1 = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, f32
}

// CHECK-LABEL: @empty
// CHECK-SAME: (%[[N:.*]]: index
// CHECK-NEXT: memref.alloc(%[[N]]) {alignment = 64 : i64} : memref<?x2xf32>
func.func @empty(%n: index) -> tensor<?x2xf32> {
  %0 = tensor.empty(%n) : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// CHECK-LABEL: @cast_and_dim
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %{{.*}} : memref<4xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT: memref.dim %[[CAST]], %{{.*}}
func.func @cast_and_dim(%t: tensor<4xf32>, %i: index) -> index {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.dim %0, %i : tensor<?xf32>
  return %1 : index
}

// A slice is a view; dimensions of size one can be dropped.

// CHECK-LABEL: @extract_slice
// CHECK-NEXT: %[[T:.*]] = memref.alloc() {{.*}} : memref<8x16xf32>
// CHECK: memref.subview %[[T]][2, 3] [4, 5] [1, 2] : memref<8x16xf32> to memref<4x5xf32, strided<[16, 2], offset: 35>>
// CHECK: memref.subview %[[T]][%{{.*}}, 0] [1, 16] [1, 1] : memref<8x16xf32> to memref<16xf32, strided<[1], offset: ?>>
// CHECK: memref.subview %[[T]][0, 0] [%{{.*}}, 4] [1, 1] : memref<8x16xf32> to memref<?x4xf32, strided<[16, 1]>>
func.func @extract_slice(%v: f32, %i: index) -> (tensor<4x5xf32>, tensor<16xf32>, tensor<?x4xf32>) {
  %empty = tensor.empty() : tensor<8x16xf32>
  %t = linalg.fill ins(%v : f32) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = tensor.extract_slice %t[2, 3] [4, 5] [1, 2] : tensor<8x16xf32> to tensor<4x5xf32>
  %1 = tensor.extract_slice %t[%i, 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<16xf32>
  %2 = tensor.extract_slice %t[0, 0] [%i, 4] [1, 1] : tensor<8x16xf32> to tensor<?x4xf32>
  return %0, %1, %2 : tensor<4x5xf32>, tensor<16xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: @insert_slice
// CHECK-SAME: (%[[S:.*]]: memref<4xf32, {{.*}}>, %[[T:.*]]: memref<16xf32, {{.*}}>, %[[I:.*]]: index)
// CHECK-NEXT: %[[VIEW:.*]] = memref.subview %[[T]][%[[I]]] [4] [1]
// CHECK-NEXT: memref.copy %[[S]], %[[VIEW]]
// CHECK-NEXT: return %[[T]]
func.func @insert_slice(%s: tensor<4xf32>, %t: tensor<16xf32>, %i: index) -> tensor<16xf32> {
  %0 = tensor.insert_slice %s into %t[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %0 : tensor<16xf32>
}

// If only a slice is needed, only the slice is copied.

// CHECK-LABEL: @copy_of_slice
// CHECK: %[[VIEW:.*]] = memref.subview
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: memref.copy %[[VIEW]], %[[COPY]]
// CHECK-NEXT: memref.store %{{.*}}, %[[COPY]]
func.func @copy_of_slice(%t: tensor<16xf32>, %v: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = tensor.extract_slice %t[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %1 = tensor.insert %v into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %t[%i] : tensor<16xf32>
  return %1, %2 : tensor<4xf32>, f32
}
