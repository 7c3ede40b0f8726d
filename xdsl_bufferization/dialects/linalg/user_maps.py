"""Ops whose indexing maps are written by hand: matmuls, contract and elementwise.

    linalg.matmul indexing_maps = [..., affine_map<(m, n, k) -> (n, k)>, ...] ins(...)
    linalg.contract indexing_maps = [...] ins(...) outs(...) -> ...
    linalg.elementwise kind=#linalg.elementwise_kind<add> ins(...) outs(...) -> ...

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgcontract-linalgcontractop and
the sections of the other ops.
"""

from collections.abc import Mapping, Sequence
from typing import Self, TypeVar

from typing_extensions import override
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.linalg.abstract_ops import NamedOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from .attributes import ElementwiseKind, ElementwiseKindAttr, TypeFn, TypeFnAttr
from .effects import StructuredMemoryEffects
from .scalars import (
    Payload,
    UnsupportedPayloadError,
    build_payload,
    elementwise,
    elementwise_arity,
    multiply_add,
)
from .structure import (
    element_type_of,
    rank_of,
    result_types_for,
    verify_shaped,
    verify_structured,
)
from .syntax import (
    parse_operands,
    parse_optional_indexing_maps,
    parse_result_types,
    print_indexing_maps,
    print_operands,
    print_result_types,
    shown_attributes,
    split_properties,
)

# Matrix products: inputs may be transposed or broadcast.


def verify_matmul_maps(
    maps: ArrayAttr[AffineMapAttr], default: ArrayAttr[AffineMapAttr]
) -> None:
    """The maps of a matrix product differ from the default as MLIR allows."""
    if maps == default:
        return
    if len(maps) != len(default):
        raise VerifyException(
            f"expected the number of indexing_map ({len(maps)}) to be equal to the "
            f"number of input/output operands ({len(default)})"
        )
    batched = default.data[0].data.num_dims > _MATMUL_LOOPS
    for own, standard in zip(maps.data[:-1], default.data[:-1], strict=True):
        _verify_input_map(own.data, standard.data, batched)
    output, standard_output = maps.data[-1].data, default.data[-1].data
    if batched and output.results != standard_output.results:
        raise VerifyException("Invalid output map result dimension.")
    if not set(output.results) <= set(standard_output.results):
        raise VerifyException("Unexpected dim expression in map result.")


_MATMUL_LOOPS = 3


def _verify_input_map(own: AffineMap, standard: AffineMap, batched: bool) -> None:
    if not set(own.results) <= set(standard.results):
        raise VerifyException("Unexpected dim expression in map result.")
    contracted = AffineDimExpr(standard.num_dims - 1)
    if len(own.results) >= len(standard.results):
        if batched and own.results[0] != standard.results[0]:
            raise VerifyException("Invalid batch dimension expression.")
        return
    allowed: list[tuple[AffineExpr, ...]] = [(contracted,)]
    if batched:
        allowed.append(standard.results[1:])
    if own.results not in allowed:
        raise VerifyException(
            "Invalid broadcast requested."
            if batched
            else f"Invalid broadcast requested, should be ({contracted})."
        )


class _UserMappedOp(NamedOperation):
    """An op that carries its indexing maps."""

    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])

    traits = traits_def(StructuredMemoryEffects(), Canonicalized())

    @override
    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        return self.indexing_maps

    @override
    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        return [attribute.data for attribute in self.indexing_maps]


