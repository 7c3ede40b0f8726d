"""`linalg.map`, `reduce`, `transpose` and `broadcast`: loops without indexing maps.

    %0 = linalg.map { arith.addf } ins(%a, %b : ...) outs(%c : ...)
    %1 = linalg.reduce ins(%a : ...) outs(%c : ...) dimensions = [1]
      (%in: f32, %init: f32) {
        ...
      }

xDSL 0.74 has no `map`, one input and init of `reduce`, no attributes on the others.
Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgmap-linalgmapop and the
sections of the other ops.
"""

from collections.abc import Sequence
from typing import ClassVar, Self

from typing_extensions import override
from xdsl.dialects.builtin import (
    AnyTensorType,
    DenseArrayBase,
    MemRefType,
    i64,
)
from xdsl.dialects.linalg import ops
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from .effects import StructuredMemoryEffects
from .one_op_body import find_one_op, parse_body, parse_one_op, print_body, print_one_op
from .scalars import UnsupportedPayloadError, build_payload, first
from .structure import (
    HasStructure,
    Structure,
    element_type_of,
    rank_of,
    result_types_for,
    shape_of,
    verify_body,
    verify_destinations,
    verify_pure_semantics,
    verify_structured,
)
from .syntax import (
    parse_integers,
    parse_operands,
    print_integers,
    print_operands,
    shown_attributes,
    split_properties,
)

_SHAPED = base(MemRefType) | base(AnyTensorType)


@irdl_op_definition
class MapOp(HasStructure):
    """A function of the elements of the inputs at one place, at every place."""

    name = "linalg.map"

    inputs = var_operand_def(_SHAPED)
    init = operand_def(_SHAPED)
    result = var_result_def(AnyTensorType)
    mapper = region_def("single_block")

    traits = traits_def(
        StructuredMemoryEffects(), RecursiveMemoryEffect(), Canonicalized()
    )

    def __init__(self, inputs: Sequence[SSAValue], init: SSAValue, mapper: Region):
        super().__init__(
            operands=[inputs, init],
            result_types=[result_types_for([init])],
            regions=[mapper],
        )

    @override
    def structure(self) -> Structure:
        rank = rank_of(self.init.type)
        maps = [AffineMap.identity(rank)] * len(self.operands)
        iterators = [IteratorTypeAttr.parallel()] * rank
        return Structure(self.inputs, [self.init], maps, iterators, self.mapper)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        short = parse_one_op(parser)
        inputs = parse_operands(parser, "ins")
        outputs = parse_operands(parser, "outs")
        attributes = parser.parse_optional_attr_dict()
        if short is None:
            body = parse_body(parser)
        else:
            body = short.build(parser, inputs, outputs, takes_output=False)
        return cls.create(
            operands=[*inputs, *outputs],
            result_types=result_types_for(outputs),
            attributes=attributes,
            regions=[body],
        )

    @override
    def print(self, printer: Printer) -> None:
        short = find_one_op(self.mapper, takes_output=False)
        if short is not None:
            print_one_op(printer, short)
        print_operands(printer, "ins", self.inputs)
        print_operands(printer, "outs", [self.init])
        printer.print_op_attributes(shown_attributes(self))
        if short is None:
            print_body(printer, self.mapper)

    @override
    def verify_(self) -> None:
        """All operands have one shape, and the body takes their elements."""
        verify_pure_semantics(self.operands)
        _verify_arguments(self.mapper, self.operands)
        output = shape_of(self.init.type)
        for value in self.inputs:
            if shape_of(value.type) != output:
                raise VerifyException(
                    f"expected shape of input {shape_of(value.type)} to match shape of "
                    f"output {output}"
                )
        verify_destinations([self.init], self.result)
        verify_body(self.mapper)


