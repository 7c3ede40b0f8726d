"""How ops of the memref dialect find their canonicalization patterns.

The patterns build ops, and the definitions of ops name this trait; so the patterns,
in `canonicalize/`, are imported only when somebody canonicalizes.
"""

from functools import cache
from importlib import import_module

from typing_extensions import override
from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait


@cache
def _patterns() -> dict[str, tuple[RewritePattern, ...]]:
    return import_module("xdsl_bufferization.dialects.memref.canonicalize").PATTERNS


class Canonicalized(HasCanonicalizationPatternsTrait):
    """The op has patterns in `canonicalize.PATTERNS`."""

    @override
    def get_patterns(self, op: type[Operation]) -> tuple[RewritePattern, ...]:
        return _patterns().get(op.name, ())

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return ()
