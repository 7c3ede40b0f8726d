"""Reductions compute the same bits on any number of threads."""

from collections.abc import Callable

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.split_parallel_reductions import (
    MOST_BLOCKS,
    split_parallel_reductions,
)
from xdsl_bufferization.pipelines.compile import compile_module

Parse = Callable[[str], ModuleOp]


def reduction(combine: str, type: str = "f32") -> str:
    """Reduce what a loop reads; `combine` defines %r of %a and %b."""
    return f"""
    func.func @f(%m: memref<?x?x{type}>, %x: {type}) -> {type} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.dim %m, %c0 : memref<?x?x{type}>
      %k = memref.dim %m, %c1 : memref<?x?x{type}>
      %result = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %k) step (%c1, %c1)
          init (%x) -> {type} {{
        %y = memref.load %m[%i, %j] : memref<?x?x{type}>
        scf.reduce(%y : {type}) {{
        ^bb0(%a: {type}, %b: {type}):
          {combine}
          scf.reduce.return %r : {type}
        }}
      }}
      return %result : {type}
    }}"""


ADD = "%r = arith.addf %a, %b : f32"


def test_the_bits_do_not_depend_on_the_number_of_threads(parse: Parse):
    module = parse(reduction(ADD))
    # What is lost of the small numbers depends on the order.
    numbers = np.random.default_rng(0).random((37, 91), np.float32)
    numbers[::3] *= 1e6
    found = {
        compile_module(module, threads=threads)["f"](numbers, 0.25)
        for threads in (1, 2, 3, 8, 0)
    }
    assert len(found) == 1
    assert found.pop() == pytest.approx(numbers.sum(dtype=np.float64), rel=1e-4)


def test_a_reduction_may_use_what_its_round_computed(parse: Parse):
    text = reduction("%r = arith.addf %a, %z : f32").replace(
        "scf.reduce(", "%z = arith.mulf %y, %y : f32\n scf.reduce("
    )
    numbers = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert compile_module(parse(text), threads=2)["f"](numbers, 0.5) == 55.5


def test_few_rounds_are_added_in_order(parse: Parse):
    numbers = np.random.default_rng(1).random((4, MOST_BLOCKS // 4), np.float32)
    expected = np.float32(0.25)
    for number in numbers.ravel():
        expected += number
    found = compile_module(parse(reduction(ADD)), threads=3)["f"](numbers, 0.25)
    assert found == expected


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 1), (1, 1000), (1000, 3)])
def test_order_is_kept(parse: Parse, shape: tuple[int, int]):
    """The last of all values, a combination that is not commutative."""
    numbers = np.arange(7, 7 + shape[0] * shape[1]).reshape(shape)
    expected = numbers.max(initial=-5)
    module = parse(reduction("%r = arith.ori %b, %b : i64", "i64"))
    for threads in (1, 3):
        assert compile_module(module, threads=threads)["f"](numbers, -5) == expected


def test_the_initial_value_is_combined_once(parse: Parse):
    module = parse(reduction("%r = arith.muli %a, %b : i64", "i64"))
    numbers = np.ones((100, 30), np.int64)
    for threads in (1, 2, 8):
        assert compile_module(module, threads=threads)["f"](numbers, 3) == 3


def test_values_of_several_types_are_reduced_together(parse: Parse):
    module = parse("""
    func.func @f(%n: index) -> (index, f64, i1) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %half = arith.constant 0.5 : f64
      %true = arith.constant true
      %limit = arith.constant 999 : index
      %r:3 = scf.parallel (%i) = (%c0) to (%n) step (%c1)
          init (%c0, %half, %true) -> (index, f64, i1) {
        %small = arith.cmpi slt, %i, %limit : index
        scf.reduce(%i, %half, %small : index, f64, i1) {
        ^bb0(%a: index, %b: index):
          %s = arith.addi %a, %b : index
          scf.reduce.return %s : index
        }, {
        ^bb0(%a: f64, %b: f64):
          %s = arith.maximumf %a, %b : f64
          scf.reduce.return %s : f64
        }, {
        ^bb0(%a: i1, %b: i1):
          %s = arith.andi %a, %b : i1
          scf.reduce.return %s : i1
        }
      }
      return %r#0, %r#1, %r#2 : index, f64, i1
    }""")
    for threads in (1, 2):
        function = compile_module(module, threads=threads)["f"]
        assert function(999) == (499 * 999, 0.5, True)
        assert function(1000) == (1000 * 999 // 2, 0.5, False)


def test_a_module_stays_valid(parse: Parse):
    module = parse(reduction(ADD))
    split_parallel_reductions(module)
    module.verify()
