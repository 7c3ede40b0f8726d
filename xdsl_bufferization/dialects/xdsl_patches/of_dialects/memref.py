"""What is corrected of `memref`: a pattern that does nothing leaves nothing behind.

%b = memref.subview %a[0, 0, 2] [1, 4, 1] [1, 1, 1] : memref<1x4x8xf32> to ...
%c = memref.subview %b[0, 0, 0] [1, 4, 1] [1, 1, 1] : ... to memref<4x1xf32, ...>

xDSL makes a subview of `%a` for `%c`, and drops it if its type is another one. The
dropped op is a use of `%a` all the same.
"""

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, StridedLayoutAttr, i8
from xdsl.ir import Block, Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.transforms.canonicalization_patterns.memref import (
    MemRefSubviewOfSubviewFolding,
)

from ..correction import CorrectedPattern, Correction


class _SubviewPatterns(memref.MemRefHasCanonicalizationPatternsTrait):
    @classmethod
    @override
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return tuple(
            CorrectedPattern(each, _without_dropped_ops)
            if isinstance(each, MemRefSubviewOfSubviewFolding)
            else each
            for each in super().get_canonicalization_patterns()
        )


def _without_dropped_ops(
    pattern: RewritePattern, op: Operation, rewriter: PatternRewriter
) -> None:
    pattern.match_and_rewrite(op, rewriter)
    if not isinstance(op, memref.SubviewOp) or op.parent is None:
        return
    inner = op.source.owner
    if isinstance(inner, memref.SubviewOp):
        # The newest use comes first.
        use = inner.source.first_use
        assert use is not None, "the inner subview uses it"
        if use.operation.parent is None:
            use.operation.erase()


def _leaves_a_use() -> bool:
    """Whether xDSL's pattern alone leaves a use of the buffer behind."""
    source = memref.AllocOp.get(i8, shape=[1, 4, 8])
    outer = memref.SubviewOp.get(
        source.memref,
        [0, 0, 2],
        [1, 4, 1],
        [1, 1, 1],
        MemRefType(i8, [1, 4, 1], StridedLayoutAttr([32, 8, 1], 2)),
    )
    inner = memref.SubviewOp.get(
        outer.result,
        [0, 0, 0],
        [1, 4, 1],
        [1, 1, 1],
        MemRefType(i8, [4, 1], StridedLayoutAttr([8, 1], 2)),
    )
    Block([source, outer, inner])
    MemRefSubviewOfSubviewFolding().match_and_rewrite(inner, PatternRewriter(inner))
    return not source.memref.has_one_use()


CORRECTIONS: tuple[Correction, ...] = (
    Correction(
        (memref.SubviewOp,),
        memref.MemRefHasCanonicalizationPatternsTrait,
        _SubviewPatterns(),
        MemRefSubviewOfSubviewFolding.__name__,
        "A subview of a subview that stays as it is adds no use of the buffer. xDSL "
        "makes an op, and drops it without taking back its uses.",
        "Compare the types before the op is made.",
        _leaves_a_use,
    ),
)
