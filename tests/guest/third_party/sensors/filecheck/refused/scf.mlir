// RUN: xdsl-opt --verify-diagnostics --split-input-file %s | filecheck %s

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
