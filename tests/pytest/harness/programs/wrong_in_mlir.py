"""Programs that mlir-opt 22 bufferizes to something that computes other numbers.

What each one computes, here and by `mlir-opt`, is in
`oracle/test_where_mlir_opt_is_wrong.py`.
"""

from typing import Any, NamedTuple


class Case(NamedTuple):
    program: str
    right: list[Any]
    wrong: list[Any]
    """What mlir-opt's program computes from the same arguments."""

    options: tuple[str, ...] = ()
    """Those that have to be set, by the names that Python has for them."""


EXCHANGE = """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %s = tensor.splat %v : tensor<4xf32>
  %0:2 = scf.forall (%j) in (4) shared_outs(%p = %t, %q = %s)
      -> (tensor<4xf32>, tensor<4xf32>) {
    %x = tensor.extract_slice %p[%j] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %y = tensor.extract_slice %q[%j] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %p[%j] [1] [1]
          : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %x into %q[%j] [1] [1]
          : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
"""

CASES = {
    # The values that its regions yield do not count as aliases of its results.
    "index_switch": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, f32) {
  %0 = scf.index_switch %i -> tensor<4xf32>
  case 0 {
    scf.yield %t : tensor<4xf32>
  }
  default {
    %new = tensor.splat %v : tensor<4xf32>
    scf.yield %new : tensor<4xf32>
  }
  %1 = tensor.insert %v into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %t[%i] : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, f32
}
""",
        [[9, 2, 3, 4], 1],
        [[9, 2, 3, 4], 9],
    ),
    # Its body does not count as one that is repeated.
    "generate": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.generate {
  ^bb0(%j: index):
    %old = tensor.extract %t[%c0] : tensor<4xf32>
    %changed = tensor.insert %v into %t[%c0] : tensor<4xf32>
    %new = tensor.extract %changed[%j] : tensor<4xf32>
    %sum = arith.addf %old, %new : f32
    tensor.yield %sum : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}
""",
        [[10, 3, 4, 5]],
        [[10, 11, 12, 13]],
    ),
    # What is inserted at once into two outputs is not seen to be read and written.
    "exchange": Case(
        EXCHANGE,
        [[9, 9, 9, 9], [1, 2, 3, 4]],
        [[9, 9, 9, 9], [9, 9, 9, 9]],
    ),
    # Nor is it without an analysis.
    "exchange with copies before writes": Case(
        EXCHANGE,
        [[9, 9, 9, 9], [1, 2, 3, 4]],
        [[9, 9, 9, 9], [9, 9, 9, 9]],
        ("copy_before_write",),
    ),
    # Without an analysis nobody counts as writing to what becomes a buffer.
    "to_buffer with copies before writes": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %new = tensor.splat %v : tensor<4xf32>
  %0 = bufferization.to_buffer %new : tensor<4xf32> to memref<4xf32>
  memref.store %zero, %0[%i] : memref<4xf32>
  %1 = tensor.extract %new[%i] : tensor<4xf32>
  %2 = memref.load %0[%i] : memref<4xf32>
  return %1, %2 : f32, f32
}
""",
        [9, 0],
        [0, 0],
        ("copy_before_write",),
    ),
    # Parts that no iteration inserts do not count as needed.
    "output_changed_by_the_body": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %0 = scf.forall (%j) in (2) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %1 = linalg.fill ins(%v : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    %2 = tensor.extract_slice %1[%j] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%j] [1] [1]
          : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}
""",
        [[9, 9, 3, 4]],
        [[9, 9, 9, 9]],
    ),
    # What an iteration reads of an output counts as read before all insertions.
    "element_that_another_iteration_inserts": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %c3 = arith.constant 3 : index
  %0 = scf.forall (%j) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %k = arith.subi %c3, %j : index
    %1 = tensor.extract_slice %o[%k] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%j] [1] [1]
          : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}
