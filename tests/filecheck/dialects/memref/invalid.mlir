// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: memref layout mismatch between rank and affine map: 1 != 2
func.func private @f(memref<4xf32, affine_map<(d0,d1)->(d0)>>)

// -----

// CHECK: memref layout mismatch between rank and affine map: 2 != 1
func.func private @f(memref<1024x64xf32, affine_map<(d0) -> (d0)>, 1>)

// -----

// CHECK: expected the number of strides to match the rank
func.func private @f(memref<4x4xf32, strided<[1]>>)

// -----

// CHECK: unsupported memory space Attribute
func.func private @f(memref<4xf32, f32>)

// -----

// CHECK: invalid memref element type
func.func private @f(memref<4xtensor<4xf32>>)

// -----

// CHECK: unsupported memory space Attribute
func.func private @f(memref<4xf32, [1]>)

// -----

// CHECK: invalid memref element type
func.func private @f(memref<*xtensor<f32>>)

// -----

// CHECK: unsupported memory space Attribute
func.func private @f(memref<*xf32, f32>)

// -----

// CHECK: Expected a MemRef layout attribute
func.func private @f(memref<4xf32, 1, strided<[1]>>)

// -----

// CHECK: invalid memref element type
func.func private @f(memref<4x() -> f32>)

// -----

// CHECK: invalid memref element type
func.func private @f(memref<4xtuple<f32>>)

// -----

// CHECK: incorrect number of indices for load, expected 2 but got 1
func.func @load(%m: memref<4x4xf32>, %i: index) {
  %0 = memref.load %m[%i] : memref<4x4xf32>
  return
}

// -----

// CHECK: attribute f32 expected from variable 'T', but got f64
func.func @load(%m: memref<4xf32>, %i: index) {
  %0 = "memref.load"(%m, %i) : (memref<4xf32>, index) -> f64
  return
}

// -----

// CHECK: memref<*xf32> should be of base attribute memref
func.func @load(%m: memref<*xf32>, %i: index) {
  %0 = memref.load %m[%i] : memref<*xf32>
  return
}

// -----

// CHECK: attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value
func.func @load(%m: memref<4xf32>, %i: index) {
  %0 = memref.load %m[%i] {alignment = 3 : i64} : memref<4xf32>
  return
}

// -----

// CHECK: Expected attribute i1 but got i32
func.func @load(%m: memref<4xf32>, %i: index) {
  %0 = memref.load %m[%i] {nontemporal = 1 : i32} : memref<4xf32>
  return
}

// -----

// CHECK: Expected attribute index but got i32
func.func @load(%m: memref<4xf32>, %i: i32) {
  %0 = "memref.load"(%m, %i) : (memref<4xf32>, i32) -> f32
  return
}

// -----

// CHECK: incorrect number of indices for store, expected 2 but got 1
func.func @store(%m: memref<4x4xf32>, %i: index, %f: f32) {
  memref.store %f, %m[%i] : memref<4x4xf32>
  return
}

// -----

// CHECK: attribute f64 expected from variable 'T', but got f32
func.func @store(%m: memref<4xf32>, %i: index, %f: f64) {
  "memref.store"(%f, %m, %i) : (f64, memref<4xf32>, index) -> ()
  return
}

// -----

// CHECK: incorrect number of dynamic sizes, has 0, expected 1
func.func @alloc(%i: index) {
  %0 = memref.alloc() : memref<?xf32>
  return
}

// -----

// CHECK: symbol operand count does not equal memref symbol count: expected 0, got 1
func.func @alloc(%i: index) {
  %0 = memref.alloc()[%i] : memref<4xf32>
  return
}

// -----

// CHECK: symbol operand count does not equal memref symbol count: expected 1, got 0
func.func @alloc(%i: index) {
  %0 = memref.alloc() : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  return
}

// -----

// CHECK: symbol operand count does not equal memref symbol count: expected 1, got 0
func.func @alloc(%i: index) {
  %0 = memref.alloc() : memref<4xf32, strided<[1], offset: ?>>
  return
}

// -----

// CHECK: f32 should be of base attribute memref
func.func @alloc(%i: index) {
  %0 = memref.alloc() : f32
  return
}

// -----

// CHECK: symbol operand count does not equal memref symbol count: expected 0, got 1
func.func @alloca(%i: index) {
  %0 = memref.alloca()[%i] : memref<4xf32>
  return
}

// -----

// CHECK: requires an ancestor op with AutomaticAllocationScope trait
%0 = memref.alloca() : memref<4xf32>

// -----

// CHECK: missing dimension operand for result type memref<?xf32>
func.func @realloc(%m: memref<4xf32>) {
  %0 = memref.realloc %m : memref<4xf32> to memref<?xf32>
  return
}

// -----

