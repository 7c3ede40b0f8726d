// xdsl-opt -p convert-xsmm-to-func,link-xsmm-kernels
func.func @relu(%in: memref<4x8xf32>, %out: memref<4x8xf32>) {
  %0 = xsmm.unary.dispatch relu [4, 8, 8, 8] flags = (none) data_type = f32
  xsmm.unary relu(data_type = f32, %0, %in, %out)
    : (i64, memref<4x8xf32>, memref<4x8xf32>) -> ()
  return
}
