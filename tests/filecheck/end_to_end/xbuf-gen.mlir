// RUN: xbuf gen --batch 2 --layers 3,4 --bias --relu --arguments | filecheck %s
// RUN: xbuf gen --batch 2 --layers 3,1 --seed 1 | filecheck %s --check-prefix=CONST

// CHECK:      func.func @entry(%arg0: tensor<2x3xf32>, %weight0: tensor<3x4xf32>, %bias0: tensor<2x4xf32>) -> tensor<2x4xf32> {
// CHECK:        %empty0 = tensor.empty() : tensor<2x4xf32>
// CHECK-NEXT:   %zeros0 = linalg.fill ins(%zero : f32) outs(%empty0 : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:   %gemm0_out = linalg.generic {indexing_maps = [#in, #weight, #out], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NEXT:       ins(%arg0, %weight0 : tensor<2x3xf32>, tensor<3x4xf32>) outs(%zeros0 : tensor<2x4xf32>) {
// CHECK:        %bias0_out = linalg.generic
// CHECK-NEXT:       ins(%bias0 : tensor<2x4xf32>) outs(%gemm0_out : tensor<2x4xf32>) {
// CHECK:        %layer0 = linalg.generic
// CHECK-NEXT:       outs(%bias0_out : tensor<2x4xf32>) {
// CHECK:          arith.maximumf %out, %zero : f32
// CHECK:        return %layer0 : tensor<2x4xf32>

// CONST:      func.func @entry(%arg0: tensor<2x3xf32>) -> tensor<2x1xf32> {
// CONST:        %weight0 = arith.constant dense<"0x{{[0-9A-F]+}}"> : tensor<3x1xf32>
