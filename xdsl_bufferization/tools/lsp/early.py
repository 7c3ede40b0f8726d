"""The answer to `initialize`, before what speaks the protocol is imported.

    editor:  initialize  ->  read here, answered here, and kept
    pygls:   is imported, reads the message that was kept, and answers it again
             ->  this second answer is left out

The classes of the protocol alone take 0.3 s to import: pygls has 900 of them, made
when they are imported. What the server can do depends on two things that an editor
says. So the answer needs none of them. A test compares it with that of pygls.
"""

import io
import json
import os
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, cast

from typing_extensions import Buffer, override

import xdsl_bufferization

COMMANDS: Final = (
    "xbuf.explain", "xbuf.showBuffers", "xbuf.showAfter", "xbuf.runPipeline",
)  # fmt: skip
"""What an editor can have done, without the suffix of a server."""

COLOURS: Final = (
    "comment", "string", "number", "variable", "parameter", "function", "label",
    "macro", "type", "keyword", "property",
)  # fmt: skip
"""Those of `editing/highlight.py`, which is not imported yet."""

MODIFIERS: Final = ("definition",)
TRIGGERS: Final = ("%", "@", "^", "#", "!", ".", "{", ",", '"', "-")
"""What makes an editor ask for completion."""

_ENCODINGS: Final = ("utf-8", "utf-16", "utf-32")
_INCREMENTAL: Final = 2
"""The kind of changes that an editor sends: `TextDocumentSyncKind.Incremental`."""


@dataclass(frozen=True)
class Streams:
    """What pygls reads, and what it writes to."""

    reads: BinaryIO
    writes: BinaryIO


def answer_initialize(reads: BinaryIO, writes: BinaryIO) -> Streams:
    """Answer the first message if it is `initialize`; pygls reads it all the same."""
    kept, message = _read_message(reads)
    replayed = cast(BinaryIO, io.BufferedReader(_Replayed(kept, reads)))
    if message.get("method") != "initialize" or message.get("id") is None:
        return Streams(replayed, cast(BinaryIO, _Written(writes, None)))
    result = {
        "capabilities": server_capabilities(_look(message, "params", "capabilities")),
        "serverInfo": {"name": "xbuf", "version": xdsl_bufferization.__version__},
    }
    answer = {"id": message["id"], "jsonrpc": "2.0", "result": result}
    body = json.dumps(answer).encode()
    writes.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    writes.flush()
    return Streams(replayed, cast(BinaryIO, _Written(writes, message["id"])))


def server_capabilities(client: object) -> dict[str, Any]:
    """What the server can do for an editor that sends these capabilities."""
    wanted = _look(client, "general", "positionEncodings")
    encodings = cast(list[object], wanted) if isinstance(wanted, list) else []
    encoding = next((each for each in encodings if each in _ENCODINGS), "utf-16")
    can_prepare = _look(client, "textDocument", "rename", "prepareSupport") is True
    executes = _look(client, "workspace", "executeCommand", "dynamicRegistration")
    suffix = command_suffix(is_one_set=executes is True)
    legend = {"tokenTypes": [*COLOURS], "tokenModifiers": [*MODIFIERS]}
    return {
        "positionEncoding": encoding,
        "textDocumentSync": {
            "openClose": True,
            "change": _INCREMENTAL,
            "save": False,
        },
        "completionProvider": {
            "triggerCharacters": [*TRIGGERS],
            "resolveProvider": True,
        },
        "hoverProvider": True,
        "definitionProvider": True,
        "referencesProvider": True,
        "documentHighlightProvider": True,
        "documentSymbolProvider": True,
        "codeActionProvider": {"codeActionKinds": ["refactor.rewrite"]},
        "codeLensProvider": {"resolveProvider": False},
        "workspaceSymbolProvider": {"resolveProvider": False},
        "documentFormattingProvider": True,
        "renameProvider": {"prepareProvider": True} if can_prepare else True,
        "foldingRangeProvider": True,
        "executeCommandProvider": {"commands": [each + suffix for each in COMMANDS]},
        "semanticTokensProvider": {"legend": legend, "range": True, "full": True},
        "inlayHintProvider": {"resolveProvider": False},
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": {},
        },
    }


def command_suffix(*, is_one_set: bool) -> str:
    """What keeps the commands of several servers of one editor apart.

    An editor such as VS Code has one set of commands for all servers, and ends a server
    whose commands are there already. LLVM's extension starts a server for each folder,
    and one for files in none, such as those that show results.
    """
    return f".{os.getpid()}" if is_one_set else ""


def _look(given: object, *names: str) -> Any:
    """What stands at the end of a path, or None."""
    for name in names:
        if not isinstance(given, dict):
            return None
        given = cast(dict[str, object], given).get(name)
    return given


def _read_message(reads: BinaryIO) -> tuple[bytes, dict[str, Any]]:
    """The bytes of a message, and what it says: nothing, if it cannot be read."""
    kept, length = b"", 0
    while (line := reads.readline()).strip():
        kept += line
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
    body = reads.read(length)
    kept += line + body
    try:
        message = json.loads(body)
    except ValueError:
        return kept, {}
    return kept, cast(dict[str, Any], message) if isinstance(message, dict) else {}


class _Replayed(io.RawIOBase):
    """Bytes that were read already, then those of a stream."""

    def __init__(self, kept: bytes, reads: BinaryIO) -> None:
        self._kept = kept
        self._reads = cast(io.BufferedReader, reads)

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer)
        given = self._kept[: len(view)] or self._reads.read1(len(view))
        self._kept = self._kept[len(view) :]
        view[: len(given)] = given
        return len(given)


class _Written(io.RawIOBase):
    """What pygls writes, a message at a time, but for the answer that was given.

    pygls closes what it writes to at the end. The standard output stays open: others
    write to it, and flush it when the process ends.
    """

    def __init__(self, writes: BinaryIO, answered: object) -> None:
        self._writes = writes
        self._answered = answered

    @override
    def writable(self) -> bool:
        return True

    @override
    def write(self, data: Buffer, /) -> int:
        content = bytes(data)
        if self._answered is not None and self._is_answer(content):
            self._answered = None
        else:
            self._writes.write(content)
        return len(content)

    def _is_answer(self, content: bytes) -> bool:
        message = json.loads(content.partition(b"\r\n\r\n")[2])
        return "result" in message and message.get("id") == self._answered

    @override
    def flush(self) -> None:
        self._writes.flush()
