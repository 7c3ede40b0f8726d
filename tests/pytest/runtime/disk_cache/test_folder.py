"""The folder of the cache: who may write to it, what is found in it, and what goes."""

import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from xdsl_bufferization.runtime.disk_cache import folder
from xdsl_bufferization.runtime.disk_cache.folder import Cache, open_cache
from xdsl_bufferization.runtime.disk_cache.layout import ALIGNMENT, Record

RECORD = Record({"name": "entry"}, [b"code", bytes(range(200))])


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    with closing(Cache(tmp_path / "cache", 1_000_000)) as opened:
        yield opened


def use(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setenv("XBUF_CACHE", str(path))
    monkeypatch.setattr(folder, "_told", set[Path]())


def test_what_is_kept_is_found(cache: Cache):
    assert cache.find("key") is None
    cache.keep("key", RECORD)
    found = cache.find("key")
    assert found is not None
    assert found.about == RECORD.about
    assert [bytes(piece) for piece in found.pieces] == RECORD.pieces
    assert cache.find("other") is None


def test_pieces_begin_where_buffers_may(cache: Cache):
    cache.keep("key", RECORD)
    found = cache.find("key")
    assert found is not None
    for piece in found.pieces:
        start = bytes(Path(cache.path, "key.xbufobj").read_bytes()).index(bytes(piece))
        assert start % ALIGNMENT == 0


def test_memory_of_a_record_may_be_written_and_the_file_stays(cache: Cache):
    cache.keep("key", RECORD)
    found = cache.find("key")
    assert found is not None
    piece = found.pieces[0]
    assert isinstance(piece, memoryview)
    piece[0] = 0
    again = cache.find("key")
    assert again is not None
    assert bytes(again.pieces[0]) == b"code"


def test_only_the_user_may_read_or_write_what_is_kept(cache: Cache):
    cache.keep("key", RECORD)
    modes = [stat.S_IMODE(each.stat().st_mode) for each in cache.path.iterdir()]
    assert modes == [0o600]
    assert stat.S_IMODE(cache.path.stat().st_mode) == 0o700


def test_a_file_with_one_wrong_byte_is_none(cache: Cache):
    cache.keep("key", RECORD)
    file = cache.path / "key.xbufobj"
    right = file.read_bytes()
    for place in range(0, len(right), 7):
        wrong = bytearray(right)
        wrong[place] ^= 1
        file.write_bytes(wrong)
        assert cache.find("key") is None, place
    for size in (0, 5, 30, len(right) - 1):
        file.write_bytes(right[:size])
        assert cache.find("key") is None, size
    cache.keep("key", RECORD)
    assert cache.find("key") is not None


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_none(cache: Cache, mode: int):
    cache.keep("key", RECORD)
    (cache.path / "key.xbufobj").chmod(mode)
    assert cache.find("key") is None


def test_a_link_to_a_file_is_none(cache: Cache, tmp_path: Path):
    cache.keep("key", RECORD)
    (cache.path / "key.xbufobj").rename(tmp_path / "elsewhere")
    (cache.path / "key.xbufobj").symlink_to(tmp_path / "elsewhere")
    assert cache.find("key") is None


def test_a_file_under_another_name_is_none(cache: Cache):
    """Its code may be for another processor."""
    cache.keep("key", RECORD)
    (cache.path / "key.xbufobj").rename(cache.path / "other.xbufobj")
    assert cache.find("other") is None


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_folder(path: Path) -> None:
    path.mkdir()


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(path))


def make_loop_of_links(path: Path) -> None:
    path.symlink_to(path)


def make_link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize(
    "make",
    [make_pipe, make_folder, make_socket, make_loop_of_links, make_link_to_a_device],
)
def test_what_is_no_file_is_none(cache: Cache, make: Callable[[Path], object]):
    path = cache.path / "key.xbufobj"
    make(path)
    assert cache.find("key") is None  # At once: a pipe has nobody who writes.
    cache.keep("key", RECORD)
    assert (cache.find("key") is None) == path.is_dir()
    assert [each.name for each in cache.path.iterdir()] == ["key.xbufobj"]
    assert cache.clear() == (0 if path.is_dir() else 1)


@pytest.mark.parametrize("size", [0, 20])
def test_what_becomes_of_a_file_changes_no_record(cache: Cache, size: int):
    large = bytes(range(256)) * 100
    cache.keep("key", Record({}, [large]))
    found = cache.find("key")
    assert found is not None
    os.truncate(cache.path / "key.xbufobj", size)
    (cache.path / "key.xbufobj").write_bytes(b"else" * 10_000)
    assert bytes(found.pieces[0]) == large


def test_a_child_process_has_a_record_of_its_own(cache: Cache):
    cache.keep("key", RECORD)
    found = cache.find("key")
    assert found is not None
    piece = found.pieces[0]
    assert isinstance(piece, memoryview)
    child = os.fork()
    if not child:
        piece[0] = 0
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert bytes(piece) == b"code"


def test_a_file_of_another_user_is_none(cache: Cache, monkeypatch: pytest.MonkeyPatch):
    cache.keep("key", RECORD)
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert cache.find("key") is None


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_may_write_to_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int
):
    tmp_path.chmod(mode)
    use(monkeypatch, tmp_path)
    with pytest.warns(UserWarning, match="another user may write to it; chmod go-w"):
        assert open_cache() is None
    assert open_cache() is None  # Without a second warning.


