"""Whether files of a package were edited."""

import os
import sys
from pathlib import Path

import pytest

from xdsl_bufferization.disk_cache import sources as file
from xdsl_bufferization.disk_cache.sources import are_unchanged, sources


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "sample_package"
    (folder / "inner").mkdir(parents=True)
    for name in ("__init__.py", "inner/code.py", "inner/notes.txt"):
        (folder / name).write_text("1")
        os.utime(folder / name, (1000, 1000))
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return folder


def hash_now() -> str | None:
    vars(file)["_source"].cache_clear()
    return sources("sample_package")


def test_the_hash_is_another_one_if_a_file_is(package: Path):
    before = hash_now()
    assert before == hash_now() is not None
    (package / "inner" / "notes.txt").write_text("not code")
    assert hash_now() == before
    os.utime(package / "inner" / "code.py", (1001, 1001))
    edited = hash_now()
    assert edited != before
    (package / "inner" / "more.py").write_text("")
    os.utime(package / "inner" / "more.py", (1000, 1000))
    assert hash_now() not in (before, edited, None)
    assert "sample_package" not in sys.modules


def test_a_file_that_is_newer_than_this_process_has_no_hash(package: Path):
    (package / "inner" / "code.py").write_text("2")
    assert hash_now() is None


def test_an_edit_after_the_hash_is_noticed(package: Path):
    assert hash_now() is not None
    assert are_unchanged("sample_package")
    (package / "inner" / "code.py").write_text("2")
    assert not are_unchanged("sample_package")
