"""Loops over a tensor in pieces: `scf.forall` and `scf.forall.in_parallel`.

Each iteration gets the tensors as they were. What all iterations write is put together
after the loop.

    %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?xf32>) {
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1]
            : tensor<1xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.block<x>]}

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfforall-scfforallop
"""

from collections.abc import Sequence
from typing import Self

from typing_extensions import override
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnregisteredAttr,
    i64,
)
from xdsl.dialects.utils import (
    print_assignment,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    NoTerminator,
    RecursivelySpeculatable,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException

from ..common.canonicalized import Canonicalized
from ..common.making import make
from ..common.static_values import OpFoldResult
from .bounds import join_bounds, parse_bounds, print_bounds, split_bounds
from .regions import parse_body, parse_carried, print_arrow_types, print_body

_COMBINING_OPS = frozenset({"tensor.parallel_insert_slice"})
"""What may contribute to results, by name: MLIR's `ParallelCombiningOpInterface`."""


_DEST = 1
"""Number of what is written among the operands of these ops."""


@irdl_op_definition
class InParallelOp(IRDLOperation):
    """What the iterations of an `scf.forall` contribute to its results.

    Its region has no terminator, and only ops that insert in parallel.
    """

    name = "scf.forall.in_parallel"

    region = region_def("single_block")

    traits = lazy_traits_def(
        lambda: (
            IsTerminator(),
            HasParent(ForallOp),
            NoTerminator(),
            RecursiveMemoryEffect(),
        )
    )

    def __init__(self, ops: Sequence[Operation] = ()):
        super().__init__(regions=[Region(Block(ops))])

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_region(self.region, print_empty_block=False)
        printer.print_op_attributes(self.attributes)

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        attributes = parser.parse_optional_attr_dict()
        return make(cls, attributes=attributes, regions=[region])

    @override
    def verify_(self) -> None:
        """There are only ops that insert in parallel, and into shared outputs."""
        loop = self.parent_op()
        if isinstance(loop, ForallOp) and len(loop.region.blocks) > 1:
            raise VerifyException("expected the loop to have one block")
        outputs = frozenset(loop.region_outputs if isinstance(loop, ForallOp) else ())
        for op in self.region.block.ops:
            if op.name not in _COMBINING_OPS:
                raise VerifyException(
                    "expected only ParallelCombiningOpInterface ops, such as "
                    f"tensor.parallel_insert_slice, but got {op.name}"
                )
            if op.operands[_DEST] not in outputs:
                raise VerifyException(
                    f"'{op.name}' may only insert into an output block argument"
                )


@irdl_op_definition
class ForallOp(IRDLOperation):
    """A nest of iterations without order, which write disjoint pieces of `outputs`.

    The bounds are numbers, or operands where the number is `DYNAMIC_INDEX`.
    """

    name = "scf.forall"

    dynamic_lower_bound = var_operand_def(IndexType)
    dynamic_upper_bound = var_operand_def(IndexType)
    dynamic_step = var_operand_def(IndexType)
    outputs = var_operand_def(TensorType)
    res = var_result_def()
    region = region_def("single_block")

    static_lower_bound = prop_def(
        DenseArrayBase.constr(i64), prop_name="staticLowerBound"
    )
    static_upper_bound = prop_def(
        DenseArrayBase.constr(i64), prop_name="staticUpperBound"
    )
    static_step = prop_def(DenseArrayBase.constr(i64), prop_name="staticStep")
    mapping = opt_prop_def(ArrayAttr[Attribute])

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(
        SingleBlockImplicitTerminator(InParallelOp),
        RecursiveMemoryEffect(),
        RecursivelySpeculatable(),
        Canonicalized(),
    )

    def __init__(
        self,
        lower_bounds: Sequence[OpFoldResult],
        upper_bounds: Sequence[OpFoldResult],
        steps: Sequence[OpFoldResult],
        outputs: Sequence[SSAValue],
        region: Region,
        mapping: ArrayAttr[Attribute] | None = None,
    ):
        bounds = [
            split_bounds(values) for values in (lower_bounds, upper_bounds, steps)
        ]
        super().__init__(
            operands=[*(bound.values for bound in bounds), outputs],
            result_types=[[output.type for output in outputs]],
            properties={
                "staticLowerBound": bounds[0].numbers,
                "staticUpperBound": bounds[1].numbers,
                "staticStep": bounds[2].numbers,
                "mapping": mapping,
            },
            regions=[region],
        )

    @property
    def lower_bounds(self) -> list[OpFoldResult]:
        """The first index in each dimension."""
        return join_bounds(self.static_lower_bound, self.dynamic_lower_bound)

    @property
    def upper_bounds(self) -> list[OpFoldResult]:
        """The end of the indices in each dimension."""
        return join_bounds(self.static_upper_bound, self.dynamic_upper_bound)

    @property
    def steps(self) -> list[OpFoldResult]:
        """The distance of indices in each dimension."""
        return join_bounds(self.static_step, self.dynamic_step)

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.static_lower_bound)

    @property
    def induction_variables(self) -> Sequence[BlockArgument]:
        """The indices of an iteration, one for each dimension."""
        return self.region.block.args[: self.rank]

    @property
    def region_outputs(self) -> Sequence[BlockArgument]:
        """The outputs as the body knows them."""
        return self.region.block.args[self.rank :]

    @property
    def is_normalized(self) -> bool:
        """Whether all dimensions count from 0 in steps of 1."""
        return all(bound == 0 for bound in self.lower_bounds) and all(
            step == 1 for step in self.steps
        )

    @override
    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.induction_variables, printer.print_ssa_value)
        if self.is_normalized:
            print_bounds(printer, "in", self.upper_bounds)
        else:
            print_bounds(printer, "=", self.lower_bounds)
            print_bounds(printer, "to", self.upper_bounds)
            print_bounds(printer, "step", self.steps)
        if self.outputs:
            printer.print_string(" shared_outs(")
            printer.print_list(
                zip(self.region_outputs, self.outputs, strict=True),
                lambda pair: print_assignment(printer, *pair),
            )
            printer.print_string(")")
            print_arrow_types(printer, self.res.types)
        print_body(printer, self.region, show_terminator=self.shows_terminator)
        printer.print_op_attributes(
            {**self.attributes, **self.properties}, reserved_attr_names=_IN_FORMAT
        )

    @property
    def shows_terminator(self) -> bool:
        """Whether the text says how the body ends."""
        last = self.region.block.last_op
        return bool(self.outputs) or not (
            isinstance(last, InParallelOp) and not last.region.block.ops
        )

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        indices = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        if parser.parse_optional_keyword("in") is not None:
            upper = parse_bounds(parser)
            count = len(upper.numbers)
            lower, step = split_bounds([0] * count), split_bounds([1] * count)
        else:
            parser.parse_punctuation("=")
            lower = parse_bounds(parser)
            parser.parse_keyword("to")
            upper = parse_bounds(parser)
            parser.parse_keyword("step")
            step = parse_bounds(parser)
        arguments, outputs = parse_carried(parser, "shared_outs")
        body = parse_body(
            parser,
            InParallelOp,
            [*(index.resolve(IndexType()) for index in indices), *arguments],
        )
        attributes = parser.parse_optional_attr_dict()
        mapping = attributes.pop("mapping", None)
        return make(
            cls,
            operands=[lower.values, upper.values, step.values, outputs],
            result_types=[[output.type for output in outputs]],
            properties={
                "staticLowerBound": lower.numbers,
                "staticUpperBound": upper.numbers,
                "staticStep": step.numbers,
                "mapping": mapping,
            },
            attributes=attributes,
            regions=[body],
        )

    @override
    def verify_(self) -> None:
        """Bounds, arguments, outputs, results and mapping agree."""
        if len(self.outputs) != len(self.res):
            raise VerifyException(
                f"produces {len(self.res)} results, but has {len(self.outputs)} outputs"
            )
        arguments = self.region.block.args
        if len(arguments) != self.rank + len(self.outputs):
            raise VerifyException(
                f"region expects {self.rank + len(self.outputs)} arguments, but has "
                f"{len(arguments)}"
            )
        self.verify_bounds()
        self.verify_types()
        self.verify_mapping()

    def verify_bounds(self) -> None:
        """There are as many numbers as dimensions, and an operand for each unknown."""
        for name, numbers, values in (
            ("lower bound", self.static_lower_bound, self.dynamic_lower_bound),
            ("upper bound", self.static_upper_bound, self.dynamic_upper_bound),
            ("step", self.static_step, self.dynamic_step),
        ):
            if len(numbers) != self.rank:
                raise VerifyException(
                    f"expected {self.rank} {name} values, got {len(numbers)}"
                )
            dynamic = numbers.get_values().count(DYNAMIC_INDEX)
            if dynamic != len(values):
                raise VerifyException(
                    f"expected {dynamic} dynamic {name} values, got {len(values)}"
                )

    def verify_types(self) -> None:
        """Indices are of type index; an output has one type throughout."""
        for index, argument in enumerate(self.induction_variables):
            if not isinstance(argument.type, IndexType):
                raise VerifyException(
                    f"expects {index}-th block argument to be an index"
                )
        outputs = zip(self.outputs, self.region_outputs, self.res, strict=True)
        for index, (output, argument, result) in enumerate(outputs):
            if output.type != argument.type:
                raise VerifyException(
                    f"type mismatch between {index}-th output and corresponding block "
                    f"argument: '{output.type}' and '{argument.type}'"
                )
            if output.type != result.type:
                raise VerifyException(
                    f"expected type of {index}-th output ('{output.type}') to match "
                    f"type of corresponding result ('{result.type}')"
                )

    def verify_mapping(self) -> None:
        """A mapping names a processor for each dimension; an empty one names none."""
        if not self.mapping:
            return
        for processor in self.mapping:
            if not _is_device_mapping(processor):
                raise VerifyException(
                    "attribute 'mapping' failed to satisfy constraint: Device Mapping "
                    f"array attribute, but it has {processor}"
                )
        processors = [p for p in self.mapping if p.name != _MASK]
        if len(self.mapping) > len(processors) + 1:
            raise VerifyException(
                '"mapping" supports at most one device masking attribute'
            )
        if len(processors) != self.rank:
            raise VerifyException(
                f"mapping attribute size must match op rank: {len(processors)} and "
                f"{self.rank}"
            )


_MASK = "gpu.mask"
"""The attribute in a mapping that says which processors take part."""

_IN_FORMAT = (
    "staticLowerBound",
    "staticUpperBound",
    "staticStep",
    "operandSegmentSizes",
)
"""What the format of `scf.forall` shows outside its attribute dictionary."""


def _is_device_mapping(attribute: Attribute) -> bool:
    """Whether `attribute` may name a processor: no dialect of its own is known here."""
    if isinstance(attribute, UnregisteredAttr):
        return True
    return not attribute.name.startswith("builtin.") and "." in attribute.name
