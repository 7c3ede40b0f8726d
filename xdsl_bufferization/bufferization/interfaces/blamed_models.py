"""An exception that a model of somebody else has caused becomes an error at its op.

    scale.mlir:3:8: error: the model ScaleRowsModel of 'mydialect.scale_rows' is wrong:
    get_dps_inits answers None, which is no Sequence; nobody asks for get_dps_init: did
    you mean get_dps_inits?

Without this, who misspells a method reads an exception out of the middle of this
package. The models are checked only then, by `check_model`.
"""

import traceback
from collections.abc import Generator
from contextlib import contextmanager, suppress

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.support.errors import OperationError, fail_at, op_name
from xdsl_bufferization.support.traversal import ops_inside

from .bufferizable import (
    BufferizableOpInterface,
    get_model,
    is_of_others,
)

_CAUSED = (
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    TypeError,
    ValueError,
)
"""What is raised where an answer is not what was expected."""

_OURS = f"{__name__.partition('.')[0]}."
_MOST = 4
"""How many problems of a model are told."""


@contextmanager
def blaming_models(module: ModuleOp) -> Generator[None]:
    """Within this, what the models of others have caused is an `OperationError`."""
    try:
        yield
    except Exception as error:  # It goes on, unless a model of others has caused it.
        blame_models(module, error)
        raise


def blame_models(module: ModuleOp, error: Exception) -> None:
    """Raise an `OperationError`, if a model of somebody else has caused an exception.

    What other code has raised is left alone: its traceback ends at the line.
    """
    if not isinstance(error, _CAUSED):
        return
    # Most programs never need this.
    from .check_model import check_model

    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    if not frame.f_globals.get("__name__", "").startswith(_OURS):
        return
    for model, op in _guests(module).items():
        problems: list[str] = []
        with suppress(*_CAUSED, OperationError):
            problems = check_model(op)
        if problems:
            # What was answered wrongly says more than what then goes wrong.
            problems.sort(key=lambda problem: " raises " in problem)
            _fail(op, model, "; ".join(problems[:_MOST]), error)


def _fail(
    op: Operation,
    model: type[BufferizableOpInterface],
    problem: str,
    error: Exception,
) -> None:
    try:
        fail_at(
            op, f"the model {model.__name__} of '{op_name(op)}' is wrong: {problem}"
        )
    except OperationError as at_op:
        raise at_op from error


def _guests(module: ModuleOp) -> dict[type[BufferizableOpInterface], Operation]:
    """By class of a model that is not of this package: an op with the model."""
    found: dict[type[BufferizableOpInterface], Operation] = {}
    for op in ops_inside(module):
        model = get_model(op)
        if model is not None and is_of_others(model):
            found.setdefault(type(model), op)
    return found
