// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt --print-op-generic %s | xbuf opt | filecheck %s

// CHECK: func.func private @use(index)
func.func private @use(index)

// CHECK: func.func private @value(index) -> f32
func.func private @value(index) -> f32

// CHECK: func.func private @on() -> i1
func.func private @on() -> i1

// CHECK-LABEL: func.func @for(%n: index, %a: i32, %f: f32, %t: tensor<?xf32>) -> f32 {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   scf.for %i = %c0 to %n step %c1 {
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %i_1 = %c0 to %n step %c1 {
// CHECK-NEXT:     func.call @use(%i_1) : (index) -> ()
// CHECK-NEXT:   } {hint = 1 : i32}
// CHECK-NEXT:   scf.for %i_2 = %a to %a step %a : i32 {
// CHECK-NEXT:   }
// CHECK-NEXT:   %r = scf.for unsigned %i_3 = %a to %a step %a iter_args(%x = %f) -> (f32) : i32 {
// CHECK-NEXT:     scf.yield %x : f32
// CHECK-NEXT:   } {hint}
// CHECK-NEXT:   %r2, %r2_1 = scf.for %i_4 = %c0 to %n step %c1 iter_args(%x_1 = %f, %y = %t) -> (f32, tensor<?xf32>) {
// CHECK-NEXT:     scf.yield %x_1, %y : f32, tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @for(%n: index, %a: i32, %f: f32, %t: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
  }
  scf.for %i = %c0 to %n step %c1 {
    func.call @use(%i) : (index) -> ()
    scf.yield
  } {hint = 1 : i32}
  scf.for %i = %a to %a step %a : i32 {
  }
  %r = scf.for unsigned %i = %a to %a step %a iter_args(%x = %f) -> (f32) : i32 {
    scf.yield %x : f32
  } {hint}
  %r2:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %f, %y = %t) -> (f32, tensor<?xf32>) {
    scf.yield %x, %y : f32, tensor<?xf32>
  }
  return %r : f32
}

