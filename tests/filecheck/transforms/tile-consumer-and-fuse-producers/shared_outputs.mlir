// RUN: xdsl-opt -t mlir-22 -p tile-consumer-and-fuse-producers %s | filecheck %s
// RUN: xbuf opt -p tile-consumer-and-fuse-producers,cse,bufferize %s | filecheck %s --check-prefix BUFFERS

#lhs = affine_map<(m, n, k, i, j, l) -> (m, k, i, l)>
#rhs = affine_map<(m, n, k, i, j, l) -> (n, k, l, j)>
#sum = affine_map<(m, n, k, i, j, l) -> (m, n, i, j)>
#id = affine_map<(m, n, i, j) -> (m, n, i, j)>
#product = {indexing_maps = [#lhs, #rhs, #sum], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
#each = {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}

// Both ops start from the same tensor. Both get the tile that the iteration writes.

// CHECK-LABEL: @both_from_one_tensor
// CHECK:         scf.forall ({{.*}}) in (4, 8) shared_outs(%[[O:.*]] = %[[T:.*]]) -> (tensor<4x8x16x16xf32>) {
// CHECK-NOT:       tensor.extract_slice %[[T]]
// CHECK:           %[[TILE:.*]] = tensor.extract_slice %[[O]]
// CHECK:           linalg.batch_reduce_matmul {{.*}} outs(%[[TILE]] : tensor<16x16xf32>)
// CHECK-NOT:       tensor.extract_slice %[[T]]
// CHECK:         return

// BUFFERS-LABEL: @both_from_one_tensor
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         return
func.func @both_from_one_tensor(%a: tensor<4x2x16x16xf32>, %b: tensor<8x2x16x16xf32>, %t: tensor<4x8x16x16xf32>) -> tensor<4x8x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic #product ins(%a, %b : tensor<4x2x16x16xf32>, tensor<8x2x16x16xf32>) outs(%t : tensor<4x8x16x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x8x16x16xf32>
  %1 = linalg.generic #each ins(%0 : tensor<4x8x16x16xf32>) outs(%t : tensor<4x8x16x16xf32>) {
  ^bb0(%x: f32, %z: f32):
    %m = arith.maximumf %x, %zero : f32
    linalg.yield %m : f32
  } -> tensor<4x8x16x16xf32>
  return %1 : tensor<4x8x16x16xf32>
}

// Another slice of the tensor is what it was before the loop.

// CHECK-LABEL: @another_slice
// CHECK:         scf.forall (%[[I:.*]]) in (4) shared_outs(%[[O:.*]] = %[[T:.*]]) -> (tensor<4x8xf32>) {
// CHECK-NEXT:      %[[SAME:.*]] = tensor.extract_slice %[[O]][%[[I]], 0] [1, 8]
// CHECK-NEXT:      %[[FIRST:.*]] = tensor.extract_slice %[[T]][0, 0] [1, 8]
func.func @another_slice(%t: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4x8xf32>) {
    %same = tensor.extract_slice %t[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    %first = tensor.extract_slice %t[0, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    %1 = linalg.add ins(%same, %first : tensor<1x8xf32>, tensor<1x8xf32>) outs(%same : tensor<1x8xf32>) -> tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
    }
  }
  return %0 : tensor<4x8xf32>
}
