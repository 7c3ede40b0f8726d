"""`initialize` is answered before pygls is imported, as pygls would answer it."""

import io
import json
import subprocess
import sys
from typing import Any

import pytest
from harness.editing.client import CAPABILITIES, OURS, Client
from harness.pages.documents import ROOT
from typing_extensions import override

from xdsl_bufferization.editing.highlight import Colour
from xdsl_bufferization.tools.lsp.early import COLOURS, answer_initialize
from xdsl_bufferization.tools.lsp.options import LspOptions
from xdsl_bufferization.tools.lsp.server import make_server

XBUF = "xdsl_bufferization.tools.xbuf"
FILES = ROOT / "tests" / "data" / "editors"
CLIENTS: dict[str, Any] = {
    "nothing": {},
    "ours": CAPABILITIES,
    "helix": json.loads((FILES / "helix.json").read_text())["capabilities"],
    "zed": json.loads((FILES / "zed.json").read_text())["capabilities"],
    "utf-32 first": {"general": {"positionEncodings": ["utf-7", "utf-32", "utf-8"]}},
    "no encodings": {"general": {"positionEncodings": []}},
    "no preparing": {"textDocument": {"rename": {"prepareSupport": False}}},
    "one set": {"workspace": {"executeCommand": {"dynamicRegistration": True}}},
    "many sets": {"workspace": {"executeCommand": {"dynamicRegistration": False}}},
    "notebooks": {"notebookDocument": {"synchronization": {}}},
}


def message(**parts: object) -> bytes:
    """What an editor sends."""
    body = json.dumps({"jsonrpc": "2.0", **parts}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def bodies(content: bytes) -> list[Any]:
    """The messages in what a server has sent."""
    found: list[Any] = []
    stream = io.BytesIO(content)
    while lines := [*iter(lambda: stream.readline().strip(), b"")]:
        lengths = (line for line in lines if line.startswith(b"Content-Length"))
        found.append(json.loads(stream.read(int(next(lengths).split()[1]))))
    return found


class Kept(io.BytesIO):
    """What is written, also once it is closed."""

    @override
    def close(self) -> None:
        """Stay open."""


@pytest.mark.parametrize("name", CLIENTS)
def test_the_early_answer_is_that_of_pygls(name: str) -> None:
    first = message(
        id=1,
        method="initialize",
        params={"processId": None, "rootUri": None, "capabilities": CLIENTS[name]},
    )
    early, late, again = Kept(), Kept(), Kept()
    answer_initialize(io.BytesIO(first), early)
    make_server(LspOptions()).start_io(io.BytesIO(first), late)
    assert bodies(early.getvalue()) == bodies(late.getvalue())

    # Of two answers the editor gets one.
    streams = answer_initialize(io.BytesIO(first), again)
    make_server(LspOptions()).start_io(streams.reads, streams.writes)
    assert again.getvalue() == early.getvalue()


def test_pygls_reads_and_writes_all_the_rest() -> None:
    first = message(id="one", method="initialize", params={})
    rest = message(id="two", method="shutdown") + b"x" * 100_000
    sent = Kept()
    streams = answer_initialize(io.BytesIO(first + rest), sent)
    assert streams.reads.read() == first + rest
    before = sent.getvalue()
    said = message(method="window/logMessage", params={"type": 1, "message": "a"})
    failed = message(id="one", error={"code": -32603, "message": "b"})
    second = message(id="two", result=None)
    for each in (said, failed, message(id="one", result={}), second):
        streams.writes.write(each)
    assert sent.getvalue() == before + said + failed + second


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\r\n",
        b"hello\r\n",
        b"Content-Length: 5\r\n\r\n{",
        b"Content-Length: x\r\n\r\n{}",
        b"Content-Length: 2\r\n\r\n[]",
        b"Content-Length: 2\r\n\r\n\xff\xff",
        message(id=1, method="shutdown"),
        message(method="initialize", params={}),
    ],
)
def test_what_does_not_initialize_is_left_to_pygls(content: bytes) -> None:
    sent = Kept()
    streams = answer_initialize(io.BytesIO(content), sent)
    assert streams.reads.read() == content
    streams.writes.write(message(id=1, result={}))
    assert sent.getvalue() == message(id=1, result={})


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        3,
        {"capabilities": [1]},
        {"capabilities": {"general": 2}},
        {"capabilities": {"general": {"positionEncodings": 5}}},
        {"capabilities": {"general": {"positionEncodings": [["utf-8"]]}}},
    ],
)
def test_capabilities_of_no_sense_are_answered(params: object) -> None:
    sent = Kept()
    first = message(id=1, method="initialize", params=params)
    answer_initialize(io.BytesIO(first), sent)
    (answer,) = bodies(sent.getvalue())
    assert answer["result"]["capabilities"]["positionEncoding"] == "utf-16"


def test_the_answer_comes_before_pygls_is_imported() -> None:
    script = (
        "import sys, io\n"
        "from xdsl_bufferization.tools.lsp.early import answer_initialize\n"
        "answer_initialize(sys.stdin.buffer, sys.stdout.buffer)\n"
        "slow = {'pygls', 'lsprotocol', 'xdsl', 'asyncio', 'attrs'} & {*sys.modules}\n"
        "sys.exit(' '.join(slow) or 0)\n"
    )
    sent = message(id=1, method="initialize", params={"capabilities": {}})
    done = subprocess.run(
        (sys.executable, "-c", script), input=sent, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert bodies(done.stdout)[0]["id"] == 1


def test_the_colours_are_those_that_words_have() -> None:
    assert [each.value for each in Colour] == [*COLOURS]


@pytest.mark.parametrize("command", [OURS, (sys.executable, "-m", XBUF, "lsp")])
def test_a_server_goes_on_after_the_early_answer_and_ends_well(
    command: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    with Client(command) as client:
        client.open("file:///a.mlir", "func.func @f() {\n  return %x : f32\n}\n")
        assert client.diagnostics("file:///a.mlir")
    assert client.process.wait() == 0
    assert capfd.readouterr().err == ""
