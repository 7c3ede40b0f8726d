// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>, %a: tensor<f32>) {
  // CHECK: expected 2 `outs` operands, but got 1
  %0 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%p: f32, %e: f32):
    tm_tensor.yield %p : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %o: memref<4xf32>, %a: tensor<f32>) {
  // CHECK: expected to have pure tensor or buffer semantics
  %0 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%o, %a : memref<4xf32>, tensor<f32>) {
  ^bb0(%p: f32, %e: f32):
    tm_tensor.yield %p : f32
  } -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>, %a: tensor<f32>) {
  // CHECK: expected type of output operand #0 (tensor<4xf32>) to match type of corresponding result (tensor<5xf32>)
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%o, %a : tensor<4xf32>, tensor<f32>) {
  ^bb0(%p: f32, %e: f32):
    tm_tensor.yield %p : f32
  } -> tensor<5xf32>, tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>, %a: tensor<f32>) {
  // CHECK: dimension 1 must be at least 0 and less than the rank, which is 1
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<4xf32>) outs(%o, %a : tensor<4xf32>, tensor<f32>) {
  ^bb0(%p: f32, %e: f32):
    tm_tensor.yield %p : f32
  } -> tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>, %a: tensor<f64>) {
  // CHECK: expected the input and the accumulator to have one element type, but got f32 and f64
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%o, %a : tensor<4xf32>, tensor<f64>) {
  ^bb0(%p: f32, %e: f32):
    tm_tensor.yield %p : f32
  } -> tensor<4xf32>, tensor<f64>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %o: tensor<5xf32>, %a: tensor<f32>) {
  // CHECK: expected the output to have shape 4, but got 5
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%o, %a : tensor<5xf32>, tensor<f32>) {
  ^bb0(%p: f32, %e: f32):
    tm_tensor.yield %p : f32
  } -> tensor<5xf32>, tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>, %a: tensor<1xf32>) {
  // CHECK: expected the accumulator to have rank 0, but got 1
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%o, %a : tensor<4xf32>, tensor<1xf32>) {
  ^bb0(%p: f32, %e: f32):
    tm_tensor.yield %p : f32
  } -> tensor<4xf32>, tensor<1xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>, %a: tensor<f32>) {
  // CHECK: expected a region with arguments of types f32, f32, but got f32
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%o, %a : tensor<4xf32>, tensor<f32>) {
  ^bb0(%p: f32):
    tm_tensor.yield %p : f32
  } -> tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>, %a: tensor<f32>) {
  // CHECK: expected the region to yield one f32, but got nothing
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%o, %a : tensor<4xf32>, tensor<f32>) {
  ^bb0(%p: f32, %e: f32):
    tm_tensor.yield 
  } -> tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>, %a: tensor<f32>) {
  // CHECK: expected the region to end with a 'tm_tensor.yield'
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%o, %a : tensor<4xf32>, tensor<f32>) {
  ^bb0(%p: f32, %e: f32):
    linalg.yield %p : f32
  } -> tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3xi64>, %u: tensor<3x6xf32>) {
  // CHECK: expected indices to be of rank 2 of integer element type
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3x6xf32>, tensor<3xi64>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3x1xf32>, %u: tensor<3x6xf32>) {
  // CHECK: expected indices to be of rank 2 of integer element type
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3x6xf32>, tensor<3x1xf32>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3x?xi64>, %u: tensor<3x6xf32>) {
  // CHECK: expected index depth is static
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3x6xf32>, tensor<3x?xi64>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3x1xi64>, %u: tensor<3x6xf32>) {
  // CHECK: expected dimension_map to have a number for each column of the indices, of which there are 1, but got 2
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(true) ins(%u, %i : tensor<3x6xf32>, tensor<3x1xi64>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3x1xi64>, %u: tensor<3x6xf32>) {
  // CHECK: expected dimension_map to name each dimension once at most, each at least 0 and less than the rank of the output, which is 2
  %0 = tm_tensor.scatter {dimension_map = array<i64: 2>} unique_indices(true) ins(%u, %i : tensor<3x6xf32>, tensor<3x1xi64>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3x2xi64>, %u: tensor<3x6xf32>) {
  // CHECK: expected dimension_map to name each dimension once at most, each at least 0 and less than the rank of the output, which is 2
  %0 = tm_tensor.scatter {dimension_map = array<i64: 1, 1>} unique_indices(true) ins(%u, %i : tensor<3x6xf32>, tensor<3x2xi64>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3x1xi64>, %u: tensor<f32>) {
  // CHECK: expected update value to be at least rank 1
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<f32>, tensor<3x1xi64>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3x1xi64>, %u: tensor<4x6xf32>) {
  // CHECK: mismatch in shape of indices and update value at dim#0
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<4x6xf32>, tensor<3x1xi64>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3x1xi64>, %u: tensor<3x8x6x1xf32>) {
  // CHECK: update value rank exceeds the rank of the original value
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3x8x6x1xf32>, tensor<3x1xi64>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3x1xi64>, %u: tensor<3x6xf32>) {
  // CHECK: index depth and update value does not cover rank of original value: dimension_map lacks dimension 0
  %0 = tm_tensor.scatter {dimension_map = array<i64: 1>} unique_indices(true) ins(%u, %i : tensor<3x6xf32>, tensor<3x1xi64>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3x1xi64>, %u: tensor<3x7xf32>) {
  // CHECK: shape of update value dim#1 exceeds original value at dim#1
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3x7xf32>, tensor<3x1xi64>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3x1xi64>, %u: tensor<3x6xf64>) {
  // CHECK: expected the updates and the output to have one element type, but got f64 and f32
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3x6xf64>, tensor<3x1xi64>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %p : f32
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6xf32>, %i: tensor<3x1xi64>, %u: tensor<3x6xf32>) {
  // CHECK: expected a region with arguments of types f32, f32, but got f64, f64
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3x6xf32>, tensor<3x1xi64>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%p: f64, %q: f64):
    tm_tensor.yield %p : f64
  } -> tensor<8x6xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<4xi64>, %c: i1) {
  // CHECK: expected no `ins` operands, but got 1
  %0:2 = tm_tensor.sort dimension(0) ins(%a : tensor<4xf32>) outs(%a, %b : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%p: f32, %q: f32, %r: i64, %s: i64):
    tm_tensor.yield %c : i1
  } -> tensor<4xf32>, tensor<4xi64>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<4xi64>, %c: i1) {
  // CHECK: dimension -1 must be at least 0 and less than the rank, which is 1
  %0:2 = tm_tensor.sort dimension(-1) outs(%a, %b : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%p: f32, %q: f32, %r: i64, %s: i64):
    tm_tensor.yield %c : i1
  } -> tensor<4xf32>, tensor<4xi64>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<5xi64>, %c: i1) {
  // CHECK: expected `outs` operand 1 to have shape 4, but got 5
  %0:2 = tm_tensor.sort dimension(0) outs(%a, %b : tensor<4xf32>, tensor<5xi64>) {
  ^bb0(%p: f32, %q: f32, %r: i64, %s: i64):
    tm_tensor.yield %c : i1
  } -> tensor<4xf32>, tensor<5xi64>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<4xi64>, %c: i1) {
  // CHECK: expected a region with arguments of types f32, f32, i64, i64, but got f32, f32
  %0:2 = tm_tensor.sort dimension(0) outs(%a, %b : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %c : i1
  } -> tensor<4xf32>, tensor<4xi64>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %b: tensor<4xi64>, %c: i1) {
  // CHECK: expected the region to yield one i1, but got f32
  %0:2 = tm_tensor.sort dimension(0) outs(%a, %b : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%p: f32, %q: f32, %r: i64, %s: i64):
    tm_tensor.yield %p : f32
  } -> tensor<4xf32>, tensor<4xi64>
  return
}

