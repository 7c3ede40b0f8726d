"""What a program is told about callers that are written in Python, before any pass.

    func.func @f(%x: tensor<4xf32> {xbuf.weight})    expect_python_callers
    func.func @f(%x: tensor<4xf32> {xbuf.value})

`jit`, `xbuf run`, `profile` and `stages` say it: all of them have the same code.
"""

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.bufferize.value_arguments import (
    mark_value_arguments,
)
from xdsl_bufferization.optimization.packing.prepare_weights import forget_weights


def expect_python_callers(
    module: ModuleOp, *, finds_results_in_arguments: bool = True
) -> None:
    """Say that callers keep the tensors that they pass, and pass all that is written.

    Without `finds_results_in_arguments`, they do not look for results in arguments. See
    `mark_value_arguments` and `forget_weights`.
    """
    mark_value_arguments(module, finds_results_in_arguments=finds_results_in_arguments)
    forget_weights(module)
