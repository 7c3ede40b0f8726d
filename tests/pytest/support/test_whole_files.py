"""Files are there as a whole or not at all, and otherwise as the shell's `>` has it."""

import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from xdsl_bufferization.support.whole_files import (
    PROGRAM,
    write_bytes,
    write_text,
    written_whole,
)

NOBODY = 65534


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def mode(file: str) -> int:
    return stat.S_IMODE(Path(file).stat().st_mode)


def listed(folder: str = ".") -> list[str]:
    return sorted(each.name for each in Path(folder).iterdir())


def written_by_shell(file: str) -> None:
    subprocess.run(["sh", "-c", 'echo new > "$0"', file], check=True)


WRITERS: tuple[Callable[[str], None], ...] = (
    lambda file: write_text(file, "new\n"),
    written_by_shell,
)


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_file_has_what_the_umask_leaves(write: Callable[[str], None], mask: int):
    before = os.umask(mask)
    try:
        write("new")
    finally:
        os.umask(before)
    assert (Path("new").read_text(), mode("new")) == ("new\n", 0o666 & ~mask)


@pytest.mark.parametrize("write", WRITERS)
def test_an_old_file_keeps_its_permissions(write: Callable[[str], None]):
    Path("old").write_text("old")
    Path("old").chmod(0o751)
    write("old")
    assert (Path("old").read_text(), mode("old")) == ("new\n", 0o751)


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_leads_to_the_new_file(
    write: Callable[[str], None], there: bool
):
    Path("folder").mkdir()
    if there:
        Path("folder/file").write_text("old")
    Path("first").symlink_to("second")
    Path("second").symlink_to("folder/file")
    write("first")
    assert Path("folder/file").read_text() == "new\n"
    assert [Path(each).is_symlink() for each in ("first", "second")] == [True, True]
    assert listed("folder") == ["file"]


@pytest.mark.parametrize("write", WRITERS)
def test_what_reads_from_a_pipe_gets_all(write: Callable[[str], None]):
    os.mkfifo("pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text()))
    reader.start()
    write("pipe")
    reader.join()
    assert read == ["new\n"]
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)


def test_code_may_be_executed():
    before = os.umask(0o022)
    try:
        write_bytes("code.so", b"", PROGRAM)
    finally:
        os.umask(before)
    assert mode("code.so") == 0o755


@pytest.mark.parametrize("name", ["/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"])
@pytest.mark.parametrize("kind", ["file", "pipe"])
def test_an_open_stream_is_written_to(name: str, kind: str):
    code = (
        "from xdsl_bufferization.support.whole_files import write_text\n"
        "print('before', flush=True)\n"
        f"write_text({name!r}, 'new\\n')\n"
    )
    Path("out").touch()
    inode = Path("out").stat().st_ino
    with Path("out").open("ab") as file:
        done = subprocess.run(
            [sys.executable, "-c", code],
            stdout=file if kind == "file" else subprocess.PIPE,
            check=True,
        )
    if kind == "pipe":
        assert done.stdout == b"before\nnew\n"
        return
    # As `echo new > /dev/stdout`, which empties the file first.
    assert Path("out").read_text() == "new\n"
    assert Path("out").stat().st_ino == inode


def test_devices_stay_devices():
    write_text("/dev/null", "new")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    with pytest.raises(OSError, match="No space left") as error:
        write_text("/dev/full", "new")
    assert error.value.filename == "/dev/full"


def test_an_error_leaves_the_old_file_and_no_fragment():
    Path("file").write_text("old")
    with pytest.raises(ZeroDivisionError), written_whole("file") as stream:
        stream.write(b"ne")
        raise ZeroDivisionError
    assert (Path("file").read_text(), listed()) == ("old", ["file"])


def test_nothing_is_there_before_the_end():
    with written_whole("file") as stream:
        stream.write(b"new")
        stream.flush()
        assert not Path("file").exists()
    assert (Path("file").read_text(), listed()) == ("new", ["file"])


def test_a_full_disk_leaves_the_old_file_and_no_fragment():
    """The system refuses to make files larger, as it does when a disk is full."""
    Path("file").write_text("old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, hard))
    try:
        with pytest.raises(OSError, match="too large") as error:
            write_bytes("file", bytes(1 << 20))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert error.value.filename == "file"
    assert (Path("file").read_text(), listed()) == ("old", ["file"])


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("no/file", FileNotFoundError),
        ("file/file", NotADirectoryError),
        (".", IsADirectoryError),
        ("loop", OSError),
        ("x" * 300, OSError),
    ],
)
def test_what_cannot_be_written_is_named(file: str, kind: type[OSError]):
    Path("file").touch()
    Path("loop").symlink_to("loop")
    with pytest.raises(kind) as error:
        write_text(file, "new")
    assert error.value.filename == file
    assert listed() == ["file", "loop"]


@contextmanager
def as_nobody() -> Generator[None, None, None]:
    """Gives up, for a while, what only root may do: to write to protected files."""
    is_root = os.geteuid() == 0
    if is_root:
        os.chown(".", NOBODY, -1)
        os.chown("file", NOBODY, -1)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def test_a_protected_file_is_not_replaced():
    Path("file").write_text("old")
    Path("file").chmod(0o444)
    with as_nobody(), pytest.raises(PermissionError):
        write_text("file", "new")
    assert (Path("file").read_text(), listed()) == ("old", ["file"])


def test_what_has_no_place_in_utf8_is_spelled():
    write_text("file", "a\udcffä")
    assert Path("file").read_bytes() == b"a\\udcff\xc3\xa4"
