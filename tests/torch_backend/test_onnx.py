"""Models of ONNX by `xbuf.jit` and `xbuf run`."""

# PyTorch and ONNX are not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator
from torch import nn

from xdsl_bufferization import jit
from xdsl_bufferization.frontends.onnx import refusals
from xdsl_bufferization.frontends.onnx.errors import UnsupportedModelError
from xdsl_bufferization.runtime.errors import ArgumentError, ProgramError
from xdsl_bufferization.tools.xbuf import main

FLOAT, INT64, UINT8 = TensorProto.FLOAT, TensorProto.INT64, TensorProto.UINT8


def model(
    nodes: list[Any], inputs: dict[str, Any], outputs: dict[str, Any], opset: int = 21
) -> onnx.ModelProto:
    def values(types: dict[str, Any]) -> list[Any]:
        return [helper.make_tensor_value_info(n, *each) for n, each in types.items()]

    graph = helper.make_graph(nodes, "g", values(inputs), values(outputs))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


def outputs_of(native: Any, *arrays: np.ndarray) -> tuple[Any, ...]:
    """The outputs of a call, also if there is one."""
    results = native(*arrays)
    return results if isinstance(results, tuple) else (results,)


def check(proto: onnx.ModelProto, *arrays: np.ndarray) -> None:
    names = [each.name for each in proto.graph.input]
    expected = ReferenceEvaluator(proto).run(
        None, dict(zip(names, arrays, strict=True))
    )
    for result, wanted in zip(outputs_of(jit(proto), *arrays), expected, strict=True):
        assert result.dtype == wanted.dtype
        np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-6)


# Real networks.


class Residual(nn.Module):
    def __init__(self, inner: int, outer: int, stride: int):
        super().__init__()
        self.first = nn.Conv2d(inner, outer, 3, stride, 1, bias=False)
        self.second = nn.Conv2d(outer, outer, 3, 1, 1, bias=False)
        self.norms = nn.ModuleList([nn.BatchNorm2d(outer) for _ in range(2)])
        self.short = nn.Conv2d(inner, outer, 1, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.norms[0](self.first(x)))
        return torch.relu(self.short(x) + self.norms[1](self.second(y)))


def residual_network() -> tuple[nn.Module, torch.Tensor]:
    stem = nn.Conv2d(3, 32, 7, 2, 3), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(3, 2)
    body = Residual(32, 64, 1), Residual(64, 96, 2)
    head = nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(96, 10)
    return nn.Sequential(*stem, *body, *head), torch.randn(2, 3, 32, 32)


def encoder() -> tuple[nn.Module, torch.Tensor]:
    layer = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True, activation="gelu")
    layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
    network = nn.Sequential(nn.Embedding(100, 64), layers, nn.Linear(64, 100))
    return network, torch.randint(0, 100, (2, 12))


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(16, 32, 2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(64, 5)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y, (hidden, _) = self.lstm(x)
        return self.head(y[:, -1]), hidden


def recurrent() -> tuple[nn.Module, torch.Tensor]:
    return Recurrent(), torch.randn(3, 7, 16)


@pytest.mark.parametrize("make", [residual_network, encoder, recurrent])
def test_exported_networks_compute_what_onnx_runtime_computes(
    make: Any, tmp_path: Path
) -> None:
    torch.manual_seed(0)
    network, x = make()
    file = str(tmp_path / "network.onnx")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(network.eval(), (x,), file, dynamo=True, verbose=False)
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    native = jit(file)
    for array in (x.numpy(), np.roll(x.numpy(), 1, axis=1)):
        expected = session.run(None, {session.get_inputs()[0].name: array})
        for result, wanted in zip(outputs_of(native, array), expected, strict=True):
            np.testing.assert_allclose(result, wanted, rtol=1e-4, atol=1e-5)


# Sizes and arguments.


def doubled() -> onnx.ModelProto:
    nodes = [helper.make_node("Add", ["x", "x"], ["y"])]
    return model(nodes, {"x": (FLOAT, ["n", 2])}, {"y": (FLOAT, ["n", 2])})


def test_code_is_compiled_for_the_sizes_of_each_call() -> None:
    native = jit(doubled())
    for size in (3, 5, 3):
        x = np.ones((size, 2), np.float32)
        np.testing.assert_array_equal(native(x), x + x)


def test_numbers_that_say_sizes_are_those_of_the_call() -> None:
    nodes = [helper.make_node("Reshape", ["x", "shape"], ["y"])]
    inputs = {"x": (FLOAT, [6]), "shape": (INT64, [2])}
    native = jit(model(nodes, inputs, {"y": (FLOAT, [None, None])}))
    x = np.arange(6, dtype=np.float32)
    for shape in ((2, 3), (3, 2), (6, 1)):
        assert native(x, np.array(shape)).shape == shape
        assert native(shape=np.array(shape), x=x).shape == shape


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([np.ones((3, 2))], "argument 0 (%x): expected float32[n, 2], got float64"),
        ([np.ones((3, 4), np.float32)], "expected float32[n, 2] where n = 3, got"),
        ([], "0 arguments are given; the model takes x"),
    ],
)
def test_an_argument_that_does_not_fit_is_named(arguments: Any, message: str) -> None:
    with pytest.raises(ArgumentError) as error:
        jit(doubled())(*arguments)
    assert message in str(error.value)


