"""Calls of kernels: `xsmm.unary`, `xsmm.binary`, `xsmm.gemm`, `xsmm.brgemm`, ...

    xsmm.unary relu(data_type = f32, %0, %in, %out)
        : (i64, memref<32x32xf32>, memref<32x32xf32>) -> ()
    xsmm.brgemm(data_type = f32, %1, %a, %b, %c, %batch)
        : (i64, memref<4x32x32xf32>, memref<4x32x32xf32>, memref<32x32xf32>, i64) -> ()

The first operand is the handle of the kernel. Where the dispatch that gave it can be
seen, sizes, leading dimensions, strides, kind and data type are compared with it; a
handle that comes from elsewhere is trusted.

A call reads its inputs and writes its output, which it also reads where a product is
added to it.

Source: the `xsmm` dialect of tpp-mlir, https://arxiv.org/abs/2404.15204
"""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self

from typing_extensions import override
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, MemRefType, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.dialects.xsmm.attributes import (
    BinaryFlagAttr,
    BinaryKind,
    BinaryKindAttr,
    DataType,
    DataTypeAttr,
    GemmFlag,
    UnaryKind,
    UnaryKindAttr,
)
from xdsl_bufferization.dialects.xsmm.dispatch import (
    BinaryDispatchOp,
    BrgemmDispatchOp,
    DispatchOp,
    FusedBrgemmDispatchOp,
    GemmDispatchOp,
    ProductDispatchOp,
    UnaryDispatchOp,
)


class InvokeEffects(MemoryEffect):
    """An invoke reads its inputs and writes its output, each of which it knows."""

    @override
    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance]:
        """Effects on the buffers among the operands."""
        if not isinstance(op, InvokeOp):
            return frozenset()
        reads = (
            EffectInstance(MemoryEffectKind.READ, operand)
            for operand in op.read_operands()
            if isinstance(operand.type, MemRefType)
        )
        write = EffectInstance(MemoryEffectKind.WRITE, op.output_operand())
        return frozenset((*reads, write))


