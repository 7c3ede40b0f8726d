"""A number that is too large for a float type is an infinity.

    1.0e10 : f16       # inf, as in MLIR

xDSL 0.74 stops at such numbers of f16 and f32 with an `OverflowError`. From 0.75 on,
`FloatAttr` makes infinities of them.

Can go when the oldest release is 0.75: then `FloatAttr(value, type_)` is all it takes.
"""

import math

from xdsl.dialects.builtin import AnyFloat


def rounded(value: float, type_: AnyFloat) -> float:
    """The number of a type that stands for `value`: infinity if that is too large."""
    try:
        type_.pack((value,))
    except OverflowError:
        return math.copysign(math.inf, value)
    except NotImplementedError:
        pass
    return value
