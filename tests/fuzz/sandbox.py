"""A process that writes nowhere but to one folder, and starts no programs.

A mutated command line may name any file, and a mutated option any program. Python
reports what it is about to do to an audit hook, which refuses.
"""

import errno
import os
import sys
from pathlib import Path
from typing import Any, Final

_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_STARTS: Final = {
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.system",
    "pty.spawn",
    "socket.connect",
    "subprocess.Popen",
}

_CHANGES: Final = {
    "os.chmod": 1,
    "os.link": 2,
    "os.mkdir": 1,
    "os.remove": 1,
    "os.rename": 2,
    "os.rmdir": 1,
    "os.symlink": 2,
    "os.truncate": 1,
}
"""Events, and how many of their first arguments are paths."""


def enter(folder: Path) -> None:
    """From now on write only in `folder`. There is no way back."""
    sys.dont_write_bytecode = True
    inside = os.path.realpath(folder)

    def refuse_outside(path: Any) -> None:
        if isinstance(path, int):
            return
        real = os.path.realpath(os.fsdecode(path))
        if real != os.devnull and os.path.commonpath([inside, real]) != inside:
            raise PermissionError(errno.EACCES, "the fuzzer writes no such file", real)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _STARTS:
            raise PermissionError(errno.EPERM, "the fuzzer starts no programs", event)
        if event == "open" and arguments[2] & _WRITES:
            refuse_outside(arguments[0])
        for path in arguments[: _CHANGES.get(event, 0)]:
            refuse_outside(path)

    sys.addaudithook(hook)
