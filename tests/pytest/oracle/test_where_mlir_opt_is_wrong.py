"""Programs that mlir-opt 22 bufferizes to something that computes other numbers.

Both bufferized programs are compiled and run here. Where mlir-opt is right one day, the
test fails, and our decision can be compared with its again.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
from harness.oracles.decisions import Findings, mlir_findings, our_findings
from harness.programs.wrong_in_mlir import (
    CASES,
    CONSTANT_FROM_A_FUNCTION,
    CONSTANT_TO_THE_NEXT_ROUND,
    COPY_YIELDED_TO_THE_NEXT_ROUND,
    EXCHANGE,
    LOOP_THAT_STAYS,
    RESULT_OF_WHAT_STAYS,
    YIELDED_TO_THE_NEXT_ROUND,
    Case,
)
from harness.volume.compare_many import as_flags, get_all_options
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import bufferize
from xdsl_bufferization.bufferization.bufferize.one_shot_options import OneShotOptions
from xdsl_bufferization.bufferization.conversion.core_bufferization import (
    bufferize_dialects,
)
from xdsl_bufferization.bufferization.conversion.finalizing_bufferize import (
    finalize_bufferization,
)
from xdsl_bufferization.pipelines.compile import compile_module

Parse = Callable[[str], ModuleOp]


def run(module: ModuleOp) -> list[Any]:
    # What matters here is what is computed: nothing is freed, as what deallocation
    # clones would hide that two results are one buffer.
    compiled = compile_module(module, poison=True)
    arguments = [np.array([1, 2, 3, 4], np.float32), np.float32(9), 0]
    results = compiled["main"](*arguments)
    # One result comes alone, several in a tuple.
    values = cast("tuple[Any, ...]", results if type(results) is tuple else (results,))
    return [np.asarray(value).tolist() for value in values]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_ours_computes_what_the_tensor_program_says(parse: Parse, case: Case) -> None:
    module = parse(case.program)
    options = dict.fromkeys(("bufferize_function_boundaries", *case.options), True)
    bufferize(module, **cast("OneShotOptions", options))
    assert run(module) == case.right


@pytest.mark.oracle
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_mlir_opt_does_not(
    parse: Parse, mlir_opt: Callable[..., str], case: Case
) -> None:
    options = " ".join(("bufferize-function-boundaries", *case.options))
    flags = f"--one-shot-bufferize={options.replace('_', '-')}"
    assert run(parse(mlir_opt(case.program, flags))) == case.wrong


def test_without_an_analysis_an_exchange_is_one(parse: Parse) -> None:
    module = parse(EXCHANGE)
    bufferize(
        module,
        bufferize_function_boundaries=True,
        no_analysis_func_filter=("main",),
    )
    assert run(module) == [[9, 9, 9, 9], [1, 2, 3, 4]]


@pytest.mark.oracle
def test_a_vector_of_less_dimensions_does_not_fill_its_tensor(
    mlir_opt: Callable[..., str], xdsl_opt: Callable[..., str]
) -> None:
    # Three of four rows come from the tensor; mlir-opt leaves them undefined.
    program = """
