// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt --print-op-generic %s | xbuf opt | filecheck %s

// CHECK-LABEL: func.func @br(%a: i32, %f: f32) {
// CHECK-NEXT:   cf.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   cf.br ^bb2(%a, %f : i32, f32) {hint}
// CHECK-NEXT: ^bb2(%x: i32, %y: f32):
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @br(%a: i32, %f: f32) {
  cf.br ^bb1
^bb1:
  cf.br ^bb2(%a, %f : i32, f32) {hint}
^bb2(%x: i32, %y: f32):
  return
}

// CHECK-LABEL: func.func @cond(%c: i1, %a: i32, %f: f32) -> i32 {
// CHECK-NEXT:   cf.assert %c, "message"
// CHECK-NEXT:   cf.assert %c, "a \22quote\22 and\0A" {hint = 1 : i8}
// CHECK-NEXT:   cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   cf.cond_br %c, ^bb3(%a : i32), ^bb3(%a : i32)
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   cf.cond_br %c weights([1, 2]), ^bb1, ^bb3(%a : i32) {hint}
// CHECK-NEXT: ^bb3(%x: i32):
// CHECK-NEXT:   func.return %x : i32
// CHECK-NEXT: }
func.func @cond(%c: i1, %a: i32, %f: f32) -> i32 {
  cf.assert %c, "message"
  cf.assert %c, "a \22quote\22 and\0A" {hint = 1 : i8}
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.cond_br %c, ^bb3(%a : i32), ^bb3(%a : i32)
^bb2:
  cf.cond_br %c weights([1, 2]), ^bb1, ^bb3(%a : i32) {hint}
^bb3(%x: i32):
  return %x : i32
}

// CHECK-LABEL: func.func @switch(%flag: i32, %i: index, %j: i64, %k: i1, %a: i32, %f: f32) -> i32 {
// CHECK-NEXT:   cf.switch %flag : i32, [
// CHECK-NEXT:     default: ^bb1(%a : i32),
// CHECK-NEXT:     42: ^bb1(%flag : i32),
// CHECK-NEXT:     4294967253: ^bb2
// CHECK-NEXT:   ]
// CHECK-NEXT: ^bb1(%x: i32):
// CHECK-NEXT:   func.return %x : i32
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   cf.switch %flag : i32, [
// CHECK-NEXT:     default: ^bb3
// CHECK-NEXT:   ]
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   cf.switch %j : i64, [
// CHECK-NEXT:     default: ^bb1(%a : i32),
// CHECK-NEXT:     1: ^bb4(%a, %f : i32, f32)
// CHECK-NEXT:   ] {hint}
// CHECK-NEXT: ^bb4(%y: i32, %g: f32):
// CHECK-NEXT:   cf.switch %j : i64, [
// CHECK-NEXT:     default: ^bb1(%a : i32),
// CHECK-NEXT:     9223372036854775807: ^bb5,
// CHECK-NEXT:     1: ^bb5
// CHECK-NEXT:   ]
// CHECK-NEXT: ^bb5:
// CHECK-NEXT:   cf.switch %k : i1, [
// CHECK-NEXT:     default: ^bb1(%a : i32),
// CHECK-NEXT:     1: ^bb6
// CHECK-NEXT:   ]
// CHECK-NEXT: ^bb6:
// CHECK-NEXT:   func.return %a : i32
// CHECK-NEXT: }
func.func @switch(%flag: i32, %i: index, %j: i64, %k: i1, %a: i32, %f: f32) -> i32 {
  cf.switch %flag : i32, [
    default: ^bb1(%a : i32),
    42: ^bb1(%flag : i32),
    -43: ^bb2
  ]
^bb1(%x: i32):
  return %x : i32
^bb2:
  cf.switch %flag : i32, [
    default: ^bb3
  ]
^bb3:
  cf.switch %j : i64, [
    default: ^bb1(%a : i32),
    1: ^bb4(%a, %f : i32, f32)
  ] {hint}
^bb4(%y: i32, %g: f32):
  cf.switch %j : i64, [
    default: ^bb1(%a : i32),
    9223372036854775807: ^bb5,
    1: ^bb5
  ]
^bb5:
  cf.switch %k : i1, [
    default: ^bb1(%a : i32),
    1: ^bb6
  ]
^bb6:
  return %a: i32
}
