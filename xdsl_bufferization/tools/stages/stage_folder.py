"""The folder that `xbuf stages` writes into: files of one run, and nobody else's.

    xbuf stages a.mlir --out d      d/00-input.mlir, d/01-cse.mlir, d/.xbuf-stages
    xbuf stages b.mlir --out d      d/00-input.mlir: a stage of a.mlir that b.mlir does
                                    not have is removed

The file `.xbuf-stages` lists what runs have written. A file that is not in that list is
neither replaced nor removed.
"""

import re
from pathlib import Path
from typing import Final

from xdsl_bufferization.support.whole_files import write_text

from ..common.diagnostics import UserError

LIST = ".xbuf-stages"
PAGE = "index.html"

_OURS: Final = re.compile(rf"\d{{2,9}}-[\w.+-]+\.(mlir|diff)|{re.escape(PAGE)}")
"""What files of stages are called, whoever wrote the list."""


class StageFolder:
    """Where the files of one run go."""

    def __init__(self, directory: str) -> None:
        """Look at what is there. Raises a `UserError` if that is no folder."""
        self._folder = Path(directory)
        self._old = self._read_list()
        self._new: list[str] = []

    def write(self, name: str, text: str) -> None:
        """Write a file of this run. Raises a `UserError` if the file is not ours."""
        path = self._folder / name
        known = {*self._old, *self._new}
        if name not in known and path.exists():
            raise UserError(
                str(path),
                "this file was not written by xbuf stages; choose another folder",
            )
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if name not in known:
                # First the list: if this run is ended now, the file is still ours.
                self._write_list([*self._old, *self._new, name])
            write_text(path, text)
        except OSError as error:
            raise UserError(str(path), error.strerror or str(error)) from error
        self._new.append(name)

    def finish(self) -> None:
        """Remove the files of an earlier run that this run has not replaced."""
        for name in self._old:
            if name not in self._new:
                (self._folder / name).unlink(missing_ok=True)
        self._write_list(self._new)

    def _read_list(self) -> list[str]:
        try:
            names = (self._folder / LIST).read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "this is no list of stages"
            raise UserError(str(self._folder / LIST), reason) from error
        return [name for name in names if _OURS.fullmatch(name)]

    def _write_list(self, names: list[str]) -> None:
        text = "".join(f"{name}\n" for name in dict.fromkeys(names))
        write_text(self._folder / LIST, text)
