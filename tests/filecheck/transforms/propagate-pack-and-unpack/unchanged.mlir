// RUN: xdsl-opt -t mlir-22 -p propagate-pack-and-unpack %s | filecheck %s

// CHECK-NOT: linalg.pack

// A sum over what is cut would be a sum of sums.

// CHECK: func.func @reduction
func.func @reduction(%p: tensor<2x6x32x16xf32>, %c: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xf32> -> tensor<64x96xf32>
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<64x96xf32>) outs(%c : tensor<64xf32>) dimensions = [1]
  return %1 : tensor<64xf32>
}

// The numbers of rows and columns would be others.

// CHECK: func.func @index
func.func @index(%p: tensor<2x6x32x16xindex>) -> tensor<64x96xindex> {
  %e = tensor.empty() : tensor<64x96xindex>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xindex> -> tensor<64x96xindex>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<64x96xindex>) {
  ^bb0(%y: index):
    %2 = linalg.index 0 : index
    %3 = arith.addi %y, %2 : index
    linalg.yield %3 : index
  } -> tensor<64x96xindex>
  return %1 : tensor<64x96xindex>
}

// The op would divide by what is beyond the ends.

// CHECK: func.func @partial_tiles
func.func @partial_tiles(%p: tensor<2x6x32x16xi32>, %a: tensor<63x96xi32>) -> tensor<63x96xi32> {
  %e = tensor.empty() : tensor<63x96xi32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %e : tensor<2x6x32x16xi32> -> tensor<63x96xi32>
  %1 = linalg.div ins(%a, %0 : tensor<63x96xi32>, tensor<63x96xi32>) outs(%e : tensor<63x96xi32>) -> tensor<63x96xi32>
  return %1 : tensor<63x96xi32>
}

// The diagonal cannot be cut into tiles.

// CHECK: func.func @diagonal
func.func @diagonal(%p: tensor<4x4x16x16xf32>, %c: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %e : tensor<4x4x16x16xf32> -> tensor<64x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<64x64xf32>) outs(%c : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %2 = arith.addf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// Nor can a window that begins with each element.

// CHECK: func.func @window
func.func @window(%p: tensor<2x38x16xf32>, %c: tensor<32x7xf32>) -> tensor<32x7xf32> {
  %e = tensor.empty() : tensor<32x38xf32>
  %0 = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [16] into %e : tensor<2x38x16xf32> -> tensor<32x38xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d0 + d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<32x38xf32>) outs(%c : tensor<32x7xf32>) {
  ^bb0(%x: f32, %y: f32):
    %2 = arith.addf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<32x7xf32>
  return %1 : tensor<32x7xf32>
}

// A sum over what is cut needs the whole.

// CHECK-LABEL: func.func @sums_of_channels(
// CHECK:         [[X:%.*]] = linalg.unpack
// CHECK:         linalg.generic
// CHECK-SAME:      ins([[X]] : tensor<1x64x7x7xf32>)
func.func @sums_of_channels(%p: tensor<1x2x7x7x32xf32>, %e: tensor<1x64x7x7xf32>, %s: tensor<1x7x7xf32>) -> tensor<1x7x7xf32> {
  %x = linalg.unpack %p inner_dims_pos = [1] inner_tiles = [32] into %e : tensor<1x2x7x7x32xf32> -> tensor<1x64x7x7xf32>
  %sums = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, h, w)>],
                          iterator_types = ["parallel", "reduction", "parallel", "parallel"]}
      ins(%x : tensor<1x64x7x7xf32>) outs(%s : tensor<1x7x7xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<1x7x7xf32>
  return %sums : tensor<1x7x7xf32>
}
