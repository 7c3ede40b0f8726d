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
def _table_of(dialect: str) -> dict[str, tuple[RewritePattern, ...]]:
    module = f"xdsl_bufferization.dialects.{dialect}.canonicalization"
    return import_module(module).PATTERNS


class Canonicalized(HasCanonicalizationPatternsTrait):
    """The patterns of an op are `PATTERNS[op.name]` in its dialect's table."""

    @override
    def get_patterns(self, op: type[Operation]) -> tuple[RewritePattern, ...]:
        return _table_of(op.dialect_name()).get(op.name, ())

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return ()
