// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%a: f32, %b: f8E8M0FNU) { 
  // CHECK: Unexpected attribute f32
  %0 = math.ctlz %a : f32
  return
}

// -----

func.func @f(%a: i32) { 
  // CHECK: Unexpected attribute i32
  %0 = math.exp %a : i32
  return
}

// -----

func.func @f(%a: f32, %b: vector<4xi32>) { 
  // CHECK: requires the same shape for all operands and results, but got 'f32' and 'vector<4xi32>'
  %0 = math.fpowi %a, %b : f32, vector<4xi32>
  return
}

// -----

func.func @f(%a: f32, %b: f64) { 
  // CHECK: operand 'rhs' at position 1 does not verify:
  %0 = "math.powf"(%a, %b) : (f32, f64) -> f32
  return
}

// -----

func.func @f(%a: f32, %b: f64) { 
  // CHECK: result 'result' at position 0 does not verify:
  %0 = "math.isnan"(%a) : (f32) -> i8
  return
}

// -----

func.func @f(%a: f32, %b: f64) { 
  // CHECK: result 'cos' at position 1 does not verify:
  %0:2 = "math.sincos"(%a) : (f32) -> (f32, f64)
  return
}

// -----

func.func @f(%a: f32, %b: index, %v: vector<4xf32>) { 
  // CHECK: result 'result' at position 0 does not verify:
  %1 = "math.isnan"(%v) : (vector<4xf32>) -> (i1)
  return
}

// -----

func.func @f(%a: f32, %b: index, %v: vector<4xf32>) { 
  // CHECK: operand 'c' at position 2 does not verify:
  %0 = "math.fma"(%a, %a, %v) : (f32, f32, vector<4xf32>) -> f32
  return
}