// -----

func.func @f() {
  // CHECK: expected at least 1 `outs` operand, but got 0
  tm_tensor.sort dimension(0) {
  ^bb0:
    tm_tensor.yield
  }
  return
}

// -----

func.func @f(%x: tensor<9xf32>, %n: i1, %a: tensor<3xf64>, %b: tensor<3xi32>, %c: i1) {
  // CHECK: expected the input and the output to have one element type, but got f32 and f64
  %0:2 = tm_tensor.topk dimension(0) ins(%x : tensor<9xf32>) outs(%a, %b : tensor<3xf64>, tensor<3xi32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %c : i1
  } -> tensor<3xf64>, tensor<3xi32>
  return
}

// -----

func.func @f(%x: tensor<9xf32>, %n: i1, %a: tensor<3x1xf32>, %b: tensor<3xi32>, %c: i1) {
  // CHECK: expected the output to have rank 1, but got 2
  %0:2 = tm_tensor.topk dimension(0) ins(%x : tensor<9xf32>) outs(%a, %b : tensor<3x1xf32>, tensor<3xi32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %c : i1
  } -> tensor<3x1xf32>, tensor<3xi32>
  return
}

// -----

func.func @f(%x: tensor<9x5xf32>, %n: i1, %a: tensor<3x6xf32>, %b: tensor<3x6xi32>, %c: i1) {
  // CHECK: expected the output to have shape 3x5, but got 3x6
  %0:2 = tm_tensor.topk dimension(0) ins(%x : tensor<9x5xf32>) outs(%a, %b : tensor<3x6xf32>, tensor<3x6xi32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %c : i1
  } -> tensor<3x6xf32>, tensor<3x6xi32>
  return
}

// -----

