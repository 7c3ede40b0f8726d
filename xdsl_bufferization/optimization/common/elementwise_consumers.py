"""Follow the result of an op through the ops that work on it element by element.

%1 = linalg.matmul ...
%2 = linalg.generic { + bias } outs(%1)
%3 = linalg.generic { relu } outs(%2)     // the last one, which is tiled
"""

from collections.abc import Container

from xdsl.ir import Operation

from xdsl_bufferization.bufferization.interfaces.tiling import TilingInterface
from xdsl_bufferization.dialects.linalg.structure import structure_of


def last_elementwise_consumer(
    op: Operation, ops: Container[Operation], max_depth: int
) -> Operation:
    """The last op of a chain of only users of at most `max_depth`, all in `ops`."""
    for _ in range(max_depth):
        users = {use.operation for result in op.results for use in result.uses}
        if len(users) != 1:
            break
        (user,) = users
        if user not in ops or not is_elementwise(user, op):
            break
        op = user
    return op


def is_elementwise(op: Operation, producer: Operation) -> bool:
    """Whether `op` uses each element of what `producer` makes just once."""
    structure = structure_of(op)
    return (
        structure is not None
        and op.has_trait(TilingInterface)
        and len(op.results) == 1
        and all(structure.parallel)
        and all(
            len(map_.results) == map_.num_dims and map_.is_projected_permutation()
            for value, map_ in zip(op.operands, structure.maps, strict=True)
            if value.owner is producer
        )
        and not structure.maps[-1].unused_dims()
    )
