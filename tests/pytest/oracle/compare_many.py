"""Compare what we and mlir-opt 22 find out about thousands of random programs.

    PYTHONPATH=tests/pytest python tests/pytest/oracle/compare_many.py --programs 20000

Each program is read once and analysed under each of `OPTIONS`; mlir-opt is asked about
a hundred programs at a time. Decisions, `__equivalent_func_args__` and
`bufferization.access` must be the same. A line tells of each program for which they are
not, and which seed it has; at the end there is a table with the numbers of programs.
"""

import argparse
import gc
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from analyses.slow_reference import SlowReference
from decisions import (
    CRASHED,
    Decisions,
    Findings,
    mlir_findings,
    our_findings,
    parse,
    post_order,
)
from random_cfgs import CfgShape, random_cfg
from random_insertions import random_insertions
from random_parallel import ParallelShape, random_parallel_program
from random_programs import Shape, random_program
from random_rich_programs import RichShape, random_rich_program
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.interfaces.operands import (
    OpOperand,
    is_tensor,
    tensor_operands,
)
from xdsl_bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
    LayoutMapOption,
)

AT_ONCE = 100
"""How many programs one mlir-opt gets."""

REFUSED_BY_MLIR_ALONE = ("cannot avoid RaW conflict", CRASHED)
"""Why mlir-opt refuses what we accept; see `docs/one_shot.md`."""


class Kind(NamedTuple):
    """A kind of random programs."""

    write: Callable[[int], str]
    has_branches: bool = False
    """Whether mlir-opt decides some of them wrongly, as the slow reference knows."""

    has_calls: bool = False


def _rich(**fields: Any) -> Kind:
    shape = RichShape(comparable=True, **fields)
    return Kind(lambda seed: random_rich_program(seed, shape), has_calls=True)


def _simple(**fields: Any) -> Kind:
    shape = Shape(**fields)
    return Kind(lambda seed: random_program(seed, shape), has_calls=shape.calls)


def _parallel(**fields: Any) -> Kind:
    shape = ParallelShape(crossing=False, **fields)
    return Kind(
        lambda seed: random_parallel_program(seed, shape), has_calls=shape.calls
    )


def _branches(**fields: Any) -> Kind:
    shape = CfgShape(**fields)
    return Kind(lambda seed: random_cfg(seed, shape), has_branches=True)


KINDS = {
    "small": _simple(),
    "calls": _simple(calls=True),
    "deep": _simple(ops=12, depth=3, undefined=True, calls=True),
    "read-only": _simple(writable_arguments=False, undefined=True),
    "rich": _rich(),
    "not executable": _rich(executable=False, undefined=True, writable_arguments=False),
    "unknown ops": _rich(unknown=True),
    "rich and deep": _rich(ops=10, depth=3),
    "forall": _parallel(),
    "races": _parallel(racy=True, undefined=True, calls=True),
    "insertions": Kind(random_insertions),
    "branches": _branches(blocks=4, ops=2, only_branches=True),
    "blocks": _branches(blocks=3, ops=3, undefined=True),
}
"""Batches are of one kind each, in turn. Recursion, decided otherwise, is left out."""

FILTERS = (
    ("arith", "bufferization", "cf", "func", "scf", "tensor"),
    ("arith", "bufferization", "cf", "func", "linalg", "tensor"),
    ("bufferization", "func", "linalg", "scf"),
    ("linalg", "tensor"),
)


def _options(batch: int) -> dict[str, BufferizationOptions]:
    """All options under which programs are compared; some are others in each batch."""
    boundaries = {
        "allow_return_allocs_from_loops": True,
        "bufferize_function_boundaries": True,
        "disjoint_subsets": False,
    }

    def options(**fields: Any) -> BufferizationOptions:
        return BufferizationOptions(**{**boundaries, **fields})

    identity = LayoutMapOption.IDENTITY_LAYOUT_MAP
    return {
        "bottom-up": options(),
        "top-down": options(analysis_heuristic=AnalysisHeuristic.TOP_DOWN),
        "from-terminators": options(
            analysis_heuristic=AnalysisHeuristic.BOTTOM_UP_FROM_TERMINATORS
        ),
        "fuzzer": options(
            analysis_heuristic=AnalysisHeuristic.FUZZER, analysis_fuzzer_seed=batch
        ),
        "no-boundaries": options(bufferize_function_boundaries=False),
        "no-return-allocs": options(allow_return_allocs_from_loops=False),
        "allow-unknown-ops": options(allow_unknown_ops=True),
        "dialect-filter": options(dialect_filter=frozenset(FILTERS[batch % 4])),
        "no-analysis-func-filter": options(
            no_analysis_func_filter=frozenset(("g0", "write", "e0"))
        ),
        "no-parallel-check": options(check_parallel_regions=False),
        "identity-layouts": options(
            function_boundary_type_conversion=identity, unknown_type_conversion=identity
        ),
        "dynamic-layouts": options(
            function_boundary_type_conversion=LayoutMapOption.FULLY_DYNAMIC_LAYOUT_MAP
        ),
        "must-infer-memory-space": options(must_infer_memory_space=True),
        "use-encoding": options(use_encoding_for_memory_space=True),
    }


