"""What is changed for `dlti`: an entry may be spelled in two ways.

    #dlti.dl_spec<index = 32 : i64>
    #dlti.dl_spec<#dlti.dl_entry<index, 32 : i64>>

MLIR reads both.
"""

from typing import Any

from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.dlti import DataLayoutEntryAttr, DLTIEntryMap
from xdsl.parser import AttrParser

from xdsl_bufferization.upstream.change import Change


def _parse_entries_as_well(in_xdsl: Any) -> Any:
    def parse_parameters(
        cls: type[DLTIEntryMap], parser: AttrParser
    ) -> tuple[ArrayAttr[DataLayoutEntryAttr]]:
        def parse_entry() -> DataLayoutEntryAttr:
            key = parser.parse_attribute()
            if isinstance(key, DataLayoutEntryAttr):
                return key
            parser.parse_punctuation("=")
            return DataLayoutEntryAttr.new((key, parser.parse_attribute()))

        entries = parser.parse_comma_separated_list(parser.Delimiter.ANGLE, parse_entry)
        return (ArrayAttr(entries),)

    return classmethod(parse_parameters)


CHANGES: tuple[Change, ...] = (
    Change(
        DLTIEntryMap,
        "parse_parameters",
        _parse_entries_as_well,
        "An entry of `dlti` may be `#dlti.dl_entry<key, value>`, as in MLIR.",
        "Read both spellings of an entry.",
    ),
)
