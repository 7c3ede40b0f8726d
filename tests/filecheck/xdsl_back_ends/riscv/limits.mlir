// Where plain xDSL stops on the way to RISC-V, with the same buffers. In each run the
// first command makes buffers. The second is xDSL without any pass of this package.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline' %s -o %t.mlir

// Nothing may stay in a register during a call (xDSL saves none), so `riscv-allocate-registers`
// runs out of them. Here the address of `%x` is needed after `malloc` is called.

// RUN: not xdsl-opt -p convert-linalg-to-loops,convert-memref-to-riscv,lower-affine,convert-scf-to-riscv-scf,convert-arith-to-riscv,convert-func-to-riscv-func,reconcile-unrealized-casts,canonicalize,riscv-allocate-registers %t.mlir 2>&1 | filecheck %s --check-prefix=REGISTERS

// REGISTERS:   OutOfRegisters: Out of registers.
// REGISTERS:   | Error allocating op
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %room = tensor.empty() : tensor<4xf32>
  %sum = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%room : tensor<4xf32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}

// xDSL's `convert-memref-to-riscv` leaves copies as they are. The assembly printer does not
// know them.

// RUN: not xdsl-opt -p convert-linalg-to-loops,convert-memref-to-riscv,lower-affine,convert-scf-to-riscv-scf,convert-arith-to-riscv,convert-func-to-riscv-func,reconcile-unrealized-casts,canonicalize,riscv-allocate-registers{allow-infinite=true} -t riscv-asm %t.mlir 2>&1 | filecheck %s --check-prefix=COPY

// COPY:        AssertionError: UnrealizedConversionCastOp(
func.func @keep_old(%x: tensor<4xi32>, %v: i32, %i: index) -> (tensor<4xi32>, i32) {
  %new = tensor.insert %v into %x[%i] : tensor<4xi32>
  %old = tensor.extract %x[%i] : tensor<4xi32>
  return %new, %old : tensor<4xi32>, i32
}
