// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%a: vector<4xf32>, %b: f32) { 
  // CHECK: result 'result' at position 0 does not verify:
  %0 = "arith.cmpf"(%a, %a) <{predicate = 1 : i64}> : (vector<4xf32>, vector<4xf32>) -> i1
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: i1) { 
  // CHECK: requires the same shape for all operands and results, but got 'vector<4xf32>' and 'f64'
  %0 = "arith.extf"(%a) : (vector<4xf32>) -> f64
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: i1) { 
  // CHECK: requires the same shape for all operands and results, but got 'vector<4xf32>' and 'vector<5xf64>'
  %0 = arith.extf %a : vector<4xf32> to vector<5xf64>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: i1) { 
  // CHECK: operand type 'vector<4xf32>' and result type 'vector<4xf32>' are cast incompatible
  %0 = arith.extf %a : vector<4xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: i1) { 
  // CHECK: operand type 'vector<4xf32>' and result type 'vector<4xf64>' are cast incompatible
  %0 = arith.truncf %a : vector<4xf32> to vector<4xf64>
  return
}

// -----

func.func @f(%a: vector<4xi32>, %b: i1) { 
  // CHECK: operand type 'vector<4xi32>' and result type 'vector<4xi64>' are cast incompatible
  %0 = arith.trunci %a : vector<4xi32> to vector<4xi64>
  return
}

// -----

func.func @f(%a: vector<4xi32>, %b: i1) { 
  // CHECK: operand type 'vector<4xi32>' and result type 'vector<4xi32>' are cast incompatible
  %0 = arith.extui %a : vector<4xi32> to vector<4xi32>
  return
}

// -----

func.func @f(%a: vector<4xi32>, %b: i1) { 
  // CHECK: f32 should be of base attribute integer_type
  %0 = arith.extui %a : vector<4xi32> to vector<4xf32>
  return
}

// -----

func.func @f(%a: vector<4xi32>, %b: i1) { 
  // CHECK: operand type 'vector<4xi32>' and result type 'vector<4xi32>' are cast incompatible
  %0 = arith.index_cast %a : vector<4xi32> to vector<4xi32>
  return
}

// -----

func.func @f(%a: vector<4xi32>, %b: i1) { 
  // CHECK: requires the same shape for all operands and results, but got 'vector<4xi32>' and 'vector<5xindex>'
  %0 = arith.index_cast %a : vector<4xi32> to vector<5xindex>
  return
}

// -----

func.func @f(%a: vector<4xi32>, %b: i1) { 
  // CHECK: operand 'cond' at position 0 does not verify:
  %0 = arith.select %a, %a, %a : vector<4xi32>, vector<4xi32>
  return
}

// -----

func.func @f(%a: vector<4xi32>, %b: vector<3xi1>) { 
  // CHECK: condition is signless i1 or has matching shape, but got 'vector<3xi1>' and 'vector<4xi32>'
  %0 = arith.select %b, %a, %a : vector<3xi1>, vector<4xi32>
  return
}

// -----

func.func @f(%a: vector<4xi32>, %b: i32) { 
  // CHECK: result 'overflow' at position 1 does not verify:
  %0:2 = "arith.addui_extended"(%b, %b) : (i32, i32) -> (i32, i32)
  return
}

// -----

func.func @f(%a: vector<4xi32>, %b: i32) { 
  // CHECK: overflow type 'i1' does not match sum type 'vector<4xi32>': expected 'vector<4xi1>'
  %0:2 = "arith.addui_extended"(%a, %a) : (vector<4xi32>,vector<4xi32>) -> (vector<4xi32>, i1)
  return
}

// -----

func.func @f(%a: vector<4xi32>, %b: i32) { 
  // CHECK: operand 'rhs' at position 1 does not verify:
  %0 = "arith.addi"(%a, %b) : (vector<4xi32>,i32) -> (vector<4xi32>)
  return
}

// -----

