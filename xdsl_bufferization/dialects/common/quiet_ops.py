"""Ops that leave the contents of all memory as they are.

Between two ops with only such ops in between, buffers of equal contents are
interchangeable.

    %b = bufferization.clone %a
    %x = memref.load %b[%i]       // quiet
    memref.dealloc %a
"""

from collections.abc import Callable, Iterator

from xdsl.dialects import memref
from xdsl.ir import Operation
from xdsl.traits import MemoryEffectKind, get_effects

_MAX_OPS = 64
"""How far is looked ahead, to bound the cost; what belongs together is close by."""


def is_quiet(op: Operation) -> bool:
    """Whether `op` writes to no memory. When unsure: False."""
    effects = get_effects(op)
    return effects is not None and not any(
        effect.kind is MemoryEffectKind.WRITE for effect in effects
    )


def quiet_deallocs_after(
    op: Operation, is_quiet: Callable[[Operation], bool] = is_quiet
) -> Iterator[memref.DeallocOp]:
    """The `memref.dealloc` ops that only quiet ops separate from `op`, in order.

    What they free was there before `op`, or is a result of it. They end at the first
    one that frees what came after.
    """
    later: set[Operation] = set()
    for _ in range(_MAX_OPS):
        following = op.next_op
        if following is None:
            return
        if isinstance(following, memref.DeallocOp):
            if following.memref.owner in later:
                return
            yield following
        elif not is_quiet(following):
            return
        later.add(following)
        op = following
