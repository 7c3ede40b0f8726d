"""An exception that a model of somebody else has caused becomes an error at its op.

    scale.mlir:3:8: error: the model ScaleRowsModel of 'mydialect.scale_rows' is wrong:
    get_dps_inits answers None, which is no Sequence; nobody asks for get_dps_init: did
    you mean get_dps_inits?

Without this, who misspells a method reads an exception out of the middle of this
package. The models are checked only then, by `check_model`.
"""

import traceback
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.support.errors import OperationError, fail_at, op_name
from xdsl_bufferization.support.traversal import ops_inside

from ..interfaces.bufferizable import (
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
    except _CAUSED as error:
        _blame(module, error)
        raise


def _blame(module: ModuleOp, error: Exception) -> None:
    """Raise an `OperationError`, if a model of somebody else is wrong."""
    # Most programs never need this.
    from ..interfaces.check_model import check_model

    guests = _guests(module)
    for model, op in guests.items():
        problems: list[str] = []
        with suppress(*_CAUSED, OperationError):
            problems = check_model(op)
        if problems:
            # What was answered wrongly says more than what then goes wrong.
            problems.sort(key=lambda problem: " raises " in problem)
            _fail(op, model, "; ".join(problems[:_MOST]), error)
    raising = _raised_in(error.__traceback__)
    for model, op in guests.items():
        if raising is not None and isinstance(raising[0], model):
            words = f"{type(error).__name__} in {raising[1]}: {error}"
            _fail(op, model, words, error)


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


def _raised_in(raised: TracebackType | None) -> tuple[object, str] | None:
    """The last model of somebody else that was running, and which line of it."""
    found = None
    for owner, place in _running(raised):
        if isinstance(owner, BufferizableOpInterface) and is_of_others(owner):
            found = owner, place
    return found


def _running(raised: TracebackType | None) -> Iterator[tuple[object, str]]:
    for frame, line in traceback.walk_tb(raised):
        code = frame.f_code
        if not frame.f_globals.get("__name__", "").startswith(_OURS):
            place = f"{code.co_name}, line {line} of {code.co_filename}"
            yield frame.f_locals.get("self"), place