def test_several_outputs_are_called_as_in_the_model() -> None:
    nodes = [
        helper.make_node("Neg", ["x"], ["less"]),
        helper.make_node("Exp", ["x"], ["more"]),
    ]
    outputs = {"less": (FLOAT, [2]), "more": (FLOAT, [2])}
    results = jit(model(nodes, {"x": (FLOAT, [2])}, outputs))(np.zeros(2, np.float32))
    assert results.less.tolist() == [0, 0]
    assert results.more.tolist() == [1, 1]


# What is refused, by its name.


def test_an_op_of_another_domain_is_refused() -> None:
    node = helper.make_node("Relu", ["x"], ["y"], name="mine", domain="my.domain")
    proto = model([node], {"x": (FLOAT, [2])}, {"y": (FLOAT, [2])})
    proto.opset_import.append(helper.make_opsetid("my.domain", 1))
    with pytest.raises(UnsupportedModelError, match=r"my.domain.Relu \(node 'mine'\)"):
        jit(proto)


def test_a_crash_of_torch_mlir_is_a_message() -> None:
    node = helper.make_node("Einsum", ["x", "x"], ["y"], equation=",->", name="dot")
    native = jit(model([node], {"x": (FLOAT, [])}, {"y": (FLOAT, [])}))
    with pytest.raises(
        UnsupportedModelError, match=r"crashes at Einsum \(node 'dot'\)"
    ):
        native(np.float32(2))


def test_what_is_no_model_is_said(tmp_path: Path) -> None:
    file = tmp_path / "junk.onnx"
    file.write_bytes(b"junk")
    with pytest.raises(UnsupportedModelError, match="this is no model of ONNX: "):
        jit(file)


def test_entry_and_donate_are_for_programs() -> None:
    with pytest.raises(TypeError, match="not for ONNX's models"):
        jit("model.onnx", donate="x")


@pytest.mark.parametrize("batch_dims", [0, 1])
def test_a_negative_index_of_gather_nd_counts_from_the_end(batch_dims: int) -> None:
    op = helper.make_node("GatherND", ["x", "i"], ["y"], batch_dims=batch_dims)
    inputs = {"x": (FLOAT, [2, 5, 3]), "i": (INT64, [2, 4, 2])}
    sizes = [2, 4] if batch_dims else [2, 4, 3]
    x = np.random.default_rng(0).standard_normal((2, 5, 3), np.float32)
    bounds = [5, 3] if batch_dims else [2, 5]
    last, middle = np.array(bounds) - 1, np.array([1, 2])
    places = np.stack([last, -last - 1, middle, -middle])
    check(model([op], inputs, {"y": (FLOAT, sizes)}), x, np.stack([places] * 2))


@pytest.mark.parametrize("reduction", ["none", "add", "max"])
def test_a_negative_index_of_scatter_nd_counts_from_the_end(reduction: str) -> None:
    op = helper.make_node("ScatterND", ["x", "i", "u"], ["y"], reduction=reduction)
    whole = FLOAT, [4, 5, 3]
    inputs = {"x": whole, "i": (INT64, [3, 2]), "u": (FLOAT, [3, 3])}
    rng = np.random.default_rng(0)
    x = rng.standard_normal((4, 5, 3), np.float32)
    places = np.array([[-1, 0], [-4, -5], [2, -1]])
    update = rng.standard_normal((3, 3), np.float32)
    check(model([op], inputs, {"y": whole}), x, places, update)


