// RUN: xdsl-opt %s -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// What an unknown op makes is asked for in the layout that the caller wants.
// CHECK-LABEL: func.func @unknown_result
// CHECK: %[[r:.*]] = "test.op"
// CHECK-NEXT: %[[m:.*]] = bufferization.to_buffer %[[r]] : tensor<16xi32> to memref<16xi32>
// CHECK-NEXT: func.return %[[m]]
func.func @unknown_result(%t: tensor<16xi32>) -> tensor<16xi32> {
  %0 = "test.op"(%t) : (tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// One trip writes to all of the output: nothing is allocated for the trip.
// CHECK-LABEL: func.func @one_trip
// CHECK-NOT: memref.alloc
// CHECK: scf.forall
// CHECK-NEXT: linalg.exp ins(%a : memref<?xf32>) outs(%o : memref<?xf32>)
func.func @one_trip(%a: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %o, %c0 : tensor<?xf32>
  %0 = scf.forall (%i) in (1) shared_outs(%s = %o) -> (tensor<?xf32>) {
    %1 = linalg.exp ins(%a : tensor<?xf32>) outs(%s : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %s[0] [%size] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}

// A part of the output may be what is not inserted: that stays as it was.
// CHECK-LABEL: func.func @one_trip_of_a_part
// CHECK: scf.forall
// CHECK: memref.alloc
// CHECK: linalg.exp
func.func @one_trip_of_a_part(%a: tensor<?xf32>, %o: tensor<?xf32>, %size: index) -> tensor<?xf32> {
  %0 = scf.forall (%i) in (1) shared_outs(%s = %o) -> (tensor<?xf32>) {
    %1 = linalg.exp ins(%a : tensor<?xf32>) outs(%s : tensor<?xf32>) -> tensor<?xf32>
    %2 = tensor.extract_slice %1[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %s[0] [%size] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @scatter
// CHECK-NOT: memref.alloc
// CHECK: vector.scatter %t[%{{.*}}] [%at], %mask, %v : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
// CHECK-NEXT: func.return %t
func.func @scatter(%t: tensor<16xf32>, %at: vector<4xi32>, %mask: vector<4xi1>, %v: vector<4xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.scatter %t[%c0] [%at], %mask, %v : tensor<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// What the mask leaves out is still needed: a scatter reads its destination.
// CHECK-LABEL: func.func @scatter_into_copy
// CHECK: %[[copy:.*]] = memref.alloc
// CHECK-NEXT: memref.copy %t, %[[copy]]
// CHECK-NEXT: vector.scatter %[[copy]]
func.func @scatter_into_copy(%t: tensor<16xf32>, %at: vector<4xi32>, %mask: vector<4xi1>, %v: vector<4xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.scatter %t[%c0] [%at], %mask, %v : tensor<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<16xf32>
  return %0, %t : tensor<16xf32>, tensor<16xf32>
}

// A layout may be an affine map: strides and the offset follow from it.
// CHECK-LABEL: func.func private @affine_layout
// CHECK: memref.subview %t[2] [%n] [1] : memref<?xf32, affine_map<(d0) -> (d0 * 3 + 5)>> to memref<?xf32, strided<[3], offset: 11>>
func.func private @affine_layout(%t: tensor<?xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0 * 3 + 5)>}, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %slice = tensor.extract_slice %t[2] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %x = tensor.extract %slice[%c0] : tensor<?xf32>
  return %x : f32
}
