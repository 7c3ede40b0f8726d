"""Show the decisions of One-Shot Analysis as attributes, for tests and for people.

    %1 = tensor.insert %f into %0[%i]
        {__inplace_operands_attr__ = ["none", "false", "none"],
         "C_0[CONFL-WRITE: 1]"} : tensor<4xf32>

Names and contents are MLIR's, see `test-analysis-only` and what requires it at
https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize. The numbers of conflicts are
those of the copies, in program order.
"""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from ..analyses.one_shot.conflicts import NotWritable, RaWConflict
from ..analyses.one_shot.one_shot import OneShotAnalysis
from ..interfaces.operands import (
    OpOperand,
    is_tensor,
    is_tensor_type,
    owner_op,
    tensor_operands,
)
from ..interfaces.state import FunctionSummary
from .value_names import name_values

_IN_PLACE = "__inplace_operands_attr__"
_EQUIVALENT = "__equivalent_func_args__"
_ACCESS = "bufferization.access"
_RESULT_ALIASES = "__opresult_alias_set_attr__"
_ARGUMENT_ALIASES = "__bbarg_alias_set_attr__"


def annotate_decisions(module: ModuleOp, analysis: OneShotAnalysis) -> None:
    """Give every op with tensor operands its `__inplace_operands_attr__`."""
    for op in module.walk():
        if analysis.is_analyzed(op) and any(map(is_tensor, op.operands)):
            op.attributes[_IN_PLACE] = ArrayAttr(
                [
                    _describe(OpOperand(op, number), analysis)
                    for number in range(len(op.operands))
                ]
            )


def _describe(operand: OpOperand, analysis: OneShotAnalysis) -> StringAttr:
    if not is_tensor(operand.value):
        return StringAttr("none")
    return StringAttr("true" if analysis.is_in_place(operand) else "false")


# --- conflicts -----------------------------------------------------------------------


def annotate_conflicts(module: ModuleOp, analysis: OneShotAnalysis) -> None:
    """Name, at the ops that take part in it, the reason for every copy."""
    conflicts = read_only = 0
    for op in module.walk():
        for operand in tensor_operands(op):
            reason = analysis.get_reason(operand)
            if isinstance(reason, RaWConflict):
                _annotate_conflict(reason, f"C_{conflicts}")
                conflicts += 1
            elif isinstance(reason, NotWritable):
                _mark_value(reason.value, f"W_{read_only}", "NOT-WRITABLE")
                read_only += 1


def _annotate_conflict(conflict: RaWConflict, name: str) -> None:
    _mark_operand(conflict.write, name, "CONFL-WRITE")
    _mark_operand(conflict.read, name, "READ")
    _mark_value(conflict.definition, name, "DEF")


def _mark_operand(operand: OpOperand, name: str, what: str) -> None:
    operand.owner.attributes[f"{name}[{what}: {operand.number}]"] = UnitAttr()


def _mark_value(value: SSAValue, name: str, what: str) -> None:
    assert isinstance(value, OpResult | BlockArgument)
    kind = "result" if isinstance(value, OpResult) else "bbArg"
    owner: Operation | None = owner_op(value)
    if owner is not None:
        owner.attributes[f"{name}[{what}: {kind} {value.index}]"] = UnitAttr()


# --- alias sets ----------------------------------------------------------------------


def annotate_alias_sets(module: ModuleOp, analysis: OneShotAnalysis) -> None:
    """Give every op the alias sets of its results and of its block arguments.

    As this repeats a set at each of its values, it is for tests and for small programs.
    """
    names = name_values(module)
    for op in module.walk():
        if not analysis.is_analyzed(op):
            continue
        results = _alias_sets(op.results, names, analysis)
        if results.data:
            op.attributes[_RESULT_ALIASES] = results
        regions = [
            ArrayAttr(
                _alias_sets(block.args, names, analysis) for block in region.blocks
            )
            for region in op.regions
        ]
        if any(block.data for region in regions for block in region):
            op.attributes[_ARGUMENT_ALIASES] = ArrayAttr(regions)


def _alias_sets(
    values: Sequence[SSAValue], names: Mapping[SSAValue, str], analysis: OneShotAnalysis
) -> ArrayAttr[ArrayAttr[StringAttr]]:
    return ArrayAttr(
        ArrayAttr(
            StringAttr(name)
            for name in sorted(names[alias] for alias in analysis.get_alias_set(value))
        )
        for value in values
        if is_tensor(value)
    )


# --- functions -----------------------------------------------------------------------


def annotate_functions(analysis: OneShotAnalysis) -> None:
    """Tell at its boundary what each function does to its arguments."""
    for function in analysis.functions:
        if function.sym_name.data in analysis.options.no_analysis_func_filter:
            continue
        summary = analysis.get_summary(function)
        if summary is not None:
            _annotate_access(function, summary)
            _annotate_returns(function, summary)


def _annotate_access(function: FuncOp, summary: FunctionSummary) -> None:
    present = function.arg_attrs
    all_attributes: list[DictionaryAttr] = []
    for number, type_ in enumerate(function.function_type.inputs):
        attributes: dict[str, Attribute] = {}
        if present is not None:
            attributes |= present.data[number].data
        if is_tensor_type(type_):
            attributes[_ACCESS] = StringAttr(_name_access(number, summary))
        all_attributes.append(DictionaryAttr(attributes))
    function.arg_attrs = ArrayAttr(all_attributes)


def _name_access(number: int, summary: FunctionSummary) -> str:
    kinds = [
        kind
        for kind, arguments in (
            ("read", summary.read_args),
            ("write", summary.written_args),
        )
        if number in arguments
    ]
    return "-".join(kinds) or "none"


def _annotate_returns(function: FuncOp, summary: FunctionSummary) -> None:
    arguments = [-1 if n is None else n for n in summary.equivalent_args]
    if all(number == -1 for number in arguments):
        return
    for block in function.body.blocks:
        if isinstance(block.last_op, ReturnOp):
            block.last_op.attributes[_EQUIVALENT] = ArrayAttr(
                [IntegerAttr(number, i64) for number in arguments]
            )
