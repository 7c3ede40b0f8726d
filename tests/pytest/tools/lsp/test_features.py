"""What our server and MLIR's answer to one script: the table of `docs/editors.md`.

Each row is a question that is asked of both, on the same programs.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest
from harness.editing.client import MLIRS, OURS, Client, RefusedError
from harness.oracles.tools import find_oracle
from harness.pages.documents import ROOT

RIGHT: Final = """\
// RUN: xbuf opt -p "canon
#map = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %y = tensor.extract %a[%i] : tensor<4xf32>
  cf.br ^end(%y : f32)
^end(%z: f32):
  return %b, %z : tensor<4xf32>, f32
}
func.func @g(%m: memref<4xf32>) {
  %c = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  func.call @g(%m) : (memref<4xf32>) -> ()
  return
}
"""
BROKEN: Final = "".join(
    f"func.func @f{number}(%x: f32) {{\n  %0 = arith.addf %x, %y : f32\n  return\n}}\n"
    for number in range(3)
)
BROKEN_IN_SYNTAX: Final = BROKEN.replace("%y :", ":")
WRONG: Final = "func.func @f() {\n  func.call @nobody() : () -> ()\n  return\n}\n"


def at(word: str, number: int = 0) -> int:
    start = -1
    for _ in range(number + 1):
        start = RIGHT.index(word, start + 1)
    return start + 1


class Asked:
    """A server with one document after the other."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.uri = ""
        self._number = 0

    def open(self, text: str) -> list[dict[str, Any]]:
        """The errors of a document."""
        self._number += 1
        self.uri = f"file:///features_{self._number}.mlir"
        self.client.open(self.uri, text)
        return self.client.diagnostics(self.uri)

    def hover(self, position: int) -> str:
        found = self.client.at("hover", self.uri, position)
        return "" if found is None else str(found["contents"])

    def labels(self, position: int) -> list[str]:
        found: Any = self.client.at("completion", self.uri, position) or []
        is_list = "items" not in found
        items: list[dict[str, str]] = found if is_list else found["items"]
        return [item["label"] for item in items]

    def lines(self, method: str, position: int, **more: object) -> Sequence[int]:
        found: list[Any] = self.client.at(method, self.uri, position, **more) or []
        return [each["range"]["start"]["line"] for each in found]

    def whole(self, method: str, **more: object) -> Any:
        return self.client.about(
            method, self.uri, range=self.client.whole(self.uri), **more
        )


def references(server: Asked, position: int) -> Sequence[int]:
    return server.lines("references", position, context={"includeDeclaration": False})


def actions(server: Asked) -> list[str]:
    context: dict[str, list[object]] = {"diagnostics": []}
    found: list[Any] = server.whole("codeAction", context=context) or []
    return [action["title"] for action in found]


def actions_for_errors(server: Asked) -> bool:
    errors = server.open(WRONG)
    found = server.whole("codeAction", context={"diagnostics": errors})
    server.open(RIGHT)
    return bool(found)


def hints(server: Asked) -> bool:
    server.whole("inlayHint")
    return "copied, 16 bytes" in str(server.client.hints(server.uri))


def lenses(server: Asked) -> bool:
    def ask() -> bool:
        return "1 copy" in str(server.client.about("codeLens", server.uri))

    return server.client.once("workspace/codeLens/refresh", ask)


def all_of(text: str, count: int) -> Callable[[Asked], bool]:
    def ask(server: Asked) -> bool:
        found = len(server.open(text)) == count
        server.open(RIGHT)
        return found

    return ask


def has_command(name: str) -> Callable[[Asked], bool]:
    def ask(server: Asked) -> bool:
        arguments = [server.uri, "f" if name != "xbuf.runPipeline" else "cse"]
        params = {"command": name, "arguments": arguments}
        return bool(server.client.ask("workspace/executeCommand", params)["uri"])

    return ask