@pytest.mark.parametrize("op", ["GatherND", "ScatterND"])
def test_an_index_before_the_first_element_is_an_error(op: str) -> None:
    names = ["x", "i", "u"] if op == "ScatterND" else ["x", "i"]
    whole, part = (FLOAT, [3]), (FLOAT, [2])
    inputs = {"x": whole, "i": (INT64, [2, 1]), "u": part}
    inputs = {name: inputs[name] for name in names}
    native = jit(
        model(
            [helper.make_node(op, names, ["y"])],
            inputs,
            {"y": whole if op == "ScatterND" else part},
        )
    )
    x, update = np.arange(3, dtype=np.float32), np.ones(2, np.float32)
    rest = [update] if op == "ScatterND" else []
    native(x, np.array([[0], [-3]]), *rest)
    for index in (-4, 3):
        with pytest.raises(ProgramError):
            native(x, np.array([[0], [index]]), *rest)


@pytest.mark.parametrize("index", [3, -4, 10**9])
@pytest.mark.parametrize("op", ["Gather", "GatherElements"])
def test_a_place_outside_of_a_tensor_is_an_error(op: str, index: int) -> None:
    nodes = [helper.make_node(op, ["x", "i"], ["y"])]
    inputs = {"x": (FLOAT, [3]), "i": (INT64, [2])}
    native = jit(model(nodes, inputs, {"y": (FLOAT, [2])}))
    x = np.arange(3, dtype=np.float32)
    assert native(x, np.array([2, -1])).tolist() == [2, 2]
    with pytest.raises(ProgramError):
        native(x, np.array([0, index]))


def test_a_division_of_integers_by_0_is_an_error() -> None:
    numbers = (INT64, [2])
    nodes = [helper.make_node("Div", ["x", "y"], ["z"])]
    native = jit(model(nodes, {"x": numbers, "y": numbers}, {"z": numbers}))
    with pytest.raises(ProgramError, match="division by zero"):
        native(np.array([1, 2]), np.array([1, 0]))


# Where torch-mlir computes other numbers. The others are in ONNX's own tests.


LARGE = np.array([[[[95, 130], [194, 217]]]], np.uint8)
SMALL = np.array([[[[59, 81], [222, 44]]]], np.uint8)
BYTES = (UINT8, [1, 1, 2, 2])


@pytest.mark.parametrize("op", ["Div", "Mod"])
def test_bytes_from_128_have_no_sign(op: str) -> None:
    nodes = [helper.make_node(op, ["x", "y"], ["z"])]
    check(model(nodes, {"x": BYTES, "y": BYTES}, {"z": BYTES}), LARGE, SMALL)


def test_the_largest_of_bytes_has_no_sign() -> None:
    nodes = [helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2])]
    native = jit(model(nodes, {"x": BYTES}, {"y": (UINT8, [1, 1, 1, 1])}))
    assert native(LARGE).item() == 217


def test_a_byte_is_its_magnitude() -> None:
    nodes = [helper.make_node("Abs", ["x"], ["y"])]
    check(model(nodes, {"x": BYTES}, {"y": BYTES}), LARGE)


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
@pytest.mark.parametrize("to", [TensorProto.INT8, UINT8, TensorProto.INT32, INT64])
def test_numbers_become_integers(to: int) -> None:
    """Some are above 127, and some do not fit."""
    nodes = [helper.make_node("Cast", ["x"], ["y"], to=to)]
    numbers = [0, 127, 128.5, 255, -129, 300, 2**31, -3e9, 2**63, np.inf, np.nan]
    x = np.array(numbers, np.float32)
    check(model(nodes, {"x": (FLOAT, [11])}, {"y": (to, [11])}), x)


@pytest.mark.parametrize("op", ["Div", "Mod"])
def test_words_without_a_sign_are_refused(op: str) -> None:
    words = (TensorProto.UINT32, [2])
    nodes = [helper.make_node(op, ["x", "y"], ["z"])]
    native = jit(model(nodes, {"x": words, "y": words}, {"z": words}))
    x = np.array([1, 2], np.uint32)
    with pytest.raises(UnsupportedModelError, match=f"{op} has numbers without a sign"):
        native(x, x)


def test_torch_mlir_takes_words_to_have_a_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """So long as this holds, the refusal is needed."""
    monkeypatch.setattr(refusals, "_REASONS", {})
    words = (TensorProto.UINT32, [1])
    nodes = [helper.make_node("Div", ["x", "y"], ["z"])]
    native = jit(model(nodes, {"x": words, "y": words}, {"z": words}))
    x, y = np.array([3758767034], np.uint32), np.array([208505583], np.uint32)
    assert native(x, y) != x // y


