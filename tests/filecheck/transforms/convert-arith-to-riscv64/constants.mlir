// RUN: xdsl-opt -t mlir-22 -p convert-arith-to-riscv64 %s | filecheck %s

// All 64 bits come from a register, nothing from below the stack.

// CHECK-LABEL: @minus_zero
// CHECK-NEXT:    %[[BITS:.*]] = rv64.li -9223372036854775808 : !riscv.reg
// CHECK-NEXT:    riscv.custom_assembly_instruction %[[BITS]] {instruction_name = "fmv.d.x"} : (!riscv.reg) -> !riscv.freg
func.func @minus_zero() -> f64 {
  %0 = arith.constant -0.0 : f64
  return %0 : f64
}

// CHECK-LABEL: @single
// CHECK-NEXT:    arith.constant 1.000000e-01 : f32
func.func @single() -> f32 {
  %0 = arith.constant 0.1 : f32
  return %0 : f32
}
