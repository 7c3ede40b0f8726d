"""The resources that a file has at its end, as MLIR writes them.

xDSL 0.74 keeps the data in one table for the whole process, and renames a key that is
in it already. Each mention in a second file with that key then gets a name of its own,
and none of these is the name of the data. Here a file has one new name for each key.
A new name may be a key of the same file, too: keys are told apart from names.

The data are kept as long as an attribute has their name. Then the table forgets them,
and the name is free for the next file.

    %0 = arith.constant dense_resource<weights> : tensor<2xf32>
    {-# dialect_resources: { builtin: { weights: "0x04000000..." } } #-}

Keys may be strings, what is no data is refused where it stands, and resources for
other tools than the compiler (`external_resources`) are left out.

Source: https://mlir.llvm.org/docs/LangRef/#external-resources, and
`AsmParsedResourceEntry` in `mlir/lib/AsmParser/Parser.cpp`
"""

import gc
import re
import weakref
from typing import Final

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import DenseResourceAttr, ShapedType
from xdsl.ir import Dialect
from xdsl.parser import AttrParser
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xdsl_bufferization.support.xdsl_releases.resource_data import forget_data

from .modules import ModuleParser

ALIGNMENT_BYTES: Final = 4
"""How long the alignment is that stands before the data."""

_NOT_IN_NAMES = re.compile(r"[^\w$.]|^(?![A-Za-z_])", re.ASCII)
"""What may not stand in a name without quotes; it begins with a letter or `_`."""

_COLLECTED_AFTER: Final = 1 << 28
"""So many characters of data are read before garbage is collected.

A program refers to itself, so that only the collector of garbage removes it. That waits
until there are many new objects, and large data are few.
"""


class ResourceName(str):
    """The name of data that are kept as long as it."""

    __slots__ = ("__weakref__",)


_in_use: Final = weakref.WeakValueDictionary[tuple[int, str], ResourceName]()
"""The names that data have, by table and text."""


def declare_resource(interface: OpAsmDialectInterface, key: str) -> str:
    """A name like `key` that no data have which are still in use."""
    wanted = _NOT_IN_NAMES.sub("_", key)
    if interface.lookup(wanted) is not None:
        gc.collect()  # Programs that nobody has any more may still be there.
    free = interface.declare_resource(wanted)
    name = ResourceName(free)
    place = id(interface), free
    _in_use[place] = name
    # Not `name` itself, which would then be kept.
    weakref.finalize(name, _forget, interface, place)
    return name


def _forget(interface: OpAsmDialectInterface, place: tuple[int, str]) -> None:
    """Forget data, unless the table was cleared and has new data of that name."""
    if place not in _in_use:
        forget_data(interface, place[1])


class _Read:
    """How much data were read since garbage was collected."""

    characters = 0

    def count(self, characters: int) -> None:
        """Collect garbage from time to time."""
        self.characters += characters
        if self.characters > _COLLECTED_AFTER:
            self.characters = 0
            gc.collect()


_read: Final = _Read()


class ResourceParser(ModuleParser):
    """A parser that reads keys and data as MLIR does."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self._resource_names: dict[tuple[str, str], str] = {}

    def parse_resource_key(
        self, dialect_name: str, interface: OpAsmDialectInterface
    ) -> str:
        """Read the key of a resource; return the name under which its data are."""
        key = _parse_key(self)
        name = self._resource_names.get((dialect_name, key))
        if name is None:
            name = declare_resource(interface, key)
            self._resource_names[dialect_name, key] = name
        return name

    @override
    def read_resource(self) -> DenseResourceAttr:
        self.take_token()
        self.parse_characters("<", " in dense_resource attribute")
        dialect = self.ctx.get_dialect("builtin")
        name = self.parse_resource_key(dialect.name, self._interface_of(dialect))
        self.parse_characters(">", " in dense_resource attribute")
        self.parse_characters(":", " in dense_resource attribute")
        type_ = self.parse_type()
        if not isinstance(type_, ShapedType):
            self.raise_error(f"dense resource should have a shaped type, got: {type_}")
        return DenseResourceAttr.from_params(name, type_)

    @override
    def read_section(self, name: str) -> bool:
        match name:
            case "dialect_resources":
                read = self._read_dialect
            case "external_resources":
                # What is for other tools, such as how to reproduce a crash.
                read = self._skip_tool
            case _:
                return super().read_section(name)
        self.parse_comma_separated_list(self.Delimiter.BRACES, read)
        return True

    def _read_dialect(self) -> None:
        name = self.take(MLIRTokenKind.BARE_IDENT, "Expected a dialect name").text
        self.take(MLIRTokenKind.COLON, "expected `:`")
        dialect = self.ctx.get_optional_dialect(name)
        if dialect is None:
            self.raise_error(f"dialect {name} is not registered")
        interface = self._interface_of(dialect)
        self.parse_comma_separated_list(
            self.Delimiter.BRACES, lambda: self._read_data(dialect.name, interface)
        )

    def _interface_of(self, dialect: Dialect) -> OpAsmDialectInterface:
        interface = dialect.get_interface(OpAsmDialectInterface)
        if interface is None:
            self.raise_error(
                f"dialect {dialect.name} doesn't have an OpAsmDialectInterface "
                "interface"
            )
        return interface

    def _read_data(self, dialect_name: str, interface: OpAsmDialectInterface) -> None:
        name = self.parse_resource_key(dialect_name, interface)
        self.parse_punctuation(":")
        start = self.pos
        data = self.parse_str_literal()
        if problem := _problem(data):
            self.raise_error(problem, start, self.pos)
        interface.parse_resource(name, data)
        _read.count(len(data))

    def _skip_tool(self) -> None:
        _parse_key(self)
        self.parse_punctuation(":")
        self.parse_comma_separated_list(self.Delimiter.BRACES, self._skip_entry)

    def _skip_entry(self) -> None:
        _parse_key(self)
        self.parse_punctuation(":")
        self.parse_attribute()


def parse_resource_key(
    parser: AttrParser, dialect_name: str, interface: OpAsmDialectInterface
) -> str:
    """Read the key of a resource; return the name under which its data are found."""
    if isinstance(parser, ResourceParser):
        return parser.parse_resource_key(dialect_name, interface)
    return declare_resource(interface, _parse_key(parser))


def _parse_key(parser: AttrParser) -> str:
    key = parser.parse_optional_str_literal()
    return (
        parser.parse_identifier(context_msg=" for resource handle")
        if key is None
        else key
    )


def _problem(text: str) -> str | None:
    try:
        data = bytes.fromhex(text.removeprefix("0x"))
    except ValueError:
        data = b""
    # Python takes spaces between the pairs, too.
    if not text.startswith("0x") or 2 * len(data) != len(text) - 2:
        return "expected the bytes of a resource: 0x and pairs of hexadecimal digits"
    alignment = int.from_bytes(data[:ALIGNMENT_BYTES], "little")
    if len(data) < ALIGNMENT_BYTES or alignment.bit_count() != 1:
        return (
            "expected a resource to begin with its alignment, a power of two in "
            f"{ALIGNMENT_BYTES} bytes"
        )
    return None
