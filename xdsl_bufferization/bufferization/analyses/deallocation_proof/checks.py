"""What must hold where a buffer is used, freed, returned, or out of reach.

memref.dealloc %a       // its buffer is the function's, and was not freed before
memref.load %a[%i]      // was not freed
func.return %a          // was not freed; it becomes the caller's
"""

from xdsl.ir import Operation

from xdsl_bufferization.support.algorithms.decision_diagrams import FALSE

from .buffers import Buffer, Event, Owner, Pointer
from .findings import Fault, Kind, describe_case, line_of, place_of
from .state import State


def check_use(state: State, op: Operation, pointer: Pointer, reached: int) -> None:
    """The buffer of `pointer` is there where `op` uses it."""
    conditions = state.conditions
    for buffer, when in pointer.targets.items():
        freed = state.histories.of(buffer, "freed")
        if freed == FALSE:
            continue
        bad = conditions.conjoin(reached, conditions.conjoin(when, freed))
        if bad != FALSE:
            _used_late(state, op, buffer, bad)


def _used_late(state: State, op: Operation, buffer: Buffer, bad: int) -> None:
    event = _last_event(state, buffer, bad, is_free=True)
    freed = "" if event is None else f" {_when(event)}"
    report(
        state,
        Kind.USE_AFTER_FREE,
        op,
        f"the {_describe(buffer)} is used after it was freed{freed}",
        bad,
        _places(buffer, event),
    )


def check_free(state: State, op: Operation, pointer: Pointer, due: int) -> None:
    """Free the buffer of `pointer` where `due` holds; it is one that may be freed."""
    conditions = state.conditions
    for buffer, when in pointer.targets.items():
        freed = conditions.conjoin(due, when)
        if freed != FALSE:
            free_buffer(state, op, buffer, freed)
    part = conditions.conjoin(due, pointer.view)
    if part != FALSE:
        report(
            state,
            Kind.VIEW,
            op,
            "a view is freed, and not the buffer itself; free the base buffer of "
            "'memref.extract_strided_metadata'",
            part,
        )


def free_buffer(state: State, op: Operation, buffer: Buffer, due: int) -> None:
    """Free a buffer where `due` holds; it is one that may be freed."""
    conditions = state.conditions
    if buffer.owner is Owner.UNKNOWN:
        return
    if buffer.owner is not Owner.FUNCTION:
        message = f"{_describe(buffer)} is freed, which the function does not own"
        report(state, Kind.NOT_OWNED, op, message, due)
        return
    twice = conditions.conjoin(due, state.histories.of(buffer, "freed"))
    if twice != FALSE:
        event = _last_event(state, buffer, twice, is_free=True)
        first = "before" if event is None else _when(event)
        message = f"the {_describe(buffer)} is freed twice, first {first}"
        report(state, Kind.DOUBLE_FREE, op, message, twice, _places(buffer, event))
    given = conditions.conjoin(due, state.histories.of(buffer, "given"))
    if given != FALSE:
        event = _last_event(state, buffer, given, is_free=False)
        where = "before" if event is None else _when(event)
        message = f"the {_describe(buffer)} is freed, and was given away {where}"
        report(state, Kind.NOT_OWNED, op, message, given, _places(buffer, event))
    state.end(buffer, due, op, is_free=True)


def give_away(state: State, op: Operation, pointer: Pointer, reached: int) -> None:
    """Somebody else owns the buffer from here on, as nobody else does."""
    conditions = state.conditions
    for buffer, when in pointer.targets.items():
        given = conditions.conjoin(reached, when)
        if given != FALSE and buffer.owner is Owner.FUNCTION:
            state.end(buffer, given, op, is_free=False)


def check_result(
    state: State, op: Operation, number: int, pointer: Pointer, reached: int
) -> None:
    """Result `number` of a function is a buffer that the caller can own."""
    check_use(state, op, pointer, reached)
    conditions = state.conditions
    for buffer, when in pointer.targets.items():
        returned = conditions.conjoin(reached, when)
        if returned == FALSE or buffer.owner is Owner.UNKNOWN:
            continue
        if buffer.owner is not Owner.FUNCTION:
            message = (
                f"result {number} is {_describe(buffer)}, which the caller would free"
            )
            report(state, Kind.RESULT, op, message, returned)
            continue
        again = conditions.conjoin(returned, state.histories.of(buffer, "given"))
        if again != FALSE:
            event = _last_event(state, buffer, again, is_free=False)
            where = "" if event is None or event.op is op else _when(event)
            other = f"was given away {where}" if where else "is another result, too"
            message = f"result {number} is the {_describe(buffer)}, which {other}"
            report(state, Kind.RESULT, op, message, again, _places(buffer, event))
        state.end(buffer, returned, op, is_free=False)


def check_lost(
    state: State, buffer: Buffer, reached: int, loop: Operation | None = None
) -> None:
    """A buffer that nobody can reach any more has been freed or given away.

    If there is a `loop`, the buffer is out of reach where that or an iteration ends.
    """
    live = alive(state, buffer)
    lost = FALSE if live == FALSE else state.conditions.conjoin(reached, live)
    if lost == FALSE:
        return
    message = f"the {_describe(buffer)} is never freed"
    if loop is not None:
        message += (
            f", and cannot be reached after the loop or iteration {line_of(loop)}"
        )
    report(state, Kind.LEAK, buffer.op, message, lost)


def alive(state: State, buffer: Buffer) -> int:
    """Whether a buffer has yet to be freed by the function."""
    if buffer.owner is not Owner.FUNCTION or buffer.sources:
        return FALSE
    live = buffer.allocated
    for name in ("kept", "given", "freed"):
        if live == FALSE:
            return FALSE
        live = state.conditions.without(live, state.histories.of(buffer, name))
    return live


# --- messages ------------------------------------------------------------------------


def report(
    state: State,
    kind: Kind,
    op: Operation,
    message: str,
    bad: int,
    places: tuple[tuple[Operation, str], ...] = (),
) -> None:
    """Report what happens where `bad` holds, with one case of it."""
    case = state.conditions.by_name(bad)
    state.report(Fault(kind, op, message + describe_case(case), case, places))


def _describe(buffer: Buffer) -> str:
    match buffer.owner:
        case Owner.FUNCTION:
            return f"buffer of {place_of(buffer.op)}"
        case Owner.STACK:
            return f"the buffer of {place_of(buffer.op)} on the stack"
        case other:
            return other.value


def _when(event: Event) -> str:
    earlier = " of an earlier iteration" if event.is_earlier else ""
    return f"{line_of(event.op)}{earlier}"


def _last_event(
    state: State, buffer: Buffer, bad: int, *, is_free: bool
) -> Event | None:
    for event in reversed(list(state.histories.events_of(buffer))):
        is_it = event.is_free == is_free
        if is_it and state.conditions.conjoin(event.condition, bad) != FALSE:
            return event
    return None


def _places(buffer: Buffer, event: Event | None) -> tuple[tuple[Operation, str], ...]:
    allocated = (buffer.op, "the buffer comes from here")
    if event is None:
        return (allocated,)
    what = "the buffer is freed here" if event.is_free else "it is given away here"
    return (allocated, (event.op, what))
