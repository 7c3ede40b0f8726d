// RUN: xdsl-opt -t mlir-22 -p convert-xsmm-to-func %s | filecheck %s

// A declaration that is there already is the one that is called.
// CHECK: func.func private @xsmm_unary_dispatch(i64, i64, i64, i64, i64, i64, i64) -> i64
// CHECK-NOT: func.func private
// CHECK: func.call @xsmm_unary_dispatch
func.func private @xsmm_unary_dispatch(i64, i64, i64, i64, i64, i64, i64) -> i64

func.func @f() -> i64 {
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  return %0 : i64
}
