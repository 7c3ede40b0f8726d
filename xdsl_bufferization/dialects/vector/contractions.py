"""Ops of MLIR's vector dialect that multiply and reduce.

xDSL 0.74 lacks all of these but `reduction`.

    %0 = vector.contract {indexing_maps = [#a, #b, #c],
        iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z
        : vector<4x8xf32>, vector<8xf32> into vector<4xf32>
    %1 = vector.outerproduct %x, %y, %z {kind = #vector.kind<add>}
        : vector<4xf32>, vector<8xf32>
    %2 = vector.multi_reduction <add>, %x, %acc [1] : vector<4x8xf32> to vector<4xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from collections.abc import Sequence
from typing import ClassVar, Self

from typing_extensions import override
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    VectorType,
    i64,
)
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag, ReductionOp
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineDimExpr
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from .checks import (
    VECTOR,
    IteratorType,
    IteratorTypeAttr,
    make_vector,
    shape_and_scalability,
    vector_type,
)


@irdl_custom_directive
class Kind(CustomDirective):
    """`<kind>`; an unknown kind is refused where it stands, as it is not by xDSL."""

    kind: AttributeVariable

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        with parser.in_angle_brackets():
            kind = parser.parse_str_enum(CombiningKindFlag)
        self.kind.set(state, CombiningKindAttr(kind))

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.kind.print(printer, state, op)


_ADD = CombiningKindAttr(CombiningKindFlag.ADD)
_NO_FLAGS = FastMathFlagsAttr("none")
_OF_INTEGERS = {
    CombiningKindFlag.MINUI,
    CombiningKindFlag.MINSI,
    CombiningKindFlag.MAXUI,
    CombiningKindFlag.MAXSI,
    CombiningKindFlag.AND,
    CombiningKindFlag.OR,
    CombiningKindFlag.XOR,
}
_OF_FLOATS = {
    CombiningKindFlag.MINNUMF,
    CombiningKindFlag.MAXNUMF,
    CombiningKindFlag.MINIMUMF,
    CombiningKindFlag.MAXIMUMF,
}


def verify_kind(kind: CombiningKindAttr, type_: Attribute) -> None:
    """Elements of `type_` can be combined in this way."""
    element = type_.element_type if isa(type_, VectorType) else type_
    integral = isinstance(element, IntegerType | IndexType)
    if (kind.data in _OF_INTEGERS and not integral) or (
        kind.data in _OF_FLOATS and not isinstance(element, AnyFloat)
    ):
        raise VerifyException(f"unsupported reduction type: {kind.data} of '{type_}'")


class ReductionVerifier(ReductionOp):
    """What `vector.reduction` should check."""

    traits = traits_def(Pure())

    @override
    def verify_(self) -> None:
        """The vector has at most one dimension, and the kind fits its elements."""
        type_ = self.vector.type
        if isa(type_, VectorType) and type_.get_num_dims() > 1:
            raise VerifyException(
                f"unsupported reduction rank: {type_.get_num_dims()}; use "
                "vector.multi_reduction"
            )
        verify_kind(self.kind, type_)


@irdl_op_definition
class ContractionOp(IRDLOperation):
    """`acc` combined with the products of `lhs` and `rhs`, reduced along iterators."""

    name = "vector.contract"

    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr[IteratorTypeAttr])
    kind = prop_def(CombiningKindAttr, default_value=_ADD)
    lhs = operand_def(VECTOR)
    rhs = operand_def(VECTOR)
    acc = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    traits = traits_def(Pure())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties = _parse_contraction_trait(parser)
        start = parser.pos
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_type
        )
        parser.parse_keyword("into")
        types.append(parser.parse_type())
        return cls.create(
            operands=parser.resolve_operands(operands, types, start),
            result_types=types[-1:],
            properties=properties,
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        names = [StringAttr(iterator.data.value) for iterator in self.iterator_types]
        trait = {**self.properties, "iterator_types": ArrayAttr(names)}
        printer.print_string(" ")
        printer.print_attribute(DictionaryAttr(dict(sorted(trait.items()))))
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)
        printer.print_string(", ")
        printer.print_attribute(self.rhs.type)
        printer.print_string(" into ")
        printer.print_attribute(self.result.type)

    @override
    def verify_(self) -> None:
        """Maps and operands agree on the size of each iterator."""
        verify_kind(self.kind, self.result.type)
        if self.acc.type != self.result.type:
            raise VerifyException(
                "expected accumulator and result to have the same type: "
                f"'{self.acc.type}' and '{self.result.type}'"
            )
        operands = (self.lhs, self.rhs, self.acc)
        if len(self.indexing_maps) != len(operands):
            raise VerifyException(
                "expected an indexing map for each vector operand, but got "
                f"{len(self.indexing_maps)}"
            )
        sizes: dict[int, int] = {}
        for index, (map_, operand) in enumerate(
            zip(self.indexing_maps, operands, strict=True)
        ):
            _verify_contraction_map(index, map_, operand.type, len(self.iterator_types))
            _collect_sizes(index, map_, operand.type, sizes)
        _verify_iterators(self.iterator_types, self.indexing_maps.data[2])
        _verify_factors(self.iterator_types, self.indexing_maps)


def _positions(map_: AffineMapAttr) -> list[int]:
    """The iterators that a map leads to an operand's dimensions."""
    return [e.position for e in map_.data.results if isinstance(e, AffineDimExpr)]


