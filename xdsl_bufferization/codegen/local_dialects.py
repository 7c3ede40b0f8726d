"""What else of this package's own dialects becomes ops that LLVM's lowering knows.

    check.expect_true(%ok) : i1     -> cf.assert
    perf.start_timer                -> func.call @clock_gettime

Right before `lower-to-llvm`, on buffers. A program without such ops stays as it is.
"""

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.support.traversal import ops_inside

from .convert_check_to_loops import convert_check_to_loops
from .convert_perf_to_func import convert_perf_to_func


def lower_local_dialects(module: ModuleOp) -> None:
    """Lower the ops of check and perf in `module`."""
    dialects = {op.dialect_name() for op in ops_inside(module)}
    if "check" in dialects:
        convert_check_to_loops(module)
    if "perf" in dialects:
        convert_perf_to_func(module)