// CHECK: unnecessary dimension operand for result type memref<8xf32>
func.func @realloc(%m: memref<4xf32>, %i: index) {
  %0 = memref.realloc %m(%i) : memref<4xf32> to memref<8xf32>
  return
}

// -----

// CHECK: different element types specified for source memref type memref<4xf32> and result memref type
func.func @realloc(%m: memref<4xf32>) {
  %0 = memref.realloc %m : memref<4xf32> to memref<8xf64>
  return
}

// -----

// CHECK: different memory spaces specified for source memref type memref<4xf32> and result memref type
func.func @realloc(%m: memref<4xf32>) {
  %0 = memref.realloc %m : memref<4xf32> to memref<8xf32, 1>
  return
}

// -----

// CHECK: unsupported layout for source memref type memref<4xf32, strided<[2]>>
func.func @realloc(%m: memref<4xf32, strided<[2]>>) {
  %0 = memref.realloc %m : memref<4xf32, strided<[2]>> to memref<8xf32>
  return
}

// -----

// CHECK: result must be 1D memref, but got memref<2x4xf32>
func.func @realloc(%m: memref<4xf32>) {
  %0 = memref.realloc %m : memref<4xf32> to memref<2x4xf32>
  return
}

// -----

// CHECK: attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value
func.func @realloc(%m: memref<4xf32>) {
  %0 = memref.realloc %m {alignment = -2 : i64} : memref<4xf32> to memref<8xf32>
  return
}

// -----

// CHECK: returns (f32), but its scope has results of types (f64)
func.func @scope(%f: f32) {
  %0 = memref.alloca_scope -> (f64) {
    memref.alloca_scope.return %f : f32
  }
  return
}

// -----

// CHECK: returns (), but its scope has results of types (f32)
func.func @scope(%f: f32) {
  %0 = memref.alloca_scope -> (f32) {
    memref.alloca_scope.return
  }
  return
}

// -----

// CHECK: 'memref.alloca_scope.return' expects parent op 'memref.alloca_scope'
func.func @scope(%f: f32) {
  memref.alloca_scope.return
}

// -----

// CHECK: region should have no arguments
func.func @scope(%f: f32) {
  "memref.alloca_scope"() ({
  ^bb0(%x: f32):
    memref.alloca_scope.return
  }) : () -> ()
  return
}

// -----

// CHECK: Region 'scope' at position 0 expected a single block, but got 2 blocks
func.func @scope(%f: f32) {
  "memref.alloca_scope"() ({
    cf.br ^bb1
  ^bb1:
    memref.alloca_scope.return
  }) : () -> ()
  return
}

// -----

// CHECK: Region 'scope' at position 0 expected a single block, but got 0 blocks
func.func @scope(%f: f32) {
  "memref.alloca_scope"() ({
  }) : () -> ()
  return
}

// -----

// CHECK: alignment must be positive and a power of 2, but got 3
func.func @assume(%m: memref<4xf32>) {
  %0 = memref.assume_alignment %m, 3 : memref<4xf32>
  return
}

// -----

// CHECK: attribute memref<4xf32> expected from variable 'T', but got memref<?xf32>
func.func @assume(%m: memref<4xf32>) {
  %0 = "memref.assume_alignment"(%m) {alignment = 4 : i32} : (memref<4xf32>) -> memref<?xf32>
  return
}

// -----

// CHECK: with kind 'addf' expects a floating-point type, but got i32
func.func @rmw(%m: memref<4xi32>, %i: index, %v: i32) {
  %0 = memref.atomic_rmw addf %v, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}

// -----

// CHECK: with kind 'addi' expects an integer type, but got f32
func.func @rmw(%m: memref<4xf32>, %i: index, %v: f32) {
  %0 = memref.atomic_rmw addi %v, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}

// -----

// CHECK: expected string or keyword containing one of the following enum values for attribute 'kind' [addf,
func.func @rmw(%m: memref<4xf32>, %i: index, %v: f32) {
  %0 = memref.atomic_rmw plus %v, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}

// -----

// CHECK: incorrect number of indices for atomic_rmw, expected 2 but got 1
func.func @rmw(%m: memref<4x4xf32>, %i: index, %v: f32) {
  %0 = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<4x4xf32>) -> f32
  return
}

// -----

// CHECK: attribute f64 expected from variable 'T', but got f32
func.func @rmw(%m: memref<4xf32>, %i: index, %v: f64) {
  %0 = memref.atomic_rmw addf %v, %m[%i] : (f64, memref<4xf32>) -> f64
  return
}

// -----

// CHECK: Unexpected attribute index
func.func @rmw(%m: memref<4xindex>, %i: index) {
  %0 = memref.atomic_rmw addi %i, %m[%i] : (index, memref<4xindex>) -> index
  return
}

// -----

