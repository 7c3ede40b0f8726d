// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: expected induction variable to be same type as bounds and step: 'index'
func.func @f(%i: index, %j: i32) {
  "scf.for"(%i, %i, %i) ({
  ^bb0(%a: i32):
    scf.yield
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: operand 'ub' at position 1 does not verify:
func.func @f(%i: index, %j: i32) {
  "scf.for"(%i, %j, %i) ({
  ^bb0(%a: index):
    scf.yield
  }) : (index, i32, index) -> ()
  return
}

// -----

// CHECK: operand 'lb' at position 0 does not verify:
func.func @f(%i: f32) {
  "scf.for"(%i, %i, %i) ({
  ^bb0(%a: f32):
    scf.yield
  }) : (f32, f32, f32) -> ()
  return
}

// -----

// CHECK: expected induction variable to be same type as bounds and step: 'index'
func.func @f(%i: index) {
  "scf.for"(%i, %i, %i) ({
  ^bb0:
    scf.yield
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: mismatch in number of loop-carried values and defined values: 1 and 0
func.func @f(%i: index) {
  "scf.for"(%i, %i, %i, %i) ({
  ^bb0(%a: index):
    scf.yield
  }) : (index, index, index, index) -> ()
  return
}

// -----

// CHECK: different number of inits and region iter_args: 0 != 1
func.func @f(%i: index) {
  "scf.for"(%i, %i, %i) ({
  ^bb0(%a: index, %b: index):
    scf.yield
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: different number of inits and region iter_args: 1 != 0
func.func @f(%i: index) {
  %0 = "scf.for"(%i, %i, %i, %i) ({
  ^bb0(%a: index):
    scf.yield %i : index
  }) : (index, index, index, index) -> (index)
  return
}

// -----

// CHECK: 0-th init and 0-th region iter_arg have different type: 'index' != 'i32'
func.func @f(%i: index) {
  %0 = "scf.for"(%i, %i, %i, %i) ({
  ^bb0(%a: index, %b: i32):
    scf.yield %i : index
  }) : (index, index, index, index) -> (index)
  return
}

// -----

// CHECK: 0-th region iter_arg and 0-th loop result have different type: 'index' != 'i32'
func.func @f(%i: index) {
  %0 = "scf.for"(%i, %i, %i, %i) ({
  ^bb0(%a: index, %b: index):
    scf.yield %i : index
  }) : (index, index, index, index) -> (i32)
  return
}

// -----

// CHECK: along control flow edge from Operation scf.yield to Region #0: region branch point has 0 operands, but region successor needs 1 inputs
func.func @f(%i: index) {
  %0 = "scf.for"(%i, %i, %i, %i) ({
  ^bb0(%a: index, %b: index):
    scf.yield
  }) : (index, index, index, index) -> (index)
  return
}

// -----

// CHECK: along control flow edge from Operation scf.yield to Region #0: successor operand type #0 'i32' should match successor input type #0 'index'
func.func @f(%i: index, %j: i32) {
  %0 = "scf.for"(%i, %i, %i, %i) ({
  ^bb0(%a: index, %b: index):
    scf.yield %j : i32
  }) : (index, index, index, index) -> (index)
  return
}

// -----

// CHECK: 'func.return' expects parent op 'func.func'
func.func @f(%i: index, %j: i32) {
  "scf.for"(%i, %i, %i) ({
  ^bb0(%a: index):
    func.return
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: Operation arith.constant terminates block in single-block region but is not a terminator
func.func @f(%i: index, %j: i32) {
  "scf.for"(%i, %i, %i) ({
  ^bb0(%a: index):
    %0 = arith.constant 0 : index
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: Region 'body' at position 0 expected a single block, but got 0 blocks
func.func @f(%i: index, %j: i32) {
  "scf.for"(%i, %i, %i) ({
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: Region 'body' at position 0 expected a single block, but got 2 blocks
func.func @f(%i: index, %j: i32) {
  "scf.for"(%i, %i, %i) ({
  ^bb0(%a: index):
    cf.br ^bb1
  ^bb1:
    scf.yield
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: mismatch in number of loop-carried values and defined values: 1 and 2
func.func @f(%i: index, %j: i32) {
  scf.for %a = %i to %i step %i iter_args(%x = %j) -> (i32, i32) {
    scf.yield %j : i32
  }
  return
}

// -----

// CHECK: operand is used with type i64, but has been previously used or defined with type i32
func.func @f(%i: index, %j: i32) {
  scf.for %a = %i to %i step %i iter_args(%x = %j) -> (i64) {
    scf.yield %x : i64
  }
  return
}

// -----

// CHECK: operand is used with type f32, but has been previously used or defined with type index
func.func @f(%i: index, %j: i32) {
  scf.for %a = %i to %i step %i : f32 {
  }
  return
}

// -----

// CHECK: along control flow edge from Operation scf.yield to Region #0: region branch point has 0 operands, but region successor needs 1 inputs
func.func @f(%i: index, %j: i32) {
  scf.for %a = %i to %i step %i iter_args(%x = %j) -> (i32) {
  }
  return
}

// -----

// CHECK: operand 'cond' at position 0 does not verify:
func.func @f(%i: index, %c: i1) {
  "scf.if"(%i) ({
    scf.yield
  }, {}) : (index) -> ()
  return
}

// -----

// CHECK: must have an else block if defining values
func.func @f(%i: index, %c: i1) {
  %0 = "scf.if"(%c) ({
    scf.yield %i : index
  }, {}) : (i1) -> index
  return
}

// -----

// CHECK: along control flow edge from Operation scf.yield to parent: region branch point has 0 operands, but region successor needs 1 inputs
func.func @f(%i: index, %c: i1) {
  %0 = "scf.if"(%c) ({
    scf.yield %i : index
  }, {
    scf.yield
  }) : (i1) -> index
  return
}

// -----

// CHECK: along control flow edge from Operation scf.yield to parent: successor operand type #0 'i1' should match successor input type #0 'index'
func.func @f(%i: index, %c: i1) {
  %0 = "scf.if"(%c) ({
    scf.yield %i : index
  }, {
    scf.yield %c : i1
  }) : (i1) -> index
  return
}

// -----

// CHECK: along control flow edge from Operation scf.yield to parent: region branch point has 1 operands, but region successor needs 0 inputs
func.func @f(%i: index, %c: i1) {
  "scf.if"(%c) ({
    scf.yield %i : index
  }, {
    scf.yield
  }) : (i1) -> ()
  return
}

// -----

// CHECK: Region 'true_region' at position 0 expected a single block, but got 0 blocks
func.func @f(%i: index, %c: i1) {
  "scf.if"(%c) ({
  }, {
    scf.yield
  }) : (i1) -> ()
  return
}

// -----

// CHECK: region #0 should have no arguments
func.func @f(%i: index, %c: i1) {
  "scf.if"(%c) ({
    ^bb0(%a: index):
    scf.yield
  }, {
    scf.yield
  }) : (i1) -> ()
  return
}

// -----

// CHECK: region #1 should have no arguments
func.func @f(%i: index, %c: i1) {
  "scf.if"(%c) ({
    scf.yield
  }, {
    ^bb0(%a: index):
    scf.yield
  }) : (i1) -> ()
  return
}

// -----

// CHECK: Region 'true_region' at position 0 expected a single block, but got 2 blocks
func.func @f(%i: index, %c: i1) {
  "scf.if"(%c) ({
    cf.br ^bb1
    ^bb1:
    scf.yield
  }, {
    scf.yield
  }) : (i1) -> ()
  return
}

// -----

// CHECK: 'func.return' expects parent op 'func.func'
func.func @f(%i: index, %c: i1) {
  "scf.if"(%c) ({
    func.return
  }, {
    scf.yield
  }) : (i1) -> ()
  return
}

// -----

// CHECK: Expected 2 regions, but got 1
func.func @f(%i: index, %c: i1) {
  "scf.if"(%c) ({
    scf.yield
  }) : (i1) -> ()
  return
}

// -----

// CHECK: must have an else block if defining values
func.func @f(%i: index, %c: i1) {
  %0 = scf.if %c -> (index) {
    scf.yield %i : index
  }
  return
}

// -----

// CHECK: 'scf.yield' expects parent op to be one of 'scf.for', 'scf.if', 'scf.execute_region', 'scf.while', 'scf.index_switch'
func.func @f(%i: index, %c: i1) {
  scf.yield
}

// -----

// CHECK: along control flow edge from parent to Region #0: region branch point has 1 operands, but region successor needs 0 inputs
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.while"(%i) ({
    scf.condition(%c)
  }, {
    scf.yield
  }) : (index) -> ()
  return
}

// -----

// CHECK: along control flow edge from parent to Region #0: successor operand type #0 'index' should match successor input type #0 'f32'
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.while"(%i) ({
  ^bb0(%a: f32):
    scf.condition(%c)
  }, {
    scf.yield %f : f32
  }) : (index) -> ()
  return
}

// -----

// CHECK: along control flow edge from Operation scf.yield to Region #0: successor operand type #0 'f32' should match successor input type #0 'index'
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.while"(%i) ({
  ^bb0(%a: index):
    scf.condition(%c)
  }, {
    scf.yield %f : f32
  }) : (index) -> ()
  return
}

// -----

// CHECK: along control flow edge from Operation scf.condition to Region #1: region branch point has 1 operands, but region successor needs 0 inputs
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.while"(%i) ({
  ^bb0(%a: index):
    scf.condition(%c) %i: index
  }, {
    scf.yield %i : index
  }) : (index) -> ()
  return
}

// -----

// CHECK: along control flow edge from Operation scf.condition to parent: region branch point has 1 operands, but region successor needs 0 inputs
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.while"(%i) ({
  ^bb0(%a: index):
    scf.condition(%c) %i: index
  }, {
  ^bb0(%a: index):
    scf.yield %i : index
  }) : (index) -> ()
  return
}

// -----

// CHECK: along control flow edge from Operation scf.condition to Region #1: successor operand type #0 'index' should match successor input type #0 'f32'
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = "scf.while"(%i) ({
  ^bb0(%a: index):
    scf.condition(%c) %i: index
  }, {
  ^bb0(%a: f32):
    scf.yield %i : index
  }) : (index) -> index
  return
}

// -----

// CHECK: expects the 'before' region to terminate with 'scf.condition'
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.while"() ({
    scf.yield
  }, {
    scf.yield
  }) : () -> ()
  return
}

// -----

// CHECK: expects the 'after' region to terminate with 'scf.yield'
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.while"() ({
    scf.condition(%c)
  }, {
    scf.condition(%c)
  }) : () -> ()
  return
}

