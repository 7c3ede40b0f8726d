// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f() {
  // CHECK: no operands specified
  %0 = "shape.assuming_all"() : () -> !shape.witness
  return
}

// -----

func.func @f(%w: !shape.witness, %t: tensor<4xf32>) {
  // CHECK: region branch point has 0 operands, but region successor needs 1 inputs
  %0 = shape.assuming %w -> (tensor<4xf32>) {
  }
  return
}

// -----

func.func @f(%w: !shape.witness, %t: tensor<4xf32>) {
  // CHECK: successor operand type #0 'tensor<4xf32>' should match successor input type #0 'tensor<?xf32>'
  %0 = shape.assuming %w -> (tensor<?xf32>) {
    shape.assuming_yield %t : tensor<4xf32>
  }
  return
}

// -----

func.func @f(%w: !shape.witness) {
  // CHECK: expected the region to end with assuming_yield
  "shape.assuming"(%w) ({
    "test.termop"() : () -> ()
  }) : (!shape.witness) -> ()
  return
}

// -----

func.func @f(%c: i1) {
  // CHECK: operand is used with type !shape.witness, but has been previously used or defined with type i1
  shape.assuming %c {
  }
  return
}

// -----

func.func @f() {
  // CHECK: 'shape.assuming_yield' expects parent op 'shape.assuming'
  shape.assuming_yield
}
