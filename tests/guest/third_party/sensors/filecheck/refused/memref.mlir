// RUN: xdsl-opt --verify-diagnostics --split-input-file %s | filecheck %s

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
