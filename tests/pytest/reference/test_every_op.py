"""The reference executes every case of a lowered op, and knows every op but those here.

The cases are those that compiled code is tested with.
"""

from collections.abc import Callable
from typing import Any

import pytest
from harness.cases import complex_numbers, memory, scalars, vectors
from harness.cases.case import Case
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Operation
from xdsl.traits import IsTerminator

from xdsl_bufferization.bufferization.models import model_modules, models_in
from xdsl_bufferization.codegen.llvm.module import RULES
from xdsl_bufferization.reference.evaluator import HANDLERS, evaluate

Parse = Callable[[str], ModuleOp]

CASES: list[Case] = [
    *scalars.CASES,
    *complex_numbers.CASES,
    *memory.CASES,
    *vectors.CASES,
]


class Evaluated:
    """A program whose functions are called as those of a compiled one."""

    def __init__(self, module: ModuleOp):
        self.module = module

    def __getitem__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            results = [each[()] for each in evaluate(self.module, name, arguments)]
            return results[0] if len(results) == 1 else tuple(results)

        return call


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(parse: Parse, case: Case):
    program: Any = Evaluated(parse(case.program))
    case.check(program)


LEFT_OUT = {
    "builtin.unrealized_conversion_cast": "left by a conversion that is not finished",
    "func.func": "called by what calls it",
    "memref.dma_start": "not lowered: a CPU has no DMA engine",
    "memref.dma_wait": "not lowered: a CPU has no DMA engine",
    "memref.global": "read by memref.get_global",
    "ml_program.global": "read by the ops that name it",
    "tensor.parallel_insert_slice": "carried out by the scf.forall around it",
    **dict.fromkeys(
        ("llvm.inttoptr", "omp.barrier", "omp.parallel", "omp.wsloop"),
        "written by passes that run on the bufferized program",
    ),
    **dict.fromkeys(
        ("xbuf.check", "xbuf.check_stack"),
        "written by passes that run on the bufferized program",
    ),
}
"""Ops without a meaning of their own in the reference, and why."""

DIALECTS = (
    "affine",
    "arith",
    "bufferization",
    "cf",
    "check",
    "complex",
    "func",
    "index",
    "linalg",
    "math",
    "memref",
    "ml_program",
    "perf",
    "scf",
    "shape",
    "tensor",
    "tm_tensor",
    "ub",
    "vector",
)
"""The dialects of programs that are bufferized and lowered, each as a whole."""


def _compiled_ops(ctx: Context) -> dict[str, type[Operation]]:
    """What can be in a program that compiles: by dialect, by rule and by model."""
    ops: list[type[Operation]] = [*RULES]
    for name in DIALECTS:
        ops += ctx.get_dialect(name).operations
    for name in model_modules():
        ops += models_in(name)
    return {op.name: op for op in ops if hasattr(op, "name")}


def _is_evaluated(name: str, op: type[Operation]) -> bool:
    """Whether the op has a handler, or belongs to the op whose region it ends."""
    return (
        name in HANDLERS
        or issubclass(op, LinalgStructuredOperation)
        or op.has_trait(IsTerminator)
    )


def test_every_compiled_op_is_evaluated_or_listed(ctx: Context):
    ops = _compiled_ops(ctx)
    missing = {name for name, op in ops.items() if not _is_evaluated(name, op)}
    assert missing <= LEFT_OUT.keys(), f"no meaning of {missing - LEFT_OUT.keys()}"


def test_what_is_left_out_is_not_known(ctx: Context):
    ops = _compiled_ops(ctx)
    for name in LEFT_OUT:
        assert name in ops and not _is_evaluated(name, ops[name]), name
