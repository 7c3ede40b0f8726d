// xdsl-opt -p link-xsmm-kernels
func.func private @xsmm_unary_dispatch(i64, i64, i64, i64, i64, i64, i64) -> i64
func.func private @xsmm_unary_invoke(i64, i64, !llvm.ptr, index, !llvm.ptr, index)

func.func @relu(%in: !llvm.ptr, %out: !llvm.ptr) {
  %first = arith.constant 0 : index
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c5 = arith.constant 5 : i64
  %c8 = arith.constant 8 : i64
  %0 = call @xsmm_unary_dispatch(%c5, %c1, %c8, %c8, %c8, %c8, %c0) : (i64, i64, i64, i64, i64, i64, i64) -> i64
  call @xsmm_unary_invoke(%c1, %0, %in, %first, %out, %first) : (i64, i64, !llvm.ptr, index, !llvm.ptr, index) -> ()
  return
}
