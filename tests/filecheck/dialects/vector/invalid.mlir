// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: requires 2 indices, but got 1
  %0 = vector.load %m[%x] : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: base and result element types should match: 'f32' and 'i32'
  %0 = vector.load %m[%x, %x] : memref<?x?xf32>, vector<4xi32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: most minor memref dim must have unit stride, but is 'memref<?xf32, strided<[2]>>'
  %0 = vector.load %s[%x] : memref<?xf32, strided<[2]>>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value is a power of two > 0, but is 3
  %0 = vector.load %m[%x, %x] {alignment = 3 : i64} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: requires 2 indices, but got 1
  vector.store %v, %m[%x] : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value is a power of two > 0, but is -1
  vector.store %v, %m[%x, %x] {alignment = -1 : i64} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected result dim to match mask dim: 'vector<4xi1>' and 'vector<8xi1>'
  %0 = vector.maskedload %m[%x, %x], %m8, %v : memref<?x?xf32>, vector<8xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected pass_thru of same type as result type: 'vector<8xf32>' and 'vector<4xf32>'
  %0 = vector.maskedload %m[%x, %x], %mask, %w : memref<?x?xf32>, vector<4xi1>, vector<8xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: requires 2 indices, but got 1
  vector.maskedstore %m[%x], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: requires 2 indices, but got 1
  %0 = vector.gather %m[%x] [%at], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected result dim to match indices dim: 'vector<8xi32>' and 'vector<4xi32>'
  %0 = vector.gather %m[%x, %x] [%at], %m8, %w : memref<?x?xf32>, vector<4xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: Unexpected attribute f32
  %0 = vector.gather %m[%x, %x] [%v], %mask, %v : memref<?x?xf32>, vector<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected result dim to match mask dim: 'vector<4xi1>' and 'vector<8xi1>'
  vector.scatter %m[%x, %x] [%at], %m8, %v : memref<?x?xf32>, vector<4xi32>, vector<8xi1>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected pass_thru of same type as result type: 'vector<8xf32>' and 'vector<4xf32>'
  vector.expandload %m[%x, %x], %mask, %w : memref<?x?xf32>, vector<4xi1>, vector<8xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected result dim to match mask dim: 'vector<4xi1>' and 'vector<8xi1>'
  vector.compressstore %m1[%x], %m8, %v : memref<?xf32>, vector<8xi1>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expects operand to be a statically shaped memref with identity layout, but got 'memref<?x?xf32>'
  %0 = vector.type_cast %m : memref<?x?xf32> to memref<vector<4x8xf32>>
  return
}

// -----

