"""Values of a program that is translated, and what asks for them in some form.

    %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.add %x, %0 : tensor<4x8xf32>

A value of the old program is a `Value`: a tensor, one element, a constant, or a view of
another value. `%0` is a view: the sum reads `%b` by an indexing map. A tensor is made
of a view where some op asks for one. One element stays out of memory in the same way:
the counter of a loop is an `i32`, and no tensor of rank 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    TensorType,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from xdsl_bufferization.dialects.arith.casts import IndexCastUIOp
from xdsl_bufferization.dialects.linalg.fills import new_fill
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp, tensor_type
from xdsl_bufferization.dialects.tensor.canonicalization.values import splat_element
from xdsl_bufferization.support.errors import fail_at

from .element_builder import INDEX, ElementBuilder
from .types import signless_tensor

Values: TypeAlias = Sequence[SSAValue]
Body: TypeAlias = Callable[[ElementBuilder, Values], Values]
"""What writes the body of a structured op: from elements to elements."""

PARALLEL, REDUCTION = IteratorTypeAttr.parallel(), IteratorTypeAttr.reduction()


@dataclass
class Value:
    """A value of the old program; at least one of the forms is there."""

    type: TensorType[Any]
    """Its type, without signs."""

    writer: Writer
    """Where other forms are made."""

    tensor: SSAValue | None = None
    scalar: SSAValue | None = None
    """The only element of a tensor of rank 0."""

    element: Attribute | None = None
    """The constant that all elements are."""

    constant: Attribute | None = None
    """The constants that the elements are."""

    view: tuple[Value, tuple[int | None, ...]] | None = None
    """Another value, and for each dimension of its the one here; None: its index 0."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes."""
        return self.type.get_shape()

    def as_tensor(self) -> SSAValue:
        """The value as a tensor."""
        if self.tensor is None:
            self.tensor = self.writer.make_tensor(self)
        return self.tensor

    def as_scalar(self, code: ElementBuilder) -> SSAValue:
        """The only element; constants are written into `code`."""
        if self.element is not None:
            return code.attribute(self.element)
        if self.scalar is None:
            if self.view is not None:
                return self.view[0].as_scalar(code)
            get = tensor.ExtractOp(self.as_tensor(), [], self.type.element_type)
            self.scalar = self.writer.code.value(get)
        return self.scalar

    def as_input(self) -> tuple[SSAValue, tuple[AffineExpr, ...]]:
        """What a structured op over the elements reads, and by which indices."""
        if not self.type.get_shape() and self.tensor is None:
            return self.as_scalar(self.writer.code), ()
        if self.view is None or self.tensor is not None:
            rank = self.type.get_num_dims()
            return self.as_tensor(), tuple(map(AffineDimExpr, range(rank)))
        source, dims = self.view
        value, exprs = source.as_input()
        mine = [AffineConstantExpr(0) if d is None else AffineDimExpr(d) for d in dims]
        return value, tuple(
            mine[e.position] if isinstance(e, AffineDimExpr) else e for e in exprs
        )


