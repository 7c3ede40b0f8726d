"""What the playground asks, without a browser: places, and the texts of commands."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from xdsl_bufferization.frontends.default_pipelines import PLAIN_PIPELINE
from xdsl_bufferization.tools.playground.rest import find_rest_with
from xdsl_bufferization.tools.playground.session import Session
from xdsl_bufferization.tools.playground.views import show
from xdsl_bufferization.tools.xbuf import main

SWAPPED = """\
func.func @f(%a: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  // The old \N{PARTY POPPER} number.
  %b = tensor.insert %f into %a[%i] : tensor<8xf32>
  %r = tensor.extract %a[%i] : tensor<8xf32>
  return %b, %r : tensor<8xf32>, f32
}
"""
WRONG = "func.func @g() {\n  %0 = foo.bar\n  return\n}\n"

HIDE = (
    "import sys; sys.modules |= dict.fromkeys("
    "('numpy', 'llvmlite', 'rich', 'highspy', 'ml_dtypes'))"
)


def ask(session: Session, do: str, **more: Any) -> dict[str, Any]:
    return json.loads(session.answer(json.dumps({"do": do, **more})))


@pytest.fixture
def session() -> Session:
    """A session that has read and explained a program."""
    session = Session()
    assert ask(session, "read", text=SWAPPED) == {"faults": []}
    return session


def in_units(text: str, start: int, end: int) -> str:
    """A part of a text in units of UTF-16, as JavaScript takes it."""
    units = text.encode("utf-16-le")
    return units[2 * start : 2 * end].decode("utf-16-le")


def test_places_are_units_of_utf_16(session: Session) -> None:
    explained = ask(session, "explain")
    (copied,) = (each for each in explained["hints"] if each["verdict"] == "COPIED")
    assert in_units(SWAPPED, copied["at"] - 2, copied["at"]) == "%a"
    (remedy,) = explained["remedies"]
    assert in_units(SWAPPED, remedy["from"], remedy["to"]) == "%a"
    assert "extract" in remedy["edits"][0]["insert"]
    at = len(SWAPPED[: SWAPPED.index("tensor.extract")].encode("utf-16-le")) // 2
    found = ask(session, "hover", at=at + 3)
    assert in_units(SWAPPED, found["from"], found["to"]) == "tensor.extract"
    assert "**tensor.extract**" in found["text"]


def test_an_error_is_at_a_line_of_the_whole_text() -> None:
    session = Session()
    text = f"{SWAPPED}// -----\n{WRONG}"
    (fault,) = ask(session, "read", text=text)["faults"]
    assert in_units(text, fault["from"], fault["to"]).strip() in WRONG
    assert ask(session, "show", tab="decisions", at=0)["kind"] == "text"
    last = ask(session, "show", tab="decisions", at=len(text))
    assert last["kind"] == "error"
    assert last["text"].startswith("line 9, column 8: Operation foo.bar")


def test_an_unknown_pass_is_an_error_of_each_tab(session: Session) -> None:
    ask(session, "read", text=SWAPPED, pipeline="no-such-pass")
    for tab in ("decisions", "buffers", "deallocation", "memory", "stages"):
        found = ask(session, "show", tab=tab)
        assert found["kind"] == "error"
        assert "there is no pass 'no-such-pass'" in found["text"]


@pytest.mark.parametrize(
    ("tab", "command"),
    [
        ("decisions", ["explain"]),
        ("deallocation", ["opt", "-p", PLAIN_PIPELINE]),
        ("compare", ["compare"]),
    ],
)
def test_a_tab_shows_what_a_command_prints(
    tab: str,
    command: list[str],
    session: Session,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "program.mlir"
    file.write_text(SWAPPED)
    assert main([*command, str(file)]) == 0
    printed = capsys.readouterr().out
    assert ask(session, "show", tab=tab)["text"].rstrip() == printed.rstrip()


PLAIN = SWAPPED.replace("@f(", "@plain(").replace("return %b, %r", "return %a, %r")
CALLS = """\
func.func private @g(%a: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %0 = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @calls(%a: tensor<8xf32>, %f: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @g(%a, %f) : (tensor<8xf32>, f32) -> tensor<8xf32>
  return %0, %a : tensor<8xf32>, tensor<8xf32>
}
"""
GLOBAL = 'memref.global "private" @x : memref<4xf32>\n'


@pytest.mark.parametrize("tab", ["decisions", "memory"])
@pytest.mark.parametrize(
    "text",
    [
        SWAPPED,
        f"// First.\n\n{SWAPPED}// Then.\n{PLAIN}{CALLS}",
        f"module {{\n{PLAIN}}}\n",
        f"{GLOBAL}{PLAIN}",
        "func.func private @d(tensor<8xf32>)\n",
        f"{PLAIN}{WRONG}",
        "// Nothing.\n",
    ],
)
def test_what_is_decided_for_hints_is_shown(tab: str, text: str) -> None:
    session = Session()
    ask(session, "read", text=f"{WRONG}// -----\n{text}")
    found = ask(session, "show", tab=tab, at=len(WRONG) + 12)
    lines = f"{WRONG}// -----".count("\n")
    assert found["text"] == show(tab, "\n" * lines + "\n" + text, PLAIN_PIPELINE).text


def test_a_program_is_decided_about_once(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = ask(session, "show", tab="decisions")
    decide = "xdsl_bufferization.explanation.explain.explain_source"
    monkeypatch.setattr(decide, None)
    assert ask(session, "explain")["hints"]
    assert ask(session, "show", tab="decisions") == shown
    assert ask(session, "show", tab="memory")["kind"] == "page"


def test_buffers_are_not_freed_yet(session: Session) -> None:
    text = """\
    func.func @f(%x: f32, %i: index) -> f32 {
      %0 = tensor.empty() : tensor<8xf32>
      %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
      %2 = tensor.extract %1[%i] : tensor<8xf32>
      return %2 : f32
    }"""
    ask(session, "read", text=text)
    buffers = ask(session, "show", tab="buffers")["text"]
    assert "memref.alloc" in buffers
    assert "memref.dealloc" not in buffers
    assert "memref.dealloc" in ask(session, "show", tab="deallocation")["text"]


def test_a_session_needs_neither_numpy_nor_a_compiler() -> None:
    code = (
        f"{HIDE}\nimport json\n"
        "from xdsl_bufferization.tools.playground.session import Session\n"
        "from xdsl_bufferization.tools.playground.views import VIEWS\n"
        f"session = Session()\ntext = {SWAPPED!r}\n"
        "session.answer(json.dumps({'do': 'read', 'text': text}))\n"
        "for tab in VIEWS:\n"
        "    found = session.answer(json.dumps({'do': 'show', 'tab': tab}))\n"
        "    print(tab, json.loads(found)['kind'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert "error" not in done.stdout
    assert len(done.stdout.splitlines()) == 6


def test_the_rest_is_fetched_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[str] = []

    def fetch() -> None:
        fetched.append("rest")
        (tmp_path / "fetched_late.py").write_text("ANSWER = 42\n")

    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    find_rest_with(fetch, {"fetched_late"})
    with pytest.raises(ModuleNotFoundError):
        import_module("never_fetched")
    assert fetched == []
    assert import_module("fetched_late").ANSWER == 42
    with pytest.raises(ModuleNotFoundError):
        import_module("fetched_late.more")
    assert fetched == ["rest"]
