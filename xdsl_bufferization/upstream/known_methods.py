"""What xDSL's methods are that this package's changes were written for.

The digests are those of `guard.digest_of`, a method's of each release that was tested:
here one digest for xDSL 0.74.0 and 0.75.0, whose methods are the same. A test compares
this table with the changes, and with the installed xDSL; its failure prints the digest
of a new method, to be added once the change was read beside the method and tested.
"""

from collections.abc import Mapping
from typing import Final

KNOWN_METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    "Attribute.__post_init__": ("bbc46a453c98",),
    "BaseAccessor.__get__": ("3fb67a64ca35",),
    "BaseAttrAccessor.__get__": ("f058d616fd7f",),
    "DenseArrayBase.from_list": ("1d32dc09f720",),
    "DenseArrayBase.get_values": ("7d847a91128b",),
    "DenseIntOrFPElementsAttr.__len__": ("559c3621d405",),
    "DenseIntOrFPElementsAttr.from_list": ("6590f1f48b07",),
    "DenseIntOrFPElementsAttr.is_splat": ("9f19b8550a5c",),
    "DenseIntOrFPElementsAttr.print_without_type": ("3673fbe907e8",),
    "IRDLOperation.__init__": ("e04f2752c0c2",),
    "OpDef.verify": ("95357573abc8",),
    "Operation.__init__": ("9948fb493bda",),
    "Operation.get_trait": ("1f0c184a0871",),
    "Operation.get_traits_of_type": ("8fa2c1e81a9e",),
    "Operation.verify": ("c61497ef8399",),
    "Parser.__new__": ("absent",),
    "Printer.print_float": ("a4c938d6ead6",),
    "Printer.print_op": ("e71a3ce0af65",),
    "Region.verify": ("21b2b2c79ded",),
    "RegionBlocks.__len__": ("d241ed5d6f22",),
    "SymbolTable.lookup_symbol": ("31e6c7071ca7",),
    "xdsl.irdl.irdl_to_attr_constraint": ("935e8bddd551",),
}
"""Digests of methods, by the short names of their changes."""
