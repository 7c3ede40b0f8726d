// RUN: xdsl-opt --verify-diagnostics --split-input-file %s | filecheck %s

func.func @load(%m: memref<4x4xf32>, %i: index) {
  %0 = "vector.load"(%m, %i) : (memref<4x4xf32>, index) -> vector<2xf32>
  return
}

// CHECK: | Operation does not verify: Expected an index for each dimension.

// -----

func.func @store(%m: memref<4x4xf32>, %v: vector<2xi32>, %i: index) {
  "vector.store"(%v, %m, %i, %i) : (vector<2xi32>, memref<4x4xf32>, index, index) -> ()
  return
}

// CHECK: | Operation does not verify: MemRef element type should match the Vector element type.

// -----

func.func @broadcast(%v: f32) {
  %0 = "vector.broadcast"(%v) : (f32) -> vector<2xi32>
  return
}

// CHECK: | Operation does not verify: Source operand and result vector must have the same element type.

// -----

func.func @maskedload(%m: memref<4xf32>, %k: vector<1xi1>, %p: vector<1xi32>, %i: index) {
  %0 = "vector.maskedload"(%m, %i, %k, %p) : (memref<4xf32>, index, vector<1xi1>, vector<1xi32>) -> vector<1xf32>
  return
}

// CHECK: | Operation does not verify: MemRef element type should match the result vector and passthrough vector element type. Found different element types for memref and passthrough.

// -----

func.func @create_mask(%i: index) {
  %0 = "vector.create_mask"(%i) : (index) -> vector<4x4xi1>
  return
}

// CHECK: | Operation does not verify: Expected an operand value for each dimension of resultant mask.

// -----

func.func @extract(%v: vector<4x4xf32>) {
  %0 = "vector.extract"(%v) <{static_position = array<i64: 0>}> : (vector<4x4xf32>) -> f32
  return
}

// CHECK: | Operation does not verify: Expected position attribute rank (1) to match source vector rank (2).

// -----

func.func @read(%m: memref<?x?xf32>, %i: index, %f: f32) {
  %0 = "vector.transfer_read"(%m, %i, %i, %f) <{in_bounds = [true], permutation_map = affine_map<(d0)->(d0)>, operandSegmentSizes = array<i32: 1, 2, 1, 0>}> : (memref<?x?xf32>, index, index, f32) -> vector<128xf32>
  return
}

// CHECK: | Operation does not verify: "vector.transfer_read" requires a permutation_map with input dims of the same rank as the source type

// -----

func.func @bitcast(%v: vector<4xi32>) {
  %0 = vector.bitcast %v : vector<4xi32> to vector<4xi64>
  return
}

// CHECK: | Operation does not verify: The source and result types do not have an equal bitwidth
