"""Graphs of PyTorch as programs on tensors.

    def forward(self, weight, x):
        t = torch.ops.aten.permute(weight, [1, 0])      func.func @main(%weight, %x) {
        y = torch.ops.aten.mm(x, t)               ->      ...
        return (y, x, None)                               return %y

torch-mlir translates the ops. What no program needs stays outside: inputs that nobody
uses, and outputs that are an input, a number or nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.just_in_time.pytorch.differences import (
    UnsupportedGraphError,
    count_from_zero,
    refuse_differences,
)
from xdsl_bufferization.just_in_time.pytorch.frameworks import (
    Module,
    importer_with_errors,
    torch,
    torch_mlir_fx,
)
from xdsl_bufferization.just_in_time.pytorch.open_views import (
    FLATTEN,
    flatten_open_views,
)
from xdsl_bufferization.just_in_time.reading import parse

ENTRY: Final = "main"
"""The function of a program that is made of a graph."""

_KEPT_WHOLE: Final = ("aten.adaptive_max_pool2d", FLATTEN)
"""Ops that torch-mlir translates whole, and not in parts."""


@dataclass(frozen=True)
class Computed:
    """An output that the program computes: which result, and of which type."""

    result: int
    dtype: object
    """The `torch.dtype`; None: a number of Python."""


@dataclass(frozen=True)
class PassedOn:
    """An output that is an input of the graph."""

    position: int


@dataclass(frozen=True)
class Fixed:
    """An output that is known: nothing, or a number."""

    value: object


Output = Computed | PassedOn | Fixed


@dataclass(frozen=True)
class TensorProgram:
    """A graph as a program on tensors."""

    module: ModuleOp | None
    """None: there is nothing to compute."""

    inputs: tuple[int, ...]
    """The inputs of the graph that the program takes, by position."""

    outputs: tuple[Output, ...]
    is_tuple: bool
    """Whether the graph returns a tuple, and not one value."""

    is_dynamic: bool
    """Whether a size is left open."""

    scatters: bool
    """Whether elements are written to places that are computed."""

    @property
    def needs_checks(self) -> bool:
        """Whether unchecked code could write outside of its buffers.

        torch-mlir writes open sizes that contradict each other, and places of writes
        that nobody compares with the size.
        """
        return self.is_dynamic or self.scatters


def program_of(
    graph_module: Module, *, accepts_differences: bool = False
) -> TensorProgram:
    """The program that a graph of ATen ops means.

    `accepts_differences`: also where torch-mlir is known to translate something else:
    random numbers are others than those of PyTorch, and integers without a sign may be
    taken to have one. Raises `UnsupportedGraphError`, and what parsing raises.
    """
    copy = _copy(graph_module)
    graph: Any = copy.graph
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    positions = {node: number for number, node in enumerate(placeholders)}
    outputs, is_tuple = _split_outputs(graph, positions)
    flatten_open_views(graph)
    graph.eliminate_dead_code()
    if not accepts_differences:
        refuse_differences(graph)
    count_from_zero(graph)
    inputs = tuple(_drop_unused(graph, placeholders))
    is_dynamic = any(map(_is_dynamic, graph.nodes))
    if not any(isinstance(output, Computed) for output in outputs):
        return TensorProgram(None, (), outputs, is_tuple, is_dynamic, False)
    text = _translated(copy)
    return TensorProgram(
        parse(text), inputs, outputs, is_tuple, is_dynamic, "tm_tensor.scatter" in text
    )


def _copy(graph_module: Any) -> Any:
    """A copy of a graph that shares its constants."""
    fx = torch().fx
    graph = fx.Graph()
    returned = graph.graph_copy(graph_module.graph, {}, return_output_node=True)
    value, old = returned
    output = graph.output(value)
    output.meta = dict(old.meta)
    return fx.GraphModule(graph_module, graph)


def _split_outputs(
    graph: Any, positions: Mapping[object, int]
) -> tuple[tuple[Output, ...], bool]:
    """What each output is; the graph is left with those that are computed."""
    (output,) = (node for node in graph.nodes if node.op == "output")
    is_tuple = isinstance(output.args[0], list | tuple)
    returned: list[Any] = list(output.args[0]) if is_tuple else [output.args[0]]
    computed: dict[Any, int] = {}
    outputs: list[Output] = []
    for value in returned:
        if not isinstance(value, torch().fx.Node):
            outputs.append(Fixed(value))
        elif value in positions:
            outputs.append(PassedOn(positions[value]))
        else:
            result = computed.setdefault(value, len(computed))
            outputs.append(Computed(result, getattr(value.meta["val"], "dtype", None)))
    output.args = (tuple(computed),)
    return tuple(outputs), is_tuple


def _drop_unused(graph: Any, placeholders: Sequence[Any]) -> Iterator[int]:
    for position, node in enumerate(placeholders):
        if node.users:
            yield position
        else:
            graph.erase_node(node)


def _is_dynamic(node: Any) -> bool:
    value = node.meta.get("val")
    if isinstance(value, torch().SymInt):
        return True
    sizes = value.shape if isinstance(value, torch().Tensor) else ()
    return any(isinstance(size, torch().SymInt) for size in sizes)


def _translated(graph_module: Any) -> str:
    """MLIR's text of a graph, as torch-mlir writes it."""
    importer, errors = importer_with_errors()
    try:
        return str(
            torch_mlir_fx().stateless_fx_import(
                graph_module,
                output_type="linalg-on-tensors",
                fx_importer=importer,
                model_name=ENTRY,
                backend_legal_ops=list(_KEPT_WHOLE),
            )
        )
    except ImportError:
        raise
    except Exception as error:
        # torch-mlir raises many kinds, some of them plain `Exception`.
        reason = errors[0] if errors else _first_line(str(error))
        message = f"torch-mlir does not translate it: {reason}"
        raise UnsupportedGraphError(message) from error


def _first_line(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return lines[0] if lines else "no reason is given"