def _verify_factors(
    iterators: ArrayAttr[IteratorTypeAttr], maps: ArrayAttr[AffineMapAttr]
) -> None:
    """Each iterator is one of a factor, and a reduction is along one of both."""
    lhs, rhs = (set(_positions(map_)) for map_ in maps.data[:2])
    if len(lhs | rhs) != len(iterators):
        raise VerifyException(
            "expected all dimensions to be either a LHS or a RHS dimension"
        )
    kinds = [iterators.data[position].data for position in lhs & rhs]
    if IteratorType.REDUCTION not in kinds:
        raise VerifyException("expected at least one contracting dimension pair")


def _parse_contraction_trait(parser: Parser) -> dict[str, Attribute]:
    start = parser.pos
    trait = parser.parse_attribute()
    if not isinstance(trait, DictionaryAttr):
        parser.raise_error("expected a dictionary of attributes", start, parser.pos)
    properties = dict(trait.data)
    iterators = properties.get("iterator_types")
    if not isa(iterators, ArrayAttr[StringAttr]):
        parser.raise_error(
            "expected an array of strings 'iterator_types'", start, parser.pos
        )
    try:
        properties["iterator_types"] = ArrayAttr(
            IteratorTypeAttr(IteratorType(iterator.data)) for iterator in iterators
        )
    except ValueError as error:
        parser.raise_error(str(error), start, parser.pos)
    properties.setdefault("kind", _ADD)
    return properties


def _verify_contraction_map(
    index: int, map_: AffineMapAttr, type_: Attribute, iterators: int
) -> None:
    what = f"indexing map {index}"
    if map_.data.num_symbols:
        raise VerifyException(f"expected {what} to have no symbols")
    if map_.data.num_dims != iterators:
        raise VerifyException(
            f"expected {what} to have {iterators} number of inputs, but it has "
            f"{map_.data.num_dims}"
        )
    rank = type_.get_num_dims() if isa(type_, VectorType) else 0
    if len(map_.data.results) != rank:
        raise VerifyException(
            f"expected {what} to have {rank} number of outputs, but it has "
            f"{len(map_.data.results)}"
        )
    positions = _positions(map_)
    if len(positions) != rank or len(set(positions)) != rank:
        raise VerifyException(
            f"expected {what} to be a projected permutation of its inputs"
        )


def _collect_sizes(
    index: int, map_: AffineMapAttr, type_: Attribute, sizes: dict[int, int]
) -> None:
    """Note the size of each iterator, unless another operand gave another one."""
    shape: Sequence[int] = type_.get_shape() if isa(type_, VectorType) else ()
    for result, size in zip(map_.data.results, shape, strict=True):
        if isinstance(result, AffineDimExpr):
            known = sizes.setdefault(result.position, size)
            if known != size:
                raise VerifyException(
                    f"invalid contracting dimension map: dimension {result.position} "
                    f"has size {size} in operand {index}, but {known} before it"
                )


def _verify_iterators(
    iterators: ArrayAttr[IteratorTypeAttr], result: AffineMapAttr
) -> None:
    """The result has exactly the parallel iterators."""
    kept = _positions(result)
    for position, iterator in enumerate(iterators):
        if (iterator.data is IteratorType.PARALLEL) != (position in kept):
            raise VerifyException(
                f"invalid accumulator/result vector shape: iterator {position} is "
                f"{iterator.data.value}, but the map of the result is {result}"
            )


