"""The language server, driven by a client that follows a script."""

import itertools
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harness.editing.client import Client, RefusedError, apply_edits
from harness.editing.explaining import explain

from xdsl_bufferization.editing.decisions import Decisions
from xdsl_bufferization.editing.document import Document
from xdsl_bufferization.editing.hints import list_hints
from xdsl_bufferization.tools.lsp.options import LspOptions
from xdsl_bufferization.tools.lsp.server import ForgettingProtocol, make_server
from xdsl_bufferization.tools.xbuf import main

URI = "file:///program.mlir"
PROGRAM = """\
// An emoji, of two units: 🙂
func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %b = tensor.insert %x into %a[%i] : tensor<4xf32> // 🙂 %b
  %y = tensor.extract %a[%i] : tensor<4xf32>
  return %b, %y : tensor<4xf32>, f32
}
func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
"""
LONG = "".join(
    PROGRAM.replace("@f", f"@f{n}").replace("@g", f"@g{n}") for n in range(600)
)


@pytest.fixture(scope="module")
def server() -> Iterator[Client]:
    with Client() as client:
        yield client


@pytest.fixture
def client(server: Client) -> Iterator[Client]:
    server.open(URI, PROGRAM)
    yield server
    server.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
    server.notes.clear()


def at(word: str, number: int = 0) -> int:
    start = -1
    for _ in range(number + 1):
        start = PROGRAM.index(word, start + 1)
    return start + 1


def test_errors_come_as_one_types(client: Client) -> None:
    assert client.diagnostics(URI) == []
    client.change(URI, at("insert") - 1, at("insert") + 5, "insret")
    (error,) = client.diagnostics(URI)
    assert "did you mean tensor.insert?" in error["message"]
    assert error["range"]["start"] == {"line": 2, "character": 7}
    client.change(URI, at("insert") - 1, at("insert") + 5, "insert")
    assert client.diagnostics(URI) == []


def test_several_changes_in_one_message_are_applied_in_order(client: Client) -> None:
    zero = {"line": 0, "character": 0}
    change = {"range": {"start": zero, "end": zero}}
    client.tell(
        "textDocument/didChange",
        {
            "textDocument": {"uri": URI, "version": 2},
            "contentChanges": [
                {**change, "text": "// 2\n"},
                {**change, "text": "# 1\n"},
            ],
        },
    )
    found = client.wait_for("textDocument/publishDiagnostics")["params"]
    while found.get("version") != 2:
        found = client.wait_for("textDocument/publishDiagnostics")["params"]
    assert [each["range"]["start"]["line"] for each in found["diagnostics"]] == [0]


def test_units_are_those_of_utf_16(client: Client) -> None:
    names = client.at("documentHighlight", URI, at("%b"))
    assert [each["range"]["start"]["line"] for each in names] == [2, 4]
    comment = client.at("hover", URI, at("%b", 1))
    assert comment is None


def test_hover_has_the_decision_and_the_op(client: Client) -> None:
    client.hints(URI)
    text = client.at("hover", URI, at("tensor.insert"))["contents"]["value"]
    assert "copied, 16 bytes" in text
    assert "Operands: `scalar`" in text


def test_definition_references_and_rename(client: Client) -> None:
    (definition,) = client.at("definition", URI, at("%y", 1))
    assert definition["range"]["start"] == {"line": 3, "character": 3}
    context = {"includeDeclaration": False}
    uses = client.at("references", URI, at("%a"), context=context)
    assert [each["range"]["start"]["line"] for each in uses] == [2, 3]
    assert client.at("prepareRename", URI, at("%a"))["start"]["line"] == 1
    edit = client.at("rename", URI, at("%a"), newName="%input")
    text = apply_edits(PROGRAM, edit["changes"][URI])
    assert Document(text).faults() == []
    assert text.count("%input") == 3
    with pytest.raises(RefusedError, match="is the name of something else"):
        client.at("rename", URI, at("%a"), newName="%x")


def test_symbols_folds_and_colours(client: Client) -> None:
    symbols = client.about("documentSymbol", URI)
    assert [symbol["name"] for symbol in symbols] == ["f", "g"]
    (found,) = client.ask("workspace/symbol", {"query": "G"})
    assert found["name"] == "g"
    folds = client.about("foldingRange", URI)
    assert (1, 4) in [(each["startLine"], each["endLine"]) for each in folds]
    data = client.about("semanticTokens/full", URI)["data"]
    assert len(data) % 5 == 0
    part = client.about("semanticTokens/range", URI, range=client.whole(URI))["data"]
    assert part == data


def test_completion_offers_ops_with_their_syntax(client: Client) -> None:
    items = client.at("completion", URI, at("tensor.extract") + 8)
    labels = [item["label"] for item in items]
    assert "tensor.extract" in labels
    (item,) = [each for each in items if each["label"] == "tensor.extract"]
    resolved = client.ask("completionItem/resolve", item)
    assert resolved["label"] == "tensor.extract"


