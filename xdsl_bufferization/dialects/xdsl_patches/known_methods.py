"""What xDSL's methods are that this package's changes were written for.

The digests are those of `guard.digest_of`, a method's of each release that was tested:
here one digest for xDSL 0.74.0 and 0.75.0, whose methods are the same. A test compares
this table with the changes, and with the installed xDSL. Its failure prints the digest
of a new method. Add the digest once the change was read beside the method, and tested.
"""

from collections.abc import Mapping
from typing import Final

KNOWN_METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    "DenseIntOrFPElementsAttr.__len__": ("559c3621d405",),
    "Operation.get_trait": ("1f0c184a0871",),
    "Operation.get_traits_of_type": ("8fa2c1e81a9e",),
    "Operation.verify": ("c61497ef8399",),
    "Parser.__new__": ("absent",),
    "Printer.__new__": ("absent",),
    "Printer.print_op": ("e71a3ce0af65",),
}
"""Digests of methods, by the short names of their changes."""
