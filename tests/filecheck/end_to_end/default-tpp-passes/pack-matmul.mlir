// RUN: xbuf gen --bias --relu | xdsl-opt -t mlir-22 -p pack-matmul | filecheck %s

// Pass Analysis, `pack-matmul`: three packs (input, weight, buffer) and one unpack for
// each layer, blocks of weights by columns; bias and relu keep their shapes.

// CHECK:      func.func @entry(%[[X:.*]]: tensor<256x128xf32>) -> tensor<256x512xf32> {
// CHECK:        %[[ZEROS0:.*]] = linalg.fill {{.*}} -> tensor<256x256xf32>
// CHECK:        %[[A0:.*]] = linalg.pack %[[X]] inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %{{.*}} : tensor<256x128xf32> -> tensor<8x4x32x32xf32>
// CHECK-NEXT:   tensor.empty() : tensor<8x4x32x32xf32>
// CHECK-NEXT:   %[[B0:.*]] = linalg.pack %weight0 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %{{.*}} : tensor<128x256xf32> -> tensor<8x4x32x32xf32>
// CHECK-NEXT:   tensor.empty() : tensor<8x8x32x32xf32>
// CHECK-NEXT:   %[[C0:.*]] = linalg.pack %[[ZEROS0]] inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %{{.*}} : tensor<256x256xf32> -> tensor<8x8x32x32xf32>
// CHECK-NEXT:   %[[GEMM0:.*]] = linalg.generic {{.*}} ins(%[[A0]], %[[B0]] : tensor<8x4x32x32xf32>, tensor<8x4x32x32xf32>) outs(%[[C0]] : tensor<8x8x32x32xf32>)
// CHECK:        %[[OUT0:.*]] = linalg.unpack %[[GEMM0]] inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %[[ZEROS0]] : tensor<8x8x32x32xf32> -> tensor<256x256xf32>
// CHECK-NEXT:   %[[BIAS0:.*]] = linalg.generic {{.*}} ins(%bias0 : tensor<256x256xf32>) outs(%[[OUT0]] : tensor<256x256xf32>)
// CHECK:        %[[LAYER0:.*]] = linalg.generic {{.*}} outs(%[[BIAS0]] : tensor<256x256xf32>)
// CHECK:          arith.maximumf

// CHECK:        %[[ZEROS1:.*]] = linalg.fill {{.*}} -> tensor<256x512xf32>
// CHECK:        %[[A1:.*]] = linalg.pack %[[LAYER0]] inner_dims_pos = {{.*}} -> tensor<8x8x32x32xf32>
// CHECK:        %[[B1:.*]] = linalg.pack %weight1 outer_dims_perm = [1, 0] {{.*}} -> tensor<16x8x32x32xf32>
// CHECK:        %[[C1:.*]] = linalg.pack %[[ZEROS1]] inner_dims_pos = {{.*}} -> tensor<8x16x32x32xf32>
// CHECK:        %[[GEMM1:.*]] = linalg.generic {{.*}} ins(%[[A1]], %[[B1]] : {{.*}}) outs(%[[C1]] : tensor<8x16x32x32xf32>)
// CHECK:        %[[OUT1:.*]] = linalg.unpack %[[GEMM1]] {{.*}} into %[[ZEROS1]] : tensor<8x16x32x32xf32> -> tensor<256x512xf32>
// CHECK-NEXT:   linalg.generic {{.*}} ins(%bias1 : tensor<256x512xf32>) outs(%[[OUT1]] : tensor<256x512xf32>)
// CHECK-NOT:    linalg.{{pack|unpack}}
// CHECK:        func.return