""",
        [[4, 3, 2, 1]],
        [[4, 3, 3, 4]],
    ),
    # The body of scf.parallel counts neither as repeated nor as parallel.
    "parallel": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = scf.parallel (%j) = (%c0) to (%c4) step (%c1) init (%v) -> f32 {
    %1 = tensor.insert %v into %t[%j] : tensor<4xf32>
    %2 = tensor.extract %1[%c0] : tensor<4xf32>
    scf.reduce(%2 : f32) {
    ^bb0(%left: f32, %right: f32):
      %sum = arith.addf %left, %right : f32
      scf.reduce.return %sum : f32
    }
  }
  return %0 : f32
}
""",
        [21],
        [45],
    ),
    # A load is the global itself, whatever is stored there before its last use.
    "global_load": Case(
        """
ml_program.global private mutable @g(dense<5.0> : tensor<4xf32>) : tensor<4xf32>
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %old = ml_program.global_load @g : tensor<4xf32>
  ml_program.global_store @g = %t : tensor<4xf32>
  %0 = tensor.extract %old[%i] : tensor<4xf32>
  return %0 : f32
}
""",
        [5],
        [1],
    ),
    # A write to the tensor that a loop starts from, by the body of the loop, counts as
    # part of making the result of the loop.
    "outer tensor": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %j = %c0 to %c1 step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
    %1 = linalg.fill ins(%v : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
""",
        [[9, 9, 9, 9]],
        [[0, 0, 0, 0]],
    ),
    # A store does not count as reading its tensor.
    "global_store": Case(
        """
ml_program.global private mutable @g(dense<5.0> : tensor<4xf32>) : tensor<4xf32>
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> (f32, f32) {
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  ml_program.global_store @g = %t : tensor<4xf32>
  %2 = ml_program.global_load @g : tensor<4xf32>
  %3 = tensor.extract %2[%i] : tensor<4xf32>
  return %1, %3 : f32, f32
}
""",
        [9, 1],
        [9, 9],
    ),
    # A write after an argument of a block counts only in that block.
    "later block": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> (f32, f32) {
  cf.br ^next
^next:
  %0 = tensor.insert %v into %t[%i] : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  %2 = tensor.extract %t[%i] : tensor<4xf32>
  return %1, %2 : f32, f32
}
""",
        [9, 1],
        [9, 9],
    ),
    # The same for the argument of a block that is not the first one.
    "later block of a loop": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> (f32, f32) {
  %c1 = arith.constant 1 : index
  cf.br ^head(%t, %i : tensor<4xf32>, index)
^head(%x: tensor<4xf32>, %n: index):
  %more = arith.cmpi slt, %n, %c1 : index
  cf.cond_br %more, ^body, ^end
^body:
  %0 = tensor.insert %v into %x[%i] : tensor<4xf32>
  %next = arith.addi %n, %c1 : index
  %1 = tensor.extract %x[%i] : tensor<4xf32>
  %2 = tensor.insert %1 into %0[%next] : tensor<4xf32>
  cf.br ^head(%2, %next : tensor<4xf32>, index)
^end:
  %3 = tensor.extract %x[%i] : tensor<4xf32>
  %4 = tensor.extract %x[%c1] : tensor<4xf32>
  return %3, %4 : f32, f32
}
""",
        [9, 1],
        [9, 9],
    ),
    # A loop of blocks does not count as one around the regions of its ops.
    "loop of blocks around a region": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %new = tensor.splat %v : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  cf.br ^loop(%i, %zero : index, f32)
^loop(%n: index, %x: f32):
  %sum = scf.if %true -> f32 {
    %old = tensor.extract %new[%i] : tensor<4xf32>
    %changed = tensor.insert %zero into %new[%i] : tensor<4xf32>
    %0 = tensor.extract %changed[%i] : tensor<4xf32>
    %1 = arith.addf %old, %0 : f32
    scf.yield %1 : f32
  } else {
    scf.yield %x : f32
  }
  %next = arith.addi %n, %c1 : index
  %more = arith.cmpi sle, %next, %c1 : index
  cf.cond_br %more, ^loop(%next, %sum : index, f32), ^end
^end:
  return %sum : f32
}
""",
        [9],
        [0],
    ),
    # It has no model: the arguments of blocks do not alias what it passes to them.
    "switch": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> (f32, f32) {
  %flag = arith.constant 0 : i32
  cf.switch %flag : i32, [default: ^next(%t : tensor<4xf32>)]
^next(%x: tensor<4xf32>):
  %0 = tensor.insert %v into %x[%i] : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  %2 = tensor.extract %t[%i] : tensor<4xf32>
  return %1, %2 : f32, f32
}
""",
        [9, 1],
        [9, 9],
    ),
    # The result of a call counts as the argument that it may be, which has no elements.
    "an empty argument or a new tensor": Case(
        """
