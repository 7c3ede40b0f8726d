// RUN: xbuf opt -p canonicalize %s | filecheck %s

func.func private @effect()

// CHECK-LABEL: func.func @constant_condition
// CHECK-NEXT:   func.call @effect() : () -> ()
// CHECK-NEXT:   func.return %a : i32
// CHECK-NEXT: }
func.func @constant_condition(%a: i32, %b: i32) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^bb1(%a : i32), ^bb1(%b : i32)
^bb1(%x: i32):
  func.call @effect() : () -> ()
  return %x : i32
}

// CHECK-LABEL: func.func @same_successors
// CHECK-NEXT:   %x = arith.select %c, %a, %b : i32
// CHECK-NEXT:   func.return %x : i32
// CHECK-NEXT: }
func.func @same_successors(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c weights([1, 3]), ^bb1(%a : i32), ^bb1(%b : i32)
^bb1(%x: i32):
  return %x : i32
}

// CHECK-LABEL: func.func @constant_switch
// CHECK-NEXT:   func.return %b : i32
// CHECK-NEXT: }
func.func @constant_switch(%a: i32, %b: i32) -> i32 {
  %m = arith.constant -1 : i32
  cf.switch %m : i32, [
    default: ^bb1(%a : i32),
    4294967295: ^bb1(%b : i32)
  ]
^bb1(%x: i32):
  return %x : i32
}

// CHECK-LABEL: func.func @assert_true
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @assert_true() {
  %true = arith.constant true
  cf.assert %true, "never"
  return
}

// Blocks that branch to each other for ever.
// CHECK-LABEL: func.func @circle
// CHECK-NEXT:     cf.br ^bb1
// CHECK-NEXT:   ^bb1:
// CHECK-NEXT:     cf.br ^bb1
func.func @circle() {
  cf.br ^bb1
^bb1:
  cf.br ^bb2
^bb2:
  cf.br ^bb3
^bb3:
  cf.br ^bb1
}

// CHECK-LABEL: func.func @branches_into_circle
// CHECK-NEXT:     cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:
// CHECK-NEXT:     cf.switch
// CHECK:        ^bb2:
// CHECK-NEXT:     cf.br ^bb3
func.func @branches_into_circle(%c: i1, %i: i32) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.switch %i : i32, [
    default: ^bb2,
    1: ^bb3
  ]
^bb2:
  cf.br ^bb3
^bb3:
  cf.br ^bb2
}

// CHECK-LABEL: func.func @weights
// CHECK:          cf.cond_br %c weights([1, 9]), ^bb2, ^bb1
func.func @weights(%c: i1) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  cf.cond_br %c weights([1, 9]), ^bb1, ^bb2
^bb1:
  cf.br ^bb3
^bb2:
  return %b : i32
^bb3:
  func.call @effect() : () -> ()
  return %a : i32
}

// CHECK-LABEL: func.func @unreachable
// CHECK-NEXT:     func.call @effect
// CHECK-NEXT:     func.return
func.func @unreachable(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  ub.unreachable
^bb2:
  func.call @effect() : () -> ()
  return
}
