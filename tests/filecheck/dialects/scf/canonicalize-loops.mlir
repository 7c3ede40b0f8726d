// RUN: xbuf opt -p canonicalize --allow-unregistered-dialect %s | filecheck %s

// Values of one init that only change places never change.
// CHECK-LABEL: func.func @circle_of_values
// CHECK-NEXT:    scf.for %i = %l to %u step %s {
// CHECK-NEXT:      "test.use"(%a, %a, %b)
// CHECK:         func.return %a, %a, %b
func.func @circle_of_values(%l: index, %u: index, %s: index, %a: i32, %b: i32) -> (i32, i32, i32) {
  %0:3 = scf.for %i = %l to %u step %s iter_args(%x = %a, %y = %a, %z = %b) -> (i32, i32, i32) {
    "test.use"(%x, %y, %z) : (i32, i32, i32) -> ()
    scf.yield %y, %x, %z : i32, i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}

// One of the values has another init, and reaches the others.
// CHECK-LABEL: func.func @no_circle_of_values
// CHECK-NEXT:    scf.for {{.*}} iter_args(%x = %a, %y = %a, %z = %b)
func.func @no_circle_of_values(%l: index, %u: index, %s: index, %a: i32, %b: i32) -> (i32, i32, i32) {
  %0:3 = scf.for %i = %l to %u step %s iter_args(%x = %a, %y = %a, %z = %b) -> (i32, i32, i32) {
    "test.use"(%x, %y, %z) : (i32, i32, i32) -> ()
    scf.yield %y, %z, %x : i32, i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}

// CHECK-LABEL: func.func @bounds_next_to_each_other
// CHECK-NOT:     scf.for
// CHECK:         "test.use"(%l)
func.func @bounds_next_to_each_other(%l: index, %s: index) {
  %c2 = arith.constant 2 : index
  %u = arith.addi %l, %c2 overflow<nsw> : index
  scf.for %i = %l to %u step %c2 {
    "test.use"(%i) : (index) -> ()
  }
  return
}

// With overflow, the upper bound may be the lower number: then nothing runs.
// CHECK-LABEL: func.func @bounds_that_may_overflow
// CHECK:         scf.for
func.func @bounds_that_may_overflow(%l: index) {
  %c1 = arith.constant 1 : index
  %u = arith.addi %l, %c1 : index
  scf.for %i = %l to %u step %c1 {
    "test.use"(%i) : (index) -> ()
  }
  return
}

// The tensor grows. MLIR carries a tensor<2xf32> in the place of the tensor<?xf32>, and
// casts what is yielded, of 3 elements, to it.
// CHECK-LABEL: func.func @cast_into_loop_that_grows_a_tensor
// CHECK-NEXT:    %0 = tensor.cast %t : tensor<2xf32> to tensor<?xf32>
// CHECK-NEXT:    %1 = scf.for {{.*}} iter_args(%x = %0) -> (tensor<?xf32>)
func.func @cast_into_loop_that_grows_a_tensor(%t: tensor<2xf32>, %one: tensor<1xf32>, %l: index, %u: index, %s: index) -> tensor<?xf32> {
  %0 = tensor.cast %t : tensor<2xf32> to tensor<?xf32>
  %1 = scf.for %i = %l to %u step %s iter_args(%x = %0) -> (tensor<?xf32>) {
    %y = tensor.concat dim(0) %x, %one : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @nested_parallel
// CHECK-NEXT:    scf.parallel (%i, %j) = (%l, %l) to (%n, %m) step (%s, %s) {
// CHECK-NEXT:      "test.use"(%i, %j)
func.func @nested_parallel(%l: index, %n: index, %m: index, %s: index) {
  scf.parallel (%i) = (%l) to (%n) step (%s) {
    scf.parallel (%j) = (%l) to (%m) step (%s) {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// How often the inner loop runs depends on the outer one.
// CHECK-LABEL: func.func @triangle
// CHECK-NEXT:    scf.parallel (%i)
// CHECK-NEXT:      scf.parallel (%j) = (%i)
func.func @triangle(%l: index, %n: index, %s: index) {
  scf.parallel (%i) = (%l) to (%n) step (%s) {
    scf.parallel (%j) = (%i) to (%n) step (%s) {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// CHECK-LABEL: func.func @cast_behind_forall
// CHECK-NEXT:    %0 = scf.forall (%i) in (2) shared_outs(%o = %t) -> (tensor<2xf32>) {
// CHECK-NEXT:      scf.forall.in_parallel {
// CHECK-NEXT:        tensor.parallel_insert_slice %one into %o[%i] [1] [1] : tensor<1xf32> into tensor<2xf32>
// CHECK:         %1 = tensor.cast %0 : tensor<2xf32> to tensor<?xf32>
// CHECK-NEXT:    func.return %1
func.func @cast_behind_forall(%t: tensor<2xf32>, %one: tensor<1xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %t : tensor<2xf32> to tensor<?xf32>
  %1 = scf.forall (%i) in (2) shared_outs(%o = %0) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @size_of_forall
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %0 = tensor.dim %t, %c0 : tensor<?xf32>
// CHECK-NEXT:    func.return %0
func.func @size_of_forall(%t: tensor<?xf32>, %one: tensor<1xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// CHECK-LABEL: func.func @forall_without_dimension
// CHECK-NEXT:    "test.once"
// CHECK-NEXT:    func.return %one
func.func @forall_without_dimension(%t: tensor<1xf32>, %one: tensor<1xf32>) -> tensor<1xf32> {
  %0 = scf.forall () in () shared_outs(%o = %t) -> (tensor<1xf32>) {
    "test.once"() : () -> ()
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %o[0] [1] [1] : tensor<1xf32> into tensor<1xf32>
    }
  } {mapping = []}
  return %0 : tensor<1xf32>
}

// CHECK-LABEL: func.func @blocks_in_function
// CHECK-NEXT:    %c = "test.condition"() : () -> i1
// CHECK-NEXT:    cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %x = "test.x"() : () -> i32
// CHECK-NEXT:    cf.br ^bb3(%x : i32)
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    %y = "test.y"() : () -> i32
// CHECK-NEXT:    cf.br ^bb3(%y : i32)
// CHECK-NEXT:  ^bb3([[R:%.*]]: i32):
// CHECK-NEXT:    func.return [[R]]
func.func @blocks_in_function() -> i32 {
  %0 = scf.execute_region -> i32 {
    %c = "test.condition"() : () -> i1
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %x = "test.x"() : () -> i32
    scf.yield %x : i32
  ^bb2:
    %y = "test.y"() : () -> i32
    scf.yield %y : i32
  }
  return %0 : i32
}

// A loop has one block.
// CHECK-LABEL: func.func @blocks_in_loop
// CHECK:         scf.execute_region
func.func @blocks_in_loop(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    scf.execute_region {
      %c = "test.condition"() : () -> i1
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      "test.x"() : () -> ()
      scf.yield
    ^bb2:
      scf.yield
    }
  }
  return
}

// CHECK-LABEL: func.func @value_through_region
// CHECK-NEXT:    %0 = scf.execute_region -> i32 no_inline {
// CHECK-NEXT:      %1 = "test.x"() : () -> i32
// CHECK-NEXT:      scf.yield %1 : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %a, %0
func.func @value_through_region(%a: i32) -> (i32, i32) {
  %0:2 = scf.execute_region -> (i32, i32) no_inline {
    %1 = "test.x"() : () -> i32
    scf.yield %a, %1 : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

// CHECK-LABEL: func.func @results_of_switch
// CHECK-NEXT:    %0 = scf.index_switch %i -> i32
// CHECK:           scf.yield %{{.*}} : i32
// CHECK:           scf.yield %b : i32
// CHECK:         func.return %a, %0
func.func @results_of_switch(%i: index, %a: i32, %b: i32) -> (i32, i32) {
  %0:3 = scf.index_switch %i -> i32, i32, i32
  case 1 {
    %1 = "test.x"() : () -> i32
    scf.yield %a, %b, %1 : i32, i32, i32
  }
  default {
    scf.yield %a, %a, %b : i32, i32, i32
  }
  return %0#0, %0#2 : i32, i32
}
