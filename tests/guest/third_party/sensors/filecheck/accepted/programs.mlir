// RUN: xdsl-opt %s | filecheck %s

// What uses a global has another memory space than its definition, another type, or
// there is no definition yet; a later pass makes them agree. mlir-opt refuses all three.

"memref.global"() <{sym_name = "g", type = memref<4xi8>, initial_value = dense<1> : tensor<4xi8>, sym_visibility = "private"}> : () -> ()

func.func @other_space() -> memref<4xi8, "L3"> {
  %0 = memref.get_global @g : memref<4xi8, "L3">
  return %0 : memref<4xi8, "L3">
}

func.func @other_type() -> memref<2x2xi8> {
  %0 = memref.get_global @g : memref<2x2xi8>
  return %0 : memref<2x2xi8>
}

func.func @undefined() -> memref<4xf32> {
  %0 = memref.get_global @nothing : memref<4xf32>
  return %0 : memref<4xf32>
}

// The value has another shape than the buffer.
"memref.global"() <{sym_name = "packed", type = memref<4xi8>, initial_value = dense<1> : tensor<8xi8>, sym_visibility = "private"}> : () -> ()

// Layouts of other dimensions than the buffer has, and elements that are no numbers;
// mlir-opt refuses all of them.

func.func private @layouts(memref<4x4xf32, strided<[1]>>, memref<4xf32, affine_map<(d0, d1) -> (d0)>>) -> ()
func.func private @elements(tensor<4xtensor<4xf32>>, memref<4xtensor<4xf32>>, vector<0xf32>) -> ()
func.func private @spaces(memref<4xf32, 1.5 : f32>, memref<4xf32, [1, 2]>) -> ()

// Control flow that mlir-opt refuses: a branch without an else that has a result, a
// value that is not defined on every path, and a block that gets another type.

func.func @no_else(%c: i1) -> i32 {
  %0 = "scf.if"(%c) ({
    %x = arith.constant 1 : i32
    scf.yield %x : i32
  }, {}) : (i1) -> i32
  return %0 : i32
}

func.func @not_on_every_path(%c: i1) {
  cf.cond_br %c, ^one, ^two
^one:
  %0 = arith.constant 1 : i32
  cf.br ^two
^two:
  "test.op"(%0) : (i32) -> ()
  return
}

func.func @mistyped_branch(%c: i1, %x: i32) {
  "cf.cond_br"(%c, %x)[^one, ^two] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
^one(%y: i64):
  return
^two:
  return
}

// CHECK:      builtin.module {
// CHECK-NEXT:   "memref.global"() <{sym_name = "g", type = memref<4xi8>, initial_value = dense<1> : tensor<4xi8>, sym_visibility = "private"}> : () -> ()
// CHECK-NEXT:   func.func @other_space() -> memref<4xi8, "L3"> {
// CHECK-NEXT:     %0 = memref.get_global @g : memref<4xi8, "L3">
// CHECK-NEXT:     func.return %0 : memref<4xi8, "L3">
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @other_type() -> memref<2x2xi8> {
// CHECK-NEXT:     %0 = memref.get_global @g : memref<2x2xi8>
// CHECK-NEXT:     func.return %0 : memref<2x2xi8>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @undefined() -> memref<4xf32> {
// CHECK-NEXT:     %0 = memref.get_global @nothing : memref<4xf32>
// CHECK-NEXT:     func.return %0 : memref<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   "memref.global"() <{sym_name = "packed", type = memref<4xi8>, initial_value = dense<1> : tensor<8xi8>, sym_visibility = "private"}> : () -> ()
// CHECK-NEXT:   func.func private @layouts(memref<4x4xf32, strided<[1]>>, memref<4xf32, affine_map<(d0, d1) -> (d0)>>) -> ()
// CHECK-NEXT:   func.func private @elements(tensor<4xtensor<4xf32>>, memref<4xtensor<4xf32>>, vector<0xf32>) -> ()
// CHECK-NEXT:   func.func private @spaces(memref<4xf32, 1.500000e+00 : f32>, memref<4xf32, [1 : i64, 2 : i64]>) -> ()
// CHECK-NEXT:   func.func @no_else(%c: i1) -> i32 {
// CHECK-NEXT:     %0 = scf.if %c -> (i32) {
// CHECK-NEXT:       %x = arith.constant 1 : i32
// CHECK-NEXT:       scf.yield %x : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @not_on_every_path(%c: i1) {
// CHECK-NEXT:     cf.cond_br %c, ^one, ^two
// CHECK-NEXT:   ^one:
// CHECK-NEXT:     %0 = arith.constant 1 : i32
// CHECK-NEXT:     cf.br ^two
// CHECK-NEXT:   ^two:
// CHECK-NEXT:     "test.op"(%0) : (i32) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @mistyped_branch(%c: i1, %x: i32) {
// CHECK-NEXT:     cf.cond_br %c, ^one(%x : i32), ^two
// CHECK-NEXT:   ^one(%y: i64):
// CHECK-NEXT:     func.return
// CHECK-NEXT:   ^two:
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
