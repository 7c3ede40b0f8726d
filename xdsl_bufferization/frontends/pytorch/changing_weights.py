"""A graph whose weights change: they are packed beforehand as long as that is worth it.

    for x, y in data:
        loss(model(x), y).backward()
        optimizer.step()              # all weights change

The first calls find packed weights. From the second change on, the graph is compiled
anew, and takes the weights as they are. If nothing has changed in many calls, as when
training is over, the weights are packed again.
"""

from collections.abc import Callable, Collection
from typing import Any, Final

from .function import TensorFunction
from .weights import states_of, version_of

MOST_CHANGES: Final = 2
"""After so many changes, weights are no longer packed beforehand."""

UNCHANGED_CALLS: Final = 16
"""After so many calls without a change, weights are packed beforehand again."""


class FunctionOfWeights:
    """A compiled graph, which is compiled a second time if its weights change."""

    def __init__(
        self,
        packed: TensorFunction,
        compile_as_they_are: Callable[[], TensorFunction | None],
        weights: Collection[int],
    ):
        """`compile_as_they_are` gives None if there is no such function."""
        self._packed = packed
        self._compile = compile_as_they_are
        self._weights = sorted(weights)
        self._as_they_are: TensorFunction | None = None
        self._is_compiled = False
        self._is_changing = False
        self._preparations = 1
        """How many there had been when the weights were last found unchanged."""

        self._version: int | None = None
        """That of the first weight, which says of most steps that all have changed."""

        self._state: object = None
        self._unchanged_calls = 0

    @property
    def is_dynamic(self) -> bool:
        """Whether the code is for several sizes."""
        return self._packed.is_dynamic

    def __call__(self, *inputs: Any) -> Any:
        """The outputs of the graph."""
        if self._is_changing and self._as_they_are is not None:
            self._look_at_weights(inputs)
            return self._as_they_are(*inputs)
        outputs = self._packed(*inputs)
        if self._packed.preparations - self._preparations >= MOST_CHANGES:
            self._begin_to_change()
        return outputs

    def _begin_to_change(self) -> None:
        if not self._is_compiled:
            self._is_compiled = True
            self._as_they_are = self._compile()
        self._is_changing = True
        if self._as_they_are is not None:
            self._packed.forget_weights()

    def _look_at_weights(self, inputs: Any) -> None:
        version = version_of(inputs[self._weights[0]])
        if version is None or version != self._version:
            self._version, self._state, self._unchanged_calls = version, None, 0
            return
        state = states_of([inputs[number] for number in self._weights])
        is_same = state is not None and self._state in (None, state)
        self._state = state
        self._unchanged_calls = self._unchanged_calls + 1 if is_same else 0
        if self._unchanged_calls == UNCHANGED_CALLS:
            self._is_changing = False
            self._preparations = self._packed.preparations + 1
