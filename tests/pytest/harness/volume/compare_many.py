"""Compare what we and mlir-opt 22 find out about thousands of random programs.

    PYTHONPATH=tests/pytest python -m harness.volume.compare_many --programs 20000

Each program is read once and analysed under each of `OPTIONS`; mlir-opt is asked about
a hundred programs at a time. Decisions, `__equivalent_func_args__` and
`bufferization.access` must be the same. A line tells of each program for which they are
not, and which seed it has; at the end there is a table with the numbers of programs.

With `--results` the programs are bufferized, and allocations and copies are counted:
there must be as many by MLIR's rules, or fewer, and never more by default.
"""

import argparse
import gc
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any, NamedTuple, cast

from xdsl.dialects import bufferization, func, memref, scf
from xdsl.dialects.builtin import ModuleOp, TensorType, UnitAttr
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.utils.hints import isa

from harness.oracles.decisions import (
    Decisions,
    Findings,
    mlir_findings,
    our_findings,
    parse,
    post_order,
)
from harness.oracles.mlir_text import CRASHED, ask_surely, print_module
from harness.oracles.slow_reference import SlowReference
from harness.programs.random_cfgs import CfgShape, random_cfg
from harness.programs.random_insertions import random_insertions
from harness.programs.random_parallel import ParallelShape, random_parallel_program
from harness.programs.random_programs import Shape, random_program
from harness.programs.random_rich_programs import RichShape, random_rich_program
from harness.programs.random_slices import random_slices
from harness.programs.random_whole_outputs import random_whole_output
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import (
    OneShotAnalysis,
    analyze,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.bufferize.ops_with_tensors import OpsWithTensors
from xdsl_bufferization.bufferization.bufferize.outputs_that_others_write import (
    read_what_loops_start_with,
)
from xdsl_bufferization.bufferization.interfaces.noted_copies import find_copied_value
from xdsl_bufferization.bufferization.interfaces.operands import (
    OpOperand,
    is_tensor,
    tensor_operands,
)
from xdsl_bufferization.bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
    LayoutMapOption,
)
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp
from xdsl_bufferization.support.errors import OperationError

AT_ONCE = 100
"""How many programs one mlir-opt gets."""

BAD = ("DIFFERENT", "MORE", "UNFINISHED", "ours refused")
"""What must not come of comparing a program."""

REFUSED_BY_MLIR_ALONE = ("cannot avoid RaW conflict", CRASHED)
"""Why mlir-opt refuses what we accept; see `docs/one_shot.md`."""


class Kind(NamedTuple):
    """A kind of random programs."""

    random: Callable[[int, Any], str]
    shape: Shape | None
    has_branches: bool = False
    """Whether mlir-opt decides some of them wrongly, as the slow reference knows."""

    has_calls: bool = False

    def write(
        self, seed: int, *, for_results: bool = False, with_calls: bool = True
    ) -> str:
        """One program, the same for the same seed.

        With `for_results` without what mlir-opt decides rightly, but then does not
        copy: constants that a loop yields, and what the second region of a while does.
        Without calls, as far as the kind of programs allows.
        """
        shape = self.shape
        if shape is None:
            return self.random(seed, None)
        if for_results:
            shape = replace(shape, constants=False)
            if isinstance(shape, RichShape):
                shape = replace(shape, whiles=False)
        if not with_calls:
            shape = replace(shape, calls=False)
            if isinstance(shape, RichShape):
                shape = replace(shape, functions=0)
        return self.random(seed, shape)


def _rich(**fields: Any) -> Kind:
    shape = RichShape(comparable=True, **fields)
    return Kind(random_rich_program, shape, has_calls=True)


def _simple(**fields: Any) -> Kind:
    shape = Shape(**fields)
    return Kind(random_program, shape, has_calls=shape.calls)


def _parallel(**fields: Any) -> Kind:
    shape = ParallelShape(crossing=False, **fields)
    return Kind(random_parallel_program, shape, has_calls=shape.calls)


