"""Builtin types and attributes: the first token says which one is read.

    tensor<4xf32>, i32, (f32) -> f32, 1.0 : f32, [1, 2], @f::@g, strided<[4, 1]>

xDSL 0.74 tries one kind after the other. What is read here, and each error with its
place, are as in xDSL; words that are not known here are left to xDSL's parser.

Source: https://mlir.llvm.org/docs/Dialects/Builtin/
"""

import re
from typing import Any, Final, cast

from immutabledict import immutabledict
from typing_extensions import override
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    AnyFloat,
    AnyTensorType,
    AnyUnrankedTensorType,
    AnyVectorType,
    ArrayAttr,
    BoolAttr,
    ComplexType,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerType,
    MemRefLayoutAttr,
    MemRefType,
    NoneType,
    Signedness,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    bf16,
    f16,
    f32,
    f64,
    f80,
    f128,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.mlir_lexer import MLIRTokenKind

from .dialect_symbols import DialectSymbolParser

_BARE_IDENT = MLIRTokenKind.BARE_IDENT
_SCALARS: Final[dict[str, TypeAttribute]] = {
    "bf16": bf16,
    "f16": f16,
    "f32": f32,
    "f64": f64,
    "f80": f80,
    "f128": f128,
    "index": IndexType(),
    "none": NoneType(),
}
_INTEGER: Final = re.compile(r"([su]?i)([0-9]+)")
_SIGNS: Final = {
    "i": Signedness.SIGNLESS,
    "si": Signedness.SIGNED,
    "ui": Signedness.UNSIGNED,
}
_NO_TYPES: Final = ("false", "loc", "true", "unit")
"""Words that attributes begin with and types do not."""


