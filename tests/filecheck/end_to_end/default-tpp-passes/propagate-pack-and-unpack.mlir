// RUN: xbuf gen --bias --relu | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack | filecheck %s

// Pass Analysis, `propagate-pack-and-unpack`: bias and relu are packed as the product
// is, with an unpack and the same pack between each two; the bias is packed as well.
// Not so: the document's last relu of a layer has no unpack, and the next layer no
// pack (it asks whether this is a BUG). Here all pairs are there, for `simplify-pack`.

// CHECK:      func.func @entry
// CHECK:        %[[ZEROS0:.*]] = linalg.fill {{.*}} -> tensor<256x256xf32>
// CHECK-COUNT-3: linalg.pack
// CHECK:        %[[GEMM:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8x8x32x32xf32>)
// CHECK:        %[[UNPACK:.*]] = linalg.unpack %[[GEMM]] inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %[[ZEROS0]] : tensor<8x8x32x32xf32> -> tensor<256x256xf32>

// CHECK:        %[[PACKED_BIAS:.*]] = linalg.pack %bias0 inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %{{.*}} : tensor<256x256xf32> -> tensor<8x8x32x32xf32>
// CHECK:        %[[REPACK:.*]] = linalg.pack %[[UNPACK]] inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %{{.*}} : tensor<256x256xf32> -> tensor<8x8x32x32xf32>
// CHECK-NEXT:   %[[BIAS:.*]] = linalg.generic {{.*}}["parallel", "parallel", "parallel", "parallel"]} ins(%[[PACKED_BIAS]] : tensor<8x8x32x32xf32>) outs(%[[REPACK]] : tensor<8x8x32x32xf32>)
// CHECK:          arith.addf
// CHECK:        %[[UNPACK1:.*]] = linalg.unpack %[[BIAS]] {{.*}} into %[[ZEROS0]]

// CHECK:        %[[REPACK1:.*]] = linalg.pack %[[UNPACK1]] {{.*}} -> tensor<8x8x32x32xf32>
// CHECK-NEXT:   %[[RELU:.*]] = linalg.generic {{.*}}["parallel", "parallel", "parallel", "parallel"]} outs(%[[REPACK1]] : tensor<8x8x32x32xf32>)
// CHECK:          arith.maximumf
// CHECK:        %[[LAYER0:.*]] = linalg.unpack %[[RELU]] {{.*}} into %[[ZEROS0]]

// CHECK:        linalg.pack %[[LAYER0]] inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %{{.*}} : tensor<256x256xf32> -> tensor<8x8x32x32xf32>
// CHECK-NOT:    linalg.generic {{.*}}["parallel", "parallel"]}
// CHECK:        %layer1 = linalg.unpack {{.*}} : tensor<8x16x32x32xf32> -> tensor<256x512xf32>
// CHECK-NEXT:   func.return %layer1
