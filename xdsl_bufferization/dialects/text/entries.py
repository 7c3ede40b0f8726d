"""Entries of `dlti`, which MLIR reads in two spellings.

    #dlti.dl_spec<index = 32 : i64>
    #dlti.dl_spec<#dlti.dl_entry<index, 32 : i64>>

xDSL 0.74 reads the first.
"""

from collections.abc import Sequence
from functools import cache

from typing_extensions import override
from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.dlti import DataLayoutEntryAttr, DLTIEntryMap
from xdsl.ir import Attribute
from xdsl.parser import AttrParser


@cache
def reader_of(attribute_type: type[Attribute]) -> type[Attribute]:
    """A class for parsers: it reads both spellings, and makes xDSL's attribute."""
    if not issubclass(attribute_type, DLTIEntryMap):
        return attribute_type

    class Reader(DLTIEntryMap):
        @classmethod
        @override
        def parse_parameters(
            cls, parser: AttrParser
        ) -> tuple[ArrayAttr[DataLayoutEntryAttr]]:
            return (_parse_entries(parser),)

        @classmethod
        @override
        def new(cls, params: Sequence[Attribute]) -> DLTIEntryMap:
            return attribute_type.new(params)

    return Reader


def _parse_entries(parser: AttrParser) -> ArrayAttr[DataLayoutEntryAttr]:
    def parse_entry() -> DataLayoutEntryAttr:
        key = parser.parse_attribute()
        if isinstance(key, DataLayoutEntryAttr):
            return key
        parser.parse_punctuation("=")
        return DataLayoutEntryAttr.new((key, parser.parse_attribute()))

    entries = parser.parse_comma_separated_list(parser.Delimiter.ANGLE, parse_entry)
    return ArrayAttr(entries)
