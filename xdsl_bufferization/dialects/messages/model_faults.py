"""Whose fault an exception is: that of a model of somebody else, which is named.

    a.mlir:3:8: error: ScaleModel.bufferize raises AttributeError: 'ScaleOp' object has
    no attribute 'matrix' (rows/models.py:27)

A model is a class of an interface of this package. If it is from another package, an
exception out of one of its methods is no defect of this package.
"""

from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb
from types import FrameType

from xdsl.ir import Operation
from xdsl.traits import OpTrait

from ..parsing import locate

_OURS = __name__.partition(".")[0]
_PACKAGES = (_OURS, "xdsl")


def describe_model_fault(error: Exception) -> tuple[str | None, str] | None:
    """The place of the op in the program, if known, and what happened in the model.

    None if no model of somebody else was asked when `error` was raised.
    """
    frames = [*walk_tb(error.__traceback__)]
    for number, (frame, _) in enumerate(frames):
        model = frame.f_locals.get("self")
        if not isinstance(model, OpTrait) or _package(type(model)) in _PACKAGES:
            continue
        if frame.f_globals.get("__name__", "").partition(".")[0] in _PACKAGES:
            continue  # A method that the model inherits.
        file = frame.f_code.co_filename
        # What the model calls in its own file is nearer to the cause.
        line = [at for each, at in frames[number:] if each.f_code.co_filename == file][
            -1
        ]
        place = next(_places(frame), None)
        what = f"{type(model).__name__}.{frame.f_code.co_name}"
        text = f"{what} raises {type(error).__name__}: {error}"
        return place, f"{text} ({Path(file).name}:{line})"
    return None


def _package(kind: type) -> str:
    return kind.__module__.partition(".")[0]


def _places(frame: FrameType) -> Iterator[str]:
    """Where the ops stand that a method was called with."""
    for value in frame.f_locals.values():
        op = value if isinstance(value, Operation) else getattr(value, "owner", None)
        if isinstance(op, Operation) and (place := locate(op)) is not None:
            yield place
