// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%t: tensor<4xf32>) {
  // CHECK: operand type 'tensor<4xf32>' and result type 'tensor<5xf32>' are cast incompatible
  %0 = tensor.cast %t : tensor<4xf32> to tensor<5xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: operand type 'tensor<4xf32>' and result type 'tensor<4x1xf32>' are cast incompatible
  %0 = tensor.cast %t : tensor<4xf32> to tensor<4x1xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: operand type 'tensor<4xf32>' and result type 'tensor<4xi32>' are cast incompatible
  %0 = tensor.cast %t : tensor<4xf32> to tensor<4xi32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: Unexpected attribute memref<4xf32>
  %0 = tensor.cast %t : tensor<4xf32> to memref<4xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: operand type 'tensor<4xf32>' and result type 'tensor<4xi64>' are cast incompatible
  %0 = tensor.bitcast %t : tensor<4xf32> to tensor<4xi64>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: operand type 'tensor<4xf32>' and result type 'tensor<5xi32>' are cast incompatible
  %0 = tensor.bitcast %t : tensor<4xf32> to tensor<5xi32>
  return
}

// -----

func.func @f(%t: tensor<4xindex>) {
  // CHECK: Unexpected attribute index
  %0 = tensor.bitcast %t : tensor<4xindex> to tensor<4xi64>
  return
}

// -----

func.func @f(%t: tensor<f32>, %n: index) {
  // CHECK: cannot get dim of 0-rank tensor
  %0 = tensor.dim %t, %n : tensor<f32>
  return
}

// -----

func.func @f(%n: index) {
  // CHECK: incorrect number of dynamic sizes, has 1, expected 0
  %0 = tensor.empty(%n) : tensor<4xf32>
  return
}

// -----

func.func @f(%n: index) {
  // CHECK: memref<4xf32> should be of base attribute tensor
  %0 = tensor.empty() : memref<4xf32>
  return
}

// -----

func.func @f(%n: index) {
  // CHECK: incorrect number of dynamic sizes, has 1, expected 2
  %0 = tensor.splat %n[%n] : tensor<?x?xindex>
  return
}

// -----

func.func @f(%n: index) {
  // CHECK: operand is used with type i32, but has been previously used or defined with type index
  %0 = tensor.splat %n : tensor<4xi32>
  return
}

// -----