// -----

// CHECK: Region 'before_region' at position 0 expected a single block, but got 0 blocks
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.while"() ({
  }, {
    scf.yield
  }) : () -> ()
  return
}

// -----

// CHECK: expected as many input types as operands (expected 2 got 1)
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.while (%a = %i, %b = %i) : (index) -> () {
    scf.condition(%c)
  } do {
    scf.yield %i: index
  }
  return
}

// -----

// CHECK: 'scf.condition' expects parent op 'scf.while'
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.condition(%c)
}

// -----

// CHECK: operand is used with type i1, but has been previously used or defined with type f32
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.while : () -> () {
    scf.condition(%f)
  } do {
    scf.yield
  }
  return
}

// -----

// CHECK: operand is used with type index, but has been previously used or defined with type f32
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.index_switch %f
  default { 
    scf.yield
  }
  return
}

// -----

// CHECK: has duplicate case value: 1
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.index_switch %i
  case 1 {
    scf.yield
  }
  case 1 {
    scf.yield
  }
  default { 
    scf.yield
  }
  return
}

// -----

// CHECK: has 0 case regions but 1 case values
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.index_switch"(%i) <{cases = array<i64: 1>}> ({
    scf.yield
  }) : (index) -> ()
  return
}

// -----

// CHECK: expected each region to return 1 values, but case region #0 returns 0
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = scf.index_switch %i -> f32
  case 1 {
    scf.yield
  }
  default { 
    scf.yield %f : f32
  }
  return
}

