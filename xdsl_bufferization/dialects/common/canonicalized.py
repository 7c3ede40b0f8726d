"""How ops find canonicalization patterns that are in a table.

Patterns build ops, and the definitions of ops name the trait that has the patterns. So
the trait names a module, which is imported only when somebody canonicalizes.
"""

from functools import cache
from importlib import import_module
from typing import ClassVar

from typing_extensions import override
from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait


@cache
def _patterns_of(module: str) -> dict[str, tuple[RewritePattern, ...]]:
    return import_module(module).PATTERNS


class CanonicalizedByTable(HasCanonicalizationPatternsTrait):
    """The op has patterns in a table of this shape: `PATTERNS[op_name]`."""

    module: ClassVar[str]
    """The module that has the table."""

    @override
    def get_patterns(self, op: type[Operation]) -> tuple[RewritePattern, ...]:
        return _patterns_of(self.module).get(op.name, ())

    @override
    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return ()
