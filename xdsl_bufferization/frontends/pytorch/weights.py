"""Weights as arguments, packed once and cached until one of them changes.

    weights = CachedWeights(sources, wanted, prepare)
    weights.arguments(tensors)      packed now
    weights.arguments(tensors)      the same arguments
    optimizer.step()                writes into the tensors
    weights.arguments(tensors)      packed again

A tensor has changed if it is other memory, or if PyTorch counts more writes into it. A
write that PyTorch does not count, by `tensor.data` or by NumPy, is not noticed.

A network has hundreds of weights, and each call looks at all of them. So one function
of C after the other looks at all tensors.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from xdsl_bufferization.runtime.descriptor import Array

from .frameworks import torch
from .tensors import array_of


@dataclass(frozen=True)
class Source:
    """Where an argument comes from: an input, or a result of the preparation."""

    number: int
    is_prepared: bool


class CachedWeights:
    """The arguments of a function that depend on weights alone."""

    def __init__(
        self,
        sources: Sequence[Source | None],
        wanted: Sequence[int],
        prepare: Callable[[Sequence[Array]], Sequence[Array]],
        pack: Callable[[int, Array], object] = lambda number, array: array,
    ):
        """`sources` has one for each argument that depends on weights alone.

        `prepare` gets the weights at the positions `wanted`. `pack` makes of the number
        of an argument, and its array, what is passed.
        """
        self._sources = tuple(sources)
        self._wanted = tuple(wanted)
        self._itself = [
            each.number for each in sources if each and not each.is_prepared
        ]
        self._has_any = any(sources)
        self._has_prepared = any(each and each.is_prepared for each in sources)
        self._prepare = prepare
        self._pack = pack
        self._state: tuple[object, Sequence[Array], object] = (None, (), None)
        self._passed: tuple[object, Sequence[object]] = (None, (None,) * len(sources))
        self.preparations = 0
        """How often something was computed of weights alone."""

    def arguments(self, inputs: Sequence[Any]) -> Sequence[object]:
        """What is passed for each argument, made of the inputs of a call.

        None for those that are no weights. The same object as before if no weight has
        changed.
        """
        if not self._has_any:
            return self._passed[1]
        state = states_of([inputs[n] for n in (*self._wanted, *self._itself)])
        known, passed = self._passed
        if state is not None and state == known:
            return passed
        passed = [
            None if array is None else self._pack(number, array)
            for number, array in enumerate(self.arrays(inputs))
        ]
        # An array in another order is a copy, of which no write is known.
        if all(inputs[number].is_contiguous() for number in self._itself):
            self._passed = (state, passed)
        return passed

    def arrays(self, inputs: Sequence[Any]) -> Sequence[Array | None]:
        """The array of each argument; None for those that are no weights."""
        prepared = self._prepared(inputs)

        def array(source: Source) -> Array:
            if source.is_prepared:
                return prepared[source.number]
            return array_of(inputs[source.number])

        return [None if each is None else array(each) for each in self._sources]

    def forget(self) -> None:
        """Free what was prepared; the next call prepares again."""
        self._state = (None, (), None)
        self._passed = (None, (None,) * len(self._sources))

    def _prepared(self, inputs: Sequence[Any]) -> Sequence[Array]:
        if not self._has_prepared:
            return ()
        weights = [inputs[number] for number in self._wanted]
        state = states_of(weights)
        known, prepared, _ = self._state
        if state is not None and state == known:
            return prepared
        self.preparations += 1
        prepared = self._prepare([array_of(tensor) for tensor in weights])
        # While the memory is held, no other tensor can have its address.
        held = [tensor.detach() for tensor in weights]
        self._state = (state, prepared, held)
        return prepared


# PyTorch documents `_version`, and has no public name for it.
_VERSION: Final = attrgetter("_version")


def version_of(tensor: Any) -> int | None:
    """How often PyTorch has seen a tensor written; None if it does not count."""
    try:
        return _VERSION(tensor)
    except RuntimeError:
        return None


def states_of(tensors: Sequence[Any]) -> object:
    """What is another one when a tensor has changed; None if nobody can know."""
    tensor_type = torch().Tensor
    try:
        # Sizes are the same in all calls. So strides of tensors in row-major order are
        # known, and to ask for them takes as long as all the rest.
        is_plain = all(map(tensor_type.is_contiguous, tensors))
        return (
            [*map(_VERSION, tensors)],
            [*map(tensor_type.data_ptr, tensors)],
            None if is_plain else [*map(tensor_type.stride, tensors)],
        )
    except RuntimeError:
        return None  # PyTorch does not count writes into tensors for inference.