func.func @f(%a: vector<4xi32>, %b: i32) { 
  // CHECK: Unexpected attribute i32
  %0 = arith.addf %a, %a : vector<4xi32>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: f32) { 
  // CHECK: Unexpected attribute f32
  %0 = arith.addi %a, %a : vector<4xf32>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: f32) { 
  // CHECK: operand type 'f32' and result type 'i64' are cast incompatible
  %0 = arith.bitcast %b : f32 to i64
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: f32) { 
  // CHECK: requires the same shape for all operands and results, but got 'vector<4xf32>' and 'vector<5xi32>'
  %0 = arith.bitcast %a : vector<4xf32> to vector<5xi32>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: f32) { 
  // CHECK: Unexpected attribute index
  %0 = arith.bitcast %a : vector<4xf32> to vector<4xindex>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: si32) { 
  // CHECK: Expected attribute #builtin.signedness<signless> but got #builtin.signedness<signed>
  %0 = arith.constant 1 : si32
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: si32) { 
  // CHECK: attribute i32 expected from variable 'T', but got i64
  %0 = "arith.constant"() <{value = 1 : i64}> : () -> i32
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: si32) { 
  // CHECK: Unexpected attribute "string"
  %0 = arith.constant "string"
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: si32) { 
  // CHECK: Shape mismatch in dense literal. Expected [3] shape from the type, but got [2] shape.
  %0 = arith.constant dense<[1,2]> : tensor<3xi32>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: i32) { 
  // CHECK: expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge]
  %0 = arith.cmpi foo, %b, %b : i32
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: i32) { 
  // CHECK: Unexpected attribute i32
  %0 = arith.cmpf oeq, %b, %b : i32
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: i32) { 
  // CHECK: Unexpected attribute f32
  %0 = arith.cmpi eq, %a, %a : vector<4xf32>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: i32) { 
  // CHECK: predicate 12 is not one of 0 (eq) to 9 (uge)
  %0 = "arith.cmpi"(%b, %b) <{predicate = 12 : i64}> : (i32, i32) -> i1
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: i32) { 
  // CHECK: f32 should be of base attribute integer_type
  %0 = arith.sitofp %a : vector<4xf32> to vector<4xf64>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: i32) { 
  // CHECK: requires the same shape for all operands and results, but got 'vector<4xf32>' and 'vector<5xi32>'
  %0 = arith.fptosi %a : vector<4xf32> to vector<5xi32>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: i32) { 
  // CHECK: Expected `reassoc`, `nnan`, `ninf`, `nsz`, `arcp`, `contract`, or `afn`.
  %0 = arith.addf %a, %a fastmath<foo> : vector<4xf32>
  return
}

// -----

func.func @f(%a: vector<4xf32>, %b: i32) { 
  // CHECK: Expected `nsw`, or `nuw`.
  %0 = arith.addi %b, %b overflow<foo> : i32
  return
}

// -----

func.func @f(%a: f64, %b: i32) { 
  // CHECK: Expected ':'
  %0 = arith.truncf %a sideways : f64 to f32
  return
}

// -----

func.func @f(%a: f32, %b: f8E8M0FNU) { 
  // CHECK: operand types 'f32', 'f8E8M0FNU' and result type 'f16' are cast incompatible
  %0 = arith.scaling_extf %a, %b : f32, f8E8M0FNU to f16
  return
}

// -----

func.func @f(%a: f32, %b: f8E8M0FNU) { 
  // CHECK: operand types 'f32', 'f8E8M0FNU' and result type 'f64' are cast incompatible
  %0 = arith.scaling_truncf %a, %b : f32, f8E8M0FNU to f64
  return
}

// -----

func.func @f(%a: f32, %b: f8E8M0FNU) { 
  %0 = arith.constant dense<1> : vector<[4]xi32>
  // CHECK: initializing scalable vectors with elements attribute is not supported unless it's a vector splat: 'vector<[4]xi32>'
  %1 = arith.constant dense<[1, 2, 3, 4]> : vector<[4]xi32>
  return
}

// -----

func.func @f(%a: f32, %b: f8E8M0FNU) { 
  // CHECK: integer constant out of range for attribute
  %0 = arith.constant 300 : i8
  return
}

// -----

func.func @f(%i: i32) {
  // CHECK: 1 : i32 should be of base attribute unit
  %0 = "arith.divsi"(%i, %i) <{isExact = 1 : i32}> : (i32, i32) -> i32
  return
}

// -----

func.func @f(%t: tensor<4xi32>) {
  // CHECK: failed to verify that input and output have the same tensor dimensions
  %0 = arith.extsi %t : tensor<4xi32> to tensor<?xi64>
  return
}

// -----

func.func @f(%v: vector<[4]xi32>) {
  // CHECK: requires the same shape for all operands and results
  %0 = arith.trunci %v : vector<[4]xi32> to vector<4xi8>
  return
}

// -----

func.func @f(%t: tensor<2xf32, "a">) {
  // CHECK: are cast incompatible
  %0 = arith.extf %t : tensor<2xf32, "a"> to tensor<2xf64, "b">
  return
}
