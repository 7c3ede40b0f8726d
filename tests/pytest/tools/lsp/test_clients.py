"""What Helix and Zed send, by their sources: each gets answers that it can read.

The files of `tests/data/editors` are what they send to initialize a server. What each
does then follows here in its order.
"""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from harness.editing.client import Client, RefusedError, apply_edits
from harness.pages.documents import ROOT
from lsprotocol import converters, types

URI = "file:///tmp/program.mlir"
PROGRAM = """\
func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %b = tensor.insert %x into %a[%i] {note = "🙂é"} : tensor<4xf32>
  %y = tensor.extract %a[%i] : tensor<4xf32>
  return %b, %y : tensor<4xf32>, f32
}
"""
HINTS = {"in place", "copied, 16 bytes, the caller frees it"}
FORMAT = {"tabSize": 2, "insertSpaces": True}


class Editor(Client):
    """An editor, with each answer read as the protocol says."""

    converter = converters.get_converter()

    def __init__(self, name: str) -> None:
        file = ROOT / "tests" / "data" / "editors" / f"{name}.json"
        super().__init__(given=json.loads(file.read_text()))
        self._structure(self.initialized, types.InitializeResult)

    def _structure(self, answer: object, kind: Any) -> Any:
        return self.converter.structure(answer, kind)

    def read(self, method: str, **more: object) -> Any:
        """The answer to a request about the document."""
        params = {"textDocument": {"uri": URI}, **more}
        answer = self.ask(method, params)
        kind = types.METHOD_TO_TYPES[method][1]
        assert kind is not None
        read = self._structure({"id": 1, "jsonrpc": "2.0", "result": answer}, kind)
        return read.result

    def place(self, word: str) -> dict[str, int]:
        """The place behind some words."""
        return self.place_of(PROGRAM, PROGRAM.index(word) + len(word))

    def asked(self) -> set[str]:
        """What the server has asked of the editor."""
        return {each["method"] for _, each in self.notes if "id" in each}

    def told(self) -> list[str]:
        """What somebody is told by the server, such as an error inside of it."""
        methods = "window/showMessage", "window/logMessage"
        return [
            each["params"]["message"]
            for _, each in self.notes
            if each["method"] in methods
        ]

    def labels(self) -> set[str]:
        """The labels of all hints."""
        return {str(each.label) for each in self.all_hints()}

    def all_hints(self) -> list[types.InlayHint]:
        """All hints that are known now."""
        return self.read("textDocument/inlayHint", range=self.whole(URI))

    def commands(self) -> list[types.Command]:
        """The commands of all lenses, once there are some."""

        def ask() -> list[types.CodeLens]:
            return self.read("textDocument/codeLens")

        found = (each.command for each in self.once("workspace/codeLens/refresh", ask))
        return [command for command in found if command is not None]


@contextmanager
def started(name: str) -> Generator[Editor]:
    """An editor with the program open."""
    with Editor(name) as editor:
        editor.tell("workspace/didChangeConfiguration", {"settings": {}})
        editor.open(URI, PROGRAM)
        yield editor


@pytest.fixture
def helix() -> Iterator[Editor]:
    with started("helix") as editor:
        yield editor


@pytest.fixture
def zed() -> Iterator[Editor]:
    with started("zed") as editor:
        yield editor


def test_helix_has_hints_although_nobody_tells_it_to_ask_again(helix: Editor) -> None:
    assert helix.labels() == HINTS
    # What is asked right behind an edit is about the text after it.
    start = PROGRAM.index("4xf32>, %x")
    helix.change(URI, start, start + 1, "8")
    for old in ("4xf32>, f32) {", "4xf32>\n  %y", "4xf32>\n  return", "4xf32>, f32\n"):
        start = helix.text(URI).index(old)
        helix.change(URI, start, start + 1, "8")
    assert helix.labels() == {"in place", "copied, 32 bytes, the caller frees it"}
    assert helix.asked() == set()


