"""What `xbuf cache` does: say which compiled code stays for the next start, or drop it.

xbuf cache             /home/ada/.cache/xdsl-bufferization: 3 files, 47.0 MB of 1000 MB
xbuf cache --clear     /home/ada/.cache/xdsl-bufferization: 3 files removed
"""

import sys
from contextlib import closing
from typing import Final

from xdsl_bufferization.runtime.disk_cache.folder import open_cache
from xdsl_bufferization.runtime.disk_cache.settings import FOLDER_VARIABLE
from xdsl_bufferization.support.escaping import in_terminal

_MB: Final = 1_000_000


def show_cache(*, clear: bool) -> None:
    """Write one line about the folder; with `clear`, its files are removed."""
    cache = open_cache()
    if cache is None:
        sys.stdout.write(
            f"there is no cache: {FOLDER_VARIABLE} is off, or there is no folder that "
            "only you may write to\n"
        )
        return
    with closing(cache):
        if clear:
            done = f"{_counted(cache.clear())} removed"
        else:
            files = cache.files()
            size = sum(file.size for file in files) / _MB
            done = f"{_counted(len(files))}, {size:.1f} MB of {cache.limit // _MB} MB"
            if unfinished := sum(not file.is_finished for file in files):
                done += f"; {unfinished} of them not finished"
        sys.stdout.write(in_terminal(f"{cache.path}: {done}") + "\n")


def _counted(count: int) -> str:
    return f"{count} file" if count == 1 else f"{count} files"
