// RUN: xbuf opt -p canonicalize %s | filecheck %s

// CHECK-LABEL: func.func @reshaped
// CHECK-NEXT:    [[S:%.*]] = tensor.collapse_shape %t {{\[\[}}0, 1]] : tensor<2x4xf32> into tensor<8xf32>
// CHECK-NEXT:    [[F:%.*]] = linalg.fill {{.*}}ins(%x : f32) outs([[S]] : tensor<8xf32>)
// CHECK-NEXT:    func.return [[F]], %x
func.func @reshaped(%t: tensor<2x4xf32>, %x: f32, %i: index) -> (tensor<8xf32>, f32) {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %2 = tensor.extract %0[%i, %i] : tensor<2x4xf32>
  return %1, %2 : tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @padded
// CHECK:         [[E:%.*]] = tensor.empty() : tensor<7xf32>
// CHECK-NEXT:    [[F:%.*]] = linalg.fill {{.*}}outs([[E]] : tensor<7xf32>)
// CHECK-NEXT:    func.return [[F]]
func.func @padded(%t: tensor<4xf32>) -> tensor<7xf32> {
  %x = arith.constant 1.0 : f32
  %y = arith.constant 1.0 : f32
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.pad %0 low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %y : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %1 : tensor<7xf32>
}

// CHECK-LABEL: func.func @padded_by_another_value
// CHECK:         tensor.pad
func.func @padded_by_another_value(%t: tensor<4xf32>) -> tensor<7xf32> {
  %x = arith.constant 0.0 : f32
  %y = arith.constant -0.0 : f32
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.pad %0 low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %y : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %1 : tensor<7xf32>
}

// CHECK-LABEL: func.func @copied_and_overwritten
// CHECK-NEXT:    [[F:%.*]] = linalg.fill {{.*}}ins(%x : f32) outs(%u : tensor<4xf32>)
// CHECK-NEXT:    [[C:%.*]] = linalg.copy ins(%v : tensor<4xf32>) outs(%t : tensor<4xf32>)
// CHECK-NEXT:    func.return [[F]], [[C]]
func.func @copied_and_overwritten(%t: tensor<4xf32>, %u: tensor<4xf32>, %v: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.copy ins(%0 : tensor<4xf32>) outs(%u : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.copy ins(%v : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @concatenated
// CHECK-NEXT:    [[C:%.*]] = tensor.concat dim(0) %t, %u : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
// CHECK-NEXT:    [[F:%.*]] = linalg.fill {{.*}}outs([[C]] : tensor<6xf32>)
// CHECK-NEXT:    func.return [[F]]
func.func @concatenated(%t: tensor<4xf32>, %u: tensor<2xf32>, %x: f32) -> tensor<6xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.fill ins(%x : f32) outs(%u : tensor<2xf32>) -> tensor<2xf32>
  %2 = tensor.concat dim(0) %0, %1 : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
  return %2 : tensor<6xf32>
}

// CHECK-LABEL: func.func @padding_is_there
// CHECK-NEXT:    [[F:%.*]] = linalg.fill
// CHECK-NEXT:    [[I:%.*]] = tensor.insert_slice %t into [[F]][9] [4] [1] : tensor<4xf32> into tensor<32xf32>
// CHECK-NEXT:    func.return [[I]]
func.func @padding_is_there(%t: tensor<4xf32>, %u: tensor<32xf32>, %x: f32) -> tensor<32xf32> {
  %0 = tensor.pad %t low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<7xf32>
  %1 = linalg.fill ins(%x : f32) outs(%u : tensor<32xf32>) -> tensor<32xf32>
  %2 = tensor.insert_slice %0 into %1[8] [7] [1] : tensor<7xf32> into tensor<32xf32>
  return %2 : tensor<32xf32>
}

// What was inserted before is overwritten by padding.
// CHECK-LABEL: func.func @padding_overwrites
// CHECK:         tensor.pad
func.func @padding_overwrites(%t: tensor<4xf32>, %u: tensor<32xf32>, %v: tensor<2xf32>, %x: f32) -> tensor<32xf32> {
  %0 = tensor.pad %t low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<7xf32>
  %1 = linalg.fill ins(%x : f32) outs(%u : tensor<32xf32>) -> tensor<32xf32>
  %2 = tensor.insert_slice %v into %1[7] [2] [1] : tensor<2xf32> into tensor<32xf32>
  %3 = tensor.insert_slice %0 into %2[8] [7] [1] : tensor<7xf32> into tensor<32xf32>
  return %3 : tensor<32xf32>
}

// CHECK-LABEL: func.func @broadcasts
// CHECK-NEXT:    [[B:%.*]] = linalg.broadcast ins(%a : tensor<2xf32>) outs(%c : tensor<2x3x4xf32>) dimensions = [1, 2]
// CHECK-NEXT:    [[T:%.*]] = linalg.broadcast ins(%a : tensor<2xf32>) outs(%d : tensor<3x2xf32>) dimensions = [0]
// CHECK-NEXT:    func.return [[B]], [[T]]
func.func @broadcasts(%a: tensor<2xf32>, %b: tensor<2x4xf32>, %c: tensor<2x3x4xf32>, %d: tensor<3x2xf32>, %e: tensor<2x3xf32>) -> (tensor<2x3x4xf32>, tensor<3x2xf32>) {
  %0 = linalg.broadcast ins(%a : tensor<2xf32>) outs(%b : tensor<2x4xf32>) dimensions = [1]
  %1 = linalg.broadcast ins(%0 : tensor<2x4xf32>) outs(%c : tensor<2x3x4xf32>) dimensions = [1]
  %2 = linalg.broadcast ins(%a : tensor<2xf32>) outs(%e : tensor<2x3xf32>) dimensions = [1]
  %3 = linalg.transpose ins(%2 : tensor<2x3xf32>) outs(%d : tensor<3x2xf32>) permutation = [1, 0]
  return %1, %3 : tensor<2x3x4xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: func.func @packs
// CHECK-NOT:     padding_value
// CHECK:         [[C:%.*]] = tensor.cast %d : tensor<?x?x4xf32> to tensor<3x2x4xf32>
// CHECK-NEXT:    [[P:%.*]] = linalg.pack %t inner_dims_pos = [1] inner_tiles = [4] into [[C]] : tensor<3x8xf32> -> tensor<3x2x4xf32>
// CHECK-NEXT:    [[R:%.*]] = tensor.cast [[P]] : tensor<3x2x4xf32> to tensor<?x?x4xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @packs(%t: tensor<3x8xf32>, %d: tensor<?x?x4xf32>, %x: f32) -> tensor<?x?x4xf32> {
  %0 = linalg.pack %t padding_value(%x : f32) inner_dims_pos = [1] inner_tiles = [4] into %d : tensor<3x8xf32> -> tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}

// CHECK-LABEL: func.func @slice_in_same_tiles
// CHECK-NEXT:    [[S:%.*]] = tensor.extract_slice %d[0] [13] [1] : tensor<15xf32> to tensor<13xf32>
// CHECK-NEXT:    [[U:%.*]] = linalg.unpack %t {{.*}} into [[S]] : tensor<4x4xf32> -> tensor<13xf32>
// CHECK-NEXT:    func.return [[U]]
func.func @slice_in_same_tiles(%t: tensor<4x4xf32>, %d: tensor<15xf32>) -> tensor<13xf32> {
  %0 = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<4x4xf32> -> tensor<15xf32>
  %1 = tensor.extract_slice %0[0] [13] [1] : tensor<15xf32> to tensor<13xf32>
  return %1 : tensor<13xf32>
}

// Fewer tiles than there are would be unpacked.
// CHECK-LABEL: func.func @slice_in_fewer_tiles
// CHECK-NEXT:    linalg.unpack
// CHECK-NEXT:    tensor.extract_slice
func.func @slice_in_fewer_tiles(%t: tensor<4x4xf32>, %d: tensor<15xf32>) -> tensor<8xf32> {
  %0 = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<4x4xf32> -> tensor<15xf32>
  %1 = tensor.extract_slice %0[0] [8] [1] : tensor<15xf32> to tensor<8xf32>
  return %1 : tensor<8xf32>
}

// xDSL's constructor of a fill takes floats and integers alone.
// CHECK-LABEL: func.func @complex_numbers
// CHECK: tensor.expand_shape
// CHECK-NEXT: linalg.fill ins(%z : complex<f32>) outs(%{{.*}} : tensor<2x2xcomplex<f32>>)
func.func @complex_numbers(%z: complex<f32>) -> tensor<2x2xcomplex<f32>> {
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %f = linalg.fill ins(%z : complex<f32>) outs(%e : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %r = tensor.expand_shape %f [[0, 1]] output_shape [2, 2] : tensor<4xcomplex<f32>> into tensor<2x2xcomplex<f32>>
  return %r : tensor<2x2xcomplex<f32>>
}
