"""With which ops a walker over patterns begins.

xDSL's walker begins with all ops of a region, in an order that it computes anew.
"""

# pyright: reportPrivateUsage=false

from collections.abc import Iterable

from typing_extensions import override
from xdsl.ir import Block, Operation, Region
from xdsl.pattern_rewriter import PatternRewriterListener, PatternRewriteWalker
from xdsl.utils.worklist import Worklist

from .private_name import PrivateName

POPULATE_WORKLIST = PrivateName(
    "xdsl.pattern_rewriter",
    "PatternRewriteWalker",
    "_populate_worklist",
    reason="A walker that knows which ops its patterns are about can begin with those.",
    without="The walker begins with all ops: the same rewrites take longer.",
    wish="A field of `PatternRewriteWalker` for the ops to begin with.",
)
PROCESS_WORKLIST = PrivateName(
    "xdsl.pattern_rewriter",
    "PatternRewriteWalker",
    "_process_worklist",
    reason="A walker that knows what may become of an op passes over most ops.",
    without="xDSL's loop visits all ops: the same rewrites take longer.",
    wish="A method of `PatternRewriteWalker` that says whether to visit an op.",
)
WORKLIST = PrivateName(
    "xdsl.pattern_rewriter",
    "PatternRewriteWalker",
    "_worklist",
    reason="The ops to begin with, and those that are still to be visited.",
    without=PROCESS_WORKLIST.without,
    wish=POPULATE_WORKLIST.wish,
)
_HAS_WORKLIST = WORKLIST.is_there()


class WalkerFromOps(PatternRewriteWalker):
    """xDSL's walker, which begins with the ops that it is told."""

    def first_ops(self, region: Region) -> Iterable[Operation]:
        """The ops of a region to begin with; the last one is visited first."""
        raise NotImplementedError

    def visit(self, worklist: Worklist, listener: PatternRewriterListener) -> bool:
        """Visit the ops of `worklist` until none is left; say whether any changed."""
        return super()._process_worklist(listener)

    @override
    def _populate_worklist(self, op: Operation | Region | Block) -> None:
        if not isinstance(op, Region) or not _HAS_WORKLIST:
            super()._populate_worklist(op)
            return
        for each in self.first_ops(op):
            self._worklist.push(each)

    @override
    def _process_worklist(self, listener: PatternRewriterListener) -> bool:
        if not _HAS_WORKLIST:
            return super()._process_worklist(listener)
        return self.visit(self._worklist, listener)
