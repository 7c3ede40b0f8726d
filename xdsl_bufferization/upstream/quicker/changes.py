"""The changes that make xDSL quicker and change nothing else, for everybody.

`docs/upstream.md` is generated from `QUICKER`, with the other changes.
"""

from xdsl.ir import Operation

from xdsl_bufferization.upstream.change import Change
from xdsl_bufferization.upstream.quicker import (
    traits,
)

QUICKER: tuple[Change, ...] = (
    Change(
        Operation,
        "get_trait",
        traits.find_once,
        "A trait of a class is searched for once. xDSL goes through all traits of the "
        "class for each op that it verifies or prints.",
        "Keep the answers in a table by class, until a trait is added.",
    ),
    Change(
        Operation,
        "get_traits_of_type",
        traits.find_all_once,
        "The same for all traits of a kind. Both look-ups also attach what this "
        "package knows of a dialect, when the first of its ops is asked.",
        "Keep the answers in a table by class, until a trait is added.",
    ),
)
