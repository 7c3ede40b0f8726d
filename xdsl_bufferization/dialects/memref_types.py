"""Memref types, built, read and written as MLIR does.

xDSL 0.74 keeps apart what MLIR takes for one type: an identity affine map and no
layout, memory space 0 and no memory space. It writes the type of every integer,
accepts layouts that do not fit the shape, and loses the last `x` of a shape, also of a
tensor, if a space follows. The functions here correct that in xDSL's own classes, which
stay the ones to construct and to match.

    memref<4xf32, affine_map<(d0) -> (d0)>, 0>    // memref<4xf32>
    memref<4 x f32>                               // memref<4xf32>
    memref<4xf32, 1 : i64>                        // memref<4xf32, 1>
    memref<4x4xf32, strided<[1]>>                 // an error, at the type

Source: https://mlir.llvm.org/docs/Dialects/Builtin/#memreftype
"""

from collections.abc import Iterable
from functools import cache
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntAttr,
    IntegerAttr,
    MemRefLayoutAttr,
    MemRefType,
    NoneAttr,
    NoneType,
    StridedLayoutAttr,
    StringAttr,
    TensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
    UnregisteredAttr,
    i64,
)
from xdsl.ir import Attribute, BuiltinAttribute, TypeAttribute
from xdsl.parser import AttrParser, GenericParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

_NO_ELEMENTS = FunctionType | NoneType | TensorType | TupleType | UnrankedTensorType
"""Builtin types that no buffer holds."""

_MEMORY_SPACES = DictionaryAttr | IntegerAttr | NoneAttr | StringAttr | UnregisteredAttr
"""Builtin attributes that name a memory space; other dialects' attributes all may, also
where nobody defines the dialect."""

_ABSENT = NoneAttr()

_init = MemRefType.__init__
_from_type = UnrankedMemRefType.from_type
_parse_sizes_in_xdsl = AttrParser.parse_dimension_list
_resume = vars(GenericParser)["_resume_from"]


@cache
def amend_memref_types() -> None:
    """Correct xDSL's classes; once in a process."""
    MemRefType.__init__ = _init_without_defaults
    MemRefType.verify = _verify_ranked
    MemRefType.print_builtin = _print_ranked
    UnrankedMemRefType.from_type = staticmethod(_from_type_without_defaults)
    UnrankedMemRefType.verify = _verify_unranked
    UnrankedMemRefType.print_builtin = _print_unranked
    AttrParser.parse_dimension_list = _parse_sizes


def _init_without_defaults(
    self: MemRefType,
    element_type: Attribute,
    shape: ArrayAttr[IntAttr] | Iterable[int | IntAttr],
    layout: MemRefLayoutAttr | NoneAttr = _ABSENT,
    memory_space: Attribute = _ABSENT,
) -> None:
    if isinstance(layout, AffineMapAttr) and _is_identity(layout):
        shape = tuple(shape)
        # A map of another number of dimensions is an error, which `verify` finds.
        if layout.data.num_dims == len(shape):
            layout = _ABSENT
    _init(self, element_type, shape, layout, _without_default(memory_space))


def _from_type_without_defaults(
    referenced_type: Attribute, memory_space: Attribute = _ABSENT
) -> UnrankedMemRefType:
    return _from_type(referenced_type, _without_default(memory_space))


def _parse_sizes(self: AttrParser) -> list[int]:
    sizes = _parse_sizes_in_xdsl(self)
    text, end = self.lexer.input.content, self.pos
    while text[end - 1].isspace():
        end -= 1
    # xDSL goes back one character to leave an `x` to the caller.
    if sizes and text[end - 1] == "x":
        _resume(self, end - 1)
    return sizes


def _is_identity(layout: AffineMapAttr) -> bool:
    map_ = layout.data
    return map_.results == type(map_).identity(map_.num_dims).results


def _without_default(memory_space: Attribute) -> Attribute:
    number = _integer(memory_space)
    return _ABSENT if number is not None and number.value.data == 0 else memory_space


def _verify_ranked(self: MemRefType) -> None:
    _verify_parameters(self)
    rank = len(self.shape.data)
    if isinstance(layout := self.layout, StridedLayoutAttr):
        if len(layout.strides.data) != rank:
            raise VerifyException("expected the number of strides to match the rank")
    elif isinstance(layout, AffineMapAttr) and layout.data.num_dims != rank:
        raise VerifyException(
            "memref layout mismatch between rank and affine map: "
            f"{rank} != {layout.data.num_dims}"
        )


def _verify_unranked(self: UnrankedMemRefType) -> None:
    _verify_parameters(self)


def _verify_parameters(type_: MemRefType | UnrankedMemRefType) -> None:
    element_type = type_.element_type
    if not isinstance(element_type, TypeAttribute) or isinstance(
        element_type, _NO_ELEMENTS
    ):
        raise VerifyException("invalid memref element type")
    if not is_memory_space(type_.memory_space):
        raise VerifyException("unsupported memory space Attribute")


def is_memory_space(attribute: Attribute) -> bool:
    """Whether an attribute may say in which memory a buffer is."""
    return not isinstance(attribute, BuiltinAttribute) or isinstance(
        attribute, _MEMORY_SPACES
    )


def _print_ranked(self: MemRefType, printer: Printer) -> None:
    printer.print_string("memref<")
    if self.shape.data:
        printer.print_dimension_list(self.get_shape())
        printer.print_string("x")
    printer.print_attribute(self.element_type)
    if not isinstance(self.layout, NoneAttr):
        printer.print_string(", ")
        printer.print_attribute(self.layout)
    _print_memory_space(self.memory_space, printer)
    printer.print_string(">")


def _print_unranked(self: UnrankedMemRefType, printer: Printer) -> None:
    printer.print_string("memref<*x")
    printer.print_attribute(self.element_type)
    _print_memory_space(self.memory_space, printer)
    printer.print_string(">")


def _print_memory_space(memory_space: Attribute, printer: Printer) -> None:
    if isinstance(memory_space, NoneAttr):
        return
    printer.print_string(", ")
    number = _integer(memory_space)
    if number is not None and number.type == i64:
        printer.print_int(number.value.data)
    else:
        printer.print_attribute(memory_space)


def _integer(attribute: Attribute) -> IntegerAttr | None:
    # `isa` would verify the type of the integer as well, which takes long.
    is_integer = isinstance(attribute, IntegerAttr)
    return cast(IntegerAttr, attribute) if is_integer else None