// CHECK: attribute 'kind' failed to satisfy constraint: allowed 64-bit signless integer cases: 0 to 15, but
func.func @rmw(%m: memref<4xf32>, %i: index, %v: f32) {
  %0 = "memref.atomic_rmw"(%v, %m, %i) {kind = 42 : i64} : (f32, memref<4xf32>, index) -> f32
  return
}

// -----

// MLIR accepts: it does not compare the number of indices with the rank
// CHECK: incorrect number of indices for generic_atomic_rmw, expected 2 but got 1
func.func @generic_rmw(%m: memref<4x4xf32>, %i: index) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4x4xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %old : f32
  }
  return
}

// -----

// CHECK: types mismatch between yield op: f64 and its parent: f32
func.func @generic_rmw(%m: memref<4xf32>, %i: index) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%old: f64):
    memref.atomic_yield %old : f64
  }
  return
}

// -----

// CHECK: types mismatch between yield op: f64 and its parent: f32
func.func @generic_rmw(%m: memref<4xf32>, %i: index, %v: f64) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %v : f64
  }
  return
}

// -----

// CHECK: expected single number of entry block arguments
func.func @generic_rmw(%m: memref<4xf32>, %i: index, %v: f32) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%old: f32, %more: f32):
    memref.atomic_yield %v : f32
  }
  return
}

// -----

// CHECK: body should contain only operations with no side effects, but contains 'memref.store'
func.func @generic_rmw(%m: memref<4xf32>, %i: index, %v: f32) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%old: f32):
    memref.store %v, %m[%i] : memref<4xf32>
    memref.atomic_yield %v : f32
  }
  return
}

// -----

// CHECK: types mismatch between yield op: f32 and its parent: f64
func.func @generic_rmw(%m: memref<4xf32>, %i: index, %v: f32) {
  %0 = "memref.generic_atomic_rmw"(%m, %i) ({
  ^bb0(%old: f32):
    memref.atomic_yield %v : f32
  }) : (memref<4xf32>, index) -> f64
  return
}

// -----

// CHECK: Unexpected attribute vector<4xf32>
func.func @generic_rmw(%m: memref<4xvector<4xf32>>, %i: index) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xvector<4xf32>> {
  ^bb0(%old: vector<4xf32>):
    memref.atomic_yield %old : vector<4xf32>
  }
  return
}

// -----

// CHECK: 'memref.atomic_yield' expects parent op 'memref.generic_atomic_rmw'
func.func @yield(%v: f32) {
  memref.atomic_yield %v : f32
}

// -----

// CHECK: incorrect number of indices for prefetch, expected 2 but got 1
func.func @prefetch(%m: memref<4x4xf32>, %i: index) {
  memref.prefetch %m[%i], read, locality<3>, data : memref<4x4xf32>
  return
}

// -----

// CHECK: attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose
func.func @prefetch(%m: memref<4xf32>, %i: index) {
  memref.prefetch %m[%i], read, locality<5>, data : memref<4xf32>
  return
}

// -----

// CHECK: rw specifier has to be 'read' or 'write'
func.func @prefetch(%m: memref<4xf32>, %i: index) {
  memref.prefetch %m[%i], load, locality<3>, data : memref<4xf32>
  return
}

// -----

// CHECK: cache type has to be 'instr' or 'data'
func.func @prefetch(%m: memref<4xf32>, %i: index) {
  memref.prefetch %m[%i], read, locality<3>, both : memref<4xf32>
  return
}

// -----

// CHECK: attributes ('memref<4xf32>',) expected from range variable 'T', but got ('memref<?xf32>',)
func.func @objects(%m: memref<4xf32>) {
  %0 = "memref.distinct_objects"(%m) : (memref<4xf32>) -> memref<?xf32>
  return
}

// -----

// CHECK: expected at least one operand
func.func @objects() {
  "memref.distinct_objects"() : () -> ()
  return
}

// -----

// CHECK: Unexpected attribute f32
func.func @reshape(%m: memref<4xf32>, %s: memref<2xf32>) {
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xf32>) -> memref<?x?xf32>
  return
}

// -----

// CHECK: element types of source and destination memref types should be the same, but got memref<4xf32> and
func.func @reshape(%m: memref<4xf32>, %s: memref<2xi32>) {
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xi32>) -> memref<?x?xf64>
  return
}

// -----

// CHECK: cannot use shape operand with dynamic length to reshape to statically-ranked memref type
func.func @reshape(%m: memref<4xf32>, %s: memref<?xi32>) {
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<?xi32>) -> memref<?x?xf32>
  return
}

// -----

// CHECK: length of shape operand differs from the result's memref rank: 3 and 2
func.func @reshape(%m: memref<4xf32>, %s: memref<3xi32>) {
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<3xi32>) -> memref<?x?xf32>
  return
}

// -----