def test_hints_lenses_and_actions(client: Client) -> None:
    labels = [hint["label"] for hint in client.hints(URI)]
    assert "copied, 16 bytes, the caller frees it" in labels
    titles = [lens["command"]["title"] for lens in client.about("codeLens", URI)]
    assert "1 copy · 16 bytes copied · 1 allocation · peak 16 bytes" in titles
    assert "show after pass ..." in titles
    context: dict[str, list[object]] = {"diagnostics": []}
    whole = client.whole(URI)
    (action,) = client.about("codeAction", URI, range=whole, context=context)
    text = apply_edits(PROGRAM, action["edit"]["changes"][URI])
    assert Document(text).faults() == []
    assert text.index("tensor.extract") < text.index("tensor.insert")
    assert text.count("🙂") == 2


def command(client: Client, name: str, *arguments: str) -> Path:
    params = {"command": name, "arguments": [URI, *arguments]}
    uri = client.ask("workspace/executeCommand", params)["uri"]
    return Path(uri.removeprefix("file://"))


def test_results_are_files_that_stay_in_step(client: Client) -> None:
    file = command(client, "xbuf.showBuffers", "f")
    assert "memref.copy" in file.read_text()
    assert file.stat().st_mode & 0o222 == 0
    after = command(client, "xbuf.showAfter", "f", "one-shot-bufferize")
    assert "memref.alloc" in after.read_text()
    explained = command(client, "xbuf.explain", "f")
    assert "copy of %a, 16 bytes" in explained.read_text()
    # The read comes first now: nothing is copied.
    line = "  %y = tensor.extract %a[%i] : tensor<4xf32>\n"
    start = PROGRAM.index(line)
    client.change(URI, start, start + len(line), "")
    client.change(URI, at("  %b = ") - 1, at("  %b = ") - 1, line)
    assert client.diagnostics(URI) == []
    end = time.monotonic() + 60
    while "copy of %a" in explained.read_text() and time.monotonic() < end:
        time.sleep(0.1)
    assert "1 copied" not in explained.read_text()


def test_a_pipeline_is_run_on_the_whole_document(client: Client) -> None:
    file = command(client, "xbuf.runPipeline", "canonicalize,cse")
    assert "func.func @g" in file.read_text()
    file = command(client, "xbuf.runPipeline", "canonicalze")
    assert "do you mean 'canonicalize'?" in file.read_text()


def test_formatting_keeps_functions_with_comments(client: Client) -> None:
    options = {"tabSize": 2, "insertSpaces": True}
    client.change(URI, at("  return %a") - 1, at("  return %a") + 1, "      ")
    edits = client.about("formatting", URI, options=options)
    text = apply_edits(client.text(URI), edits)
    assert text.count("🙂") == 2
    assert "\n  func.return %a : tensor<4xf32>\n" in text


def test_an_edit_that_is_undone_while_it_is_explained_keeps_its_hints() -> None:
    with Client() as client:
        client.open(URI, PROGRAM)
        place = at("insert") - 1
        for _ in range(3):
            client.change(URI, place, place + 6, "insret")
            client.diagnostics(URI)
            client.change(URI, place, place + 6, "insert")
            client.diagnostics(URI)
            time.sleep(0.4)  # Until the child has begun to explain.
        assert client.hints(URI)


IMPATIENT = (
    sys.executable,
    "-c",
    "from xdsl_bufferization.tools.lsp import command, server\n"
    "server._PATIENCE = 0.0\n"
    "command.main()",
)


def test_what_is_asked_again_while_its_child_is_killed_is_answered() -> None:
    with Client(IMPATIENT) as client:
        for _ in range(3):
            for text in (PROGRAM, PROGRAM.replace("insert", "insret"), PROGRAM):
                client.open(URI, text)
                client.diagnostics(URI)
            assert client.hints(URI)