func.func private @choose(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %is_new = arith.cmpi eq, %i, %c0 : index
  %new = tensor.splat %v : tensor<4xf32>
  %0 = scf.if %is_new -> (tensor<4xf32>) {
    scf.yield %new : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, f32) {
  %empty = tensor.empty() : tensor<4xf32>
  %0 = func.call @choose(%empty, %v, %i)
      : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  %1 = tensor.insert %x into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, f32
}
""",
        [[1, 9, 9, 9], 9],
        [[1, 9, 9, 9], 1],
    ),
    # What one new buffer is yielded to are two arguments for it.
    "one new buffer for two arguments": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> (f32, f32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.splat %v : tensor<4xf32>
  %b = tensor.splat %v : tensor<4xf32>
  %0:3 = scf.for %n = %i to %c2 step %c1 iter_args(%x = %a, %y = %b, %s = %v)
      -> (tensor<4xf32>, tensor<4xf32>, f32) {
    %1 = tensor.insert %s into %x[%i] : tensor<4xf32>
    %2 = tensor.extract %1[%i] : tensor<4xf32>
    %3 = tensor.extract %y[%i] : tensor<4xf32>
    %4 = arith.addf %2, %3 : f32
    %5 = tensor.splat %v : tensor<4xf32>
    scf.yield %5, %5, %4 : tensor<4xf32>, tensor<4xf32>, f32
  }
  %6 = tensor.extract %0#0[%i] : tensor<4xf32>
  return %0#2, %6 : f32, f32
}
""",
        [27, 9],
        [36, 9],
        ("allow_return_allocs_from_loops",),
    ),
    # Results that are one buffer in the function are two for who calls it.
    "one new buffer as two results": Case(
        """
func.func private @twice(%v: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.splat %v : tensor<4xf32>
  return %0, %0 : tensor<4xf32>, tensor<4xf32>
}
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> (f32, f32) {
  %c0 = arith.constant 0.0 : f32
  %0:2 = call @twice(%v) : (f32) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = tensor.insert %c0 into %0#0[%i] : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  %3 = tensor.extract %0#1[%i] : tensor<4xf32>
  return %2, %3 : f32, f32
}
""",
        [0, 9],
        [0, 0],
    ),
    # So too if they are a copy that was made for the call.
    "one argument as two results": Case(
        """
func.func private @twice(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %t, %t : tensor<4xf32>, tensor<4xf32>
}
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> (f32, f32, f32) {
  %0:2 = call @twice(%t) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = tensor.insert %v into %0#0[%i] : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  %3 = tensor.extract %0#1[%i] : tensor<4xf32>
  %4 = tensor.extract %t[%i] : tensor<4xf32>
  return %2, %3, %4 : f32, f32, f32
}
""",
        [9, 1, 1],
        [9, 9, 1],
    ),
    # A callee writes to both, and neither counts as read before that.
    "one buffer as two arguments": Case(
        """
func.func private @both(%a: tensor<4xf32>, %b: tensor<4xf32>, %v: f32, %i: index)
    -> f32 {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%v : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  return %2 : f32
}
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %0 = call @both(%t, %t, %v, %i) : (tensor<4xf32>, tensor<4xf32>, f32, index) -> f32
  return %0 : f32
}
""",
        [9],
        [0],
    ),
    # A tensor without elements as two tensors of a loop, which the body writes to.
    "one empty tensor for two arguments": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4xf32>
  %0:3 = scf.for %n = %i to %c1 step %c1 iter_args(%a = %empty, %b = %empty, %s = %v)
      -> (tensor<4xf32>, tensor<4xf32>, f32) {
    %1 = tensor.insert %v into %a[%i] : tensor<4xf32>
    %2 = tensor.insert %zero into %b[%i] : tensor<4xf32>
    %3 = tensor.extract %1[%i] : tensor<4xf32>
    scf.yield %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, f32
  }
  return %0#2 : f32
}
""",
        [9],
        [0],
    ),
    # The same of any tensor, if the body overwrites both and surely runs.
    "one tensor for two arguments": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = scf.for %n = %c0 to %c1 step %c1 iter_args(%a = %t, %b = %t, %s = %v)
      -> (tensor<4xf32>, tensor<4xf32>, f32) {
    %1 = linalg.fill ins(%v : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
    %3 = tensor.extract %1[%i] : tensor<4xf32>
    scf.yield %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, f32
  }
  return %0#2 : f32
}
""",
        [9],
        [0],
    ),
    # Views of an empty tensor are no other tensors.
    "two views of one empty tensor": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4xf32>
  %open = tensor.cast %empty : tensor<4xf32> to tensor<?xf32>
  %part = tensor.extract_slice %empty[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %0:3 = scf.for %n = %i to %c1 step %c1 iter_args(%a = %open, %b = %part, %s = %v)
      -> (tensor<?xf32>, tensor<2xf32>, f32) {
    %1 = tensor.insert %v into %a[%c1] : tensor<?xf32>
    %2 = tensor.insert %zero into %b[%i] : tensor<2xf32>
    %3 = tensor.extract %1[%c1] : tensor<?xf32>
    scf.yield %1, %2, %3 : tensor<?xf32>, tensor<2xf32>, f32
  }
  return %0#2 : f32
}
""",
        [9],
        [0],
    ),
    # The body of the loop has another loop that starts from the same empty tensor.
    "one empty tensor for two loops": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4xf32>
  %0:2 = scf.for %n = %i to %c1 step %c1 iter_args(%a = %empty, %s = %v)
      -> (tensor<4xf32>, f32) {
    %1 = tensor.insert %v into %a[%i] : tensor<4xf32>
    %2:2 = scf.for %m = %i to %c1 step %c1 iter_args(%b = %empty, %p = %s)
        -> (tensor<4xf32>, f32) {
      %3 = tensor.insert %zero into %b[%i] : tensor<4xf32>
      %4 = tensor.extract %3[%i] : tensor<4xf32>
      scf.yield %3, %4 : tensor<4xf32>, f32
    }
    %5 = tensor.extract %1[%i] : tensor<4xf32>
    %6 = arith.addf %5, %2#1 : f32
    scf.yield %1, %6 : tensor<4xf32>, f32
  }
  return %0#1 : f32
}
""",
        [9],
        [0],
    ),
    "one empty tensor for two arguments of a while": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4xf32>
  %0:4 = scf.while (%a = %empty, %b = %empty, %s = %v, %n = %i)
      : (tensor<4xf32>, tensor<4xf32>, f32, index)
      -> (tensor<4xf32>, tensor<4xf32>, f32, index) {
    %more = arith.cmpi slt, %n, %c1 : index
    scf.condition(%more) %a, %b, %s, %n
        : tensor<4xf32>, tensor<4xf32>, f32, index
  } do {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %s: f32, %n: index):
    %1 = tensor.insert %v into %a[%i] : tensor<4xf32>
    %2 = tensor.insert %zero into %b[%i] : tensor<4xf32>
    %3 = tensor.extract %1[%i] : tensor<4xf32>
    %next = arith.addi %n, %c1 : index
    scf.yield %1, %2, %3, %next : tensor<4xf32>, tensor<4xf32>, f32, index
  }
  return %0#2 : f32
}
""",
        [9],
        [0],
    ),
    "one empty tensor for two outputs of a forall": Case(
        """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %0:3 = scf.forall (%j) in (4) shared_outs(%a = %empty, %b = %empty, %o = %t)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %p = tensor.extract_slice %a[%j] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %q = tensor.extract_slice %b[%j] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %r = tensor.extract_slice %o[%j] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %1 = tensor.insert %v into %p[%i] : tensor<1xf32>
    %2 = tensor.insert %zero into %q[%i] : tensor<1xf32>
    %3 = tensor.extract %1[%i] : tensor<1xf32>
    %4 = tensor.insert %3 into %r[%i] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %a[%j] [1] [1]
          : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %2 into %b[%j] [1] [1]
          : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %4 into %o[%j] [1] [1]
          : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0#2 : tensor<4xf32>
}
""",
        [[9, 9, 9, 9]],
        [[0, 0, 0, 0]],
    ),
    "one empty tensor as two arguments of a call": Case(
        """