// CHECK: source memref type should have identity affine map, but got memref<4xf32, strided<[2]>>
func.func @reshape(%m: memref<4xf32, strided<[2]>>, %s: memref<2xi32>) {
  %0 = memref.reshape %m(%s) : (memref<4xf32, strided<[2]>>, memref<2xi32>) -> memref<?x?xf32>
  return
}

// -----

// CHECK: result memref type should have identity affine map, but got memref<?x?xf32, strided<[2, 1]>>
func.func @reshape(%m: memref<4xf32>, %s: memref<2xi32>) {
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xi32>) -> memref<?x?xf32, strided<[2, 1]>>
  return
}

// -----

// CHECK: shape must be 1D memref, but got memref<2x2xi32>
func.func @reshape(%m: memref<4xf32>, %s: memref<2x2xi32>) {
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2x2xi32>) -> memref<?x?xf32>
  return
}

// -----

// CHECK: expected a permutation map, but got (d0, d1) -> (d0, d0)
func.func @transpose(%m: memref<2x3xf32>) {
  %0 = memref.transpose %m (i, j) -> (i, i) : memref<2x3xf32> to memref<2x2xf32>
  return
}

// -----

// CHECK: result type memref<3x2xf32> is not equivalent to the canonical transposed input type
func.func @transpose(%m: memref<2x3xf32>) {
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<2x3xf32> to memref<3x2xf32>
  return
}

// -----

// CHECK: expected a permutation map of same rank as the input, but got (d0) -> (d0) for memref<2x3xf32>
func.func @transpose(%m: memref<2x3xf32>) {
  %0 = memref.transpose %m (i) -> (i) : memref<2x3xf32> to memref<2x3xf32>
  return
}

// -----

// CHECK: Expected attribute i8 but got f32
func.func @view(%m: memref<16xf32>, %i: index) {
  %0 = memref.view %m[%i][] : memref<16xf32> to memref<4xf32>
  return
}

// -----

// CHECK: source must be 1D memref of 8-bit signless integer values, but got memref<4x4xi8>
func.func @view(%m: memref<4x4xi8>, %i: index) {
  %0 = memref.view %m[%i][] : memref<4x4xi8> to memref<4xf32>
  return
}

// -----

// CHECK: unsupported map for base memref type memref<16xi8, strided<[2]>>
func.func @view(%m: memref<16xi8, strided<[2]>>, %i: index) {
  %0 = memref.view %m[%i][] : memref<16xi8, strided<[2]>> to memref<4xf32>
  return
}

// -----

// CHECK: unsupported map for result memref type memref<4xf32, strided<[2]>>
func.func @view(%m: memref<16xi8>, %i: index) {
  %0 = memref.view %m[%i][] : memref<16xi8> to memref<4xf32, strided<[2]>>
  return
}

// -----

// CHECK: different memory spaces specified for base memref type memref<16xi8> and view memref type
func.func @view(%m: memref<16xi8>, %i: index) {
  %0 = memref.view %m[%i][] : memref<16xi8> to memref<4xf32, 1>
  return
}

// -----

// CHECK: incorrect number of dynamic sizes, has 0, expected 1
func.func @view(%m: memref<16xi8>, %i: index) {
  %0 = memref.view %m[%i][] : memref<16xi8> to memref<?xf32>
  return
}

// -----

// CHECK: operand type memref<4xf32> and result type memref<5xf32> are cast incompatible
func.func @cast(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<5xf32>
  return
}

// -----

// CHECK: operand type memref<4xf32> and result type memref<4xi32> are cast incompatible
func.func @cast(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<4xi32>
  return
}

// -----

// CHECK: operand type memref<4xf32> and result type memref<4xf32, 1 : i64> are cast incompatible
func.func @cast(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<4xf32, 1>
  return
}

// -----

// CHECK: operand type memref<4x4xf32> and result type memref<4x4xf32, strided<[8, 1]>> are cast incompatible
func.func @cast(%m: memref<4x4xf32>) {
  %0 = memref.cast %m : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1]>>
  return
}

// -----

// CHECK: operand type memref<4xf32> and result type memref<2x2xf32> are cast incompatible
func.func @cast(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<2x2xf32>
  return
}

// -----

// CHECK: operand type memref<*xf32> and result type memref<*xf32> are cast incompatible
func.func @cast(%m: memref<*xf32>) {
  %0 = memref.cast %m : memref<*xf32> to memref<*xf32>
  return
}

// -----

// CHECK: operand type memref<4xf32, affine_map<(d0) -> ((d0 floordiv 2), (d0 mod 2))>> and result type
func.func @cast(%m: memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) {
  %0 = memref.cast %m : memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>> to memref<4xf32>
  return
}

// -----

// CHECK: Unexpected attribute tensor<4xf32>
func.func @cast(%m: tensor<4xf32>) {
  %0 = memref.cast %m : tensor<4xf32> to memref<4xf32>
  return
}