def _verify_arguments(body: Region, operands: Sequence[SSAValue]) -> None:
    arguments = body.block.args
    if len(arguments) != len(operands):
        raise VerifyException(
            "expects number of operands to match the arity of mapper, but got: "
            f"{len(operands)} and {len(arguments)}"
        )
    for index, (argument, operand) in enumerate(zip(arguments, operands, strict=True)):
        expected = element_type_of(operand.type)
        if argument.type != expected:
            raise VerifyException(
                f"expected element type of operand #{index} ({expected}) to match "
                f"bbArg type {argument.type}"
            )


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """Combine elements along some dimensions, for one or more inputs at once."""

    name = "linalg.reduce"

    inputs = var_operand_def(_SHAPED)
    inits = var_operand_def(_SHAPED)
    dimensions = prop_def(DenseArrayBase.constr(i64))
    result = var_result_def(AnyTensorType)
    region = region_def("single_block")

    irdl_options = (SameVariadicOperandSize(),)

    traits = traits_def(
        StructuredMemoryEffects(), RecursiveMemoryEffect(), Canonicalized()
    )

    @property
    def input(self) -> SSAValue:
        """The first input; xDSL knows only one."""
        return self.inputs[0]

    @property
    def init(self) -> SSAValue:
        """The first init; xDSL knows only one."""
        return self.inits[0]

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        short = parse_one_op(parser)
        start = parser.pos
        inputs = parse_operands(parser, "ins")
        outputs = parse_operands(parser, "outs")
        if len(inputs) != len(outputs):
            parser.raise_error(
                f"expected as many inits as inputs, but got {len(inputs)} inputs and "
                f"{len(outputs)} inits",
                start,
                parser.pos,
            )
        dimensions = parse_integers(parser, "dimensions")
        attributes = parser.parse_optional_attr_dict()
        if short is None:
            body = parse_body(parser)
        else:
            body = short.build(parser, inputs, outputs, takes_output=True)
        return cls.create(
            operands=[*inputs, *outputs],
            result_types=result_types_for(outputs),
            properties={"dimensions": dimensions},
            attributes=attributes,
            regions=[body],
        )

    @override
    def print(self, printer: Printer) -> None:
        short = find_one_op(self.region, takes_output=True)
        if short is not None:
            print_one_op(printer, short)
        print_operands(printer, "ins", self.inputs)
        print_operands(printer, "outs", self.inits)
        print_integers(printer, "dimensions", self.dimensions.get_values())
        printer.print_op_attributes(shown_attributes(self, "dimensions"))
        if short is None:
            print_body(printer, self.region)

    @override
    def verify_(self) -> None:
        """The inits have the shape of the inputs without `dimensions`."""
        if not self.inputs:
            raise VerifyException("expected at least one input and one init")
        verify_pure_semantics(self.operands)
        _verify_same_shapes("input", self.inputs)
        _verify_same_shapes("output", self.inits)
        _verify_reduced_shape(
            shape_of(self.inputs[0].type),
            shape_of(self.inits[0].type),
            self.dimensions.get_values(),
        )
        _verify_reduce_arguments(self.region, self.operands)
        verify_destinations(self.inits, self.result)
        verify_body(self.region)


def _verify_same_shapes(what: str, values: Sequence[SSAValue]) -> None:
    for index, value in enumerate(values):
        if shape_of(value.type) != shape_of(values[0].type):
            raise VerifyException(
                f"expects all {what}s to have the same shapes. Shape at {what}-index "
                f"{index} is not equal to the shape at {what}-index 0."
            )


def _verify_reduced_shape(
    shape: Sequence[int], reduced_shape: Sequence[int], dimensions: Sequence[int]
) -> None:
    if list(dimensions) != sorted(set(dimensions)):
        raise VerifyException(
            "attribute 'dimensions' failed to satisfy constraint: i64 dense array "
            "attribute should be in increasing order"
        )
    rank = len(shape)
    if any(not 0 <= dimension < rank for dimension in dimensions):
        raise VerifyException(
            f"dimensions for reduction should be in the range [0, {rank - 1}]."
        )
    kept = [size for d, size in enumerate(shape) if d not in dimensions]
    if len(kept) != len(reduced_shape):
        raise VerifyException(
            f"number of dimensions after reduction {len(kept)} doesn't match the init "
            f"rank {len(reduced_shape)}"
        )
    if kept != list(reduced_shape):
        raise VerifyException(
            f"init dimensions {list(reduced_shape)} doesn't match input dimensions "
            f"after reduction {kept}"
        )


def _verify_reduce_arguments(body: Region, operands: Sequence[SSAValue]) -> None:
    arguments = body.block.args
    if len(arguments) != len(operands):
        raise VerifyException("mismatching number of operands and block arguments")
    for argument, operand in zip(arguments, operands, strict=True):
        expected = element_type_of(operand.type)
        if argument.type != expected:
            raise VerifyException(
                f"input element type {expected} does not match corresponding block "
                f"argument type {argument.type}"
            )


# One input, one init, and a body that nobody sees.


