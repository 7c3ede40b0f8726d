"""Op classes for the rows of the table of named ops.

Every row of `table.py` becomes a class. Where xDSL has a class for an op, that one is
amended instead: it learns MLIR's assembly, payload, attributes and verification.

    linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>} ins(..) outs(..)
    linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(...) outs(...) -> ...
    linalg.matmul indexing_maps = [...] ins(...) outs(...) -> ...

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#operations
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, Self

from typing_extensions import override
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseIntElementsAttr,
    IntegerType,
    i64,
)
from xdsl.dialects.linalg import Linalg
from xdsl.dialects.linalg.abstract_ops import NamedOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xdsl_bufferization.support.identity_cache import cached_by_identity

from ..common.canonicalized import Canonicalized
from ..common.making import make
from ..common.signatures import Signatures
from .attributes import TypeFn, TypeFnAttr
from .effects import StructuredMemoryEffects
from .scalars import UnsupportedPayloadError, build_payload
from .structure import element_type_of, rank_of, result_types_for, verify_structured
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
from .table import NAMED_OPS, NamedOp
from .user_maps import verify_matmul_maps

MAPPED_OPS = ("linalg.matmul", "linalg.batch_matmul", "linalg.batch_reduce_matmul")
"""Ops whose indexing maps may be replaced, to transpose or broadcast an input."""


class TableOp(NamedOperation):
    """A named op whose meaning is a row of the table."""

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue] = (),
        res: Sequence[Attribute] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        *,
        properties: Mapping[str, Attribute] | None = None,
    ):
        if res is None:
            res = result_types_for(outputs)
        super().__init__(
            ins=inputs,
            outs=outputs,
            result_types=[res],
            attributes=attributes,
            properties=properties,
            hidden_region=build_region(
                NAMED_OPS[self.name], inputs, outputs, properties or {}
            ),
        )

    @override
    @classmethod
    def get_hidden_region(
        cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]
    ) -> Region:
        """The payload, for inputs that are converted as signed numbers."""
        return build_region(NAMED_OPS[cls.name], inputs, outputs, {})

    @override
    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The maps of the row, or those that were written."""
        maps = self.properties.get("indexing_maps")
        if maps is not None and isa(maps, ArrayAttr[AffineMapAttr]):
            return maps
        row = NAMED_OPS[self.name]
        strides, dilations = (
            window_sizes(self.properties.get(name), row.num_windows)
            for name in ("strides", "dilations")
        )
        return row.indexing_maps(rank_of(self.outputs[0].type), strides, dilations)

    @override
    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        """As `get_indexing_maps`, without attributes around them."""
        return [attribute.data for attribute in self.get_indexing_maps()]

    @override
    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """The kinds of the loops."""
        return NAMED_OPS[self.name].iterator_types(rank_of(self.outputs[0].type))

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        row = NAMED_OPS[cls.name]
        maps = parse_optional_indexing_maps(parser)
        attributes = parser.parse_optional_attr_dict()
        start = parser.pos
        inputs = parse_operands(parser, "ins")
        outputs = parse_operands(parser, "outs")
        end = parser.pos
        if parser.parse_optional_keyword("attrs") is not None:
            # As xDSL's own classes print them.
            parser.parse_punctuation("=")
            attributes |= parser.parse_optional_attr_dict()
        properties, attributes = split_properties(cls, attributes)
        if maps is not None:
            if row.name not in MAPPED_OPS:
                parser.raise_error(f"'{row.name}' has fixed indexing maps")
            properties["indexing_maps"] = maps
        try:
            region = build_region(row, inputs, outputs, properties)
        except UnsupportedPayloadError as error:
            parser.raise_error(str(error), start, end)
        return make(
            cls,
            operands=[inputs, outputs],
            result_types=[parse_result_types(parser)],
            properties=properties,
            attributes=attributes,
            regions=[region],
        )

    def finish_as_xdsl(self, op_type: type[NamedOperation]) -> None:
        """Take xDSL's payload where that only adds in another order than MLIR's.

        The text of a named op does not show its payload, so that whoever reads the op
        in xDSL expects xDSL's.
        """
        if not all(
            isa(element_type_of(operand.type), AnyFloat | IntegerType)
            for operand in self.operands
        ):
            # xDSL has no payload for elements such as indices, complex and vectors.
            return
        try:
            theirs = op_type.get_hidden_region(self.inputs, self.outputs)
        except AssertionError:  # Nor for a convolution of f16 that is summed in f32.
            return
        if _steps(theirs) == _steps(self.body):
            self.regions = (theirs,)
            theirs.parent = self

    @override
    def print(self, printer: Printer) -> None:
        row = NAMED_OPS[self.name]
        maps = self.properties.get("indexing_maps")
        if maps is not None and maps != row.indexing_maps(0):
            print_indexing_maps(printer, maps)
        printer.print_op_attributes(shown_attributes(self))
        print_operands(printer, "ins", self.inputs)
        print_operands(printer, "outs", self.outputs)
        print_result_types(printer, self.res.types)

    @override
    def verify_(self) -> None:
        """Check operands, windows, maps, shapes and payload."""
        verify_table_op(self)


_Step = tuple[type[Operation], tuple[Attribute, ...], frozenset[int]]


