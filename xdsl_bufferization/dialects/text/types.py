"""Builtin types, as MLIR reads, writes and restricts them.

xDSL 0.74 keeps apart what MLIR takes for one type: an identity affine map and no
layout, memory space 0 and no memory space. It writes the type of every integer, and
loses the last `x` of a shape if a space follows.

    memref<4xf32, affine_map<(d0) -> (d0)>, 0>    // memref<4xf32>
    memref<4 x f32>                               // memref<4xf32>
    memref<4xf32, 1 : i64>                        // memref<4xf32, 1>

xDSL also accepts types that MLIR refuses: tensors and vectors of any type, layouts that
do not fit the shape, vectors without elements. `check_type` finds these.

    memref<4x4xf32, strided<[1]>>, tensor<4xtensor<4xf32>>, vector<0xf32>     // errors

Sources: https://mlir.llvm.org/docs/Dialects/Builtin/#memreftype,
`TensorType::isValidElementType`, and `VectorElementTypeInterface` in
https://mlir.llvm.org/docs/Dialects/Builtin/#vectortype
"""

import re
from typing import Any, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyTensorType,
    AnyUnrankedTensorType,
    AnyVectorType,
    ArrayAttr,
    BoolAttr,
    ComplexType,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
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
    VectorType,
    i64,
)
from xdsl.ir import Attribute, BuiltinAttribute, TypeAttribute
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.mlir_lexer import MLIRTokenKind

from .builtin import BuiltinParser
from .lexer import MOST_DIGITS

_NOT_IN_BUFFERS = FunctionType | NoneType | TensorType | TupleType | UnrankedTensorType
"""Builtin types that no buffer holds."""

_NOT_IN_TENSORS = _NOT_IN_BUFFERS | MemRefType | UnrankedMemRefType
_NOT_IN_VECTORS = _NOT_IN_TENSORS | ComplexType | VectorType

_MEMORY_SPACES = DictionaryAttr | IntegerAttr | NoneAttr | StringAttr | UnregisteredAttr
"""Builtin attributes that name a memory space; other dialects' attributes all may, also
where nobody defines the dialect."""

_ABSENT = NoneAttr()


# One type for what is one type in MLIR.


def normal_layout(rank: int, layout: Attribute) -> Attribute:
    """The layout of a buffer of `rank` dimensions; none for an identity map."""
    if isinstance(layout, AffineMapAttr):
        map_ = layout.data
        # A map of another number of dimensions is an error, which `check_type` finds.
        if map_.num_dims == rank and map_ == type(map_).identity(rank):
            return _ABSENT
    return layout


def normal_memory_space(memory_space: Attribute) -> Attribute:
    """The memory space of a buffer; none for the number 0."""
    number = _integer(memory_space)
    return _ABSENT if number is not None and number.value.data == 0 else memory_space


def normal_buffer_type(
    type_: MemRefType[Any] | UnrankedMemRefType[Any],
) -> MemRefType[Any] | UnrankedMemRefType[Any]:
    """The type as MLIR has it: without an identity layout, and without space 0."""
    space = normal_memory_space(type_.memory_space)
    if isinstance(type_, UnrankedMemRefType):
        if space is type_.memory_space:
            return type_
        return UnrankedMemRefType.from_type(type_.element_type, space)
    layout = normal_layout(len(type_.shape.data), type_.layout)
    if space is type_.memory_space and layout is type_.layout:
        return type_
    assert isinstance(layout, AffineMapAttr | StridedLayoutAttr | NoneAttr)
    return MemRefType(type_.element_type, type_.shape, layout, space)


# What MLIR refuses.


def check_type(type_: Attribute) -> None:
    """Raise a `VerifyException` for a type that xDSL accepts and MLIR refuses.

    The types inside of a type are not looked at.
    """
    match type_:
        case MemRefType():
            _check_buffer(cast("MemRefType[Any]", type_))
            _check_layout(cast("MemRefType[Any]", type_))
        case UnrankedMemRefType():
            _check_buffer(cast("UnrankedMemRefType[Any]", type_))
        case TensorType() | UnrankedTensorType():
            element: Attribute = cast("AnyTensorType", type_).element_type
            if not isinstance(element, TypeAttribute) or isinstance(
                element, _NOT_IN_TENSORS
            ):
                raise VerifyException("invalid tensor element type")
        case VectorType():
            _check_vector(type_)
        case _:
            pass


def _check_buffer(type_: MemRefType[Any] | UnrankedMemRefType[Any]) -> None:
    element = type_.element_type
    if not isinstance(element, TypeAttribute) or isinstance(element, _NOT_IN_BUFFERS):
        raise VerifyException("invalid memref element type")
    if not is_memory_space(type_.memory_space):
        raise VerifyException("unsupported memory space Attribute")


def _check_layout(type_: MemRefType[Any]) -> None:
    rank = len(type_.shape.data)
    if isinstance(layout := type_.layout, StridedLayoutAttr):
        if len(layout.strides.data) != rank:
            raise VerifyException("expected the number of strides to match the rank")
    elif isinstance(layout, AffineMapAttr) and layout.data.num_dims != rank:
        raise VerifyException(
            "memref layout mismatch between rank and affine map: "
            f"{rank} != {layout.data.num_dims}"
        )


