"""Graphs of ATen ops as MLIR's text, by torch-mlir.

    translated(graph)    ->    "func.func @main(%arg0: tensor<4xf32>) ..."

torch-mlir imports a graph here, and lowers it in another process. Each op has its name
and its number for a location, so that an error names the op:

    torch-mlir does not translate aten._fft_r2c.default: failed to legalize ...
    torch-mlir crashes at aten.max.default (signal 11)
"""

import re
from collections.abc import Callable
from io import BytesIO
from operator import getitem
from typing import Any, Final

from .differences import UnsupportedGraphError, name_of, refuse_unknown
from .frameworks import real_tensors, torch, torch_mlir
from .lowering import (
    BACKEND_TO_LINALG,
    ENTRY,
    HelperEndedError,
    LoweringError,
    ending,
    first_line,
    lowered,
)
from .open_views import FLATTEN

_KEPT_WHOLE: Final = ("aten.adaptive_max_pool2d", FLATTEN)
"""Ops that torch-mlir translates whole, and not in parts."""

_PIPELINES: Final = (
    "builtin.module(func.func(torch-match-quantized-custom-ops), "
    "torchdynamo-export-to-torch-backend-pipeline{"
    f"backend-legal-ops={','.join(_KEPT_WHOLE)} extra-library=}})",
    BACKEND_TO_LINALG,
)
"""Those of `torch_mlir.fx`, from the imported graph to linalg on tensors."""

_MOST_NAMES: Final = 5
"""Of ops, where nobody knows which of them is at fault."""


_SECONDS_OF_AN_OP: Final = 5

_PLACE: Final = re.compile(r'"([^"]*)":\d+')
"""Of an op in a location, as `_name_places` writes it."""


def translated(graph: Any) -> str:
    """The text of a graph of ATen ops, which must have a module of its own.

    Raises an `UnsupportedGraphError` that names an op.
    """
    refuse_unknown(graph)
    _name_places(graph)
    try:
        return lowered(_imported(graph), _PIPELINES)
    except _ImportError as error:
        message = f"torch-mlir does not read {_culprit(graph, error)}: {error}"
        raise UnsupportedGraphError(message) from error
    except LoweringError as error:
        name = _op_of(error) or _culprit(graph, error)
        raise UnsupportedGraphError(
            f"torch-mlir does not translate {name}: {error}"
        ) from error
    except HelperEndedError as error:
        message = f"torch-mlir {ending(error.status, _culprit(graph, error))}"
        raise UnsupportedGraphError(message) from error


class _ImportError(Exception):
    """A graph that torch-mlir does not import."""


def _name_places(graph: Any) -> None:
    """Make each op's name its place, for torch-mlir's messages."""
    for number, node in enumerate(graph.nodes):
        node.meta["stack_trace"] = f'File "{name_of(node)}", line {number},'


def _imported(graph: Any) -> bytes:
    """The bytecode of a graph in torch-mlir's dialect `torch`."""
    context = torch_mlir("ir").Context()
    torch_mlir("dialects.torch").register_dialect(context)
    fx_importer = torch_mlir("extras.fx_importer")
    literals = _Literals(fx_importer.RefMapping)
    importer = fx_importer.FxImporter(context=context, py_attr_tracker=literals)
    try:
        with real_tensors():  # Constants are read.
            importer.import_stateless_graph(graph, func_name=ENTRY)
    except Exception as error:
        # torch-mlir raises many kinds, some of them plain `Exception`.
        raise _ImportError(
            f"{type(error).__name__}: {first_line(str(error))}"
        ) from error
    bytecode = BytesIO()
    importer.module.operation.write_bytecode(bytecode)
    return bytecode.getvalue()


class _Literals:
    """What torch-mlir made of which tensor, for constants with several uses.

    torch-mlir's own class knows a tensor by its `id` alone. It makes a new tensor of
    each constant of booleans, which is gone at once. The next constant may then have
    the same `id`, and got the numbers of the one before. So tensors are kept here.
    """

    def __init__(self, mapping_of: Callable[[Any], Any]):
        self._mapping_of = mapping_of
        self._known: dict[int, tuple[Any, Any]] = {}

    def track(self, tensor: Any) -> Any:
        """The mapping of a tensor, which torch-mlir fills and reads."""
        if id(tensor) not in self._known:
            self._known[id(tensor)] = tensor, self._mapping_of(tensor)
        return self._known[id(tensor)][1]


def _op_of(error: LoweringError) -> str:
    """The op at fault; empty where torch-mlir names none."""
    name = _PLACE.search(error.place)
    return name[1] if name else ""


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
            lowered(_imported(alone), _PIPELINES, _SECONDS_OF_AN_OP)
        except type(error):
            return name_of(node)
        except (LoweringError, _ImportError, HelperEndedError):
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
