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
from typing import Any, Final, NoReturn, TypeVar, cast

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineExpr, AffineMap, AffineSet
from xdsl.parser import AttrParser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind

from xdsl_bufferization.mlir_text.affine import StrictAffineParser
from xdsl_bufferization.mlir_text.remembered import RememberingParser
from xdsl_bufferization.nesting import (
    MOST_LEVELS,
    SHALLOW_LEVELS,
    NeedsRoomError,
    has_room,
)

_T = TypeVar("_T")

# The type of what a method returns that is overridden below.
_Element = AttrParser._TensorLiteralElement  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


MOST_IN_ALIAS: Final = 1 << 20
"""How many attributes and types an alias may stand for, with all that is in them."""


class LeveledParser(RememberingParser):
    """A parser that counts how deep it is in the text."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self._alias_levels: dict[str, int] = {}
        self._alias_sizes: dict[str, int] = {}
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
    def _parse_alias_def(self) -> None:
        name, deepest, self.deepest = self._current_token.text, self.deepest, 0
        size = self._size
        super()._parse_alias_def()
        # These levels of the definition are not there where the alias is used.
        around = 2 if name.startswith("!") else 1
        self._alias_levels[name] = self.deepest - around
        self._alias_sizes[name] = self._size - size
        self.deepest = max(deepest, self.deepest)

    @override
    def _parse_extended_type_or_attribute(  # pyright: ignore[reportIncompatibleMethodOverride], it is overloaded
        self, attr_or_dialect_name: str, is_type: bool
    ) -> Attribute:
        alias = ("!" if is_type else "#") + attr_or_dialect_name
        self.reach(self._alias_levels.get(alias, 0))
        size = self._alias_sizes.get(alias, 0)
        self._size += size
        if size > MOST_IN_ALIAS:
            self.raise_error(f"{alias} stands for more than {MOST_IN_ALIAS} attributes")
        parse: Any = super()._parse_extended_type_or_attribute
        return cast(Attribute, parse(attr_or_dialect_name, is_type))

    @override
    def _parse_location(self) -> LocationAttr:
        return self.deeper(super()._parse_location)

    @override
    def _parse_tensor_literal(self) -> tuple[list[_Element], list[int]]:
        return self.deeper(super()._parse_tensor_literal)

    @override
    def parse_affine_map(self) -> AffineMap:
        return _LeveledAffineParser(self._parser_state, self).parse_affine_map()

    @override
    def parse_affine_set(self) -> AffineSet:
        return _LeveledAffineParser(self._parser_state, self).parse_affine_set()


class _LeveledAffineParser(StrictAffineParser):
    """A parser of expressions; each operator may be a level of the expression."""

    def __init__(
        self, state: ParserState[MLIRTokenKind], around: LeveledParser
    ) -> None:
        super().__init__(state)
        self._around = around
        self._operators = 0

    @override
    def _parse_affine_expr(
        self, parse_optional_bare_id: Callable[[], AffineExpr | None]
    ) -> AffineExpr:
        # What is in parentheses counts where it is read.
        before, self._operators = self._operators, 0
        expression = super()._parse_affine_expr(parse_optional_bare_id)
        self._operators += before
        return expression

    @override
    def _parse_primary(
        self, parse_optional_bare_id: Callable[[], AffineExpr | None]
    ) -> AffineExpr:
        return self._around.deeper(
            lambda: super(_LeveledAffineParser, self)._parse_primary(
                parse_optional_bare_id
            )
        )

    @override
    def _create_binop_expr(
        self, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken
    ) -> AffineExpr:
        self._operators += 1
        self._around.reach(self._operators)
        return super()._create_binop_expr(lhs, rhs, binop)
