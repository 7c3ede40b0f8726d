"""The signature of a translated program, compared with that of its graph.

    graph: aten.sum.dim_IntList, int64[2]     torch-mlir: tensor<2xi8>      refused
    graph: aten.add.Tensor, float32[s0, 4]    torch-mlir: tensor<?x4xf32>   taken

Nobody but torch-mlir knows how it translates an op. A result of another type or size is
refused, so that PyTorch computes the graph. A size that is open is compared in each
call.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.tensor import CastOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.types import have_compatible_shapes
from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.errors import ProgramError
from xdsl_bufferization.support.traversal import ops_inside

from .differences import UnsupportedGraphError, name_of
from .frameworks import torch, torch_mlir

_NUMBERS: Final = {int: "i64", float: "f64", bool: "i1"}


@dataclass(frozen=True)
class OpenSize:
    """A size that a result must have, which the program leaves open."""

    result: int
    dimension: int
    size: int | None
    """None: the size is that of an input."""

    input_: int = -1
    """The position of the input, which is a tensor or a number."""

    of_input: int = -1
    """The dimension of the tensor; -1: the input is a number."""

    op: str = ""
    """The op that makes the result."""

    def check(self, inputs: Sequence[Any], results: Sequence[Array]) -> None:
        """Raise a `ProgramError` if the result has another size."""
        found = results[self.result].shape[self.dimension]
        if found != (expected := self._expected(inputs)):
            raise ProgramError(
                "",
                self.op,
                f"dimension {self.dimension} has {found} elements in torch-mlir's "
                f"program, and {expected} in PyTorch's graph",
            )

    def _expected(self, inputs: Sequence[Any]) -> int:
        if self.size is not None:
            return self.size
        value = inputs[self.input_]
        return value if self.of_input < 0 else value.shape[self.of_input]


def compare_signatures(module: ModuleOp, graph: Any) -> None:
    """Raise an `UnsupportedGraphError` where a program and its graph differ."""
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    inputs, outputs = _signature(graph)
    types = function.function_type
    _compare([*types.inputs.data], inputs, "takes")
    _compare([*types.outputs.data], outputs, "returns")
    _compare_casts(module)


def _compare_casts(module: ModuleOp) -> None:
    """Raise an error where a tensor has one size, and is taken to have another one.

    torch-mlir computes the size of `arange(3.1, dtype=int32)` in integers. PyTorch does
    it in floats.
    """
    for op in ops_inside(module):
        if not isinstance(op, CastOp):
            continue
        source = op.source
        while isinstance(source.owner, CastOp):
            source = source.owner.source
        if not have_compatible_shapes(source.type, op.dest.type):
            raise UnsupportedGraphError(
                f"torch-mlir's program takes {source.type} to be {op.dest.type}"
            )


def open_sizes(
    module: ModuleOp, graph: Any, positions: Sequence[int]
) -> Iterator[OpenSize]:
    """The sizes to compare in each call; `positions` are those of the inputs."""
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    inputs, outputs = _signature(graph)
    known = dict(_known_sizes(inputs, positions))
    for result, type_ in enumerate(function.function_type.outputs.data):
        if not isa(type_, TensorType):
            continue
        node = outputs[result]
        for dimension, found in enumerate(type_.get_shape()):
            if found != DYNAMIC_INDEX:
                continue
            size = node.meta["val"].shape[dimension]
            if isinstance(size, int):
                yield OpenSize(result, dimension, size, op=name_of(node))
            elif (place := known.get(str(size))) is not None:
                yield OpenSize(result, dimension, None, *place, op=name_of(node))


def _known_sizes(
    inputs: Sequence[Any], positions: Sequence[int]
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Where the open sizes of inputs are found, by their names in PyTorch."""
    for node, position in zip(inputs, positions, strict=True):
        value = node.meta["val"]
        if not isinstance(value, torch().Tensor):
            yield str(value), (position, -1)
            continue
        for dimension, size in enumerate(value.shape):
            yield str(size), (position, dimension)


def _signature(graph: Any) -> tuple[list[Any], list[Any]]:
    inputs = [node for node in graph.nodes if node.op == "placeholder"]
    (output,) = (node for node in graph.nodes if node.op == "output")
    return inputs, [*output.args[0]]


def _compare(types: Sequence[Attribute], nodes: Sequence[Any], verb: str) -> None:
    if len(types) != len(nodes):
        raise UnsupportedGraphError(
            f"torch-mlir's program {verb} {len(types)} values, and the graph "
            f"{verb} {len(nodes)}"
        )
    for type_, node in zip(types, nodes, strict=True):
        if not _fits(type_, node.meta["val"]):
            raise UnsupportedGraphError(
                f"torch-mlir's program {verb} {type_} for {name_of(node)}, and the "
                f"graph {verb} {_text(node.meta['val'])}"
            )


def _fits(type_: Attribute, value: Any) -> bool:
    if not isinstance(value, torch().Tensor):
        return str(type_) == _number_type(value)
    if not isa(type_, TensorType) or str(type_.element_type) != _element_type(value):
        return False
    sizes = type_.get_shape()
    return len(sizes) == value.dim() and all(
        one == DYNAMIC_INDEX or (isinstance(other, int) and one == other)
        for one, other in zip(sizes, value.shape, strict=True)
    )


def _number_type(value: Any) -> str | None:
    if isinstance(value, int | float):
        return _NUMBERS.get(type(value))
    return _NUMBERS.get(value.node.pytype) if hasattr(value, "node") else None


def _element_type(value: Any) -> str | None:
    """MLIR's type of elements; the integers of compiled code have no sign."""
    table = torch_mlir("extras.fx_importer").TORCH_DTYPE_TO_MLIR_TYPE_ASM
    text = table.get(value.dtype)
    return text if text is None else text.removeprefix("s").removeprefix("u")


def _text(value: Any) -> str:
    if not isinstance(value, torch().Tensor):
        return f"a number of {_number_type(value)}"
    sizes = "x".join(str(size) for size in value.shape)
    return f"{value.dtype} of the sizes {sizes or '()'}"