FEATURES: Final[dict[str, Callable[[Asked], bool]]] = {
    "an error of the rules of an op": all_of(WRONG, 1),
    "no error in a program that is right": all_of(RIGHT, 0),
    "three functions that use an undefined value: three errors": all_of(BROKEN, 3),
    "three functions with an error in the syntax: three errors": all_of(
        BROKEN_IN_SYNTAX, 3
    ),
    "hover: the type of a value": lambda s: "tensor<4xf32>" in s.hover(at("%b", 1)),
    "hover: the size of a value in bytes": lambda s: "16 bytes" in s.hover(at("%b", 1)),
    "hover: what an op does, and its syntax": lambda s: (
        "Element insertion" in s.hover(at("tensor.insert"))
    ),
    "hover: the arguments of a block": lambda s: "f32" in s.hover(at("^end", 1)),
    "hover: what `#map` stands for": lambda s: "affine_map" in s.hover(at("#map")),
    "definition of a value": lambda s: s.lines("definition", at("%b", 1)) == [3],
    "definition of a symbol": lambda s: s.lines("definition", at("@g", 1)) == [9],
    "definition of a block": lambda s: s.lines("definition", at("^end")) == [6],
    "uses of a value": lambda s: {3, 4} <= {*references(s, at("%a"))},
    "uses of a symbol": lambda s: 12 in references(s, at("@g")),
    "another name for a value": lambda s: bool(
        s.client.at("rename", s.uri, at("%a"), newName="%input")
    ),
    "another name for a symbol": lambda s: bool(
        s.client.at("rename", s.uri, at("@g"), newName="@h")
    ),
    "symbols of the document": lambda s: bool(s.client.about("documentSymbol", s.uri)),
    "symbols of all open documents": lambda s: bool(
        s.client.ask("workspace/symbol", {"query": "f"})
    ),
    "folding": lambda s: bool(s.client.about("foldingRange", s.uri)),
    "colours by meaning": lambda s: bool(
        s.client.about("semanticTokens/full", s.uri)["data"]
    ),
    "completion of ops": lambda s: any(
        label.endswith("insert") for label in s.labels(at("tensor.insert") + 6)
    ),
    "completion of dialects": lambda s: any(
        label in ("memref", "memref.") for label in s.labels(at("tensor.insert") - 1)
    ),
    "completion of values": lambda s: "%a" in s.labels(at("%b", 1)),
    "completion of symbols": lambda s: "@f" in s.labels(at("@g", 1)),
    "completion of blocks": lambda s: "^end" in s.labels(at("^end")),
    "completion of attributes of an op": lambda s: (
        "alignment" in s.labels(at("alignment") - 1)
    ),
    "completion of passes in a RUN line": lambda s: (
        "canonicalize" in s.labels(at('"canon') + 5)
    ),
    "hints: in place, copied, allocated, who frees": hints,
    "a lens over each function: copies, bytes, peak": lenses,
    "actions that avoid a copy": lambda s: any("Avoid" in each for each in actions(s)),
    "a function explained": has_command("xbuf.explain"),
    "a function on buffers": has_command("xbuf.showBuffers"),
    "passes run from the editor": has_command("xbuf.runPipeline"),
    "formatting": lambda s: (
        s.client.about(
            "formatting", s.uri, options={"tabSize": 2, "insertSpaces": True}
        )
        is not None
    ),
    "actions that write `expected-error` comments": actions_for_errors,
}


def answers(command: Sequence[str]) -> dict[str, bool]:
    """Which questions a server answers as they should be."""
    found: dict[str, bool] = {}
    with Client(command) as client:
        server = Asked(client)
        server.open(RIGHT)
        for feature, ask in FEATURES.items():
            try:
                found[feature] = ask(server)
            except (RefusedError, KeyError, TypeError):
                found[feature] = False
    return found


def table() -> dict[str, tuple[bool, bool]]:
    """The rows of the document."""
    text = (ROOT / "docs" / "editors.md").read_text()
    rows = re.findall(r"^\| (.*?) \| (yes|-) \| (yes|-) \|$", text, re.MULTILINE)
    return {name: (ours == "yes", mlirs == "yes") for name, ours, mlirs in rows}


def test_the_document_says_what_our_server_answers() -> None:
    assert answers(OURS) == {name: ours for name, (ours, _) in table().items()}


@pytest.mark.oracle
def test_the_document_says_what_mlirs_server_answers() -> None:
    find_oracle(*MLIRS)
    assert answers(MLIRS) == {name: mlirs for name, (_, mlirs) in table().items()}
