"""What is proven, what is refused, and what is said about it, one program each.

Each program is taken as it stands: all operands are in place.
"""

from typing import NamedTuple

import pytest
from harness.oracles.decisions import parse

from xdsl_bufferization.bufferization.analyses.bufferization_proof.prove import prove

CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
"""


def function(body: str, results: str = "f32", arguments: str = "") -> str:
    given = "%t: tensor<8xf32>, %u: tensor<8xf32>, %v: f32, %n: index, %c: i1"
    return f"func.func @main({given}{arguments}) -> {results} {{{CONSTANTS}{body}\n}}"


RIGHT = {
    "parts that do not meet": function("""
  %0 = tensor.insert %v into %t[%c1] : tensor<8xf32>
  %1 = tensor.extract %t[%c0] : tensor<8xf32>
  return %1 : f32"""),
    "a slice that is computed where it lies": function(
        """
  %0 = tensor.extract_slice %t[%n] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[%n] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %2 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "what a loop may have left where it is inserted": function(
        """
  %0 = tensor.extract_slice %t[%n] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %0) -> (tensor<4xf32>) {
    %2 = tensor.splat %v : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  %3 = tensor.insert_slice %1 into %t[%n] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %3 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "a slice of unknown size that is computed where it lies": function(
        """
  %0 = tensor.extract_slice %t[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.insert_slice %1 into %t[0] [%n] [1] : tensor<?xf32> into tensor<8xf32>
  return %2 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "a slice in another shape, put back": function(
        """
  %0 = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2]
      : tensor<4xf32> into tensor<2x2xf32>
  %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %4 = tensor.insert_slice %3 into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %4 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "a part that iterations write, put back": function("""
  %0 = tensor.extract_slice %t[1] [6] [1] : tensor<8xf32> to tensor<6xf32>
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %0) -> (tensor<6xf32>) {
    %2 = tensor.insert %v into %x[%i] : tensor<6xf32>
    scf.yield %2 : tensor<6xf32>
  }
  %3 = tensor.insert_slice %1 into %t[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
  %4 = tensor.extract %3[%c0] : tensor<8xf32>
  return %4 : f32"""),
    "a part of unknown place that iterations write, put back": function("""
  %0 = tensor.extract_slice %t[%n] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %0) -> (tensor<?xf32>) {
    %2 = tensor.extract_slice %x[%i] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    %3 = scf.for %j = %c0 to %i step %c1 iter_args(%y = %2) -> (tensor<?xf32>) {
      %4 = tensor.insert %v into %y[%j] : tensor<?xf32>
      scf.yield %4 : tensor<?xf32>
    }
    %5 = tensor.insert_slice %3 into %x[%i] [%i] [1]
        : tensor<?xf32> into tensor<?xf32>
    scf.yield %5 : tensor<?xf32>
  }
  %6 = tensor.insert_slice %1 into %t[%n] [%n] [1] : tensor<?xf32> into tensor<8xf32>
  %7 = tensor.extract %6[%c0] : tensor<8xf32>
  return %7 : f32"""),
    "a part that iterations write many times, put back": function(
        """
  %0 = tensor.extract_slice %t[1] [6] [1] : tensor<8xf32> to tensor<6xf32>
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x0 = %0) -> (tensor<6xf32>) {"""
        + "".join(
            f"\n    %x{n + 1} = tensor.insert %v into %x{n}[%i] : tensor<6xf32>"
            for n in range(8)
        )
        + """
    scf.yield %x8 : tensor<6xf32>
  }
  %3 = tensor.insert_slice %1 into %t[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
  %4 = tensor.extract %3[%c0] : tensor<8xf32>
  return %4 : f32"""
    ),
    "contents that nobody gave": function(
        """
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = tensor.insert_slice %u into %0[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
  return %2 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "double buffering": function(
        """
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t, %s = %v)
      -> (tensor<8xf32>, f32) {
    %1 = tensor.splat %s : tensor<8xf32>
    %2 = tensor.insert %v into %1[%c0] : tensor<8xf32>
    %3 = tensor.extract %x[%c0] : tensor<8xf32>
    scf.yield %2, %3 : tensor<8xf32>, f32
  }
  return %0#1 : f32"""
    ),
    "two buffers that take turns": function("""
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t, %y = %u, %s = %v)
      -> (tensor<8xf32>, tensor<8xf32>, f32) {
    %1 = linalg.fill ins(%v : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %2 = tensor.extract %x[%c0] : tensor<8xf32>
    scf.yield %1, %x, %2 : tensor<8xf32>, tensor<8xf32>, f32
  }
  return %0#2 : f32"""),
    "iterations with parts of their own": function(
        """
  %0 = scf.forall (%i) = (0) to (8) step (4) shared_outs(%o = %t)
      -> (tensor<8xf32>) {
    %1 = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [4] [1]
          : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "iterations that insert into one place": function(
        """
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %1 = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [4] [1]
          : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "an iteration with all of the output": function(
        """
  %0 = scf.forall (%i) = (%n) to (%c1) step (1) shared_outs(%o = %t)
      -> (tensor<8xf32>) {
    %1 = tensor.extract_slice %o[%i] [8] [1] : tensor<8xf32> to tensor<8xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [8] [1]
          : tensor<8xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "all of a slice in another shape, put back": function(
        """
  %0 = tensor.extract_slice %t[%n] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 4]
      : tensor<4xf32> into tensor<1x4xf32>
  %2 = tensor.extract_slice %1[0, 0] [1, 4] [1, 1]
      : tensor<1x4xf32> to tensor<4xf32>
  %3 = linalg.fill ins(%v : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  %4 = tensor.insert_slice %3 into %t[%n] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %4 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "iterations with parts of their own in another shape": function(
        """
  %0 = scf.forall (%i) = (0) to (8) step (4) shared_outs(%o = %t)
      -> (tensor<8xf32>) {
    %1 = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %2 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 4]
        : tensor<4xf32> into tensor<1x4xf32>
    %3 = linalg.exp ins(%2 : tensor<1x4xf32>) outs(%2 : tensor<1x4xf32>)
        -> tensor<1x4xf32>
    %4 = linalg.exp ins(%3 : tensor<1x4xf32>) outs(%3 : tensor<1x4xf32>)
        -> tensor<1x4xf32>
    %5 = tensor.collapse_shape %4 [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %5 into %o[%i] [4] [1]
          : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "a vector over a slice": function(
        """
  %0 = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = vector.transfer_read %1[%c0], %v {in_bounds = [true]}
      : tensor<4xf32>, vector<4xf32>
  %3 = vector.transfer_write %2, %t[%c0] {in_bounds = [true]}
      : vector<4xf32>, tensor<8xf32>
  return %3 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "iterations with parts that a function computes": (
        "func.func private @place(index) -> (index, index)\n"
        + function(
            """
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %at, %size = func.call @place(%i) : (index) -> (index, index)
    %1 = tensor.extract_slice %o[%at] [%size] [1] : tensor<8xf32> to tensor<?xf32>
    %2 = linalg.add ins(%1, %1 : tensor<?xf32>, tensor<?xf32>)
        outs(%1 : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%at] [%size] [1]
          : tensor<?xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>""",
            "tensor<8xf32>",
        )
    ),
    "element by element": function(
        """
  %0 = linalg.add ins(%t, %u : tensor<8xf32>, tensor<8xf32>)
      outs(%t : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "a loop that surely runs": function(
        """
  %0 = tensor.insert %v into %t[%c0] : tensor<8xf32>
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %t) -> (tensor<8xf32>) {
    %2 = tensor.splat %v : tensor<8xf32>
    scf.yield %2 : tensor<8xf32>
  }
  return %1 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "selections of one condition": function("""
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t, %y = %u, %s = %v)
      -> (tensor<8xf32>, tensor<8xf32>, f32) {
    %1 = arith.select %c, %x, %y : tensor<8xf32>
    %2 = arith.select %c, %y, %x : tensor<8xf32>
    %3 = linalg.fill ins(%v : f32) outs(%2 : tensor<8xf32>) -> tensor<8xf32>
    %4 = tensor.extract %1[%c0] : tensor<8xf32>
    scf.yield %1, %3, %4 : tensor<8xf32>, tensor<8xf32>, f32
  }
  return %0#2 : f32"""),
    "a selection of a selection of one condition": function("""
  %0 = tensor.splat %v : tensor<8xf32>
  %1 = arith.select %c, %t, %u : tensor<8xf32>
  %2 = arith.select %c, %1, %0 : tensor<8xf32>
  %3 = arith.select %c, %u, %t : tensor<8xf32>
  %4 = tensor.insert %v into %3[%n] : tensor<8xf32>
  %5 = tensor.extract %2[%n] : tensor<8xf32>
  return %5 : f32"""),
    "branches that yield contents that nobody gave": function("""
  %0 = scf.if %c -> tensor<8xf32> {
    %1 = tensor.empty() : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } else {
    %2 = bufferization.alloc_tensor() : tensor<8xf32>
    scf.yield %2 : tensor<8xf32>
  }
  %3 = tensor.insert %v into %0[%c0] : tensor<8xf32>
  %4 = tensor.extract %0[%c0] : tensor<8xf32>
  return %4 : f32"""),
    "a loop that passes on contents that nobody gave": function("""
  %0 = tensor.empty() : tensor<8xf32>
  %1:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0, %s = %v)
      -> (tensor<8xf32>, f32) {
    %2 = linalg.fill ins(%s : f32) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    %3 = tensor.extract %2[%c0] : tensor<8xf32>
    scf.yield %x, %3 : tensor<8xf32>, f32
  }
  %4 = linalg.fill ins(%v : f32) outs(%1#0 : tensor<8xf32>) -> tensor<8xf32>
  %5 = tensor.extract %1#0[%c0] : tensor<8xf32>
  return %5 : f32"""),
    "a slice as large as the slice that it is of, put back": function(
        """
  %0 = tensor.extract_slice %t[%n] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.extract_slice %1[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %3 = linalg.exp ins(%2 : tensor<?xf32>) outs(%2 : tensor<?xf32>) -> tensor<?xf32>
  %4 = tensor.insert_slice %3 into %t[%n] [%n] [1] : tensor<?xf32> into tensor<8xf32>
  return %4 : tensor<8xf32>""",
        "tensor<8xf32>",
    ),
    "all of a tensor, put into a part as large as it is": function(
        """
  %d = tensor.dim %w, %c0 : tensor<?xf32>
  %0 = scf.forall (%i) in (1) shared_outs(%o = %w) -> (tensor<?xf32>) {
    %1 = linalg.fill ins(%v : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[0] [%d] [1]
          : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>""",
        "tensor<?xf32>",
        ", %w: tensor<?xf32>",
    ),
}

LOST = "whose buffer does not hold its elements any more:"
INSERTED = "'tensor.insert' has written there"


class Wrong(NamedTuple):
    program: str
    said: str
    read: str = "tensor.extract"


WRONG = {
    "a part of a constant that is put back": Wrong(
        function(
            """
  %0 = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %1 = tensor.extract_slice %0[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %2 = tensor.insert_slice %1 into %0[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %3 = tensor.extract %2[%c0] : tensor<4xf32>
  return %3 : f32"""
        ),
        "which must not be written",
        "tensor.insert_slice",
    ),
    "what a loop may have left beside where it is inserted": Wrong(
        function(
            """
  %0 = tensor.extract_slice %t[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %0) -> (tensor<4xf32>) {
    %2 = tensor.splat %v : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  %3 = tensor.insert_slice %1 into %t[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %3 : tensor<8xf32>""",
            "tensor<8xf32>",
        ),
        "'tensor.insert_slice' has written there",
        "func.return",
    ),
    "one element": Wrong(
        function("""
  %0 = tensor.insert %v into %t[%n] : tensor<8xf32>
  %1 = tensor.extract %t[%c0] : tensor<8xf32>
  return %1 : f32"""),
        f"reads operand 0, %t, {LOST} {INSERTED} by operand 1, %t",
    ),
    "in one branch": Wrong(
        function("""
  %0 = scf.if %c -> tensor<8xf32> {
    %2 = tensor.insert %v into %t[%c0] : tensor<8xf32>
    scf.yield %2 : tensor<8xf32>
  } else {
    scf.yield %u : tensor<8xf32>
  }
  %1 = tensor.extract %t[%c0] : tensor<8xf32>
  return %1 : f32"""),
        f"{INSERTED} by operand 1, %t, if %c",
    ),
    "in the other branch": Wrong(
        function("""
  scf.if %c {
    scf.yield
  } else {
    %2 = tensor.insert %v into %t[%c0] : tensor<8xf32>
    scf.yield
  }
  %1 = tensor.extract %t[%c0] : tensor<8xf32>
  return %1 : f32"""),
        f"{INSERTED} by operand 1, %t, if %c is false",
    ),
    "in an earlier iteration": Wrong(
        function("""
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (f32) {
    %1 = tensor.extract %t[%c0] : tensor<8xf32>
    %2 = tensor.insert %v into %t[%i] : tensor<8xf32>
    scf.yield %1 : f32
  }
  return %0 : f32"""),
        f"{INSERTED} by operand 1, %t, in an earlier iteration",
    ),
    "one of two buffers": Wrong(
        function("""
  %0 = arith.select %c, %t, %u : tensor<8xf32>
  %1 = tensor.insert %v into %0[%c0] : tensor<8xf32>
  %2 = tensor.extract %u[%c0] : tensor<8xf32>
  return %2 : f32"""),
        f"reads operand 0, %u, {LOST} {INSERTED}",
    ),
    "a slice and its whole": Wrong(
        function("""
  %0 = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = tensor.insert %v into %t[%c4] : tensor<8xf32>
  %2 = tensor.extract %0[%c0] : tensor<4xf32>
  return %2 : f32"""),
        INSERTED,
    ),
    "a copy of what is lost": Wrong(
        function("""
  %0 = tensor.insert %v into %t[%c0] : tensor<8xf32>
  %1 = bufferization.alloc_tensor() copy(%t) : tensor<8xf32>
  %2 = tensor.extract %1[%c0] : tensor<8xf32>
  return %2 : f32"""),
        INSERTED,
    ),
    "another shape": Wrong(
        function("""
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [2, 4]
      : tensor<8xf32> into tensor<2x4xf32>
  %1 = tensor.insert %v into %0[%c0, %c0] : tensor<2x4xf32>
  %2 = tensor.extract %t[%c4] : tensor<8xf32>
  return %2 : f32"""),
        INSERTED,
    ),
    "not element by element": Wrong(
        function(
            """
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (7 - d0)>,
      affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>""",
            "tensor<8xf32>",
        ),
        "reads operand 0, %t while it writes the same buffer by operand 1, %t",
        "linalg.generic",
    ),
    "iterations that share a part": Wrong(
        function(
            """
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %1 = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i] [4] [1]
          : tensor<4xf32> into tensor<8xf32>
    }
  }
  %2 = scf.forall (%i) in (4) shared_outs(%o = %u) -> (tensor<8xf32>) {
    %3 = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %4 = linalg.fill ins(%v : f32) outs(%3 : tensor<4xf32>) -> tensor<4xf32>
    %5 = tensor.extract %4[%c0] : tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %4 into %o[%i] [4] [1]
          : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %2 : tensor<8xf32>""",
            "tensor<8xf32>",
        ),
        "'linalg.fill' has written there",
    ),
    "another part in another shape, put back": Wrong(
        function(
            """
  %0 = tensor.extract_slice %t[%n] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 4]
      : tensor<4xf32> into tensor<1x4xf32>
  %2 = tensor.extract_slice %1[0, 1] [1, 2] [1, 1]
      : tensor<1x4xf32> to tensor<2xf32>
  %3 = linalg.fill ins(%v : f32) outs(%2 : tensor<2xf32>) -> tensor<2xf32>
  %4 = tensor.insert_slice %3 into %t[%n] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %4 : tensor<8xf32>""",
            "tensor<8xf32>",
        ),
        "'linalg.fill' has written there",
        read="func.return",
    ),
    "rows of different slices": Wrong(
        function(
            """
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %1 = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 2]
        : tensor<4xf32> into tensor<2x2xf32>
    %3 = tensor.insert %v into %2[%c0, %c0] : tensor<2x2xf32>
    %4 = tensor.extract %3[%c1, %c1] : tensor<2x2xf32>
    %5 = tensor.insert %4 into %3[%c0, %c0] : tensor<2x2xf32>
    %6 = tensor.collapse_shape %5 [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %6 into %o[%i] [4] [1]
          : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>""",
            "tensor<8xf32>",
        ),
        "'tensor.insert' has written there",
    ),
    "a vector that may go over the end": Wrong(
        function(
            """
  %0 = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = vector.transfer_read %1[%c0], %v {in_bounds = [true]}
      : tensor<4xf32>, vector<4xf32>
  %3 = vector.transfer_write %2, %t[%c0] : vector<4xf32>, tensor<8xf32>
  return %3 : tensor<8xf32>""",
            "tensor<8xf32>",
        ),
        "'linalg.fill' has written there",
        read="func.return",
    ),
    "a part that iterations write, and another part put back": Wrong(
        function("""
  %0 = tensor.extract_slice %t[1] [6] [1] : tensor<8xf32> to tensor<6xf32>
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %0) -> (tensor<6xf32>) {
    %2 = tensor.insert %v into %x[%i] : tensor<6xf32>
    scf.yield %2 : tensor<6xf32>
  }
  %3 = tensor.extract_slice %u[1] [6] [1] : tensor<8xf32> to tensor<6xf32>
  %4 = tensor.insert_slice %3 into %t[2] [6] [1] : tensor<6xf32> into tensor<8xf32>
  %5 = tensor.extract %4[%c1] : tensor<8xf32>
  return %5 : f32"""),
        "'tensor.insert' has written there",
    ),
    "an iteration that copies what others insert, and reads the copy": Wrong(
        function(
            """
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %1 = bufferization.alloc_tensor() copy(%o) : tensor<8xf32>
    %next = arith.addi %i, %c1 : index
    %2 = tensor.extract %1[%next] : tensor<8xf32>
    %3 = tensor.from_elements %2 : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %3 into %o[%i] [1] [1]
          : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>""",
            "tensor<8xf32>",
        ),
        "'tensor.parallel_insert_slice' has written there",
    ),
    "an iteration that reads where another may insert": Wrong(
        "func.func private @place(index) -> (index, index)\n"
        + function(
            """
  %0 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %at, %size = func.call @place(%i) : (index) -> (index, index)
    %from, %long = func.call @place(%at) : (index) -> (index, index)
    %1 = tensor.extract_slice %o[%at] [%size] [1] : tensor<8xf32> to tensor<?xf32>
    %2 = tensor.extract_slice %o[%from] [%size] [1] : tensor<8xf32> to tensor<?xf32>
    %3 = linalg.exp ins(%1 : tensor<?xf32>) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
    %4 = tensor.extract %2[%c0] : tensor<?xf32>
    %5 = tensor.insert %4 into %3[%c0] : tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %5 into %o[%at] [%size] [1]
          : tensor<?xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>""",
            "tensor<8xf32>",
        ),
        "'linalg.exp' has written there",
    ),
    "two tensors of one buffer into which iterations insert": Wrong(
        "func.func private @place(index) -> (index, index)\n"
        + function(
            """
  %0:2 = scf.forall (%i) in (4) shared_outs(%o = %t, %p = %t)
      -> (tensor<8xf32>, tensor<8xf32>) {
    %at, %size = func.call @place(%i) : (index) -> (index, index)
    %from, %long = func.call @place(%at) : (index) -> (index, index)
    %1 = tensor.extract_slice %o[%at] [%size] [1] : tensor<8xf32> to tensor<?xf32>
    %2 = linalg.fill ins(%v : f32) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
    %3 = tensor.extract_slice %p[%from] [%long] [1] : tensor<8xf32> to tensor<?xf32>
    %4 = linalg.exp ins(%3 : tensor<?xf32>) outs(%3 : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%at] [%size] [1]
          : tensor<?xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %4 into %p[%from] [%long] [1]
          : tensor<?xf32> into tensor<8xf32>
    }
  }
  return %0#0 : tensor<8xf32>""",
            "tensor<8xf32>",
        ),
        "'linalg.fill' has written there",
        read="linalg.exp",
    ),
    "what a loop yields and writes": Wrong(
        function("""
  %new = tensor.splat %v : tensor<8xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %new) -> (tensor<8xf32>) {
    %1 = linalg.fill ins(%v : f32) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  %2 = tensor.extract %t[%c0] : tensor<8xf32>
  return %2 : f32"""),
        "'linalg.fill' has written there by operand 1, %x",
    ),
    "blocks": Wrong(
        function("""
  cf.cond_br %c, ^write, ^read
^write:
  %0 = tensor.insert %v into %t[%c0] : tensor<8xf32>
  cf.br ^read
^read:
  %1 = tensor.extract %t[%c0] : tensor<8xf32>
  return %1 : f32"""),
        INSERTED,
    ),
    "one buffer as two arguments": Wrong(
        """
func.func private @both(%a: tensor<8xf32>, %b: tensor<8xf32>, %v: f32, %i: index)
    -> f32 {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%v : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  %2 = tensor.extract %0[%i] : tensor<8xf32>
  return %2 : f32
}
"""
        + function("""
  %0 = func.call @both(%t, %t, %v, %n)
      : (tensor<8xf32>, tensor<8xf32>, f32, index) -> f32
  return %0 : f32"""),
        "reads operand 0, %t while it writes the same buffer",
        "func.call",
    ),
    "an unknown function": Wrong(
        "func.func private @any(tensor<8xf32>) -> tensor<8xf32>"
        + function("""
  %0 = func.call @any(%t) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = tensor.extract %t[%c0] : tensor<8xf32>
  return %1 : f32"""),
        "'func.call' has written there",
    ),
    "recursion": Wrong(
        """
func.func private @down(%a: tensor<8xf32>, %v: f32, %i: index, %c: i1) {
  scf.if %c {
    func.call @write(%a, %v, %i, %c) : (tensor<8xf32>, f32, index, i1) -> ()
  }
  return
}
func.func private @write(%a: tensor<8xf32>, %v: f32, %i: index, %c: i1) {
  func.call @down(%a, %v, %i, %c) : (tensor<8xf32>, f32, index, i1) -> ()
  %0 = tensor.insert %v into %a[%i] : tensor<8xf32>
  return
}
"""
        + function("""
  func.call @down(%t, %v, %n, %c) : (tensor<8xf32>, f32, index, i1) -> ()
  %1 = tensor.extract %t[%c0] : tensor<8xf32>
  return %1 : f32"""),
        "'func.call' has written there",
    ),
    "a constant": Wrong(
        function("""
  %0 = arith.constant dense<1.0> : tensor<8xf32>
  %1 = tensor.insert %v into %0[%c0] : tensor<8xf32>
  %2 = tensor.extract %1[%c0] : tensor<8xf32>
  return %2 : f32"""),
        "writes the buffer of operand 1, which must not be written",
        "tensor.insert",
    ),
    "selections of two conditions": Wrong(
        function(
            """
  %1 = arith.select %c, %t, %u : tensor<8xf32>
  %2 = arith.select %d, %u, %t : tensor<8xf32>
  %3 = tensor.insert %v into %2[%c0] : tensor<8xf32>
  %4 = tensor.extract %1[%c0] : tensor<8xf32>
  return %4 : f32""",
            arguments=", %d: i1",
        ),
        INSERTED,
    ),
    "selections of one condition that share a buffer": Wrong(
        function("""
  %0 = tensor.splat %v : tensor<8xf32>
  %1 = arith.select %c, %t, %u : tensor<8xf32>
  %2 = arith.select %c, %0, %u : tensor<8xf32>
  %3 = tensor.insert %v into %2[%c0] : tensor<8xf32>
  %4 = tensor.extract %1[%c0] : tensor<8xf32>
  return %4 : f32"""),
        INSERTED,
    ),
    "selections of a condition that has changed": Wrong(
        function("""
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t, %s = %v)
      -> (tensor<8xf32>, f32) {
    %p = arith.cmpi eq, %i, %c1 : index
    %1 = arith.select %p, %t, %u : tensor<8xf32>
    %2 = arith.select %p, %u, %t : tensor<8xf32>
    %3 = tensor.insert %v into %2[%c0] : tensor<8xf32>
    %4 = tensor.extract %x[%c0] : tensor<8xf32>
    scf.yield %1, %4 : tensor<8xf32>, f32
  }
  return %0#1 : f32"""),
        f"reads operand 0, %x, {LOST} {INSERTED}",
    ),
    "two results of a loop that may not run": Wrong(
        function("""
  %0 = arith.select %c, %t, %u : tensor<8xf32>
  %1:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0, %y = %t)
      -> (tensor<8xf32>, tensor<8xf32>) {
    %2 = tensor.splat %v : tensor<8xf32>
    scf.yield %x, %2 : tensor<8xf32>, tensor<8xf32>
  }
  %3 = tensor.insert %v into %1#1[%c0] : tensor<8xf32>
  %4 = tensor.extract %1#0[%c0] : tensor<8xf32>
  return %4 : f32"""),
        INSERTED,
    ),
    "branches of which one yields contents": Wrong(
        function("""
  %0 = scf.if %c -> tensor<8xf32> {
    %1 = tensor.empty() : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %u : tensor<8xf32>
  }
  %3 = tensor.insert %v into %0[%c0] : tensor<8xf32>
  %4 = tensor.extract %0[%c0] : tensor<8xf32>
  return %4 : f32"""),
        INSERTED,
    ),
    "a loop that gives contents": Wrong(
        function("""
  %0 = tensor.empty() : tensor<8xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0) -> (tensor<8xf32>) {
    %2 = linalg.fill ins(%v : f32) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %2 : tensor<8xf32>
  }
  %3 = tensor.insert %v into %1[%c0] : tensor<8xf32>
  %4 = tensor.extract %1[%c0] : tensor<8xf32>
  return %4 : f32"""),
        INSERTED,
    ),
    "iterations that insert contents": Wrong(
        function("""
  %0 = tensor.empty() : tensor<8xf32>
  %1 = scf.forall (%i) in (2) shared_outs(%o = %0) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[0] [8] [1]
          : tensor<8xf32> into tensor<8xf32>
    }
  }
  %3 = tensor.insert %v into %1[%c0] : tensor<8xf32>
  %4 = tensor.extract %1[%c0] : tensor<8xf32>
  return %4 : f32"""),
        INSERTED,
    ),
    "contents that a region computes": Wrong(
        function("""
  %0 = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<8xf32>
  %1 = tensor.insert %v into %0[%c0] : tensor<8xf32>
  %2 = tensor.extract %0[%c0] : tensor<8xf32>
  return %2 : f32"""),
        INSERTED,
    ),
    "contents beside which a region computes others": Wrong(
        function("""
  %0 = tensor.pad %u low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<8xf32> to tensor<10xf32>
  %1 = tensor.insert %v into %0[%c0] : tensor<10xf32>
  %2 = tensor.extract %0[%c0] : tensor<10xf32>
  return %2 : f32"""),
        INSERTED,
    ),
    "all of a tensor in another order, put back": Wrong(
        function(
            """
  %0 = tensor.extract_slice %t[%last] [8] [%step] : tensor<8xf32> to tensor<8xf32>
  %1 = tensor.insert_slice %0 into %t[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>""",
            "tensor<8xf32>",
            ", %last: index, %step: index",
        ),
        "'tensor.insert_slice' has written there by operand 1, %t",
        read="func.return",
    ),
    "a slice as large as its place, in another order": Wrong(
        function(
            """
  %0 = tensor.extract_slice %t[%n] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %1 = tensor.extract_slice %0[%last] [%n] [%step] : tensor<?xf32> to tensor<?xf32>
  %2 = tensor.insert_slice %1 into %t[%n] [%n] [1] : tensor<?xf32> into tensor<8xf32>
  return %2 : tensor<8xf32>""",
            "tensor<8xf32>",
            ", %last: index, %step: index",
        ),
        "'tensor.insert_slice' has written there by operand 1, %t",
        read="func.return",
    ),
}


@pytest.mark.parametrize("program", RIGHT.values(), ids=RIGHT)
def test_right_decisions_are_proven(program: str) -> None:
    verdict = prove(parse(program))
    assert not [str(each) for each in (*verdict.findings, *verdict.undecided)]
    assert verdict.is_proven


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_wrong_decisions_are_found(wrong: Wrong) -> None:
    verdict = prove(parse(wrong.program))
    assert not verdict.is_proven
    said = [str(f) for f in verdict.findings if f.read.owner.name == wrong.read]
    assert any(wrong.said in sentence for sentence in said), said


def test_an_unknown_op_is_not_decided() -> None:
    verdict = prove(
        parse(
            function("""
  %0 = "my.op"(%t) : (tensor<8xf32>) -> f32
  return %0 : f32""")
        )
    )
    (undecided,) = verdict.undecided
    assert "'my.op' is not decided: it has no model" in str(undecided)


def test_what_ops_on_buffers_see_is_not_decided() -> None:
    verdict = prove(
        parse(
            function("""
  %0 = bufferization.to_buffer %t read_only : tensor<8xf32> to memref<8xf32>
  %1 = tensor.insert %v into %t[%c0] : tensor<8xf32>
  %2 = memref.load %0[%c0] : memref<8xf32>
  return %2 : f32""")
        )
    )
    assert any("ops on buffers use this one" in str(each) for each in verdict.undecided)
