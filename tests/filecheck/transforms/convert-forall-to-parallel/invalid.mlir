// RUN: xbuf opt -p convert-forall-to-parallel --verify-diagnostics %s | filecheck %s

// CHECK: has results, which scf.parallel cannot put together; bufferize it first (one-shot-bufferize)
func.func @tensors(%t: tensor<8xf32>, %s: tensor<1xf32>) -> tensor<8xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}
