"""Private functions that return with each buffer a number: whether it is the caller's.

    func.func private @f(%c: i1, %m: memref<4xf32>) -> (memref<4xf32>, i1)
    %r, %own = func.call @f(%c, %m)      // the caller frees %r if %own is true

The option `private-function-dynamic-ownership` of MLIR's deallocation makes them. What
a result may be is collected from the body: a new buffer, an argument, another result.
A function whose results are the caller's on all paths is one like all others, whatever
its numbers of type `i1` mean.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.common.symbols import is_private
from xdsl_bufferization.support.algorithms.decision_diagrams import FALSE, TRUE

from ...interfaces.deallocation import is_memref_type
from .buffers import Buffer, Owner, Pointer
from .checks import check_use, give_away, report
from .findings import Kind
from .run import Run


class Source(NamedTuple):
    """What a result is, other than a buffer of its own."""

    owner: Owner
    """Of another result: the function."""

    key: Hashable
    """The number of the result, or the key of the buffer that somebody else owns."""


@dataclass
class Contract:
    """What the callers of a function can rely on."""

    bits: Mapping[int, int]
    """By result that is a buffer: the result that says whether it is the caller's."""

    sources: dict[tuple[int, bool], dict[Source, None]] = field(
        default_factory=dict[tuple[int, bool], dict[Source, None]]
    )
    """By result, and whether it is the caller's: what it may be."""

    def add(self, result: int, is_owned: bool, source: Source) -> None:
        """Note what a result may be."""
        self.sources.setdefault((result, is_owned), {})[source] = None


def possible_contract(
    function: func.FuncOp, as_values: Collection[str]
) -> Contract | None:
    """How a function may say who owns its results; None if it does not."""
    name = function.sym_name.data
    if not is_private(function) or function.is_declaration or name in as_values:
        return None
    types = function.function_type.outputs.data
    buffers = [number for number, type_ in enumerate(types) if is_memref_type(type_)]
    first = len(types) - len(buffers)
    if not buffers or any(type_ != i1 for type_ in types[first:]):
        return None
    return Contract({each: first + n for n, each in enumerate(buffers)})


def allow_all(contract: Contract, function: func.FuncOp) -> None:
    """Let results be whatever is there: for functions that call themselves."""
    arguments = [
        Source(Owner.ARGUMENT, number)
        for number, type_ in enumerate(function.function_type.inputs)
        if is_memref_type(type_)
    ]
    results = [Source(Owner.FUNCTION, number) for number in contract.bits]
    for result in contract.bits:
        for source in (*arguments, *results, Source(Owner.OUTSIDE, None)):
            if source != Source(Owner.FUNCTION, result):
                contract.add(result, False, source)


# --- what the body does --------------------------------------------------------------


def is_spoken_for(
    run: Run, contract: Contract, ends: Iterable[tuple[Operation, int]]
) -> bool:
    """Whether the numbers say who owns the results, as far as can be told.

    They do not if a result is always the caller's, and a number is false there.
    """
    return not all(
        _is_owned(run, op.operands[number], reached)
        for op, reached in ends
        for number in contract.bits
    ) or all(
        _is_said(run, contract, op, number, reached)
        for op, reached in ends
        for number in contract.bits
    )


def _is_owned(run: Run, value: SSAValue, reached: int) -> bool:
    return all(
        buffer.owner is Owner.FUNCTION
        or run.state.conditions.conjoin(reached, when) == FALSE
        for buffer, when in run.state.expand(run.pointer(value)).targets.items()
    )


def _is_said(
    run: Run, contract: Contract, op: Operation, number: int, reached: int
) -> bool:
    """Whether the buffer of a result is the caller's by one of the numbers."""
    conditions = run.state.conditions
    for buffer, when in run.state.expand(
        run.pointer(op.operands[number])
    ).targets.items():
        unsaid = conditions.conjoin(reached, when)
        for other, bit in contract.bits.items():
            same = run.state.expand(run.pointer(op.operands[other])).targets.get(
                buffer, FALSE
            )
            said = conditions.conjoin(same, run.bit(op.operands[bit]))
            unsaid = conditions.without(unsaid, said)
        if unsaid != FALSE:
            return False
    return True


def check_contract(
    run: Run, contract: Contract, ends: Sequence[tuple[Operation, int]]
) -> None:
    """Check and note what the body returns."""
    for op, reached in ends:
        for number, bit in contract.bits.items():
            _check_result(run, contract, op, number, run.bit(op.operands[bit]), reached)