def _racing(seed: int, shape: ParallelShape | None) -> str:
    """A program in which iterations read what others write, as it is analysed.

    mlir-opt overlooks that; see `wrong_in_mlir.py`.
    """
    module = parse(random_parallel_program(seed, shape))
    options = BufferizationOptions(bufferize_function_boundaries=True)
    read_what_loops_start_with(OpsWithTensors(module, options), options)
    return print_module(module)


def _without_shape(write: Callable[[int], str]) -> Kind:
    def random(seed: int, _: object) -> str:
        return write(seed)

    return Kind(random, None)


def _branches(**fields: Any) -> Kind:
    return Kind(random_cfg, CfgShape(**fields), has_branches=True)


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
    "races": _parallel(racy=True, undefined=True, calls=True)._replace(random=_racing),
    "insertions": _without_shape(random_insertions),
    "slices": _without_shape(random_slices),
    "whole outputs": _without_shape(random_whole_output),
    "branches": _branches(blocks=4, ops=2, only_branches=True),
    "blocks": _branches(blocks=3, ops=3, undefined=True),
}
"""Batches are of one kind each, in turn. Recursion, decided otherwise, is left out."""

COPY_BEFORE_WRITE = "copy-before-write"
"""There are no decisions to compare with this option, only results."""

ALL = slice(None)

FILTERS = (
    ("arith", "bufferization", "cf", "func", "scf", "tensor"),
    ("arith", "bufferization", "func", "linalg", "scf"),
    ("bufferization", "func", "linalg", "scf", "tensor"),
    ("linalg", "scf", "tensor"),
)
"""All have the loops: those left out do not count as repeated for mlir-opt."""


def get_all_options(batch: int) -> dict[str, BufferizationOptions]:
    """All options under which programs are compared; some are others in each batch."""
    base = BufferizationOptions(
        allow_return_allocs_from_loops=True,
        bufferize_function_boundaries=True,
        disjoint_subsets=False,
        exchange_buffers=False,
    )

    def options(**fields: Any) -> BufferizationOptions:
        return replace(base, **fields)

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
        COPY_BEFORE_WRITE: options(copy_before_write=True),
    }


OPTIONS = tuple(get_all_options(0))


_OURS_ALONE = (
    "disjoint_subsets",
    "exchange_buffers",
    "only_reasons_to_move",
    "optimal_limit",
    "reason_steps",
)
"""The options that mlir-opt does not have."""


def as_flags(options: BufferizationOptions) -> str:
    """The options as mlir-opt is to be given them."""
    flags: list[str] = []
    for name, value in sorted(vars(options).items()):
        if name in _OURS_ALONE or value == frozenset():
            continue
        if isinstance(value, frozenset):
            text = ",".join(sorted(cast("frozenset[str]", value)))
        elif isinstance(value, AnalysisHeuristic | LayoutMapOption):
            text = value.value
        else:
            text = str(value).lower()
        flags.append(f"{name.replace('_', '-')}={text}")
    return " ".join(flags)


