"""Modules that are not there at first: they are fetched when one of them is imported."""

import sys
from collections.abc import Callable, Sequence
from importlib import invalidate_caches
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Final

from typing_extensions import override

_OURS: Final = frozenset({"xdsl", "xdsl_bufferization"})


def find_rest_with(fetch: Callable[[], object]) -> None:
    """Call `fetch` once before an import of xDSL, ours or Python's own fails."""
    sys.meta_path.append(_Rest(fetch))


class _Rest(MetaPathFinder):
    def __init__(self, fetch: Callable[[], object]) -> None:
        self._fetch = fetch

    @override
    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        top = fullname.partition(".")[0]
        if top not in _OURS and top not in sys.stdlib_module_names:
            return None
        sys.meta_path.remove(self)
        self._fetch()
        invalidate_caches()
        return PathFinder.find_spec(fullname, path, target)
