// RUN: xdsl-opt %s | filecheck %s

// Affine maps and sets.
"test.op"() {
  difference = affine_map<(d0, d1) -> (d0 * 2 - d1)>,
  symbols = affine_map<(d0)[s0] -> (d0 * -3 + s0, d0 - 7, -d0)>,
  divisions = affine_map<(d0) -> ((d0 + 1) mod 8, d0 floordiv 4, d0 ceildiv -2)>,
  nothing = affine_map<() -> ()>,
  set = affine_set<(d0, d1) : (d0 - d1 >= 0, d0 - 1 == 0)>} : () -> ()

// Memory spaces and layouts.
func.func private @spaces(memref<4xf32, 2 : i64>, memref<4xf32, 0 : i32>, memref<?xf32, "L1">, memref<*xf32, 3 : i32>, memref<4xf32, 1 : index>) -> ()
func.func private @layouts(memref<4xf32, affine_map<(d0) -> (d0)>>, memref<4x4xf32, strided<[4, 1], offset: 2>>, memref<4x4xf32, strided<[4, 1]>>, memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 1 : index>) -> ()

// Declarations.
func.func private @nothing() -> ()
func.func private @two() -> (i32, f32)
func.func private @function(() -> (), (i32) -> (i32)) -> (() -> i32)
func.func private @with_attributes(i32) attributes {sensors.port = 3 : i32}

// CHECK:      builtin.module {
// CHECK-NEXT:   "test.op"() {difference = affine_map<(d0, d1) -> (((d0 * 2) + (d1 * -1)))>, symbols = affine_map<(d0)[s0] -> (((d0 * -3) + s0), (d0 + -7), (d0 * -1))>, divisions = affine_map<(d0) -> (((d0 + 1) mod 8), (d0 floordiv 4), (d0 ceildiv -2))>, nothing = affine_map<() -> ()>, set = affine_set<(d0, d1) : ((d0 + (d1 * -1)) >= 0, (d0 + -1) == 0)>} : () -> ()
// CHECK-NEXT:   func.func private @spaces(memref<4xf32, 2 : i64>, memref<4xf32, 0 : i32>, memref<?xf32, "L1">, memref<*xf32, 3 : i32>, memref<4xf32, 1 : index>) -> ()
// CHECK-NEXT:   func.func private @layouts(memref<4xf32, affine_map<(d0) -> (d0)>>, memref<4x4xf32, strided<[4, 1], offset: 2>>, memref<4x4xf32, strided<[4, 1]>>, memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 1 : index>) -> ()
// CHECK-NEXT:   func.func private @nothing() -> ()
// CHECK-NEXT:   func.func private @two() -> (i32, f32)
// CHECK-NEXT:   func.func private @function(() -> (), (i32) -> i32) -> (() -> i32)
// CHECK-NEXT:   func.func private @with_attributes(i32) -> () attributes {sensors.port = 3 : i32}
// CHECK-NEXT: }
