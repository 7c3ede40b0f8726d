"""Ops of MLIR's vector dialect around masks, and `vector.print`.

xDSL 0.74 lacks `constant_mask`, `mask` and `yield`, and the format of `print`.

    %0 = vector.constant_mask [2, 3] : vector<4x8xi1>
    %1 = vector.mask %0 { vector.transfer_read %m[%i, %j], %f
        : memref<?x?xf32>, vector<4x8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
    vector.print %1 : vector<4x8xf32>

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from collections.abc import Sequence
from typing import Self

from typing_extensions import override
from xdsl.dialects import vector
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    IndexType,
    IntegerType,
    StringAttr,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect, ReturnLike
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xdsl_bufferization.support.errors import fail_at

from .checks import Punctuation, PunctuationAttr
from .masked_ops import expected_mask, takes_pass_through

_MASK = VectorType.constr(i1)
_PRINTABLE = IntegerType | IndexType | AnyFloat | VectorType
_NEWLINE = PunctuationAttr(Punctuation.NEWLINE)


@irdl_op_definition
class YieldOp(IRDLOperation):
    """What the region of a vector op gives to it."""

    name = "vector.yield"

    arguments = var_operand_def(AnyAttr())

    traits = traits_def(Pure(), IsTerminator(), ReturnLike())
    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"


@irdl_op_definition
class CreateMaskOp(IRDLOperation):
    """A mask of the first elements of each dimension, as many as the operands say."""

    name = "vector.create_mask"

    mask_dim_sizes = var_operand_def(IndexType())
    mask_vector = result_def(_MASK)

    traits = traits_def(Pure())
    assembly_format = "$mask_dim_sizes attr-dict `:` type($mask_vector)"

    @override
    def verify_(self) -> None:
        """There is a size for each dimension, and one for a single element."""
        rank = max(1, self.mask_vector.type.get_num_dims())
        if len(self.mask_dim_sizes) != rank:
            raise VerifyException(
                "must specify an operand for each result vector dimension: "
                f"{len(self.mask_dim_sizes)} for '{self.mask_vector.type}'"
            )


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """A mask of the first elements of each dimension, as many as the attribute says."""

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    mask_vector = result_def(_MASK)

    traits = traits_def(Pure())
    assembly_format = "$mask_dim_sizes attr-dict `:` type($mask_vector)"

    @override
    def verify_(self) -> None:
        """There is a size for each dimension, and none is larger than it."""
        sizes = self.mask_dim_sizes.get_values()
        type_ = self.mask_vector.type
        shape = type_.get_shape() or (1,)
        if len(sizes) != len(shape):
            raise VerifyException(
                "must specify array attr of size equal vector result rank: "
                f"{len(sizes)} for '{type_}'"
            )
        if any(not 0 <= n <= bound for n, bound in zip(sizes, shape, strict=True)):
            raise VerifyException(
                f"array attr of size out of bounds of vector result dimension size: "
                f"{list(sizes)} for '{type_}'"
            )
        if 0 in sizes and any(sizes):
            raise VerifyException(
                "expected all mask dim sizes to be zeros, as a result of conjunction "
                f"with zero mask dim, not {list(sizes)}"
            )
        scalable = type_.get_scalable_dims()
        for flag, size, bound in zip(scalable, sizes, shape, strict=False):
            if flag and size not in (0, bound):
                raise VerifyException(
                    "expected mask dim size of a scalable dimension to be 0 or "
                    f"{bound} (all), not {size}"
                )


@irdl_op_definition
class MaskOp(IRDLOperation):
    """An op that works only on the elements that the mask selects.

    Elsewhere the result is that of `passthru`, or undefined.
    """

    name = "vector.mask"

    mask = operand_def(_MASK)
    passthru = opt_operand_def(AnyAttr())
    mask_region = region_def("single_block")
    res = var_result_def(AnyAttr())

    traits = traits_def(RecursiveMemoryEffect())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        region = parser.parse_region()
        _ensure_yield(region)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        mask_type = parser.parse_type()
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->") is not None:
            types = parser.parse_comma_separated_list(
                parser.Delimiter.NONE, parser.parse_type
            )
        return cls.create(
            operands=parser.resolve_operands(
                operands, [mask_type, *types][: len(operands)], start
            ),
            result_types=types,
            regions=[region],
            attributes=attributes,
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" ")
        _print_masked(printer, self.mask_region)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.mask.type)
        if self.results:
            printer.print_string(" -> ")
            printer.print_list(self.result_types, printer.print_attribute)

    @override
    def verify_(self) -> None:
        """The region is at most one op, and yields what the op results in."""
        if isa(self.mask.type, VectorType) and not self.mask.type.get_num_dims():
            raise VerifyException(
                "operand #0 must be vector of 1-bit signless integer values, but got "
                f"'{self.mask.type}'"
            )
        block = self.mask_region.block
        terminator = block.last_op
        if not isinstance(terminator, YieldOp):
            raise VerifyException("expects a terminator within the mask region")
        masked = terminator.prev_op
        if masked is not None and masked.prev_op is not None:
            raise VerifyException(
                "expects only one operation to mask; another one is "
                f"'{masked.prev_op.name}'"
            )
        if block.args:
            raise VerifyException("expects no block arguments in the mask region")
        yielded = [value.type for value in terminator.arguments]
        if yielded != list(self.result_types):
            raise VerifyException(
                "expects number and types of results to match those of "
                f"'vector.yield': {_listed(self.result_types)} and {_listed(yielded)}"
            )
        _verify_pass_through(self)
        if masked is not None:
            _verify_masked(self, masked, terminator)


def _verify_masked(op: MaskOp, masked: Operation, terminator: YieldOp) -> None:
    """What is masked can be, by a mask of this type, and gives all results."""
    expected = expected_mask(masked)
    if expected is None:
        raise VerifyException(
            "expects a MaskableOpInterface within the mask region: "
            f"'{masked.name}' cannot be masked"
        )
    if tuple(masked.results) != tuple(terminator.arguments):
        raise VerifyException(
            f"expects all results of '{masked.name}' to match all the values returned "
            "by the terminator"
        )
    if op.mask.type != expected:
        raise VerifyException(
            f"expects a '{expected}' mask for the maskable operation, but got "
            f"'{op.mask.type}'"
        )
    if op.passthru is not None and not takes_pass_through(masked):
        raise VerifyException(
            f"doesn't expect a passthru argument for '{masked.name}': select its result"
        )


def _verify_pass_through(op: MaskOp) -> None:
    if op.passthru is None:
        return
    types = list(op.result_types)
    if types != [op.passthru.type]:
        raise VerifyException(
            f"expects result type to match passthru type: {_listed(types)} and "
            f"'{op.passthru.type}'"
        )


def require_places(op: MaskOp) -> None:
    """Raise an error at a mask whose elements are not those of a result, one by one.

    MLIR has no other meaning for a `passthru`: its lowering takes `arith.select`.
    """
    if op.passthru is None:
        return
    read = op.mask_region.block.first_op
    is_permuted = isinstance(read, vector.TransferReadOp) and not (
        read.permutation_map.data.is_minor_identity()
    )
    shapes = {
        type_.get_shape() if isinstance(type_, VectorType) else None
        for type_ in (op.mask.type, *op.result_types)
    }
    if is_permuted or len(shapes) > 1:
        fail_at(
            op,
            "'passthru' is not supported where the elements of the mask are not those "
            "of the result; use 'arith.select' behind the op",
        )


def _listed(types: Sequence[Attribute]) -> str:
    return f"({', '.join(str(type_) for type_ in types)})"


def _ensure_yield(region: Region) -> None:
    """Add the terminator that the text leaves out: it yields the results of the op."""
    if not region.blocks:
        region.add_block(Block())
    block = region.blocks[0]
    last = block.last_op
    if not isinstance(last, YieldOp):
        results = () if last is None else last.results
        block.add_op(YieldOp.create(operands=results))


def _is_implicit(region: Region) -> bool:
    """Whether the terminator is the one that `_ensure_yield` adds."""
    terminator = region.block.last_op
    if terminator is None or terminator.attributes:
        return False
    masked = terminator.prev_op
    results = () if masked is None else tuple(masked.results)
    return tuple(terminator.operands) == results


def _print_masked(printer: Printer, region: Region) -> None:
    """Print `{ op }` without the results of the op, as these are what is yielded."""
    shown = region.block.first_op
    alone = shown is not None and (
        shown is region.block.last_op or _is_implicit(region)
    )
    if shown is None or not alone or type(shown).print is Operation.print:
        printer.print_region(region)
        return
    printer.print_string(f"{{ {shown.name}")
    shown.print(printer)
    printer.print_string(" }")


@irdl_op_definition
class PrintOp(IRDLOperation):
    """Prints a value or a text, and what follows it."""

    name = "vector.print"

    source = opt_operand_def(AnyAttr())
    punctuation = prop_def(PunctuationAttr, default_value=_NEWLINE)
    string_literal = opt_prop_def(StringAttr, prop_name="stringLiteral")

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {"punctuation": _NEWLINE}
        source = parser.parse_optional_unresolved_operand()
        values: list[SSAValue] = []
        if source is not None:
            parser.parse_punctuation(":")
            values = [parser.resolve_operand(source, parser.parse_type())]
        elif parser.parse_optional_keyword("str") is not None:
            properties["stringLiteral"] = StringAttr(parser.parse_str_literal())
        if parser.parse_optional_keyword("punctuation") is not None:
            properties["punctuation"] = PunctuationAttr(
                PunctuationAttr.parse_parameter(parser)
            )
        return cls.create(
            operands=values,
            properties=properties,
            attributes=parser.parse_optional_attr_dict(),
        )

    @override
    def print(self, printer: Printer) -> None:
        if self.source is not None:
            printer.print_string(" ")
            printer.print_ssa_value(self.source)
            printer.print_string(" : ")
            printer.print_attribute(self.source.type)
        elif self.string_literal is not None:
            printer.print_string(" str ")
            printer.print_attribute(self.string_literal)
        if self.punctuation != _NEWLINE:
            printer.print_string(" punctuation ")
            self.punctuation.print_parameter(printer)
        printer.print_op_attributes(self.attributes)

    @override
    def verify_(self) -> None:
        """A text alone, or a value that can be printed and what follows it."""
        if self.string_literal is not None:
            if self.source is not None:
                raise VerifyException("cannot print both a value and a string literal")
            if self.punctuation != _NEWLINE:
                raise VerifyException("a string literal is printed without punctuation")
        if self.source is None:
            return
        if not isinstance(self.source.type, _PRINTABLE):
            raise VerifyException(
                f"cannot print '{self.source.type}': only integers, indices, floats "
                "and vectors of them"
            )