func.func private @both(%a: tensor<4xf32>, %b: tensor<4xf32>, %v: f32, %i: index)
    -> f32 {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.insert %v into %a[%i] : tensor<4xf32>
  %1 = tensor.insert %zero into %b[%i] : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  return %2 : f32
}
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %empty = tensor.empty() : tensor<4xf32>
  %0 = call @both(%empty, %empty, %v, %i)
      : (tensor<4xf32>, tensor<4xf32>, f32, index) -> f32
  return %0 : f32
}
""",
        [9],
        [0],
    ),
}

CONSTANT_FROM_A_FUNCTION = """
func.func private @constant() -> tensor<4xf32> {
  %0 = arith.constant dense<5.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %0 = call @constant() : () -> tensor<4xf32>
  %1 = tensor.insert %v into %0[%i] : tensor<4xf32>
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  %3 = call @constant() : () -> tensor<4xf32>
  %4 = tensor.extract %3[%i] : tensor<4xf32>
  %5 = arith.addf %2, %4 : f32
  return %5 : f32
}
"""

CONSTANT_TO_THE_NEXT_ROUND = """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0:2 = scf.for %n = %i to %c3 step %c1 iter_args(%x = %t, %s = %v)
      -> (tensor<4xf32>, f32) {
    %1 = tensor.extract %x[%i] : tensor<4xf32>
    %2 = arith.addf %1, %s : f32
    %3 = tensor.insert %2 into %x[%i] : tensor<4xf32>
    %4 = tensor.extract %3[%i] : tensor<4xf32>
    %5 = arith.constant dense<5.0> : tensor<4xf32>
    scf.yield %5, %4 : tensor<4xf32>, f32
  }
  return %0#1 : f32
}
"""

YIELDED_TO_THE_NEXT_ROUND = """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %new = tensor.splat %v : tensor<4xf32>
  %0:2 = scf.while (%x = %new, %n = %c0)
      : (tensor<4xf32>, index) -> (tensor<4xf32>, index) {
    %changed = tensor.insert %v into %x[%i] : tensor<4xf32>
    %again = arith.cmpi slt, %n, %c2 : index
    scf.condition(%again) %changed, %n : tensor<4xf32>, index
  } do {
  ^bb0(%y: tensor<4xf32>, %n: index):
    %next = arith.addi %n, %c1 : index
    scf.yield %t, %next : tensor<4xf32>, index
  }
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %1 : f32
}
"""

COPY_YIELDED_TO_THE_NEXT_ROUND = """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %copied = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %changed = tensor.insert %v into %t[%c0] : tensor<4xf32>
  %read = tensor.extract %changed[%c0] : tensor<4xf32>
  %0:2 = scf.for %n = %c0 to %c3 step %c1 iter_args(%x = %copied, %y = %read)
      -> (tensor<2xf32>, f32) {
    %before = tensor.extract %x[%c1] : tensor<2xf32>
    %z = tensor.insert %v into %x[%c1] : tensor<2xf32>
    %after = tensor.extract %z[%c1] : tensor<2xf32>
    %most = arith.minimumf %before, %after : f32
    scf.yield %copied, %most : tensor<2xf32>, f32
  }
  return %0#1 : f32
}
"""
"""mlir-opt looks whether the copy aliases what is outside, and knows nothing of it."""

RESULT_OF_WHAT_STAYS = """
func.func private @same(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> (f32, f32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %new = tensor.splat %v : tensor<4xf32>
  %0 = scf.for %n = %i to %c2 step %c1 iter_args(%x = %new) -> (tensor<4xf32>) {
    %1 = tensor.insert %v into %x[%i] : tensor<4xf32>
    %2 = func.call @same(%t) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  %3 = tensor.extract %0[%i] : tensor<4xf32>
  %4 = tensor.extract %t[%i] : tensor<4xf32>
  return %3, %4 : f32, f32
}
"""
"""Functions and calls stay on tensors, until `func-bufferize` comes."""

LOOP_THAT_STAYS = """
func.func @main(%t: tensor<4xf32>, %v: f32, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = scf.for %n = %i to %c2 step %c1 iter_args(%sum = %v) -> (f32) {
    %old = tensor.extract %t[%i] : tensor<4xf32>
    %1 = tensor.insert %v into %t[%i] : tensor<4xf32>
    %new = tensor.extract %1[%i] : tensor<4xf32>
    %2 = arith.addf %old, %new : f32
    %3 = arith.addf %sum, %2 : f32
    scf.yield %3 : f32
  }
  return %0 : f32
}
"""
