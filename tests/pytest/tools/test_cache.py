"""`xbuf cache` says what stays, and removes it."""

from contextlib import closing
from pathlib import Path

import pytest

from xdsl_bufferization.runtime.disk_cache.folder import Cache
from xdsl_bufferization.runtime.disk_cache.layout import Record
from xdsl_bufferization.tools.xbuf import main


def test_the_folder_is_shown_and_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    folder = tmp_path / "cache"
    monkeypatch.setenv("XBUF_CACHE", str(folder))
    monkeypatch.setenv("XBUF_CACHE_MB", "200")
    with closing(Cache(folder, 200_000_000)) as cache:
        for key in ("a", "b"):
            cache.keep(key, Record({}, [bytes(1_000_000)]))
    (folder / "0123456789abcdef.tmp").write_bytes(bytes(500_000))
    for arguments in (["cache"], ["cache", "--clear"], ["cache"]):
        assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{folder}: 3 files, 2.5 MB of 200 MB; 1 of them not finished",
        f"{folder}: 3 files removed",
        f"{folder}: 0 files, 0.0 MB of 200 MB",
    ]


def test_no_cache_is_no_error(capsys: pytest.CaptureFixture[str]):
    assert main(["cache"]) == 0
    assert capsys.readouterr().out.startswith("there is no cache: XBUF_CACHE is off")