func.func @f(%m: memref<2x4xf32, strided<[4, 1], offset: 4>>) {
  // CHECK: expects operand to be a statically shaped memref with identity layout, but got 'memref<2x4xf32, strided<[4, 1], offset: 4>>'
  %0 = vector.type_cast %m : memref<2x4xf32, strided<[4, 1], offset: 4>> to memref<vector<2x4xf32>>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: requires 2 indices, but got 1
  %0 = vector.transfer_read %m[%x], %f : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: operand is used with type f32, but has been previously used or defined with type i32
  %0 = vector.transfer_read %m[%x, %x], %i : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expects the in_bounds attr of same rank as permutation_map results: affine_map<(d0, d1) -> (d1)> vs inBounds of size: 2
  %0 = vector.transfer_read %m[%x, %x], %f {in_bounds = [true, true]} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: requires a permutation_map with input dims of the same rank as the source type: 1 and 2
  %0 = vector.transfer_read %m[%x, %x], %f {permutation_map = affine_map<(d0) -> (d0)>} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: requires a permutation_map that is a permutation (found one dim used more than once)
  %0 = vector.transfer_read %m[%x, %x], %f {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : memref<?x?xf32>, vector<4x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: requires a projected permutation_map (at most one dim or the zero constant can appear in each result)
  %0 = vector.transfer_read %m[%x, %x], %f {permutation_map = affine_map<(d0, d1) -> (d0 + 1)>} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: requires permutation_map without symbols
  %0 = vector.transfer_read %m[%x, %x], %f {permutation_map = affine_map<(d0, d1)[s0] -> (s0)>} : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected a custom permutation_map when rank(source) != rank(destination)
  %0 = vector.transfer_read %m1[%x], %f : memref<?xf32>, vector<4x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: operand is used with type vector<4xi1>, but has been previously used or defined with type vector<8xi1>
  %0 = vector.transfer_read %m[%x, %x], %f, %m8 : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: requires memref or ranked tensor type
  %0 = vector.transfer_read %f[%x, %x], %f : f32, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: requires vector type
  %0 = vector.transfer_read %m[%x, %x], %f : memref<?x?xf32>, f32
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: should not have broadcast dimensions
  vector.transfer_write %v, %m[%x, %x] {permutation_map = affine_map<(d0, d1) -> (0)>, in_bounds = [true]} : vector<4xf32>, memref<?x?xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: requires 2 indices, but got 1
  vector.transfer_write %v, %m[%x] : vector<4xf32>, memref<?x?xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: a write to 'tensor<?x?xf32>' has 1 results of that type
  "vector.transfer_write"(%v, %t, %x, %x) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (vector<4xf32>, tensor<?x?xf32>, index, index) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: dimension mismatch (4 vs. 8): 'vector<4xf32>' and 'vector<8xf32>'
  %0 = vector.broadcast %v : vector<4xf32> to vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: source rank higher than destination rank: 'vector<4x8xf32>' and 'vector<8xf32>'
  %0 = vector.broadcast %v2 : vector<4x8xf32> to vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: source/result element types must match: 'i32' and 'vector<8xf32>'
  %0 = vector.broadcast %i : i32 to vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: source/result number of elements must match: 'vector<4x8xf32>' and 'vector<31xf32>'
  %0 = vector.shape_cast %v2 : vector<4x8xf32> to vector<31xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: source/result element types must match: 'vector<4x8xf32>' and 'vector<32xi32>'
  %0 = vector.shape_cast %v2 : vector<4x8xf32> to vector<32xi32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: different number of scalable dims at source (1) and result (0)
  %0 = vector.shape_cast %sv : vector<[4]xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: transposition length mismatch: 1 for rank 2
  %0 = vector.transpose %v2, [0] : vector<4x8xf32> to vector<8x4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: transposition is not a permutation: (0, 0)
  %0 = vector.transpose %v2, [0, 0] : vector<4x8xf32> to vector<8x4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: dimension size mismatch: expected 'vector<8x4xf32>', got 'vector<4x8xf32>'
  %0 = vector.transpose %v2, [1, 0] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected sum(offsets, sizes) dimension 0 to be confined to [1, 5), not 5
  %0 = vector.extract_strided_slice %v2 {offsets = [1], sizes = [4], strides = [1]} : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected strides to be confined to [1, 2), not [2]
  %0 = vector.extract_strided_slice %v2 {offsets = [1], sizes = [2], strides = [2]} : vector<4x8xf32> to vector<2x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected offsets, sizes, and strides attributes of same size, but got 1, 2 and 1
  %0 = vector.extract_strided_slice %v2 {offsets = [1], sizes = [2, 2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected result type to be 'vector<2x8xf32>', not 'vector<3x8xf32>'
  %0 = vector.extract_strided_slice %v2 {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<3x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected offsets of same size as destination vector rank: 1 and 2
  %0 = vector.insert_strided_slice %v, %v2 {offsets = [1], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected sum(offsets, sizes) dimension 1 to be confined to [1, 9), not 10
  %0 = vector.insert_strided_slice %v, %v2 {offsets = [1, 6], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected strides of same size as source vector rank: 2 and 1
  %0 = vector.insert_strided_slice %v, %v2 {offsets = [1, 1], strides = [1, 1]} : vector<4xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected 1-d vector for operand #1, got 'vector<4x8xf32>'
  %0 = vector.outerproduct %v2, %w : vector<4x8xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected result of type 'vector<4x8xf32>', got 'vector<8x4xf32>'
  %0 = "vector.outerproduct"(%v, %w) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<8xf32>) -> vector<8x4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: unsupported reduction type: xor of 'vector<4xf32>'
  %0 = vector.outerproduct %v, %w, %v2 {kind = #vector.kind<xor>} : vector<4xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: invalid contracting dimension map: dimension 1 has size 4 in operand 1, but 8 before it
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %v2, %v, %v : vector<4x8xf32>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected indexing map 1 to have 2 number of outputs, but it has 1
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %v2, %v2, %v : vector<4x8xf32>, vector<4x8xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: invalid accumulator/result vector shape: iterator 1 is parallel, but the map of the result is affine_map<(d0, d1) -> (d0)>
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "parallel"], kind = #vector.kind<add>} %v2, %w, %v : vector<4x8xf32>, vector<8xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected an indexing map for each vector operand, but got 2
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %v2, %w, %v : vector<4x8xf32>, vector<8xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: 'window' is not a valid IteratorType
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "window"], kind = #vector.kind<add>} %v2, %w, %v : vector<4x8xf32>, vector<8xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: unsupported reduction type: and of 'vector<4xf32>'
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<and>} %v2, %w, %v : vector<4x8xf32>, vector<8xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: destination type 'vector<8xf32>' is incompatible with source type 'vector<4x8xf32>': expected 'vector<4xf32>'
  %0 = vector.multi_reduction <add>, %v2, %w [1] : vector<4x8xf32> to vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // MLIR accepts: its lowering to LLVM fails later
  // CHECK: unsupported reduction type: and of 'vector<4x8xf32>'
  %0 = vector.multi_reduction <and>, %v2, %v [1] : vector<4x8xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: unsupported reduction rank: 2; use vector.multi_reduction
  %0 = vector.reduction <add>, %v2 : vector<4x8xf32> into f32
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: unsupported reduction type: and of 'vector<4xf32>'
  %0 = vector.reduction <and>, %v : vector<4xf32> into f32
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: Expected `add`, `mul`, `minui`, `minsi`, `minnumf`, `maxui`, `maxsi`, `maxnumf`, `and`, `or`, `xor`, `maximumf`, or `minimumf`.
  %0 = vector.reduction <sum>, %v : vector<4xf32> into f32
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: array attr of size out of bounds of vector result dimension size: [5] for 'vector<4xi1>'
  %0 = vector.constant_mask [5] : vector<4xi1>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: must specify array attr of size equal vector result rank: 2 for 'vector<4xi1>'
  %0 = vector.constant_mask [2, 2] : vector<4xi1>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim, not [0, 2]
  %0 = vector.constant_mask [0, 2] : vector<4x4xi1>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: must specify an operand for each result vector dimension: 2 for 'vector<4xi1>'
  %0 = vector.create_mask %x, %x : vector<4xi1>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: result must be 1-D vector of index values, but got 'vector<4x4xindex>'
  %0 = vector.step : vector<4x4xindex>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: the last dimension of 'vector<4xf32>' must be twice as long as that of 'vector<4xf32>'
  %0 = vector.interleave %v, %v : vector<4xf32> -> vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: the last dimension of 'vector<4xf32>' must be twice as long as that of 'vector<4xf32>'
  %0, %1 = vector.deinterleave %v : vector<4xf32> -> vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: number of elements must match: 2 for 'vector<3xf32>'
  %0 = vector.from_elements %f, %f : vector<3xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: operand is used with type f32, but has been previously used or defined with type i32
  %0 = vector.from_elements %i, %i : vector<2xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: number of elements must match: 3 for 'vector<4xf32>'
  %0:3 = "vector.to_elements"(%v) : (vector<4xf32>) -> (f32, f32, f32)
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: incompatible input/initial value shapes: 'vector<4x8xf32>' and 'vector<4xf32>'
  %0, %1 = vector.scan <add>, %v2, %v {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: position is a multiple of the source length: 1 and 'vector<4xf32>'
  %0 = vector.scalable.extract %sv[1] : vector<4xf32> from vector<[4]xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expects number and types of results to match those of 'vector.yield': (i32) and (f32)
  %0 = vector.mask %mask { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> i32
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  vector.mask %mask {
    vector.store %v, %m[%x, %x] : memref<?x?xf32>, vector<4xf32>
    // CHECK: expects only one operation to mask; another one is 'vector.store'
    vector.store %v, %m[%x, %x] : memref<?x?xf32>, vector<4xf32>
  } : vector<4xi1>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: cannot print 'memref<?x?xf32>': only integers, indices, floats and vectors of them
  vector.print %m : memref<?x?xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: Expected `no_punctuation`, `newline`, `comma`, `open`, or `close`.
  vector.print punctuation <dot>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: Mask value 8 out of range [-1, 8)
  %0 = vector.shuffle %v, %v [0, 8] : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1): 4 in 'vector<4x8xf32>'
  %0 = vector.extract %v2[4] : vector<8xf32> from vector<4x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: Expected position attribute rank (1) to match source vector rank (2).
  %0 = vector.extract %v2[0] : f32 from vector<4x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1): 4 in 'vector<4x8xf32>'
  %0 = vector.insert %w, %v2[4] : vector<8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: Expected position attribute rank (1) to match dest vector rank (2).
  %0 = vector.insert %f, %v2[0] : f32 into vector<4x8xf32>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: source/result bitwidth of the minor 1-D vectors must be equal: 'vector<4xf32>' and 'vector<4xf16>'
  %0 = vector.bitcast %v : vector<4xf32> to vector<4xf16>
  return
}

// -----

func.func @f(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %i: i32, %mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<8xf32>, %v2: vector<4x8xf32>, %at: vector<4xi32>, %m8: vector<8xi1>, %s: memref<?xf32, strided<[2]>>, %sv: vector<[4]xf32>, %m1: memref<?xf32>) {
  // CHECK: operand 'acc' at position 2 does not verify:
  %0 = "vector.fma"(%v, %v, %w) : (vector<4xf32>, vector<4xf32>, vector<8xf32>) -> vector<4xf32>
  return
}

// -----

func.func @f(%x: vector<2xindex>) {
  // CHECK: source/result bitwidth of the minor 1-D vectors must be equal: 'vector<2xindex>' and 'vector<2xi32>'
  %0 = vector.bitcast %x : vector<2xindex> to vector<2xi32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // CHECK: source and result must have the same sizes but the last: 'vector<4xf32>' and 'vector<2x2xf32>'
  %0 = vector.bitcast %v : vector<4xf32> to vector<2x2xf32>
  return
}

// -----

func.func @f(%v: vector<2x4xf32>) {
  // CHECK: source and result must have the same sizes but the last: 'vector<2x4xf32>' and 'vector<4x2xf32>'
  %0 = vector.bitcast %v : vector<2x4xf32> to vector<4x2xf32>
  return
}

// -----

func.func @f(%v: vector<f32>) {
  // CHECK: the last dimension of 'vector<[2]xf32>' must be twice as long as that of 'vector<f32>'
  %0 = vector.interleave %v, %v : vector<f32> -> vector<[2]xf32>
  return
}

// -----

func.func @f(%v: vector<2xf32>) {
  // CHECK: results must have at least one dimension
  %0, %1 = vector.deinterleave %v : vector<2xf32> -> vector<f32>
  return
}

// -----

func.func @f() {
  // CHECK: a string literal is printed without punctuation
  vector.print str "a" punctuation <comma>
  return
}

// -----

func.func @f(%f: f32) {
  // CHECK: cannot print both a value and a string literal
  "vector.print"(%f) <{punctuation = #vector.punctuation<newline>, stringLiteral = "a"}> : (f32) -> ()
  return
}

// -----

func.func @more_dimensions_than_the_buffer(%m: memref<4xf32>, %i: index) {
  // CHECK: memref has lower rank than the vector: 'memref<4xf32>' and 'vector<2x2xf32>'
  %0 = vector.load %m[%i] : memref<4xf32>, vector<2x2xf32>
  return
}

// -----

func.func @a_buffer_of_one_number(%m: memref<f32>, %v: vector<4xf32>) {
  // CHECK: memref has lower rank than the vector: 'memref<f32>' and 'vector<4xf32>'
  vector.store %v, %m[] : memref<f32>, vector<4xf32>
  return
}

// -----

func.func @an_iterator_of_no_factor(%a: vector<4x5xf32>, %b: vector<5xf32>, %c: vector<4xf32>) {
  // CHECK: expected all dimensions to be either a LHS or a RHS dimension
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i)>], iterator_types = ["parallel", "reduction", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x5xf32>, vector<5xf32> into vector<4xf32>
  return
}

// -----

func.func @nothing_is_contracted(%a: vector<4x5xf32>, %b: vector<4xf32>, %c: vector<4xf32>) {
  // CHECK: expected at least one contracting dimension pair
  %0 = vector.contract {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x5xf32>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @only_rows_are_scalable(%a: vector<[4]xf32>, %b: vector<3xf32>) {
  // CHECK: expected either both or only #2 operand dim to be scalable: 'vector<[4]xf32>' and 'vector<3xf32>'
  %0 = vector.outerproduct %a, %b : vector<[4]xf32>, vector<3xf32>
  return
}

// -----

func.func @known_sizes_for_scalable_ones(%a: vector<1x2xi32>, %b: vector<4x[4]xi32>) {
  // CHECK: mismatching scalable flags (at source vector idx=1)
  %0 = vector.insert_strided_slice %a, %b {offsets = [0, 0], strides = [1, 1]} : vector<1x2xi32> into vector<4x[4]xi32>
  return
}

// -----

func.func @a_part_of_a_scalable_dimension(%a: vector<1x[2]xi32>, %b: vector<4x[4]xi32>) {
  // CHECK: expected size at idx=1 to match the corresponding base size from the input vector (2 vs 4)
  %0 = vector.insert_strided_slice %a, %b {offsets = [0, 0], strides = [1, 1]} : vector<1x[2]xi32> into vector<4x[4]xi32>
  return
}

// -----

func.func @a_mask_of_no_dimension(%mask: vector<i1>) {
  // CHECK: operand #0 must be vector of 1-bit signless integer values, but got 'vector<i1>'
  vector.mask %mask { vector.yield } : vector<i1>
  return
}
