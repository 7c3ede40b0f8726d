// RUN: xbuf gen --batch 2 --layers 3,4 --bias --relu --kernel args | filecheck %s
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

// RUN: xbuf gen --batch 2 --layers 3,4 --output named --bias=row --relu --softmax | filecheck %s --check-prefix=NAMED

// NAMED:      %weight0 = arith.constant dense<1.000000e+00> : tensor<3x4xf32>
// NAMED-NEXT: %bias0 = arith.constant dense<1.000000e+00> : tensor<4xf32>
// NAMED:      %gemm0_out = linalg.matmul ins(%arg0, %weight0 : tensor<2x3xf32>, tensor<3x4xf32>) outs(%zeros0 : tensor<2x4xf32>) -> tensor<2x4xf32>
// NAMED:      %bias0_out_rows = linalg.broadcast ins(%bias0 : tensor<4xf32>) outs(%bias0_out_init : tensor<2x4xf32>) dimensions = [0]
// NAMED-NEXT: %bias0_out = linalg.add ins(%bias0_out_rows, %gemm0_out : {{.*}}
// NAMED:      %layer0 = linalg.max ins(%bias0_out, %layer0_zeros : {{.*}}
// NAMED:      %softmax = linalg.softmax dimension(1) ins(%layer0 : {{.*}}

// RUN: xbuf gen --batch 64 --layers 32,64 --tiles 32,16,8 --vnni 2 --float-type bf16 --bias=row | filecheck %s --check-prefix=BLOCKS

// BLOCKS:      @entry(%arg0: tensor<2x4x32x8xbf16>) -> tensor<2x4x32x16xbf16>
// BLOCKS:      %weight0 = arith.constant dense<1.000000e+00> : tensor<4x4x4x16x2xbf16>
// BLOCKS-NEXT: %bias0 = arith.constant dense<1.000000e+00> : tensor<4x16xbf16>
// BLOCKS:      %split0 = tensor.expand_shape %arg0 {{\[\[0\], \[1\], \[2\], \[3, 4\]\]}} output_shape [2, 4, 32, 4, 2]
// BLOCKS:      iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction", "reduction"]
// BLOCKS-NEXT:   ins(%split0, %weight0 : tensor<2x4x32x4x2xbf16>, tensor<4x4x4x16x2xbf16>) outs(%zeros0 : tensor<2x4x32x16xbf16>)
