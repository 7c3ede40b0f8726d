"""Passes and their options have MLIR's names and spelling."""

import pytest
from xdsl.passes import ModulePass
from xdsl.universe import Universe

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.bufferize.tensor_copy_insertion import (
    TensorCopyInsertionPass,
)
from xdsl_bufferization.tools.common.diagnostics import UsageError
from xdsl_bufferization.tools.mlir_opt.pass_calls import Nest, PassCall
from xdsl_bufferization.tools.mlir_opt.passes import (
    NestedPasses,
    PassStep,
    make_steps,
)


def make(name: str, options: str = "") -> PassStep:
    available = Universe.get_multiverse().all_passes
    (step,) = make_steps((PassCall(name, options, "here"),), available)
    return step


def test_options_of_all_kinds() -> None:
    assert make(
        "one-shot-bufferize",
        "allow-unknown-ops bufferize-function-boundaries=1 "
        "check-parallel-regions=false "
        "dialect-filter=tensor,scf buffer-alignment=32 analysis-heuristic=top-down",
    ) == OneShotBufferizePass(
        allow_unknown_ops=True,
        bufferize_function_boundaries=True,
        check_parallel_regions=False,
        dialect_filter=("tensor", "scf"),
        buffer_alignment=32,
        analysis_heuristic="top-down",
    )


def test_quoted_list() -> None:
    for text in ("{tensor,scf}", "'tensor,scf'", '"tensor,scf"'):
        step = make("one-shot-bufferize", f"dialect-filter={text}")
        assert isinstance(step, OneShotBufferizePass)
        assert step.dialect_filter == ("tensor", "scf")


def test_other_name() -> None:
    assert isinstance(make("test-tensor-copy-insertion"), TensorCopyInsertionPass)


def test_options_without_effect() -> None:
    assert isinstance(make("canonicalize", "test-convergence top-down=0"), ModulePass)


def test_nesting() -> None:
    available = Universe.get_multiverse().all_passes
    (step,) = make_steps((Nest("func.func", (PassCall("cse"),)),), available)
    assert isinstance(step, NestedPasses)
    assert step.anchor == "func.func"
    assert isinstance(step.steps[0], ModulePass)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("canonicalise", "", "no pass 'canonicalise'; do you mean 'canonicalize'?"),
        ("qqqq", "", "no pass 'qqqq'; xbuf passes lists them"),
        ("cse", "a=1", "pass 'cse' has no option 'a'; it has none"),
        ("one-shot-bufferize", "buffer-alignment=x", "wrong option of pass"),
        ("canonicalize", "disable-patterns=A", "has no option 'disable-patterns'"),
    ],
)
def test_wrong_pass(name: str, options: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        make(name, options)
    assert error.value.place == "here"
    assert message in error.value.message
