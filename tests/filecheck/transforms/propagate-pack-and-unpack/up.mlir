// RUN: xdsl-opt -t mlir-22 -p propagate-pack-and-unpack %s | filecheck %s

// What only a pack uses is computed in tiles from the start.

// CHECK:      func.func @chain
// CHECK-NEXT:   %0 = tensor.empty() : tensor<2x3x32x16xf32>
// CHECK-NEXT:   %1 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %0 : tensor<64x48xf32> -> tensor<2x3x32x16xf32>
// CHECK-NEXT:   %2 = tensor.empty() : tensor<2x3x32x16xf32>
// CHECK-NEXT:   %3 = linalg.generic {{.*}} ins(%1 : tensor<2x3x32x16xf32>) outs(%2 : tensor<2x3x32x16xf32>)
// CHECK:        %[[LAST:.*]] = linalg.generic {{.*}} ins(%3 : tensor<2x3x32x16xf32>)
// CHECK-NOT:    linalg.pack
// CHECK:        func.return %[[LAST]]
func.func @chain(%a: tensor<64x48xf32>) -> tensor<2x3x32x16xf32> {
  %e = tensor.empty() : tensor<64x48xf32>
  %0 = linalg.exp ins(%a : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %1 = linalg.negf ins(%0 : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %d = tensor.empty() : tensor<2x3x32x16xf32>
  %2 = linalg.pack %1 inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %d : tensor<64x48xf32> -> tensor<2x3x32x16xf32>
  return %2 : tensor<2x3x32x16xf32>
}

// CHECK:      func.func @broadcast
// CHECK:        linalg.pack %a inner_dims_pos = [0] inner_tiles = [16] into %{{.*}} : tensor<48xf32> -> tensor<3x16xf32>
// CHECK:        linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
// CHECK-NOT:    linalg.pack
func.func @broadcast(%a: tensor<48xf32>) -> tensor<2x3x32x16xf32> {
  %e = tensor.empty() : tensor<64x48xf32>
  %0 = linalg.broadcast ins(%a : tensor<48xf32>) outs(%e : tensor<64x48xf32>) dimensions = [0]
  %d = tensor.empty() : tensor<2x3x32x16xf32>
  %1 = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %d : tensor<64x48xf32> -> tensor<2x3x32x16xf32>
  return %1 : tensor<2x3x32x16xf32>
}

// It would take two packs instead of one.

// CHECK:      func.func @two_inputs
// CHECK-NOT:    linalg.pack
// CHECK:        linalg.add
// CHECK:        linalg.pack
// CHECK-NOT:    linalg.pack
func.func @two_inputs(%a: tensor<64x48xf32>, %b: tensor<64x48xf32>) -> tensor<2x3x32x16xf32> {
  %e = tensor.empty() : tensor<64x48xf32>
  %0 = linalg.add ins(%a, %b : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %d = tensor.empty() : tensor<2x3x32x16xf32>
  %1 = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %d : tensor<64x48xf32> -> tensor<2x3x32x16xf32>
  return %1 : tensor<2x3x32x16xf32>
}

// It would have to be computed twice.

// CHECK:      func.func @two_uses
// CHECK:        linalg.exp
// CHECK:        linalg.pack
func.func @two_uses(%a: tensor<64x48xf32>) -> (tensor<2x3x32x16xf32>, tensor<64x48xf32>) {
  %e = tensor.empty() : tensor<64x48xf32>
  %0 = linalg.exp ins(%a : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %d = tensor.empty() : tensor<2x3x32x16xf32>
  %1 = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %d : tensor<64x48xf32> -> tensor<2x3x32x16xf32>
  return %1, %0 : tensor<2x3x32x16xf32>, tensor<64x48xf32>
}

// Tiles at the ends are filled up after the op, not before.

// CHECK:      func.func @padding
// CHECK:        linalg.exp
// CHECK:        linalg.pack
func.func @padding(%a: tensor<63x48xf32>, %f: f32) -> tensor<2x3x32x16xf32> {
  %e = tensor.empty() : tensor<63x48xf32>
  %0 = linalg.exp ins(%a : tensor<63x48xf32>) outs(%e : tensor<63x48xf32>) -> tensor<63x48xf32>
  %d = tensor.empty() : tensor<2x3x32x16xf32>
  %1 = linalg.pack %0 padding_value(%f : f32) inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %d : tensor<63x48xf32> -> tensor<2x3x32x16xf32>
  return %1 : tensor<2x3x32x16xf32>
}