class InvokeOp(IRDLOperation):
    """What all calls share: the data type, and the handle, which comes first.

    Subclasses declare their other operands. Some kernels have a `KIND`.
    """

    DISPATCH: ClassVar[type[DispatchOp]] = DispatchOp
    KIND: ClassVar[type[UnaryKindAttr | BinaryKindAttr] | None] = None

    data_type = prop_def(DataTypeAttr)

    traits = traits_def(InvokeEffects())

    def __init__(
        self,
        data_type: DataType,
        operands: Sequence[SSAValue],
        **properties: Attribute,
    ):
        super().__init__(
            operands=operands,
            properties={**properties, "data_type": DataTypeAttr(data_type)},
        )

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `KIND(data_type = type, operands) : types`."""
        properties: dict[str, Attribute] = {}
        if cls.KIND is not None:
            kind: Any = parser.parse_str_enum(cls.KIND.enum_type)
            properties["kind"] = cls.KIND(kind)
        start = parser.pos
        with parser.in_parens():
            parser.parse_keyword("data_type")
            parser.parse_punctuation("=")
            properties["data_type"] = DataTypeAttr(parser.parse_str_enum(DataType))
            operands: list[UnresolvedOperand] = []
            while parser.parse_optional_punctuation(",") is not None:
                operands.append(parser.parse_unresolved_operand())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_function_type()
        if type_.outputs.data:
            parser.raise_error("a call of a kernel has no results", start, parser.pos)
        return cls.create(
            operands=parser.resolve_operands(operands, type_.inputs.data, start),
            properties=properties,
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        """Print `KIND(data_type = type, operands) : types`."""
        kind = self.properties.get("kind")
        if isinstance(kind, UnaryKindAttr | BinaryKindAttr):
            printer.print_string(f" {kind.data.value}")
        printer.print_string(f"(data_type = {self.data_type.data.value}, ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(")")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_operation_type(self)

    def output_operand(self) -> SSAValue:
        """The buffer that the kernel writes."""
        raise NotImplementedError

    def read_operands(self) -> Sequence[SSAValue]:
        """The operands that the kernel takes values from. When unsure: all."""
        raise NotImplementedError

    def dispatch_op(self) -> DispatchOp | None:
        """The dispatch that gave the handle, if it can be seen.

        Raises a `VerifyException` if it is one of another kind of kernel.
        """
        owner = self.operands[0].owner
        if not isinstance(owner, DispatchOp):
            return None
        if not isinstance(owner, self.DISPATCH):
            raise VerifyException(
                f"expected a handle from '{self.DISPATCH.name}', but got one from "
                f"'{owner.name}'"
            )
        return owner


def _adds_to_output(dispatch: Operation | Block) -> bool:
    """Whether a product is added to what the output holds. When unsure: True."""
    if isinstance(dispatch, ProductDispatchOp | FusedBrgemmDispatchOp):
        return all(flag.data is not GemmFlag.BETA_0 for flag in dispatch.flags)
    return True


class Matrix(NamedTuple):
    """What a kernel expects of an operand: `name` is used in messages."""

    name: str
    rows: int
    columns: int
    leading: int


def _buffer(name: str, type_: Attribute, data_type: DataType) -> MemRefType:
    """The type of an operand that is a static buffer of rows of the data type."""
    if not isa(type_, MemRefType):
        raise VerifyException(f"expected {name} to be a memref, but got '{type_}'")
    if type_.element_type != data_type.element_type:
        raise VerifyException(
            f"expected {name} to have the element type of data_type "
            f"{data_type.value}, but got '{type_}'"
        )
    if not type_.has_static_shape():
        raise VerifyException(f"expected {name} to have a static shape, got '{type_}'")
    strides = type_.get_strides()
    if strides is None or (strides and strides[-1] != 1):
        raise VerifyException(
            f"expected {name} to have neighbouring elements in its last dimension, but "
            f"got '{type_}'"
        )
    return type_


def _verify_rank(name: str, type_: MemRefType, ranks: Sequence[int]) -> None:
    if type_.get_num_dims() not in ranks:
        expected = " or ".join(map(str, ranks))
        raise VerifyException(
            f"expected {name} to have rank {expected}, but got '{type_}'"
        )


def _verify_matrix(matrix: Matrix, type_: MemRefType) -> None:
    """The last two dimensions of a buffer are the matrix of the dispatch."""
    shape = (1, 1, *type_.get_shape())
    found = shape[-2], shape[-1]
    if found != (matrix.rows, matrix.columns):
        raise VerifyException(
            f"the dispatch expects {matrix.name} to be {matrix.rows} by "
            f"{matrix.columns}, but '{type_}' is {found[0]} by {found[1]}"
        )
    strides = type_.get_strides()
    if strides is not None and len(strides) >= 2 and matrix.rows > 1:
        _verify_distance(f"the leading dimension of {matrix.name}", strides[-2], matrix)


def _verify_distance(what: str, stride: int | None, matrix: Matrix) -> None:
    if stride not in (None, DYNAMIC_INDEX, matrix.leading):
        raise VerifyException(
            f"the dispatch expects {what} to be {matrix.leading}, but it is {stride}"
        )


def _verify_data_type(op: InvokeOp, data_type: DataType) -> DispatchOp | None:
    """The dispatch is of the same kind and data type, or cannot be seen."""
    dispatch = op.dispatch_op()
    if dispatch is None:
        return None
    expected = dispatch.properties.get("data_type")
    if isinstance(expected, DataTypeAttr) and expected.data is not data_type:
        raise VerifyException(
            f"data_type {data_type.value} is not that of the dispatch, "
            f"{expected.data.value}"
        )
    return dispatch


def _verify_kind(kind: StrEnum, expected: StrEnum) -> None:
    if kind is not expected:
        raise VerifyException(
            f"kind {kind.value} is not that of the dispatch, {expected.value}"
        )


@irdl_op_definition
class UnaryOp(InvokeOp):
    """Maps a matrix, or repeats a row, a column or a scalar."""

    name = "xsmm.unary"
    DISPATCH: ClassVar[type[DispatchOp]] = UnaryDispatchOp
    KIND: ClassVar = UnaryKindAttr

    kind = prop_def(UnaryKindAttr)
    dispatch = operand_def(i64)
    input = operand_def(AnyAttr())
    output = operand_def(AnyAttr())

    def __init__(
        self, kind: UnaryKind, data_type: DataType, operands: Sequence[SSAValue]
    ):
        super().__init__(data_type, operands, kind=UnaryKindAttr(kind))

    @override
    def output_operand(self) -> SSAValue:
        """The buffer that the kernel writes."""
        return self.output

    @override
    def read_operands(self) -> Sequence[SSAValue]:
        """The input, unless the kernel only writes zeros."""
        return () if self.kind.data is UnaryKind.ZERO else (self.input,)

    @override
    def verify_(self) -> None:
        """The buffers are those that the dispatch describes."""
        data_type = self.data_type.data
        output = _buffer("the output", self.output.type, data_type)
        dispatch = _verify_data_type(self, data_type)
        if not isinstance(dispatch, UnaryDispatchOp):
            _verify_input("the input", self.input.type, data_type)
            return
        _verify_kind(self.kind.data, dispatch.kind.data)
        inputs = dispatch.named_inputs()
        m, n = inputs["m"], inputs["n"]
        kind, flag = self.kind.data, dispatch.flags.data[0].data
        if kind is UnaryKind.VNNI_2:
            _verify_pairs("the output", output, Matrix("", m, n, inputs["ldo"]))
        else:
            rows, columns = (n, m) if kind is UnaryKind.TRANSPOSE else (m, n)
            _verify_matrix(Matrix("the output", rows, columns, inputs["ldo"]), output)
        if kind is UnaryKind.ZERO:
            return
        repeated = _repeated_shape(flag.value, m, n)
        _verify_operand(
            "the input", self.input.type, data_type, repeated, inputs["ldi"]
        )


def _repeated_shape(flag: str, m: int, n: int) -> tuple[int, int]:
    """The part of an m by n matrix that is given, and repeated as `flag` says."""
    if flag.startswith("bcast_scalar"):
        return 1, 1
    if flag.startswith("bcast_row"):
        return m, 1
    return (1, n) if flag.startswith("bcast_col") else (m, n)


def _verify_input(name: str, type_: Attribute, data_type: DataType) -> None:
    """An input is a scalar of the data type, or a buffer."""
    if type_ != data_type.element_type:
        _buffer(name, type_, data_type)


def _verify_operand(
    name: str,
    type_: Attribute,
    data_type: DataType,
    shape: tuple[int, int],
    leading: int,
) -> None:
    """An input is the matrix of the dispatch; a scalar is given by value or not."""
    rows, columns = shape
    if type_ == data_type.element_type:
        if shape != (1, 1):
            raise VerifyException(
                f"the dispatch expects {name} to be {rows} by {columns}, but it is a "
                f"scalar: '{type_}'; only bcast_scalar repeats one"
            )
        return
    buffer = _buffer(name, type_, data_type)
    if columns == 1 and buffer.get_num_dims() == 1 and rows != 1:
        if tuple(buffer.get_shape()) != (rows,):
            raise VerifyException(
                f"the dispatch expects {name} to have {rows} elements, but got "
                f"'{buffer}'"
            )
        _verify_distance(
            f"the distance of elements of {name}", 1, Matrix(name, rows, 1, leading)
        )
        return
    _verify_matrix(Matrix(name, rows, columns, leading), buffer)


def _verify_pairs(name: str, type_: MemRefType, matrix: Matrix) -> None:
    """A VNNI matrix of `rows` by `columns`: pairs of rows, interleaved."""
    expected = (matrix.rows // 2, matrix.columns, 2)
    if tuple(type_.get_shape()[-3:]) != expected:
        raise VerifyException(
            f"the dispatch expects {name} to be {expected[0]} by {expected[1]} by 2 in "
            f"VNNI layout, but got '{type_}'"
        )


@irdl_op_definition
class BinaryOp(InvokeOp):
    """Combines two matrices, one of which may be repeated."""

    name = "xsmm.binary"
    DISPATCH: ClassVar[type[DispatchOp]] = BinaryDispatchOp
    KIND: ClassVar = BinaryKindAttr

    kind = prop_def(BinaryKindAttr)
    dispatch = operand_def(i64)
    lhs = operand_def(AnyAttr())
    rhs = operand_def(AnyAttr())
    output = operand_def(AnyAttr())

    def __init__(
        self, kind: BinaryKind, data_type: DataType, operands: Sequence[SSAValue]
    ):
        super().__init__(data_type, operands, kind=BinaryKindAttr(kind))

    @override
    def output_operand(self) -> SSAValue:
        """The buffer that the kernel writes."""
        return self.output

    @override
    def read_operands(self) -> Sequence[SSAValue]:
        """Both inputs."""
        return (self.lhs, self.rhs)

    @override
    def verify_(self) -> None:
        """The buffers are those that the dispatch describes."""
        data_type = self.data_type.data
        output = _buffer("the output", self.output.type, data_type)
        dispatch = _verify_data_type(self, data_type)
        if not isinstance(dispatch, BinaryDispatchOp):
            _verify_input("lhs", self.lhs.type, data_type)
            _verify_input("rhs", self.rhs.type, data_type)
            return
        _verify_kind(self.kind.data, dispatch.kind.data)
        inputs = dispatch.named_inputs()
        m, n = inputs["m"], inputs["n"]
        _verify_matrix(Matrix("the output", m, n, inputs["ldo"]), output)
        for name, operand, suffix in (("lhs", self.lhs, "0"), ("rhs", self.rhs, "1")):
            flag = _flag_of(dispatch.flags, f"_in{suffix}")
            shape = _repeated_shape(flag, m, n)
            leading = inputs[f"ldi_{name}"]
            _verify_operand(name, operand.type, data_type, shape, leading)


def _flag_of(flags: ArrayAttr[BinaryFlagAttr], suffix: str) -> str:
    names = (flag.data.value for flag in flags)
    return next((name for name in names if name.endswith(suffix)), "none")


def _verify_product(
    product: Sequence[SSAValue],
    data_type: DataType,
    dispatch: DispatchOp | None,
    batch: int,
) -> None:
    """A, B and C agree with each other, and with the dispatch.

    `batch` is the number of dimensions in front of the matrices A and B.
    """
    a, b, c = (
        _buffer(name, value.type, data_type)
        for name, value in zip("ABC", product, strict=True)
    )
    for name, type_, rank in (("A", a, 2 + batch), ("B", b, 2 + batch), ("C", c, 2)):
        # With bf16, pairs of rows are a third dimension of a matrix.
        ranks = (rank,) if data_type is DataType.F32 else (rank, rank + 1)
        _verify_rank(name, type_, ranks)
    if batch and a.get_shape()[0] != b.get_shape()[0]:
        raise VerifyException(
            "A and B have batches of different sizes: "
            f"{a.get_shape()[0]} and {b.get_shape()[0]}"
        )
    if isinstance(dispatch, ProductDispatchOp | FusedBrgemmDispatchOp):
        _verify_product_sizes((a, b, c), dispatch, batch)
    elif data_type is DataType.F32:
        _verify_agreement(a, b, c)


def _verify_agreement(a: MemRefType, b: MemRefType, c: MemRefType) -> None:
    m, k = a.get_shape()[-2:]
    if b.get_shape()[-2] != k:
        raise VerifyException(
            f"A has {k} columns, but B has {b.get_shape()[-2]} rows: '{a}' and '{b}'"
        )
    if tuple(c.get_shape()) != (m, b.get_shape()[-1]):
        raise VerifyException(
            f"expected C to be {m} by {b.get_shape()[-1]}, but got '{c}'"
        )


def _verify_product_sizes(
    types: tuple[MemRefType, MemRefType, MemRefType],
    dispatch: ProductDispatchOp | FusedBrgemmDispatchOp,
    batch: int,
) -> None:
    inputs = dispatch.named_inputs()
    m, n, k = inputs["m"], inputs["n"], inputs["k"]
    flags = {flag.data for flag in dispatch.flags}
    matrices = (
        (Matrix("A", m, k, inputs["lda"]), types[0], GemmFlag.VNNI_A, batch),
        (Matrix("B", k, n, inputs["ldb"]), types[1], GemmFlag.VNNI_B, batch),
        (Matrix("C", m, n, inputs["ldc"]), types[2], GemmFlag.VNNI_C, 0),
    )
    for matrix, type_, vnni, outer in matrices:
        if vnni in flags:
            _verify_rank(f"{matrix.name} with {vnni.value}", type_, (3 + outer,))
            _verify_vnni(matrix, type_)
        else:
            _verify_rank(matrix.name, type_, (2 + outer,))
            _verify_matrix(matrix, type_)
        strides = type_.get_strides()
        if outer and strides is not None:
            name = f"stride_{matrix.name.lower()}"
            distance = matrix._replace(leading=inputs[name])
            _verify_distance(f"{name}, between matrices,", strides[0], distance)


def _verify_vnni(matrix: Matrix, type_: MemRefType) -> None:
    """A in VNNI layout is m by k/2 by 2; B and C have pairs of rows."""
    if matrix.name != "A":
        _verify_pairs(matrix.name, type_, matrix)
        return
    expected = (matrix.rows, matrix.columns // 2, 2)
    if tuple(type_.get_shape()[-3:]) != expected:
        raise VerifyException(
            f"the dispatch expects A to be {expected[0]} by {expected[1]} by 2 in VNNI "
            f"layout, but got '{type_}'"
        )


class ProductOp(InvokeOp):
    """C = a product, added to C unless the dispatch says `beta_0`."""

    BATCH: ClassVar = 1
    """The number of dimensions in front of the matrices A and B."""

    @override
    def output_operand(self) -> SSAValue:
        """The buffer that the kernel writes: C."""
        return self.operands[3]

    @override
    def read_operands(self) -> Sequence[SSAValue]:
        """A and B; and C, if the product is added to it."""
        handle, a, b, c = self.operands[:4]
        return (a, b, c) if _adds_to_output(handle.owner) else (a, b)

    @override
    def verify_(self) -> None:
        """The matrices agree with each other, and with the dispatch."""
        data_type = self.data_type.data
        dispatch = _verify_data_type(self, data_type)
        _verify_product(self.operands[1:4], data_type, dispatch, self.BATCH)


@irdl_op_definition
class GemmOp(ProductOp):
    """C = A * B."""

    name = "xsmm.gemm"
    DISPATCH: ClassVar[type[DispatchOp]] = GemmDispatchOp
    BATCH: ClassVar = 0

    dispatch = operand_def(i64)
    a = operand_def(AnyAttr())
    b = operand_def(AnyAttr())
    c = operand_def(AnyAttr())


@irdl_op_definition
class BrgemmOp(ProductOp):
    """C = the sum of all A[i] * B[i]."""

    name = "xsmm.brgemm"
    DISPATCH: ClassVar[type[DispatchOp]] = BrgemmDispatchOp

    dispatch = operand_def(i64)
    a = operand_def(AnyAttr())
    b = operand_def(AnyAttr())
    c = operand_def(AnyAttr())
    batch = operand_def(i64)


@irdl_op_definition
class FusedBrgemmOp(ProductOp):
    """C = unary(binary(D, the sum of all A[i] * B[i])), with C added to the sum."""

    name = "xsmm.fused_brgemm"
    DISPATCH: ClassVar[type[DispatchOp]] = FusedBrgemmDispatchOp

    dispatch = operand_def(i64)
    a = operand_def(AnyAttr())
    b = operand_def(AnyAttr())
    c = operand_def(AnyAttr())
    d = operand_def(AnyAttr())
    batch = operand_def(i64)

    @override
    def read_operands(self) -> Sequence[SSAValue]:
        """A, B and D; and C, if the sum is added to it."""
        a, b, *added = super().read_operands()
        return (a, b, self.d, *added)

    @override
    def verify_(self) -> None:
        """The matrices agree with each other, and with the dispatch."""
        super().verify_()
        data_type, dispatch = self.data_type.data, self.dispatch_op()
        if not isinstance(dispatch, FusedBrgemmDispatchOp):
            _verify_input("D", self.d.type, data_type)
        elif dispatch.has_binary:
            inputs = dispatch.named_inputs()
            flag = _flag_of(dispatch.binary_flags, "_in0")
            shape = _repeated_shape(flag, inputs["m"], inputs["n"])
            _verify_operand("D", self.d.type, data_type, shape, inputs["ldd"])
