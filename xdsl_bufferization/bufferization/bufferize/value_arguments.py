"""Which arguments were tensors in the program: a call leaves them as they are.

    func.func @f(%x: tensor<4xf32>)                mark_value_arguments
    func.func @f(%x: tensor<4xf32> {xbuf.value})   one-shot-bufferize
    func.func @f(%x: memref<4xf32> {xbuf.value})   a caller's array is not changed

After bufferization nothing else tells a tensor, which is a value, from a buffer that
the program writes to on purpose. The mark is an attribute of the argument, so that it
stays with the argument through all passes, and in text. No pass sets it: what passes
print is what MLIR's print.
"""

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
)

from ..analyses.buffers.value_arguments import RESULTS_IN_ARGUMENTS, VALUE
from ..interfaces.operands import is_tensor_type


def mark_value_arguments(
    module: ModuleOp, *, finds_results_in_arguments: bool = False
) -> None:
    """Mark the tensors among the arguments of public functions.

    With `finds_results_in_arguments`, mark the functions as well: whoever calls them
    has results that are arguments, and the functions need not return them.
    """
    for op in module.ops:
        if not isinstance(op, func.FuncOp) or op.is_declaration:
            continue
        if op.sym_visibility != StringAttr("private"):
            _mark(op)
            if finds_results_in_arguments:
                op.attributes.setdefault(RESULTS_IN_ARGUMENTS, UnitAttr())


def _mark(function: func.FuncOp) -> None:
    types = function.function_type.inputs.data
    if not any(map(is_tensor_type, types)):
        return
    present = function.arg_attrs or [DictionaryAttr({})] * len(types)
    function.arg_attrs = ArrayAttr(
        DictionaryAttr({**attributes.data, VALUE: UnitAttr()})
        if is_tensor_type(type_)
        else attributes
        for type_, attributes in zip(types, present, strict=True)
    )