// -----

// CHECK: operand type memref<4xf32> and result type memref<5xf32, 1 : i64> are cast incompatible
func.func @space(%m: memref<4xf32>) {
  %0 = memref.memory_space_cast %m : memref<4xf32> to memref<5xf32, 1>
  return
}

// -----

// CHECK: operand type memref<4xf32> and result type memref<?xf32, 1 : i64> are cast incompatible
func.func @space(%m: memref<4xf32>) {
  %0 = memref.memory_space_cast %m : memref<4xf32> to memref<?xf32, 1>
  return
}

// -----

// CHECK: operand type memref<4xf32> and result type memref<4xf32, strided<[2]>, 1 : i64> are cast incompatible
func.func @space(%m: memref<4xf32>) {
  %0 = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, strided<[2]>, 1>
  return
}

// -----

// CHECK: operand type memref<4xf32> and result type memref<*xf32, 1 : i64> are cast incompatible
func.func @space(%m: memref<4xf32>) {
  %0 = memref.memory_space_cast %m : memref<4xf32> to memref<*xf32, 1>
  return
}

// -----

// CHECK: requires the same shape for all operands, but got memref<4xf32> and memref<5xf32>
func.func @copy(%m: memref<4xf32>, %n: memref<5xf32>) {
  memref.copy %m, %n : memref<4xf32> to memref<5xf32>
  return
}

// -----

// CHECK: requires the same element type for all operands, but got memref<4xf32> and memref<4xf64>
func.func @copy(%m: memref<4xf32>, %n: memref<4xf64>) {
  memref.copy %m, %n : memref<4xf32> to memref<4xf64>
  return
}

// -----

// CHECK: Expected attribute index but got i32
func.func @dim(%m: memref<4xf32>) {
  %c = arith.constant 0 : i32
  %0 = "memref.dim"(%m, %c) : (memref<4xf32>, i32) -> index
  return
}

// -----

// CHECK: source must be unranked.memref of any type values or non-0-ranked.memref of any type values, but
func.func @dim(%m: memref<f32>, %i: index) {
  %0 = memref.dim %m, %i : memref<f32>
  return
}

// -----

// CHECK: Unexpected attribute tensor<4xf32>
func.func @rank(%m: tensor<4xf32>) {
  %0 = memref.rank %m : tensor<4xf32>
  return
}

// -----

// CHECK: Unexpected attribute f32
func.func @dealloc(%m: f32) {
  memref.dealloc %m : f32
  return
}

// -----

// CHECK: Expected attribute index but got i64
func.func @pointer(%m: memref<4xf32>) {
  %0 = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> i64
  return
}

// -----

// CHECK: inferred type(s) memref<f32>, index, index, index are incompatible with return type(s) of operation
func.func @metadata(%m: memref<4xf32>) {
  %0:4 = memref.extract_strided_metadata %m : memref<4xf32> -> memref<f64>, index, index, index
  return
}

// -----

// CHECK: source must be strided memref of any type values, but got memref<4xf32, affine_map<(d0) -> ((d0 mod
func.func @metadata(%m: memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>) {
  %0:4 = memref.extract_strided_metadata %m : memref<4xf32, affine_map<(d0) -> (d0 mod 2)>> -> memref<f32>, index, index, index
  return
}

// -----

// CHECK: type should be static shaped memref, but got memref<?xf32>
memref.global "public" @g : memref<2xf32> = dense<1.0>
memref.global @h : memref<?xf32>

// -----

// CHECK: Shape mismatch in dense literal. Expected [2] shape from the type, but got [3] shape.
memref.global @h : memref<2xf32> = dense<[1.0, 2.0, 3.0]>

// -----

// CHECK: Expected 'dense'
memref.global @h : memref<2xf32> = 1

// -----

// CHECK: initial value expected to be of type tensor<2xf32>, but was of type tensor<3xf32>
"memref.global"() <{sym_name = "g", type = memref<2xf32>, initial_value = dense<1.0> : tensor<3xf32>}> : () -> ()

// -----

// CHECK: initial value element expected to be of type f32, but was of type i32
"memref.global"() <{sym_name = "g", type = memref<2xf32>, initial_value = dense<1> : tensor<2xi32>}> : () -> ()

// -----

// CHECK: Unexpected attribute 1.000000e+00 : f32
"memref.global"() <{sym_name = "g", type = memref<2xf32>, initial_value = 1.0 : f32}> : () -> ()

// -----

// CHECK: attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value
memref.global @g : memref<2xf32> = dense<1.0> {alignment = 3 : i64}

// -----

// CHECK: visibility expected to be one of public, private, nested, but got other
memref.global "other" @g : memref<2xf32> = dense<1.0>

// -----