// CHECK-LABEL: func.func @if(%c: i1, %f: f32, %n: index) {
// CHECK-NEXT:   scf.if %c {
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.if %c {
// CHECK-NEXT:     func.call @use(%n) : (index) -> ()
// CHECK-NEXT:   } {hint}
// CHECK-NEXT:   scf.if %c {
// CHECK-NEXT:   } else {
// CHECK-NEXT:     func.call @use(%n) : (index) -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   %0 = scf.if %c -> (f32) {
// CHECK-NEXT:     scf.yield %f : f32
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %f : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %1, %2 = scf.if %c -> (f32, f32) {
// CHECK-NEXT:     scf.yield %f, %f : f32, f32
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %f, %f : f32, f32
// CHECK-NEXT:   } {hint}
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @if(%c: i1, %f: f32, %n: index) {
  scf.if %c {
  }
  scf.if %c {
    func.call @use(%n) : (index) -> ()
  } {hint}
  scf.if %c {
  } else {
    func.call @use(%n) : (index) -> ()
  }
  %0 = scf.if %c -> f32 {
    scf.yield %f : f32
  } else {
    scf.yield %f : f32
  }
  %1:2 = scf.if %c -> (f32, f32) {
    scf.yield %f, %f : f32, f32
  } else {
    scf.yield %f, %f : f32, f32
  } {hint}
  return
}

// CHECK-LABEL: func.func @while(%f: f32, %i: i32) {
// CHECK-NEXT:   scf.while : () -> () {
// CHECK-NEXT:     %c = func.call @on() : () -> i1
// CHECK-NEXT:     scf.condition(%c)
// CHECK-NEXT:   } do {
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.while (%x = %f) : (f32) -> () {
// CHECK-NEXT:     %c_1 = func.call @on() : () -> i1
// CHECK-NEXT:     scf.condition(%c_1)
// CHECK-NEXT:   } do {
// CHECK-NEXT:     scf.yield %f : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %0, %1 = scf.while (%x_1 = %f, %y = %i) : (f32, i32) -> (i32, f32) {
// CHECK-NEXT:     %c_2 = func.call @on() : () -> i1
// CHECK-NEXT:     scf.condition(%c_2) {hint} %y, %x_1 : i32, f32
// CHECK-NEXT:   } do {
// CHECK-NEXT:   ^bb0(%y_1: i32, %x_2: f32):
// CHECK-NEXT:     scf.yield %x_2, %y_1 : f32, i32
// CHECK-NEXT:   } attributes {hint = 3 : i64}
// CHECK-NEXT:   %2 = scf.while : () -> f32 {
// CHECK-NEXT:     %c_3 = func.call @on() : () -> i1
// CHECK-NEXT:     scf.condition(%c_3) %f : f32
// CHECK-NEXT:   } do {
// CHECK-NEXT:   ^bb0(%x_3: f32):
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @while(%f: f32, %i: i32) {
  scf.while : () -> () {
    %c = func.call @on() : () -> i1
    scf.condition(%c)
  } do {
    scf.yield
  }
  scf.while (%x = %f) : (f32) -> () {
    %c = func.call @on() : () -> i1
    scf.condition(%c)
  } do {
    scf.yield %f : f32
  }
  %0:2 = scf.while (%x = %f, %y = %i) : (f32, i32) -> (i32, f32) {
    %c = func.call @on() : () -> i1
    scf.condition(%c) {hint} %y, %x : i32, f32
  } do {
  ^bb0(%y: i32, %x: f32):
    scf.yield %x, %y : f32, i32
  } attributes {hint = 3 : i64}
  %1 = scf.while : () -> f32 {
    %c = func.call @on() : () -> i1
    scf.condition(%c) %f : f32
  } do {
  ^bb0(%x: f32):
    scf.yield
  }
  return
}

// CHECK-LABEL: func.func @index_switch(%i: index, %f: f32) {
// CHECK-NEXT:   scf.index_switch %i
// CHECK-NEXT:   default {
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.index_switch %i {hint}
// CHECK-NEXT:   case 1 {
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   case -5 {
// CHECK-NEXT:     func.call @use(%i) : (index) -> ()
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   default {
// CHECK-NEXT:   }
// CHECK-NEXT:   %0 = scf.index_switch %i -> f32
// CHECK-NEXT:   case 1 {
// CHECK-NEXT:     scf.yield %f : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   default {
// CHECK-NEXT:     scf.yield %f : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %1, %2 = scf.index_switch %i {hint} -> f32, f32
// CHECK-NEXT:   case 1 {
// CHECK-NEXT:     scf.yield %f, %f : f32, f32
// CHECK-NEXT:   }
// CHECK-NEXT:   default {
// CHECK-NEXT:     scf.yield %f, %f : f32, f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @index_switch(%i: index, %f: f32) {
  scf.index_switch %i
  default {
  }
  scf.index_switch %i {hint}
  case 1 {
    scf.yield
  }
  case -5 {
    func.call @use(%i) : (index) -> ()
    scf.yield
  }
  default {
    scf.yield
  }
  %0 = scf.index_switch %i -> f32
  case 1 {
    scf.yield %f : f32
  }
  default {
    scf.yield %f : f32
  }
  %1:2 = scf.index_switch %i {hint} -> f32, f32
  case 1 {
    scf.yield %f, %f : f32, f32
  }
  default {
    scf.yield %f, %f : f32, f32
  }
  return
}

// CHECK-LABEL: func.func @execute_region(%c: i1, %f: f32) {
// CHECK-NEXT:   scf.execute_region {
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.execute_region no_inline {
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   } {hint}
// CHECK-NEXT:   %0 = scf.execute_region -> f32 {
// CHECK-NEXT:     cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:
// CHECK-NEXT:     scf.yield %f : f32
// CHECK-NEXT:   ^bb2:
// CHECK-NEXT:     scf.yield %f : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %1, %2 = scf.execute_region -> (f32, f32) no_inline {
// CHECK-NEXT:     scf.yield %f, %f : f32, f32
// CHECK-NEXT:   } {hint}
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @execute_region(%c: i1, %f: f32) {
  scf.execute_region {
    scf.yield
  }
  scf.execute_region no_inline {
    scf.yield
  } {hint}
  %0 = scf.execute_region -> f32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %f : f32
  ^bb2:
    scf.yield %f : f32
  }
  %1:2 = scf.execute_region -> (f32, f32) no_inline {
    scf.yield %f, %f : f32, f32
  } {hint}
  return
}

// CHECK-LABEL: func.func @parallel(%n: index, %f: f32) -> f32 {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   scf.parallel (%i) = (%c0) to (%n) step (%c1) {
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.parallel (%i_1, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
// CHECK-NEXT:     func.call @use(%j) : (index) -> ()
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = sequential, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// CHECK-NEXT:   %0 = scf.parallel (%i_2) = (%c0) to (%n) step (%c1) init (%f) -> f32 {
// CHECK-NEXT:     %v = func.call @value(%i_2) : (index) -> f32
// CHECK-NEXT:     scf.reduce(%v : f32) {
// CHECK-NEXT:     ^bb0(%a: f32, %b: f32):
// CHECK-NEXT:       %s = arith.addf %a, %b : f32
// CHECK-NEXT:       scf.reduce.return %s : f32
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   %1, %2 = scf.parallel (%i_3) = (%c0) to (%n) step (%c1) init (%f, %n) -> (f32, index) {
// CHECK-NEXT:     scf.reduce(%f, %i_3 : f32, index) {
// CHECK-NEXT:     ^bb0(%a_1: f32, %b_1: f32):
// CHECK-NEXT:       scf.reduce.return %a_1 {hint} : f32
// CHECK-NEXT:     }, {
// CHECK-NEXT:     ^bb0(%a_2: index, %b_2: index):
// CHECK-NEXT:       scf.reduce.return %b_2 : index
// CHECK-NEXT:     } {hint}
// CHECK-NEXT:   } {hint}
// CHECK-NEXT:   func.return %0 : f32
// CHECK-NEXT: }
func.func @parallel(%n: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    func.call @use(%j) : (index) -> ()
    scf.reduce
  } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = sequential, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  %0 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%f) -> f32 {
    %v = func.call @value(%i) : (index) -> f32
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  %1:2 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%f, %n) -> (f32, index) {
    scf.reduce(%f, %i : f32, index) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %a {hint} : f32
    }, {
    ^bb0(%a: index, %b: index):
      scf.reduce.return %b : index
    } {hint}
  } {hint}
  return %0 : f32
}

// CHECK-LABEL: func.func @forall(%n: index, %t: tensor<?xf32>, %s: tensor<1xf32>) {
// CHECK-NEXT:   scf.forall (%i) in (4) {
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.forall () in () {
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.forall (%i_1, %j) in (%n, 4) {
// CHECK-NEXT:     func.call @use(%j) : (index) -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.forall (%i_2, %j_1) = (-1, %n) to (%n, 4) step (1, 2) {
// CHECK-NEXT:   } {mapping = [#gpu.block<x>, #gpu.block<linear_dim_9>]}
// CHECK-NEXT:   scf.forall (%i_3) = (0) to (%n) step (%n) {
// CHECK-NEXT:   } {mapping = [#gpu.warp<y>]}
// CHECK-NEXT:   scf.forall (%i_4) in (%n) {
// CHECK-NEXT:   } {mapping = [#gpu.lane<linear_dim_0>, #gpu.mask<7>]}
// CHECK-NEXT:   scf.forall (%i_5) in (1) {
// CHECK-NEXT:   } {mapping = [#gpu.warpgroup<z>]}
// CHECK-NEXT:   %0 = scf.forall (%i_6) in (%n) shared_outs(%o = %t) -> (tensor<?xf32>) {
// CHECK-NEXT:     scf.forall.in_parallel {
// CHECK-NEXT:       tensor.parallel_insert_slice %s into %o[%i_6] [1] [1] : tensor<1xf32> into tensor<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   %1, %2 = scf.forall (%i_7) = (0) to (8) step (2) shared_outs(%o_1 = %t, %p = %t) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     scf.forall.in_parallel {
// CHECK-NEXT:       tensor.parallel_insert_slice %s into %o_1[%i_7] [1] [1] : tensor<1xf32> into tensor<?xf32>
// CHECK-NEXT:       tensor.parallel_insert_slice %s into %p[%i_7] [1] [1] : tensor<1xf32> into tensor<?xf32>
// CHECK-NEXT:     } {hint}
// CHECK-NEXT:   } {hint = 1 : i32, mapping = [#gpu.thread<linear_dim_0>]}
// CHECK-NEXT:   %3 = scf.forall (%i_8) in (1) shared_outs(%o_2 = %t) -> (tensor<?xf32>) {
// CHECK-NEXT:     scf.forall.in_parallel {
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @forall(%n: index, %t: tensor<?xf32>, %s: tensor<1xf32>) {
  scf.forall (%i) in (4) {
  }
  scf.forall () in () {
  }
  scf.forall (%i, %j) in (%n, 4) {
    func.call @use(%j) : (index) -> ()
    scf.forall.in_parallel {
    }
  }
  scf.forall (%i, %j) = (-1, %n) to (%n, 4) step (1, 2) {
  } {mapping = [#gpu.block<x>, #gpu.block<linear_dim_9>]}
  scf.forall (%i) = (0) to (%n) step (%n) {
  } {mapping = [#gpu.warp<y>]}
  scf.forall (%i) = (0) to (%n) step (1) {
  } {mapping = [#gpu.lane<linear_dim_0>, #gpu.mask<7>]}
  scf.forall (%i) in (1) {
  } {mapping = [#gpu.warpgroup<z>]}
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  %1:2 = scf.forall (%i) = (0) to (8) step (2) shared_outs(%o = %t, %p = %t) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
      tensor.parallel_insert_slice %s into %p[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    } {hint}
  } {hint = 1 : i32, mapping = [#gpu.thread<linear_dim_0>]}
  %2 = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
    }
  }
  return
}
