"""Control flow of MLIR's affine dialect.

xDSL 0.74 differs from MLIR in three places:

- `if` and `parallel` have no assembly format.
- The reductions of `parallel` have to be strings.
- An empty list of types in `for` stops the parser.

    affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) { ... } else { ... }
    affine.parallel (%i, %j) = (0, 0) to (min(%n, 10), 8) step (1, 4) { ... }

Source of all definitions: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from collections.abc import Sequence
from itertools import accumulate, chain, pairwise
from typing import NamedTuple, Self

from typing_extensions import override
from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    AffineSetAttr,
    AnyFloat,
    ArrayAttr,
    DenseIntElementsAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursivelySpeculatable, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..common.making import make
from ..memref.atomics import ATOMIC_RMW_KINDS
from ..scf.regions import parse_arrow_types, parse_carried, print_arrow_types
from .expressions import AffineExpressionParser, print_expression
from .maps import verify_map_operands

REDUCTIONS = ATOMIC_RMW_KINDS
"""How a parallel loop combines values; the value of the attribute is the index."""


def _ensure_yield(region: Region) -> None:
    """Add the terminator that the text leaves out."""
    block = region.blocks[0] if region.blocks else Block()
    if not region.blocks:
        region.add_block(block)
    if not isinstance(block.last_op, affine.YieldOp):
        block.add_op(affine.YieldOp.get())


def _verify_yields(region: Region, types: Sequence[Attribute], what: str) -> None:
    """A region that is one block yields values of the given types."""
    blocks = region.blocks
    terminator = blocks[0].last_op if len(blocks) == 1 else None
    if not isinstance(terminator, affine.YieldOp):
        raise VerifyException(f"{what} is one block that ends in 'affine.yield'")
    yielded = [operand.type for operand in terminator.operands]
    if yielded != list(types):
        raise VerifyException(
            f"{what} yields ({_listed(yielded)}), but the types of the results are "
            f"({_listed(types)})"
        )


def _listed(types: Sequence[Attribute]) -> str:
    return ", ".join(str(type_) for type_ in types)


def _parse_bound(
    parser: Parser, keyword: str
) -> tuple[AffineMapAttr, Sequence[SSAValue]]:
    """A value, a number, or a map of operands; `keyword` is for several results."""
    has_keyword = parser.parse_optional_keyword(keyword) is not None
    value = parser.parse_optional_operand(IndexType())
    if value is not None:
        return AffineMapAttr(AffineMap(0, 1, (AffineExpr.symbol(0),))), [value]
    start = parser.pos
    if (number := parser.parse_optional_integer()) is not None:
        return AffineMapAttr(AffineMap.constant_map(number)), []
    bound = parser.parse_attribute()
    if not isinstance(bound, AffineMapAttr):
        message = "expected an affine map or an integer for loop bound"
        parser.raise_error(message, start)
    dims, symbols = _parse_map_operands(parser)
    problem = _problem_of_bound(bound.data, dims, symbols, has_keyword)
    if problem is not None:
        parser.raise_error(problem.format(keyword=keyword), start)
    return bound, [*dims, *symbols]


def _parse_map_operands(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    """The operands of a map or a set: `(%dim, ...)[%symbol, ...]`."""

    def parse_operand() -> SSAValue:
        return parser.parse_operand(IndexType())

    dims = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_operand)
    symbols = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, parse_operand
    )
    return dims, symbols or []


def _problem_of_bound(
    map_: AffineMap,
    dims: Sequence[SSAValue],
    symbols: Sequence[SSAValue],
    has_keyword: bool,
) -> str | None:
    if len(dims) != map_.num_dims:
        return "dim operand count and affine map dim count must match"
    if len(symbols) != map_.num_symbols:
        return "symbol operand count and affine map symbol count must match"
    if len(map_.results) > 1 and not has_keyword:
        return "loop bound affine map with multiple results requires '{keyword}' prefix"
    return None


class ForOp(affine.ForOp):
    """What `affine.for` should do differently."""

    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse MLIR's format, also with a list of no `iter_args`."""
        index = parser.parse_argument(expect_type=False).resolve(IndexType())
        parser.parse_punctuation("=")
        lower_map, lower = _parse_bound(parser, "max")
        parser.parse_keyword("to")
        upper_map, upper = _parse_bound(parser, "min")
        step = 1
        if parser.parse_optional_keyword("step") is not None:
            step = parser.parse_integer(allow_boolean=False)
        arguments, inits = parse_carried(parser, "iter_args")
        body = parser.parse_region([index, *arguments])
        _ensure_yield(body)
        return make(
            cls,
            operands=[lower, upper, inits],
            result_types=[[init.type for init in inits]],
            properties={
                "lowerBoundMap": lower_map,
                "upperBoundMap": upper_map,
                "step": IntegerAttr.from_index_int_value(step),
            },
            regions=[body],
            attributes=parser.parse_optional_attr_dict(),
        )

    @override
    def verify_(self) -> None:
        """Bounds, step, body and results fit each other."""
        verify_map_operands(self.lowerBoundMap, self.lowerBoundOperands)
        verify_map_operands(self.upperBoundMap, self.upperBoundOperands)
        for bound in (self.lowerBoundMap, self.upperBoundMap):
            if not bound.data.results:
                raise VerifyException("expected a bound map with at least one result")
        if self.step.value.data <= 0:
            raise VerifyException(
                "expected step to be representable as a positive signed integer, not "
                f"{self.step.value.data}"
            )
        types = [value.type for value in self.inits]
        if types != list(self.result_types):
            raise VerifyException(
                f"{len(types)} inits of types ({_listed(types)}) do not fit results of "
                f"types ({_listed(self.result_types)})"
            )
        _verify_yields(self.body, types, "the body of a loop")
        _verify_arguments(self.body, [IndexType(), *types])


