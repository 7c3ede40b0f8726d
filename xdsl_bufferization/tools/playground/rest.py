"""Modules that are not there at first, and are fetched when one is imported."""

import sys
from collections.abc import Callable, Collection, Sequence
from importlib import invalidate_caches
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from typing_extensions import override


def find_rest_with(fetch: Callable[[], object], packages: Collection[str]) -> None:
    """Call `fetch` once before an import from one of these packages would fail."""
    sys.meta_path.append(_Rest(fetch, packages))


class _Rest(MetaPathFinder):
    def __init__(self, fetch: Callable[[], object], packages: Collection[str]) -> None:
        self._fetch = fetch
        self._packages = packages

    @override
    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] not in self._packages:
            return None
        sys.meta_path.remove(self)
        self._fetch()
        invalidate_caches()
        return PathFinder.find_spec(fullname, path, target)