@irdl_op_definition
class ContractOp(_UserMappedOp):
    """A sum of products over any loops; those that the output lacks are summed."""

    name = "linalg.contract"

    cast = opt_prop_def(TypeFnAttr)

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        indexing_maps: ArrayAttr[AffineMapAttr],
        *,
        cast: TypeFn | None = None,
        attributes: Mapping[str, Attribute] | None = None,
    ):
        properties: dict[str, Attribute] = {"indexing_maps": indexing_maps}
        if cast is not None:
            properties["cast"] = TypeFnAttr(cast)
        super().__init__(
            ins=inputs,
            outs=outputs,
            result_types=[result_types_for(outputs)],
            properties=properties,
            attributes=attributes,
            hidden_region=_region(
                multiply_add, 2, inputs, outputs, cast or TypeFn.CAST_SIGNED
            ),
        )

    @override
    @classmethod
    def get_hidden_region(
        cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]
    ) -> Region:
        """The payload, for inputs that are converted as signed numbers."""
        return _region(multiply_add, 2, inputs, outputs, TypeFn.CAST_SIGNED)

    @override
    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """Loops of the output are parallel, the others are reductions."""
        maps = self.indexing_maps.data
        output = maps[-1].data if maps else AffineMap(0, 0, ())
        parallel = set(output.results)
        return ArrayAttr(
            IteratorTypeAttr.parallel()
            if AffineDimExpr(loop) in parallel
            else IteratorTypeAttr.reduction()
            for loop in range(output.num_dims)
        )

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        maps = parse_optional_indexing_maps(parser)
        if maps is None:
            parser.raise_error("expected 'indexing_maps' attribute")
        attributes = parser.parse_optional_attr_dict()
        properties, attributes = split_properties(cls, attributes)
        properties["indexing_maps"] = maps
        cast = properties.get("cast")
        kind = cast.data if isinstance(cast, TypeFnAttr) else TypeFn.CAST_SIGNED
        return _parse_rest(cls, parser, properties, attributes, (multiply_add, 2, kind))

    @override
    def print(self, printer: Printer) -> None:
        print_indexing_maps(printer, self.indexing_maps)
        printer.print_op_attributes(shown_attributes(self))
        _print_rest(self, printer)

    @override
    def verify_(self) -> None:
        """The maps describe a contraction, and the shapes fit."""
        _verify_contraction(self)
        verify_structured(self)


def _verify_contraction(op: ContractOp) -> None:
    verify_shaped(op.operands)
    maps = [attribute.data for attribute in op.indexing_maps]
    if len(maps) != len(op.operands) or len(op.inputs) != len(op.outputs) + 1:
        raise VerifyException(
            f"expected the number of indexing_map ({len(maps)}) to be equal to the "
            f"number of input/output operands ({len(op.operands)}): two inputs and "
            "one output"
        )
    if len({map_.num_dims for map_ in maps}) > 1:
        raise VerifyException("iteration spaces of provided affine_maps differ")
    for operand, map_ in zip(op.operands, maps, strict=True):
        if not _is_projected_permutation(map_):
            raise VerifyException("provided affine_map is not a projected permutation")
        if rank_of(operand.type) != len(map_.results):
            raise VerifyException(
                "ranks of shaped operand and results of corresponding affine_map differ"
            )
    _verify_contraction_loops(maps)


def _verify_contraction_loops(maps: Sequence[AffineMap]) -> None:
    lhs, rhs, output = (set(map_.used_dims()) for map_ in maps)
    for loop in range(maps[0].num_dims):
        if loop not in lhs | rhs | output:
            raise VerifyException(
                f"iteration space dim at index {loop} not used to access any operand"
            )
        # A loop of the output alone repeats the same sum.
        if loop not in output and not (loop in lhs and loop in rhs):
            raise VerifyException(
                f"iteration space dim at index {loop} is neither a contracting dim nor "
                "of parallel iteration type"
            )
    if not (lhs & rhs) - output:
        raise VerifyException("'indexing_maps' do not specify a contracting dimension")


def _is_projected_permutation(map_: AffineMap) -> bool:
    results = map_.results
    return len(set(results)) == len(results) and all(
        isinstance(expr, AffineDimExpr) for expr in results
    )


