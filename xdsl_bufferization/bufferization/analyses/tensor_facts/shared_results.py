"""Which results of calls may share a buffer, whatever the operands are.

    %0:2 = func.call @f() : () -> (tensor<4xf32>, tensor<4xf32>)    // one buffer twice?

Cost: linear in the ops and the results of calls.
"""

from collections.abc import Iterator

from xdsl.dialects.func import CallOp
from xdsl.ir import SSAValue

from ...interfaces.operands import is_tensor
from .tensor_facts import TensorFacts


def results_of_one_buffer(facts: TensorFacts) -> Iterator[list[SSAValue]]:
    """Results of calls that may share a buffer, even if all operands are copied."""
    for op in facts.ops:
        if type(op) is CallOp and len(op.results) > 1:
            summary = facts.get_function_summary(op)
            if summary is None:
                yield [result for result in op.results if is_tensor(result)]
            else:
                for numbers in summary.shared_results:
                    yield [op.results[number] for number in sorted(numbers)]
