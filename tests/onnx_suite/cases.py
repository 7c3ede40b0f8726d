"""ONNX's own tests as cases: of each op, and of models that need no network.

cases_of("node")    what `onnx.backend.test` has for the ops, with inputs and outputs
"""

# ONNX is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator", "light")
"""`node` is made by code; the others are files beside it."""

_DATA = Path(str(onnx.__file__)).parent / "backend" / "test" / "data"


@dataclass(frozen=True)
class Case:
    """A model, and what it makes of some inputs."""

    kind: str
    name: str
    model: Any
    data: Sequence[tuple[Sequence[Any], Sequence[Any]]]
    """Inputs and outputs of some calls."""

    rtol: float
    atol: float

    @property
    def op(self) -> str:
        """The op that the case is counted for."""
        if self.kind == "random":
            return self.model.graph.node[-1].op_type
        if self.kind != "node":
            return self.kind
        name = self.name.removeprefix("test_")
        nodes = [each.op_type for each in self.model.graph.node]
        return nodes[0] if "_expanded" not in name else "bodies of functions"


def cases_of(kind: str) -> Iterator[Case]:
    """The cases of a kind, by name."""
    found = _of_nodes() if kind == "node" else _of_files(kind)
    yield from sorted(found, key=lambda case: case.name)


def _of_nodes() -> Iterator[Case]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # Each one computes what it expects, of numbers that are no case of its own.
        tests = collect_testcases(None)
    for test in tests:
        data = [(_plain(inputs), _plain(outputs)) for inputs, outputs in test.data_sets]
        yield Case("node", test.name, test.model, data, test.rtol, test.atol)


def _plain(values: Sequence[Any]) -> list[Any]:
    """Arrays, also of what a test has as a `TensorProto`."""
    return [
        numpy_helper.to_array(each) if isinstance(each, onnx.TensorProto) else each
        for each in values
    ]


def _of_files(kind: str) -> Iterator[Case]:
    if kind == "light":
        for file in (_DATA / kind).glob("*.onnx"):
            model = onnx.load(file)
            output = file.with_name(f"{file.stem}_output_0.pb")
            weights = {each.name for each in model.graph.initializer}
            inputs = [_counted(v) for v in model.graph.input if v.name not in weights]
            yield Case(kind, file.stem, model, [(inputs, [_array(output)])], 1e-3, 1e-7)
        return
    for folder in (_DATA / kind).iterdir():
        model = onnx.load(folder / "model.onnx")
        weights = {each.name for each in model.graph.initializer}
        given = [each for each in model.graph.input if each.name not in weights]
        data = []
        for each in sorted(folder.glob("test_data_set_*")):
            inputs = [_value(each, "input", n, v) for n, v in enumerate(given)]
            outputs = [
                _value(each, "output", n, v) for n, v in enumerate(model.graph.output)
            ]
            data.append((inputs, outputs))
        yield Case(kind, folder.name, model, data, 1e-3, 1e-7)


def _counted(value: Any) -> np.ndarray:
    """The numbers that ONNX's runner gives a light model: 0, 1, 2, ..., to 1."""
    shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
    size = int(np.prod(shape))
    return (np.arange(size) / size).reshape(shape).astype(np.float32)


def _value(folder: Path, kind: str, number: int, value: Any) -> Any:
    file = folder / f"{kind}_{number}.pb"
    if value.type.WhichOneof("value") != "tensor_type":
        return None
    return _array(file)


def _array(file: Path) -> np.ndarray:
    tensor = onnx.TensorProto()
    tensor.ParseFromString(file.read_bytes())
    return numpy_helper.to_array(tensor)
