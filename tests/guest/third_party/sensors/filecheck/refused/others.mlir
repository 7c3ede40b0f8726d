// RUN: xdsl-opt --verify-diagnostics --split-input-file %s | filecheck %s

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
