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
from typing import Any, ClassVar, Self

from typing_extensions import override
from xdsl.dialects.builtin import ArrayAttr, MemRefType, i64
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
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.support import abi

from .attributes import (
    BinaryFlagAttr,
    BinaryKind,
    BinaryKindAttr,
    DataType,
    DataTypeAttr,
    GemmFlag,
    UnaryFlag,
    UnaryKind,
    UnaryKindAttr,
    WindowFlag,
    WindowKind,
    WindowKindAttr,
)
from .dispatch import (
    BinaryDispatchOp,
    BrgemmDispatchOp,
    DispatchOp,
    FusedBrgemmDispatchOp,
    GemmDispatchOp,
    ProductDispatchOp,
    UnaryDispatchOp,
    WindowDispatchOp,
)
from .operand_checks import (
    Matrix,
    buffer_type,
    repeated_shape,
    verify_extent,
    verify_input,
    verify_matrix,
    verify_operand,
    verify_pairs,
    verify_product,
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
    KIND: ClassVar[type[UnaryKindAttr | BinaryKindAttr | WindowKindAttr] | None] = None

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
        if isinstance(kind, UnaryKindAttr | BinaryKindAttr | WindowKindAttr):
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

    @property
    def copied_bytes(self) -> int | None:
        """How many bytes the kernel copies; None if it does something else.

        A kernel that repeats a row, a column or a number copies nothing: it computes a
        larger matrix.
        """
        dispatch = self.dispatch.owner
        if self.kind.data is not UnaryKind.IDENTITY or not isinstance(
            dispatch, UnaryDispatchOp
        ):
            return None
        if any(flag.data is not UnaryFlag.NONE for flag in dispatch.flags):
            return None
        inputs = dispatch.named_inputs()
        element = abi.ELEMENT_BYTES[str(dispatch.data_type.data)]
        return inputs["m"] * inputs["n"] * element

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
        output = buffer_type("the output", self.output.type, data_type)
        dispatch = _verify_data_type(self, data_type)
        if not isinstance(dispatch, UnaryDispatchOp):
            verify_input("the input", self.input.type, data_type)
            return
        _verify_kind(self.kind.data, dispatch.kind.data)
        inputs = dispatch.named_inputs()
        m, n = inputs["m"], inputs["n"]
        kind, flag = self.kind.data, dispatch.flags.data[0].data
        if kind is UnaryKind.VNNI_2:
            verify_pairs("the output", output, Matrix("", m, n, inputs["ldo"]))
        else:
            rows, columns = (n, m) if kind is UnaryKind.TRANSPOSE else (m, n)
            verify_matrix(Matrix("the output", rows, columns, inputs["ldo"]), output)
        if kind is UnaryKind.ZERO:
            return
        repeated = repeated_shape(flag.value, m, n)
        verify_operand("the input", self.input.type, data_type, repeated, inputs["ldi"])


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
        output = buffer_type("the output", self.output.type, data_type)
        dispatch = _verify_data_type(self, data_type)
        if not isinstance(dispatch, BinaryDispatchOp):
            verify_input("lhs", self.lhs.type, data_type)
            verify_input("rhs", self.rhs.type, data_type)
            return
        _verify_kind(self.kind.data, dispatch.kind.data)
        inputs = dispatch.named_inputs()
        m, n = inputs["m"], inputs["n"]
        verify_matrix(Matrix("the output", m, n, inputs["ldo"]), output)
        for name, operand, suffix in (("lhs", self.lhs, "0"), ("rhs", self.rhs, "1")):
            flag = _flag_of(dispatch.flags, f"_in{suffix}")
            shape = repeated_shape(flag, m, n)
            leading = inputs[f"ldi_{name}"]
            verify_operand(name, operand.type, data_type, shape, leading)


def _flag_of(flags: ArrayAttr[BinaryFlagAttr], suffix: str) -> str:
    names = (flag.data.value for flag in flags)
    return next((name for name in names if name.endswith(suffix)), "none")


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
        verify_product(self.operands[1:4], data_type, dispatch, self.BATCH)


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
            verify_input("D", self.d.type, data_type)
        elif dispatch.has_binary:
            inputs = dispatch.named_inputs()
            flag = _flag_of(dispatch.binary_flags, "_in0")
            shape = repeated_shape(flag, inputs["m"], inputs["n"])
            verify_operand("D", self.d.type, data_type, shape, inputs["ldd"])


@irdl_op_definition
class WindowOp(InvokeOp):
    """C = the sums over a window, with what the flags of the dispatch say."""

    name = "xsmm.window"
    DISPATCH: ClassVar[type[DispatchOp]] = WindowDispatchOp
    KIND: ClassVar = WindowKindAttr

    kind = prop_def(WindowKindAttr)
    dispatch = operand_def(i64)
    a = operand_def(AnyAttr())
    b = operand_def(AnyAttr())
    c = operand_def(AnyAttr())
    d = operand_def(AnyAttr())
    e = operand_def(AnyAttr())

    def __init__(
        self, kind: WindowKind, data_type: DataType, operands: Sequence[SSAValue]
    ):
        super().__init__(data_type, operands, kind=WindowKindAttr(kind))

    @override
    def output_operand(self) -> SSAValue:
        """The buffer that the kernel writes: C."""
        return self.c

    @override
    def read_operands(self) -> Sequence[SSAValue]:
        """A, and those of the others that the kernel needs."""
        dispatch = self.operands[0].owner
        if not isinstance(dispatch, WindowDispatchOp):
            return self.operands[1:]
        names = dispatch.extents()
        read = [
            value
            for name, value in zip(
                "ABDE", (self.a, self.b, self.d, self.e), strict=True
            )
            if name in names
        ]
        return read if dispatch.has(WindowFlag.BETA_0) else [*read, self.c]

    @override
    def verify_(self) -> None:
        """The buffers are as large as the dispatch says."""
        data_type = self.data_type.data
        types = {
            name: buffer_type(name, value.type, data_type, has_rows=False)
            for name, value in zip("ABCDE", self.operands[1:], strict=True)
        }
        dispatch = _verify_data_type(self, data_type)
        if not isinstance(dispatch, WindowDispatchOp):
            return
        _verify_kind(self.kind.data, dispatch.kind.data)
        for name, extent in dispatch.extents().items():
            verify_extent(name, types[name], extent)