func.func @f(%n: f32) {
  // CHECK: Unexpected attribute f32
  %0 = tensor.rank %n : f32
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>, %sh: tensor<2xi32>) {
  // CHECK: length of shape operand differs from the result's tensor rank
  %0 = tensor.reshape %s(%sh) : (tensor<4x?xf32>, tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>, %sh: tensor<2xi32>) {
  // CHECK: element types of source and destination tensor types should be the same
  %0 = tensor.reshape %s(%sh) : (tensor<4x?xf32>, tensor<2xi32>) -> tensor<?x?xi32>
  return
}

// -----

func.func @f(%s: tensor<4x2xf32>, %sh: tensor<2xi32>) {
  // CHECK: source and destination tensor should have the same number of elements
  %0 = tensor.reshape %s(%sh) : (tensor<4x2xf32>, tensor<2xi32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @f(%s: tensor<4x2xf32>, %sh: tensor<?xi32>) {
  // CHECK: cannot use shape operand with dynamic length to reshape to statically-ranked tensor type
  %0 = tensor.reshape %s(%sh) : (tensor<4x2xf32>, tensor<?xi32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%s: tensor<4x2xf32>, %sh: tensor<2x1xi32>) {
  // CHECK: the shape operand is 2D, expected 1D
  %0 = tensor.reshape %s(%sh) : (tensor<4x2xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%s: tensor<4x2xf32>, %sh: tensor<2xf32>) {
  // CHECK: Unexpected attribute f32
  %0 = tensor.reshape %s(%sh) : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%s: tensor<4x2xf32>) {
  // CHECK: expected dimension 0 of collapsed type to be static value of 8
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<4x2xf32> into tensor<9xf32>
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>) {
  // CHECK: expected dimension 0 of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<4x?xf32> into tensor<8xf32>
  return
}

// -----

func.func @f(%s: tensor<4x2xf32>) {
  // CHECK: expected dimension 0 of collapsed type to be static value of 8
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<4x2xf32> into tensor<?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x2xf32>) {
  // CHECK: expected collapsed rank (1) to equal the number of reassociation maps (2).
  %0 = tensor.collapse_shape %s [[0], [1]] : tensor<4x2xf32> into tensor<8xf32>
  return
}

// -----

func.func @f(%s: tensor<4x2xf32>) {
  // CHECK: All inner arrays must be contiguous: [[1 : i64, 0 : i64]]
  %0 = tensor.collapse_shape %s [[1, 0]] : tensor<4x2xf32> into tensor<8xf32>
  return
}

// -----

func.func @f(%s: tensor<4x2xf32>) {
  // CHECK: expected the element types of tensor<8xi32> and tensor<4x2xf32> to be the same
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<4x2xf32> into tensor<8xi32>
  return
}

// -----

func.func @f(%s: tensor<4x2xf32>) {
  // CHECK: expected the total number of reassociation dimensions (1) to equal the expanded type's rank (2).
  %0 = tensor.collapse_shape %s [[0]] : tensor<4x2xf32> into tensor<8xf32>
  return
}

// -----

// MLIR accepts: it does not look at reshapes to no dimensions
func.func @f(%s: tensor<4x2xf32>) {
  // CHECK: expected all sizes of tensor<4x2xf32> to be 1, to be the shape of tensor<f32>
  %0 = tensor.collapse_shape %s [] : tensor<4x2xf32> into tensor<f32>
  return
}

// -----

func.func @f(%s: tensor<8xf32>) {
  // CHECK: expected number of static shape dims to be equal to the output rank (2) but found 1 inputs instead
  %0 = tensor.expand_shape %s [[0, 1]] output_shape [4] : tensor<8xf32> into tensor<4x2xf32>
  return
}

// -----

func.func @f(%s: tensor<8xf32>, %n: index) {
  // CHECK: expected dimension 0 of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic
  %0 = tensor.expand_shape %s [[0, 1]] output_shape [4, %n] : tensor<8xf32> into tensor<4x?xf32>
  return
}

// -----

func.func @f(%s: tensor<?xf32>, %n: index) {
  // CHECK: expected dimension 0 of collapsed type to be static value of 8
  %0 = tensor.expand_shape %s [[0, 1]] output_shape [4, 2] : tensor<?xf32> into tensor<4x2xf32>
  return
}

// -----

func.func @f(%s: tensor<?xf32>, %n: index) {
  // CHECK: mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has 0 dynamic dims while output_shape has 1 values
  %0 = "tensor.expand_shape"(%s, %n) <{reassociation = [[0, 1]], static_output_shape = array<i64: 4, 2>}> : (tensor<?xf32>, index) -> tensor<4x?xf32>
  return
}

// -----

// MLIR accepts: it does not look at reshapes from no dimensions
func.func @f(%s: tensor<f32>, %n: index) {
  // CHECK: expected all sizes of tensor<4xf32> to be 1, to be the shape of tensor<f32>
  %0 = tensor.expand_shape %s [] output_shape [4] : tensor<f32> into tensor<4xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: expected type to be 'tensor<2x2xf32>' or a rank-reduced version. (size mismatch), but got 'tensor<2x3xf32>'
  %0 = tensor.extract_slice %s[0, 0] [2, 2] [1, 1] : tensor<4x8xf32> to tensor<2x3xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: expected element type to be 'f32', but got 'tensor<2x2xi32>'
  %0 = tensor.extract_slice %s[0, 0] [2, 2] [1, 1] : tensor<4x8xf32> to tensor<2x2xi32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: expected type to be 'tensor<2x2xf32>' or a rank-reduced version. (size mismatch), but got 'tensor<2x?xf32>'
  %0 = tensor.extract_slice %s[0, 0] [2, 2] [1, 1] : tensor<4x8xf32> to tensor<2x?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: expected type to be 'tensor<2x2xf32>' or a rank-reduced version. (size mismatch), but got 'tensor<2xf32>'
  %0 = tensor.extract_slice %s[0, 0] [2, 2] [1, 1] : tensor<4x8xf32> to tensor<2xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: expected the rank of tensor<2x2x1xf32> to be smaller or equal to that of the slice, tensor<2x2xf32>
  %0 = tensor.extract_slice %s[0, 0] [2, 2] [1, 1] : tensor<4x8xf32> to tensor<2x2x1xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: expected 2 offset values, got 1
  %0 = tensor.extract_slice %s[0] [2] [1] : tensor<4x8xf32> to tensor<2xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: slice along dimension 1 runs out-of-bounds: 8 >= 8
  %0 = tensor.extract_slice %s[0, 7] [2, 2] [1, 1] : tensor<4x8xf32> to tensor<2x2xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: offset 1 is out-of-bounds: 8 >= 8
  %0 = tensor.extract_slice %s[0, 8] [2, %n] [1, 1] : tensor<4x8xf32> to tensor<2x?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: expected offsets to be non-negative, but got -1
  %0 = tensor.extract_slice %s[0, -1] [2, 2] [1, 1] : tensor<4x8xf32> to tensor<2x2xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: expected sizes to be non-negative, but got -2
  %0 = tensor.extract_slice %s[0, 0] [2, -2] [1, 1] : tensor<4x8xf32> to tensor<2x2xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: slice along dimension 1 runs out-of-bounds: 8 >= 8
  %0 = tensor.extract_slice %s[0, 0] [2, 5] [1, 2] : tensor<4x8xf32> to tensor<2x5xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  %0 = tensor.extract_slice %s[0, 0] [2, 0] [1, 1] : tensor<4x8xf32> to tensor<2x0xf32>
  %1 = tensor.extract_slice %s[0, 7] [2, 2] [1, -1] : tensor<4x8xf32> to tensor<2x2xf32>
  %2 = tensor.extract_slice %s[0, 7] [2, 2] [1, 0] : tensor<4x8xf32> to tensor<2x2xf32>
  // CHECK: offset 1 is out-of-bounds: 8 >= 8
  %3 = tensor.extract_slice %s[0, 8] [2, 0] [1, 1] : tensor<4x8xf32> to tensor<2x0xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: expected the number of 'offsets' to match the number of dynamic entries in 'static_offsets' (1 vs 0)
  %0 = "tensor.extract_slice"(%s, %n) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 1, 1>}> : (tensor<4x8xf32>, index) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>, %n: index) {
  // CHECK: expected 2 offset values, got 1
  %0 = "tensor.extract_slice"(%s) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %d: tensor<4x8xf32>, %n: index) {
  // CHECK: expected type to be 'tensor<2x3xf32>' or a rank-reduced version. (size mismatch), but got 'tensor<2x2xf32>'
  %0 = tensor.insert_slice %s into %d[0, 0] [2, 3] [1, 1] : tensor<2x2xf32> into tensor<4x8xf32>
  return
}

// -----

func.func @f(%s: tensor<2x2xi32>, %d: tensor<4x8xf32>, %n: index) {
  // CHECK: expected element type to be 'f32', but got 'tensor<2x2xi32>'
  %0 = tensor.insert_slice %s into %d[0, 0] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<4x8xf32>
  return
}

// -----

func.func @f(%s: tensor<2xf32>, %d: tensor<4x8xf32>, %n: index) {
  // CHECK: expected type to be 'tensor<2x2xf32>' or a rank-reduced version. (size mismatch), but got 'tensor<2xf32>'
  %0 = tensor.insert_slice %s into %d[0, 0] [2, 2] [1, 1] : tensor<2xf32> into tensor<4x8xf32>
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %d: tensor<4x8xf32>, %n: index) {
  // CHECK: slice along dimension 0 runs out-of-bounds: 4 >= 4
  %0 = tensor.insert_slice %s into %d[3, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x8xf32>
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %d: tensor<4x8xf32>, %n: index) {
  // CHECK: expected 2 offset values, got 1
  %0 = tensor.insert_slice %s into %d[0] [2] [1] : tensor<2x2xf32> into tensor<4x8xf32>
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %d: tensor<4x8xf32>, %n: index) {
  // CHECK: attribute tensor<4x8xf32> expected from variable 'DEST_TYPE', but got tensor<?x8xf32>
  %0 = "tensor.insert_slice"(%s, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 1, 1>}> : (tensor<2x2xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %d: tensor<4x8xf32>, %n: index) {
  // CHECK: expected the parent to be scf.forall.in_parallel, but it is func.func
  tensor.parallel_insert_slice %s into %d[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x8xf32>
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %d: tensor<4x8xf32>, %n: index) {
  %4 = scf.forall (%i) in (4) shared_outs(%o = %d) -> (tensor<4x8xf32>) {
    scf.forall.in_parallel {
      // CHECK: expected type to be 'tensor<3x2xf32>' or a rank-reduced version. (size mismatch), but got 'tensor<2x2xf32>'
      tensor.parallel_insert_slice %s into %o[0, 0] [3, 2] [1, 1] : tensor<2x2xf32> into tensor<4x8xf32>
    }
  }
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %d: tensor<4x8xf32>, %n: index) {
  %4 = scf.forall (%i) in (4) shared_outs(%o = %d) -> (tensor<4x8xf32>) {
    scf.forall.in_parallel {
      // CHECK: slice along dimension 0 runs out-of-bounds: 4 >= 4
      tensor.parallel_insert_slice %s into %o[3, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x8xf32>
    }
  }
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %d: tensor<4x8xf32>, %n: index) {
  %4 = scf.forall (%i) in (4) shared_outs(%o = %d) -> (tensor<4x8xf32>) {
    scf.forall.in_parallel {
      // CHECK: expected 2 offset values, got 1
      tensor.parallel_insert_slice %s into %o[0] [2] [1] : tensor<2x2xf32> into tensor<4x8xf32>
    }
  }
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %n: index) {
  // CHECK: incorrect number of indices, has 1, expected 2
  %0 = tensor.extract %s[%n] : tensor<2x2xf32>
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %n: index) {
  // CHECK: attribute f32 expected from variable 'ELEMENT', but got i32
  %0 = "tensor.extract"(%s, %n, %n) : (tensor<2x2xf32>, index, index) -> i32
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %n: index, %v: f32) {
  // CHECK: incorrect number of indices, has 1, expected 2
  %0 = tensor.insert %v into %s[%n] : tensor<2x2xf32>
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %n: index, %v: i32) {
  // CHECK: attribute i32 expected from variable 'ELEMENT', but got f32
  %0 = "tensor.insert"(%v, %s, %n, %n) : (i32, tensor<2x2xf32>, index, index) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%s: tensor<2x2xf32>, %n: index, %v: f32) {
  // CHECK: attribute tensor<2x2xf32> expected from variable 'TENSOR', but got tensor<2x?xf32>
  %0 = "tensor.insert"(%v, %s, %n, %n) : (f32, tensor<2x2xf32>, index, index) -> tensor<2x?xf32>
  return
}

// -----

func.func @f(%v: f32) {
  // CHECK: number of operands and types do not match: got 2 operands and 3 types
  %0 = tensor.from_elements %v, %v : tensor<3xf32>
  return
}

// -----

func.func @f(%v: f32) {
  // CHECK: 'result' must be statically shaped tensor, but got 'tensor<?xf32>'
  %0 = tensor.from_elements %v, %v : tensor<?xf32>
  return
}

// -----

func.func @f(%v: f32, %i: i32) {
  // CHECK: attribute f32 expected from variable 'ELEMENT_TYPE', but got i32
  %0 = "tensor.from_elements"(%v, %i) : (f32, i32) -> tensor<2xf32>
  return
}

// -----

func.func @f(%v: f32, %i: i32) {
  // CHECK: number of operands and types do not match: got 2 operands and 3 types
  %0 = "tensor.from_elements"(%v, %v) : (f32, f32) -> tensor<3xf32>
  return
}

// -----

func.func @f(%v: f32, %n: index) {
  // CHECK: incorrect number of dynamic sizes, has 0, expected 1
  %7 = tensor.generate {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x?xf32>
  return
}

// -----

func.func @f(%v: f32, %n: index) {
  // CHECK: must have one body argument per input dimension: expected 2, got 1
  %7 = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4x?xf32>
  return
}

// -----

func.func @f(%v: f32, %n: index) {
  // CHECK: 'tensor.generate' op expected block argument 2 to be an index
  %7 = tensor.generate %n {
  ^bb0(%i: index, %j: i32):
    tensor.yield %v : f32
  } : tensor<4x?xf32>
  return
}

// -----

func.func @f(%v: f32, %n: index) {
  // CHECK: 'tensor.generate' op expected yield type to match the element type of tensor<4x?xf32>
  %7 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    tensor.yield %i : index
  } : tensor<4x?xf32>
  return
}

// -----

func.func @f(%v: f32, %n: index) {
  // CHECK: Region 'body' at position 0 expected a single block, but got 0 blocks
  %7 = tensor.generate %n {
  } : tensor<4x?xf32>
  return
}

// -----

func.func @f(%v: f32) {
  // CHECK: 'tensor.yield' expects parent op to be one of 'tensor.generate', 'tensor.pad'
  tensor.yield %v : f32
}

// -----

func.func @f(%s: tensor<4x5xf32>, %i: tensor<7x2xi32>) {
  // CHECK: gather_dims must be non-empty
  %9 = tensor.gather %s[%i] gather_dims([]) : (tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<7x1x1xf32>
  return
}

// -----

func.func @f(%s: tensor<4x5xf32>, %i: tensor<7x2xi32>) {
  // CHECK: gather_dims overflow source rank
  %9 = tensor.gather %s[%i] gather_dims([0, 1, 2]) : (tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<7x1x1xf32>
  return
}

// -----

func.func @f(%s: tensor<4x5xf32>, %i: tensor<7x2xi32>) {
  // CHECK: gather_dims length must match the size of last dimension of indices
  %9 = tensor.gather %s[%i] gather_dims([-1]) : (tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<7x1x1xf32>
  return
}

// -----

func.func @f(%s: tensor<4x5xf32>, %i: tensor<7x2xi32>) {
  // CHECK: gather_dims length must match the size of last dimension of indices
  %9 = tensor.gather %s[%i] gather_dims([2]) : (tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<7x1x1xf32>
  return
}

// -----

func.func @f(%s: tensor<4x5xf32>, %i: tensor<7x2xi32>) {
  // CHECK: gather_dims values must be strictly increasing
  %9 = tensor.gather %s[%i] gather_dims([1, 0]) : (tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<7x1x1xf32>
  return
}

// -----

func.func @f(%s: tensor<4x5xf32>, %i: tensor<7x2xi32>) {
  // CHECK: gather_dims length must match the size of last dimension of indices
  %9 = tensor.gather %s[%i] gather_dims([0]) : (tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<7x1x4xf32>
  return
}

// -----

func.func @f(%s: tensor<4x5xf32>, %i: tensor<7x2xi32>) {
  // CHECK: result type mismatch: expected 'tensor<7x1x1xf32>' or its rank-reduced variant 'tensor<7xf32>' (got: 'tensor<6x1x1xf32>')
  %9 = tensor.gather %s[%i] gather_dims([0, 1]) : (tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<6x1x1xf32>
  return
}

// -----

func.func @f(%s: tensor<4x5xf32>, %i: tensor<7x2xi32>) {
  // CHECK: result type mismatch: expected 'tensor<7x1x1xf32>' or its rank-reduced variant 'tensor<7xf32>' (got: 'tensor<7x1x1xi32>')
  %9 = tensor.gather %s[%i] gather_dims([0, 1]) : (tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<7x1x1xi32>
  return
}

// -----

func.func @f(%s: tensor<4x5xf32>, %i: tensor<7x2xf32>) {
  // CHECK: Unexpected attribute f32
  %9 = tensor.gather %s[%i] gather_dims([0, 1]) : (tensor<4x5xf32>, tensor<7x2xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @f(%s: tensor<4x5xf32>, %i: tensor<i32>) {
  // CHECK: gather_dims length must match the size of last dimension of indices
  %9 = tensor.gather %s[%i] gather_dims([0]) : (tensor<4x5xf32>, tensor<i32>) -> tensor<7xf32>
  return
}

// -----

func.func @f(%u: tensor<7x1x1xf32>, %s: tensor<4x5xf32>, %i: tensor<7x2xi32>) {
  // CHECK: requires 'unique' attribute to be set
  %9 = tensor.scatter %u into %s[%i] scatter_dims([0, 1]) : (tensor<7x1x1xf32>, tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%u: tensor<7x1x1xf32>, %s: tensor<4x5xf32>, %i: tensor<7x2xi32>) {
  // CHECK: scatter_dims values must be strictly increasing
  %9 = tensor.scatter %u into %s[%i] scatter_dims([1, 0]) unique : (tensor<7x1x1xf32>, tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%u: tensor<6x1x1xf32>, %s: tensor<4x5xf32>, %i: tensor<7x2xi32>) {
  // CHECK: source type mismatch: expected 'tensor<7x1x1xf32>' or its rank-reduced variant 'tensor<7xf32>' (got: 'tensor<6x1x1xf32>')
  %9 = tensor.scatter %u into %s[%i] scatter_dims([0, 1]) unique : (tensor<6x1x1xf32>, tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<4x5xf32>
  return
}

// -----

// MLIR accepts: it does not compare the result with the destination
func.func @f(%u: tensor<7x1x1xf32>, %s: tensor<4x5xf32>, %i: tensor<7x2xi32>) {
  // CHECK: expected the result to have the type of the destination, tensor<4x5xf32>, but got tensor<4x6xf32>
  %9 = tensor.scatter %u into %s[%i] scatter_dims([0, 1]) unique : (tensor<7x1x1xf32>, tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<4x6xf32>) {
  // CHECK: static concatenation size mismatch along non-concatenated dimension 1
  %0 = tensor.concat dim(0) %a, %b : (tensor<4x5xf32>, tensor<4x6xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<4x6xf32>) {
  // CHECK: concatenation dim must be less than the tensor rank
  %0 = tensor.concat dim(2) %a, %b : (tensor<4x5xf32>, tensor<4x6xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<4xf32>) {
  // CHECK: integer 2 expected from int variable 'Rank', but got 1
  %0 = tensor.concat dim(0) %a, %b : (tensor<4x5xf32>, tensor<4xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<4x6xf32>) {
  // CHECK: result type tensor<4x12xf32> does not match inferred shape (4, 11) static sizes
  %0 = tensor.concat dim(1) %a, %b : (tensor<4x5xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @f(%a: tensor<4x5xf32>, %b: tensor<4x6xi32>) {
  // CHECK: attribute f32 expected from variable 'Tensor Element', but got i32
  %0 = tensor.concat dim(1) %a, %b : (tensor<4x5xf32>, tensor<4x6xi32>) -> tensor<4x11xf32>
  return
}

// -----

func.func @f(%a: tensor<f32>, %b: tensor<f32>) {
  // CHECK: expected integer >= 1, got 0
  %0 = tensor.concat dim(0) %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f() {
  // CHECK: expected integer >= 1, got 0
  %0 = tensor.concat dim(0) : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>, %v: f32) {
  // CHECK: expected 2 low pad sizes for tensor<4x?xf32>, got 1
  %14 = tensor.pad %s low[0] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x?xf32> to tensor<?x?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>, %v: f32) {
  // CHECK: specified type 'tensor<?x?xf32>' does not match the inferred type 'tensor<5x?xf32>'
  %14 = tensor.pad %s low[0, 1] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x?xf32> to tensor<?x?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>, %v: f32) {
  // CHECK: specified type 'tensor<6x?xf32>' does not match the inferred type 'tensor<5x?xf32>'
  %14 = tensor.pad %s low[0, 1] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x?xf32> to tensor<6x?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>, %v: f32) {
  // CHECK: must have one body argument per input dimension: expected 2, got 1
  %14 = tensor.pad %s low[0, 1] high[1, 2] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4x?xf32> to tensor<5x?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>, %v: f32) {
  // CHECK: 'tensor.pad' op expected block argument 2 to be an index
  %14 = tensor.pad %s low[0, 1] high[1, 2] {
  ^bb0(%i: index, %j: i32):
    tensor.yield %v : f32
  } : tensor<4x?xf32> to tensor<5x?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>, %v: i32) {
  // CHECK: 'tensor.pad' op expected yield type to match the element type of tensor<5x?xf32>
  %14 = tensor.pad %s low[0, 1] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : i32
  } : tensor<4x?xf32> to tensor<5x?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>, %v: f32) {
  // CHECK: specified type 'tensor<5x?xi32>' does not match the inferred type 'tensor<5x?xf32>'
  %14 = tensor.pad %s low[0, 1] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x?xf32> to tensor<5x?xi32>
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>, %v: f32) {
  // CHECK: specified type 'tensor<5xf32>' does not match the inferred type 'tensor<5x?xf32>'
  %14 = tensor.pad %s low[0, 1] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x?xf32> to tensor<5xf32>
  return
}

// -----

// MLIR accepts: it does not count the pad sizes that are values
func.func @f(%s: tensor<4x?xf32>, %v: f32, %n: index) {
  // CHECK: expected 0 dynamic low pad sizes, got 1
  %14 = "tensor.pad"(%s, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>, static_low = array<i64: 0, 1>, static_high = array<i64: 0, 1>}> ({
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  }) : (tensor<4x?xf32>, index) -> tensor<4x?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>, %v: f32) {
  // CHECK: Region 'region' at position 0 expected a single block, but got 2 blocks
  %14 = tensor.pad %s low[0, 1] high[1, 2] {
  ^bb0(%i: index, %j: index):
  ^bb1:
    tensor.yield %v : f32
  } : tensor<4x?xf32> to tensor<5x?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x?xf32>, %v: f32) {
  // CHECK: Region 'region' at position 0 expected a single block, but got 0 blocks
  %14 = tensor.pad %s low[0, 1] high[1, 2] {
  } : tensor<4x?xf32> to tensor<5x?xf32>
  return
}

// -----

func.func @f(%s: tensor<4x5xf32>, %i: tensor<7x1xi32>) {
  // CHECK: gather_dims value must be smaller than source rank
  %0 = tensor.gather %s[%i] gather_dims([2]) : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x4x1xf32>
  return
}

// -----

func.func @f(%s: tensor<4x5xf32>, %i: tensor<7x1xi32>) {
  // CHECK: gather_dims value must be non-negative
  %0 = tensor.gather %s[%i] gather_dims([-1]) : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x4x1xf32>
  return
}

// -----

func.func @f(%u: tensor<7x1x5xf32>, %d: tensor<4x5xf32>, %i: tensor<7x1xi32>) {
  // CHECK: scatter_dims value must be smaller than dest rank
  %0 = tensor.scatter %u into %d[%i] scatter_dims([2]) unique : (tensor<7x1x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%v: f32) {
  // CHECK: 'tensor.yield' op requires a single operand
  %0 = tensor.generate {
  ^bb0(%i: index):
    "tensor.yield"(%v, %v) : (f32, f32) -> ()
  } : tensor<4xf32>
  return
}

// -----

func.func @f(%s: tensor<2x3xf32>) {
  // CHECK: expected reassociation map #2 not to be empty
  %0 = tensor.collapse_shape %s [[0], [1], []] : tensor<2x3xf32> into tensor<2x3x1xf32>
  return
}

// -----

func.func @f(%s: tensor<2x3xf32>) {
  // CHECK: All inner arrays must be contiguous: [[0 : i64, 2 : i64]]
  %0 = tensor.collapse_shape %s [[0, 2]] : tensor<2x3xf32> into tensor<6xf32>
  return
}

// -----

func.func @f(%s: tensor<2x3xf32>) {
  // CHECK: '[' expected
  %0 = tensor.collapse_shape %s [0, 1] : tensor<2x3xf32> into tensor<6xf32>
  return
}

// -----

func.func @f(%s: tensor<4xf32>, %n: index) {
  // CHECK: '[' expected
  %0 = tensor.extract_slice %s[0] [2] : tensor<4xf32> to tensor<2xf32>
  return
}

// -----

func.func @f(%s: tensor<*xf32>) {
  // CHECK: tensor<*xf32> should be of base attribute tensor
  %0 = tensor.extract_slice %s[0] [2] [1] : tensor<*xf32> to tensor<2xf32>
  return
}

// -----

func.func @f(%s: tensor<4xf32>, %n: i32) {
  // CHECK: i32 should be of base attribute index
  %0 = "tensor.extract"(%s, %n) : (tensor<4xf32>, i32) -> f32
  return
}

// -----

// CHECK: Unranked tensors don't have an encoding!
func.func @f(%s: tensor<*xf32, "encoding">) {
  return
}
