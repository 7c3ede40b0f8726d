"""Whether pointers have one address, as programs compare them.

%p = memref.extract_aligned_pointer_as_index %a
%q = memref.extract_aligned_pointer_as_index %b
%e = arith.cmpi eq, %p, %q : index
"""

from xdsl_bufferization.support.algorithms.decision_diagrams import FALSE

from .buffers import Buffer, Pointer
from .state import State


def same_address(state: State, first: Pointer, second: Pointer) -> int:
    """Whether two pointers have one address."""
    found = FALSE
    for buffer, when in first.targets.items():
        same = has_address_of(state, second, buffer)
        both = state.conditions.conjoin(when, same)
        found = state.conditions.disjoin(found, both)
    return found


def has_address_of(state: State, pointer: Pointer, buffer: Buffer) -> int:
    """Whether a pointer has the address of a buffer."""
    conditions = state.conditions
    found = FALSE
    for other, when in pointer.targets.items():
        same = conditions.conjoin(when, state.same_address(buffer, other))
        found = conditions.disjoin(found, same)
    return found
