// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: expected all arguments to be named, or none of them
func.func @f(%a: i32, f32) {
  return
}

// -----

// CHECK: Expected arguments to have the same types as the function output types: expected [i32], got []
func.func @f(%a: i32) -> i32 {
  return
}

// -----

// CHECK: Expected arguments to have the same types as the function output types: expected [i32], got [i32, i32]
func.func @f(%a: i32) -> i32 {
  return %a, %a : i32, i32
}

// -----

// CHECK: Expected arguments to have the same types as the function output types: expected [f32], got [i32]
func.func @f(%a: i32) -> f32 {
  return %a : i32
}

// -----

// CHECK: Operation func.func contains empty block in single-block region that expects at least a terminator
func.func @f(%a: i32) -> f32 {
}

// -----

// CHECK: symbol declaration cannot have public visibility
func.func @f(i32)

// -----

// CHECK: symbol declaration cannot have public visibility
func.func public @f(i32)

// -----

// CHECK: entry block must have 1 arguments to match function signature, but has 0
"func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
^bb0:
  func.return
}) : () -> ()

// -----

// CHECK: type of entry block argument #0('f32') must match the type of the corresponding argument in function signature('i32')
"func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
^bb0(%a: f32):
  func.return
}) : () -> ()

// -----

// CHECK: expects argument attribute array to have the same number of elements as the number of function arguments, got 0, but expected 1
"func.func"() <{sym_name = "f", function_type = (i32) -> (), arg_attrs = []}> ({
^bb0(%a: i32):
  func.return
}) : () -> ()

// -----

// CHECK: expects result attribute array to have the same number of elements as the number of function results, got 1, but expected 0
"func.func"() <{sym_name = "f", function_type = (i32) -> (), res_attrs = [{}]}> ({
^bb0(%a: i32):
  func.return
}) : () -> ()

// -----

// CHECK: i32 should be of base attribute fun
"func.func"() <{sym_name = "f", function_type = i32}> ({
}) : () -> ()

// -----

// CHECK: property 'sym_name' expected in operation 'func.func'
"func.func"() <{function_type = () -> (), sym_visibility = "private"}> ({
}) : () -> ()

// -----

// CHECK: Redefinition of symbol "f"
func.func private @f()
func.func private @f()

// -----

// CHECK: '@h' could not be found in symbol table
func.func private @f(i32)
func.func @g(%a: i32) {
  call @h(%a) : (i32) -> ()
  return
}

// -----

// CHECK: operand type mismatch: expected operand type i32, but provided f32 for operand number 0
func.func private @f(i32)
func.func @g(%a: f32) {
  call @f(%a) : (f32) -> ()
  return
}

// -----

// CHECK: incorrect number of operands for callee
func.func private @f(i32)
func.func @g(%a: i32) {
  call @f(%a, %a) : (i32, i32) -> ()
  return
}

// -----

// CHECK: incorrect number of results for callee
func.func private @f(i32) -> i32
func.func @g(%a: i32) {
  call @f(%a) : (i32) -> ()
  return
}

// -----

// CHECK: result type mismatch: expected result type i32, but provided f32 for result number 0
func.func private @f(i32) -> i32
func.func @g(%a: i32) {
  %0 = call @f(%a) : (i32) -> f32
  return
}

// -----

// CHECK: reference to undefined function 'h'
func.func @g(%a: i32) {
  %0 = func.constant @h : (i32) -> i32
  return
}

// -----

// CHECK: reference to function with mismatched type: '(i32) -> i32' is not '(i32) -> ()'
func.func private @h(i32)
func.func @g(%a: i32) {
  %0 = func.constant @h : (i32) -> i32
  return
}

// -----

// CHECK: ^^
func.func private @h(i32)
func.func @g(%a: i32) {
  %0 = func.constant @h : i32
  return
}

// -----

// CHECK: operand is used with type () -> (), but has been previously used or defined with type i32
func.func @g(%a: i32) {
  func.call_indirect %a() : () -> ()
  return
}

// -----

// CHECK: expected 1 operand types but had 2
func.func @g(%a: i32, %f: (i32) -> i32) {
  %0 = func.call_indirect %f(%a, %a) : (i32) -> i32
  return
}

// -----

// CHECK: operand types do not match those of the callee
func.func @g(%a: i32, %f: (i32) -> i32) {
  %0 = "func.call_indirect"(%f) : ((i32) -> i32) -> i32
  return
}

// -----

// CHECK: result types do not match those of the callee
func.func @g(%a: i32, %f: (i32) -> i32) {
  %0 = "func.call_indirect"(%f, %a) : ((i32) -> i32, i32) -> f32
  return
}

// -----

// CHECK: operand is used with type (i32) -> (), but has been previously used or defined with type i32
func.func @g(%a: i32) {
  func.call_indirect %a(%a) : (i32) -> ()
  return
}

// -----

// CHECK: '@f' could not be found in symbol table
"func.call"() <{callee = @f}> : () -> ()

// -----

// CHECK: 'func.return' expects parent op 'func.func'
func.return

// -----

// CHECK: Expected arguments to have the same types as the function output types: expected [], got [i32]
func.func @g(%a: i32) {
  func.func @h(%b: i32) {
    "func.return"(%a) : (i32) -> ()
  }
  return
}

// -----

// CHECK: property 'callee' expected in operation 'func.call'
func.func @g(%a: i32) {
  "func.call"() : () -> ()
  return
}

// -----

// CHECK: SSA value %a is already defined
func.func @g(%a: i32, %a: i32) {
  return
}

// -----

// CHECK: Attribute dictionary entry 'sym_name' is already passed through the operation custom assembly format.
func.func @g(%a: i32) attributes {sym_name = "x"} {
  return
}

// -----

// CHECK: Expected SymbolRefAttr with no nested symbols.
func.func @g(%a: i32) {
  func.func private @h(i32)
  call @g(%a) : (i32) -> ()
  "func.call"(%a) <{callee = @m::@f}> : (i32) -> ()
  return
}

// -----

// CHECK: visibility expected to be one of public, private, nested, but got hidden
"func.func"() <{sym_name = "f", function_type = () -> (), sym_visibility = "hidden"}> ({
}) : () -> ()

// -----

// CHECK: Operation arith.constant terminates block in single-block region but is not a terminator
func.func @g(%a: i32) {
  %0 = arith.constant 1 : i32
}

// -----

// CHECK: 'bufferization.writable' must be true or false, not unit
func.func @f(%t: tensor<4xf32> {bufferization.writable}) {
  return
}

// -----

// CHECK: 'bufferization.writable' is invalid on external functions; say what they do with 'bufferization.access'
func.func private @f(tensor<4xf32> {bufferization.writable = false})

// -----

// CHECK: 'bufferization.access' must be "none", "read", "write" or "read-write", not "raed"
func.func private @f(tensor<4xf32> {bufferization.access = "raed"})
