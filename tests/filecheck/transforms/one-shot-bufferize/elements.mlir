// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// CHECK-LABEL: @gather
// CHECK-SAME: (%[[T:.*]]: memref<4x?xf32, {{.*}}>, %[[I:.*]]: memref<?x1xi32, {{.*}}>)
// CHECK: %[[NEW:.*]] = memref.alloc(%{{.*}}, %{{.*}}) {{.*}} : memref<?x1x?xf32>
// CHECK-NEXT: linalg.generic {{.*}} outs(%[[NEW]] : memref<?x1x?xf32>)
// CHECK: %[[D0:.*]] = linalg.index 0 : index
// CHECK: %[[D2:.*]] = linalg.index 2 : index
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[AT:.*]] = memref.load %[[I]][%[[D0]], %[[C0]]]
// CHECK-NEXT: %[[ROW:.*]] = arith.index_cast %[[AT]] : i32 to index
// CHECK-NEXT: %[[X:.*]] = memref.load %[[T]][%[[ROW]], %[[D2]]]
// CHECK-NEXT: linalg.yield %[[X]]
func.func @gather(%t: tensor<4x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x1x?xf32> {
  %0 = tensor.gather %t[%i] gather_dims([0]) : (tensor<4x?xf32>, tensor<?x1xi32>) -> tensor<?x1x?xf32>
  return %0 : tensor<?x1x?xf32>
}

// CHECK-LABEL: @scatter
// CHECK-SAME: (%[[S:.*]]: memref<3x8xf32, {{.*}}>, %[[T:.*]]: memref<4x8xf32, {{.*}}>, %[[I:.*]]: memref<3x1xindex, {{.*}}>)
// CHECK: scf.for %[[D0:.*]] =
// CHECK-NEXT: scf.for %[[D1:.*]] =
// CHECK-NEXT: %[[X:.*]] = memref.load %[[S]][%[[D0]], %[[D1]]]
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[ROW:.*]] = memref.load %[[I]][%[[D0]], %[[C0]]]
// CHECK-NEXT: memref.store %[[X]], %[[T]][%[[ROW]], %[[D1]]]
// CHECK: return %[[T]]
func.func @scatter(%s: tensor<3x8xf32>, %t: tensor<4x8xf32>, %i: tensor<3x1xindex>) -> tensor<4x8xf32> {
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0]) unique : (tensor<3x8xf32>, tensor<4x8xf32>, tensor<3x1xindex>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A single element without a dimension needs no loop.

// CHECK-LABEL: @scatter_element
// CHECK-NOT: scf.for
// CHECK: memref.store
func.func @scatter_element(%s: tensor<f32>, %t: tensor<4xf32>, %i: tensor<1xindex>) -> tensor<4xf32> {
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0]) unique : (tensor<f32>, tensor<4xf32>, tensor<1xindex>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The elements of the result have other types, so that it is another buffer.

// CHECK-LABEL: @bitcast
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<?xf32, {{.*}}>) outs(%{{.*}} : memref<?xi32>)
// CHECK: arith.bitcast %{{.*}} : f32 to i32
func.func @bitcast(%t: tensor<?xf32>) -> tensor<?xi32> {
  %0 = tensor.bitcast %t : tensor<?xf32> to tensor<?xi32>
  return %0 : tensor<?xi32>
}

// CHECK-LABEL: @index_cast
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<4xi32, {{.*}}>) outs(%{{.*}} : memref<4xindex>)
// CHECK: arith.index_cast %{{.*}} : i32 to index
func.func @index_cast(%t: tensor<4xi32>) -> tensor<4xindex> {
  %0 = arith.index_cast %t : tensor<4xi32> to tensor<4xindex>
  return %0 : tensor<4xindex>
}