// -----

// CHECK: expected result #0 of each region to be 'f32', but default region returns 'index'
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = scf.index_switch %i -> f32
  case 1 {
    scf.yield %f : f32
  }
  default { 
    scf.yield %i : index
  }
  return
}

// -----

// CHECK: Expected attribute i64 but got i32
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.index_switch"(%i) <{cases = array<i32: 1>}> ({
    scf.yield
  }, {scf.yield}) : (index) -> ()
  return
}

// -----

// CHECK: property 'cases' expected in operation 'scf.index_switch'
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.index_switch"(%i) ({
    scf.yield
  }) : (index) -> ()
  return
}

// -----

// CHECK: 'func.return' expects parent op 'func.func'
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.index_switch %i
  case 1 {
    func.return
  }
  default { 
    scf.yield 
  }
  return
}

// -----

// CHECK: Expected 'default'
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.index_switch %i
  case 1 {
    scf.yield
  }
  return
}

// -----

// CHECK: Region 'case_regions[0]' at position 1 expected a single block, but got 0 blocks
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.index_switch %i
  case 1 {
  }
  default {
  }
  return
}

// -----

// CHECK: region needs to have at least one block
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.execute_region {
  }
  return
}

// -----

// CHECK: region cannot have any arguments
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.execute_region"() ({
  ^bb0(%a: index):
    scf.yield
  }) : () -> ()
  return
}

