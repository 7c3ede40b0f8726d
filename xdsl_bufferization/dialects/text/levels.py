"""How deep a text is nested, counted as it is read.

    module { module { module { ... } } }
    tuple<tuple<tuple<...>>>, [[[...]]], ((d0)), callsite(... at callsite(...))

xDSL's parser calls itself for each level, until Python stops it with an error of its
own. Here a text that is nested too deeply for the caller's stack is read elsewhere. A
text that is nested too deeply for anybody is refused where that level begins.

An alias stands for all that it was defined with. `#b = [#a, #a]`, `#c = [#b, #b]` and
so on make large attributes of short texts. Such aliases are refused as well.
"""

from collections.abc import Callable
from typing import Final, NoReturn, TypeVar

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineExpr

from xdsl_bufferization.support.nesting import (
    MOST_LEVELS,
    SHALLOW_LEVELS,
    NeedsRoomError,
    has_room,
)

from .affine import AffineMapParser, StrictExpressionReader
from .literals import DenseLiteralParser, Literal
from .locations import LocationParser
from .modules import ModuleParser
from .remembered import RememberingParser
from .tokens import LightToken

_T = TypeVar("_T")

MOST_IN_ALIAS: Final = 1 << 20
"""How many attributes and types an alias may stand for, with all that is in them."""


class LeveledParser(  # pyright: ignore[reportIncompatibleMethodOverride], see LocationParser
    AffineMapParser, DenseLiteralParser, LocationParser, ModuleParser, RememberingParser
):
    """A parser that counts how deep it is in the text."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self.alias_levels: dict[str, int] = {}
        """How many levels each alias stands for."""
        self.alias_sizes: dict[str, int] = {}
        """How many attributes and types each alias stands for."""
        self._most_levels = MOST_LEVELS if has_room() else SHALLOW_LEVELS

    def deeper(self, parse: Callable[[], _T]) -> _T:
        """What `parse` reads, one level deeper than what is read now."""
        self._level += 1
        self._size += 1
        try:
            self.reach(0)
            return parse()
        finally:
            self._level -= 1

    def reach(self, levels: int) -> None:
        """Note that something begins here with so many levels more inside.

        Raises an error at levels that are too deep.
        """
        level = self._level + levels
        if level > self._most_levels:
            self._refuse_level()
        self.deepest = max(self.deepest, level)

    def _refuse_level(self) -> NoReturn:
        if has_room():
            self.raise_error(f"this is nested more than {MOST_LEVELS} levels deep")
        raise NeedsRoomError(self.lexer.input.content)

    @override
    def read_alias(self) -> None:
        name, deepest, self.deepest = self.reading.current_token.text, self.deepest, 0
        size = self._size
        super().read_alias()
        # These levels of the definition are not there where the alias is used.
        around = 2 if name.startswith("!") else 1
        self.alias_levels[name] = self.deepest - around
        self.alias_sizes[name] = self._size - size
        self.deepest = max(deepest, self.deepest)

    @override
    def take_aliases(self, parser: ModuleParser) -> None:
        super().take_aliases(parser)
        if isinstance(parser, LeveledParser):
            self.alias_levels.update(parser.alias_levels)
            self.alias_sizes.update(parser.alias_sizes)

    @override
    def read_symbol(self, name: str, *, is_type: bool) -> Attribute:
        alias = ("!" if is_type else "#") + name
        self.reach(self.alias_levels.get(alias, 0))
        size = self.alias_sizes.get(alias, 0)
        self._size += size
        if size > MOST_IN_ALIAS:
            self.raise_error(f"{alias} stands for more than {MOST_IN_ALIAS} attributes")
        return super().read_symbol(name, is_type=is_type)

    @override
    def read_location(self) -> LocationAttr:
        return self.deeper(super().read_location)

    @override
    def read_literal(self) -> Literal:
        return self.deeper(super().read_literal)

    @override
    def expression_reader(
        self, read_name: Callable[[], AffineExpr | None]
    ) -> "_LeveledExpressionReader":
        return _LeveledExpressionReader(self, read_name)


class _LeveledExpressionReader(StrictExpressionReader):
    """A reader of expressions; each operator may be a level of the expression."""

    def __init__(
        self, parser: LeveledParser, read_name: Callable[[], AffineExpr | None]
    ) -> None:
        super().__init__(parser, read_name)
        self._around = parser
        self._operators = 0

    @override
    def read(self) -> AffineExpr:
        # What is in parentheses counts where it is read.
        before, self._operators = self._operators, 0
        expression = super().read()
        self._operators += before
        return expression

    @override
    def read_operand(self) -> AffineExpr:
        return self._around.deeper(super().read_operand)

    @override
    def combine(
        self, lhs: AffineExpr, rhs: AffineExpr, operator: LightToken
    ) -> AffineExpr:
        self._operators += 1
        self._around.reach(self._operators)
        return super().combine(lhs, rhs, operator)
