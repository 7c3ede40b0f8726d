"""Whether files of a package were edited."""

import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

from xdsl_bufferization.runtime.disk_cache import sources as file
from xdsl_bufferization.runtime.disk_cache.sources import are_unchanged, sources

LONG_AGO = (1000, 1000)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that is older than the process, for all that the process knows."""
    folder = tmp_path / "sample_package"
    (folder / "inner").mkdir(parents=True)
    for name in ("__init__.py", "inner/code.py", "inner/table.json"):
        write(folder / name, "1")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(file, "_STARTED", file.time.time_ns() + 10**12)
    return folder


def write(path: Path, text: str) -> None:
    """Write a file, and let its time say that nobody did."""
    path.write_text(text)
    os.utime(path, LONG_AGO)


def hash_now() -> str | None:
    vars(file)["_source"].cache_clear()
    return sources("sample_package")


def test_the_hash_is_another_one_if_a_file_is(package: Path):
    hashes = [hash_now()]
    assert hash_now() == hashes[0]
    write(package / "inner" / "code.py", "2")  # Of equal length, at the same time.
    hashes.append(hash_now())
    write(package / "inner" / "table.json", "2")
    hashes.append(hash_now())
    write(package / "inner" / "more.py", "")
    hashes.append(hash_now())
    (package / "inner" / "more.py").rename(package / "inner" / "else.py")
    hashes.append(hash_now())
    assert None not in hashes
    assert len(set(hashes)) == len(hashes)
    assert "sample_package" not in sys.modules


def test_the_time_of_a_file_is_no_matter(package: Path):
    before = hash_now()
    os.utime(package / "inner" / "code.py", (2000, 2000))
    (package / "inner" / ".code.py.swp").write_text("an editor's")
    assert hash_now() == before


def test_a_stub_is_no_matter(package: Path):
    before = hash_now()
    (package / "dialect.pyi").write_text("class Op: ...")
    assert hash_now() == before


def test_code_that_python_has_compiled_of_the_file_is_no_matter(package: Path):
    before = hash_now()
    py_compile.compile(str(package / "inner" / "code.py"))
    assert hash_now() == before


def test_old_code_that_python_runs_for_a_new_file_is_in_the_hash(package: Path):
    py_compile.compile(str(package / "inner" / "code.py"))
    write(package / "inner" / "code.py", "2")
    stale = hash_now()
    for each in (package / "inner" / "__pycache__").iterdir():
        each.unlink()
    assert hash_now() not in (stale, None)


def test_a_file_that_is_newer_than_this_process_has_no_hash(
    package: Path, monkeypatch: pytest.MonkeyPatch
):
    assert hash_now() is not None
    monkeypatch.setattr(file, "_STARTED", file.time.time_ns() - 10**12)
    assert hash_now() is None  # Although the time of the file is long ago.


def test_an_edit_after_the_hash_is_noticed(package: Path):
    assert hash_now() is not None
    assert are_unchanged("sample_package")
    write(package / "inner" / "code.py", "2")
    assert not are_unchanged("sample_package")


def test_files_count_as_new_from_the_start_of_the_process():
    """A package may have been imported long before anybody asks for its hash."""
    script = """
import time
time.sleep(0.3)
from xdsl_bufferization.runtime.disk_cache import sources
print((time.time_ns() - sources._STARTED) / 1e9)
"""
    age = float(subprocess.check_output([sys.executable, "-c", script]))
    assert 0.3 <= age < 60
