"""How often the loops of a structured op run.

linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x?xf32>)    ->   [4, dynamic, 8]
"""

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir.affine import AffineDimExpr

from .structure import Structure, shape_of


def trip_counts(structure: Structure) -> list[int]:
    """The iterations of each loop, as far as they are known from an operand's shape."""
    counts = [DYNAMIC_INDEX] * len(structure.iterator_types)
    values = (*structure.inputs, *structure.outputs)
    for value, map_ in zip(values, structure.maps, strict=True):
        for size, expr in zip(shape_of(value.type), map_.results, strict=True):
            if isinstance(expr, AffineDimExpr) and size != DYNAMIC_INDEX:
                counts[expr.position] = size
    return counts