// -----

// CHECK: along control flow edge from Operation scf.yield to parent: region branch point has 0 operands, but region successor needs 1 inputs
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = scf.execute_region -> index {
    scf.yield
  }
  return
}

// -----

// CHECK: along control flow edge from Operation scf.yield to parent: successor operand type #0 'f32' should match successor input type #0 'index'
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = scf.execute_region -> index {
    scf.yield %f : f32
  }
  return
}

// -----

// CHECK: along control flow edge from Operation scf.yield to parent: successor operand type #0 'f32' should match successor input type #0 'index'
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = scf.execute_region -> index {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %i : index
  ^bb2:
    scf.yield %f : f32
  }
  return
}

// -----

// CHECK: 'func.return' expects parent op 'func.func'
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.execute_region {
    func.return
  }
  return
}

// -----

// CHECK: needs at least one tuple element for lowerBound, upperBound and step
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.parallel"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
    scf.reduce
  }) : () -> ()
  return
}

// -----

// CHECK: needs at least one tuple element for lowerBound, upperBound and step
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 2, 1, 0, 0>}> ({
  ^bb0(%a: index):
    scf.reduce
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: operand count (3) does not match with the total size (4) specified in attribute 'operandSegmentSizes'
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 2, 0>}> ({
  ^bb0(%a: index):
    scf.reduce
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: constant step operand must be positive
func.func @f(%i: index, %c: i1, %f: f32) {
  %c0 = arith.constant 0 : index
  scf.parallel (%a) = (%i) to (%i) step (%c0) {
    scf.reduce
  }
  return
}

// -----

// CHECK: constant step operand must be positive
func.func @f(%i: index, %c: i1, %f: f32) {
  %c0 = arith.constant -1 : index
  scf.parallel (%a) = (%i) to (%i) step (%c0) {
    scf.reduce
  }
  return
}

// -----

// CHECK: expects the same number of induction variables: 2 as bound and step values: 1
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%a: index, %b: index):
    scf.reduce
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: expects arguments for the induction variable to be of index type
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%a: i32):
    scf.reduce
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: 'scf.yield' expects parent op to be one of 'scf.for', 'scf.if', 'scf.execute_region', 'scf.while', 'scf.index_switch'
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%a: index):
    scf.yield
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: expects number of results: 0 to be the same as number of initial values: 1
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.parallel"(%i, %i, %i, %f) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%a: index):
    scf.reduce
  }) : (index, index, index, f32) -> ()
  return
}

// -----

// CHECK: expects number of results: 1 to be the same as number of reductions: 0
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = "scf.parallel"(%i, %i, %i, %f) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%a: index):
    scf.reduce
  }) : (index, index, index, f32) -> f32
  return
}

// -----

// CHECK: expects number of results: 0 to be the same as number of reductions: 1
func.func @f(%i: index, %c: i1, %f: f32) {
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%a: index):
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      scf.reduce.return %x : f32
    }
  }) : (index, index, index) -> ()
  return
}

