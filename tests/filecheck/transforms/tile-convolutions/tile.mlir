// RUN: xdsl-opt -t mlir-22 -p pack-convolutions,tile-convolutions %s | filecheck %s

// A tile has a block of channels, and as many rows as make about a hundred pixels.
// CHECK:      scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) = (0, 0, 0) to (1, 2, 28) step (1, 1, 4)
// CHECK:        linalg.generic {{.*}} outs(%{{.*}} : tensor<4x28x32xf32>) {{.*}}
// CHECK:        tensor.parallel_insert_slice
func.func @rows(%i: tensor<1x16x30x30xf32>, %f: tensor<64x16x3x3xf32>, %o: tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x16x30x30xf32>, tensor<64x16x3x3xf32>) outs(%o : tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  return %0 : tensor<1x64x28x28xf32>
}

// A long row is cut.
// CHECK:      scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) = (0, 0, 0) to (1, 2, 1000) step (1, 1, 125)
func.func @long_row(%i: tensor<1x16x1002xf32>, %f: tensor<64x16x3xf32>, %o: tensor<1x64x1000xf32>) -> tensor<1x64x1000xf32> {
  %0 = linalg.conv_1d_ncw_fcw ins(%i, %f : tensor<1x16x1002xf32>, tensor<64x16x3xf32>) outs(%o : tensor<1x64x1000xf32>) -> tensor<1x64x1000xf32>
  return %0 : tensor<1x64x1000xf32>
}

// The largest part of at most 128 pixels would be 3. A part is longer then.
// CHECK:      scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) = (0, 0, 0) to (1, 2, 3981) step (1, 1, 1327)
func.func @odd_row(%i: tensor<1x16x3983xf32>, %f: tensor<64x16x3xf32>, %o: tensor<1x64x3981xf32>) -> tensor<1x64x3981xf32> {
  %0 = linalg.conv_1d_ncw_fcw ins(%i, %f : tensor<1x16x3983xf32>, tensor<64x16x3xf32>) outs(%o : tensor<1x64x3981xf32>) -> tensor<1x64x3981xf32>
  return %0 : tensor<1x64x3981xf32>
}

// An image of 600 KiB is read once: blocks of channels are the inner loop. Weights of 1 KiB
// stay in the cache.
// CHECK-LABEL: @large_image
// CHECK:      scf.forall (%[[N:.*]], %[[P:.*]], %[[K:.*]]) in (1, 96, 2)
// CHECK:        tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[N]], %[[K]], %[[P]], 0, 0] [1, 1, 1, 100, 32]
func.func @large_image(%i: tensor<1x16x96x100xf32>, %f: tensor<64x16x1x1xf32>, %o: tensor<1x64x96x100xf32>) -> tensor<1x64x96x100xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x16x96x100xf32>, tensor<64x16x1x1xf32>) outs(%o : tensor<1x64x96x100xf32>) -> tensor<1x64x96x100xf32>
  return %0 : tensor<1x64x96x100xf32>
}

// Weights of 1.1 MiB would be read again for each of 24 tiles, and an image of 0.6 MiB is
// for each of 16 blocks of channels: these are the outer loop.
// CHECK-LABEL: @large_weights
// CHECK:      scf.forall ({{.*}}) = (0, 0, 0) to (1, 16, 48) step (1, 1, 2)
func.func @large_weights(%i: tensor<1x64x50x50xf32>, %f: tensor<512x64x3x3xf32>, %o: tensor<1x512x48x48xf32>) -> tensor<1x512x48x48xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x64x50x50xf32>, tensor<512x64x3x3xf32>) outs(%o : tensor<1x512x48x48xf32>) -> tensor<1x512x48x48xf32>
  return %0 : tensor<1x512x48x48xf32>
}

// Weights of 1.3 MiB are read again for each of 28 tiles. An image of 9.5 MiB would be for
// each of 6 blocks of channels: these are the inner loop.
// CHECK-LABEL: @large_image_and_weights
// CHECK:      scf.forall ({{.*}}) = (0, 0, 0) to (1, 56, 6) step (1, 2, 1)
func.func @large_image_and_weights(%i: tensor<1x192x114x114xf32>, %f: tensor<192x192x3x3xf32>, %o: tensor<1x192x56x56xf32>) -> tensor<1x192x56x56xf32> {
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>} ins(%i, %f : tensor<1x192x114x114xf32>, tensor<192x192x3x3xf32>) outs(%o : tensor<1x192x56x56xf32>) -> tensor<1x192x56x56xf32>
  return %0 : tensor<1x192x56x56xf32>
}
