"""Graphs of ATen ops as MLIR's text, by torch-mlir.

    translated(graph)    ->    "func.func @main(%arg0: tensor<4xf32>) ..."

torch-mlir imports a graph here, and lowers it in another process, since it ends its
process at some programs. One process serves all graphs. Each op has its name and its
number for a location, so that an error names the op:

    torch-mlir does not translate aten._fft_r2c.default: failed to legalize ...
    torch-mlir crashes at aten.max.default (signal 11)
"""

import atexit
import json
import os
import re
import sys
from collections.abc import Sequence
from io import BytesIO
from operator import getitem
from pathlib import Path
from signal import SIGXCPU
from threading import RLock
from typing import Any, Final

from xdsl_bufferization.support.subprocesses import Helper, HelperEndedError

from .differences import UnsupportedGraphError, name_of, refuse_unknown
from .frameworks import torch, torch_mlir
from .open_views import FLATTEN

ENTRY: Final = "main"
"""The function of a program that is made of a graph."""

_KEPT_WHOLE: Final = ("aten.adaptive_max_pool2d", FLATTEN)
"""Ops that torch-mlir translates whole, and not in parts."""

_PIPELINES: Final = (
    "builtin.module(func.func(torch-match-quantized-custom-ops), "
    "torchdynamo-export-to-torch-backend-pipeline{"
    f"backend-legal-ops={','.join(_KEPT_WHOLE)} extra-library=}})",
    "builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline"
    "{allow-non-finites=true})",
)
"""Those of `torch_mlir.fx`, from the imported graph to linalg on tensors."""

_MOST_NAMES: Final = 5
"""Of ops, where nobody knows which of them is at fault."""


_SECONDS: Final = 30
"""Of processor time that torch-mlir has for a graph."""

_BYTES_OF_A_SECOND: Final = 500
"""A second more for so many bytes of a program. torch-mlir takes a tenth of that."""

_SECONDS_OF_AN_OP: Final = 5

_PLACE: Final = re.compile(r'"([^"]*)":\d+')
"""Of an op in a location, as `_name_places` writes it."""

_DUMP: Final = re.compile(
    r"( that was explicitly marked illegal)?: *[%\"(].*", re.DOTALL
)
"""The op in torch-mlir's form, at the end of its messages."""


def translated(graph: Any) -> str:
    """The text of a graph of ATen ops, which must have a module of its own.

    Raises an `UnsupportedGraphError` that names an op.
    """
    refuse_unknown(graph)
    _name_places(graph)
    try:
        program = _imported(graph)
        return _lowered(program, _SECONDS + len(program) // _BYTES_OF_A_SECOND)
    except _ImportError as error:
        message = f"torch-mlir does not read {_culprit(graph, error)}: {error}"
        raise UnsupportedGraphError(message) from error
    except _LoweringError as error:
        name = error.op or _culprit(graph, error)
        raise UnsupportedGraphError(
            f"torch-mlir does not translate {name}: {error}"
        ) from error
    except HelperEndedError as error:
        message = f"torch-mlir {_ending(error.status, _culprit(graph, error))}"
        raise UnsupportedGraphError(message) from error


class _ImportError(Exception):
    """A graph that torch-mlir does not import."""


class _LoweringError(Exception):
    """A graph that torch-mlir does not lower; the message is torch-mlir's."""

    def __init__(self, message: str, op: str):
        super().__init__(message)
        self.op = op
        """The op at fault; empty where torch-mlir names none."""


def _name_places(graph: Any) -> None:
    """Make each op's name its place, for torch-mlir's messages."""
    for number, node in enumerate(graph.nodes):
        node.meta["stack_trace"] = f'File "{name_of(node)}", line {number},'


def _imported(graph: Any) -> bytes:
    """The bytecode of a graph in torch-mlir's dialect `torch`."""
    context = torch_mlir("ir").Context()
    torch_mlir("dialects.torch").register_dialect(context)
    importer = torch_mlir("extras.fx_importer").FxImporter(context=context)
    try:
        importer.import_stateless_graph(graph, func_name=ENTRY)
    except Exception as error:
        # torch-mlir raises many kinds, some of them plain `Exception`.
        raise _ImportError(f"{type(error).__name__}: {_line(str(error))}") from error
    bytecode = BytesIO()
    importer.module.operation.write_bytecode(bytecode)
    return bytecode.getvalue()


def _lowered(program: bytes, seconds: int) -> str:
    """The text of a program after torch-mlir's pipelines.

    Raises `HelperEndedError` if torch-mlir ends its process, and a `_LoweringError` if
    it says what is wrong.
    """
    request = json.dumps({"pipelines": _PIPELINES, "seconds": seconds}).encode()
    answer = json.loads(_process.ask(request, program))
    if answer["text"] is not None:
        return answer["text"]
    place, message = answer["errors"][0]
    name = _PLACE.search(place)
    raise _LoweringError(_line(_DUMP.sub("", message)), name[1] if name else "")


def _ending(status: int, op: str) -> str:
    if status == -SIGXCPU:
        return f"does not come to an end at {op}"
    how = f"signal {-status}" if status < 0 else f"exit status {status}"
    return f"crashes at {op} ({how})"


def _line(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return lines[0] if lines else "no reason is given"


def _culprit(graph: Any, error: Exception) -> str:
    """The first op that has the same error alone; else the names of some ops."""
    seen: dict[str, None] = {}
    for node in graph.nodes:
        if node.op != "call_function":
            continue
        alone = _graph_of(node)
        if alone is None:
            continue
        seen[name_of(node)] = None
        try:
            _lowered(_imported(alone), _SECONDS_OF_AN_OP)
        except type(error):
            return name_of(node)
        except (_LoweringError, _ImportError, HelperEndedError):
            continue
    names = [*seen]
    more = ", ..." if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def _graph_of(node: Any) -> Any:
    """A graph of one op; None if no tensor comes of it alone."""
    fx = torch().fx
    graph, copies = fx.Graph(), dict[Any, Any]()
    for each in node.all_input_nodes:
        if each.op == "get_attr":
            copies[each] = graph.node_copy(each)
        else:
            copies[each] = graph.placeholder(each.name)
            copies[each].meta = dict(each.meta)
    copy = graph.node_copy(node, copies.__getitem__)
    results = _tensors(graph, copy)
    graph.output(tuple(results))
    return fx.GraphModule(node.graph.owning_module, graph).graph if results else None


def _tensors(graph: Any, node: Any) -> list[Any]:
    """What a graph of one op returns."""
    value: Any = node.meta.get("val")
    if isinstance(value, torch().Tensor):
        return [node]
    results: list[Any] = []
    for number, each in enumerate(value if hasattr(value, "__len__") else ()):
        if isinstance(each, torch().Tensor):
            results.append(graph.call_function(getitem, (node, number)))
            results[-1].meta["val"] = each
    return results


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
