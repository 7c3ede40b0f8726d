// RUN: xdsl-opt --verify-diagnostics --split-input-file %s | filecheck %s

// What the verifiers of xDSL 0.74 say.

func.func @for_type(%lb: index, %i: i32) {
  "scf.for"(%lb, %lb, %lb, %i) ({
  ^bb0(%k: index, %a: i64):
    scf.yield %i : i32
  }) : (index, index, index, i32) -> i32
  return
}

// CHECK: | Operation does not verify: Block arg #1 expected to be i32, but got i64. Block args after the induction variable must match the loop-carried variables.

// -----

func.func @for_yield(%lb: index, %i: i32) {
  "scf.for"(%lb, %lb, %lb, %i) ({
  ^bb0(%k: index, %a: i32):
    scf.yield
  }) : (index, index, index, i32) -> i32
  return
}

// CHECK: | Operation does not verify: scf.yield expected 1 args, but got 0. The scf.for must yield its loop-carried variables.

// -----

func.func @parallel(%i: index, %j: i32) {
  "scf.parallel"(%i, %i, %i, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%k: index):
    scf.reduce
  }) : (index, index, index, i32) -> i32
  return
}

// CHECK: | Operation does not verify: Expected 1 reductions but 0 provided

// -----

func.func @reduce(%i: index, %j: i32) {
  "scf.parallel"(%i, %i, %i, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%k: index):
    scf.reduce(%j : i32) {
    ^bb0(%a: i32, %b: i64):
      scf.reduce.return %a : i32
    }
  }) : (index, index, index, i32) -> i32
  return
}

// CHECK: | Operation does not verify: scf.reduce block argument types must be the same but have i32 and i64

// -----

func.func @switch(%i: index) {
  %0 = "scf.index_switch"(%i) <{cases = array<i64: 1, 1>}> ({
    %x = arith.constant 1 : i32
    scf.yield %x : i32
  }, {
    %x = arith.constant 1 : i32
    scf.yield %x : i32
  }, {
    %x = arith.constant 1 : i32
    scf.yield %x : i32
  }) : (index) -> i32
  return
}

// CHECK: | Operation does not verify: has duplicate case value

// -----

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

// -----

func.func @subview2(%m: memref<4x4xf32>, %i: index) {
  %0 = "memref.subview"(%m, %i) <{static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4x4xf32>, index) -> memref<2x2xf32, strided<[4, 1]>>
  return
}

// CHECK: | Operation does not verify: The number of dynamic positions passed as values (1) does not match the number of dynamic position markers (0) in the offset arguments.

// -----

func.func @alloc() {
  %0 = memref.alloc() {alignment = 3 : i64} : memref<4xf32>
  return
}

// CHECK: | Operation does not verify: Alignment attribute 3 is not a power of 2

// -----

func.func @alloc2() {
  %0 = memref.alloc() : memref<?xf32>
  return
}

// CHECK: | Operation does not verify: op dimension operand count does not equal memref dynamic dimension count.

// -----

func.func @copy(%m: memref<4xf32>, %n: memref<8xf32>) {
  "memref.copy"(%m, %n) : (memref<4xf32>, memref<8xf32>) -> ()
  return
}

// CHECK: | Operation does not verify: Expected source and destination to have the same shape.

// -----

func.func @store(%m: memref<4xf32>, %f: f64, %i: index) {
  "memref.store"(%f, %m, %i) : (f64, memref<4xf32>, index) -> ()
  return
}

// CHECK: | Operation does not verify: operand 'memref' at position 1 does not verify:
// CHECK: | attribute f64 expected from variable 'T', but got f32

// -----

"memref.global"() <{sym_name = "g", type = memref<4xi8>, initial_value = 3 : i32, sym_visibility = "private"}> : () -> ()

// CHECK: | Operation does not verify: Unexpected attribute 3 : i32

// -----

func.func @select(%c: i32, %x: i32) {
  %0 = "arith.select"(%c, %x, %x) : (i32, i32, i32) -> i32
  return
}

// CHECK: | Operation does not verify: operand 'cond' at position 0 does not verify:
// CHECK: | Expected attribute i1 but got i32

// -----

func.func @call(%x: i32) {
  %0 = func.call @nothing(%x) : (i32) -> i32
  return
}

// CHECK: | Operation does not verify: '@nothing' could not be found in symbol table

// -----

func.func @call(%x: i32) -> i64 {
  return %x : i32
}

// CHECK: | Operation does not verify: Expected arguments to have the same types as the function output types: expected [i64], got [i32]

// -----

func.func @narrow(%x: i8) {
  %0 = arith.extsi %x : i8 to i8
  return
}

// CHECK: | Operation does not verify: Destination bit-width must be larger than the input bit-width

// -----

func.func @cast(%x: i8) {
  %0 = arith.bitcast %x : i8 to f32
  return
}

// CHECK: | Operation does not verify: operand and result types must have equal bitwidths or be IndexType

// -----

func.func @entry(%x: i8) {
  "func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
  ^bb0(%y: i64):
    "func.return"() : () -> ()
  }) : () -> ()
  return
}

// CHECK: | Operation does not verify: Expected entry block arguments to have the same types as the function input types
