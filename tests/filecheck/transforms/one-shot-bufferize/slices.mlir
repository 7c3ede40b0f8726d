// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// Take a slice, overwrite it, put it back: nothing is left of the last step.

// CHECK-LABEL: @round_trip
// CHECK-SAME: (%[[T:.*]]: memref<16xf32, strided<[?], offset: ?>>, %[[V:.*]]: f32, %[[I:.*]]: index)
// CHECK-NEXT: %[[VIEW:.*]] = memref.subview %[[T]][%[[I]]] [4] [1]
// CHECK-NEXT: linalg.fill ins(%[[V]] : f32) outs(%[[VIEW]]
// CHECK-NEXT: return %[[T]]
func.func @round_trip(%t: tensor<16xf32>, %v: f32, %i: index) -> tensor<16xf32> {
  %slice = tensor.extract_slice %t[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %filled = linalg.fill ins(%v : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
  %back = tensor.insert_slice %filled into %t[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %back : tensor<16xf32>
}

// CHECK-LABEL: @round_trip_in_loop
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[CARRIED:.*]] = %{{.*}}) -> (memref<16xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT: %[[VIEW:.*]] = memref.subview %[[CARRIED]][%[[I]]] [4] [1]
// CHECK-NEXT: scf.if %{{.*}} -> (memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%[[VIEW]]
// CHECK-NEXT: scf.yield %[[VIEW]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[VIEW]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[CARRIED]]
func.func @round_trip_in_loop(%t: tensor<16xf32>, %v: f32, %n: index, %flag: i1) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %result = scf.for %i = %c0 to %n step %c4 iter_args(%carried = %t) -> (tensor<16xf32>) {
    %slice = tensor.extract_slice %carried[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %new = scf.if %flag -> (tensor<4xf32>) {
      %filled = linalg.fill ins(%v : f32) outs(%slice : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %filled : tensor<4xf32>
    } else {
      scf.yield %slice : tensor<4xf32>
    }
    %back = tensor.insert_slice %new into %carried[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
    scf.yield %back : tensor<16xf32>
  }
  return %result : tensor<16xf32>
}

// What comes from elsewhere has to be copied into its place, and may overlap with it.

// CHECK-LABEL: @from_elsewhere
// CHECK-SAME: (%[[T:.*]]: memref<16xf32, {{.*}}>, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK-NEXT: %[[FROM:.*]] = memref.subview %[[T]][%[[I]]]
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: memref.copy %[[FROM]], %[[COPY]]
// CHECK-NEXT: %[[TO:.*]] = memref.subview %[[T]][%[[J]]]
// CHECK-NEXT: memref.copy %[[COPY]], %[[TO]]
func.func @from_elsewhere(%t: tensor<16xf32>, %i: index, %j: index) -> tensor<16xf32> {
  %slice = tensor.extract_slice %t[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %back = tensor.insert_slice %slice into %t[%j] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %back : tensor<16xf32>
}

// A dimension of size 1 may be left out in between: nothing is allocated. What is copied
// in the end lies where it goes.

// CHECK-LABEL: @without_a_dimension
// CHECK-SAME: (%[[T:.*]]: memref<8x4xf32, {{.*}}>, %[[V:.*]]: f32, %[[I:.*]]: index)
// CHECK-NEXT: %[[SLICE:.*]] = memref.subview %[[T]][0, %[[I]]] [8, 1] [1, 1]
// CHECK-NEXT: linalg.fill ins(%[[V]] : f32) outs(%[[SLICE]]
// CHECK-NEXT: %[[COLUMN:.*]] = memref.collapse_shape %[[SLICE]]
// CHECK-NEXT: %[[SAME:.*]] = memref.subview %[[T]][0, %[[I]]] [8, 1] [1, 1]
// CHECK-NEXT: memref.copy %[[COLUMN]], %[[SAME]]
// CHECK-NEXT: func.return %[[T]]
func.func @without_a_dimension(%t: tensor<8x4xf32>, %v: f32, %i: index) -> tensor<8x4xf32> {
  %slice = tensor.extract_slice %t[0, %i] [8, 1] [1, 1] : tensor<8x4xf32> to tensor<8x1xf32>
  %new = linalg.fill ins(%v : f32) outs(%slice : tensor<8x1xf32>) -> tensor<8x1xf32>
  %column = tensor.collapse_shape %new [[0, 1]] : tensor<8x1xf32> into tensor<8xf32>
  %back = tensor.insert_slice %column into %t[0, %i] [8, 1] [1, 1] : tensor<8xf32> into tensor<8x4xf32>
  return %back : tensor<8x4xf32>
}
