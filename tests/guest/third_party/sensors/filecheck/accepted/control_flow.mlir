// RUN: xdsl-opt %s | filecheck %s

// Control flow that mlir-opt refuses: a branch without an else that has a result, a
// value that is not defined on every path, and a block that gets another type.

func.func @no_else(%c: i1) -> i32 {
  %0 = "scf.if"(%c) ({
    %x = arith.constant 1 : i32
    scf.yield %x : i32
  }, {}) : (i1) -> i32
  return %0 : i32
}

func.func @undominated(%c: i1) {
  cf.cond_br %c, ^one, ^two
^one:
  %0 = arith.constant 1 : i32
  cf.br ^two
^two:
  "test.op"(%0) : (i32) -> ()
  return
}

func.func @other_type(%c: i1, %x: i32) {
  "cf.cond_br"(%c, %x)[^one, ^two] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
^one(%y: i64):
  return
^two:
  return
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @no_else(%c: i1) -> i32 {
// CHECK-NEXT:     %0 = scf.if %c -> (i32) {
// CHECK-NEXT:       %x = arith.constant 1 : i32
// CHECK-NEXT:       scf.yield %x : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @undominated(%c: i1) {
// CHECK-NEXT:     cf.cond_br %c, ^one, ^two
// CHECK-NEXT:   ^one:
// CHECK-NEXT:     %0 = arith.constant 1 : i32
// CHECK-NEXT:     cf.br ^two
// CHECK-NEXT:   ^two:
// CHECK-NEXT:     "test.op"(%0) : (i32) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @other_type(%c: i1, %x: i32) {
// CHECK-NEXT:     cf.cond_br %c, ^one(%x : i32), ^two
// CHECK-NEXT:   ^one(%y: i64):
// CHECK-NEXT:     func.return
// CHECK-NEXT:   ^two:
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
