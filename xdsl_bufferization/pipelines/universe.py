"""What this package adds to xDSL: the entry point of group `xdsl.universe`.

`pass_files.py` lists the passes. Nothing is imported until `xdsl-opt` uses it: neither
a pass, nor a dialect, nor a model. Until then xDSL is as it is without this package.
Ops and dialects of ours are known once a pass of ours is used.
"""

import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import EntryPoints, entry_points
from typing import Any, Final, TypeVar

from typing_extensions import override
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.target import Target

from .registry import PASS_FILES, class_of

_GROUP = "xdsl.universe"

_OTHER_NAME = "xbuf-"
"""How the name of a pass or target begins whose own name somebody else has taken."""

_Factory = TypeVar("_Factory", bound=Callable[[], Any])


class GuestUniverse(Universe):
    """A universe that leaves each name to whoever else has it.

    xDSL refuses to start if two packages have a pass of one name. So where another
    package, or xDSL, has a pass called `NAME`, ours is called `xbuf-NAME`.
    """

    def __init__(
        self,
        passes: dict[str, Callable[[], type[ModulePass]]],
        targets: dict[str, Callable[[], type[Target]]],
    ):
        self._passes = passes
        self._targets = targets
        super().__init__()

    @property
    @override
    def all_passes(self) -> dict[str, Callable[[], type[ModulePass]]]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The passes, under names that nobody else has."""
        others = _others(entry_points, tuple(sys.path))
        taken = {name for other in others for name in other.all_passes}
        return _rename(self._passes, taken)

    @all_passes.setter
    @override
    def all_passes(self, _passes: object) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Set by the base class, to nothing."""

    @property
    @override
    def all_targets(self) -> dict[str, Callable[[], type[Target]]]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The targets, under names that nobody else has."""
        others = _others(entry_points, tuple(sys.path))
        taken = {name for other in others for name in other.all_targets}
        return _rename(self._targets, taken)

    @all_targets.setter
    @override
    def all_targets(self, _targets: object) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Set by the base class, to nothing."""


@lru_cache(maxsize=8)
def _others(
    find: Callable[..., EntryPoints], path: tuple[str, ...]
) -> tuple[Universe, ...]:
    """The universes of others that `find` finds in `path`.

    Searched once: a search reads the metadata of every package, which takes 5 ms.
    """
    found = [entry_point.load() for entry_point in find(group=_GROUP)]
    return tuple(
        other
        for other in found
        if isinstance(other, Universe) and not isinstance(other, GuestUniverse)
    )


def _rename(ours: dict[str, _Factory], taken: set[str]) -> dict[str, _Factory]:
    return {
        f"{_OTHER_NAME}{name}" if name in taken else name: factory
        for name, factory in ours.items()
    }


def _lazy(name: str, file: str) -> Callable[[], Any]:
    """Load pass or target `name` of `file` when asked to, and all it needs."""

    def load() -> Any:
        # Imported here, so that a mere installation changes nothing in xDSL.
        if name in _TEXT_ONLY:
            from xdsl_bufferization.dialects.xdsl_patches.activate import activate

            activate()
        else:
            from xdsl_bufferization.bufferization.models import attach_all

            attach_all()
        return class_of(name, file)

    return load


_TEXT_ONLY: Final = ("allow-mlir-22", "verify-mlir-22", "mlir-22")
"""What needs MLIR's text only: neither models nor canonicalization."""

XDSL_BUFFERIZATION_UNIVERSE = GuestUniverse(
    passes={name: _lazy(name, file) for name, file in PASS_FILES.items()},
    targets={"mlir-22": _lazy("mlir-22", "codegen.targets.mlir_22")},
)
