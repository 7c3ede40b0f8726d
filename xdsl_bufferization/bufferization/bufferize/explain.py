"""Why each copy is made, in one line with its place.

mlp.mlir:4:8: remark: copy of %t here: %t is read at 5:8 after being written at 4:8
mlp.mlir:9:8: remark: copy of %c here: %c is not writable: it is a constant

For the option `explain`. The remarks come in program order. What was read without
locations is described by its op instead.
"""

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.traits import ConstantLike

from xdsl_bufferization.dialects.parsing import locate
from xdsl_bufferization.support import debug
from xdsl_bufferization.support.errors import op_name
from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.one_shot.all_reasons import Reason
from ..analyses.one_shot.conflicts import RaWConflict
from ..analyses.one_shot.one_shot import OneShotAnalysis
from ..analyses.one_shot.parallel_regions import SharedWrite
from ..interfaces.operands import OpOperand, owner_op, tensor_operands
from .value_names import name_values


def explain_copies(module: ModuleOp, analysis: OneShotAnalysis) -> Iterator[str]:
    """A remark for each operand that is out of place; then the bounds of a search."""
    names: Mapping[SSAValue, str] | None = None
    for op in ops_inside(module):
        for operand in tensor_operands(op):
            reason = analysis.get_reason(operand)
            if reason is None:
                continue
            # Naming values takes printing: only if there is anything to say.
            names = names or name_values(module)
            place = locate(op) or f"'{op_name(op)}'"
            value = names[operand.value]
            because = _describe(operand, reason, names)
            yield f"{place}: remark: copy of {value} here: {because}"
    for function in analysis.functions:
        root = analysis.get_root_analysis(function)
        if root is not None and root.optimum is not None:
            place = locate(function) or f"'{op_name(function)}'"
            name = function.sym_name.data
            yield f"{place}: remark: @{name}: {root.optimum.in_words()}"


def say_decisions(module: ModuleOp, analysis: OneShotAnalysis) -> None:
    """Say of each tensor operand what was decided, if somebody asked for that."""
    if not debug.wants(debug.DECISIONS):
        return
    names = name_values(module)
    for op in ops_inside(module):
        for operand in tensor_operands(op):
            reason = analysis.get_reason(operand)
            place = locate(op)
            what = f"'{op_name(op)}' operand #{operand.number}"
            at = what if place is None else f"{place}: {what}"
            decided = "in place"
            if reason is not None:
                decided = f"copied: {_describe(operand, reason, names)}"
            debug.say(f"{at}, {names[operand.value]}: {decided}")


def _describe(operand: OpOperand, reason: Reason, names: Mapping[SSAValue, str]) -> str:
    here = operand.owner
    if isinstance(reason, RaWConflict):
        return (
            f"{names[reason.read.value]} is read at {_place(reason.read.owner, here)} "
            f"after being written at {_place(reason.write.owner, here)}"
        )
    if isinstance(reason, SharedWrite):
        return (
            f"it is from outside of the parallel loop in which it would be written, at "
            f"{_place(reason.write.owner, here)}"
        )
    through = ""
    if reason.write != operand:
        write = reason.write.owner
        through = f", and would be written at {_place(write, here)}"
    what = _what(reason.value)
    return f"{names[reason.value]} is not writable: it is {what}{through}"


def _place(op: Operation, here: Operation) -> str:
    """Line and column of `op`, with its file if that is another than that of `here`."""
    place, other = locate(op), locate(here)
    if place is None or other is None:
        return f"'{op_name(op)}'"
    file, line, column = place.rsplit(":", 2)
    is_same_file = other.rsplit(":", 2)[0] == file
    return f"{line}:{column}" if is_same_file else place


def _what(value: SSAValue) -> str:
    op = owner_op(value)
    assert op is not None, "a tensor belongs to an op"
    if isinstance(value, BlockArgument):
        is_function = isinstance(op, FuncOp) and value.block is op.body.first_block
        return (
            "a function argument" if is_function else f"an argument of '{op_name(op)}'"
        )
    if op.has_trait(ConstantLike, value_if_unregistered=False):
        return "a constant"
    return f"a result of '{op_name(op)}'"
