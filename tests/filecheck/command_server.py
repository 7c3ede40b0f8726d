"""Runs commands in forks of one process that has imported what all of them need.

A new Python takes most of a second to import the dialects of xDSL and of this package,
and the file checks start hundreds of them. `start` puts a small script for each command
into a folder for `PATH`. The script hands its arguments, environment, input and outputs
to the server. The server forks, and the command runs in a process of its own.
The server ends with the process that started it. Modules that `XBUF_TESTS_WITHOUT`
names, with commas between them, are not there for the server and its commands.
"""

import gc
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from xdsl.dialects import get_all_dialects

import xdsl_bufferization

_WITHOUT = [
    name for name in os.environ.get("XBUF_TESTS_WITHOUT", "").split(",") if name
]

_CLIENT = """\
#!{python} -IS
import os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
environment = [name + "=" + value for name, value in os.environ.items()]
words = [{name!r}, os.getcwd(), str(len(sys.argv)), *sys.argv, *environment]
message = "\\0".join(words).encode("utf-8", "surrogateescape")
socket.send_fds(server, [len(message).to_bytes(8, "big")], [0, 1, 2])
server.sendall(message)
os._exit(int(server.recv(4) or b"70"))
"""


def start(names: Sequence[str]) -> Path:
    """Start a server, and make a folder with a script for each command.

    Each server has a folder of its own: two runs of lit may be under way at once.
    """
    folder = Path(tempfile.mkdtemp(prefix="commands-"))
    address = str(folder / "server")
    for name in names:
        text = _CLIENT.format(python=sys.executable, address=address, name=name)
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    read, _ = os.pipe()
    server = subprocess.Popen(
        [sys.executable, "-W", "error", __file__, address, *names],
        stdin=read,
        stdout=subprocess.PIPE,
    )
    os.close(read)
    assert server.stdout is not None
    assert server.stdout.readline(), "the server of commands has not started"
    return folder


def serve(address: str, *names: str) -> None:
    """Run commands until standard input ends, as it does with who started this."""
    # Python refuses to import a module that is None.
    modules: dict[str, Any] = sys.modules
    modules.update(dict.fromkeys(_WITHOUT))
    scripts = {each.name: each for each in entry_points(group="console_scripts")}
    commands = {name: scripts[name].load() for name in names}
    _import_all()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(128)
    _end_with_input(address)
    os.write(1, b"ready\n")
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _answer(connection, commands)
        connection.close()


def _import_all() -> None:
    """Import every module of this package, and every dialect of xDSL."""
    prefix = f"{xdsl_bufferization.__name__}."
    for module in walk_packages(xdsl_bufferization.__path__, prefix):
        # Without some modules, some files cannot be imported.
        with suppress(ImportError) if _WITHOUT else nullcontext():
            import_module(module.name)
    for load in get_all_dialects().values():
        load()


def _end_with_input(address: str) -> None:
    """Let a process wait for the end of input, and end this one then."""
    server = os.getpid()
    if os.fork():
        return
    while os.read(0, 1 << 10):
        pass
    os.kill(server, signal.SIGTERM)
    shutil.rmtree(Path(address).parent)
    os._exit(0)


def _answer(connection: socket.socket, commands: dict[str, Callable[[], Any]]) -> None:
    """Run the command that a client sends, tell the client how it ended, and end."""
    code = 70
    try:
        header, descriptors, _, _ = socket.recv_fds(connection, 8, 3)
        with connection.makefile("rb") as stream:
            message = stream.read(int.from_bytes(header, "big"))
        name, folder, count, *words = message.decode("utf-8", "surrogateescape").split(
            "\0"
        )
        for standard, descriptor in enumerate(descriptors):
            os.dup2(descriptor, standard)
            os.close(descriptor)
        # Those of the server were made for other files, which may have been seekable.
        # They stay open as long as the process.
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", 1, encoding="utf-8", closefd=False)  # noqa: SIM115
        os.chdir(folder)
        sys.argv = words[: int(count)]
        os.environ.clear()
        for variable in words[int(count) :]:
            name_of, _, value = variable.partition("=")
            os.environ[name_of] = value
        code = _run(commands[name])
    finally:
        connection.sendall(str(code).encode())
        os._exit(0)


def _run(command: Callable[[], Any]) -> int:
    """The exit code of a command, as Python would end with it."""
    code: Any = 1
    try:
        code = command()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    if isinstance(code, str):
        sys.stderr.write(f"{code}\n")
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        return 120
    return code if isinstance(code, int) else int(code is not None)


if __name__ == "__main__":
    serve(*sys.argv[1:])
