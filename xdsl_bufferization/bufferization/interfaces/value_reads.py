"""Whether what a buffer holds is ever read, and so whether a copy needs its contents.

    %1 = tensor.extract_slice %0[0] [4] [1]     // does not read %0, but becomes %1
    %2 = tensor.extract %1[%i]                  // which is read, so that %0 is as well

The analysis asks before it decides, `copy-before-write` when it copies.
"""

from collections.abc import Callable, Iterator

from xdsl.ir import SSAValue

from .operands import OpOperand
from .state import AnalysisState


class ValueReads:
    """The values known to be read, and those known not to be.

    Each value is looked at once, whoever asks. `has_reading_use` is for a state that
    knows sooner than by asking a model about each use of a value whether one reads.
    """

    def __init__(
        self,
        state: AnalysisState,
        has_reading_use: Callable[[SSAValue], bool] | None = None,
    ):
        self._state = state
        self._has_reading_use = has_reading_use or self.has_reading_use
        self._known: dict[SSAValue, bool] = {}

    def is_read(self, value: SSAValue) -> bool:
        """Whether `value`, or what it becomes without a write, is read."""
        answer = self._known.get(value)
        return self._find(value) if answer is None else answer

    def has_reading_use(self, value: SSAValue) -> bool:
        """Whether an op reads `value` itself."""
        return any(
            self._state.bufferizes_to_memory_read(OpOperand(use.operation, use.index))
            for use in value.uses
        )

    def _find(self, value: SSAValue) -> bool:
        known = self._known
        came_from: dict[SSAValue, SSAValue | None] = {value: None}
        todo = [value]
        while todo:
            current = todo.pop()
            answer = known.get(current)
            if answer or (answer is None and self._has_reading_use(current)):
                # That answers for everything on the way here as well.
                on_the_way: SSAValue | None = current
                while on_the_way is not None:
                    known[on_the_way] = True
                    on_the_way = came_from[on_the_way]
                return True
            if answer is None:
                for next_ in self._becomes(current):
                    if next_ not in came_from:
                        came_from[next_] = current
                        todo.append(next_)
        # Nothing reachable is read: that answers for everything seen.
        known |= dict.fromkeys(came_from, False)
        return False

    def _becomes(self, value: SSAValue) -> Iterator[SSAValue]:
        """What may be the buffer of `value`, unwritten."""
        for use in value.uses:
            operand = OpOperand(use.operation, use.index)
            if not self._state.bufferizes_to_memory_write(operand):
                for alias in self._state.get_aliasing_values(operand):
                    yield alias.value


def are_contents_unused(operand: OpOperand, state: AnalysisState) -> bool:
    """Whether a copy for `operand` may start with any contents: they are not read.

    Because they are overwritten, or because neither the operand nor what it becomes
    is read. MLIR's `canOmitTensorCopy`, but for contents that are undefined.
    """
    if state.bufferizes_to_memory_read(operand):
        return False
    return state.bufferizes_to_memory_write(operand) or not any(
        state.is_value_read(alias.value) for alias in state.get_aliasing_values(operand)
    )
