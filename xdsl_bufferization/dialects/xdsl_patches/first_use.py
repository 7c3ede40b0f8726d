"""What the ops of a dialect get is given when one of them is asked for first.

    on_first_use(attach_models_of)      # later, for scf.for: attach_models_of("scf")

A process names few dialects. To attach what is known of all of them takes longer than
most programs take. `prepare` is called wherever traits of a class are looked up.
"""

from collections.abc import Callable
from typing import Final

from xdsl.ir import Operation

from xdsl_bufferization.support.locks import fork_safe_lock

_LOCK = fork_safe_lock()


class _Step:
    """Something to be done for each dialect, once."""

    def __init__(self, attach: Callable[[str], object]) -> None:
        self.attach = attach
        self.done: set[str] = set()


class _State:
    """Whether this is the work of an earlier call, which asks for traits itself."""

    is_at_work = False


_steps: Final[list[_Step]] = []
_ready: Final[set[type[Operation]]] = set()
_ready_dialects: Final[set[str]] = set()
_state: Final = _State()


def on_first_use(attach: Callable[[str], object]) -> None:
    """Call `attach` with the name of each dialect before traits of its ops are known.

    What is given in an earlier call is attached first.
    """
    with _LOCK:
        if all(step.attach is not attach for step in _steps):
            _steps.append(_Step(attach))
            _ready.clear()
            _ready_dialects.clear()


def prepare(op_type: type[Operation]) -> None:
    """Attach what belongs to the dialect of a class, if that is not done."""
    if op_type not in _ready:
        _prepare(op_type)


def prepare_dialect(dialect: str) -> None:
    """Attach what belongs to a dialect, if that is not done."""
    if dialect not in _ready_dialects:
        _prepare_dialect(dialect)


def _prepare(op_type: type[Operation]) -> None:
    dialect: str = getattr(op_type, "name", "").partition(".")[0]
    if _prepare_dialect(dialect):
        _ready.add(op_type)


def _prepare_dialect(dialect: str) -> bool:
    """Attach it, and say whether that is done."""
    with _LOCK:
        if _state.is_at_work:
            return False
        _state.is_at_work = True
        try:
            for step in _steps:
                if dialect not in step.done:
                    step.attach(dialect)
                    # After an interrupt, all of it is attached again.
                    step.done.add(dialect)
            _ready_dialects.add(dialect)
        finally:
            _state.is_at_work = False
    return True
