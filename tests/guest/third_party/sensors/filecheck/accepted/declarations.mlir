// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt -p convert-func-to-riscv-func,convert-arith-to-riscv,reconcile-unrealized-casts %s | filecheck %s --check-prefix RISCV

// A declaration that is not private; mlir-opt refuses it.

func.func @ext(i32) -> i32
func.func @done()

func.func @main(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = func.call @ext(%0) : (i32) -> i32
  func.call @done() : () -> ()
  return %1 : i32
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @ext(i32) -> i32
// CHECK-NEXT:   func.func @done() -> ()
// CHECK-NEXT:   func.func @main(%a: i32, %b: i32) -> i32 {
// CHECK-NEXT:     %0 = arith.addi %a, %b : i32
// CHECK-NEXT:     %1 = func.call @ext(%0) : (i32) -> i32
// CHECK-NEXT:     func.call @done() : () -> ()
// CHECK-NEXT:     func.return %1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }

// RISCV:      builtin.module {
// RISCV-NEXT:   riscv_func.func public @ext(!riscv.reg<a0>) -> !riscv.reg<a0> attributes {p2align = 2 : i8}
// RISCV-NEXT:   riscv_func.func public @done() -> () attributes {p2align = 2 : i8}
// RISCV-NEXT:   riscv_func.func public @main(%a: !riscv.reg<a0>, %b: !riscv.reg<a1>) -> !riscv.reg<a0> attributes {p2align = 2 : i8} {
// RISCV-NEXT:     %0 = riscv.mv %a : (!riscv.reg<a0>) -> !riscv.reg
// RISCV-NEXT:     %1 = riscv.mv %b : (!riscv.reg<a1>) -> !riscv.reg
// RISCV-NEXT:     %2 = riscv.add %0, %1 : (!riscv.reg, !riscv.reg) -> !riscv.reg
// RISCV-NEXT:     %3 = riscv.parallel_mov %2 [32] : (!riscv.reg) -> !riscv.reg<a0>
// RISCV-NEXT:     %4 = riscv_func.call @ext(%3) : (!riscv.reg<a0>) -> !riscv.reg<a0>
// RISCV-NEXT:     %5 = riscv.parallel_mov %4 [32] : (!riscv.reg<a0>) -> !riscv.reg
// RISCV-NEXT:     riscv.parallel_mov [] : () -> ()
// RISCV-NEXT:     riscv_func.call @done() : () -> ()
// RISCV-NEXT:     riscv.parallel_mov [] : () -> ()
// RISCV-NEXT:     %6 = riscv.parallel_mov %5 [32] : (!riscv.reg) -> !riscv.reg<a0>
// RISCV-NEXT:     riscv_func.return %6 : !riscv.reg<a0>
// RISCV-NEXT:   }
// RISCV-NEXT: }
