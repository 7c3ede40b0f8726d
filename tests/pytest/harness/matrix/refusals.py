"""What routes may refuse, each as a pattern of the message and of the route.

A refusal that is not here fails a test: a pass that takes fewer forms than before is a
fault, even if it says so.
"""

import re
from typing import Final

EXPECTED: Final = (
    ("buffer-results-to-out-params", "cannot create out param for dynamically shaped"),
    ("conversion one dialect at a time", "still on tensors .* '(tm_tensor|ml_program)"),
    ("", "write to a buffer that all iterations of a parallel loop share; copy the"),
    # As in StableHLO's own pass, the arguments of one function give all sizes.
    ("stablehlo-refine-shapes", "has not one public function, nor one that is called"),
    # As MLIR's, the pass allocates what only one branch needs: docs/placement.md.
    ("buffer-hoisting", "'memref.alloc': no memory has the size of .* with -"),
)
"""The beginning of a route, and a regular expression of the message."""


def is_expected(route: str, message: str) -> bool:
    """Whether a refusal is written down."""
    return any(
        route.startswith(name) and re.search(pattern, message)
        for name, pattern in EXPECTED
    )