func.func @main(%t: tensor<4x8xf32>, %x: vector<8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %x, %t[%c0, %c0] {in_bounds = [true]}
      : vector<8xf32>, tensor<4x8xf32>
  return %0, %t : tensor<4x8xf32>, tensor<4x8xf32>
}
"""
    ours = xdsl_opt(program, "one-shot-bufferize{bufferize-function-boundaries=true}")
    theirs = mlir_opt(program, "--one-shot-bufferize=bufferize-function-boundaries")
    assert "memref.copy" in ours
    assert "memref.copy" not in theirs


def test_a_constant_from_a_function_is_copied(parse: Parse) -> None:
    module = parse(CONSTANT_FROM_A_FUNCTION)
    bufferize(module, bufferize_function_boundaries=True)
    assert run(module) == [14]


@pytest.mark.oracle
def test_mlir_opt_writes_into_it(mlir_opt: Callable[..., str]) -> None:
    # Running that is undefined: constants are in memory that must not be written.
    option = "--one-shot-bufferize=bufferize-function-boundaries"
    theirs = mlir_opt(CONSTANT_FROM_A_FUNCTION, option)
    assert "memref.global" in theirs
    assert "memref.store" in theirs
    assert "memref.alloc" not in theirs


def test_a_constant_for_the_next_round_is_copied(parse: Parse) -> None:
    module = parse(CONSTANT_TO_THE_NEXT_ROUND)
    bufferize(
        module, bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
    )
    assert run(module) == [20]


@pytest.mark.oracle
def test_mlir_opt_writes_into_that(mlir_opt: Callable[..., str]) -> None:
    # Running that is undefined, too.
    flags = "bufferize-function-boundaries allow-return-allocs-from-loops"
    theirs = mlir_opt(CONSTANT_TO_THE_NEXT_ROUND, f"--one-shot-bufferize={flags}")
    assert "memref.get_global" in theirs
    assert "memref.store" in theirs
    assert "memref.alloc" not in theirs


@pytest.mark.parametrize(
    ("program", "right"),
    [(YIELDED_TO_THE_NEXT_ROUND, 1), (COPY_YIELDED_TO_THE_NEXT_ROUND, 2)],
)
def test_what_a_loop_yields_to_its_next_round_is_copied(
    parse: Parse, program: str, right: int
) -> None:
    module = parse(program)
    bufferize(
        module, bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
    )
    assert run(module) == [right]


@pytest.mark.oracle
@pytest.mark.parametrize(
    "program", [YIELDED_TO_THE_NEXT_ROUND, COPY_YIELDED_TO_THE_NEXT_ROUND]
)
def test_mlir_opt_does_not_copy_it(
    parse: Parse, mlir_opt: Callable[..., str], program: str
) -> None:
    flags = "bufferize-function-boundaries allow-return-allocs-from-loops"
    theirs = mlir_opt(program, f"--one-shot-bufferize={flags}")
    assert run(parse(theirs)) == [9]


def finish(module: ModuleOp) -> ModuleOp:
    bufferize_dialects(module, "func", "cf")
    finalize_bufferization(module)
    return module


def test_a_loop_copies_the_result_of_what_stays_on_tensors(parse: Parse) -> None:
    module = parse(RESULT_OF_WHAT_STAYS)
    bufferize(module, allow_return_allocs_from_loops=True, allow_unknown_ops=True)
    assert run(finish(module)) == [1, 1]


@pytest.mark.oracle
def test_mlir_opt_lets_it_be_written(
    parse: Parse, mlir_opt: Callable[..., str]
) -> None:
    flags = "allow-return-allocs-from-loops allow-unknown-ops"
    theirs = mlir_opt(RESULT_OF_WHAT_STAYS, f"--one-shot-bufferize={flags}")
    assert run(finish(parse(theirs))) == [9, 9]


FILTER = ("bufferization", "func", "tensor")


def test_a_loop_outside_of_the_filter_is_one(parse: Parse) -> None:
    module = parse(LOOP_THAT_STAYS)
    bufferize(module, bufferize_function_boundaries=True, dialect_filter=FILTER)
    assert run(module) == [29]


@pytest.mark.oracle
def test_not_for_mlir_opt(parse: Parse, mlir_opt: Callable[..., str]) -> None:
    flags = f"bufferize-function-boundaries dialect-filter={','.join(sorted(FILTER))}"
    theirs = mlir_opt(LOOP_THAT_STAYS, f"--one-shot-bufferize={flags}")
    assert run(parse(theirs)) == [37]


PART = """
func.func private @same(%t: tensor<8xf32>, %s: tensor<4xf32>, %p: i1)
    -> tensor<4xf32> {
  %0 = scf.if %p -> tensor<4xf32> {
    scf.yield %s : tensor<4xf32>
  } else {
    %1 = tensor.extract_slice %t[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}
func.func @main(%t: tensor<8xf32>, %p: i1) -> tensor<4xf32> {
  %s = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = call @same(%t, %s, %p)
      : (tensor<8xf32>, tensor<4xf32>, i1) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""


@pytest.mark.parametrize("name", ["bottom-up", "top-down"])
def test_a_part_is_not_the_whole(parse: Parse, name: str) -> None:
    """mlir-opt says of a slice that came back from a call that it is the argument.

    The result has 4 elements and the argument 8. We say nothing about it, and all else
    is the same.
    """
    options = get_all_options(0)[name]
    (theirs,) = mlir_findings([PART], as_flags(options))
    assert isinstance(theirs, Findings)
    ours = our_findings(parse(PART), options)
    assert ours is not None
    assert theirs.equivalent == [*ours.equivalent, ["0"]]
    assert ours == theirs._replace(equivalent=ours.equivalent)
