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
