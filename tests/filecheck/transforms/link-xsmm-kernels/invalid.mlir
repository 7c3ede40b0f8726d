// RUN: xbuf opt -p link-xsmm-kernels --split-input-file --verify-diagnostics --parsing-diagnostics %s | filecheck %s

// What is not known before the program runs needs our runtime, and is refused.

func.func private @xsmm_unary_dispatch(i64, i64, i64, i64, i64, i64, i64) -> i64

func.func @the_shape_is_an_argument(%m: i64, %p: !llvm.ptr) {
  %c1 = arith.constant 1 : i64
  %0 = func.call @xsmm_unary_dispatch(%c1, %c1, %m, %m, %m, %m, %c1) : (i64, i64, i64, i64, i64, i64, i64) -> i64
  func.call @xsmm_unary_invoke(%c1, %0, %p, %c1, %p, %c1) : (i64, i64, !llvm.ptr, i64, !llvm.ptr, i64) -> ()
  return
}
func.func private @xsmm_unary_invoke(i64, i64, !llvm.ptr, i64, !llvm.ptr, i64)

// CHECK: the description of a kernel must be constant without our runtime

// -----

func.func private @xsmm_unary_invoke(i64, i64, !llvm.ptr, i64, !llvm.ptr, i64)
func.func @the_handle_is_an_argument(%handle: i64, %p: !llvm.ptr) {
  %c1 = arith.constant 1 : i64
  func.call @xsmm_unary_invoke(%c1, %handle, %p, %c1, %p, %c1) : (i64, i64, !llvm.ptr, i64, !llvm.ptr, i64) -> ()
  return
}

// CHECK: which kernel this calls is only known when it runs

// -----

func.func private @xsmm_unary_dispatch(i64, i64, i64, i64, i64, i64, i64) -> i64
func.func @the_handle_is_returned() -> i64 {
  %c1 = arith.constant 1 : i64
  %0 = func.call @xsmm_unary_dispatch(%c1, %c1, %c1, %c1, %c1, %c1, %c1) : (i64, i64, i64, i64, i64, i64, i64) -> i64
  return %0 : i64
}

// CHECK: the handle of a kernel is used by something else than a call of the kernel
