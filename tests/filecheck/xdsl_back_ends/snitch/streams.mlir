// Tensors become code for Snitch by xDSL's `test-lower-linalg-to-snitch`: streams read and
// write the buffers, and `frep` repeats the arithmetic without a loop. Our passes have no
// part in that. They make buffers, and make the results arguments.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions},buffer-results-to-out-params{modify-public-functions hoist-static-allocs},buffer-deallocation-pipeline,linalg-generalize-named-ops,test-lower-linalg-to-snitch' -t riscv-asm %s | filecheck %s

// CHECK:       relu:
// CHECK:           scfgwi {{.*}} # dm 0 dim 0 source
// CHECK-NEXT:      scfgwi {{.*}} # dm 1 dim 0 destination
// CHECK:           frep.o
// CHECK-NEXT:      fmax.d ft1, ft0, ft3
// CHECK:           ret
func.func public @relu(%x: tensor<16x16xf64>, %out: tensor<16x16xf64>) -> tensor<16x16xf64> {
  %zero = arith.constant 0.0 : f64
  %result = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x16xf64>) outs(%out : tensor<16x16xf64>) {
  ^bb0(%element: f64, %old: f64):
    %larger = arith.maximumf %element, %zero : f64
    linalg.yield %larger : f64
  } -> tensor<16x16xf64>
  return %result : tensor<16x16xf64>
}

// CHECK:       add:
// CHECK:           frep.o
// CHECK-NEXT:      fadd.d ft2, ft0, ft1
// CHECK:           ret
func.func public @add(%x: tensor<8x16xf64>, %y: tensor<8x16xf64>) -> tensor<8x16xf64> {
  %out = tensor.empty() : tensor<8x16xf64>
  %sum = linalg.add ins(%x, %y : tensor<8x16xf64>, tensor<8x16xf64>) outs(%out : tensor<8x16xf64>) -> tensor<8x16xf64>
  return %sum : tensor<8x16xf64>
}

// CHECK:       fill:
// CHECK:           frep.o
// CHECK-NEXT:      fmv.d ft0, ft3
// CHECK:           ret
func.func public @fill(%value: f64) -> tensor<16x16xf64> {
  %out = tensor.empty() : tensor<16x16xf64>
  %filled = linalg.fill ins(%value : f64) outs(%out : tensor<16x16xf64>) -> tensor<16x16xf64>
  return %filled : tensor<16x16xf64>
}

// A layer of a network. The zeros never reach memory, as xDSL folds them into the product.

// CHECK:       layer:
// CHECK:           frep.o {{.*}}, 8, 0, 0
// CHECK-COUNT-4:   fmul.d
// CHECK-COUNT-4:   fadd.d
// CHECK:           frep.o
// CHECK-NEXT:      fadd.d ft2, ft0, ft1
// CHECK-NOT:   malloc
// CHECK:           ret
func.func public @layer(%x: tensor<8x8xf64>, %w: tensor<8x8xf64>, %bias: tensor<8x8xf64>) -> tensor<8x8xf64> {
  %zero = arith.constant 0.0 : f64
  %out = tensor.empty() : tensor<8x8xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%out : tensor<8x8xf64>) -> tensor<8x8xf64>
  %product = linalg.matmul ins(%x, %w : tensor<8x8xf64>, tensor<8x8xf64>) outs(%zeros : tensor<8x8xf64>) -> tensor<8x8xf64>
  %sum = linalg.add ins(%product, %bias : tensor<8x8xf64>, tensor<8x8xf64>) outs(%product : tensor<8x8xf64>) -> tensor<8x8xf64>
  return %sum : tensor<8x8xf64>
}

// One element needs no stream.

// CHECK:       double_at:
// CHECK-NOT:       frep.o
// CHECK:           fadd.d
// CHECK:           fsd
// CHECK-NEXT:      ret
func.func public @double_at(%x: tensor<8xf64>, %i: index) -> tensor<8xf64> {
  %old = tensor.extract %x[%i] : tensor<8xf64>
  %twice = arith.addf %old, %old : f64
  %new = tensor.insert %twice into %x[%i] : tensor<8xf64>
  return %new : tensor<8xf64>
}