// -----

// CHECK: expects type of 0-th reduction operand: 'index' to be the same as the 0-th result type: 'f32'
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = "scf.parallel"(%i, %i, %i, %f) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%a: index):
    scf.reduce(%i : index) {
    ^bb0(%x: index, %y: index):
      scf.reduce.return %x : index
    }
  }) : (index, index, index, f32) -> f32
  return
}

// -----

// MLIR accepts: it compares the reductions with the results only
// CHECK: expects initial value of type 'f32' to have the type of its result, 'index'
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = "scf.parallel"(%i, %i, %i, %f) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%a: index):
    scf.reduce(%i : index) {
    ^bb0(%x: index, %y: index):
      scf.reduce.return %x : index
    }
  }) : (index, index, index, f32) -> index
  return
}

// -----

// CHECK: expected two block arguments with type 'f32' in the 0-th reduction region
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 {
    "scf.reduce"(%f) ({
    ^bb0(%x: f32):
      scf.reduce.return %x : f32
    }) : (f32) -> ()
  }
  return
}

// -----

// CHECK: expected two block arguments with type 'f32' in the 0-th reduction region
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 {
    "scf.reduce"(%f) ({
    ^bb0(%x: f32, %y: index):
      scf.reduce.return %x : f32
    }) : (f32) -> ()
  }
  return
}

// -----

// CHECK: must have type 'f32' (the type of the reduction inputs)
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 {
    "scf.reduce"(%f) ({
    ^bb0(%x: f32, %y: f32):
      scf.reduce.return %i : index
    }) : (f32) -> ()
  }
  return
}

// -----

// CHECK: Region 'reductions[0]' at position 0 expected a single block, but got 0 blocks
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 {
    "scf.reduce"(%f) ({
    }) : (f32) -> ()
  }
  return
}

// -----

// CHECK: 'scf.yield' expects parent op to be one of 'scf.for', 'scf.if', 'scf.execute_region', 'scf.while', 'scf.index_switch'
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 {
    "scf.reduce"(%f) ({
    ^bb0(%x: f32, %y: f32):
      scf.yield
    }) : (f32) -> ()
  }
  return
}

// -----

// CHECK: expects as many operands as regions: 1 and 0
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 {
    "scf.reduce"(%f) : (f32) -> ()
  }
  return
}

// -----

// CHECK: 'scf.reduce' expects parent op 'scf.parallel'
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.reduce
}

// -----

// CHECK: 'scf.reduce.return' expects parent op 'scf.reduce'
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.reduce.return %f : f32
}

// -----

// CHECK: expected 2 operands
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.parallel (%a, %b) = (%i) to (%i) step (%i) {
  }
  return
}

// -----

// CHECK: number of operands and types do not match: got 1 operands and 2 types
func.func @f(%i: index, %c: i1, %f: f32) {
  %0 = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> (f32, f32) {
  }
  return
}

// -----

// CHECK: expected 1 operands
func.func @f(%i: index, %c: i1, %f: f32) {
  scf.parallel (%a) = (%i, %i) to (%i) step (%i) {
  }
  return
}

// -----

// CHECK: region expects 1 arguments, but has 0
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    scf.forall.in_parallel {}
  }) : () -> ()
  return
}

// -----

// CHECK: expects 0-th block argument to be an index
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%a: i32):
    scf.forall.in_parallel {}
  }) : () -> ()
  return
}

// -----

// CHECK: region expects 2 arguments, but has 1
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0, 1>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%a: index):
    scf.forall.in_parallel {}
  }) : () -> ()
  return
}

// -----

// CHECK: expected 0 dynamic upper bound values, got 1
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  "scf.forall"(%i) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%a: index):
    scf.forall.in_parallel {}
  }) : (index) -> ()
  return
}

// -----

// CHECK: produces 0 results, but has 1 outputs
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%a: index, %o: tensor<4xf32>):
    scf.forall.in_parallel {}
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

