"""How ops find their canonicalization patterns, which are in a table for each dialect.

Patterns build ops, and the definitions of ops name the trait that has the patterns. So
the table is imported only when somebody canonicalizes.
"""

from functools import cache
from importlib import import_module

from typing_extensions import override
from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait


@cache
def _patterns_of(dialect: str, name: str) -> tuple[RewritePattern, ...]:
    module = import_module(f"xdsl_bufferization.dialects.{dialect}.canonicalization")
    own: tuple[RewritePattern, ...] = module.PATTERNS.get(name, ())
    return (*getattr(module, "FOR_ALL", ()), *own)


class Canonicalized(HasCanonicalizationPatternsTrait):
    """The patterns of an op are `PATTERNS[op.name]` in its dialect's table.

    Before these, an op has the patterns `FOR_ALL` of its dialect, if there are some.
    """

    @override
    def get_patterns(self, op: type[Operation]) -> tuple[RewritePattern, ...]:
        return _patterns_of(op.dialect_name(), op.name)

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return ()
