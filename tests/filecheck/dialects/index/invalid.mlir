// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: operand is used with type index, but has been previously used or defined with type i32
  %0 = index.add %x, %i
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: operand 'rhs' at position 1 does not verify:
  %0 = "index.add"(%x, %i) : (index, i32) -> index
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: result 'result' at position 0 does not verify:
  %0 = "index.mul"(%x, %x) : (index, index) -> i32
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: operand type 'index' and result type 'index' are cast incompatible
  %0 = index.casts %x : index to index
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: operand type 'i32' and result type 'i64' are cast incompatible
  %0 = index.casts %i : i32 to i64
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Unexpected attribute f32
  %0 = index.castu %a : f32 to index
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Unexpected attribute f32
  %0 = index.castu %x : index to f32
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Expected `eq`, `ne`, `slt`, `sle`, `sgt`, `sge`, `ult`, `ule`, `ugt`, or `uge`.
  %0 = index.cmp lt(%x, %x)
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: operand is used with type index, but has been previously used or defined with type i32
  %0 = index.cmp slt(%x, %i)
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: 1 : i64 should be of base attribute index.cmp_predicate
  %0 = "index.cmp"(%x, %x) <{pred = 1 : i64}> : (index, index) -> i1
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: result 'result' at position 0 does not verify:
  %0 = "index.cmp"(%x, %x) <{pred = #index<cmp_predicate eq>}> : (index, index) -> i32
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Expected integer literal
  %0 = index.constant true
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Expected integer literal
  %0 = index.constant 1.5
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Expected attribute index but got i32
  %0 = "index.constant"() <{value = 1 : i32}> : () -> index
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: property 'value' expected in operation 'index.constant'
  %0 = "index.constant"() : () -> index
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Expected attribute i1 but got i32
  %0 = "index.bool.constant"() <{value = 1 : i32}> : () -> i1
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Expected 0 operands, but got 1
  %0 = "index.sizeof"(%x) : (index) -> index
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: result 'result' at position 0 does not verify:
  %0 = "index.sizeof"() : () -> i64
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: property 'pred' expected in operation 'index.cmp'
  %0 = "index.cmp"(%x, %x) : (index, index) -> i1
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Expected `eq`, `ne`, `slt`, `sle`, `sgt`, `sge`, `ult`, `ule`, `ugt`, or `uge`.
  %0 = "index.cmp"(%x, %x) <{pred = #index<cmp_predicate lt>}> : (index, index) -> i1
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Operation index.pow is not registered
  %0 = index.pow %x, %x
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Expected 2 operands, but got 1
  %0 = "index.shl"(%x) : (index) -> index
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Expected 2 operands, but got 3
  %0 = "index.maxs"(%x, %x, %x) : (index, index, index) -> index
  return
}

// -----

func.func @f(%x: index, %i: i32, %a: f32, %b: i1) {
  // CHECK: Expected 1 result, but got 2
  %0:2 = "index.sub"(%x, %x) : (index, index) -> (index, index)
  return
}
