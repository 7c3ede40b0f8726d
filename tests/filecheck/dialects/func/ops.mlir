// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt --print-op-generic %s | xbuf opt | filecheck %s

// CHECK: func.func private @decl(tensor<4xf32> {bufferization.access = "read"}, index) -> (tensor<4xf32> {foo.a = 1 : i32}, i32)
func.func private @decl(tensor<4xf32> {bufferization.access = "read"}, index) -> (tensor<4xf32> {foo.a = 1 : i32}, i32)

// CHECK: func.func private @one() -> i32
func.func private @one() -> i32

// CHECK: func.func private @oneattr() -> (i32 {foo.a})
func.func private @oneattr() -> (i32 {foo.a})

// CHECK: func.func private @two(i32, f32) -> (i32, f32) attributes {llvm.emit_c_interface}
func.func private @two(i32, f32) -> (i32, f32) attributes {llvm.emit_c_interface}

// CHECK: func.func nested @nested(%a: i32) {
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func nested @nested(%a: i32) {
  return
}

// CHECK: func.func public @public(%a: i32) {
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func public @public(%a: i32) {
  return
}

// CHECK-LABEL: func.func @noinline(%a: i32) attributes {no_inline} {
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @noinline(%a: i32) attributes {no_inline} {
  return
}

// CHECK: func.func private @fnresult() -> ((i32) -> i32)
func.func private @fnresult() -> ((i32) -> i32)

// CHECK: func.func private @tuple(tuple<i32, f32>)
func.func private @tuple(tuple<i32, f32>)

// CHECK-LABEL: func.func @"quoted name"(%a: i32 {foo.b = "x"}, %b: f32) -> (i32 {foo.c}, f32) attributes {foo.d = 1 : i64} {
// CHECK-NEXT:   func.return %a, %b : i32, f32
// CHECK-NEXT: }
func.func @"quoted name"(%a: i32 {foo.b = "x"}, %b: f32) -> (i32 {foo.c}, f32) attributes {foo.d = 1 : i64} {
  return %a, %b : i32, f32
}

// CHECK-LABEL: func.func @calls(%a: i32, %f: f32) -> i32 {
// CHECK-NEXT:   func.call @public(%a) : (i32) -> ()
// CHECK-NEXT:   %0, %1 = func.call @two(%a, %f) : (i32, f32) -> (i32, f32)
// CHECK-NEXT:   %2 = func.call @one() {hint} : () -> i32
// CHECK-NEXT:   %g = func.constant @identity : (i32) -> i32
// CHECK-NEXT:   %3 = func.call_indirect %g(%a) : (i32) -> i32
// CHECK-NEXT:   %4 = func.call_indirect %g(%3) {hint} : (i32) -> i32
// CHECK-NEXT:   %h = func.constant {hint} @public : (i32) -> ()
// CHECK-NEXT:   func.call_indirect %h(%4) : (i32) -> ()
// CHECK-NEXT:   %5, %6 = func.call @"quoted name"(%a, %f) {no_inline} : (i32, f32) -> (i32, f32)
// CHECK-NEXT:   %7 = func.call @one() {arg_attrs = [], res_attrs = [{foo.a}]} : () -> i32
// CHECK-NEXT:   func.return {hint} %3 : i32
// CHECK-NEXT: }
func.func @calls(%a: i32, %f: f32) -> i32 {
  func.call @public(%a) : (i32) -> ()
  %0:2 = call @two(%a, %f) : (i32, f32) -> (i32, f32)
  %1 = func.call @one() {hint} : () -> i32
  %g = constant @identity : (i32) -> i32
  %2 = call_indirect %g(%a) : (i32) -> i32
  %3 = func.call_indirect %g(%2) {hint} : (i32) -> i32
  %h = func.constant {hint} @public : (i32) -> ()
  func.call_indirect %h(%3) : (i32) -> ()
  func.call @"quoted name"(%a, %f) {no_inline} : (i32, f32) -> (i32, f32)
  func.call @one() {arg_attrs = [], res_attrs = [{foo.a}]} : () -> i32
  return {hint} %2 : i32
}

// CHECK-LABEL: func.func @identity(%a: i32) -> i32 {
// CHECK-NEXT:   func.return %a : i32
// CHECK-NEXT: }
func.func @identity(%a: i32) -> i32 {
  return %a : i32
}

// CHECK-LABEL: func.func @locations(%a: i32, %b: i32) -> i32 {
// CHECK-NEXT:   func.return %a : i32
// CHECK-NEXT: }
func.func @locations(%a: i32 loc("here"), %b: i32) -> i32 {
  return %a : i32 loc("x":1:2)
} loc(unknown)