def test_a_long_text_is_read_bit_by_bit(client: Client) -> None:
    """Errors come as they are found, and what is asked meanwhile is answered."""
    text = LONG.replace("extract", "extarct", 1)
    end = text.rindex("insert")
    text = text[:end] + "insret" + text[end + len("insert") :]
    uri = "file:///long.mlir"
    client.open(uri, text)
    # This waits for the end of the reading.
    answer = client.at("hover", uri, text.index("tensor.insert"))
    assert "tensor.insert" in answer["contents"]["value"]
    client.change(uri, 0, 0, "// A comment.\n")
    last = client.diagnostics(uri)
    words: list[set[str]] = []
    for _, message in client.notes:
        params: dict[str, Any] = message.get("params") or {}
        if params.get("uri") == uri and "diagnostics" in params:
            words.append({each["message"] for each in params["diagnostics"]})
    assert len(last) == 2
    assert words[-1] == {each["message"] for each in last}
    # What is said first is not taken back.
    assert all(one <= other for one, other in itertools.pairwise(words))
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_a_long_text_that_changes_while_it_is_read(client: Client) -> None:
    uri = "file:///changing.mlir"
    client.open(uri, LONG)
    for _ in range(3):
        client.change(uri, 0, 0, "// A comment.\n")
    client.change(uri, 0, 0, "x")
    (error,) = client.diagnostics(uri)
    assert error["range"]["start"]["line"] == 0
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_options_come_from_the_editor() -> None:
    options = {"hints": "copies", "unregistered": "warning"}
    with Client(options=options) as client:
        text = PROGRAM + 'func.func @h() {\n  "a.b"() : () -> ()\n  return\n}\n'
        client.open(URI, text)
        (warning,) = client.diagnostics(URI)
        assert warning["severity"] == 2
        assert [hint["label"] for hint in client.hints(URI)] == [
            "copied, 16 bytes, the caller frees it"
        ]


def test_an_unknown_document_and_a_wrong_request_are_refused(client: Client) -> None:
    with pytest.raises(RefusedError):
        client.about("documentSymbol", "file:///other.mlir")
    assert client.about("documentSymbol", URI)


def test_what_has_been_handled_is_forgotten() -> None:
    """pygls handles changes of documents by generators, and keeps a future of each."""
    protocol = make_server(LspOptions()).protocol
    assert isinstance(protocol, ForgettingProtocol)

    def handle() -> Iterator[None]:
        yield from ()

    ignored = dict[str, Any]()
    for number in range(3):
        protocol._execute_handler(str(number), handle, ignored.update)  # pyright: ignore[reportPrivateUsage]
    assert protocol._request_futures == {}  # pyright: ignore[reportPrivateUsage]


def test_without_pygls_one_line_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.delitem(
        sys.modules, "xdsl_bufferization.tools.lsp.server", raising=False
    )
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    monkeypatch.setitem(sys.modules, "lsprotocol.types", None)
    assert main(["lsp"]) == 1
    assert "pip install 'xdsl-bufferization[lsp]'" in capsys.readouterr().err


def printed_by(code: str) -> str:
    """What a program prints in a process of its own."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_nothing_of_the_compiler_is_imported_before_initialize() -> None:
    code = (
        "import sys, xdsl_bufferization.tools.lsp.server as s\n"
        "from xdsl_bufferization.tools.lsp.options import LspOptions\n"
        "s.make_server(LspOptions())\n"
        "print('xdsl' in sys.modules, 'numpy' in sys.modules)\n"
    )
    assert printed_by(code) == "False False\n"


def test_what_reads_documents_imports_no_passes() -> None:
    """They take longer to import than most documents to read."""
    code = (
        "import sys\n"
        "from xdsl_bufferization.editing.document import Document\n"
        "from xdsl_bufferization.tools.lsp import opened\n"
        "Document('func.func @f() {\\n  return\\n}').faults()\n"
        "rooms = {name.split('.')[1] for name in sys.modules\n"
        "         if name.startswith('xdsl_bufferization.')}\n"
        "print(sorted(rooms & {'codegen', 'frontends', 'optimization', 'runtime'}))\n"
    )
    assert printed_by(code) == "[]\n"


def test_a_long_function_is_explained_while_it_is_read(client: Client) -> None:
    """The child begins with a change before the server has read it."""
    lines = [
        f"  %{n + 1} = tensor.insert %x into %{n}[%i] : tensor<4xf32>"
        for n in range(600)
    ]
    text = (
        "func.func @f(%0: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {\n"
        + "\n".join(lines)
        + "\n  %y = tensor.extract %300[%i] : tensor<4xf32>"
        + "\n  %z = tensor.insert %y into %600[%i] : tensor<4xf32>"
        + "\n  return %z : tensor<4xf32>\n}\n"
    )
    uri = "file:///function.mlir"
    client.open(uri, text)
    assert client.hints(uri)
    for new, is_right in (("%300", True), ("%3x", False), ("%299", True)):
        start = client.text(uri).index(" into ", client.text(uri).index("%301 =")) + 6
        end = client.text(uri).index("[", start)
        client.change(uri, start, end, new)
        assert (client.diagnostics(uri) == []) == is_right
    document, decisions = Document(client.text(uri)), Decisions()
    explain(document, decisions)
    expected = [hint.label for hint in list_hints(document, decisions)]

    def is_known() -> bool:
        return [hint["label"] for hint in client.hints(uri)] == expected

    # Until the child has answered, hints are those of ops that were left as they were.
    assert client.once("workspace/inlayHint/refresh", is_known)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