// CHECK: 'missing' does not reference a valid global memref
func.func @get() {
  %0 = memref.get_global @missing : memref<2xf32>
  return
}

// -----

// CHECK: result type memref<3xf32> does not match type memref<2xf32> of the global memref @g
memref.global @g : memref<2xf32>
func.func @get() {
  %0 = memref.get_global @g : memref<3xf32>
  return
}

// -----

// CHECK: 'get' does not reference a valid global memref
func.func @get() {
  %0 = memref.get_global @get : memref<3xf32>
  return
}

// -----

// CHECK: expected destination to be of memref type, after as many indices as the buffer before it has
func.func @dma(%m: memref<4xf32>, %n: memref<4xf32, 1>, %t: memref<1xi32>, %i: index) {
  memref.dma_start %m[%i, %i], %n[%i], %i, %t[%i] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  return
}

// -----

// CHECK: expected tag to be of memref type, after as many indices as the buffer before it has dimensions
func.func @dma(%m: memref<4xf32>, %n: memref<4xf32, 1>, %t: memref<1xi32>, %i: index) {
  memref.dma_start %m[%i], %n[%i, %i], %i, %t[%i] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  return
}

// -----

// CHECK: incorrect number of operands: expected two stride related operands or none after the tag, but got 1
func.func @dma(%m: memref<4xf32>, %n: memref<4xf32, 1>, %t: memref<1xi32>, %i: index) {
  memref.dma_start %m[%i], %n[%i], %i, %t[%i, %i] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  return
}

// -----

// CHECK: expected two stride related operands
func.func @dma(%m: memref<4xf32>, %n: memref<4xf32, 1>, %t: memref<1xi32>, %i: index) {
  memref.dma_start %m[%i], %n[%i], %i, %t[%i], %i : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  return
}

// -----

// CHECK: expected the types of the source, the destination and the tag, but got 2 types
func.func @dma(%m: memref<4xf32>, %n: memref<4xf32, 1>, %t: memref<1xi32>, %i: index) {
  memref.dma_start %m[%i], %n[%i], %i, %t[%i] : memref<4xf32>, memref<4xf32, 1>
  return
}

// -----

// CHECK: expected source to be of memref type, after as many indices as the buffer before it has dimensions
func.func @dma(%m: memref<4xf32>, %n: memref<4xf32, 1>, %t: memref<1xi32>, %i: index) {
  "memref.dma_start"() : () -> ()
  return
}

// -----

// CHECK: expected source indices to be of index type, but got i32
func.func @dma(%m: memref<4xf32>, %n: memref<4xf32, 1>, %t: memref<1xi32>, %i: index, %w: i32) {
  "memref.dma_start"(%m, %w, %n, %i, %i, %t, %i) : (memref<4xf32>, i32, memref<4xf32, 1>, index, index, memref<1xi32>, index) -> ()
  return
}

// -----

// CHECK: incorrect number of indices for dma_wait, expected 1 but got 2
func.func @wait(%t: memref<1xi32>, %i: index) {
  memref.dma_wait %t[%i, %i], %i : memref<1xi32>
  return
}

// -----

// CHECK: expected result type to be memref<4x4xf32, strided<[16, 1]>> or a rank-reduced version. (mismatch
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32>
  return
}

// -----

// CHECK: expected result type to be memref<4x4xf32, strided<[16, 1]>> or a rank-reduced version. (mismatch
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: 3>>
  return
}

// -----

// CHECK: expected result type to be memref<4x4xf32, strided<[16, 1]>> or a rank-reduced version. (mismatch
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x5xf32, strided<[16, 1]>>
  return
}

// -----

// CHECK: expected result element type to be f32, but got memref<4x4xf64, strided<[16, 1]>>
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf64, strided<[16, 1]>>
  return
}

// -----

// CHECK: different memory spaces specified for base memref type memref<8x16xf32> and subview memref type
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1]>, 2>
  return
}

// -----

// CHECK: expected result type to be memref<1x4xf32, strided<[16, 1]>> or a rank-reduced version. (mismatch
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<8x16xf32> to memref<4xf32, strided<[2]>>
  return
}

// -----

// CHECK: expected result rank to be smaller or equal to the source rank, but got memref<1x4x1xf32>
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<8x16xf32> to memref<1x4x1xf32>
  return
}

// -----

// CHECK: expected 2 offset values, got 1
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0] [1] [1] : memref<8x16xf32> to memref<1xf32>
  return
}

// -----

// CHECK: expected mixed sizes rank to match mixed strides rank (2 vs 1) so the rank of the result type is
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [1, 4] [1] : memref<8x16xf32> to memref<1xf32>
  return
}

// -----

// CHECK: expected sizes to be non-negative, but got -4
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [1, -4] [1, 1] : memref<8x16xf32> to memref<1x?xf32>
  return
}

// -----

