// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: branch has 0 operands for successor #0, but target block has 1
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.br ^bb1
^bb1(%x: i32):
  return
}

// -----

// CHECK: type mismatch for bb argument #0 of successor #0: 'f32' is passed as 'i32'
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.br ^bb1(%f : f32)
^bb1(%x: i32):
  return
}

// -----

// CHECK: branch has 0 operands for successor #0, but target block has 1
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1(%x: i32):
  return
^bb2:
  return
}

// -----

// CHECK: type mismatch for bb argument #0 of successor #1: 'f32' is passed as 'i32'
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.cond_br %c, ^bb2, ^bb1(%f : f32)
^bb1(%x: i32):
  return
^bb2:
  return
}

// -----

// CHECK: operand is used with type i1, but has been previously used or defined with type i32
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.cond_br %a, ^bb1, ^bb1
^bb1:
  return
}

// -----

// CHECK: expects number of branch weights to match number of successors: 1 vs 2
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.cond_br %c weights([1]), ^bb1, ^bb1
^bb1:
  return
}

// -----

// CHECK: expects number of branch weights to match number of successors: 3 vs 2
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.cond_br %c weights([1, 2, 3]), ^bb1, ^bb1
^bb1:
  return
}

// -----

// CHECK: branch weights cannot all be zero
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.cond_br %c weights([0, 0]), ^bb1, ^bb1
^bb1:
  return
}

// -----

// CHECK: operand is used with type i1, but has been previously used or defined with type i32
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.assert %a, "m"
  return
}

// -----

// CHECK: Expected ','
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.assert %c
  return
}

// -----

// CHECK: property 'msg' expected in operation 'cf.assert'
func.func @f(%c: i1, %a: i32, %f: f32) {
  "cf.assert"(%c) : (i1) -> ()
  return
}

// -----

// CHECK: 'flag' type ('i32') should match case value type ('i64')
func.func @f(%c: i1, %a: i32, %f: f32) {
  "cf.switch"(%a)[^bb1, ^bb2] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  return
^bb2:
  return
}

// -----

// CHECK: number of case values (2) should match number of case destinations (1)
func.func @f(%c: i1, %a: i32, %f: f32) {
  "cf.switch"(%a)[^bb1, ^bb2] <{case_operand_segments = array<i32: 0>, case_values = dense<[1,2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  return
^bb2:
  return
}

// -----

// CHECK: caseOperands count (1) does not match with the total size (0) specified in attribute 'case_operand_segments'
func.func @f(%c: i1, %a: i32, %f: f32) {
  "cf.switch"(%a, %a)[^bb1, ^bb2] <{case_operand_segments = array<i32: 0>, case_values = dense<[1]> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
^bb1:
  return
^bb2(%x: i32):
  return
}

// -----

// CHECK: branch has 0 operands for successor #0, but target block has 1
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.switch %a : i32, [
    default: ^bb1,
    1: ^bb1
   ]
^bb1(%x: i32):
  return
}

// -----

// CHECK: type mismatch for bb argument #0 of successor #1: 'f32' is passed as 'i32'
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.switch %a : i32, [
    default: ^bb2,
    1: ^bb1(%f : f32)
   ]
^bb1(%x: i32):
  return
^bb2:
  return
}

// -----

// CHECK: expected an integer type
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.switch %f : f32, [
    default: ^bb2
   ]
^bb2:
  return
}

// -----

// CHECK: Expected 'default'
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.switch %a : i32, [
    1: ^bb2
   ]
^bb2:
  return
}

// -----

// CHECK: Operation cf.br with block successors must terminate its parent block
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.br ^bb1
  return
^bb1:
  return
}

// -----

// CHECK: reference to block "^bb7" without implementation
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.br ^bb7
}

// -----

// CHECK: Expected 1 successor, but got 0
func.func @f(%c: i1, %a: i32, %f: f32) {
  "cf.br"() : () -> ()
}

// -----

// CHECK: Expected 2 successors, but got 1
func.func @f(%c: i1, %a: i32, %f: f32) {
  "cf.cond_br"(%c)[^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  return
}

// -----

// CHECK: operand count (2) does not match with the total size (1) specified in attribute 'operandSegmentSizes'
func.func @f(%c: i1, %a: i32, %f: f32) {
  "cf.cond_br"(%c, %a)[^bb1, ^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1, i32) -> ()
^bb1:
  return
}

// -----

// CHECK: reference to block "^bb0" without implementation
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.br ^bb0
}

// -----

// CHECK: Operation has 0 results, but was given 1 to bind.
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.br ^bb1
 ^bb0:
  cf.br ^bb1
 ^bb1:
  %0 = cf.br ^bb0
}

// -----

// MLIR accepts: it needs only a sum that fits
// CHECK: number of 'case_operand_segments' (2) should match number of case destinations (1)
func.func @f(%c: i1, %a: i32, %f: f32) {
  "cf.switch"(%a)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0, 0>, case_values = dense<[1]> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  return
}

// -----

// MLIR accepts: it takes the value modulo the width
// CHECK: case value 99999999999 does not fit into i32
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.switch %a : i32, [
    default: ^bb1,
    99999999999: ^bb1
   ]
^bb1:
  return
}

// -----

// MLIR accepts: an empty list is the same as none there
// CHECK: expects number of branch weights to match number of successors: 0 vs 2
func.func @f(%c: i1, %a: i32, %f: f32) {
  cf.cond_br %c weights([]), ^bb1, ^bb1
^bb1:
  return
}
