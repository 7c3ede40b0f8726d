"""Our universe has every operation that MLIR 22 registers, and the corpus shows it.

The list comes from the oracle itself: asked to complete `tensor.`, MLIR's language
server answers with all operations that its `tensor` dialect registers.
"""

import json
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from harness.oracles.mlir_text import cases
from harness.oracles.tools import find_oracle
from xdsl.parser import Parser

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.common.definitions import load_extension

CORPUS = Path(__file__).parents[2] / "filecheck" / "dialects"
LANGUAGE_SERVER = "mlir-lsp-server-22"
DIALECTS = ("bufferization", "cf", "linalg", "memref", "scf", "tensor")

NOT_IN_MLIR: dict[str, str] = {
    "bufferization.to_memref": "until 2024 the name of to_buffer, as which it is read",
}
"""Operations of these dialects that only xDSL or we have, and why they are there."""

OLD_NAMES = {"bufferization.to_memref"}
"""Operations that become others when read: `old_spelling.mlir` of their dialect."""

_MESSAGE = re.compile(r"\s*Content-Length: (\d+)\s*?\n\r?\n")


@cache
def mlir_operations() -> dict[str, set[str]]:
    """The names of all operations that MLIR 22 registers, by dialect."""
    requests = [_message("initialize", {"capabilities": {}}, 0)]
    for number, dialect in enumerate(DIALECTS, start=1):
        text = f"{dialect}."
        document = {"uri": f"test:///{dialect}.mlir"}
        opened = {**document, "languageId": "mlir", "version": 1, "text": text}
        end = {"line": 0, "character": len(text)}
        requests += [
            _message("textDocument/didOpen", {"textDocument": opened}),
            _message(
                "textDocument/completion",
                {"textDocument": document, "position": end},
                number,
            ),
        ]
    requests += [_message("shutdown", {}, len(DIALECTS) + 1), _message("exit", {})]
    result = subprocess.run(
        [find_oracle(LANGUAGE_SERVER), "--log=error"],
        input="".join(requests).encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    answers = _answers(result.stdout.decode())
    return {
        dialect: {
            f"{dialect}.{item['label']}" for item in answers[number]["result"]["items"]
        }
        for number, dialect in enumerate(DIALECTS, start=1)
    }


def _message(method: str, params: dict[str, Any], number: int | None = None) -> str:
    request: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        request["id"] = number
    body = json.dumps(request)
    return f"Content-Length: {len(body)}\r\n\r\n{body}"


def _answers(output: str) -> dict[int, dict[str, Any]]:
    answers: dict[int, dict[str, Any]] = {}
    while header := _MESSAGE.match(output):
        end = header.end() + int(header[1])
        message = json.loads(output[header.end() : end])
        output = output[end:]
        if "id" in message:
            answers[message["id"]] = message
    return answers


@cache
def our_operations() -> dict[str, set[str]]:
    """The names of all operations in our universe, by dialect."""
    ctx = get_context()
    return {
        name: {op_type.name for op_type in ctx.get_dialect(name).operations}
        | {*load_extension(name).operations}
        for name in DIALECTS
    }


@cache
def operations_in_corpus() -> set[str]:
    """The names of all operations in some `ops.mlir`."""
    return {
        op.name
        for file in sorted(CORPUS.glob("*/ops.mlir"))
        for program in cases(file)
        for op in Parser(get_context(), program).parse_module().walk()
    }


@pytest.mark.oracle
def test_the_oracle_answers() -> None:
    counts = {name: len(names) for name, names in mlir_operations().items()}
    assert counts == {
        "bufferization": 7,
        "cf": 4,
        "linalg": 99,
        "memref": 32,
        "scf": 12,
        "tensor": 21,
    }


@pytest.mark.oracle
@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_operation_of_mlir_is_missing(dialect: str) -> None:
    assert sorted(mlir_operations()[dialect] - our_operations()[dialect]) == []


@pytest.mark.oracle
@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_mlir_does_not_have_is_explained(dialect: str) -> None:
    added = our_operations()[dialect] - mlir_operations()[dialect]
    explained = {name for name in NOT_IN_MLIR if name.startswith(f"{dialect}.")}
    assert sorted(added) == sorted(explained)


@pytest.mark.oracle
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_operation_of_mlir_is_in_the_corpus(dialect: str) -> None:
    assert sorted(mlir_operations()[dialect] - operations_in_corpus()) == []


def test_every_operation_of_ours_is_in_the_corpus() -> None:
    everything = {name for names in our_operations().values() for name in names}
    assert sorted(everything - operations_in_corpus() - OLD_NAMES) == []
