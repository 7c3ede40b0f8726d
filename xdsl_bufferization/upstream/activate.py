"""Make the changes in xDSL, once in a process, when this package is first used.

    activate()              # on the first load of a pass or target of ours
    attach_definitions()    # where passes of ours, or patterns of ours, are to run

Before that, xDSL is as it is without this package. Afterwards it reads, prints and
verifies more, and refuses nothing that it accepted.
"""

from functools import cache
from threading import Lock

from xdsl_bufferization.dialects.common.definitions import (
    EXTENDED_DIALECTS,
    load_extension,
)
from xdsl_bufferization.upstream.attach import attach_knowledge
from xdsl_bufferization.upstream.changes import CHANGES

_LOCK = Lock()


def activate() -> None:
    """Make all changes; a second call does nothing, whichever thread it is from."""
    with _LOCK:
        _activate()


@cache
def _activate() -> None:
    for change in CHANGES:
        before = vars(change.owner).get(change.name)
        setattr(change.owner, change.name, change.replace(before))


def attach_definitions() -> None:
    """Give xDSL's ops the effects and canonicalization patterns of MLIR's definitions.

    From then on `canonicalize`, `cse` and `dce` of xDSL do more than before.
    """
    activate()
    with _LOCK:
        _attach_definitions()


@cache
def _attach_definitions() -> None:
    for dialect in EXTENDED_DIALECTS:
        for definition in load_extension(dialect).definitions.values():
            attach_knowledge(definition.op_type, *definition.new_traits)