def test_hints_of_a_broken_program_do_not_wait(helix: Editor) -> None:
    start = PROGRAM.index("insert")
    helix.change(URI, start, start + 6, "insret")
    assert helix.labels() == set()


def test_helix_counts_bytes(helix: Editor) -> None:
    assert helix.encoding == "utf-8"
    lines = [line.encode() for line in PROGRAM.split("\n")]
    places = [each.position for each in helix.all_hints()]
    words = {lines[each.line][: each.character][-2:] for each in places}
    assert words == {b"%a", b"%b"}
    edit = helix.read(
        "textDocument/rename", position=helix.place("return %b"), newName="new"
    )
    changed = apply_edits(PROGRAM, helix_edits(edit), helix.encoding)
    assert changed == PROGRAM.replace("%b", "%new")
    start = PROGRAM.index("tensor<4xf32>\n  %y")
    helix.change(URI, start, start + 6, "tensro")
    (error,) = helix.diagnostics(URI)
    place = helix.place_of(PROGRAM, start)
    assert error["range"]["start"] == place


def helix_edits(edit: types.WorkspaceEdit) -> list[dict[str, Any]]:
    assert edit.changes is not None
    return Editor.converter.unstructure(edit.changes[URI])


@pytest.mark.parametrize("name", ["helix", "zed"])
def test_all_that_an_editor_asks_is_answered(name: str) -> None:
    with Editor(name) as editor:
        editor.tell("workspace/didChangeConfiguration", {"settings": {}})
        editor.open(URI, PROGRAM)
        assert editor.diagnostics(URI) == []
        found = editor.once("workspace/inlayHint/refresh", editor.labels)
        assert found == HINTS
        at = editor.place("into %a")
        value = editor.read("textDocument/hover", position=at).contents.value
        assert "**copied, 16 bytes" in value
        assert editor.read("textDocument/definition", position=at)
        assert len(editor.read("textDocument/documentHighlight", position=at)) == 3
        references = {"includeDeclaration": True}
        found = editor.read("textDocument/references", position=at, context=references)
        assert len(found) == 3
        assert editor.read("textDocument/prepareRename", position=at)
        assert editor.read("textDocument/documentSymbol")
        assert editor.read("textDocument/foldingRange")
        assert editor.read("textDocument/formatting", options=FORMAT)
        context: dict[str, object] = {"diagnostics": [], "triggerKind": 1}
        line = {
            "start": {"line": 1, "character": 0},
            "end": {"line": 1, "character": 9},
        }
        (action,) = editor.read("textDocument/codeAction", range=line, context=context)
        # There is nothing to resolve.
        assert action.edit is not None
        assert editor.ask("workspace/symbol", {"query": "f"})
        asked = {"triggerKind": 1}
        items = editor.read(
            "textDocument/completion", position=editor.place("%y = "), context=asked
        )
        assert items is not None
        editor.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
        editor.tell("workspace/didChangeWatchedFiles", {"changes": []})
        editor.tell("$/setTrace", {"value": "off"})
        editor.tell("$/cancelRequest", {"id": 99})
        with pytest.raises(RefusedError):
            editor.read("textDocument/documentSymbol")
        allowed = {"workspace/inlayHint/refresh", "workspace/codeLens/refresh"}
        assert editor.asked() <= (allowed if name == "zed" else set())
        assert editor.told() == []


def test_zed_has_colours_and_lenses(zed: Editor) -> None:
    assert zed.encoding == "utf-16"
    assert zed.read("textDocument/semanticTokens/full").data
    assert zed.commands()[0].title.startswith("1 copy")


def test_an_editor_that_shows_no_files_is_told_where_they_are(zed: Editor) -> None:
    (command,) = (each for each in zed.commands() if each.title == "explain")
    assert command.command in zed.capabilities["executeCommandProvider"]["commands"]
    asked = {"command": command.command, "arguments": command.arguments}
    answer = zed.ask("workspace/executeCommand", asked)
    (said,) = zed.told()
    assert answer["uri"] == f"file://{said.removeprefix('see ')}"
