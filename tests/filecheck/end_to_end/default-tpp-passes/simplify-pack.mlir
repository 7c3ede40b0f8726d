// RUN: xbuf gen --bias --relu \
// RUN: | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack,constant-fold-pack,simplify-pack \
// RUN: | filecheck %s
// RUN: xbuf gen --bias --relu --seed 7 --batch 64 --layers 64,64,64 \
// RUN: | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack,constant-fold-pack,simplify-pack \
// RUN: | filecheck %s --check-prefix=REAL

// Pass Analysis, `simplify-pack`: each layer takes the packed result of the one before;
// one pack (of the input) and one unpack (of the output) in the whole model, and the
// unpacked constants and buffers are gone.
// Better: the output is unpacked into a fresh buffer, not into one filled with zeros.

// CHECK:      func.func @entry
// CHECK-NOT:    linalg.{{fill|unpack}}
// CHECK:        %[[A0:.*]] = linalg.pack %arg0
// CHECK-NOT:    linalg.{{pack|unpack}}
// CHECK:        %[[C0:.*]] = linalg.fill {{.*}} -> tensor<8x8x32x32xf32>
// CHECK-NEXT:   %[[GEMM0:.*]] = linalg.generic {{.*}} ins(%[[A0]], %{{.*}} : tensor<8x4x32x32xf32>, tensor<8x4x32x32xf32>) outs(%[[C0]] : tensor<8x8x32x32xf32>)
// CHECK:        %[[BIAS0:.*]] = linalg.generic {{.*}} outs(%[[GEMM0]] : tensor<8x8x32x32xf32>)
// CHECK:        %[[RELU0:.*]] = linalg.generic {{.*}} outs(%[[BIAS0]] : tensor<8x8x32x32xf32>)
// CHECK-NOT:    linalg.{{pack|unpack}}
// CHECK:        %[[C1:.*]] = linalg.fill {{.*}} -> tensor<8x16x32x32xf32>
// CHECK-NEXT:   %[[GEMM1:.*]] = linalg.generic {{.*}} ins(%[[RELU0]], %{{.*}} : tensor<8x8x32x32xf32>, tensor<16x8x32x32xf32>) outs(%[[C1]] : tensor<8x16x32x32xf32>)
// CHECK:        %[[BIAS1:.*]] = linalg.generic {{.*}} outs(%[[GEMM1]] : tensor<8x16x32x32xf32>)
// CHECK:        %[[RELU1:.*]] = linalg.generic {{.*}} outs(%[[BIAS1]] : tensor<8x16x32x32xf32>)
// CHECK-NOT:    linalg.{{pack|fill}}
// CHECK:        %[[OUT:.*]] = tensor.empty() : tensor<256x512xf32>
// CHECK-NEXT:   %[[UNPACK:.*]] = linalg.unpack %[[RELU1]] {{.*}} into %[[OUT]] : tensor<8x16x32x32xf32> -> tensor<256x512xf32>
// CHECK-NEXT:   func.return %[[UNPACK]]

// REAL-NOT:     linalg.pack %{{[^a]}}
// REAL:         linalg.pack %arg0
// REAL-NOT:     linalg.pack
// REAL:         linalg.unpack
// REAL-NEXT:    func.return
