"""Weights as arguments, packed once and kept until one of them changes.

    weights = KeptWeights(sources, prepare)
    weights.arrays(tensors)      packed now
    weights.arrays(tensors)      the same arrays
    optimizer.step()             writes into the tensors
    weights.arrays(tensors)      packed again

A tensor has changed if it is other memory, or if PyTorch counts more writes into it. A
write that PyTorch does not count, by `tensor.data` or by NumPy, is not noticed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl_bufferization.just_in_time.pytorch.tensors import array_of
from xdsl_bufferization.runtime.descriptor import Array


@dataclass(frozen=True)
class Source:
    """Where an argument comes from: an input, or a result of the preparation."""

    number: int
    is_prepared: bool


class KeptWeights:
    """The arguments of a function that depend on weights alone."""

    def __init__(
        self,
        sources: Sequence[Source],
        prepare: Callable[[dict[int, Array]], Sequence[Array]],
    ):
        """`prepare` gets the weights, by the position of the input."""
        self._sources = tuple(sources)
        self._prepare = prepare
        self._state: tuple[tuple[object, ...], list[Array], object] = ((), [], None)

    def arrays(self, weights: dict[int, Any]) -> list[Array]:
        """One array for each source, made of the weights by position."""
        if not self._sources:
            return []
        key = tuple([_state_of(tensor) for tensor in weights.values()])
        known, arrays, _ = self._state
        if key == known:
            return arrays
        given = {number: array_of(tensor) for number, tensor in weights.items()}
        prepared = self._prepare(given)
        arrays = [
            prepared[source.number] if source.is_prepared else given[source.number]
            for source in self._sources
        ]
        # While the memory is held, no other tensor can have its address.
        held = [tensor.detach() for tensor in weights.values()]
        self._state = (key, arrays, held)
        return arrays

    def forget(self) -> None:
        """Free what was prepared; the next call prepares again."""
        self._state = ((), [], None)


def _state_of(tensor: Any) -> object:
    """What is another one when a tensor has changed."""
    if tensor.is_inference():
        return object()  # PyTorch does not count writes into it.
    return (tensor.data_ptr(), tensor._version, tensor.stride())  # noqa: SLF001
