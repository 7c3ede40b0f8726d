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
        wanted: Sequence[int],
        prepare: Callable[[Sequence[Array]], Sequence[Array]],
    ):
        """`prepare` gets the weights at the positions `wanted`."""
        self._sources = tuple(sources)
        self._wanted = tuple(wanted)
        self._prepare = prepare
        self._state: tuple[tuple[object, ...], Sequence[Array], object] = ((), (), None)
        self._same: dict[int, tuple[int, Array]] = {}

    def arrays(self, inputs: Sequence[Any]) -> list[Array]:
        """One array for each source, made of the inputs of a call."""
        prepared = self._prepared(inputs)
        return [
            prepared[source.number]
            if source.is_prepared
            else self._array(source.number, inputs[source.number])
            for source in self._sources
        ]

    def forget(self) -> None:
        """Free what was prepared; the next call prepares again."""
        self._state = ((), (), None)

    def _prepared(self, inputs: Sequence[Any]) -> Sequence[Array]:
        if not self._wanted:
            return ()
        weights = [inputs[number] for number in self._wanted]
        key = tuple(map(_state_of, weights))
        known, prepared, _ = self._state
        if key == known:
            return prepared
        prepared = self._prepare([array_of(tensor) for tensor in weights])
        # While the memory is held, no other tensor can have its address.
        held = [tensor.detach() for tensor in weights]
        self._state = (key, prepared, held)
        return prepared

    def _array(self, number: int, tensor: Any) -> Array:
        """The weight itself, whatever is in its memory now."""
        address, array = self._same.get(number, (0, None))
        if array is not None and tensor.data_ptr() == address:
            return array
        array = array_of(tensor)
        if tensor.is_contiguous():
            self._same[number] = (tensor.data_ptr(), array)
        return array


def _state_of(tensor: Any) -> object:
    """What is another one when a tensor has changed."""
    if tensor.is_inference():
        return object()  # PyTorch does not count writes into it.
    # PyTorch documents `_version`, and has no public name for it.
    return (tensor.data_ptr(), tensor._version, tensor.stride())  # noqa: SLF001
