"""Locations as MLIR writes them: by aliases that are defined at the end of the file.

    mlir-opt -mlir-print-debuginfo

prints what xDSL 0.74 cannot read: names of locations whose definition comes later,
ranges of lines and columns, what locations were fused by, and where the arguments of
regions come from that an op shows in its format. Here all are read. Of a range the
start is kept, as xDSL has no attribute for a range.

    %0 = arith.constant 1 : i32 loc(#loc2)
    affine.for %i loc("a.mlir":3:14) = 0 to 8 { ... }
    ...
    #loc1 = loc("a.mlir":7:3 to :9)
    #loc2 = loc(fused<"pass">[#loc1, "b.mlir":2:1])

Source: https://mlir.llvm.org/docs/Dialects/Builtin/#location-attributes
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from typing_extensions import override
from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    LocationAttr,
    NameLoc,
    NoneAttr,
)
from xdsl.ir import Attribute
from xdsl.parser import AttrParser, GenericParser, Parser
from xdsl.utils.hints import isa

_PARSE_LOCATION = "_parse_location"
"""The method of xDSL's parser that reads what is in `loc(...)`."""

_ALIASES = "location_aliases"
"""The attribute of a parser that holds the aliases of its text."""

_NAME = re.compile(r"#[\w$.-]+")
_DEFINITION = re.compile(rf"^({_NAME.pattern})\s*=\s*(?=loc\s*\()", re.MULTILINE)

_parse_in_xdsl = vars(AttrParser)[_PARSE_LOCATION]
_parse_argument_in_xdsl = Parser.parse_optional_argument
_resume = vars(GenericParser)["_resume_from"]


class _Aliases(NamedTuple):
    """The aliases of locations that a text defines, wherever that is."""

    definitions: dict[str, int]
    """Where the location of each begins; those that are being read are taken out."""

    locations: dict[str, LocationAttr]
    """Those that are read already."""


@cache
def amend_locations() -> None:
    """Make xDSL read the locations that MLIR writes; once in a process."""
    setattr(AttrParser, _PARSE_LOCATION, _parse)
    setattr(Parser, Parser.parse_optional_argument.__name__, _parse_argument)


@dataclass
class _LocatedArgument(Parser.UnresolvedArgument):
    """The name of an argument without its type, and where it comes from."""

    location: LocationAttr

    @override
    def resolve(self, type: Attribute) -> Parser.Argument:
        return Parser.Argument(self.name, type, self.location)


def _parse_argument(
    self: Parser, expect_type: bool = True
) -> Parser.UnresolvedArgument | Parser.Argument | None:
    argument = _parse_argument_in_xdsl(self, expect_type)
    location = None if argument is None else self.parse_optional_location()
    if argument is None or location is None:
        return argument
    if isinstance(argument, Parser.Argument):
        return replace(argument, location=location)
    return _LocatedArgument(argument.name, location)


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


def _parse(self: AttrParser) -> LocationAttr:
    text = self.lexer.input.content
    if text.startswith("#", self.pos):
        return _parse_alias(self)
    if self.parse_optional_keyword("fused") is not None:
        return _parse_fused(self)
    location = _parse_in_xdsl(self)
    if isinstance(location, FileLineColLoc) and self.parse_optional_keyword("to"):
        _skip_end(self)
    return location


def _parse_alias(parser: AttrParser) -> LocationAttr:
    start = parser.pos
    text = parser.lexer.input.content
    found = _NAME.match(text, start)
    name = "" if found is None else found[0]
    if name in parser.attribute_aliases:
        return _parse_in_xdsl(parser)
    aliases: _Aliases | None = vars(parser).get(_ALIASES)
    if aliases is None:
        ends = {each[1]: each.end() for each in _DEFINITION.finditer(text)}
        aliases = vars(parser)[_ALIASES] = _Aliases(ends, {})
    location = aliases.locations.get(name)
    if location is None:
        at = aliases.definitions.pop(name, None)
        if at is None:
            # xDSL has an error for it.
            return _parse_in_xdsl(parser)
        _resume(parser, at)
        location = parser.expect(parser.parse_optional_location, "location expected")
        aliases.locations[name] = location
    _resume(parser, start + len(name))
    return location


def _parse_fused(parser: AttrParser) -> FusedLoc:
    metadata: Attribute = NoneAttr()
    if parser.parse_optional_punctuation("<") is not None:
        metadata = parser.parse_attribute()
        parser.parse_punctuation(">")
    locations = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: _parse(parser)
    )
    return FusedLoc(tuple(locations), metadata)


def _skip_end(parser: AttrParser) -> None:
    """Read the end of a range of lines and columns: `8:9`, or `:9` in the same line."""
    if parser.parse_optional_punctuation(":") is None:
        parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(":")
    parser.parse_integer(allow_boolean=False, allow_negative=False)