def _verify_arguments(region: Region, types: Sequence[Attribute]) -> None:
    found = list(region.blocks[0].arg_types)
    if found != list(types):
        raise VerifyException(
            f"the body has arguments ({_listed(found)}), expected ({_listed(types)})"
        )


class IfOp(affine.IfOp):
    """What `affine.if` should do."""

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        condition = parser.parse_attribute()
        if not isinstance(condition, AffineSetAttr):
            parser.raise_error("expected an affine set", start, parser.pos)
        operands, symbols = _parse_map_operands(parser)
        types = parse_arrow_types(parser)
        then_region = parser.parse_region()
        _ensure_yield(then_region)
        else_region = Region()
        if parser.parse_optional_keyword("else") is not None:
            else_region = parser.parse_region()
            _ensure_yield(else_region)
        return cls.create(
            operands=[*operands, *symbols],
            result_types=types,
            properties={"condition": condition},
            regions=[then_region, else_region],
            attributes=parser.parse_optional_attr_dict(),
        )

    @override
    def print(self, printer: Printer) -> None:
        dims = self.condition.data.num_dims
        printer.print_string(" ")
        printer.print_attribute(self.condition)
        with printer.in_parens():
            printer.print_list(self.args[:dims], printer.print_ssa_value)
        if self.condition.data.num_symbols:
            with printer.in_square_brackets():
                printer.print_list(self.args[dims:], printer.print_ssa_value)
        print_arrow_types(printer, self.result_types, always_in_parentheses=False)
        shown = bool(self.results)
        printer.print_string(" ")
        printer.print_region(self.then_region, print_block_terminators=shown)
        if self.else_region.blocks:
            printer.print_string(" else ")
            printer.print_region(self.else_region, print_block_terminators=shown)
        printer.print_op_attributes(self.attributes)

    @override
    def verify_(self) -> None:
        """The operands fit the condition, and both branches the results."""
        inputs = self.condition.data.num_dims + self.condition.data.num_symbols
        if len(self.args) != inputs:
            raise VerifyException(
                "operand count and integer set dimension and symbol count must match: "
                f"{len(self.args)} and {inputs}"
            )
        _verify_yields(self.then_region, self.result_types, "the then branch")
        if self.else_region.blocks:
            _verify_yields(self.else_region, self.result_types, "the else branch")
        elif self.results:
            raise VerifyException(
                "an affine.if with results needs an else branch that yields them"
            )