OPTIONS = tuple(_options(0))


def as_flags(options: BufferizationOptions) -> str:
    """The options as mlir-opt is to be given them."""
    flags: list[str] = []
    for name, value in sorted(vars(options).items()):
        if name == "disjoint_subsets" or value == frozenset():
            continue
        if isinstance(value, frozenset):
            text = ",".join(sorted(map(str, value)))
        elif isinstance(value, AnalysisHeuristic | LayoutMapOption):
            text = value.value
        else:
            text = str(value).lower()
        flags.append(f"{name.replace('_', '-')}={text}")
    return " ".join(flags)


class Batch:
    """Random programs of one kind, each read once."""

    def __init__(self, number: int, size: int = AT_ONCE):
        self.number = number
        self.kind = list(KINDS)[number % len(KINDS)]
        first = number // len(KINDS) * AT_ONCE
        self.seeds = range(first, first + size)
        self.texts = [KINDS[self.kind].write(seed) for seed in self.seeds]
        self._modules = [parse(text) for text in self.texts]

    def get_options(self, name: str) -> BufferizationOptions:
        """The options of this `name`, as far as they make sense for the programs."""
        options = _options(self.number // len(KINDS))[name]
        if name == "dialect-filter" and KINDS[self.kind].has_calls:
            # A function would return what is left on tensors, and mlir-opt writes to
            # that, although it may be a constant.
            return replace(options, bufferize_function_boundaries=False)
        return options

    def compare(self, name: str) -> Iterator[str]:
        """For each program, what comes of comparing it; see `verdict`."""
        options = self.get_options(name)
        theirs = mlir_findings(self.texts, as_flags(options))
        has_branches = KINDS[self.kind].has_branches
        for module, expected in zip(self._modules, theirs, strict=True):
            yield verdict(module, options, expected, has_branches=has_branches)


def verdict(
    module: ModuleOp,
    options: BufferizationOptions,
    theirs: Findings | str,
    *,
    has_branches: bool,
) -> str:
    """One of: same, refused (by both), theirs refused, theirs wrong, DIFFERENT."""
    ours = our_findings(module, options)
    if isinstance(theirs, str):
        if ours is None:
            return "refused"
        is_known = any(reason in theirs for reason in REFUSED_BY_MLIR_ALONE)
        return "theirs refused" if is_known else "DIFFERENT"
    if ours == theirs:
        return "same"
    if (
        ours is not None
        and has_branches
        and slow_decisions(module, options, as_mlir=True) == theirs.decisions
        and slow_decisions(module, options, as_mlir=False) == ours.decisions
    ):
        return "theirs wrong"
    return "DIFFERENT"


def slow_decisions(
    module: ModuleOp, options: BufferizationOptions, *, as_mlir: bool
) -> Decisions:
    """What the plain rules decide, for functions that call no others."""
    in_place = {
        operand
        for function in module.ops
        for operand in SlowReference(function, options, as_mlir=as_mlir).in_place
    }
    return [
        [
            str(OpOperand(op, n) in in_place).lower() if is_tensor(value) else "none"
            for n, value in enumerate(op.operands)
        ]
        for op in post_order(module)
        if tensor_operands(op)
    ]


def main() -> int:
    """Compare as many programs as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first batch")
    parser.add_argument("--options", nargs="*", choices=OPTIONS, default=OPTIONS)
    arguments = parser.parse_args()
    counts: dict[str, Counter[str]] = {name: Counter() for name in arguments.options}
    batches = -(-arguments.programs // AT_ONCE)
    gc.disable()  # It would look at all programs of a batch again and again.
    for number in range(arguments.first, arguments.first + batches):
        batch = Batch(number)
        for name, count in counts.items():
            found = list(batch.compare(name))
            count.update(found)
            for seed, result in zip(batch.seeds, found, strict=True):
                if result == "DIFFERENT":
                    sys.stdout.write(f"{name}: {batch.kind}, batch {number}, {seed}\n")
        sys.stdout.flush()
        gc.collect()
    for name, count in counts.items():
        total = ", ".join(f"{what} {n}" for what, n in sorted(count.items()))
        sys.stdout.write(f"{name}: {total}\n")
    return int(any(count["DIFFERENT"] for count in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
