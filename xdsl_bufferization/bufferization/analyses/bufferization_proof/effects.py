"""What a function does with its arguments, as its own proof has found.

    func.func @f(%t) {                        // reads and writes argument 0,
      %0 = tensor.extract %t[%i]              // and the result is in its buffer
      %1 = tensor.insert %0 into %t[%j]
      return %1
    }

A function is proven for arguments in different buffers. So a call that passes one
buffer twice, and lets one of them be written, is an error of the caller.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp

from ...interfaces.operands import is_tensor_type
from ...interfaces.state import FunctionSummary
from ..calls.call_graph import declared_access

Numbers = frozenset[int]
_NOTHING: Numbers = frozenset()


@dataclass(frozen=True)
class Effects:
    """What callers need to know."""

    summary: FunctionSummary

    origins: tuple[Numbers, ...]
    """For each result the arguments of which it may still have elements."""


@dataclass
class NotedEffects:
    """What has been seen so far of the effects of one function."""

    read: set[int] = field(default_factory=set[int])
    written: set[int] = field(default_factory=set[int])
    returns: bool = False
    aliasing: list[Numbers] = field(default_factory=list[Numbers])
    equivalent: list[int | None] = field(default_factory=list[int | None])
    origins: list[Numbers] = field(default_factory=list[Numbers])
    read_only: set[int] = field(default_factory=set[int])
    shared: set[Numbers] = field(default_factory=set[Numbers])

    def as_effects(self, results: int) -> Effects:
        """The effects of a function with so many results."""
        if not self.returns:
            # What it does to its arguments it does all the same.
            self.note_return(
                [_NOTHING] * results, [None] * results, [_NOTHING] * results
            )
        return Effects(
            FunctionSummary(
                frozenset(self.read),
                frozenset(self.written),
                tuple(self.aliasing),
                tuple(self.equivalent),
                read_only_results=frozenset(self.read_only),
                shared_results=tuple(sorted(self.shared, key=sorted)),
            ),
            tuple(self.origins),
        )

    def note_return(
        self,
        aliasing: list[Numbers],
        equivalent: list[int | None],
        origins: list[Numbers],
    ) -> None:
        """Note where one return has its results."""
        if not self.returns:
            self.returns = True
            self.aliasing, self.equivalent, self.origins = aliasing, equivalent, origins
            return
        self.aliasing = _unite(self.aliasing, aliasing)
        self.origins = _unite(self.origins, origins)
        self.equivalent = [
            a if a == b else None
            for a, b in zip(self.equivalent, equivalent, strict=True)
        ]


def _unite(first: Iterable[Numbers], second: Iterable[Numbers]) -> list[Numbers]:
    return [a | b for a, b in zip(first, second, strict=True)]


def nothing(results: int) -> Effects:
    """The effects of a function that never returns, which a fix point starts from."""
    none = (_NOTHING,) * results
    return Effects(FunctionSummary(_NOTHING, _NOTHING, none, (None,) * results), none)


def of_declaration(function: FuncOp) -> Effects:
    """The effects of a function without a body, by its `bufferization.access`.

    Without that it may read and write all arguments. Any result may be any of them.
    """
    types = function.function_type.inputs.data
    tensors = frozenset(n for n, type_ in enumerate(types) if is_tensor_type(type_))
    access = {number: declared_access(function, number) for number in tensors}
    results = function.function_type.outputs.data
    of_results = tuple(tensors if is_tensor_type(t) else _NOTHING for t in results)
    return Effects(
        FunctionSummary(
            frozenset(number for number, kind in access.items() if "read" in kind),
            frozenset(number for number, kind in access.items() if "write" in kind),
            of_results,
            (None,) * len(results),
            shared_results=(
                frozenset(n for n, t in enumerate(results) if is_tensor_type(t)),
            ),
        ),
        of_results,
    )
