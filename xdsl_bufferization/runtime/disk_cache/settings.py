"""Where the cache is, and how large: what users say in the environment.

XBUF_CACHE=off              no cache; so do `no`, `false` and `0`, in any case
XBUF_CACHE=/some/folder     that folder; `~` is the home
XBUF_CACHE_MB=200           at most 200 MB; default: 1000
"""

import os
import sys
from pathlib import Path
from typing import Final

FOLDER_VARIABLE: Final = "XBUF_CACHE"
SIZE_VARIABLE: Final = "XBUF_CACHE_MB"

_OFF: Final = ("off", "no", "false", "0", "none", "never")

_ON: Final = ("", "on", "yes", "true", "1")
"""What it is where the folder is that of the system."""

DEFAULT_MB: Final = 1000
_NAME: Final = "xdsl-bufferization"


def is_off(given: str) -> bool:
    """Whether a word in the environment says that something is not wanted."""
    return given.strip().lower() in _OFF


def folder_asked_for() -> Path | None:
    """The folder that the user named, or that of the system for caches; None: off."""
    given = os.environ.get(FOLDER_VARIABLE, "").strip()
    if is_off(given):
        return None
    try:
        if given.lower() not in _ON:
            return Path(given).expanduser()
        home = Path.home()
    except RuntimeError:  # There are users without one.
        return None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / _NAME
    # The XDG Base Directory Specification: relative paths are to be ignored.
    system = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (system if system.is_absolute() else home / ".cache") / _NAME


def most_bytes() -> int:
    """How large the files may be together; the default if what is given is no size."""
    given = os.environ.get(SIZE_VARIABLE, "")
    megabytes = int(given) if given.isdecimal() else DEFAULT_MB
    return megabytes * 1_000_000
