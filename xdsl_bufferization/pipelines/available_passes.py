"""The passes that commands know by name.

    canonicalize    ->  that of this package, which takes fewer steps than xDSL's
    lower-affine    ->  xDSL's

`xdsl-opt` has xDSL's pass where both have one. The results are the same.
"""

import sys
from collections.abc import Callable
from functools import lru_cache, partial

from xdsl.passes import ModulePass
from xdsl.universe import Universe

from .registry import find_pass


def available_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """All passes of xDSL, of this package and of others, by name."""
    return {
        **_installed_passes(Universe.get_multiverse, tuple(sys.path)),
        "canonicalize": partial(find_pass, "canonicalize"),
        "cse": partial(find_pass, "cse"),
    }


@lru_cache(maxsize=8)
def _installed_passes(
    find: Callable[[], Universe], path: tuple[str, ...]
) -> dict[str, Callable[[], type[ModulePass]]]:
    """The passes of xDSL and of all packages in `path`, which are searched once."""
    return find().all_passes
