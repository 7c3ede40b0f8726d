"""All families of forms, and the ops that have none yet, with the reason.

An op that is defined in one of the dialects, and is in neither, fails a test.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Final

from xdsl.context import Context

from harness.matrix import (
    generic,
    given,
    mapped,
    named,
    negative,
    stablehlo_elements,
    stablehlo_tensors,
    tensors,
)
from harness.matrix.around import DIMENSIONS, Program
from harness.matrix.family import Family
from harness.matrix.given import GivenFamily
from harness.matrix.optional_parts import missing_parts
from xdsl_bufferization.dialects.common.definitions import load_extension

FAMILIES: Final[Mapping[str, Family | GivenFamily]] = {
    family.name: family
    for family in (
        *generic.FAMILIES,
        *mapped.FAMILIES,
        *named.FAMILIES,
        tensors.FAMILY,
        negative.FAMILY,
        stablehlo_elements.FAMILY,
        stablehlo_tensors.FAMILY,
        *given.FAMILIES,
    )
}

DIALECTS: Final = (
    "affine", "arith", "bufferization", "cf", "check", "complex", "func", "index",
    "linalg", "math", "memref", "ml_program", "scf", "shape", "stablehlo", "tensor",
    "tm_tensor", "ub", "vector",
)  # fmt: skip
"""The dialects of which each op has forms or a reason."""

OTHERS: Final[Mapping[str, str]] = {
    "chlo": "tests/pytest/frontends/stablehlo",
    "gpu": "attributes only: memory spaces, and where a loop runs",
    "llvm": "written by passes that are routes; tests/pytest/codegen",
    "omp": "written by passes that are routes; tests/pytest/codegen",
    "perf": "tests/pytest/codegen: its results are times",
    "sdy": "means nothing on one device: tests/filecheck/dialects/sdy",
    "sparse_tensor": "encodings only, which are refused by name",
    "transform": "programs for other programs: tests/mlir_suite",
    "xsmm": "written by passes that are routes; tests/pytest/runtime",
}
"""Other dialects of this package, and where their ops are executed."""

AROUND: Final = (
    "complex.constant", "func.return", "linalg.index",
)  # fmt: skip
"""Ops of producers and bodies: in the programs around forms."""

NO_FORM: Final[Mapping[str, str]] = {
    "arith.scaling_extf": "refused by each pipeline",
    "arith.scaling_truncf": "refused by each pipeline",
    "complex.bitcast": "tests/pytest/codegen/test_every_op.py",
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
    "memref.dma_start": "refused by each pipeline",
    "memref.dma_wait": "refused by each pipeline",
    "ml_program.global_load": "differs from call to call: tests/pytest/bufferization",
    "ml_program.global_store": "differs from call to call: tests/pytest/bufferization",
    "stablehlo.batch_norm_inference": "tests/pytest/frontends/stablehlo",
    "stablehlo.broadcast": "a view: tests/pytest/frontends/stablehlo",
    "stablehlo.cholesky": "loops: tests/pytest/frontends/stablehlo",
    "stablehlo.custom_call": "refused but for a few names: tests/pytest/bufferization",
    **dict.fromkeys(
        (
            "stablehlo.dynamic_broadcast_in_dim",
            "stablehlo.dynamic_conv",
            "stablehlo.dynamic_gather",
            "stablehlo.dynamic_iota",
            "stablehlo.dynamic_pad",
            "stablehlo.dynamic_reshape",
            "stablehlo.get_dimension_size",
            "stablehlo.real_dynamic_slice",
        ),
        "replaced before passes run: tests/pytest/frontends/stablehlo",
    ),
    "stablehlo.dot": "replaced before passes run: tests/pytest/frontends/stablehlo",
    "stablehlo.fft": "products with constants: tests/pytest/frontends/stablehlo",
    "stablehlo.rng_bit_generator": "random bits: tests/pytest/frontends/stablehlo",
    "stablehlo.triangular_solve": "loops: tests/pytest/frontends/stablehlo",
    "tensor.gather": "tests/filecheck: refused by each pipeline",
    "tensor.scatter": "tests/filecheck: refused by each pipeline",
}
"""Ops without forms, and why."""


def ops_of(ctx: Context) -> Iterator[str]:
    """The ops of the dialects of programs, by their definitions."""
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


def ops_without_row(ctx: Context) -> set[str]:
    """The ops that have neither a form nor a reason."""
    return {*ops_of(ctx)} - ops_with_forms() - {*AROUND, *NO_FORM}


def missing_parts_of_ops(ctx: Context) -> list[str]:
    """The optional parts that no form has, and no reason is given for."""
    ops = [
        op
        for dialect in DIALECTS
        for op in ctx.get_dialect(dialect).operations
        if op.name not in NO_FORM
    ]
    # Programs that are given have most parts; the search ends where none is left.
    families = sorted(FAMILIES, key=lambda name: isinstance(FAMILIES[name], Family))
    return missing_parts(
        ctx, ops, (program for each in families for program in programs_of(each))
    )


def missing_around() -> set[tuple[str, str]]:
    """Pairs of a producer, a place and a consumer that are around no form at all."""
    producers, places, consumers = (
        {*DIMENSIONS[name]} for name in ("operand 0", "place", "consumer")
    )
    missing = {
        *product(producers, places),
        *product(producers, consumers),
        *product(places, consumers),
    }
    for family in FAMILIES:
        for program in programs_of(family):
            missing -= _around(program)
    return missing


def _around(program: Program) -> set[tuple[str, str]]:
    choice = program.form.choice
    place = choice.get("place", "straight")
    consumer = choice.get("consumer", "return")
    operands = range(len(program.form.operands))
    producers = [choice.get(f"operand {at}", "") for at in operands]
    return {(place, consumer), *product(producers, (place, consumer))}