func.func @f(%x: tensor<9xf32>, %n: i1, %a: tensor<3xf32>, %b: tensor<4xi32>, %c: i1) {
  // CHECK: expected the output of indices to have shape 3, but got 4
  %0:2 = tm_tensor.topk dimension(0) ins(%x : tensor<9xf32>) outs(%a, %b : tensor<3xf32>, tensor<4xi32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %c : i1
  } -> tensor<3xf32>, tensor<4xi32>
  return
}

// -----

func.func @f(%x: tensor<9xf32>, %n: tensor<8xi32>, %a: tensor<3xf32>, %b: tensor<3xi32>, %c: i1) {
  // CHECK: expected the input of indices to have shape 9, but got 8
  %0:2 = tm_tensor.topk dimension(0) ins(%x, %n : tensor<9xf32>, tensor<8xi32>) outs(%a, %b : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %c : i1
  } -> tensor<3xf32>, tensor<3xi32>
  return
}

// -----

func.func @f(%x: tensor<9xf32>, %n: i1, %a: tensor<3xf32>, %b: tensor<3xi64>, %c: i1) {
  // CHECK: expected indices to be i32, but got i64
  %0:2 = tm_tensor.topk dimension(0) ins(%x : tensor<9xf32>) outs(%a, %b : tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%p: f32, %q: f32):
    tm_tensor.yield %c : i1
  } -> tensor<3xf32>, tensor<3xi64>
  return
}

// -----

func.func @f(%q: tensor<2x5x8xf32>, %o: tensor<2x5x8xf32>) {
  // CHECK: expected 3 or 4 `ins` operands, but got 2
  %0 = tm_tensor.attention ins(%q, %q : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%o : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

func.func @f(%q: tensor<2x5x8xi32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf32>, %m: i1, %o: tensor<2x5x4xf32>) {
  // CHECK: expected floating-point elements, but got i32
  %0 = tm_tensor.attention ins(%q, %k, %v : tensor<2x5x8xi32>, tensor<2x7x8xf32>, tensor<2x7x4xf32>) outs(%o : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf64>, %m: i1, %o: tensor<2x5x4xf32>) {
  // CHECK: expected the query and the value to have one element type, but got f32 and f64
  %0 = tm_tensor.attention ins(%q, %k, %v : tensor<2x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x4xf64>) outs(%o : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%q: tensor<8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf32>, %m: i1, %o: tensor<2x5x4xf32>) {
  // CHECK: expected the query to have at least rank 2
  %0 = tm_tensor.attention ins(%q, %k, %v : tensor<8xf32>, tensor<2x7x8xf32>, tensor<2x7x4xf32>) outs(%o : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%q: tensor<2x5x8xf32>, %k: tensor<7x8xf32>, %v: tensor<2x7x4xf32>, %m: i1, %o: tensor<2x5x4xf32>) {
  // CHECK: expected the query, the key and the value to have one rank, but got 3, 2 and 3
  %0 = tm_tensor.attention ins(%q, %k, %v : tensor<2x5x8xf32>, tensor<7x8xf32>, tensor<2x7x4xf32>) outs(%o : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%q: tensor<2x5x8xf32>, %k: tensor<2x7x9xf32>, %v: tensor<2x7x4xf32>, %m: i1, %o: tensor<2x5x4xf32>) {
  // CHECK: expected the key to have shape 2x7x8, but got 2x7x9
  %0 = tm_tensor.attention ins(%q, %k, %v : tensor<2x5x8xf32>, tensor<2x7x9xf32>, tensor<2x7x4xf32>) outs(%o : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x6x4xf32>, %m: i1, %o: tensor<2x5x4xf32>) {
  // CHECK: expected the value to have shape 2x7x4, but got 2x6x4
  %0 = tm_tensor.attention ins(%q, %k, %v : tensor<2x5x8xf32>, tensor<2x7x8xf32>, tensor<2x6x4xf32>) outs(%o : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf32>, %m: i1, %o: tensor<2x5x3xf32>) {
  // CHECK: expected the output to have shape 2x5x4, but got 2x5x3
  %0 = tm_tensor.attention ins(%q, %k, %v : tensor<2x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x4xf32>) outs(%o : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  return
}

// -----

func.func @f(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf32>, %m: tensor<1x5x7xi1>, %o: tensor<2x5x4xf32>) {
  // CHECK: expected the mask to have shape 2x5x7, but got 1x5x7
  %0 = tm_tensor.attention ins(%q, %k, %v, %m : tensor<2x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x4xf32>, tensor<1x5x7xi1>) outs(%o : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%q: tensor<2x5x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x4xf32>, %m: tensor<2x5x7xi32>, %o: tensor<2x5x4xf32>) {
  // CHECK: expected the mask to have elements of i1 or of the query's type, but got i32
  %0 = tm_tensor.attention ins(%q, %k, %v, %m : tensor<2x5x8xf32>, tensor<2x7x8xf32>, tensor<2x7x4xf32>, tensor<2x5x7xi32>) outs(%o : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}
