// Where plain xDSL stops on the way to RISC-V, with the same buffers: calls. It saves no
// registers, so nothing may stay in one during a call, and `riscv-allocate-registers` runs
// out of them. Here the address of `%x` is needed after `malloc` is called. The second
// command is xDSL without any pass of this package. `memory.mlir` shows the way around.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline' %s | not xdsl-opt -p convert-linalg-to-loops,convert-memref-to-riscv,lower-affine,convert-scf-to-riscv-scf,convert-arith-to-riscv,convert-func-to-riscv-func,reconcile-unrealized-casts,canonicalize,riscv-allocate-registers 2>&1 | filecheck %s

// CHECK:       OutOfRegisters: Out of registers.
// CHECK:       | Error allocating op
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %room = tensor.empty() : tensor<4xf32>
  %sum = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%room : tensor<4xf32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}
