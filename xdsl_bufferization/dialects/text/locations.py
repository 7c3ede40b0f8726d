"""Locations as MLIR writes them: by aliases that are defined at the end of the file.

    mlir-opt -mlir-print-debuginfo

prints four things that xDSL 0.74 cannot read:

- names of locations whose definition comes later;
- ranges of lines and columns;
- what locations were fused by;
- locations of region arguments that an op shows in its format.

`LocationParser` reads all of them. Of a range the start is kept, as xDSL has no
attribute for a range.

    %0 = arith.constant 1 : i32 loc(#loc2)
    affine.for %i loc("a.mlir":3:14) = 0 to 8 { ... }
    ...
    #loc1 = loc("a.mlir":7:3 to :9)
    #loc2 = loc(fused<"pass">[#loc1, "b.mlir":2:1])

Source: https://mlir.llvm.org/docs/Dialects/Builtin/#location-attributes
"""

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from typing_extensions import override
from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.hints import isa
from xdsl.utils.mlir_lexer import MLIRTokenKind

from .quick import QuickParser

_NAME = re.compile(r"#[\w$.-]+")
_DEFINITION = re.compile(rf"^({_NAME.pattern})\s*=\s*(?=loc\s*\()", re.MULTILINE)


class _Aliases(NamedTuple):
    """The aliases of locations that a text defines, wherever that is."""

    definitions: dict[str, int]
    """Where the location of each begins; those that are being read are taken out."""

    locations: dict[str, LocationAttr]
    """Those that are read already."""


@dataclass
class _LocatedArgument(Parser.UnresolvedArgument):
    """The name of an argument without its type, and where it comes from."""

    location: LocationAttr

    @override
    def resolve(self, type: Attribute) -> Parser.Argument:
        return Parser.Argument(self.name, type, self.location)


def file_location(location: Attribute) -> FileLineColLoc | None:
    """The place in a file that a location leads to, if any.

    A named one has it inside, a call at its callee, and of fused ones the first counts.
    """
    waiting = [location]
    while waiting:
        location = waiting.pop()
        if isinstance(location, FileLineColLoc):
            return location
        if isinstance(location, NameLoc):
            waiting.append(location.location)
        elif isinstance(location, CallSiteLoc):
            waiting.extend((location.caller, location.callee))
        elif isinstance(location, FusedLoc) and isa(
            location.locations, ArrayAttr[Attribute]
        ):
            waiting.extend(reversed(location.locations.data))
    return None


class LocationParser(QuickParser):
    """A parser that reads the locations of MLIR."""

    @override
    def parse_optional_argument(  # pyright: ignore[reportIncompatibleMethodOverride], it is overloaded
        self, expect_type: bool = True
    ) -> Parser.UnresolvedArgument | Parser.Argument | None:
        argument = super().parse_optional_argument(expect_type)
        location = None if argument is None else self.parse_optional_location()
        if argument is None or location is None:
            return argument
        if isinstance(argument, Parser.Argument):
            return replace(argument, location=location)
        return _LocatedArgument(argument.name, location)

    @override
    def parse_optional_location(self) -> LocationAttr | None:
        if self.reading.current_token.text != "loc":
            return None
        self.take_token()
        with self.in_parens():
            return self.read_location()

    def read_location(self) -> LocationAttr:
        """What stands in the parentheses of `loc(...)`."""
        if self.reading.current_token.kind is MLIRTokenKind.HASH_IDENT:
            return self._read_alias_of_location()
        if (text := self.parse_optional_str_literal()) is not None:
            return self._read_named_location(text)
        match self.parse_optional_identifier():
            case "unknown":
                return UnknownLoc()
            case "callsite":
                return self._read_call()
            case "fused":
                return self._read_fused_location()
            case word:
                message = "Unexpected location syntax."
                if word is not None:
                    message = "Unsupported location type."
                raise ParseError(self.reading.current_token.span, message)

    def _read_named_location(self, text: str) -> LocationAttr:
        """A place in a file, or a name for another location."""
        if self.parse_optional_punctuation(":") is not None:
            return self._read_place(text)
        inside: LocationAttr | NoneAttr = NoneAttr()
        if self.reading.current_token.kind is MLIRTokenKind.L_PAREN:
            with self.in_parens():
                inside = self.read_location()
        return NameLoc(StringAttr(text), inside)

    def _read_place(self, file: str) -> FileLineColLoc:
        line = self._read_coordinate()
        self.parse_punctuation(":")
        column = self._read_coordinate()
        if self.parse_optional_keyword("to") is not None:
            self._skip_end_of_range()
        return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))

    def _read_coordinate(self) -> int:
        return self.parse_integer(allow_boolean=False, allow_negative=False)

    def _skip_end_of_range(self) -> None:
        """Read where a range ends: `8:9`, or `:9` in the same line."""
        if self.parse_optional_punctuation(":") is None:
            self._read_coordinate()
            self.parse_punctuation(":")
        self._read_coordinate()

    def _read_call(self) -> CallSiteLoc:
        with self.in_parens():
            callee = self.read_location()
            self.parse_keyword("at")
            return CallSiteLoc(callee, self.read_location())

    def _read_fused_location(self) -> FusedLoc:
        metadata: Attribute = NoneAttr()
        if self.parse_optional_punctuation("<") is not None:
            metadata = self.parse_attribute()
            self.parse_punctuation(">")
        locations = self.parse_comma_separated_list(
            self.Delimiter.SQUARE, self.read_location
        )
        return FusedLoc(tuple(locations), metadata)

    def _read_alias_of_location(self) -> LocationAttr:
        token = self.reading.current_token
        name, text = token.text, self.lexer.input.content
        if name in self.attribute_aliases:
            return self._read_attribute_as_location()
        if (aliases := self._location_aliases) is None:
            ends = {each[1]: each.end() for each in _DEFINITION.finditer(text)}
            aliases = self._location_aliases = _Aliases(ends, {})
        location = aliases.locations.get(name)
        if location is None:
            at = aliases.definitions.pop(name, None)
            if at is None:
                return self._read_attribute_as_location()
            self.go_to(at)
            location = self.expect(self.parse_optional_location, "location expected")
            aliases.locations[name] = location
        self.go_to(token.end)
        return location

    def _read_attribute_as_location(self) -> LocationAttr:
        """An alias that was read already, or an error."""
        attribute = self.parse_attribute()
        if not isinstance(attribute, LocationAttr):
            self.raise_error("Expected location alias.")
        return attribute

    _location_aliases: _Aliases | None = None