@irdl_op_definition
class ElementwiseOp(_UserMappedOp):
    """A function of one, two or three numbers, element by element."""

    name = "linalg.elementwise"

    kind = prop_def(ElementwiseKindAttr)

    def __init__(
        self,
        kind: ElementwiseKind,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        *,
        indexing_maps: ArrayAttr[AffineMapAttr] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
    ):
        if indexing_maps is None:
            indexing_maps = _identity_maps(outputs, len(inputs) + len(outputs))
        super().__init__(
            ins=inputs,
            outs=outputs,
            result_types=[result_types_for(outputs)],
            properties={
                "kind": ElementwiseKindAttr(kind),
                "indexing_maps": indexing_maps,
            },
            attributes=attributes,
            hidden_region=_region(
                elementwise(kind),
                elementwise_arity(kind),
                inputs,
                outputs,
                TypeFn.CAST_SIGNED,
            ),
        )

    @override
    @classmethod
    def get_hidden_region(
        cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]
    ) -> Region:
        """Not known without the kind."""
        raise NotImplementedError

    @override
    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """All loops are parallel."""
        return ArrayAttr([IteratorTypeAttr.parallel()] * rank_of(self.outputs[0].type))

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        parser.parse_keyword("kind")
        parser.parse_punctuation("=")
        start = parser.pos
        kind = parser.parse_attribute()
        if not isinstance(kind, ElementwiseKindAttr):
            parser.raise_error("expected operation 'kind' attribute", start, parser.pos)
        maps = parse_optional_indexing_maps(parser)
        attributes = parser.parse_optional_attr_dict()
        properties: dict[str, Attribute] = {"kind": kind}
        if maps is not None:
            properties["indexing_maps"] = maps
        payload = (
            elementwise(kind.data),
            elementwise_arity(kind.data),
            TypeFn.CAST_SIGNED,
        )
        return _parse_rest(cls, parser, properties, attributes, payload)

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" kind=")
        printer.print_attribute(self.kind)
        if self.indexing_maps != _identity_maps(self.outputs, len(self.operands)):
            print_indexing_maps(printer, self.indexing_maps)
        printer.print_op_attributes(shown_attributes(self, "kind"))
        _print_rest(self, printer)

    @override
    def verify_(self) -> None:
        """The number of inputs is that of the function, and the shapes fit."""
        arity = elementwise_arity(self.kind.data)
        if len(self.inputs) != arity or len(self.outputs) != 1:
            raise VerifyException(
                f"'{self.kind.data.value}' has {arity} input(s) and one output, but "
                f"got {len(self.inputs)} and {len(self.outputs)}"
            )
        verify_structured(self)


_UserMappedT = TypeVar("_UserMappedT", bound=_UserMappedOp)


def _identity_maps(outputs: Sequence[SSAValue], count: int) -> ArrayAttr[AffineMapAttr]:
    rank = rank_of(outputs[0].type) if outputs else 0
    return ArrayAttr([AffineMapAttr(AffineMap.identity(rank))] * count)


def _region(
    payload: Payload,
    num_inputs: int,
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue],
    kind: TypeFn,
) -> Region:
    if len(inputs) != num_inputs or len(outputs) != 1:
        raise UnsupportedPayloadError(
            f"expected {num_inputs} input(s) and one output, but got {len(inputs)} and "
            f"{len(outputs)}"
        )
    types = [element_type_of(operand.type) for operand in (*inputs, *outputs)]
    return build_payload(payload, types, kind)


def _parse_rest(
    op_type: type[_UserMappedT],
    parser: Parser,
    properties: dict[str, Attribute],
    attributes: dict[str, Attribute],
    payload: tuple[Payload, int, TypeFn],
) -> _UserMappedT:
    """`ins(...) outs(...) -> ...`."""
    start = parser.pos
    inputs = parse_operands(parser, "ins")
    outputs = parse_operands(parser, "outs")
    end = parser.pos
    function, num_inputs, kind = payload
    try:
        region = _region(function, num_inputs, inputs, outputs, kind)
    except UnsupportedPayloadError as error:
        parser.raise_error(str(error), start, end)
    if "indexing_maps" not in properties:
        maps = _identity_maps(outputs, len(inputs) + len(outputs))
        properties["indexing_maps"] = maps
    return op_type.build(
        operands=[inputs, outputs],
        result_types=[parse_result_types(parser)],
        properties=properties,
        attributes=attributes,
        regions=[region],
    )


def _print_rest(op: _UserMappedOp, printer: Printer) -> None:
    print_operands(printer, "ins", op.inputs)
    print_operands(printer, "outs", op.outputs)
    print_result_types(printer, op.res.types)