def _check_result(
    run: Run, contract: Contract, op: Operation, number: int, bit: int, reached: int
) -> None:
    conditions = run.state.conditions
    pointer = run.state.expand(run.pointer(op.operands[number]))
    check_use(run.state, op, pointer, reached)
    owned = conditions.conjoin(reached, bit)
    for buffer, when in pointer.targets.items():
        if conditions.conjoin(owned, when) != FALSE:
            _note(run, contract, op, number, buffer, conditions.conjoin(owned, when))
        borrowed = conditions.without(conditions.conjoin(reached, when), bit)
        if borrowed != FALSE:
            _note_borrowed(run, contract, op, number, buffer, borrowed)
    give_away(run.state, op, pointer, owned)


def _note(
    run: Run, contract: Contract, op: Operation, number: int, buffer: Buffer, when: int
) -> None:
    """Result `number` is the caller's, and may be an earlier result as well."""
    if buffer.owner is Owner.FUNCTION:
        for other in contract.bits:
            if other < number and _is_given(run, contract, op, other, buffer, when):
                contract.add(number, True, Source(Owner.FUNCTION, other))
    elif buffer.owner is not Owner.UNKNOWN:
        message = f"result {number} is returned as the caller's, and is not"
        report(run.state, Kind.RESULT, op, message, when)


def _note_borrowed(
    run: Run, contract: Contract, op: Operation, number: int, buffer: Buffer, when: int
) -> None:
    """Result `number` is not the caller's, or another result is."""
    if buffer.owner is not Owner.FUNCTION:
        key = cast("tuple[Owner, Hashable]", buffer.key)
        contract.add(number, False, Source(*key))
        return
    for other in contract.bits:
        if other != number and _is_given(run, contract, op, other, buffer, when):
            contract.add(number, False, Source(Owner.FUNCTION, other))


def _is_given(
    run: Run, contract: Contract, op: Operation, other: int, buffer: Buffer, when: int
) -> bool:
    """Whether the caller may get a buffer as another result."""
    conditions = run.state.conditions
    same = run.state.expand(run.pointer(op.operands[other])).targets.get(buffer, FALSE)
    bit = run.bit(op.operands[contract.bits[other]])
    return conditions.conjoin(when, conditions.conjoin(same, bit)) != FALSE


# --- what a caller gets --------------------------------------------------------------


def results_of_call(run: Run, op: Operation, contract: Contract) -> None:
    """Let the results of a call be what the function may return."""
    state = run.state
    own = {
        number: state.allocate(op.results[number], op, FALSE)
        for number in contract.bits
    }
    for number, bit in contract.bits.items():
        result = op.results[bit]
        state.values[result] = state.conditions.unknown(result, state.scope, result)
        state.values[op.results[number]] = state.point_to(own[number])
    for number in contract.bits:
        _result(run, op, contract, number, own[number])


def _result(
    run: Run, op: Operation, contract: Contract, number: int, own: Buffer
) -> None:
    state, result = run.state, op.results[number]
    bit = run.bit(op.results[contract.bits[number]])
    mine = _one_of(run, op, contract, number, True, state.point_to(own))
    nobody = state.point_to(state.borrow(Owner.OUTSIDE, None, op))
    not_mine = _one_of(run, op, contract, number, False, nobody)
    pointer = state.choose(bit, mine, not_mine)
    assert isinstance(pointer, Pointer)
    state.values[result] = pointer
    own.allocated = state.conditions.conjoin(
        run.reached, state.conditions.conjoin(bit, mine.targets.get(own, FALSE))
    )


def _one_of(
    run: Run,
    op: Operation,
    contract: Contract,
    number: int,
    is_owned: bool,
    otherwise: Pointer,
) -> Pointer:
    """One of what a result may be; `otherwise` if that is not there."""
    sources = list(contract.sources.get((number, is_owned), {}))
    found = otherwise
    ways = run.any_of((op, number, is_owned), len(sources) + 1)
    for when, source in zip(ways[1:], sources, strict=True):
        there = run.state.conditions.conjoin(when, _is_there(run, op, contract, source))
        chosen = run.state.choose(there, _pointer(run, op, source), found)
        assert isinstance(chosen, Pointer)
        found = chosen
    return found


def _is_there(run: Run, op: Operation, contract: Contract, source: Source) -> int:
    if source.owner is not Owner.FUNCTION:
        return TRUE
    assert isinstance(source.key, int)
    return run.bit(op.results[contract.bits[source.key]])


def _pointer(run: Run, op: Operation, source: Source) -> Pointer:
    key = source.key
    if source.owner is Owner.FUNCTION:
        assert isinstance(key, int)
        return run.pointer(op.results[key])
    if source.owner is Owner.ARGUMENT:
        assert isinstance(key, int)
        return run.pointer(op.operands[key])
    return run.state.point_to(run.state.borrow(source.owner, key, op))