def _steps(body: Region) -> list[_Step]:
    """The ops of a payload, what they make, and of which arguments and earlier ops."""
    block = body.block
    numbers: dict[SSAValue, int] = {
        value: number
        for number, value in enumerate(
            (*block.args, *(result for op in block.ops for result in op.results))
        )
    }
    return [
        (
            type(op),
            tuple(op.result_types),
            frozenset(numbers[operand] for operand in op.operands),
        )
        for op in block.ops
    ]


def verify_table_op(op: NamedOperation) -> None:
    """Check a named op against its row."""
    _sound.check(op, _verify_row)
    verify_structured(op)


_sound: Final = Signatures()


def _verify_row(op: NamedOperation) -> None:
    """Check operands and windows, and the maps that were written."""
    row = NAMED_OPS[op.name]
    if len(op.outputs) != 1 or len(op.inputs) != row.num_inputs:
        raise VerifyException(
            f"expected {row.num_inputs} input and 1 output operand(s), but got "
            f"{len(op.inputs)} and {len(op.outputs)}"
        )
    for name in ("strides", "dilations"):
        verify_window(name, op.properties.get(name), row.num_windows)
    if isinstance(op, FillOp):
        _verify_fill(op)
    if row.name in MAPPED_OPS:
        verify_matmul_maps(op.get_indexing_maps(), row.indexing_maps(0))


def _verify_fill(op: FillOp) -> None:
    if rank_of(op.inputs[0].type):
        raise VerifyException("expected op with scalar input")
    value, element = op.inputs[0].type, element_type_of(op.outputs[0].type)
    if value != element:
        raise VerifyException(
            f"expected fill value type ({value}) to match output element type "
            f"({element})"
        )


def verify_window(name: str, sizes: Attribute | None, count: int) -> None:
    """Strides and dilations are one integer for each dimension of a window."""
    if sizes is None:
        return
    if not isa(sizes, DenseIntElementsAttr) or sizes.get_element_type() != i64:
        raise VerifyException(f"incorrect element type for index attribute '{name}'")
    if tuple(sizes.get_shape()) != (count,):
        raise VerifyException(f"incorrect shape for index attribute '{name}'")
    if any(size < 0 for size in sizes.get_values()):
        raise VerifyException(f"'{name}' must not be negative")


@cached_by_identity
def window_sizes(sizes: Attribute | None, count: int) -> Sequence[int]:
    """One integer for each dimension of a window; 1 where nothing is said."""
    # Most ops have no window, and checking for a constraint takes long.
    if sizes is None:
        return [1] * count
    if isa(sizes, DenseIntElementsAttr) and len(sizes) == count:
        return sizes.get_values()
    return [1] * count


def build_region(
    row: NamedOp,
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue],
    properties: Mapping[str, Attribute],
) -> Region:
    """The payload of an op; raises `UnsupportedPayloadError`."""
    operands = (*inputs, *outputs)
    if len(operands) != len(row.operands):
        raise UnsupportedPayloadError(
            f"'{row.name}' has {len(row.operands)} operands, but got {len(operands)}"
        )
    cast = properties.get("cast")
    kind = cast.data if isinstance(cast, TypeFnAttr) else TypeFn.CAST_SIGNED
    types = [element_type_of(operand.type) for operand in operands]
    return build_payload(row.payload, types, kind)


# The classes.


def define(row: NamedOp) -> type[IRDLOperation]:
    """The class of a row."""
    words = row.name.removeprefix("linalg.").split("_")
    members: dict[str, Any] = {
        name: member
        for name, member in vars(TableOp).items()
        # A class is amended with what it has itself, not with what it inherits.
        if not name.startswith("_")
    }
    members |= {
        "name": row.name,
        "traits": traits_def(StructuredMemoryEffects(), Canonicalized()),
        "__annotations__": {},
        "__doc__": f"`{row.name}`; see the table of named ops.",
        "__module__": __name__,
    }
    if row.num_windows:
        members["strides"] = opt_prop_def(DenseIntElementsAttr)
        members["dilations"] = opt_prop_def(DenseIntElementsAttr)
    if row.may_cast:
        members["cast"] = opt_prop_def(TypeFnAttr)
    if row.name in MAPPED_OPS:
        members["indexing_maps"] = prop_def(
            ArrayAttr[AffineMapAttr], default_value=row.indexing_maps(0)
        )
    class_name = "".join(word.capitalize() for word in words) + "Op"
    return irdl_op_definition(type(class_name, (TableOp,), members))


OPERATIONS = tuple(map(define, NAMED_OPS.values()))
"""The named ops."""


def make_named(
    name: str, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]
) -> NamedOperation:
    """A named op, of xDSL's class where it has one, with the payload of its row."""
    return _types()[name].build(
        operands=[inputs, outputs],
        result_types=[result_types_for(outputs)],
        regions=[build_region(NAMED_OPS[name], inputs, outputs, {})],
    )


@cache
def _types() -> dict[str, type[NamedOperation]]:
    in_xdsl = {op_type.name: op_type for op_type in Linalg.operations}
    types = (in_xdsl.get(op_type.name, op_type) for op_type in OPERATIONS)
    return {each.name: each for each in types if issubclass(each, NamedOperation)}
