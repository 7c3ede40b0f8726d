"""The passes that commands know by name.

    canonicalize    ->  that of this package, which takes fewer steps than xDSL's
    lower-affine    ->  xDSL's

`xdsl-opt` has xDSL's pass where both have one. The results are the same.
"""

from collections.abc import Callable
from functools import partial

from xdsl.passes import ModulePass
from xdsl.universe import Universe

from .registry import find_pass


def available_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """All passes of xDSL, of this package and of others, by name."""
    return {
        **Universe.get_multiverse().all_passes,
        "canonicalize": partial(find_pass, "canonicalize"),
        "cse": partial(find_pass, "cse"),
    }
