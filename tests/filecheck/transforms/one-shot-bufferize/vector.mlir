// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// CHECK-LABEL: @read_and_write
// CHECK-SAME: (%[[T:.*]]: memref<16xf32, strided<[?], offset: ?>>, %[[V:.*]]: f32, %[[I:.*]]: index)
// CHECK-NEXT: %[[X:.*]] = vector.transfer_read %[[T]][%[[I]]], %[[V]] {in_bounds = [true]} : memref<16xf32, strided<[?], offset: ?>>, vector<4xf32>
// CHECK-NEXT: vector.transfer_write %[[X]], %[[T]][%[[I]]] {in_bounds = [true]} : vector<4xf32>, memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT: return %[[T]]
func.func @read_and_write(%t: tensor<16xf32>, %v: f32, %i: index) -> tensor<16xf32> {
  %0 = vector.transfer_read %t[%i], %v {in_bounds = [true]} : tensor<16xf32>, vector<4xf32>
  %1 = vector.transfer_write %0, %t[%i] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  return %1 : tensor<16xf32>
}

// A copy that is overwritten as a whole starts with any contents, one of which a row is
// overwritten does not.

// CHECK-LABEL: @overwrite
// CHECK: %[[A:.*]] = memref.alloc() {{.*}} : memref<8xf32>
// CHECK-NEXT: vector.transfer_write %{{.*}}, %[[A]]
// CHECK: %[[B:.*]] = memref.alloc() {{.*}} : memref<4x8xf32>
// CHECK-NEXT: memref.copy %{{.*}}, %[[B]]
// CHECK-NEXT: vector.transfer_write %{{.*}}, %[[B]]
func.func @overwrite(%t: tensor<8xf32>, %u: tensor<4x8xf32>, %x: vector<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %x, %t[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  %1 = vector.transfer_write %x, %u[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, tensor<4x8xf32>
  return %t, %0, %u, %1 : tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: @gather
// CHECK: vector.gather %{{.*}} : memref<16xf32, {{.*}}>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
func.func @gather(%t: tensor<16xf32>, %p: vector<4xi32>, %m: vector<4xi1>, %x: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.gather %t[%c0] [%p], %m, %x : tensor<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: @mask
// CHECK-SAME: (%[[T:.*]]: memref<16xf32, {{.*}}>, %[[X:.*]]: vector<16xf32>, %[[M:.*]]: vector<16xi1>)
// CHECK: vector.mask %[[M]] { vector.transfer_write %[[X]], %[[T]][%{{.*}}] {in_bounds = [true]} : vector<16xf32>, memref<16xf32, {{.*}}> } : vector<16xi1>
// CHECK-NEXT: return %[[T]]
func.func @mask(%t: tensor<16xf32>, %x: vector<16xf32>, %m: vector<16xi1>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.mask %m { vector.transfer_write %x, %t[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32> } : vector<16xi1> -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// A mask is for one op: what that needs to be copied is copied before.

// CHECK-LABEL: @masked_copy
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %{{.*}}, %[[COPY]]
// CHECK-NEXT: vector.mask %{{.*}} { vector.transfer_write %{{.*}}, %[[COPY]][
func.func @masked_copy(%t: tensor<16xf32>, %x: vector<16xf32>, %m: vector<16xi1>) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.mask %m { vector.transfer_write %x, %t[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32> } : vector<16xi1> -> tensor<16xf32>
  return %0, %t : tensor<16xf32>, tensor<16xf32>
}

// CHECK-LABEL: @masked_read
// CHECK: %[[X:.*]] = vector.mask %{{.*}} { vector.transfer_read %{{.*}} : memref<?xf32, {{.*}}>, vector<16xf32> } : vector<16xi1> -> vector<16xf32>
// CHECK-NEXT: return %[[X]]
func.func @masked_read(%t: tensor<?xf32>, %p: f32, %m: vector<16xi1>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.mask %m { vector.transfer_read %t[%c0], %p {in_bounds = [true]} : tensor<?xf32>, vector<16xf32> } : vector<16xi1> -> vector<16xf32>
  return %0 : vector<16xf32>
}
