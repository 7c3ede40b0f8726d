"""Programs of torch-mlir's dialect `torch` as MLIR's text, on tensors.

    lowered(bytecode, PIPELINES)    ->    "func.func @main(%arg0: tensor<4xf32>) ..."

torch-mlir ends its process at some programs. So it runs in another one, which serves
all programs: those of PyTorch and those of ONNX.
"""

import atexit
import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from signal import SIGXCPU
from threading import RLock
from typing import Final

from xdsl_bufferization.support.subprocesses import Helper, HelperEndedError

__all__ = [
    "BACKEND_TO_LINALG",
    "ENTRY",
    "HelperEndedError",
    "LoweringError",
    "divides",
    "ending",
    "first_line",
    "lowered",
    "scatters",
    "start_process",
]

ENTRY: Final = "main"
"""The function of a program that is made of a graph."""

BACKEND_TO_LINALG: Final = (
    "builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline"
    "{allow-non-finites=true})"
)
"""torch-mlir's pipeline from its backend contract to linalg on tensors."""

_SECONDS: Final = 30
"""Of processor time that torch-mlir has for a program."""

_BYTES_OF_A_SECOND: Final = 500
"""A second more for so many bytes of a program. torch-mlir takes a tenth of that."""

_DUMP: Final = re.compile(
    r"( that was explicitly marked illegal)?: *[%\"(].*", re.DOTALL
)
"""The op in torch-mlir's form, at the end of its messages."""

_DIVISIONS: Final = (
    "arith.divsi",
    "arith.remsi",
    "arith.floordivsi",
    "arith.ceildivsi",
)


class LoweringError(Exception):
    """A program that torch-mlir does not lower; the message is torch-mlir's."""

    def __init__(self, message: str, place: str):
        super().__init__(message)
        self.place = place
        """torch-mlir's location of the op at fault."""


def lowered(
    program: bytes, pipelines: Sequence[str], seconds: int | None = None
) -> str:
    """The text of a program, given as bytecode, after some pipelines.

    `seconds` of processor time are the most; None: by the size of the program. Raises
    `HelperEndedError` if torch-mlir ends its process, and a `LoweringError` if it says
    what is wrong.
    """
    if seconds is None:
        seconds = _SECONDS + len(program) // _BYTES_OF_A_SECOND
    request = json.dumps({"pipelines": pipelines, "seconds": seconds}).encode()
    answer = json.loads(_process.ask(request, program))
    if answer["text"] is not None:
        return answer["text"]
    place, message = answer["errors"][0]
    raise LoweringError(first_line(_DUMP.sub("", message)), place)


def ending(status: int, op: str) -> str:
    """What happened at an op where torch-mlir ended its process."""
    if status == -SIGXCPU:
        return f"does not come to an end at {op}"
    how = f"signal {-status}" if status < 0 else f"exit status {status}"
    return f"crashes at {op} ({how})"


def first_line(message: str) -> str:
    """The first line that says something."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return lines[0] if lines else "no reason is given"


def scatters(text: str) -> bool:
    """Whether elements are written to places that are computed, and not compared."""
    return "tm_tensor.scatter" in text


def divides(text: str) -> bool:
    """Whether integers are divided: by 0, the processor ends the process."""
    return any(op in text for op in _DIVISIONS)


class _Process:
    """The process that lowers programs. It is started when it is first needed."""

    def __init__(self) -> None:
        self._helper: Helper | None = None
        self._lock = RLock()

    def start(self) -> None:
        """Start the process if there is none."""
        with self._lock:
            if self._helper is None:
                self._helper = Helper(_command(), _environment())

    def ask(self, *parts: bytes) -> bytes:
        """An answer; raises `HelperEndedError` where torch-mlir ends the process."""
        with self._lock:
            try:
                return self._ask(parts)
            except HelperEndedError as error:
                if error.status:
                    raise
            # It had no request for a while, and ended.
            return self._ask(parts)

    def _ask(self, parts: Sequence[bytes]) -> bytes:
        self.start()
        assert self._helper is not None
        helper, self._helper = self._helper, None
        try:
            answer = helper.ask(*parts)
        except HelperEndedError:
            helper.end()
            raise
        self._helper = helper
        return answer

    def end(self) -> None:
        """End the process, at the end of this one."""
        helper, self._helper = self._helper, None
        if helper is not None:
            helper.end()

    def forget(self) -> None:
        """Leave the process to the one that started it, after a fork."""
        self._lock = RLock()
        if self._helper is not None:
            self._helper.leave()
            self._left = self._helper
            self._helper = None


def _command() -> list[str | Path]:
    return [sys.executable, "-P", Path(__file__).with_name("lowering_process.py")]


def _environment() -> dict[str, str]:
    """That of this process; modules are found where this process finds them."""
    paths = os.pathsep.join(path for path in sys.path if path)
    return {**os.environ, "PYTHONPATH": paths}


_process: Final = _Process()
atexit.register(_process.end)
os.register_at_fork(after_in_child=_process.forget)

start_process: Final = _process.start
"""Start the process before it is needed, as it takes a quarter of a second."""
