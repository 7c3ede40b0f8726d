// RUN: xbuf opt -p canonicalize --allow-unregistered-dialect %s | filecheck %s

// CHECK-LABEL: func.func @one_after_the_other
// CHECK-NEXT:    %0, %1 = scf.if %c -> (i32, i32) {
// CHECK-NEXT:      %a = "test.a"() : () -> i32
// CHECK-NEXT:      "test.b"(%a)
// CHECK-NEXT:      %r = "test.c"(%a)
// CHECK-NEXT:      scf.yield %a, %r
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %d = "test.d"() : () -> i32
// CHECK-NEXT:      %e = "test.e"(%d)
// CHECK-NEXT:      scf.yield %d, %e
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %0, %1
func.func @one_after_the_other(%c: i1) -> (i32, i32) {
  %0 = scf.if %c -> i32 {
    %a = "test.a"() : () -> i32
    scf.yield %a : i32
  } else {
    %d = "test.d"() : () -> i32
    scf.yield %d : i32
  }
  scf.if %c {
    "test.b"(%0) : (i32) -> ()
  }
  %1 = scf.if %c -> i32 {
    %r = "test.c"(%0) : (i32) -> i32
    scf.yield %r : i32
  } else {
    %e = "test.e"(%0) : (i32) -> i32
    scf.yield %e : i32
  }
  return %0, %1 : i32, i32
}

// CHECK-LABEL: func.func @negated
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      "test.a"
// CHECK-NEXT:    } else {
// CHECK-NEXT:      "test.b"
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @negated(%c: i1) {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  scf.if %c {
    "test.a"() : () -> ()
  }
  scf.if %n {
    "test.b"() : () -> ()
  }
  return
}

// What stands in between may depend on the first.
// CHECK-LABEL: func.func @not_next_to_each_other
// CHECK:         scf.if
// CHECK:         "test.between"
// CHECK-NEXT:    scf.if
func.func @not_next_to_each_other(%c: i1) {
  scf.if %c {
    "test.a"() : () -> ()
  }
  "test.between"() : () -> ()
  scf.if %c {
    "test.b"() : () -> ()
  }
  return
}

// CHECK-LABEL: func.func @nested
// CHECK-NEXT:    %0 = arith.andi %c, %d : i1
// CHECK-NEXT:    %1 = scf.if %0 -> (i32) {
// CHECK-NEXT:      %a = "test.a"() : () -> i32
// CHECK-NEXT:      scf.yield %a
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %x
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %1
func.func @nested(%c: i1, %d: i1, %x: i32) -> i32 {
  %0 = scf.if %c -> i32 {
    %1 = scf.if %d -> i32 {
      %a = "test.a"() : () -> i32
      scf.yield %a : i32
    } else {
      scf.yield %x : i32
    }
    scf.yield %1 : i32
  } else {
    scf.yield %x : i32
  }
  return %0 : i32
}

// Both branches of the inner one, and what is else, are different.
// CHECK-LABEL: func.func @nested_with_three_values
// CHECK-NEXT:    scf.if %c
// CHECK-NEXT:      scf.if %d
func.func @nested_with_three_values(%c: i1, %d: i1, %x: i32, %y: i32) -> i32 {
  %0 = scf.if %c -> i32 {
    %1 = scf.if %d -> i32 {
      %a = "test.a"() : () -> i32
      scf.yield %a : i32
    } else {
      scf.yield %y : i32
    }
    scf.yield %1 : i32
  } else {
    scf.yield %x : i32
  }
  return %0 : i32
}

// CHECK-LABEL: func.func @known_inside
// CHECK-DAG:     [[T:%.*]] = arith.constant true
// CHECK-DAG:     [[F:%.*]] = arith.constant false
// CHECK:         scf.if %c {
// CHECK-NEXT:      "test.a"([[T]])
// CHECK-NEXT:    } else {
// CHECK-NEXT:      "test.b"([[F]])
// CHECK:         "test.c"(%c)
func.func @known_inside(%c: i1) {
  scf.if %c {
    "test.a"(%c) : (i1) -> ()
  } else {
    "test.b"(%c) : (i1) -> ()
  }
  "test.c"(%c) : (i1) -> ()
  return
}

// CHECK-LABEL: func.func @while_condition_is_known
// CHECK-NEXT:    [[T:%.*]] = arith.constant true
// CHECK:           scf.condition
// CHECK:           "test.use"([[T]])
func.func @while_condition_is_known() -> i1 {
  %0 = scf.while () : () -> i1 {
    %c = "test.condition"() : () -> i1
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%d: i1):
    "test.use"(%d) : (i1) -> ()
    scf.yield
  }
  return %0 : i1
}

// CHECK-LABEL: func.func @while_comparison_is_known
// CHECK-DAG:     [[T:%.*]] = arith.constant true
// CHECK-DAG:     [[F:%.*]] = arith.constant false
// CHECK:         "test.use"([[T]], [[F]], %{{.*}})
func.func @while_comparison_is_known(%n: i32) -> i32 {
  %0 = scf.while () : () -> i32 {
    %v = "test.value"() : () -> i32
    %c = arith.cmpi slt, %v, %n : i32
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%v: i32):
    %less = arith.cmpi slt, %v, %n : i32
    %not_less = arith.cmpi sge, %v, %n : i32
    %other = arith.cmpi sle, %n, %v : i32
    "test.use"(%less, %not_less, %other) : (i1, i1, i1) -> ()
    scf.yield
  }
  return %0 : i32
}

// CHECK-LABEL: func.func @while_in_order
// CHECK-NEXT:    %0, %1 = scf.while (%x = %a, %y = %b)
// CHECK-NEXT:      %c = "test.condition"(%x, %y)
// CHECK-NEXT:      scf.condition(%c) %x, %y : i32, f32
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0([[P:%.*]]: i32, [[Q:%.*]]: f32):
// CHECK-NEXT:      [[V:%.*]] = "test.value"([[Q]]) : (f32) -> i32
// CHECK-NEXT:      [[W:%.*]] = "test.value"([[P]]) : (i32) -> f32
// CHECK-NEXT:      scf.yield [[V]], [[W]]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %1, %0
func.func @while_in_order(%a: i32, %b: f32) -> (f32, i32) {
  %0:2 = scf.while (%x = %a, %y = %b) : (i32, f32) -> (f32, i32) {
    %c = "test.condition"(%x, %y) : (i32, f32) -> i1
    scf.condition(%c) %y, %x : f32, i32
  } do {
  ^bb0(%q: f32, %p: i32):
    %v = "test.value"(%q) : (f32) -> i32
    %w = "test.value"(%p) : (i32) -> f32
    scf.yield %v, %w : i32, f32
  }
  return %0#0, %0#1 : f32, i32
}

// CHECK-LABEL: func.func @while_twice_the_same
// CHECK-NEXT:    %0 = scf.while (%x = %a) : (i32) -> i32
// CHECK:         func.return %0, %0
func.func @while_twice_the_same(%a: i32) -> (i32, i32) {
  %0:2 = scf.while (%x = %a, %y = %a) : (i32, i32) -> (i32, i32) {
    %c = "test.condition"(%x, %y) : (i32, i32) -> i1
    scf.condition(%c) %x, %y : i32, i32
  } do {
  ^bb0(%p: i32, %q: i32):
    %v = "test.value"(%p, %q) : (i32, i32) -> i32
    scf.yield %v, %v : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
