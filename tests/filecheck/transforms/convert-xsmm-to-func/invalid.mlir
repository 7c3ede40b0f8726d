// RUN: xbuf opt -p convert-xsmm-to-func --verify-diagnostics %s | filecheck %s

func.func private @xsmm_unary_dispatch(i64) -> i64

// CHECK: needs the runtime function @xsmm_unary_dispatch of type (i64, i64, i64, i64, i64, i64, i64) -> i64, but the module has another symbol of that name; rename it
func.func @f() {
  %0 = xsmm.unary.dispatch relu [8, 4, 4, 4] flags = (none) data_type = f32
  return
}
