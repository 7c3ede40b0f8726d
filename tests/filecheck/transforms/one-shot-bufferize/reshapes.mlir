// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// CHECK-LABEL: @views
// CHECK: %[[T:.*]] = memref.alloc() {{.*}} : memref<2x4x4xf32>
// CHECK: memref.collapse_shape %[[T]] {{\[\[}}0, 1], [2]] : memref<2x4x4xf32> into memref<8x4xf32>
// CHECK: memref.expand_shape %[[T]] {{.*}} : memref<2x4x4xf32> into memref<2x4x2x2xf32>
func.func @views(%v: f32) -> (tensor<8x4xf32>, tensor<2x4x2x2xf32>) {
  %empty = tensor.empty() : tensor<2x4x4xf32>
  %t = linalg.fill ins(%v : f32) outs(%empty : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x4x4xf32> into tensor<8x4xf32>
  %1 = tensor.expand_shape %t [[0], [1], [2, 3]] output_shape [2, 4, 2, 2] : tensor<2x4x4xf32> into tensor<2x4x2x2xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<2x4x2x2xf32>
}

// The layout follows the shape.

// CHECK-LABEL: @layouts
// CHECK: %[[S:.*]] = memref.subview %{{.*}} : memref<4x8x6xf32> to memref<2x8x6xf32, strided<[48, 6, 1], offset: 48>>
// CHECK: memref.collapse_shape %[[S]] {{\[\[}}0, 1, 2]] : memref<2x8x6xf32, strided<[48, 6, 1], offset: 48>> into memref<96xf32, strided<[1], offset: 48>>
// CHECK: memref.expand_shape %[[S]] {{.*}} into memref<2x2x4x6xf32, strided<[48, 24, 6, 1], offset: 48>>
// CHECK: %[[R:.*]] = memref.subview %{{.*}} to memref<1x1x6xf32, strided<[48, 6, 1], offset: ?>>
// CHECK: memref.collapse_shape %[[R]] {{.*}} into memref<6xf32, strided<[1], offset: ?>>
// CHECK: %[[P:.*]] = memref.subview %{{.*}} to memref<1x1x1xf32, strided<[48, 6, 1], offset: ?>>
// CHECK: memref.collapse_shape %[[P]] [] : {{.*}} into memref<f32, strided<[], offset: ?>>
func.func @layouts(%v: f32, %i: index) -> (tensor<96xf32>, tensor<2x2x4x6xf32>, tensor<6xf32>, tensor<f32>) {
  %empty = tensor.empty() : tensor<4x8x6xf32>
  %t = linalg.fill ins(%v : f32) outs(%empty : tensor<4x8x6xf32>) -> tensor<4x8x6xf32>
  %s = tensor.extract_slice %t[1, 0, 0] [2, 8, 6] [1, 1, 1] : tensor<4x8x6xf32> to tensor<2x8x6xf32>
  %0 = tensor.collapse_shape %s [[0, 1, 2]] : tensor<2x8x6xf32> into tensor<96xf32>
  %1 = tensor.expand_shape %s [[0], [1, 2], [3]] output_shape [2, 2, 4, 6] : tensor<2x8x6xf32> into tensor<2x2x4x6xf32>
  %r = tensor.extract_slice %t[%i, 0, 0] [1, 1, 6] [1, 1, 1] : tensor<4x8x6xf32> to tensor<1x1x6xf32>
  %2 = tensor.collapse_shape %r [[0, 1, 2]] : tensor<1x1x6xf32> into tensor<6xf32>
  %p = tensor.extract_slice %t[%i, 0, 0] [1, 1, 1] [1, 1, 1] : tensor<4x8x6xf32> to tensor<1x1x1xf32>
  %3 = tensor.collapse_shape %p [] : tensor<1x1x1xf32> into tensor<f32>
  return %0, %1, %2, %3 : tensor<96xf32>, tensor<2x2x4x6xf32>, tensor<6xf32>, tensor<f32>
}

// Rows with gaps between them cannot be collapsed, nor what may have some.

// CHECK-LABEL: @gaps
// CHECK: %[[S:.*]] = memref.subview %{{.*}} to memref<4x5xf32, strided<[6, 1]>>
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x5xf32>
// CHECK-NEXT: memref.copy %[[S]], %[[COPY]]
// CHECK-NEXT: memref.collapse_shape %[[COPY]] {{.*}} : memref<4x5xf32> into memref<20xf32>
// CHECK: %[[COPY:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<2x?xf32>
// CHECK-NEXT: memref.copy %[[U:.*]], %[[COPY]]
// CHECK-NEXT: memref.collapse_shape %[[COPY]]
func.func @gaps(%v: f32, %u: tensor<2x?xf32>) -> (tensor<20xf32>, tensor<?xf32>) {
  %empty = tensor.empty() : tensor<4x6xf32>
  %t = linalg.fill ins(%v : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %s = tensor.extract_slice %t[0, 0] [4, 5] [1, 1] : tensor<4x6xf32> to tensor<4x5xf32>
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
  %1 = tensor.collapse_shape %u [[0, 1]] : tensor<2x?xf32> into tensor<?xf32>
  return %0, %1 : tensor<20xf32>, tensor<?xf32>
}

// What was written to such a copy is put back, although the operands are in place.

// CHECK-LABEL: @round_trip
// CHECK: %[[FROM:.*]] = memref.subview
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK-NEXT: memref.copy %[[FROM]], %[[COPY]]
// CHECK: %[[E:.*]] = memref.expand_shape
// CHECK-NEXT: %[[TO:.*]] = memref.subview
// CHECK-NEXT: memref.copy %[[E]], %[[TO]]
func.func @round_trip(%t: tensor<8x8xf32>, %v: f32) -> tensor<8x8xf32> {
  %slice = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %flat = tensor.collapse_shape %slice [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %filled = linalg.fill ins(%v : f32) outs(%flat : tensor<16xf32>) -> tensor<16xf32>
  %square = tensor.expand_shape %filled [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %back = tensor.insert_slice %square into %t[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
  return %back : tensor<8x8xf32>
}

// Also where the copy is made in a function that is called.

// CHECK-LABEL: @flattened
// CHECK-LABEL: @round_trip_by_call
// CHECK: %[[NEW:.*]] = func.call @flattened
// CHECK: %[[TO:.*]] = memref.subview
// CHECK-NEXT: memref.copy %[[NEW]], %[[TO]]
func.func @flattened(%t: tensor<4x4xf32>, %v: f32) -> tensor<4x4xf32> {
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %filled = linalg.fill ins(%v : f32) outs(%flat : tensor<16xf32>) -> tensor<16xf32>
  %square = tensor.expand_shape %filled [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  return %square : tensor<4x4xf32>
}
func.func @round_trip_by_call(%t: tensor<8x8xf32>, %v: f32) -> tensor<8x8xf32> {
  %slice = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %new = func.call @flattened(%slice, %v) : (tensor<4x4xf32>, f32) -> tensor<4x4xf32>
  %back = tensor.insert_slice %new into %t[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
  return %back : tensor<8x8xf32>
}

// CHECK-LABEL: @reshape
// CHECK-SAME: (%[[T:.*]]: memref<8xf32, {{.*}}>, %[[S:.*]]: memref<2xi32, {{.*}}>)
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc()
// CHECK-NEXT: memref.copy %[[T]], %[[COPY]]
// CHECK-NEXT: %[[R:.*]] = memref.reshape %[[COPY]](%[[S]]) : (memref<8xf32>, memref<2xi32, {{.*}}>) -> memref<?x?xf32>
// CHECK-NEXT: return %[[R]]
func.func @reshape(%t: tensor<8xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = tensor.reshape %t(%s) : (tensor<8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
