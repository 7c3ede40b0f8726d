"""Follow a program through its passes: the text after each pass that changed it.

xbuf stages mlp.mlir                   every change, side by side
xbuf stages mlp.mlir --out DIR         DIR/00-input.mlir, DIR/01-cse.mlir, ...
xbuf stages mlp.mlir --out DIR --html  and DIR/index.html to click through
"""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.analyses.cost.function_costs import is_copy
from xdsl_bufferization.bufferization.analyses.one_shot.cached_analysis import Snapshot
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.memref.sizes import count_buffer_bytes
from xdsl_bufferization.dialects.printing import mlir_text
from xdsl_bufferization.pipelines.pass_bundle import spell_pass, unbundle
from xdsl_bufferization.support.escaping import in_file_name

from ..common import progress
from ..common.program import verify

INPUT = "input"
"""The name of the stage before the first pass."""


@dataclass(frozen=True)
class Stage:
    """A program after a pass that changed it."""

    number: int
    """The number of the pass in the pipeline: the first is 1, and 0 is the input."""

    name: str
    """The pass as `xdsl-opt -p` takes it."""

    text: str

    seconds: float
    """What the pass took."""

    ops: dict[str, int]
    """How many ops of each name there are, the most frequent first."""

    allocations: int
    """Ops that allocate a buffer, whatever loops they are in."""

    allocated_bytes: int
    """The sum over those of them whose size is known."""

    copies: int
    """Ops that copy a buffer, whatever loops they are in."""

    @property
    def file_name(self) -> str:
        """Number and name of the pass, without its options."""
        return f"{self.number:02}-{in_file_name(self.name.partition('{')[0])}.mlir"


def follow(module: ModuleOp, passes: Iterable[ModulePass]) -> Iterator[Stage]:
    """The stages of `module`, which is rewritten; passes without effect have none.

    An error of a pass comes after all stages before it.
    """
    context = get_context()
    stage = _describe(module, mlir_text(module), 0, INPUT, 0.0)
    yield stage
    snapshot = Snapshot(module)
    for number, each in enumerate(unbundle(passes), start=1):
        with progress.stage(each.name):
            start = time.perf_counter()
            each.apply(context, module)
            seconds = time.perf_counter() - start
            if snapshot.is_current(module):
                continue
            verify(module)
            text = mlir_text(module)
            snapshot = Snapshot(module)
        if text != stage.text:
            stage = _describe(module, text, number, spell_pass(each), seconds)
            yield stage


def _describe(
    module: ModuleOp, text: str, number: int, name: str, seconds: float
) -> Stage:
    all_ops = list(module.walk())
    ops = Counter(op.name for op in all_ops)
    buffers = [
        op.memref.type
        for op in all_ops
        if isinstance(op, memref.AllocOp | memref.AllocaOp)
    ]
    size = sum(count_buffer_bytes(type_) or 0 for type_ in buffers)
    copies = sum(map(is_copy, all_ops))
    by_count = dict(sorted(ops.items(), key=lambda item: (-item[1], item[0])))
    return Stage(number, name, text, seconds, by_count, len(buffers), size, copies)


def summarize(stage: Stage, before: Stage | None) -> str:
    """One line: what the pass took, and what is in the program now."""
    count = sum(stage.ops.values())
    change = "" if before is None else f" ({count - sum(before.ops.values()):+})"
    return (
        f"{stage.number:02} {stage.name}: {stage.seconds:.3f} s, {count} ops{change}, "
        f"{stage.allocations} allocations, {stage.allocated_bytes} bytes, "
        f"{stage.copies} copies"
    )