// CHECK: expected offsets to be non-negative, but got -1
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[-1, 0] [1, 4] [1, 1] : memref<8x16xf32> to memref<1x4xf32, strided<[16,1], offset: -16>>
  return
}

// -----

// CHECK: offset 0 is out-of-bounds: 9 >= 8
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[9, 0] [1, 4] [1, 1] : memref<8x16xf32> to memref<1x4xf32, strided<[16,1], offset: 144>>
  return
}

// -----

// CHECK: slice along dimension 0 runs out-of-bounds: 8 >= 8
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[4, 0] [5, 4] [1, 1] : memref<8x16xf32> to memref<5x4xf32, strided<[16,1], offset: 64>>
  return
}

// -----

// CHECK: offset 0 is out-of-bounds: 8 >= 8
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[8, 0] [0, 4] [1, 1] : memref<8x16xf32> to memref<0x4xf32, strided<[16,1], offset: 128>>
  return
}

// -----

// CHECK: expected result type to be memref<4x4xf32, strided<[16, 1], offset: ?>> or a rank-reduced version.
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, %i] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1]>>
  return
}

// -----

// CHECK: expected result type to be memref<4x4xf32, strided<[16, 1]>> or a rank-reduced version. (mismatch
func.func @s(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  return
}

// -----

// CHECK: base type memref<8x16xf32, affine_map<(d0, d1) -> ((d0 mod 2), d1)>> is not strided
func.func @s(%m: memref<8x16xf32, affine_map<(d0, d1) -> (d0 mod 2, d1)>>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32, affine_map<(d0, d1) -> (d0 mod 2, d1)>> to memref<4x4xf32>
  return
}

// -----

// CHECK: expected result type to be memref<?x4xf32, strided<[?, 1]>> or a rank-reduced version. (mismatch of
func.func @s(%m: memref<?x?xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [%i, 4] [1, 1] : memref<?x?xf32> to memref<4xf32, strided<[1]>>
  return
}

// -----

// CHECK: expected the number of 'offsets' to match the number of dynamic entries in 'static_offsets' (2 vs 1)
func.func @s(%m: memref<8xf32>, %i: index) {
  %0 = "memref.subview"(%m, %i, %i) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (memref<8xf32>, index, index) -> memref<1xf32, strided<[1], offset: ?>>
  return
}

// -----

// CHECK: expected result type with size = 2 instead of 3 in dim = 1
func.func @r(%m: memref<8xf32>, %i: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 2], strides: [2, 1] : memref<8xf32> to memref<4x3xf32>
  return
}

// -----

// CHECK: expected result type with stride = 3 instead of 2 in dim = 0
func.func @r(%m: memref<8xf32>, %i: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 2], strides: [3, 1] : memref<8xf32> to memref<4x2xf32>
  return
}

// -----

// CHECK: expected result type with offset = 1 instead of 0
func.func @r(%m: memref<8xf32>, %i: index) {
  %0 = memref.reinterpret_cast %m to offset: [1], sizes: [4, 2], strides: [2, 1] : memref<8xf32> to memref<4x2xf32>
  return
}

// -----

// CHECK: expected 1 offset values, got 2
func.func @r(%m: memref<8xf32>, %i: index) {
  %0 = memref.reinterpret_cast %m to offset: [1, 1], sizes: [4, 2], strides: [2, 1] : memref<8xf32> to memref<4x2xf32>
  return
}

// -----

// CHECK: different element types specified for source type memref<8xf32> and result memref type
func.func @r(%m: memref<8xf32>, %i: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 2], strides: [2, 1] : memref<8xf32> to memref<4x2xf64>
  return
}

// -----

// CHECK: different memory spaces specified for source type memref<8xf32> and result memref type
func.func @r(%m: memref<8xf32>, %i: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 2], strides: [2, 1] : memref<8xf32> to memref<4x2xf32, 1>
  return
}

// -----

// CHECK: expected result type with size = dynamic instead of 4 in dim = 0
func.func @r(%m: memref<8xf32>, %i: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [%i, 2], strides: [2, 1] : memref<8xf32> to memref<4x2xf32>
  return
}

// -----

// CHECK: expected result type with offset = dynamic instead of 0
func.func @r(%m: memref<8xf32>, %i: index) {
  %0 = memref.reinterpret_cast %m to offset: [%i], sizes: [4, 2], strides: [2, 1] : memref<8xf32> to memref<4x2xf32>
  return
}

// -----

// CHECK: expected result type with stride = dynamic instead of 2 in dim = 0
func.func @r(%m: memref<8xf32>, %i: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 2], strides: [%i, 1] : memref<8xf32> to memref<4x2xf32>
  return
}

// -----

// CHECK: result must be strided memref of any type values, but got memref<4x2xf32, affine_map<(d0, d1) ->
func.func @r(%m: memref<8xf32>, %i: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 2], strides: [2, 1] : memref<8xf32> to memref<4x2xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>
  return
}