class Writer:
    """Writes what old ops become, at the end of a block."""

    def __init__(self, code: ElementBuilder, parent: Writer | None = None):
        self.code = code
        self.parent = parent
        self.own: dict[SSAValue, Value] = {}
        """The old values that are defined in this block."""

    def child(self, code: ElementBuilder) -> Writer:
        """What writes into a region of an op that is about to be added here."""
        return Writer(code, self)

    # Values.

    def __getitem__(self, old: SSAValue) -> Value:
        writer: Writer | None = self
        while writer is not None:
            value = writer.own.get(old)
            if value is not None:
                return value
            writer = writer.parent
        raise KeyError(old)

    def __setitem__(self, old: SSAValue, value: Value) -> None:
        self.own[old] = value

    def other(self, old: SSAValue) -> SSAValue:
        """The new value of an old one of any type."""
        return self[old].as_tensor()

    def of_tensor(self, value: SSAValue) -> Value:
        """A value that is there as a tensor, or anything that is none."""
        return Value(cast("TensorType[Any]", value.type), self, tensor=value)

    def of_scalar(self, value: SSAValue) -> Value:
        """A value of rank 0 that is there as its element."""
        return Value(TensorType(value.type, []), self, scalar=value)

    def of_constant(self, attribute: Attribute) -> Value:
        """Known elements."""
        type_ = cast("TensorType[Any]", cast(Any, attribute).type)
        element = None
        if isinstance(attribute, DenseIntOrFPElementsAttr):
            dense = cast("DenseIntOrFPElementsAttr[Any]", attribute)
            element = splat_element(dense)
        return Value(type_, self, element=element, constant=cast(Attribute, attribute))

    def of_element(self, element: Attribute, type_: TensorType[Any]) -> Value:
        """A value whose elements are all this constant."""
        return Value(type_, self, element=element)

    def of_view(
        self, source: Value, dims: tuple[int | None, ...], type_: TensorType[Any]
    ) -> Value:
        """The elements of another value, repeated along dimensions."""
        if source.element is not None:
            return self.of_element(source.element, type_)
        return Value(type_, self, view=(source, dims))

    def make_tensor(self, value: Value) -> SSAValue:
        """The tensor of a value that has another form."""
        if value.constant is not None:
            return self.code.attribute(value.constant)
        shape = value.type.get_shape()
        if value.element is not None or (value.view and not value.view[0].shape):
            return self.fill(value.as_scalar(self.code), value.type)
        if value.scalar is not None:
            return self.code.value(
                tensor.FromElementsOp.create(
                    operands=[value.scalar], result_types=[value.type]
                )
            )
        source, exprs = value.as_input()
        (result,) = self.generic(
            [(source, exprs)],
            [(self.empty(value.type), tuple(map(AffineDimExpr, range(len(shape)))))],
            [PARALLEL] * len(shape),
            lambda _, arguments: arguments[:1],
        )
        return result

    # Tensors.

    def empty(self, type_: TensorType[Any]) -> SSAValue:
        """A tensor of undefined contents."""
        return self.code.value(tensor.EmptyOp([], type_))

    def fill(self, element: SSAValue, type_: TensorType[Any]) -> SSAValue:
        """A tensor whose elements are all the same."""
        if isinstance(element.type, ComplexType):
            # `linalg.fill` of xDSL takes no complex numbers.
            rank = type_.get_num_dims()
            output = self.empty(type_), identity(rank)
            (result,) = self.generic(
                [(element, ())], [output], [PARALLEL] * rank, lambda _, a: a[:1]
            )
            return result
        return self.code.value(new_fill(element, self.empty(type_), [type_]))

    def generic(
        self,
        inputs: Sequence[tuple[SSAValue, Sequence[AffineExpr]]],
        outputs: Sequence[tuple[SSAValue, Sequence[AffineExpr]]],
        iterators: Sequence[IteratorTypeAttr],
        body: Body,
    ) -> Values:
        """A structured op; the body gets an element of each input and output."""
        both = [*inputs, *outputs]
        types = [_element_of(value) for value, _ in both]
        inner = self.code.inside(types)
        results = body(inner, inner.block.args)
        inner.insert(YieldOp(*results))
        op = GenericOp(
            [value for value, _ in inputs],
            [value for value, _ in outputs],
            Region(inner.block),
            [
                AffineMapAttr(AffineMap(len(iterators), 0, tuple(exprs)))
                for _, exprs in both
            ],
            iterators,
            [value.type for value, _ in outputs],
        )
        return self.code.insert(op).results

    def elementwise(
        self, inputs: Sequence[Value], types: Sequence[TensorType[Any]], body: Body
    ) -> Values:
        """Elements of results from the elements at the same index of values."""
        rank = types[0].get_num_dims()
        read = [value for value in inputs if value.element is None]
        identity = tuple(map(AffineDimExpr, range(rank)))

        def write(inner: ElementBuilder, arguments: Values) -> Values:
            elements = iter(arguments)
            return body(
                inner,
                [
                    next(elements)
                    if value.element is None
                    else inner.attribute(value.element)
                    for value in inputs
                ],
            )

        return self.generic(
            [value.as_input() for value in read],
            [(self.empty(type_), identity) for type_ in types],
            [PARALLEL] * rank,
            write,
        )

    # Indices.

    def start(self, value: Value, is_unsigned: bool, last: int) -> SSAValue:
        """An index from 0 to `last`, as near as possible to a number."""
        number = value.as_scalar(self.code)
        if not is_unsigned:
            index = self.code.value(arith.IndexCastOp(number, INDEX))
            return clamped(self.code, index, last)
        index = self.code.value(IndexCastUIOp(number, INDEX))
        return self.code.value(arith.MinUIOp(index, self.code.index(last)))


def element_at(code: ElementBuilder, value: SSAValue, index: Values) -> SSAValue:
    """An element of a tensor."""
    return code.value(tensor.ExtractOp(value, index, _element_of(value)))


def clamped(code: ElementBuilder, index: SSAValue, last: int) -> SSAValue:
    """An index from 0 to `last`, as near as possible to another."""
    index = code.value(arith.MinSIOp(index, code.index(last)))
    return code.value(arith.MaxSIOp(index, code.index(0)))


def _element_of(value: SSAValue) -> Attribute:
    type_ = value.type
    if isinstance(type_, TensorType):
        return cast("TensorType[Any]", type_).element_type
    return type_


def identity(rank: int) -> tuple[AffineExpr, ...]:
    """The indices of a tensor in its own order."""
    return tuple(map(AffineDimExpr, range(rank)))


def result_type(op: Operation, number: int = 0) -> TensorType[Any]:
    """The type of a result, without signs."""
    return signless_tensor(op.results[number].type)


def check_static(op: StableHLOOp) -> None:
    """All sizes are known; an error at `op` if not."""
    for value in (*op.values, *op.outputs):
        type_ = tensor_type(value)
        if not type_.has_static_shape():
            fail_at(
                op,
                f"'{op.name}' on {type_}: sizes must be known; run "
                "stablehlo-refine-shapes first, with the types of the arguments",
            )
