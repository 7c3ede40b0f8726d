// RUN: xdsl-opt -t mlir-22 -p 'widen-products{keep-blocks=true}' %s | filecheck %s

// Kernels for bf16 sum in f32, and round once.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: @rounded
// CHECK:         %[[Z:.*]] = linalg.fill ins(%{{.*}} : bf16) outs(%{{.*}} : tensor<32x64xbf16>)
// CHECK-NEXT:    %[[P:.*]] = linalg.matmul ins(%a, %b : tensor<32x96xbf16>, tensor<96x64xbf16>) outs(%[[Z]] : tensor<32x64xbf16>)
// CHECK-NEXT:    return %[[P]]
func.func @rounded(%a: tensor<32x96xbf16>, %b: tensor<96x64xbf16>) -> tensor<32x64xbf16> {
  %zeros = arith.constant dense<0.0> : tensor<32x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x96xbf16>, tensor<96x64xbf16>) outs(%zeros : tensor<32x64xf32>) -> tensor<32x64xf32>
  %e = tensor.empty() : tensor<32x64xbf16>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<32x64xf32>) outs(%e : tensor<32x64xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %r = arith.truncf %x : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<32x64xbf16>
  return %1 : tensor<32x64xbf16>
}

// The maps of a transposed factor stay.

#ti = affine_map<(i, j, k) -> (k, i)>
#tj = affine_map<(i, j, k) -> (k, j)>
#to = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: @transposed
// CHECK:         linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, {{.*}}] ins(%a, %b : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%{{.*}} : tensor<32x32xbf16>)
func.func @transposed(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = linalg.matmul indexing_maps = [#ti, #tj, #to] ins(%a, %b : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%zeros : tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = arith.truncf %0 : tensor<32x32xf32> to tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}

// No whole blocks, another use, a start that is not zero, digits that are cut off, and f16.

// CHECK-LABEL: @wide
// CHECK-COUNT-5: linalg.matmul ins({{.*}}xf32>, {{.*}}xf32>)
func.func @wide(%a: tensor<32x32xbf16>, %b: tensor<32x31xbf16>, %h: tensor<32x32xf16>, %c: tensor<32x32xf32>) -> (tensor<32x31xbf16>, tensor<32x32xbf16>, tensor<32x32xf32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xf16>) {
  %odd = arith.constant dense<0.0> : tensor<32x31xf32>
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x32xbf16>, tensor<32x31xbf16>) outs(%odd : tensor<32x31xf32>) -> tensor<32x31xf32>
  %1 = arith.truncf %0 : tensor<32x31xf32> to tensor<32x31xbf16>
  %2 = linalg.matmul ins(%a, %a : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%zeros : tensor<32x32xf32>) -> tensor<32x32xf32>
  %3 = arith.truncf %2 : tensor<32x32xf32> to tensor<32x32xbf16>
  %4 = linalg.matmul ins(%a, %a : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
  %5 = arith.truncf %4 : tensor<32x32xf32> to tensor<32x32xbf16>
  %6 = linalg.matmul ins(%a, %a : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%zeros : tensor<32x32xf32>) -> tensor<32x32xf32>
  %7 = arith.truncf %6 toward_zero : tensor<32x32xf32> to tensor<32x32xbf16>
  %8 = linalg.matmul ins(%h, %h : tensor<32x32xf16>, tensor<32x32xf16>) outs(%zeros : tensor<32x32xf32>) -> tensor<32x32xf32>
  %9 = arith.truncf %8 : tensor<32x32xf32> to tensor<32x32xf16>
  return %1, %3, %2, %5, %7, %9 : tensor<32x31xbf16>, tensor<32x32xbf16>, tensor<32x32xf32>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xf16>
}

// The product stays in front of a loop, whose iterations narrow it.

// CHECK-LABEL: @loop
// CHECK:         linalg.matmul ins({{.*}}xf32>, {{.*}}xf32>)
// CHECK:         scf.for
// CHECK-NOT:     linalg.matmul
func.func @loop(%a: tensor<32x32xbf16>, %n: index) -> tensor<32x32xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%zeros : tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<32x32xbf16>) {
    %2 = arith.truncf %0 : tensor<32x32xf32> to tensor<32x32xbf16>
    %3 = arith.addf %x, %2 : tensor<32x32xbf16>
    scf.yield %3 : tensor<32x32xbf16>
  }
  return %1 : tensor<32x32xbf16>
}
