// xdsl-opt -p verify-xsmm-calls
func.func @batch(%a: memref<2x8x16xf32>, %b: memref<2x16x4xf32>, %c: memref<8x4xf32>) {
  %n = arith.constant 3 : i64
  %0 = xsmm.brgemm.dispatch [8, 4, 16, 16, 4, 4, 128, 64] flags = (none) data_type = f32
  xsmm.brgemm(data_type = f32, %0, %a, %b, %c, %n) : (i64, memref<2x8x16xf32>, memref<2x16x4xf32>, memref<8x4xf32>, i64) -> ()
  return
}