class _Bounds(NamedTuple):
    """The lower or upper bounds of a parallel loop."""

    map: AffineMapAttr
    groups: DenseIntElementsAttr
    operands: list[SSAValue]


def _parse_bounds(parser: Parser, combiner: str) -> _Bounds:
    """`(expression, combiner(expression, ...), ...)`."""
    expressions = AffineExpressionParser(parser)

    def parse_group() -> list[AffineExpr]:
        if parser.parse_optional_keyword(combiner) is None:
            return [expressions.parse_expression()]
        return parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, expressions.parse_expression
        )

    groups = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_group)
    map_, operands = expressions.resolve(list(chain.from_iterable(groups)))
    sizes = DenseIntOrFPElementsAttr.from_list(
        TensorType(i32, [len(groups)]), [len(group) for group in groups]
    )
    return _Bounds(AffineMapAttr(map_), sizes, operands)


def _print_bounds(printer: Printer, bounds: _Bounds, combiner: str) -> None:
    map_ = bounds.map.data

    def print_group(group: Sequence[AffineExpr]) -> None:
        if len(group) == 1:
            print_expression(printer, group[0], map_, bounds.operands)
            return
        printer.print_string(combiner)
        with printer.in_parens():
            printer.print_list(
                group, lambda e: print_expression(printer, e, map_, bounds.operands)
            )

    ends = accumulate((int(n) for n in bounds.groups.get_values()), initial=0)
    with printer.in_parens():
        printer.print_list(
            [map_.results[first:end] for first, end in pairwise(ends)], print_group
        )


@irdl_op_definition
class ParallelOp(IRDLOperation):
    """A loop nest whose iterations may run in any order, or at the same time.

    Each dimension goes from the largest of its group of lower bounds to the smallest
    of its group of upper bounds.
    """

    name = "affine.parallel"

    map_operands = var_operand_def(IndexType())
    reductions = prop_def(ArrayAttr[IntegerAttr[I64]])
    lower_bounds_map = prop_def(AffineMapAttr, prop_name="lowerBoundsMap")
    lower_bounds_groups = prop_def(DenseIntElementsAttr, prop_name="lowerBoundsGroups")
    upper_bounds_map = prop_def(AffineMapAttr, prop_name="upperBoundsMap")
    upper_bounds_groups = prop_def(DenseIntElementsAttr, prop_name="upperBoundsGroups")
    steps = prop_def(ArrayAttr[IntegerAttr[I64]])
    res = var_result_def()
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        variables = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        parser.parse_punctuation("=")
        lower = _parse_bounds(parser, "max")
        parser.parse_keyword("to")
        upper = _parse_bounds(parser, "min")
        steps = [1] * len(variables)
        if parser.parse_optional_keyword("step") is not None:
            steps = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, parser.parse_integer
            )
        reductions: Sequence[int] = ()
        if parser.parse_optional_keyword("reduce") is not None:
            reductions = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: _parse_reduction(parser)
            )
        types = parse_arrow_types(parser)
        body = parser.parse_region([v.resolve(IndexType()) for v in variables])
        _ensure_yield(body)
        return cls.create(
            operands=[*lower.operands, *upper.operands],
            result_types=types,
            properties={
                "reductions": _integers(reductions),
                "lowerBoundsMap": lower.map,
                "lowerBoundsGroups": lower.groups,
                "upperBoundsMap": upper.map,
                "upperBoundsGroups": upper.groups,
                "steps": _integers(steps),
            },
            regions=[body],
            attributes=parser.parse_optional_attr_dict(),
        )

    @override
    def print(self, printer: Printer) -> None:
        lower, upper = _bounds_of(self)
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(
                self.body.block.args,
                lambda arg: printer.print_block_argument(arg, print_type=False),
            )
        printer.print_string(" = ")
        _print_bounds(printer, lower, "max")
        printer.print_string(" to ")
        _print_bounds(printer, upper, "min")
        steps = [step.value.data for step in self.steps]
        if any(step != 1 for step in steps):
            printer.print_string(f" step ({', '.join(map(str, steps))})")
        if self.results:
            names = [f'"{REDUCTIONS[r.value.data]}"' for r in self.reductions]
            printer.print_string(f" reduce ({', '.join(names)}) -> ")
            with printer.in_parens():
                printer.print_list(self.result_types, printer.print_attribute)
        printer.print_string(" ")
        printer.print_region(
            self.body,
            print_entry_block_args=False,
            print_block_terminators=bool(self.results),
        )
        printer.print_op_attributes(self.attributes)

    @override
    def verify_(self) -> None:
        """Bounds, steps, body, reductions and results fit each other."""
        dimensions = len(self.steps)
        _verify_arguments(self.body, [IndexType()] * dimensions)
        if any(step.value.data <= 0 for step in self.steps):
            raise VerifyException("steps must be positive")
        lower, upper = _bounds_of(self)
        for name, bounds in (("lower", lower), ("upper", upper)):
            groups = [int(size) for size in bounds.groups.get_values()]
            if len(groups) != dimensions:
                raise VerifyException(
                    f"{len(groups)} groups of {name} bounds for {dimensions} steps"
                )
            if sum(groups) != len(bounds.map.data.results) or 0 in groups:
                raise VerifyException(
                    f"groups of {groups} {name} bounds do not fit the "
                    f"{len(bounds.map.data.results)} results of the map"
                )
            verify_map_operands(bounds.map, bounds.operands)
        _verify_reductions(self.reductions, self.result_types)
        _verify_yields(self.body, self.result_types, "the body of a loop")


