"""Types and attributes are read once: afterwards, their text says what they are.

    %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
    %1 = tensor.insert %x into %0[%i] : tensor<4xf32>      // looked up by its text

A program has few different types, and names them again and again. What a text means may
depend on what stands elsewhere only if the text has an alias. So texts with `!` or `#`
are read each time, and so are texts of which the end is not known before they are read.
"""

import re
from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar

from typing_extensions import override
from xdsl.context import Context
from xdsl.ir import Attribute, TypeAttribute
from xdsl.utils.lexer import Position
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xdsl_bufferization.support.nesting import MOST_LEVELS

from .builtin import BuiltinParser
from .tokens import BETWEEN

_SPECIAL = r'<>\[\](){}"!#/\\-'

# A run of other characters ends at a special one, so that it matches in one way alone.
_INSIDE = rf'(?:[^{_SPECIAL}]+(?=[{_SPECIAL}])|->|-(?!>)|"[\w .]*")'
_ROUND = r"[\[\](){}]"
_ANGLES = rf"<(?:{_INSIDE}|{_ROUND}|<(?:{_INSIDE}|{_ROUND})*>)*>"
_SQUARES = rf"\[(?:{_INSIDE}|[(){{}}]|{_ANGLES})*\]"
_SHAPED = rf"(?:tensor|memref|vector){_ANGLES}"
_NUMBER = r"-?[0-9]+(?:\.[0-9]*(?:[eE][+-]?[0-9]+)?)?"
_OF_NUMBERS = r"(?:index|[iuf][0-9]+|[su]i[0-9]+|bf16)(?![\w$.])"

# The texts that can be told to end before they are read.
_TYPE: Final = re.compile(rf"(?:tensor|memref|vector|complex|tuple){_ANGLES}")
_ATTRIBUTE: Final = re.compile(
    rf"{_SHAPED}|(?:affine_map|affine_set|array|strided){_ANGLES}"
    rf"|{_NUMBER} : {_OF_NUMBERS}|dense<[\w.+-]+> : {_SHAPED}"
    rf"|\[(?:{_INSIDE}|[(){{}}]|{_ANGLES}|{_SQUARES})*\]"
)
_BETWEEN: Final = re.compile(BETWEEN)

_LONGEST: Final = 400
"""Longer texts are read each time."""

_MOST: Final = 1 << 14
"""So many texts are remembered."""

_TYPES: Final = frozenset({"complex", "memref", "tensor", "tuple", "vector"})
"""The words in front of what stands in brackets."""

_ATTRIBUTES: Final = frozenset(
    {"affine_map", "affine_set", "array", "dense", "memref", "strided", "tensor",
     "vector"}
)  # fmt: skip
_KINDS_OF_ATTRIBUTES: Final = (
    MLIRTokenKind.INTEGER_LIT,
    MLIRTokenKind.L_SQUARE,
    MLIRTokenKind.FLOAT_LIT,
    MLIRTokenKind.MINUS,
)
_BARE_IDENT = MLIRTokenKind.BARE_IDENT

_Kind = TypeVar("_Kind", bound=Attribute)


class _Read(NamedTuple, Generic[_Kind]):
    """What a text has been read as."""

    attribute: _Kind
    levels: int
    """How many levels it has."""

    size: int
    """How many attributes it has inside, with itself."""


class RememberingParser(BuiltinParser):
    """A parser that reads a type or an attribute once, if it can."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self.deepest: int = 0
        """The deepest level that was read."""
        self._level: int = 0
        self._size: int = 0
        self._most_levels = MOST_LEVELS
        self._types: dict[str, _Read[TypeAttribute]] = {}
        self._attributes: dict[str, _Read[Attribute]] = {}

    def share_with(self, parser: "RememberingParser") -> None:
        """Know what another parser with the same context has read, and the reverse."""
        self._types = parser.types_read
        self._attributes = parser.attributes_read

    @property
    def types_read(self) -> "dict[str, _Read[TypeAttribute]]":
        """The types that were read, by their texts."""
        return self._types

    @property
    def attributes_read(self) -> "dict[str, _Read[Attribute]]":
        """The attributes that were read, by their texts."""
        return self._attributes

    def read_type(self) -> TypeAttribute | None:
        """Read a type that is not known."""
        return super().parse_optional_type()

    def read_attribute(self) -> Attribute | None:
        """Read an attribute that is not known."""
        return super().parse_optional_attribute()

    @override
    def parse_optional_type(self) -> TypeAttribute | None:
        token = self.reading.current_token
        if token.kind is not _BARE_IDENT:
            return self.read_type()
        text, end = token.text, token.end
        if text in _TYPES:
            content, start = token.input.content, token.start
            found = _TYPE.match(content, start, start + _LONGEST)
            if found is None:
                return self.read_type()
            text, end = found[0], found.end()
        known = self._types.get(text)
        if known is not None and self._is_shallow(known.levels):
            self._skip(known, end)
            return known.attribute
        return self._read(self._types, text, end, self.read_type)

    @override
    def parse_optional_attribute(self) -> Attribute | None:
        token = self.reading.current_token
        is_known = token.text in _ATTRIBUTES or token.kind in _KINDS_OF_ATTRIBUTES
        if not is_known:
            return self.read_attribute()
        start = token.start
        found = _ATTRIBUTE.match(token.input.content, start, start + _LONGEST)
        if found is None:
            return self.read_attribute()
        text = found[0]
        known = self._attributes.get(text)
        if known is not None and self._is_shallow(known.levels):
            self._skip(known, found.end())
            return known.attribute
        return self._read(self._attributes, text, found.end(), self.read_attribute)

    def _is_shallow(self, levels: int) -> bool:
        return self._level + levels <= self._most_levels

    def _skip(self, known: _Read[Any], end: Position) -> None:
        """Be behind a text that has been read already."""
        self._size += known.size
        self.deepest = max(self.deepest, self._level + known.levels)
        state = self.reading
        state.lexer.pos = end
        state.current_token = state.lexer.lex()

    def _read(
        self,
        known: dict[str, _Read[_Kind]],
        text: str,
        end: Position,
        read: Callable[[], _Kind | None],
    ) -> _Kind | None:
        """Read an attribute; remember it if all of `text` is what was read."""
        deepest, self.deepest = self.deepest, self._level
        size = self._size
        try:
            attribute = read()
            levels = self.deepest - self._level
        finally:
            self.deepest = max(deepest, self.deepest)
        between = _BETWEEN.match(self.lexer.input.content, end)
        if attribute is not None and between and between.end() == self.pos:
            if len(known) >= _MOST:
                known.clear()
            known[text] = _Read(attribute, levels, self._size - size)
        return attribute
