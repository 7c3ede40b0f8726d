// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: mapping must produce one value, not 2
  %0 = affine.apply affine_map<(d0) -> (d0, d0)>(%x)
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: 2 dimension and 0 symbol operands do not fit affine_map<(d0) -> (d0)>
  %0 = affine.apply affine_map<(d0) -> (d0)>(%x, %y)
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: 1 dimension and 0 symbol operands do not fit affine_map<(d0)[s0] -> (d0)>
  %0 = affine.apply affine_map<(d0)[s0] -> (d0)>(%x)
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: expected an affine map
  %0 = affine.apply 4 : i32(%x)
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: operand count and affine map dimension and symbol count must match: 2 and 1
  %0 = "affine.apply"(%x, %y) <{map = affine_map<(d0) -> (d0)>}> : (index, index) -> index
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: operand 'map_operands' at position 0 does not verify:
  %0 = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0)>}> : (i32) -> index
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: affine map expect at least one result
  %0 = "affine.min"() <{map = affine_map<() -> ()>}> : () -> index
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: operand count and affine map dimension and symbol count must match: 1 and 0
  %0 = "affine.max"(%x) <{map = affine_map<() -> (1)>}> : (index) -> index
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: should have the same number of basis elements as indices or one fewer, but got 1 for 3
  %0:3 = affine.delinearize_index %x into (4) : index, index, index
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: no basis element may be statically non-positive: (4, 0)
  %0:2 = affine.delinearize_index %x into (4, 0) : index, index
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: no basis element may be statically non-positive: (4, -2)
  %0:2 = affine.delinearize_index %x into (4, -2) : index, index
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: should have the same number of basis elements as indices or one fewer, but got 3 for 2
  %0 = affine.linearize_index [%x, %y] by (2, 3, 4) : index
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: affine map num results must equal memref rank: 1 and 2
  %0 = affine.load %m[%x] : memref<?x8xf32>
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: operand expected
  %0 = affine.load %m[%x, %x * ] : memref<?x8xf32>
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: expected a memref type
  %0 = affine.load %a[%x] : f32
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: operand count and affine map dimension and symbol count must match: 1 and 2
  %0 = "affine.load"(%m, %x) <{map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<?x8xf32>, index) -> f32
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: result 'result' at position 0 does not verify:
  %0 = "affine.load"(%m, %x) <{map = affine_map<(d0) -> (d0, d0)>}> : (memref<?x8xf32>, index) -> f64
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: operand is used with type f32, but has been previously used or defined with type i32
  affine.store %i, %m[%x, 0] : memref<?x8xf32>
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: affine map num results must equal memref rank: 1 and 2
  "affine.store"(%a, %m, %x) <{map = affine_map<(d0) -> (d0)>}> : (f32, memref<?x8xf32>, index) -> ()
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: locality hint must be between 0 and 3, but is 4
  affine.prefetch %m[%x, 0], read, locality<4>, data : memref<?x8xf32>
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: expected 'read' or 'write'
  affine.prefetch %m[%x, 0], modify, locality<3>, data : memref<?x8xf32>
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: affine map num results must equal memref rank: 1 and 2
  affine.prefetch %m[%x], read, locality<3>, data : memref<?x8xf32>
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: expected a vector type
  %0 = affine.vector_load %m[%x, 0] : memref<?x8xf32>, f32
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: affine map num results must equal memref rank: 1 and 2
  affine.vector_store %v, %m[0] : memref<?x8xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // MLIR accepts: such a loop never ends, and MLIR's lowering divides by the step
  // CHECK: expected step to be representable as a positive signed integer, not 0
  affine.for %i0 = 0 to 10 step 0 {
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: expected step to be representable as a positive signed integer
  affine.for %i0 = 0 to 10 step -1 {
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: loop bound affine map with multiple results requires 'max' prefix
  affine.for %i0 = affine_map<(d0) -> (d0, 1)>(%x) to 10 {
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // MLIR accepts: it reads the operands of a custom form only
  "affine.for"(%x) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 1, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (10)>}> ({
  ^bb0(%i0: index):
    "affine.yield"() : () -> ()
  // CHECK: operand count and affine map dimension and symbol count must match: 1 and 0
  }) : (index) -> ()
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: the body of a loop is one block that ends in 'affine.yield'
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (10)>}> ({
  }) : () -> ()
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (10)>}> ({
  ^bb0(%i0: i32):
    // CHECK: the body has arguments (i32), expected (index)
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  %0 = affine.for %i0 = 0 to 10 iter_args(%b = %a) -> (f32) {
    // CHECK: the body of a loop yields (i32), but the types of the results are (f32)
    affine.yield %i : i32
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  %0 = affine.for %i0 = 0 to 10 iter_args(%b = %a) -> (f32) {
    // CHECK: the body of a loop yields (), but the types of the results are (f32)
    affine.yield
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: operand count and integer set dimension and symbol count must match: 0 and 1
  affine.if affine_set<(d0) : (d0 >= 0)>() {
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: expected an affine set
  affine.if affine_map<(d0) -> (d0)>(%x) {
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  %0 = affine.if affine_set<(d0) : (d0 >= 0)>(%x) -> f32 {
    // CHECK: an affine.if with results needs an else branch that yields them
    affine.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  %0 = affine.if affine_set<(d0) : (d0 >= 0)>(%x) -> f32 {
    affine.yield %a : f32
  } else {
    // CHECK: the else branch yields (i32), but the types of the results are (f32)
    affine.yield %i : i32
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  %0 = affine.if affine_set<(d0) : (d0 >= 0)>(%x) -> f32 {
  } else {
    // CHECK: the then branch yields (), but the types of the results are (f32)
    affine.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: 1 groups of lower bounds for 2 steps
  affine.parallel (%i0, %i1) = (0) to (10, 10) {
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // MLIR accepts: only its parser refuses, and only negative steps
  // CHECK: steps must be positive
  affine.parallel (%i0) = (0) to (10) step (0) {
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: the body has arguments (index), expected (index, index)
  affine.parallel (%i0) = (0) to (10) step (1, 2) {
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  %0 = affine.parallel (%i0) = (0) to (10) reduce ("sum") -> (f32) {
    // CHECK: invalid reduction value: 'sum'; known are addf, addi, andi, assign, maximumf, maxnumf, maxs, maxu, minimumf, minnumf, mins, minu, mulf, muli, ori, xori
    affine.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  %0 = affine.parallel (%i0) = (0) to (10) reduce ("addi") -> (f32) {
    // CHECK: result type cannot match reduction attribute: f32 and addi
    affine.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  %0 = affine.parallel (%i0) = (0) to (10) reduce ("addf", "mulf") -> (f32) {
    // CHECK: a reduction must be specified for each output: 2 for 1
    affine.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  %0 = affine.parallel (%i0) = (0) to (10) reduce ("addf") -> (f32) {
    // CHECK: the body of a loop yields (i32), but the types of the results are (f32)
    affine.yield %i : i32
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  // CHECK: operand expected
  affine.parallel (%i0) = (min(0, 1)) to (10) {
  }
  return
}

// -----

func.func @f(%x: index, %y: index, %m: memref<?x8xf32>, %a: f32, %v: vector<8xf32>, %i: i32) {
  "affine.parallel"() <{lowerBoundsGroups = dense<2> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (1)>}> ({
  ^bb0(%i0: index):
    // CHECK: groups of [2] lower bounds do not fit the 1 results of the map
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%a: f32) {
  // CHECK: number of operands and types do not match: got 1 operands and 2 types
  %0:2 = affine.for %i = 0 to 10 iter_args(%b = %a) -> (f32, f32) {
    affine.yield %b, %b : f32, f32
  }
  return
}

// -----

func.func @f(%a: f32) {
  // CHECK: result type cannot match reduction attribute: f32 and minnumf
  %0 = affine.parallel (%i) = (0) to (10) reduce ("minnumf") -> (f32) {
    affine.yield %a : f32
  }
  return
}

// -----

func.func @f(%a: i32) {
  // CHECK: result type cannot match reduction attribute: i32 and maxs
  %0 = affine.parallel (%i) = (0) to (10) reduce ("maxs") -> (i32) {
    affine.yield %a : i32
  }
  return
}

// -----

func.func @f(%a: i32) {
  // CHECK: result type cannot match reduction attribute: i32 and xori
  %0 = affine.parallel (%i) = (0) to (10) reduce ("xori") -> (i32) {
    affine.yield %a : i32
  }
  return
}

// -----

func.func @f(%a: index) {
  // CHECK: result type cannot match reduction attribute: index and addi
  %0 = affine.parallel (%i) = (0) to (10) reduce ("addi") -> (index) {
    affine.yield %a : index
  }
  return
}

// -----

func.func @f(%a: si32) {
  // CHECK: result type cannot match reduction attribute: si32 and minu
  %0 = affine.parallel (%i) = (0) to (10) reduce ("minu") -> (si32) {
    affine.yield %a : si32
  }
  return
}