def _check_vector(type_: AnyVectorType) -> None:
    element: Attribute = type_.element_type
    if not isinstance(element, TypeAttribute) or isinstance(element, _NOT_IN_VECTORS):
        raise VerifyException("invalid vector element type")
    if any(size < 1 for size in type_.get_shape()):
        raise VerifyException("vector types must have positive constant sizes")


def is_memory_space(attribute: Attribute) -> bool:
    """Whether an attribute may say in which memory a buffer is."""
    return not isinstance(attribute, BuiltinAttribute) or isinstance(
        attribute, _MEMORY_SPACES
    )


# Text.

_SIZE = re.compile(r"[0-9]+|\?")
_SIZES = re.compile(r"(?:[0-9]+|\?)(?:\s*x\s*(?:[0-9]+|\?))*", re.ASCII)
_SIZES_OF_VECTOR = re.compile(r"(?:[0-9]+\s*x\s*)+(?=[a-z!])", re.ASCII)
"""A shape whose last size has a type behind it, and no size that is scaled."""

_SIZE_TOKENS = (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.QUESTION)


class ShapeParser(BuiltinParser):
    """A parser that takes spaces after the last `x` of a shape.

    A shape is read once. xDSL reads what follows each `x` as a token, which takes
    quadratic time: `x2x3x4xf32`, `x3x4xf32`, and so on.
    """

    @override
    def parse_dimension_list(self) -> list[int]:
        text = self.lexer.input.content
        sizes: list[int] = []
        while self.reading.current_token.kind in _SIZE_TOKENS:
            found = _SIZES.match(text, self.pos)
            assert found is not None
            sizes += self._sizes_of(found)
            self.go_to(found.end())
            token = self.reading.current_token
            if token.kind is not MLIRTokenKind.BARE_IDENT or token.text[0] != "x":
                break
            self.go_to(token.start + 1)
            if self.reading.current_token.kind not in _SIZE_TOKENS:
                # The `x` before the type is left to the caller.
                self.go_to(token.start)
        return sizes

    @override
    def read_vector_type(self) -> AnyVectorType:
        found = _SIZES_OF_VECTOR.match(self.lexer.input.content, self.pos)
        if found is None:
            return super().read_vector_type()
        sizes = self._sizes_of(found)
        self.go_to(found.end())
        element = self.expect(self.parse_optional_type, "Expected vector element type")
        fixed = ArrayAttr([BoolAttr.from_bool(False)] * len(sizes))
        return VectorType(element, sizes, fixed)

    def _sizes_of(self, found: re.Match[str]) -> list[int]:
        return [self.size_of(size, found.start()) for size in _SIZE.finditer(found[0])]

    def size_of(self, digits: re.Match[str], start: int) -> int:
        """The size that `digits` say, of the text that begins at `start`."""
        if digits[0] == "?":
            return DYNAMIC_INDEX
        if digits.end() - digits.start() > MOST_DIGITS:
            at = start + digits.start()
            self.raise_error("invalid dimension", at, start + digits.end())
        return int(digits[0])


class StrictTypeParser(BuiltinParser):
    """A parser that builds MLIR's types, and refuses what MLIR refuses."""

    @override
    def read_buffer_type(self) -> MemRefType | UnrankedMemRefType:
        type_ = super().read_buffer_type()
        check_type(type_)
        return normal_buffer_type(type_)

    @override
    def read_tensor_type(self) -> AnyTensorType | AnyUnrankedTensorType:
        type_ = super().read_tensor_type()
        check_type(type_)
        return type_

    @override
    def read_vector_type(self) -> AnyVectorType:
        type_ = super().read_vector_type()
        check_type(type_)
        return type_


def print_buffer_type(
    type_: MemRefType[Any] | UnrankedMemRefType[Any], printer: Printer
) -> None:
    """Write a type as MLIR does, and as one type what is one there."""
    type_ = normal_buffer_type(type_)
    printer.print_string("memref<")
    if isinstance(type_, UnrankedMemRefType):
        printer.print_string("*x")
    elif type_.shape.data:
        printer.print_dimension_list(type_.get_shape())
        printer.print_string("x")
    printer.print_attribute(type_.element_type)
    if isinstance(type_, MemRefType) and not isinstance(type_.layout, NoneAttr):
        printer.print_string(", ")
        printer.print_attribute(type_.layout)
    if not isinstance(space := type_.memory_space, NoneAttr):
        printer.print_string(", ")
        number = _integer(space)
        if number is not None and number.type == i64:
            printer.print_int(number.value.data)
        else:
            printer.print_attribute(space)
    printer.print_string(">")


def _integer(attribute: Attribute) -> IntegerAttr | None:
    # `isa` would verify the type of the integer as well, which takes long.
    is_integer = isinstance(attribute, IntegerAttr)
    return cast(IntegerAttr, attribute) if is_integer else None