# What is no number, borders, and places.

EXTREME = np.array([np.nan, np.inf, -np.inf, 0, -0.0, 2.5, -2.5], np.float32)


@pytest.mark.parametrize("op", ["Sign", "Reciprocal", "Clip"])
def test_extreme_numbers(op: str) -> None:
    bounds = ["low", "high"] if op == "Clip" else []
    proto = model(
        [helper.make_node(op, ["x", *bounds], ["y"])],
        {"x": (FLOAT, [7])},
        {"y": (FLOAT, [7])},
    )
    for name, value in zip(bounds, (-1, 1), strict=False):
        proto.graph.initializer.append(helper.make_tensor(name, FLOAT, [], [value]))
    with np.errstate(all="ignore"):
        check(proto, EXTREME)


def test_a_value_is_equal_to_itself_unless_it_is_no_number() -> None:
    nodes = [
        helper.make_node("Identity", ["x"], ["same"]),
        helper.make_node("Equal", ["x", "same"], ["y"]),
    ]
    bools = (TensorProto.BOOL, [7])
    check(model(nodes, {"x": (FLOAT, [7])}, {"y": bools}), EXTREME)


@pytest.mark.parametrize("op", ["LeakyRelu", "Elu", "Selu"])
def test_a_factor_that_is_no_finite_number_is_refused(op: str) -> None:
    nodes = [helper.make_node(op, ["x"], ["y"], alpha=np.inf)]
    native = jit(model(nodes, {"x": (FLOAT, [7])}, {"y": (FLOAT, [7])}))
    with pytest.raises(UnsupportedModelError, match=f"{op} has a factor alpha"):
        native(EXTREME)


@pytest.mark.parametrize(
    "window",
    [
        {"strides": [2, 2], "ceil_mode": 1},
        {"strides": [2, 2], "ceil_mode": 1, "pads": [1, 0, 1, 0]},
        {"strides": [4, 4], "ceil_mode": 1, "pads": [1, 0, 0, 1]},
        {"strides": [2, 3], "dilations": [2, 1]},
        {"pads": [0, 1, 2, 0]},
        {"auto_pad": "SAME_UPPER", "strides": [2, 2]},
        {"auto_pad": "SAME_LOWER"},
        {"auto_pad": "VALID"},
    ],
)
def test_pools(window: dict[str, Any]) -> None:
    """ONNX's own reference does not count as ONNX says, where borders differ."""
    x = np.random.default_rng(0).standard_normal((2, 3, 8, 9)).astype(np.float32)
    image = (FLOAT, [2, 3, None, None])
    pools: list[tuple[str, list[str], dict[str, int]]] = [
        ("AveragePool", ["y"], {"count_include_pad": 0}),
        ("AveragePool", ["y"], {"count_include_pad": 1}),
        ("MaxPool", ["y", "i"], {}),
    ]
    for op, outputs, counts in pools:
        options = {"kernel_shape": [3, 2], **window, **counts}
        types = {"y": image, "i": (INT64, image[1])}
        proto = model(
            [helper.make_node(op, ["x"], outputs, **options)],
            {"x": (FLOAT, x.shape)},
            {name: types[name] for name in outputs},
        )
        session = onnxruntime.InferenceSession(proto.SerializeToString())
        expected = session.run(None, {"x": x})
        for result, wanted in zip(outputs_of(jit(proto), x), expected, strict=True):
            np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-6)


# The tools.


def save(proto: onnx.ModelProto, folder: Path) -> str:
    file = str(folder / "model.onnx")
    onnx.save(proto, file)
    return file


def test_the_tool_runs_a_model(tmp_path: Path, capsys: Any) -> None:
    nodes = [helper.make_node("Relu", ["x"], ["y"])]
    proto = model(nodes, {"x": (FLOAT, [4])}, {"y": (FLOAT, [4])})
    assert main(["run", save(proto, tmp_path), "--check"]) == 0
    assert "max_rel_error   0" in capsys.readouterr().out


def test_the_tool_says_which_sizes_are_open(tmp_path: Path, capsys: Any) -> None:
    assert main(["run", save(doubled(), tmp_path)]) == 1
    error = capsys.readouterr().err
    assert "error: input x is float32[n, 2], whose sizes the model leaves open" in error
