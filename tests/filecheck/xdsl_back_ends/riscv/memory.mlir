// Memory in xDSL's assembly for RISC-V: a constant tensor becomes data, and a new tensor
// is allocated and freed by calls. With calls, xDSL's `riscv-allocate-registers` has too
// few registers unless it may make up more (see `registers.mlir`).

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions},buffer-results-to-out-params{modify-public-functions hoist-static-allocs},buffer-deallocation-pipeline,convert-linalg-to-loops,convert-memref-to-riscv,lower-affine,convert-scf-to-riscv-scf,convert-arith-to-riscv,convert-func-to-riscv-func,reconcile-unrealized-casts,canonicalize,riscv-allocate-registers{allow-infinite=true},canonicalize,convert-riscv-scf-to-riscv-cf,riscv-lower-parallel-mov,canonicalize' -t riscv-asm %s | filecheck %s

// CHECK:       .data
// CHECK-NEXT:  __constant_4xf32:
// CHECK-NEXT:  .word 0x3f800000,0x40000000,0x40400000,0x40800000
// CHECK:       weights:
// CHECK:           li {{.*}}, __constant_4xf32
// CHECK:           fmul.s
// CHECK:           ret
func.func @weights(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %product = linalg.mul ins(%x, %w : tensor<4xf32>, tensor<4xf32>) outs(%out : tensor<4xf32>) -> tensor<4xf32>
  return %product : tensor<4xf32>
}

// The squares live between `malloc` and `free`. The result is in an argument.

// CHECK:       sum_of_squares:
// CHECK:           li {{.*}}, 64 {{.*}} # memref alloc size
// CHECK:           jal malloc
// CHECK-NEXT:      mv [[SQUARES:.*]], a0
// CHECK:           fmul.s
// CHECK:           fadd.s
// CHECK:           mv a0, [[SQUARES]]
// CHECK-NEXT:      jal free
// CHECK-NEXT:      ret
func.func @sum_of_squares(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %room = tensor.empty() : tensor<4x4xf32>
  %squares = linalg.mul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%room : tensor<4x4xf32>) -> tensor<4x4xf32>
  %out = tensor.empty() : tensor<4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%out : tensor<4xf32>) -> tensor<4xf32>
  %sums = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%squares : tensor<4x4xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%square: f32, %sum: f32):
    %next = arith.addf %square, %sum : f32
    linalg.yield %next : f32
  } -> tensor<4xf32>
  return %sums : tensor<4xf32>
}
