// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' %s | filecheck %s

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: @generic
// CHECK-SAME: (%[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[A]] : memref<4xf32>) outs(%[[B]] : memref<4xf32>) {
// CHECK-NEXT: ^{{.*}}(%{{.*}}: f32, %{{.*}}: f32):
// CHECK: linalg.yield
// CHECK-NEXT: }
// CHECK-NEXT: return %[[B]] : memref<4xf32>
func.func @generic(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @two_outputs
// CHECK-SAME: (%[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>, %{{.*}}: f32)
// CHECK: return %[[A]], %[[B]]
func.func @two_outputs(%a: tensor<4xf32>, %b: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      outs(%a, %b : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %y, %v : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @named
// CHECK-SAME: (%[[A:.*]]: memref<4x4xf32>, %[[V:.*]]: f32)
// CHECK-NEXT: %[[C:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT: linalg.fill ins(%[[V]] : f32) outs(%[[C]] : memref<4x4xf32>)
// CHECK-NEXT: linalg.matmul ins(%[[A]], %[[A]] : memref<4x4xf32>, memref<4x4xf32>) outs(%[[C]] : memref<4x4xf32>)
// CHECK-NEXT: linalg.add ins(%[[A]], %[[C]] : {{.*}}) outs(%[[C]] : memref<4x4xf32>)
// CHECK-NEXT: return %[[C]]
func.func @named(%a: tensor<4x4xf32>, %v: f32) -> tensor<4x4xf32> {
  %empty = tensor.empty() : tensor<4x4xf32>
  %zero = linalg.fill ins(%v : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %product = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
  %sum = linalg.add ins(%a, %product : tensor<4x4xf32>, tensor<4x4xf32>) outs(%product : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %sum : tensor<4x4xf32>
}

// The destination of a transposition, broadcast or copy needs no contents.

// CHECK-LABEL: @moves
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: linalg.transpose ins(%{{.*}} : memref<2x4xf32>) outs(%[[A]] : memref<4x2xf32>) permutation = [1, 0]
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: linalg.broadcast ins(%{{.*}} : memref<2x4xf32>) outs(%[[B]] : memref<2x4x3xf32>) dimensions = [2]
// CHECK: linalg.reduce {{.*}}ins(%[[B]] : memref<2x4x3xf32>) outs(%[[D:.*]] : memref<2x4xf32>) dimensions = [2]
// CHECK: return %[[A]], %[[B]], %[[D]]
func.func @moves(%t: tensor<2x4xf32>, %d: tensor<2x4xf32>) -> (tensor<4x2xf32>, tensor<2x4x3xf32>, tensor<2x4xf32>) {
  %a = tensor.empty() : tensor<4x2xf32>
  %0 = linalg.transpose ins(%t : tensor<2x4xf32>) outs(%a : tensor<4x2xf32>) permutation = [1, 0]
  %b = tensor.empty() : tensor<2x4x3xf32>
  %1 = linalg.broadcast ins(%t : tensor<2x4xf32>) outs(%b : tensor<2x4x3xf32>) dimensions = [2]
  %2 = linalg.reduce ins(%1 : tensor<2x4x3xf32>) outs(%d : tensor<2x4xf32>) dimensions = [2]
  (%x: f32, %y: f32) {
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  }
  return %0, %1, %2 : tensor<4x2xf32>, tensor<2x4x3xf32>, tensor<2x4xf32>
}

// An output that is overwritten gets a new buffer, not a copy.

// CHECK-LABEL: @no_contents
// CHECK-SAME: (%[[T:.*]]: memref<?xf32>
// CHECK: %[[SIZE:.*]] = memref.dim %[[T]]
// CHECK-NEXT: %[[NEW:.*]] = memref.alloc(%[[SIZE]])
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[NEW]]
// CHECK-NEXT: memref.load %[[T]]
func.func @no_contents(%t: tensor<?xf32>, %v: f32, %i: index) -> (tensor<?xf32>, f32) {
  %0 = linalg.fill ins(%v : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.extract %t[%i] : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, f32
}

// A copy of a tensor into itself leaves what is there: nothing is allocated for it.

// CHECK-LABEL: @copied_into_itself
// CHECK-SAME: (%[[T:.*]]: memref<4xf32>, %[[V:.*]]: f32)
// CHECK-NEXT: arith.constant
// CHECK-NEXT: memref.store %[[V]], %[[T]]
// CHECK-NEXT: linalg.copy ins(%[[T]] : {{.*}}) outs(%[[T]] : {{.*}})
// CHECK-NEXT: memref.store %[[V]], %[[T]]
// CHECK-NEXT: func.return %[[T]]
func.func @copied_into_itself(%t: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %v into %t[%c0] : tensor<4xf32>
  %1 = linalg.copy ins(%0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert %v into %0[%c0] : tensor<4xf32>
  return %2 : tensor<4xf32>
}
