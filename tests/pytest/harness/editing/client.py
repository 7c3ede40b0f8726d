"""A client of language servers, of ours and of MLIR's, that follows a script.

with Client(["xbuf-lsp"]) as client:
    client.open("file:///a.mlir", "func.func @f() {")
    client.diagnostics("file:///a.mlir")            the errors of that version
    client.ask("textDocument/hover", ...)           the answer
"""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, Queue
from typing import Any, Self, TypeVar

T = TypeVar("T")

OURS = (sys.executable, "-m", "xdsl_bufferization.tools.lsp.command")
MLIRS = ("mlir-lsp-server-22",)

CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"showDocument": {"support": True}},
    "workspace": {
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "applyEdit": True,
    },
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
        "hover": {"contentFormat": ["markdown"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "rename": {"prepareSupport": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["refactor"]}}
        },
        "semanticTokens": {
            "requests": {"full": True, "range": True},
            "tokenTypes": [],
            "tokenModifiers": [],
            "formats": ["relative"],
        },
    },
}


class RefusedError(Exception):
    """The server answered with an error."""


class Client:
    """Speaks with a server over its standard input and output."""

    def __init__(
        self,
        command: Sequence[str] = OURS,
        options: dict[str, Any] | None = None,
        seconds: float = 60,
        given: dict[str, Any] | None = None,
    ) -> None:
        """`given` is what an editor sends to initialize the server."""
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # MLIR's server writes all that it is asked to its standard error.
            stderr=subprocess.DEVNULL if command == MLIRS else None,
        )
        self.seconds = seconds
        self.notes: list[tuple[float, dict[str, Any]]] = []
        """What the server has said unasked, with the time."""
        self.answer_to: dict[str, Any] = {"window/showDocument": {"success": True}}
        """What requests of the server are answered with, by method."""
        self._messages: Queue[tuple[float, dict[str, Any]]] = Queue()
        self._number = 0
        self._texts: dict[str, tuple[int, str]] = {}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        given = given or {
            "processId": None,
            "rootUri": None,
            "capabilities": CAPABILITIES,
        }
        if options is not None:
            given["initializationOptions"] = options
        self.initialized = self.ask("initialize", given)
        self.capabilities = self.initialized["capabilities"]
        self.encoding = self.capabilities.get("positionEncoding", "utf-16")
        self.initialized_after = time.perf_counter() - self.started
        self.tell("initialized", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Shut the server down."""
        if self.process.poll() is None:
            self.ask("shutdown")
            self.tell("exit")
            self.process.wait(self.seconds)
        self._reader.join(self.seconds)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()

    # Messages.

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length == 0:
                return
            message = json.loads(stream.read(length))
            self._messages.put((time.perf_counter(), message))

    def _send(self, message: dict[str, Any]) -> None:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream = self.process.stdin
        assert stream is not None
        stream.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        stream.flush()

    def tell(self, method: str, params: object = None) -> None:
        """Send a notification."""
        self._send({"method": method, **_params(params)})

    def ask(self, method: str, params: object = None) -> Any:
        """Send a request, and wait for its answer."""
        self._number += 1
        number = self._number
        self._send({"id": number, "method": method, **_params(params)})
        found = self.wait(lambda message: message.get("id") == number, is_answer=True)
        if "error" in found:
            raise RefusedError(found["error"]["message"])
        return found["result"]

    def wait(
        self, fits: Callable[[dict[str, Any]], bool], *, is_answer: bool = False
    ) -> dict[str, Any]:
        """Wait for a message that fits."""
        end = time.perf_counter() + self.seconds
        while True:
            try:
                left = max(0.0, end - time.perf_counter())
                at, message = self._messages.get(timeout=left)
            except Empty:
                raise TimeoutError("the server has not answered") from None
            if "method" in message:
                self.notes.append((at, message))
                if "id" in message:
                    answer = self.answer_to.get(message["method"])
                    self._send({"id": message["id"], "result": answer})
                if not is_answer and fits(message):
                    return message
            elif is_answer and fits(message):
                return message

    # Documents.

    def open(self, uri: str, text: str) -> None:
        """Open a document."""
        self._texts[uri] = 1, text
        document = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def text(self, uri: str) -> str:
        """The text of a document."""
        return self._texts[uri][1]

    def change(self, uri: str, start: int, end: int, text: str) -> None:
        """Replace a part of a document."""
        version, before = self._texts[uri]
        at = {"start": self.place_of(before, start), "end": self.place_of(before, end)}
        self._texts[uri] = version + 1, before[:start] + text + before[end:]
        self.tell(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": version + 1},
                "contentChanges": [{"range": at, "text": text}],
            },
        )

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """The errors of the document as it is now."""
        version = self._texts[uri][0]

        def fits(message: dict[str, Any]) -> bool:
            params: dict[str, Any] = message.get("params") or {}
            return (
                message.get("method") == "textDocument/publishDiagnostics"
                and params["uri"] == uri
                and params.get("version", version) == version
            )

        for _, message in reversed(self.notes):
            if fits(message):
                return message["params"]["diagnostics"]
        return self.wait(fits)["params"]["diagnostics"]

    def wait_for(self, method: str) -> dict[str, Any]:
        """Wait for the next message of a method."""
        return self.wait(lambda message: message.get("method") == method)

    def at(self, method: str, uri: str, position: int, **more: object) -> Any:
        """Ask about a place in a document."""
        params = {
            "textDocument": {"uri": uri},
            "position": self.place_of(self.text(uri), position),
            **more,
        }
        return self.ask(f"textDocument/{method}", params)

    def about(self, method: str, uri: str, **more: object) -> Any:
        """Ask about a document."""
        return self.ask(
            f"textDocument/{method}", {"textDocument": {"uri": uri}, **more}
        )

    def whole(self, uri: str) -> dict[str, Any]:
        """The range of all of a document."""
        text = self.text(uri)
        return {"start": self.place_of(text, 0), "end": self.place_of(text, len(text))}

    def place_of(self, text: str, position: int) -> dict[str, int]:
        """A position, in the units that the server has chosen."""
        return place(text, position, self.encoding)

    def hints(self, uri: str) -> list[dict[str, Any]]:
        """The inlay hints of a document, once there are some."""
        return self.once(
            "workspace/inlayHint/refresh",
            lambda: self.about("inlayHint", uri, range=self.whole(uri)),
        )

    def once(self, method: str, ask: Callable[[], T]) -> T:
        """An answer that is not empty; asks again after each message of a method.

        As in an editor, a message that comes before an empty answer counts: the server
        may have made that answer before it learned what the message is about.
        """
        while True:
            seen = len(self.notes)
            if found := ask():
                return found
            if all(message.get("method") != method for _, message in self.notes[seen:]):
                self.wait_for(method)


def _params(params: object) -> dict[str, object]:
    return {} if params is None else {"params": params}


_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
"""The names of encodings in Python, and the bytes of a unit."""


def place(text: str, position: int, encoding: str = "utf-16") -> dict[str, int]:
    """A position in terms of the protocol."""
    start = text.rfind("\n", 0, position) + 1
    name, size = _UNITS[encoding]
    units = len(text[start:position].encode(name)) // size
    return {"line": text.count("\n", 0, position), "character": units}


def position(text: str, place: dict[str, int], encoding: str = "utf-16") -> int:
    """The other way round."""
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[: place["line"]])
    name, size = _UNITS[encoding]
    line = lines[place["line"]].encode(name)
    return before + len(line[: size * place["character"]].decode(name))


def apply_edits(
    text: str, edits: Sequence[dict[str, Any]], encoding: str = "utf-16"
) -> str:
    """A text after edits of the protocol."""
    found = [
        (
            position(text, edit["range"]["start"], encoding),
            position(text, edit["range"]["end"], encoding),
            edit["newText"],
        )
        for edit in edits
    ]
    for start, end, new in sorted(found, reverse=True):
        text = text[:start] + new + text[end:]
    return text