class Batch:
    """Random programs of one kind, each read once."""

    def __init__(
        self,
        number: int,
        size: int = AT_ONCE,
        *,
        for_results: bool = False,
        with_calls: bool = True,
    ):
        self.number = number
        self.kind = list(KINDS)[number % len(KINDS)]
        first = number // len(KINDS) * AT_ONCE
        self.seeds = range(first, first + size)
        write = partial(
            KINDS[self.kind].write, for_results=for_results, with_calls=with_calls
        )
        self.texts = list(map(write, self.seeds))
        self._modules = [parse(text) for text in self.texts]

    def get_options(self, name: str) -> BufferizationOptions:
        """The options of this `name`, as far as they make sense for the programs."""
        options = get_all_options(self.number // len(KINDS))[name]
        if name == "dialect-filter" and (
            KINDS[self.kind].has_calls or "func" not in options.dialect_filter
        ):
            # A function would return what is left on tensors, and mlir-opt writes to
            # that, although it may be a constant. With boundaries it analyses no
            # function whose op is left out, and copies before each write in it.
            return replace(options, bufferize_function_boundaries=False)
        if name == "no-analysis-func-filter" and self.kind == "not executable":
            # What the other functions may return must not be written, perhaps.
            return replace(options, no_analysis_func_filter=frozenset(("e0",)))
        return options

    def compare(self, name: str, part: slice = ALL) -> Iterator[str]:
        """For each program, what comes of comparing it; see `verdict`."""
        options = self.get_options(name)
        theirs = mlir_findings(self.texts[part], as_flags(options))
        for module, expected in zip(self._modules[part], theirs, strict=True):
            yield verdict(module, options, expected)

    def compare_results(self, name: str, part: slice = ALL) -> Iterator[str]:
        """For each program, what comes of counting its allocations and copies.

        One of: same, fewer, theirs wrong, MORE, ours refused, theirs refused, theirs
        undefined; and
        UNFINISHED, if we leave on tensors what mlir-opt does not. Programs that are
        decided otherwise are left out.
        """
        options = self.get_options(name)
        flags = as_flags(options)
        texts, modules = self.texts[part], self._modules[part]
        defined = [not _is_undefined_for_mlir(text, name) for text in texts]
        asked = [n for n, is_defined in enumerate(defined) if is_defined]
        said = ask_surely([texts[n] for n in asked], f"--one-shot-bufferize={flags}")
        replies = dict(zip(asked, said, strict=True))
        decided = [True] * len(texts)
        if name != COPY_BEFORE_WRITE:
            theirs = mlir_findings(texts, flags)
            decided = [
                our_findings(module, options) == found
                for module, found in zip(modules, theirs, strict=True)
            ]
        for n, module in enumerate(modules):
            if not defined[n]:
                yield "theirs undefined"
            elif not decided[n]:
                yield "decided otherwise"
            elif replies[n].errors:
                yield "theirs refused"
            else:
                yield count_verdict(module, options, count_ops(replies[n].printed))


def _is_undefined_for_mlir(text: str, name: str) -> bool:
    """Whether what mlir-opt 22 does with a program has no definition.

    Without an analysis, its model of a call still looks for what the analysis has found
    out about the callee, in an object that is none. So at each call it reads memory of
    something else: it crashes, does not end, or goes on with any answer.
    """
    return name == COPY_BEFORE_WRITE and re.search(r"\bcall @", text) is not None


ALLOCS = r"\b(?:memref\.alloc|bufferization\.alloc_tensor)\b"
COPIES = r"\bmemref\.copy\b|\bbufferization\.alloc_tensor\([^)]*\) copy\("
"""An `alloc_tensor` stays where its dialect is filtered out."""


CONVERSIONS = r"\bbufferization\.to_(?:tensor|buffer)\b"


class Counts(NamedTuple):
    """How many allocations and copies there are."""

    allocs: int
    copies: int
    conversions: bool = False
    """Whether something is left on tensors."""


def count_ops(text: str) -> Counts:
    """The counts of a bufferized program."""
    allocs, copies = (len(re.findall(pattern, text)) for pattern in (ALLOCS, COPIES))
    return Counts(allocs, copies, re.search(CONVERSIONS, text) is not None)


def our_counts(
    module: ModuleOp, options: BufferizationOptions, *, disjoint_subsets: bool
) -> Counts:
    """The counts of a program that we bufferize; `module` is left as it was.

    Without an analysis mlir-opt never copies what becomes a buffer by `to_buffer`, even
    if that is written; see `test_where_mlir_opt_is_wrong.py`.
    """
    module = module.clone()
    if options.copy_before_write:
        for op in module.walk():
            if isinstance(op, bufferization.ToBufferOp):
                op.properties["read_only"] = UnitAttr()
    options = replace(
        options, disjoint_subsets=disjoint_subsets, exchange_buffers=disjoint_subsets
    )
    one_shot_bufferize(module, options)
    allocs = copies = 0
    conversions = False
    for op in module.walk():
        conversions |= isinstance(
            op, bufferization.ToTensorOp | bufferization.ToBufferOp
        )
        if isinstance(op, bufferization.AllocTensorOp):
            copies += op.copy is not None
        allocs += isinstance(op, memref.AllocOp | bufferization.AllocTensorOp)
        copies += isinstance(op, memref.CopyOp)
    return Counts(allocs, copies, conversions)


def count_overlooked(module: ModuleOp, options: BufferizationOptions) -> int:
    """How many copies mlir-opt may leave out where loops yield what is not theirs.

    The copies are left out for three kinds of values that a loop yields:

    - One buffer is yielded to two arguments.
    - The next iteration writes to a buffer that nobody may write to. Either the buffer
      is read-only, or an op that stays on tensors is said to result in it.
    - A buffer is copied before the loop, which mlir-opt forgets. One copy then serves
      all iterations.
    """
    if options.copy_before_write:
        return 0
    analysis = analyze(module, replace(options, disjoint_subsets=False))
    count = 0
    for op in module.walk():
        if not isinstance(op, scf.ForOp) or not analysis.is_analyzed(op):
            continue
        end = op.body.block.last_op
        assert end is not None
        sets = [
            analysis.get_alias_set(value) for value in end.operands if is_tensor(value)
        ]
        count += len(sets) - len(set(map(id, sets)))
        count += sum(
            any(
                _stays_on_tensors(value, analysis) or _is_read_only(value, analysis)
                for value in values
            )
            for values in sets
        )
        count += sum(
            not analysis.is_defined_inside(value, op) and _is_copy(value, analysis)
            for value in filter(is_tensor, end.operands)
        )
    return count


def _stays_on_tensors(value: SSAValue, analysis: OneShotAnalysis) -> bool:
    return isinstance(value, OpResult) and analysis.get_model(value.op) is None


def _is_read_only(value: SSAValue, analysis: OneShotAnalysis) -> bool:
    """Whether an op says so, here or in a function that returns it."""
    op = value.owner
    if isinstance(value, OpResult) and isinstance(op, func.CallOp):
        summary = analysis.get_function_summary(op)
        return summary is not None and value.index in summary.read_only_results
    return isinstance(op, bufferization.ToTensorOp) and op.writable is None


def _is_copy(value: SSAValue, analysis: OneShotAnalysis) -> bool:
    """Whether a copy takes the place of what an op results in."""
    return isinstance(value, OpResult) and any(
        not analysis.is_in_place(operand)
        and find_copied_value(operand, analysis) is value
        for operand in tensor_operands(value.op)
    )


def count_verdict(
    module: ModuleOp, options: BufferizationOptions, theirs: Counts
) -> str:
    """What `Batch.compare_results` says of one program."""
    try:
        counts = [
            our_counts(module, options, disjoint_subsets=disjoint)
            for disjoint in (False, True)
        ]
    except OperationError:
        return "ours refused"
    if not theirs.conversions and any(each.conversions for each in counts):
        return "UNFINISHED"
    more = max(max(c.allocs - theirs.allocs, c.copies - theirs.copies) for c in counts)
    if more > 0:
        return "theirs wrong" if more <= count_overlooked(module, options) else "MORE"
    return "same" if counts[0] == theirs else "fewer"


def verdict(
    module: ModuleOp,
    options: BufferizationOptions,
    theirs: Findings | str,
) -> str:
    """One of: same, refused (by both), theirs refused, theirs wrong, DIFFERENT.

    Also "results share", where calls have results that may be one buffer: mlir-opt does
    not know, whatever it decides.
    """
    ours = our_findings(module, options)
    if isinstance(theirs, str):
        if ours is None:
            return "refused"
        is_known = any(reason in theirs for reason in REFUSED_BY_MLIR_ALONE)
        return "theirs refused" if is_known else "DIFFERENT"
    if ours == theirs:
        return "same"
    if writes_out_of_place_in_place(module, theirs.decisions):
        return "theirs wrong"
    if ours is not None and ours == theirs._replace(
        equivalent=[
            row for row in theirs.equivalent if not takes_part_for_whole(module, row)
        ]
    ):
        return "theirs wrong"
    if (
        ours is not None
        and slow_decisions(module, options, as_mlir=True) == theirs.decisions
        and slow_decisions(module, options, as_mlir=False) == ours.decisions
    ):
        return "theirs wrong"
    is_shared = ours is not None and has_results_of_one_buffer(module, options)
    return "results share" if is_shared else "DIFFERENT"


def writes_out_of_place_in_place(module: ModuleOp, decisions: Decisions) -> bool:
    """Whether mlir-opt wants a copy of the destination in a parallel loop.

    It makes none, whatever the conflict was. Our decisions put the destination in place
    from the start, so other ops may have to copy.
    """
    ops = [op for op in post_order(module) if tensor_operands(op)]
    return len(ops) == len(decisions) and any(
        isinstance(op, ParallelInsertSliceOp) and words[1] == "false"
        for op, words in zip(ops, decisions, strict=True)
    )


def takes_part_for_whole(module: ModuleOp, row: Sequence[str]) -> bool:
    """Whether a row of `__equivalent_func_args__` fits no function of the module.

    As it equals an argument with a result of another number of elements.
    """

    def size(type_: Attribute) -> int | None:
        if not isa(type_, TensorType) or not type_.has_static_shape():
            return None
        return prod(type_.get_shape())

    def may_be_of(function: func.FuncOp) -> bool:
        inputs, outputs = function.function_type.inputs, function.function_type.outputs
        return len(row) == len(outputs) and all(
            number == "-1" or size(inputs.data[int(number)]) == size(result)
            for number, result in zip(row, outputs, strict=True)
        )

    return not any(may_be_of(op) for op in module.ops if isinstance(op, func.FuncOp))


def has_results_of_one_buffer(module: ModuleOp, options: BufferizationOptions) -> bool:
    """Whether two results of some function may be one buffer."""
    analysis = analyze(module, replace(options, disjoint_subsets=False))
    summaries = map(analysis.get_summary, analysis.functions)
    return any(summary and summary.shared_results for summary in summaries)


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


def run(arguments: argparse.Namespace, counts: dict[str, Counter[str]]) -> None:
    """Add up in `counts` what comes of comparing, and tell what is worth telling."""
    told = {*BAD, *(["fewer"] * arguments.fewer)}
    batches = -(-arguments.programs // AT_ONCE)
    for number in range(arguments.first, arguments.first + batches):
        if list(KINDS)[number % len(KINDS)] not in arguments.kinds:
            continue
        batch = Batch(number, for_results=arguments.results)
        compare = batch.compare_results if arguments.results else batch.compare
        names = list(counts)
        if arguments.in_turn:
            first, *others = names
            names = [first, others[number // len(KINDS) % len(others)]]
        for name in names:
            found, count = list(compare(name)), counts[name]
            count.update(found)
            for seed, result in zip(batch.seeds, found, strict=True):
                if result in told:
                    where = f"{batch.kind}, batch {number}, seed {seed}"
                    sys.stdout.write(f"{name}: {result}: {where}\n")
        sys.stdout.flush()
        gc.collect()


def main() -> int:
    """Compare as many programs as the command line says."""
    parser = argparse.ArgumentParser(description="Compare with mlir-opt 22.")
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first batch")
    parser.add_argument("--options", nargs="*", choices=OPTIONS, default=OPTIONS)
    parser.add_argument("--kinds", nargs="*", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--results", action="store_true", help="count copies")
    parser.add_argument(
        "--in-turn", action="store_true", help="each batch: the first option, another"
    )
    parser.add_argument("--fewer", action="store_true", help="tell of these as well")
    arguments = parser.parse_args()
    if not arguments.results:
        arguments.options = [o for o in arguments.options if o != COPY_BEFORE_WRITE]
    counts: dict[str, Counter[str]] = {name: Counter() for name in arguments.options}
    gc.disable()  # It would look at all programs of a batch again and again.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        run(arguments, counts)
    except KeyboardInterrupt:
        sys.stdout.write("interrupted\n")
    for name, count in counts.items():
        total = ", ".join(f"{what} {n}" for what, n in sorted(count.items()))
        sys.stdout.write(f"{name}: {total}\n")
    return int(any(n and what in BAD for c in counts.values() for what, n in c.items()))


if __name__ == "__main__":
    sys.exit(main())
