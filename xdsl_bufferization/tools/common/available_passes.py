"""The passes that commands know by name.

    canonicalize    ->  that of this package, which takes fewer steps than xDSL's
    lower-affine    ->  xDSL's

`xdsl-opt` has xDSL's pass where both have one. The results are the same.
"""

from collections.abc import Callable

from xdsl.passes import ModulePass
from xdsl.universe import Universe


def available_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """All passes of xDSL, of this package and of others, by name."""
    return {
        **Universe.get_multiverse().all_passes,
        "canonicalize": _canonicalize,
        "cse": _cse,
    }


def _canonicalize() -> type[ModulePass]:
    from xdsl_bufferization.bufferization.simplification.canonicalize import (
        CanonicalizePass,
    )

    return CanonicalizePass


def _cse() -> type[ModulePass]:
    from xdsl_bufferization.bufferization.simplification.common_subexpressions import (
        CommonSubexpressionElimination,
    )

    return CommonSubexpressionElimination
