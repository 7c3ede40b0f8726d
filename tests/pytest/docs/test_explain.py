"""What `docs/explain.md` shows is what `xbuf explain` prints."""

import re
from pathlib import Path

import pytest
from documents import DOCS, run_document

from xdsl_bufferization.tools.xbuf import main

DOCUMENT = DOCS / "explain.md"

SESSION = re.compile(
    r"^```console\n\$ xbuf (.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


def test_python_prints_what_it_says() -> None:
    assert run_document(DOCUMENT) == 1


def test_xbuf_prints_what_the_document_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = DOCUMENT.read_text()
    (program,) = re.findall(r"^```mlir\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    Path("swapped.mlir").write_text(program)
    sessions = SESSION.findall(text)
    assert sessions
    for command, output in sessions:
        assert main(command.split()) == 0
        assert capsys.readouterr().out == output