// CHECK: type mismatch between 0-th output and corresponding block argument: 'tensor<4xf32>' and 'tensor<5xf32>'
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  %0 = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%a: index, %o: tensor<5xf32>):
    scf.forall.in_parallel {}
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// CHECK: expected type of 0-th output ('tensor<4xf32>') to match type of corresponding result ('tensor<5xf32>')
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  %0 = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%a: index, %o: tensor<4xf32>):
    scf.forall.in_parallel {}
  }) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

// CHECK: operand 'outputs' at position 0 does not verify:
func.func @f(%i: index, %t: memref<4xf32>, %s: tensor<1xf32>) {
  %0 = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%a: index, %o: memref<4xf32>):
    scf.forall.in_parallel {}
  }) : (memref<4xf32>) -> memref<4xf32>
  return
}

// -----

// CHECK: mapping attribute size must match op rank: 2 and 1
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  scf.forall (%a) in (4) {
  } {mapping = [#gpu.block<x>, #gpu.block<y>]}
  return
}

// -----

// CHECK: attribute 'mapping' failed to satisfy constraint: Device Mapping array attribute, but it has 1 : i32
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  scf.forall (%a) in (4) {
  } {mapping = [1 : i32]}
  return
}

// -----

// CHECK: 'scf.yield' expects parent op to be one of 'scf.for', 'scf.if', 'scf.execute_region', 'scf.while', 'scf.index_switch'
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%a: index):
    scf.yield
  }) : () -> ()
  return
}

// -----

// CHECK: expected only ParallelCombiningOpInterface ops, such as tensor.parallel_insert_slice, but got arith.constant
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  %0 = scf.forall (%a) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      %1 = arith.constant 0 : index
    }
  }
  return
}

// -----

// CHECK: 'tensor.parallel_insert_slice' may only insert into an output block argument
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  %0 = scf.forall (%a) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %t[%a] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return
}

// -----

// CHECK: 'scf.forall.in_parallel' expects parent op 'scf.forall'
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  scf.forall.in_parallel {
  }
}

// -----

// CHECK: region expects 1 arguments, but has 2
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  scf.forall (%a, %b) in (4) {
  }
  return
}

// -----

// CHECK: expected 1 upper bound values, got 2
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  scf.forall (%a) = (0) to (4, 5) step (1) {
  }
  return
}

// -----

// CHECK: number of operands and types do not match: got 1 operands and 2 types
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  scf.forall (%a) in (4) shared_outs(%o = %t) -> (tensor<4xf32>, tensor<4xf32>) {
  }
  return
}

// -----

// CHECK: number of operands and types do not match: got 1 operands and 0 types
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  scf.forall (%a) in (4) shared_outs(%o = %t) {
  }
  return
}

// -----

// CHECK: operand is used with type index, but has been previously used or defined with type tensor<4xf32>
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  scf.forall (%a) in (%t) {
  }
  return
}

// -----

// CHECK: mapping attribute size must match op rank: 2 and 3
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  scf.forall (%a, %b, %c) in (4, 5, 5) {
  } {mapping = [#gpu.block<x>, #gpu.block<x>, #gpu.mask<3>]}
  return
}

// -----

// CHECK: '(' expected
#map = affine_map<(d0) -> (d0)>
func.func @parallel(%n: index, %f: f32)  {
  scf.parallel (%i, %j) = (%n, %n) to (%n, %n) step (%n, %n) {
    scf.reduce
  } {mapping = [#gpu.loop_dim_map<processor = block_x, map = #map, bound = #map>]}
  return
}

// -----

// CHECK: expected only ParallelCombiningOpInterface ops, such as tensor.parallel_insert_slice, but got test.op
func.func @f(%i: index, %t: tensor<4xf32>, %s: tensor<1xf32>) {
  %0 = scf.forall (%a) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      "test.op"() : () -> ()
    }
  }
  return
}

// -----

// CHECK: expected the loop to have one block
func.func @f(%t: tensor<4xf32>) {
  %0 = scf.forall (%a) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  ^bb1:
    scf.forall.in_parallel {
    }
  }
  return
}

// -----

// CHECK: "mapping" supports at most one device masking attribute
func.func @f() {
  scf.forall (%a) in (4) {
  } {mapping = [#gpu.thread<x>, #gpu.mask<0x1>, #gpu.mask<0x2>]}
  return
}