// -----

// CHECK: expected sizes to be non-negative, but got -2
func.func @r(%m: memref<8xf32>, %i: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, -2], strides: [2, 1] : memref<8xf32> to memref<4x?xf32>
  return
}

// -----

// CHECK: memref<*xf32> should be of base attribute memref
func.func @r(%m: memref<8xf32>, %i: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 2], strides: [2, 1] : memref<8xf32> to memref<*xf32>
  return
}

// -----

// CHECK: collapsed dim size (8) must equal reassociation group size (10)
func.func @e(%m: memref<8xf32>, %i: index) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 5] : memref<8xf32> into memref<2x5xf32>
  return
}

// -----

// CHECK: invalid output shape provided at pos 0
func.func @e(%m: memref<8xf32>, %i: index) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<4x2xf32>
  return
}

// -----

// CHECK: invalid number of reassociation groups: found 2, expected 1
func.func @e(%m: memref<8xf32>, %i: index) {
  %0 = memref.expand_shape %m [[0], [1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  return
}

// -----

// CHECK: All inner arrays must be contiguous: {{\[\[}}0 : i64, 2 : i64{{\]\]}}
func.func @e(%m: memref<8xf32>, %i: index) {
  %0 = memref.expand_shape %m [[0, 2]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  return
}

// -----

// CHECK: reassociation index 2 is out of bounds
func.func @e(%m: memref<8xf32>, %i: index) {
  %0 = memref.expand_shape %m [[0, 1, 2]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  return
}

// -----

// CHECK: expected number of static shape bounds to be equal to the output rank (2) but found 1 inputs instead
func.func @e(%m: memref<8xf32>, %i: index) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2] : memref<8xf32> into memref<2x4xf32>
  return
}

// -----

// CHECK: collapsed dim (0) must be dynamic if and only if reassociation group is dynamic
func.func @e(%m: memref<8xf32>, %i: index) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, %i] : memref<8xf32> into memref<2x?xf32>
  return
}

// -----

// CHECK: expected expanded type to be memref<2x4xf32, strided<[8, 2]>> but found memref<2x4xf32>
func.func @e(%m: memref<8xf32, strided<[2]>>, %i: index) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32, strided<[2]>> into memref<2x4xf32>
  return
}

// -----

// CHECK: expected expanded type to be memref<2x4xf32> but found memref<2x4xf64>
func.func @e(%m: memref<8xf32>, %i: index) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf64>
  return
}

// -----

// CHECK: rank 0 memrefs can only be extended/collapsed with/from ones
func.func @e(%m: memref<f32>, %i: index) {
  %0 = memref.expand_shape %m [] output_shape [1, 2] : memref<f32> into memref<1x2xf32>
  return
}

// -----

// CHECK: has source rank 2 and result rank 1. This is not an expansion (2 > 1).
func.func @e(%m: memref<2x4xf32>, %i: index) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [8] : memref<2x4xf32> into memref<8xf32>
  return
}

// -----

// CHECK: source must be strided memref of any type values, but got memref<4x4xf32, affine_map<(d0, d1) ->
func.func @e(%m: memref<4x4xf32, affine_map<(i,j)->(i mod 2, j)>>, %i: index) {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 4] : memref<4x4xf32, affine_map<(i,j)->(i mod 2, j)>> into memref<2x2x4xf32>
  return
}

// -----

// CHECK: collapsed dim size (9) must equal reassociation group size (8)
func.func @c(%m: memref<2x4xf32>) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32> into memref<9xf32>
  return
}

// -----

// CHECK: collapsed dim (0) must be dynamic if and only if reassociation group is dynamic
func.func @c(%m: memref<2x4xf32>) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32> into memref<?xf32>
  return
}

// -----

// CHECK: invalid source layout map or collapsing non-contiguous dims
func.func @c(%m: memref<2x4xf32, strided<[8, 1]>>) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32, strided<[8, 1]>> into memref<8xf32>
  return
}

// -----

// CHECK: expected collapsed type to be memref<8xf32, strided<[1], offset: 2>> but found memref<8xf32>
func.func @c(%m: memref<2x4xf32, strided<[4, 1], offset: 2>>) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32, strided<[4, 1], offset: 2>> into memref<8xf32>
  return
}

// -----

// CHECK: rank 0 memrefs can only be extended/collapsed with/from ones
func.func @c(%m: memref<2x4xf32>) {
  %0 = memref.collapse_shape %m [] : memref<2x4xf32> into memref<f32>
  return
}

// -----

// CHECK: has source rank 1 and result rank 2. This is not a collapse (1 < 2).
func.func @c(%m: memref<8xf32>) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<8xf32> into memref<2x4xf32>
  return
}
