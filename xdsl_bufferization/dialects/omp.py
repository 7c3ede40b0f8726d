"""Text of MLIR's omp dialect that xDSL does not parse.

xDSL 0.74 reads and prints loops of threads in generic form only. What
`convert-scf-to-openmp` makes, in MLIR or here, is read here in MLIR's form too. It is
still printed in generic form, which MLIR reads; clauses are read in that form only.

    omp.parallel { omp.wsloop { omp.loop_nest (%i) : index = (%a) to (%b) step (%c) {

Source: https://mlir.llvm.org/docs/Dialects/OpenMPDialect/ODS/
"""

from collections.abc import Sequence
from typing import Self

from typing_extensions import override
from xdsl.dialects import omp
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import IRDLOperation, OptOperandDef
from xdsl.parser import Parser

from .common.making import make


def _parse_region(parser: Parser) -> Region:
    """Parse the region of an op without clauses."""
    region = parser.parse_optional_region()
    if region is None:
        parser.raise_error(
            "expected a region; clauses of omp ops are read in generic form only"
        )
    return region


def _no_operands(op_type: type[IRDLOperation]) -> list[Sequence[SSAValue] | None]:
    """Leave out every operand that an op of this type may have."""
    definitions = op_type.get_irdl_definition().operands
    return [None if isinstance(each, OptOperandDef) else [] for _, each in definitions]


class _OpWithoutClauses(IRDLOperation):
    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `omp.parallel {...}` or `omp.wsloop {...}`."""
        region = _parse_region(parser)
        attributes = parser.parse_optional_attr_dict()
        return make(
            cls, operands=_no_operands(cls), regions=[region], attributes=attributes
        )


class ParallelOp(_OpWithoutClauses, omp.ParallelOp):
    """How `omp.parallel` should be parsed."""


class WsLoopOp(_OpWithoutClauses, omp.WsLoopOp):
    """How `omp.wsloop` should be parsed."""


class LoopNestOp(omp.LoopNestOp):
    """How `omp.loop_nest` should be parsed."""

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `omp.loop_nest (%i) : type = (%a) to (%b) step (%c) {...}`."""
        names = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        parser.parse_punctuation("=")
        lower = _parse_operands(parser, type_)
        parser.parse_keyword("to")
        upper = _parse_operands(parser, type_)
        inclusive = parser.parse_optional_keyword("inclusive") is not None
        parser.parse_keyword("step")
        step = _parse_operands(parser, type_)
        arguments = [name.resolve(type_) for name in names]
        region = parser.parse_optional_region(arguments)
        if region is None:
            parser.raise_error(
                "expected a region; clauses of omp ops are read in generic form only"
            )
        attributes = parser.parse_optional_attr_dict()
        return make(
            cls,
            operands=[lower, upper, step],
            properties={"loop_inclusive": UnitAttr()} if inclusive else {},
            attributes=attributes,
            regions=[region],
        )


def _parse_operands(parser: Parser, type_: Attribute) -> Sequence[SSAValue]:
    return parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_operand(type_)
    )


class TerminatorOp(omp.TerminatorOp):
    """How `omp.terminator` should be parsed."""

    @override
    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `omp.terminator`."""
        return make(cls, attributes=parser.parse_optional_attr_dict())
