"""The names of `dense_resource` data in a process that reads several files.

xDSL 0.74 keeps the data in one table for the whole process, and renames a key that is
in it already. Each mention in a second file with that key then gets a name of its own,
and none of these is the name of the data. Here a file has one new name for each key.

    %0 = arith.constant dense_resource<weights> : tensor<2xf32>
    {-# dialect_resources: { builtin: { weights: "0x04000000..." } } #-}

Source: https://mlir.llvm.org/docs/LangRef/#external-resources
"""

from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.parser import AttrParser

_NAMES = "resource_names_by_key"
"""The attribute of a parser that holds what it renamed."""

_PARSE_HANDLE = "_parse_dialect_resource_handle"
"""The method of xDSL's parser that reads a key."""


def amend_resource_names() -> None:
    """Make xDSL's parser rename a key of a file once."""
    setattr(AttrParser, _PARSE_HANDLE, _parse_handle)


def _parse_handle(
    parser: AttrParser, dialect_name: str, interface: OpAsmDialectInterface
) -> str:
    key = parser.parse_identifier(" for resource handle")
    return declare_resource(parser, dialect_name, key, interface)


def declare_resource(
    parser: AttrParser, dialect_name: str, key: str, interface: OpAsmDialectInterface
) -> str:
    """The name under which the data of resource `key` of a file are found."""
    names: dict[tuple[str, str], str] = vars(parser).setdefault(_NAMES, {})
    name = names.get((dialect_name, key))
    if name is None:
        name = interface.declare_resource(key)
        names[dialect_name, key] = name
        parser.dialect_resources.add((dialect_name, name))
    return name
