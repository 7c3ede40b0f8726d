// RUN: xbuf opt -p canonicalize %s | filecheck %s

func.func private @use(index)
func.func private @use2(index, index)
func.func private @use3(f32, f32, f32)
func.func private @index(index) -> index
func.func private @value(index, index) -> f32
func.func private @next(f32, f32) -> f32
func.func private @more(f32, f32, f32) -> i1
func.func private @new() -> f32
func.func private @effect()
func.func private @dead()

// CHECK-LABEL: func.func @forall_with_one_iteration
// CHECK-NEXT:   %0 = tensor.insert_slice %s into %t[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
// CHECK-NEXT:   %1 = tensor.insert_slice %s into %0[2] [1] [1] : tensor<1xf32> into tensor<4xf32>
// CHECK-NEXT:   func.return %1 : tensor<4xf32>
// CHECK-NEXT: }
func.func @forall_with_one_iteration(%t: tensor<4xf32>, %s: tensor<1xf32>) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %0 = scf.forall (%i, %j) = (0, 3) to (%c1, 4) step (1, 1) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %s into %o[2] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @forall_without_iterations
// CHECK-NEXT:   func.return %t : tensor<4xf32>
// CHECK-NEXT: }
func.func @forall_without_iterations(%t: tensor<4xf32>, %s: tensor<1xf32>) -> tensor<4xf32> {
  %0 = scf.forall (%i, %j) in (1, 0) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @forall_with_mapping
// CHECK-NEXT:   %0 = scf.forall (%i, %j) in (1, 3) shared_outs(%o = %t) -> (tensor<4xf32>) {
// CHECK-NEXT:     scf.forall.in_parallel {
// CHECK-NEXT:       tensor.parallel_insert_slice %s into %o[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   } {mapping = [#gpu.block<x>, #gpu.block<y>]}
// CHECK-NEXT:   func.return %0, %t : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: }
func.func @forall_with_mapping(%n: index, %t: tensor<4xf32>, %s: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c3 = arith.constant 3 : index
  %0:2 = scf.forall (%i, %j) in (1, %c3) shared_outs(%o = %t, %p = %t) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {mapping = [#gpu.block<x>, #gpu.block<y>]}
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @forall_without_outputs
// CHECK-NEXT:   %i = arith.constant 0 : index
// CHECK-NEXT:   func.call @use(%i) : (index) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @forall_without_outputs(%n: index) {
  scf.forall (%i) in (1) {
    func.call @use(%i) : (index) -> ()
  }
  scf.forall (%i) = (2) to (1) step (1) {
    func.call @use(%i) : (index) -> ()
  }
  scf.forall (%i) = (%n) to (%n) step (1) {
    func.call @use(%i) : (index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @if_results
// CHECK-NEXT:   %0 = arith.select %c, %a, %b : index
// CHECK-NEXT:   %1 = arith.select %c, %t, %u : tensor<4xf32>
// CHECK-NEXT:   %2 = arith.constant true
// CHECK-NEXT:   %3 = scf.if %c -> (i1) {
// CHECK-NEXT:     %x = func.call @index(%a) : (index) -> index
// CHECK-NEXT:     scf.yield %2 : i1
// CHECK-NEXT:   } else {
// CHECK-NEXT:     %f = arith.constant false
// CHECK-NEXT:     scf.yield %f : i1
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %0, %1, %a, %t, %3 : index, tensor<4xf32>, index, tensor<4xf32>, i1
// CHECK-NEXT: }
func.func @if_results(%c: i1, %a: index, %b: index, %t: tensor<4xf32>, %u: tensor<4xf32>) -> (index, tensor<4xf32>, index, tensor<4xf32>, i1) {
  %0:6 = scf.if %c -> (index, tensor<4xf32>, index, index, tensor<4xf32>, i1) {
    %x = func.call @index(%a) : (index) -> index
    scf.yield %a, %t, %a, %x, %t, %c : index, tensor<4xf32>, index, index, tensor<4xf32>, i1
  } else {
    %f = arith.constant false
    scf.yield %b, %u, %a, %b, %t, %f : index, tensor<4xf32>, index, index, tensor<4xf32>, i1
  }
  return %0#0, %0#1, %0#2, %0#4, %0#5 : index, tensor<4xf32>, index, tensor<4xf32>, i1
}

// CHECK-LABEL: func.func @for_iter_args
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %b) -> (f32) {
// CHECK-NEXT:     %w = func.call @next(%a, %a) : (f32, f32) -> f32
// CHECK-NEXT:     scf.yield %w : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %a, %0, %b : f32, f32, f32
// CHECK-NEXT: }
func.func @for_iter_args(%n: index, %a: f32, %b: f32, %unused: i1) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %b) -> (f32, f32, f32) {
     %w = func.call @next(%x, %x) : (f32, f32) -> f32
     scf.yield %x, %w, %b : f32, f32, f32
  }
  return %0#0, %0#1, %0#2 : f32, f32, f32
}

// CHECK-LABEL: func.func @for_trip_counts
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c2 = arith.constant 2 : index
// CHECK-NEXT:   %0, %1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %z = %b) -> (f32, f32) {
// CHECK-NEXT:     %w = func.call @next(%x, %x) : (f32, f32) -> f32
// CHECK-NEXT:     scf.yield %w, %x : f32, f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.call @use3(%b, %b, %a) : (f32, f32, f32) -> ()
// CHECK-NEXT:   func.call @effect() : () -> ()
// CHECK-NEXT:   %m = arith.constant -1 : index
// CHECK-NEXT:   scf.for unsigned %i_1 = %c2 to %m step %c1 {
// CHECK-NEXT:     func.call @effect() : () -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %0, %0, %1 : f32, f32, f32
// CHECK-NEXT: }
func.func @for_trip_counts(%n: index, %a: f32, %b: f32, %unused: i1) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a, %z = %b) -> (f32, f32, f32) {
     %w = func.call @next(%x, %y) : (f32, f32) -> f32
     scf.yield %w, %w, %y : f32, f32, f32
  }
  %1:3 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %a, %y = %a, %z = %b) -> (f32, f32, f32) {
     scf.yield %b, %b, %a : f32, f32, f32
  }
  func.call @use3(%1#0, %1#1, %1#2) : (f32, f32, f32) -> ()
  scf.for unsigned %i = %c2 to %c1 step %c1 {
    func.call @dead() : () -> ()
  }
  scf.for %i = %c1 to %c2 step %c2 {
    func.call @effect() : () -> ()
  }
  scf.for %i = %n to %n step %c2 {
    func.call @dead() : () -> ()
  }
  %m = arith.constant -1 : index
  scf.for unsigned %i = %c2 to %m step %c1 {
    func.call @effect() : () -> ()
  }
  return %0#0, %0#1, %0#2 : f32, f32, f32
}

// CHECK-LABEL: func.func @index_switch
// CHECK-NEXT:   func.return %n : index
// CHECK-NEXT: }
func.func @index_switch(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %0 = scf.index_switch %c1 -> index
  case 1 {
    scf.yield %n : index
  } 
  default {
    scf.yield %c1 : index
  }
  return %0 : index
}

// CHECK-LABEL: func.func @parallel_dimensions
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   scf.parallel (%j) = (%c0) to (%n) step (%c1) {
// CHECK-NEXT:     func.call @use2(%c0, %j) : (index, index) -> ()
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }
// CHECK-NEXT:   %v = func.call @value(%c0, %c0) : (index, index) -> f32
// CHECK-NEXT:   %s = arith.subf %f, %v : f32
// CHECK-NEXT:   func.return %s : f32
// CHECK-NEXT: }
func.func @parallel_dimensions(%n: index, %f: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %n) step (%c1, %c1) {
    func.call @use2(%i, %j) : (index, index) -> ()
  }
  %0 = scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %c1) step (%c1, %c1) init(%f) -> f32 {
    %v = func.call @value(%i, %j) : (index, index) -> f32
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.subf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%c0, %n) step (%c1, %c1) {
    func.call @use2(%i, %j) : (index, index) -> ()
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @execute_region
// CHECK-NEXT:   scf.execute_region no_inline {
// CHECK-NEXT:     func.call @effect() : () -> ()
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %f : f32
// CHECK-NEXT: }
func.func @execute_region(%n: index, %f: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    scf.yield %f : f32
  }
  scf.execute_region no_inline { 
    func.call @effect() : () -> ()
    scf.yield
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @while_values
// CHECK-NEXT:   %0, %1 = scf.while (%x = %a) : (f32) -> (f32, f32) {
// CHECK-NEXT:     %k = func.call @more(%x, %b, %a) : (f32, f32, f32) -> i1
// CHECK-NEXT:     %q = func.call @new() : () -> f32
// CHECK-NEXT:     scf.condition(%k) %x, %q : f32, f32
// CHECK-NEXT:   } do {
// CHECK-NEXT:   ^bb0(%x_1: f32, %v: f32):
// CHECK-NEXT:     %w = func.call @next(%x_1, %a) : (f32, f32) -> f32
// CHECK-NEXT:     scf.yield %w : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %0, %a, %a, %0, %1 : f32, f32, f32, f32, f32
// CHECK-NEXT: }
func.func @while_values(%c: i1, %a: f32, %b: f32) -> (f32, f32, f32, f32, f32) {
  %0:5 = scf.while (%x = %a, %y = %b, %z = %a, %unused = %b) : (f32, f32, f32, f32) -> (f32, f32, f32, f32, f32) {
    %k = func.call @more(%x, %y, %z) : (f32, f32, f32) -> i1
    %q = func.call @new() : () -> f32
    scf.condition(%k) %x, %a, %z, %q, %q : f32, f32, f32, f32, f32
  } do {
  ^bb0(%x: f32, %y: f32, %z: f32, %u: f32, %v: f32):
    %w = func.call @next(%x, %y) : (f32, f32) -> f32
    scf.yield %w, %b, %z, %w : f32, f32, f32, f32
  }
  return %0#0, %0#1, %0#2, %0#0, %0#4 : f32, f32, f32, f32, f32
}

// CHECK-LABEL: func.func @if_without_results
// CHECK-NEXT:   scf.if %c {
// CHECK-NEXT:     func.call @effect() : () -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   func.call @effect() : () -> ()
// CHECK-NEXT:   scf.if %c {
// CHECK-NEXT:   } else {
// CHECK-NEXT:     func.call @effect() : () -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @if_without_results(%c: i1, %a: index) {
  scf.if %c {
    func.call @effect() : () -> ()
  } else {
  }
  func.call @effect() : () -> ()
  scf.if %c {
  } else {
    func.call @effect() : () -> ()
  }
  scf.if %c {
  } else {
  }
  return
}

// CHECK-LABEL: func.func @forall_dimension
// CHECK-NEXT:   %j = arith.constant 5 : index
// CHECK-NEXT:   scf.forall (%i) in (%n) {
// CHECK-NEXT:     func.call @use2(%i, %j) : (index, index) -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @forall_dimension(%n: index) {
  scf.forall (%i, %j) = (0, 5) to (%n, 6) step (1, 1) {
    func.call @use2(%i, %j) : (index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @for_unsigned_bytes
// CHECK-NEXT:   func.call @effect() : () -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @for_unsigned_bytes() {
  %a = arith.constant 127 : i8
  %b = arith.constant -128 : i8
  %c = arith.constant 1 : i8
  scf.for unsigned %i = %a to %b step %c : i8 {
    func.call @effect() : () -> ()
  }
  scf.for %i = %a to %b step %c : i8 {
    func.call @dead() : () -> ()
  }
  return
}