def test_a_folder_of_another_user_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    user = os.geteuid()
    use(monkeypatch, tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    with pytest.warns(UserWarning, match="belongs to another user"):
        assert open_cache() is None


def test_there_is_no_cache_where_there_can_be_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)
    words = ("off", "OFF", "Off ", "0", "no", "No", "false", "FALSE", "none")
    unknown = "~nobody-has-this-name/cache"
    for path in (*words, unknown, tmp_path / "file" / "below"):
        monkeypatch.setenv("XBUF_CACHE", str(path))
        assert open_cache() is None
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("~/xb", "xb"),
        ("~", ""),
        ("on", ".cache/xdsl-bufferization"),
        ("TRUE", ".cache/xdsl-bufferization"),
        ("", ".cache/xdsl-bufferization"),
    ],
)
def test_a_folder_may_be_named_as_in_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, path: str
):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("XBUF_CACHE", given)
    cache = open_cache()
    assert cache is not None
    with closing(cache):
        assert cache.path == tmp_path / path


def test_the_default_is_the_folder_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("XBUF_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    cache = open_cache()
    assert cache is not None
    with closing(cache):
        assert cache.path == tmp_path / "xdsl-bufferization"


def test_a_full_disk_leaves_nothing(cache: Cache, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folder, "write_record", fail)
    cache.keep("key", RECORD)
    assert list(cache.path.iterdir()) == []


def test_the_file_that_was_used_longest_ago_goes(tmp_path: Path):
    with closing(Cache(tmp_path / "cache", 3500)) as cache:
        for number in range(3):
            cache.keep(str(number), Record({}, [bytes(1000)]))
            os.utime(cache.path / f"{number}.xbufobj", (number, number))
        assert cache.find("0") is not None  # Which is a use.
        cache.keep("3", Record({}, [bytes(1000)]))
        assert [cache.find(str(n)) is not None for n in range(4)] == [
            True,
            False,
            True,
            True,
        ]


def test_what_is_larger_than_the_limit_is_not_kept_and_others_stay(tmp_path: Path):
    is_kept = True
    with closing(Cache(tmp_path / "cache", 3500)) as cache:
        cache.keep("small", Record({}, [bytes(1000)]))
        cache.keep("large", Record({}, [bytes(4000)]))
        assert cache.find("large") is None
        assert cache.find("small") is not None
        for size in range(1000, 4000, 100):
            record = Record({}, [bytes(size), bytes(3)])
            cache.keep(str(size), record)
            assert sum(file.size for file in cache.files()) <= 3500
            is_kept = cache.find(str(size)) is not None
            assert is_kept or size > 3300
            if is_kept:
                assert (cache.path / f"{size}.xbufobj").stat().st_size <= 3500
    assert not is_kept


WRITE_FOR_EVER = """
import sys, time
from pathlib import Path
from xdsl_bufferization.runtime.disk_cache import folder
from xdsl_bufferization.runtime.disk_cache.layout import Record

def write(stream, record):
    stream.write(bytes(1000))
    stream.flush()
    print("writing", flush=True)
    time.sleep(100)

folder.write_record = write
folder.Cache(Path(sys.argv[1]), 10_000).keep("key", Record({}, []))
"""


def test_what_a_killed_process_leaves_is_counted_and_goes(cache: Cache):
    command = [sys.executable, "-c", WRITE_FOR_EVER, str(cache.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        cache.keep("a", RECORD)
        sizes = {file.is_finished: file.size for file in cache.files()}
        assert sizes[False] == 1000  # Somebody writes to it.
        process.kill()
        process.wait(10)
    assert len(cache.files()) == 2
    cache.keep("b", RECORD)
    assert {file.name for file in cache.files()} == {"a.xbufobj", "b.xbufobj"}
    assert len(list(cache.path.iterdir())) == 2


def test_what_was_never_finished_goes_after_an_hour(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
):
    """Where files have no locks."""

    def fail(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(folder.fcntl, "flock", fail)
    old, new = f"{0:016x}.tmp", f"{1:016x}.tmp"
    for name, age in ((old, 4000), (new, 10), ("notes.tmp", 4000)):
        (cache.path / name).write_text("")
        then = time.time() - age
        os.utime(cache.path / name, (then, then))
    cache.keep("key", RECORD)
    names = {each.name for each in cache.path.iterdir()}
    assert names == {new, "notes.tmp", "key.xbufobj"}
    assert cache.clear() == 2
    assert [each.name for each in cache.path.iterdir()] == ["notes.tmp"]


def test_clearing_removes_all_files(cache: Cache):
    cache.keep("a", RECORD)
    cache.keep("b", RECORD)
    assert cache.clear() == 2
    assert cache.files() == []


KEEP_AND_FIND = """
import sys
from pathlib import Path
from xdsl_bufferization.runtime.disk_cache.folder import Cache
from xdsl_bufferization.runtime.disk_cache.layout import Record

cache = Cache(Path(sys.argv[1]), 20_000)
for turn in range(60):
    data = bytes([turn % 5]) * 3000
    cache.keep(f"key{turn % 5}", Record({}, [data]))
    found = cache.find(f"key{turn % 5}")
    assert found is None or bytes(found.pieces[0]) == data
"""


def test_several_processes_may_use_a_folder(tmp_path: Path):
    command = [sys.executable, "-c", KEEP_AND_FIND, str(tmp_path / "cache")]
    running = [subprocess.Popen(command) for _ in range(3)]
    assert [each.wait(60) for each in running] == [0, 0, 0]
    with closing(Cache(tmp_path / "cache", 20_000)) as cache:
        assert sum(file.size for file in cache.files()) <= 20_000
        assert not any(each.suffix == ".tmp" for each in cache.path.iterdir())
