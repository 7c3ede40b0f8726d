"""A whole file: ops, definitions of aliases, and what follows the ops.

    #map = affine_map<(d0) -> (d0)>
    func.func @f() { ... }
    {-# dialect_resources: {...} #-}

What is read, and each error with its place, are as in xDSL.

Source: https://mlir.llvm.org/docs/LangRef/#top-level-productions
"""

from collections.abc import Iterator

from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.mlir_lexer import MLIRTokenKind

from .builtin import BuiltinParser

_ALIASES = (MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT)


class ModuleParser(BuiltinParser):
    """A parser of whole files."""

    @override
    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        if not allow_implicit_module:
            return super().parse_module(allow_implicit_module)
        ops = [*self._read_top_level()]
        if not ops:
            self.raise_error("Could not parse entire input!")
        first = ops[0]
        if len(ops) > 1 or not isinstance(first, ModuleOp):
            first = ModuleOp(ops)
        if self.forward_ssa_references:
            names = ", ".join(f"%{name}" for name in self.forward_ssa_references)
            self.raise_error(f"values used but not defined: [{names}]")
        return first

    def _read_top_level(self) -> Iterator[Operation]:
        while (kind := self.reading.current_token.kind) is not MLIRTokenKind.EOF:
            if kind in _ALIASES:
                self.read_alias()
            elif kind is MLIRTokenKind.FILE_METADATA_BEGIN:
                self.read_metadata()
            elif (op := self.parse_optional_operation()) is not None:
                yield op
            else:
                self.raise_error("Could not parse entire input!")

    def read_alias(self) -> None:
        """The definition of an alias, such as `!t = i32`."""
        name = self.take_token().text
        if name in self.attribute_aliases:
            self.raise_error(f"re-declaration of alias '{name}'")
        self.parse_punctuation("=", "after attribute alias name")
        self.attribute_aliases[name] = self.parse_attribute()

    def take_aliases(self, parser: "ModuleParser") -> None:
        """Know all aliases that another parser has read, of the text in front."""
        self.attribute_aliases.update(parser.attribute_aliases)

    def read_metadata(self) -> None:
        """What stands between `{-#` and `#-}`."""
        self.parse_comma_separated_list(
            self.Delimiter.METADATA_TOKEN, self._read_section
        )

    def _read_section(self) -> None:
        message = "Expected a resource type key"
        name = self.take(MLIRTokenKind.BARE_IDENT, message).text
        self.take(MLIRTokenKind.COLON, "expected `:`")
        if not self.read_section(name):
            self.raise_error(f"got an unexpected key in file metadata: {name}")

    def read_section(self, name: str) -> bool:
        """Read a section of a name behind its colon; say whether the name is known."""
        return False
