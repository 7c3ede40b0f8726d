// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%z: complex<f32>, %n: index) {
  // CHECK: operand 'rhs' at position 1 does not verify:
  %0 = "complex.powi"(%z, %n) : (complex<f32>, index) -> complex<f32>
  return
}

// -----

func.func @f(%z: complex<f32>) {
  // CHECK: operand 'rhs' at position 1 does not verify:
  %0 = "complex.powi"(%z, %z) : (complex<f32>, complex<f32>) -> complex<f32>
  return
}

// -----

func.func @f(%x: f32) {
  // CHECK: f32 should be of base attribute complex
  %0 = complex.add %x, %x : f32
  return
}

// -----

func.func @f(%i: i32) {
  // CHECK: Unexpected attribute i32
  %0 = complex.create %i, %i : complex<i32>
  return
}

// -----

func.func @f(%z: complex<i32>) {
  // CHECK: Unexpected attribute i32
  %0 = complex.re %z : complex<i32>
  return
}

// -----

func.func @f(%z: complex<f32>, %w: complex<f64>) {
  // CHECK: operand 'rhs' at position 1 does not verify:
  %0 = "complex.mul"(%z, %w) <{fastmath = #arith.fastmath<none>}> : (complex<f32>, complex<f64>) -> complex<f32>
  return
}

// -----

func.func @f(%z: complex<f32>) {
  // CHECK: result 'result' at position 0 does not verify:
  %0 = "complex.abs"(%z) <{fastmath = #arith.fastmath<none>}> : (complex<f32>) -> f64
  return
}

// -----

func.func @f() {
  // CHECK: Invalid value 1, expected 2
  %0 = complex.constant [1.0 : f32] : complex<f32>
  return
}

// -----

func.func @f() {
  // CHECK: attribute f32 expected from variable 'T', but got f64
  %0 = complex.constant [1.0 : f32, 2.0 : f64] : complex<f32>
  return
}

// -----

func.func @f() {
  // CHECK: attribute f32 expected from variable 'T', but got i32
  %0 = complex.constant [1 : i32, 2 : i32] : complex<f32>
  return
}

// -----

func.func @f(%z: complex<f32>) {
  // CHECK: Expected ('complex<f32>', 'i32') to be bitcast between complex and equal arith types
  %0 = complex.bitcast %z : complex<f32> to i32
  return
}

// -----

func.func @f(%x: f32) {
  // CHECK: Expected ('f32', 'i32') to be bitcast between complex and equal arith types
  %0 = complex.bitcast %x : f32 to i32
  return
}

// -----

func.func @f(%z: complex<f32>) {
  // CHECK: Expected ('complex<f32>', 'complex<f64>') to be bitcast between complex and equal arith types
  %0 = complex.bitcast %z : complex<f32> to complex<f64>
  return
}

// -----

func.func @f(%z: complex<f32>) {
  // CHECK: Unexpected attribute complex<f32>
  %0 = arith.addf %z, %z : complex<f32>
  return
}

// -----

func.func @f(%v: vector<2xcomplex<f32>>) {
  // CHECK: invalid vector element type
  %0 = complex.add %v, %v : vector<2xcomplex<f32>>
  return
}

// -----

func.func @f() {
  // CHECK: expected two parts in parentheses for 'complex<f32>', found a number
  %0 = arith.constant dense<1.0> : tensor<2xcomplex<f32>>
  return
}

// -----

func.func @f() {
  // MLIR accepts: the parts of a complex number count as two elements.
  // CHECK: expected a float, found a complex number
  %0 = arith.constant dense<(1.0,2.0)> : tensor<2xf32>
  return
}
