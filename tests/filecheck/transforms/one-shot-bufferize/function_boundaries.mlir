// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s --check-prefixes=CHECK,INFER
// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' %s | filecheck %s --check-prefixes=CHECK,IDENTITY
// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=fully-dynamic-layout-map}' %s | filecheck %s --check-prefixes=CHECK,DYNAMIC

// Declarations have no body to infer anything from.

// INFER: func.func private @declared(memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>>
// IDENTITY: func.func private @declared(memref<4xf32>) -> memref<4xf32>
// DYNAMIC: func.func private @declared(memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>>
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

// CHECK-LABEL: @slice
// INFER-SAME: -> (memref<4xf32>, memref<2xf32, strided<[1], offset: 1>>)
// IDENTITY-SAME: -> (memref<4xf32>, memref<2xf32>)
// IDENTITY: memref.copy %{{.*}}, %[[COPY:.*]] : memref<2xf32, strided<[1], offset: 1>> to memref<2xf32>
// IDENTITY: return %{{.*}}, %[[COPY]]
// DYNAMIC-SAME: -> (memref<4xf32, strided<[?], offset: ?>>, memref<2xf32, strided<[?], offset: ?>>)
// DYNAMIC: memref.cast
// DYNAMIC: memref.cast
func.func @slice(%v: f32) -> (tensor<4xf32>, tensor<2xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.extract_slice %1[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %1, %2 : tensor<4xf32>, tensor<2xf32>
}

// A layout that an argument asks for is used in any case.

// CHECK-LABEL: @own_layout
// CHECK-SAME: (%{{.*}}: memref<2x4xf32, strided<[8, 1]>> {test.kept}, %{{.*}}: memref<4xf32>)
func.func @own_layout(
    %t: tensor<2x4xf32> {bufferization.buffer_layout = strided<[8, 1]>, bufferization.writable = false, test.kept},
    %u: tensor<4xf32> {bufferization.buffer_layout = affine_map<(i) -> (i)>}) {
  return
}

func.func private @write(%t: tensor<2xf32>, %v: f32, %i: index) -> tensor<2xf32> {
  %0 = tensor.insert %v into %t[%i] : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// What a callee wrote into a copy that it was given is put into its place.

// CHECK-LABEL: @call_with_slice
// CHECK: %[[VIEW:.*]] = memref.subview
// INFER: %[[CAST:.*]] = memref.cast %[[VIEW]]
// INFER-NEXT: call @write(%[[CAST]]
// INFER-NEXT: return
// IDENTITY: memref.copy %[[VIEW]], %[[COPY:.*]] : {{.*}} to memref<2xf32>
// IDENTITY-NEXT: %[[RESULT:.*]] = func.call @write(%[[COPY]]
// IDENTITY-NEXT: %[[PLACE:.*]] = memref.subview
// IDENTITY-NEXT: memref.copy %[[RESULT]], %[[PLACE]]
// IDENTITY-NEXT: return
func.func @call_with_slice(%v: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.extract_slice %1[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %3 = func.call @write(%2, %v, %i) : (tensor<2xf32>, f32, index) -> tensor<2xf32>
  %4 = tensor.insert_slice %3 into %1[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %4 : tensor<4xf32>
}

// Callers need not come after callees.

// CHECK-LABEL: @caller
// INFER: call @callee() : () -> memref<4xf32>
func.func @caller(%i: index) -> f32 {
  %0 = func.call @callee() : () -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

func.func private @callee() -> tensor<4xf32> {
  %v = arith.constant 1.0 : f32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Recursion that never ends still has a type.

// CHECK-LABEL: @forever
// CHECK-SAME: memref<4xf32
func.func @forever(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @forever(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