@irdl_op_definition
class OuterProductOp(IRDLOperation):
    """All products of an element of `lhs` and one of `rhs`, combined with `acc`."""

    name = "vector.outerproduct"

    lhs = operand_def(VECTOR)
    rhs = operand_def(AnyAttr())
    acc = opt_operand_def(VECTOR)
    kind = prop_def(CombiningKindAttr, default_value=_ADD)
    result = result_def(VECTOR)

    traits = traits_def(Pure())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        lhs = parser.parse_type()
        parser.parse_punctuation(",")
        rhs = parser.parse_type()
        if not isa(lhs, VectorType):
            parser.raise_error("expected vector type for operand #1", start, parser.pos)
        result = _product_type(lhs, rhs)
        types = [lhs, rhs, result][: max(2, len(operands))]
        return cls.create(
            operands=parser.resolve_operands(operands, types, start),
            result_types=[result],
            properties={"kind": attributes.pop("kind", _ADD)},
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        shown = {**self.attributes}
        if self.acc is not None or self.kind != _ADD:
            shown["kind"] = self.kind
        printer.print_op_attributes(shown)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)
        printer.print_string(", ")
        printer.print_attribute(self.rhs.type)

    @override
    def verify_(self) -> None:
        """The result has the size of `lhs`, then that of `rhs`."""
        lhs, rhs = self.lhs.type, self.rhs.type
        if isa(lhs, VectorType) and lhs.get_num_dims() != 1:
            raise VerifyException(f"expected 1-d vector for operand #1, got '{lhs}'")
        if isa(rhs, VectorType) and rhs.get_num_dims() != 1:
            raise VerifyException(f"expected 1-d vector for operand #2, got '{rhs}'")
        if isa(lhs, VectorType) and self.result.type != _product_type(lhs, rhs):
            raise VerifyException(
                f"expected result of type '{_product_type(lhs, rhs)}', got "
                f"'{self.result.type}'"
            )
        if isa(rhs, VectorType) and _is_scalable(lhs) and not _is_scalable(rhs):
            raise VerifyException(
                "expected either both or only #2 operand dim to be scalable: "
                f"'{lhs}' and '{rhs}'"
            )
        if self.acc is not None and self.acc.type != self.result.type:
            raise VerifyException(
                "expected operand #3 of same type as result type: "
                f"'{self.acc.type}' and '{self.result.type}'"
            )
        verify_kind(self.kind, lhs)


def _is_scalable(type_: Attribute) -> bool:
    return isa(type_, VectorType) and any(map(bool, type_.get_scalable_dims()))


def _product_type(lhs: VectorType, rhs: Attribute) -> VectorType:
    dimensions = shape_and_scalability(lhs)
    if isa(rhs, VectorType):
        dimensions += shape_and_scalability(rhs)
    return make_vector(lhs.element_type, dimensions)


@irdl_op_definition
class MultiReductionOp(IRDLOperation):
    """`acc` combined with all elements along some dimensions."""

    name = "vector.multi_reduction"

    T: ClassVar = VarConstraint("T", AnyAttr())

    kind = prop_def(CombiningKindAttr)
    source = operand_def(VECTOR)
    acc = operand_def(T)
    reduction_dims = prop_def(DenseArrayBase.constr(i64))
    dest = result_def(T)

    traits = traits_def(Pure())
    custom_directives = (Kind,)
    assembly_format = (
        "custom<Kind>($kind) `,` $source `,` $acc $reduction_dims attr-dict `:` "
        "type($source) `to` type($dest)"
    )

    @override
    def verify_(self) -> None:
        """The result has the dimensions that are not reduced."""
        source = self.source.type
        if not isa(source, VectorType):
            return
        verify_kind(self.kind, source)
        reduced = set(self.reduction_dims.get_values())
        rank = source.get_num_dims()
        if any(not 0 <= dim < rank for dim in reduced):
            raise VerifyException(
                f"reduction dims {sorted(reduced)} are not all dimensions of '{source}'"
            )
        kept = [
            dimension
            for index, dimension in enumerate(shape_and_scalability(source))
            if index not in reduced
        ]
        expected = make_vector(source.element_type, kept)
        scalar = source.element_type if not kept else expected
        if self.dest.type not in (expected, scalar):
            raise VerifyException(
                f"destination type '{self.dest.type}' is incompatible with source type "
                f"'{source}': expected '{scalar}'"
            )


@irdl_op_definition
class ScanOp(IRDLOperation):
    """The running combinations of elements along one dimension."""

    name = "vector.scan"

    S: ClassVar[VarConstraint[VectorType]] = VarConstraint("S", VECTOR)
    V: ClassVar[VarConstraint[VectorType]] = VarConstraint("V", VECTOR)

    kind = prop_def(CombiningKindAttr)
    source = operand_def(S)
    initial_value = operand_def(V)
    reduction_dim = prop_def(IntegerAttr[I64])
    inclusive = prop_def(BoolAttr)
    dest = result_def(S)
    accumulated_value = result_def(V)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` "
        "type($initial_value)"
    )

    @override
    def verify_(self) -> None:
        """The initial value has all dimensions but the scanned one."""
        source, initial = vector_type(self.source), vector_type(self.initial_value)
        dim = self.reduction_dim.value.data
        dimensions = shape_and_scalability(source)
        if not 0 <= dim < len(dimensions):
            raise VerifyException(
                f"reduction dimension {dim} has to be less than {len(dimensions)}"
            )
        expected = dimensions[:dim] + dimensions[dim + 1 :]
        if shape_and_scalability(initial) != expected:
            raise VerifyException(
                f"incompatible input/initial value shapes: '{source}' and '{initial}'"
            )
        verify_kind(self.kind, source)