class OneToOneOp(IRDLOperation):
    """The text of an op that moves the elements of an input to places in an init."""

    KEYWORD: ClassVar[str]
    """The property with the numbers of dimensions."""

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `ins(%a : type) outs(%b : type) KEYWORD = [...]`."""
        start = parser.pos
        inputs = parse_operands(parser, "ins")
        outputs = parse_operands(parser, "outs")
        if len(inputs) != 1 or len(outputs) != 1:
            parser.raise_error("expected one input and one init", start, parser.pos)
        numbers = parse_integers(parser, cls.KEYWORD)
        attributes = parser.parse_optional_attr_dict()
        types = [element_type_of(value.type) for value in (*inputs, *outputs)]
        try:
            body = build_payload(first, types)
        except UnsupportedPayloadError as error:
            parser.raise_error(str(error), start, parser.pos)
        properties, attributes = split_properties(cls, attributes)
        return cls.create(
            operands=[*inputs, *outputs],
            result_types=result_types_for(outputs),
            properties={cls.KEYWORD: numbers, **properties},
            attributes=attributes,
            regions=[body],
        )

    @override
    def print(self, printer: Printer) -> None:
        numbers = self.properties[self.KEYWORD]
        assert isinstance(numbers, DenseArrayBase)
        print_operands(printer, "ins", self.operands[:1])
        print_operands(printer, "outs", self.operands[1:])
        print_integers(printer, self.KEYWORD, list(map(int, numbers.get_values())))
        printer.print_op_attributes(shown_attributes(self, self.KEYWORD))


class TransposeOp(OneToOneOp, ops.TransposeOp):
    """What `linalg.transpose` should do differently."""

    KEYWORD: ClassVar = "permutation"

    traits = traits_def(StructuredMemoryEffects(), Canonicalized())

    @override
    def verify_(self) -> None:
        """The init has the shape of the input, permuted."""
        if len(self.inputs) != 1 or len(self.outputs) != 1:
            raise VerifyException("expected one input and one init")
        permutation = self.permutation.get_values()
        shape, permuted = (shape_of(value.type) for value in self.operands)
        if sorted(permutation) != list(range(len(permutation))):
            raise VerifyException("permutation is not valid")
        if len(shape) != len(permuted):
            raise VerifyException(
                f"input rank {len(shape)} does not match init rank {len(permuted)}"
            )
        if len(shape) != len(permutation):
            raise VerifyException(
                f"size of permutation {len(permutation)} does not match the argument "
                f"rank {len(shape)}"
            )
        for d, (size, source) in enumerate(zip(permuted, permutation, strict=True)):
            if size != shape[source]:
                raise VerifyException(
                    f"dim(result, {d}) = {size} doesn't match dim(input, "
                    f"permutation[{d}]) = {shape[source]}"
                )
        verify_structured(self)


class BroadcastOp(OneToOneOp, ops.BroadcastOp):
    """What `linalg.broadcast` should do differently."""

    KEYWORD: ClassVar = "dimensions"

    traits = traits_def(StructuredMemoryEffects(), Canonicalized())

    @override
    def verify_(self) -> None:
        """The init has the shape of the input, with `dimensions` added."""
        verify_pure_semantics(self.operands)
        _verify_broadcast_shape(
            shape_of(self.input.type),
            shape_of(self.init.type),
            self.dimensions.get_values(),
        )
        verify_destinations([self.init], self.result)
        verify_body(self.hidden_region)


def _verify_broadcast_shape(
    shape: Sequence[int], full_shape: Sequence[int], dimensions: Sequence[int]
) -> None:
    rank = len(full_shape)
    if len(shape) + len(dimensions) != rank:
        raise VerifyException(
            "input rank plus added dimensions does not match init rank. input rank: "
            f"{len(shape)}, dimensions size: {len(dimensions)}, init rank: {rank}"
        )
    for index, dimension in enumerate(dimensions):
        if not 0 <= dimension < rank:
            raise VerifyException(
                f"dimension {index} is out of range. expected range: [0, {rank - 1}], "
                f"got: {dimension}"
            )
    if len(set(dimensions)) != len(dimensions):
        raise VerifyException(f"dimensions {list(dimensions)} repeat one of them")
    kept = [d for d in range(rank) if d not in dimensions]
    for d, full in enumerate(kept):
        if shape[d] != full_shape[full]:
            raise VerifyException(
                f"input dim {d} should match init dim {full}. input: {shape[d]}, init: "
                f"{full_shape[full]}"
            )