class BuiltinParser(DialectSymbolParser):
    """A parser that knows from the first token what is to be read."""

    # Types.

    @override
    def parse_optional_type(self) -> TypeAttribute | None:
        token = self.reading.current_token
        if token.kind is not _BARE_IDENT:
            return super().parse_optional_type()
        if (scalar := self.read_optional_scalar_type()) is not None:
            return scalar
        match token.text:
            case "memref":
                read = self.read_buffer_type
            case "tensor":
                read = self.read_tensor_type
            case "vector":
                read = self.read_vector_type
            case "complex":
                read = self._read_complex_type
            case "tuple":
                read = self._read_tuple_type
            case _:
                return super().parse_optional_type()
        self.take_token()
        self.parse_punctuation("<", " after builtin name")
        type_ = read()
        self.parse_punctuation(">", " after builtin parameter list")
        return type_

    def read_optional_scalar_type(self) -> TypeAttribute | None:
        """`f32`, `i32`, `index` and so on; the current token is a word."""
        name = self.reading.current_token.text
        if (known := _SCALARS.get(name)) is not None:
            self.take_token()
            return known
        integer = _INTEGER.fullmatch(name)
        if integer is None:
            return None
        self.take_token()
        return IntegerType(int(integer[2]), _SIGNS[integer[1]])

    def read_buffer_type(self) -> MemRefType | UnrankedMemRefType:
        """What is in the brackets of `memref<...>`."""
        shape, element = self.parse_shape()
        details: list[Attribute] = []
        most = 1 if shape is None else 2
        while len(details) < most and self.parse_optional_punctuation(",") is not None:
            details.append(self.parse_attribute())
        if shape is None:
            return UnrankedMemRefType.from_type(element, *details)
        layout = details[0] if details else None
        if isinstance(layout, MemRefLayoutAttr):
            return MemRefType(element, shape, layout, *details[1:])
        if len(details) > 1:
            self.raise_error("Expected a MemRef layout attribute")
        if layout is None:
            return MemRefType(element, shape)
        return MemRefType(element, shape, memory_space=layout)

    def read_tensor_type(self) -> AnyTensorType | AnyUnrankedTensorType:
        """What is in the brackets of `tensor<...>`."""
        shape, element = self.parse_shape()
        has_encoding = self.parse_optional_punctuation(",") is not None
        if shape is None:
            if has_encoding:
                self.raise_error("Unranked tensors don't have an encoding!")
            return UnrankedTensorType(element)
        if not has_encoding:
            return TensorType(element, shape)
        return TensorType(element, shape, self.parse_attribute())

    def read_vector_type(self) -> AnyVectorType:
        """What is in the brackets of `vector<...>`."""
        sizes: list[int] = []
        scaled: list[bool] = []
        while True:
            is_scaled = self.parse_optional_punctuation("[") is not None
            is_size = self.reading.current_token.kind is MLIRTokenKind.INTEGER_LIT
            if not is_scaled and not is_size:
                break
            sizes.append(self.parse_shape_dimension(allow_dynamic=False))
            scaled.append(is_scaled)
            if is_scaled:
                self.parse_punctuation("]")
            self.parse_shape_delimiter()
        element = self.expect(self.parse_optional_type, "Expected vector element type")
        return VectorType(element, sizes, ArrayAttr(map(BoolAttr.from_bool, scaled)))

    def _read_complex_type(self) -> ComplexType[Any]:
        element = self.parse_attribute()
        if not isinstance(element, IntegerType | AnyFloat):
            self.raise_error(
                "Complex type must be parameterized by an integer or float type!"
            )
        return ComplexType(cast("IntegerType | AnyFloat", element))

    def _read_tuple_type(self) -> TupleType:
        types = self.parse_optional_undelimited_comma_separated_list(
            self.parse_optional_type, self.parse_type
        )
        return TupleType(tuple(types or ()))

    # Attributes.

    @override
    def parse_optional_attribute(self) -> Attribute | None:
        token = self.reading.current_token
        match token.kind:
            case MLIRTokenKind.BARE_IDENT if token.text not in _NO_TYPES:
                type_ = self.parse_optional_type()
                return self._read_named_attribute() if type_ is None else type_
            case MLIRTokenKind.INTEGER_LIT | MLIRTokenKind.FLOAT_LIT:
                return self.parse_optional_builtin_int_or_float_attr()
            case MLIRTokenKind.L_SQUARE:
                return ArrayAttr(
                    self.parse_list(self.Delimiter.SQUARE, self.parse_attribute)
                )
            case MLIRTokenKind.AT_IDENT:
                return self._read_symbol_reference()
            case MLIRTokenKind.L_BRACE:
                entries = self.parse_optional_dictionary_attr_dict()
                return DictionaryAttr(immutabledict(entries))
            case MLIRTokenKind.L_PAREN | MLIRTokenKind.EXCLAMATION_IDENT:
                return self.parse_optional_type()
            case MLIRTokenKind.STRING_LIT | MLIRTokenKind.BYTES_LIT:
                text = self.parse_optional_str_literal()
                if text is not None:
                    return StringAttr(text)
            case _:
                pass
        return super().parse_optional_attribute()

    def _read_named_attribute(self) -> Attribute | None:
        """An attribute that begins with a word."""
        match self.reading.current_token.text:
            case "dense":
                self.take_token()
                return self.parse_dense_int_or_fp_elements_attr(None)
            case "array":
                self.take_token()
                return self.read_dense_array()
            case "affine_map" | "affine_set":
                return self._read_affine_attribute(self.take_token().text)
            case "strided":
                self.take_token()
                return self._read_strided_layout()
            case "dense_resource":
                return self.read_resource()
            case _:
                return super().parse_optional_attribute()

    def read_resource(self) -> Attribute | None:
        """`dense_resource<...>`."""
        return super().parse_optional_attribute()

    def _read_affine_attribute(self, name: str) -> AffineMapAttr | AffineSetAttr:
        self.parse_characters("<", f" in {name} attribute")
        attribute = (
            AffineMapAttr(self.parse_affine_map())
            if name == "affine_map"
            else AffineSetAttr(self.parse_affine_set())
        )
        self.parse_characters(">", f" in {name} attribute")
        return attribute

    def _read_symbol_reference(self) -> SymbolRefAttr:
        root = self.parse_symbol_name()
        nested: list[StringAttr] = []
        while (colon := self.take_optional(MLIRTokenKind.COLON)) is not None:
            if self.take_optional(MLIRTokenKind.COLON) is None:
                # One colon belongs to what comes next.
                self.go_to(colon.start)
                break
            nested.append(self.parse_symbol_name())
        return SymbolRefAttr(root, ArrayAttr(nested))

    def read_dense_array(self) -> DenseArrayBase:
        """What is behind `array`."""
        self.parse_characters("<", " in dense array")
        start = self.pos
        type_ = self.parse_attribute()
        if not isinstance(type_, IntegerType | AnyFloat):
            message = "element type must be an integer or floating point type"
            self.raise_error(f"dense array {message}", start, self.pos)
        if self.parse_optional_punctuation(">") is not None:
            return DenseArrayBase.from_list(cast(Any, type_), [])
        self.parse_characters(":", " in dense array")
        none = self.Delimiter.NONE
        if isinstance(type_, IntegerType):
            integer = cast(IntegerType, type_)
            numbers = self.parse_list(none, lambda: self.read_number_of_type(integer))
            array = DenseArrayBase.from_list(integer, numbers)
        else:
            floats = self.parse_list(none, self.parse_float)
            array = DenseArrayBase.from_list(type_, floats)
        self.parse_characters(">", " in dense array")
        return array

    def read_number_of_type(self, type_: IntegerType) -> int:
        """A number that the type has."""
        start = self.pos
        number = self.parse_integer()
        try:
            type_.verify_value(number)
        except VerifyException as error:
            self.raise_error(str(error), start, self.pos)
        return number

    def _read_strided_layout(self) -> StridedLayoutAttr:
        self.take(MLIRTokenKind.LESS, "Expected `<` after `strided`")
        strides = self.parse_comma_separated_list(
            self.Delimiter.SQUARE,
            lambda: self.read_stride(" in stride list"),
            " in stride list",
        )
        if self.take_optional(MLIRTokenKind.GREATER) is not None:
            return StridedLayoutAttr(strides)
        self.take(
            MLIRTokenKind.COMMA, "Expected end of strided attribute or ',' for offset."
        )
        self.parse_keyword("offset", " after comma")
        self.take(MLIRTokenKind.COLON, "Expected ':' after 'offset'")
        offset = self.read_stride(" in stride offset")
        self.take(MLIRTokenKind.GREATER, "Expected '>' in end of stride attribute")
        return StridedLayoutAttr(strides, offset)

    def read_stride(self, context: str) -> int | None:
        """A stride or an offset; None if it is not known, which is written as `?`."""
        if self.take_optional(MLIRTokenKind.QUESTION) is not None:
            return None
        number = self.parse_optional_integer(allow_boolean=False)
        if number is None:
            self.raise_error(f"Expected an integer literal or `?`{context}")
        return number
