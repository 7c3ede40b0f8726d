"""All families of forms, and the ops that have none yet, with the reason.

An op that is defined in one of the dialects, and is in neither, fails a test.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from xdsl.context import Context

from support.matrix import generic, given, mapped, named, negative, tensors
from support.matrix.around import Program
from support.matrix.family import Family
from support.matrix.given import GivenFamily
from xdsl_bufferization.dialects.common.definitions import load_extension

FAMILIES: Final[Mapping[str, Family | GivenFamily]] = {
    family.name: family
    for family in (
        *generic.FAMILIES,
        *mapped.FAMILIES,
        *named.FAMILIES,
        tensors.FAMILY,
        negative.FAMILY,
        *given.FAMILIES,
    )
}

DIALECTS: Final = (
    "arith", "bufferization", "cf", "complex", "linalg", "math", "scf", "tensor",
    "tm_tensor", "vector",
)  # fmt: skip
"""The dialects of which each op has forms or a reason."""

OTHERS: Final[Mapping[str, str]] = {
    "affine": "tests/pytest/transforms/lowering/test_every_op.py",
    "func": "each program",
    "index": "tests/pytest/transforms/lowering/test_every_op.py",
    "memref": "tests/pytest/transforms/lowering/test_every_op.py",
    "shape": "tests/pytest/transforms/lowering/test_every_op.py",
    "stablehlo": "tests/pytest/transforms/stablehlo",
}
"""Dialects whose ops other tests execute, and where."""

AROUND: Final = (
    "complex.constant", "vector.yield",
    "linalg.index", "linalg.yield", "scf.condition", "scf.execute_region", "scf.for",
    "scf.forall", "scf.forall.in_parallel", "scf.if", "scf.index_switch", "scf.while",
    "scf.yield", "cf.br", "cf.cond_br", "tensor.empty", "tensor.yield",
    "tensor.parallel_insert_slice",
)  # fmt: skip
"""Ops of places, producers and bodies: in the programs around forms."""

NO_FORM: Final[Mapping[str, str]] = {
    "arith.scaling_extf": "refused by each pipeline",
    "arith.scaling_truncf": "refused by each pipeline",
    "complex.bitcast": "tests/pytest/transforms/lowering/test_every_op.py",
    "vector.print": "prints: tests/pytest/runtime/test_printing.py",
    "vector.scalable.extract": "refused by each pipeline",
    "vector.scalable.insert": "refused by each pipeline",
    "vector.type_cast": "of buffers: test_every_op.py of transforms/lowering",
    "vector.vscale": "refused by each pipeline",
    "bufferization.dealloc": "of buffers: made by passes that are routes",
    "bufferization.dealloc_tensor": "frees what a program may still read",
    "bufferization.to_memref": "an older name of `bufferization.to_buffer`",
    "cf.assert": "ends the process: tests/pytest/runtime",
    "linalg.winograd_filter_transform": "refused by each pipeline",
    "linalg.winograd_input_transform": "refused by each pipeline",
    "linalg.winograd_output_transform": "refused by each pipeline",
    "tensor.gather": "tests/filecheck: refused by each pipeline",
    "tensor.scatter": "tests/filecheck: refused by each pipeline",
}
"""Ops without forms, and why."""


def ops_of(ctx: Context) -> Iterator[str]:
    """The ops of the dialects of tensor programs, by their definitions."""
    for dialect in DIALECTS:
        yield from (op.name for op in ctx.get_dialect(dialect).operations)
        yield from load_extension(dialect).operations


@cache
def programs_of(family: str) -> tuple[Program, ...]:
    """All programs of a family, which take a second or two to choose."""
    return (*FAMILIES[family].programs(),)


def ops_with_forms() -> frozenset[str]:
    """The ops of which some program has a form."""
    return frozenset(
        op
        for family in FAMILIES
        for program in programs_of(family)
        for op in program.ops
    )