def _bounds_of(op: ParallelOp) -> tuple[_Bounds, _Bounds]:
    lower, upper = op.lower_bounds_map, op.upper_bounds_map
    first = lower.data.num_dims + lower.data.num_symbols
    operands = list(op.map_operands)
    return (
        _Bounds(lower, op.lower_bounds_groups, operands[:first]),
        _Bounds(upper, op.upper_bounds_groups, operands[first:]),
    )


def _integers(values: Sequence[int]) -> ArrayAttr[IntegerAttr[I64]]:
    return ArrayAttr(IntegerAttr(value, i64) for value in values)


def _parse_reduction(parser: Parser) -> int:
    start = parser.pos
    name = parser.parse_str_literal()
    if name not in REDUCTIONS:
        parser.raise_error(
            f"invalid reduction value: '{name}'; known are {', '.join(REDUCTIONS)}",
            start,
            parser.pos,
        )
    return REDUCTIONS.index(name)


def _verify_reductions(
    reductions: ArrayAttr[IntegerAttr[I64]], types: Sequence[Attribute]
) -> None:
    if len(reductions) != len(types):
        raise VerifyException(
            f"a reduction must be specified for each output: {len(reductions)} for "
            f"{len(types)}"
        )
    for reduction, type_ in zip(reductions, types, strict=True):
        kind = reduction.value.data
        if not 0 <= kind < len(REDUCTIONS):
            raise VerifyException(f"invalid reduction value: {kind}")
        name = REDUCTIONS[kind]
        if not _can_reduce(name, type_):
            raise VerifyException(
                f"result type cannot match reduction attribute: {type_} and {name}"
            )


def _is_integer(type_: Attribute, signedness: Signedness) -> bool:
    return isa(type_, IntegerType) and type_.signedness.data is signedness


def _can_reduce(kind: str, type_: Attribute) -> bool:
    """Whether MLIR knows values of `type_` for reductions of this kind."""
    match kind:
        case "assign":
            return True
        case "addf" | "maximumf" | "minimumf" | "mulf":
            return isinstance(type_, AnyFloat)
        case "addi" | "andi" | "muli" | "ori":
            return isinstance(type_, IntegerType)
        case "maxs" | "mins":
            return _is_integer(type_, Signedness.SIGNED)
        case "maxu" | "minu":
            return _is_integer(type_, Signedness.UNSIGNED)
        case _:
            return False
