"""What `jit` makes of modules and models is saved, and loaded by another process."""

# PyTorch and ONNX are not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper
from torch import Tensor, nn

import xdsl_bufferization as xbuf
from xdsl_bufferization.runtime import ArgumentError
from xdsl_bufferization.runtime.errors import EngineError

LOADER = """
import sys
for name in sys.argv[2].split(","):
    sys.modules[name] = None  # It cannot be imported.
import pickle
from pathlib import Path
import xdsl_bufferization as xbuf

folder = Path(sys.argv[1])
for file in sorted(folder.glob("*.xbufobj")):
    function = xbuf.load(file)
    calls = pickle.loads(file.with_suffix(".calls").read_bytes())
    results = [function(*arguments, **named) for arguments, named in calls]
    file.with_suffix(".results").write_bytes(pickle.dumps(results))
"""


def results_elsewhere(
    folder: Path, function: Any, calls: list[Any], *, without: str, **named: Any
) -> Any:
    """What a function computes in another process, which lacks some packages."""
    file = folder / "saved.xbufobj"
    function.save(file, **named)
    file.with_suffix(".calls").write_bytes(pickle.dumps(calls))
    subprocess.run([sys.executable, "-c", LOADER, folder, without], check=True)
    return pickle.loads(file.with_suffix(".results").read_bytes())


class Written(nn.Module):
    """A buffer that each call writes, and a view of a weight."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 3))
        self.register_buffer("calls", torch.zeros((), dtype=torch.bfloat16))

    def forward(self, x: Tensor) -> Any:
        self.calls.add_(1)
        return x @ self.weight * self.calls, self.weight.t()[1:]


class Nested(nn.Module):
    def forward(self, pair: tuple[Tensor, Tensor], scale: int, *, flip: Tensor) -> Any:
        first, second = pair
        total = (first + second) * scale
        return {"sum": total.reshape(2, -1).t(), "parts": [flip.flip(0), first[:1]]}


class Strided(nn.Module):
    """A result in another order than its rows, and one with gaps."""

    def forward(self, x: Tensor) -> Any:
        image = torch.relu(x).to(memory_format=torch.channels_last)
        return image, image[:, :, ::2] * 2


def network() -> Any:
    layers = nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(1)
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(8, 10)).eval()


def nested() -> Any:
    x = torch.randn(4)
    return torch.export.export(Nested(), ((x, x.clone()), 2), {"flip": x.clone()})


def same(one: Any, other: Any) -> None:
    """Tensors are equal to the bit, and lie in memory the same way."""
    leaves, spec = torch.utils._pytree.tree_flatten(one)
    others, other_spec = torch.utils._pytree.tree_flatten(other)
    assert spec == other_spec
    for each, wanted in zip(leaves, others, strict=True):
        assert each.stride() == wanted.stride()
        torch.testing.assert_close(each, wanted, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize(
    ("module", "example", "calls"),
    [
        (network(), torch.randn(2, 3, 8, 8), [((torch.randn(2, 3, 8, 8),), {})]),
        (network().bfloat16(), torch.randn(1, 3, 8, 8).bfloat16(), None),
        (Written(), torch.randn(2, 4), [((torch.randn(2, 4),), {})] * 2),
        (nn.BatchNorm1d(8).train(), torch.randn(4, 8), [((torch.randn(4, 8),), {})]),
        (Strided(), torch.randn(1, 4, 6, 6), None),
        (
            nested(),
            (),
            [(((torch.ones(4), torch.randn(4)), 2), {"flip": torch.randn(4)})],
        ),
    ],
    ids=["network", "bf16", "written", "batch norm", "strided", "nested"],
)
def test_a_loaded_module_computes_the_same(
    tmp_path: Path, module: Any, example: Any, calls: Any
) -> None:
    calls = calls or [((example,), {})]
    with torch.no_grad():
        native = xbuf.jit(module, example)
        found = results_elsewhere(tmp_path, native, calls, without="torch_mlir")
        expected = [native(*arguments, **named) for arguments, named in calls]
        same(found, expected)


def test_a_loaded_module_takes_all_sizes_that_were_left_open(tmp_path: Path) -> None:
    batch = torch.export.Dim("batch", min=2, max=16)
    with torch.no_grad():
        model = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
        native = xbuf.jit(model, torch.randn(3, 8), dynamic_shapes=({0: batch},))
        calls = [((torch.randn(count, 8),), {}) for count in (2, 9)]
        found = results_elsewhere(tmp_path, native, calls, without="torch_mlir")
        same(found, [native(*arguments) for arguments, _ in calls])


def test_a_file_has_the_weights_of_when_it_was_saved(tmp_path: Path) -> None:
    with torch.no_grad():
        model, x = nn.Linear(4, 4), torch.randn(2, 4)
        native = xbuf.jit(model, x)
        model.weight.mul_(2)
        expected = native(x)
        native.save(tmp_path / "linear")
        model.weight.zero_()
        loaded = xbuf.load(tmp_path / "linear")
        assert isinstance(loaded, xbuf.ModuleFunction)
        same(loaded(x), expected)
        with pytest.raises(EngineError, match="no timers"):
            loaded.profile(x)
        with pytest.raises(ArgumentError, match=r"Linear: argument 0: expected f32"):
            loaded(torch.randn(3, 4))


def test_a_loaded_module_can_be_saved_again(tmp_path: Path) -> None:
    with torch.no_grad():
        native, x = xbuf.jit(network(), torch.ones(2, 3, 8, 8)), torch.randn(2, 3, 8, 8)
        native.save(tmp_path / "one")
        loaded = xbuf.load(tmp_path / "one")
        assert isinstance(loaded, xbuf.ModuleFunction)
        loaded.save(tmp_path / "two")
        same(xbuf.load(tmp_path / "two")(x), native(x))


def test_what_computes_nothing_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="Identity computes nothing"):
        xbuf.jit(nn.Identity(), torch.ones(2)).save(tmp_path / "nothing")


# ONNX.


def onnx_model(batch: int | str) -> Any:
    rng = np.random.default_rng(0)
    weight = onnx.numpy_helper.from_array(
        rng.standard_normal((16, 16), np.float32), "w"
    )
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"]),
        helper.make_node("Relu", ["m"], ["y"]),
        helper.make_node("Cast", ["y"], ["z"], to=TensorProto.UINT8),
    ]
    values = [
        helper.make_tensor_value_info(name, kind, [batch, 16])
        for name, kind in (
            ("x", TensorProto.FLOAT),
            ("y", TensorProto.FLOAT),
            ("z", TensorProto.UINT8),
        )
    ]
    graph = helper.make_graph(nodes, "g", values[:1], values[1:], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])


OTHERS = "onnx,torch,torch_mlir"


def test_a_loaded_model_computes_the_same(tmp_path: Path) -> None:
    native = xbuf.jit(onnx_model(3))
    x = np.random.default_rng(1).standard_normal((3, 16), np.float32)
    (found,) = results_elsewhere(tmp_path, native, [((x,), {})], without=OTHERS)
    for one, other in zip(found, native(x), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def test_a_model_is_saved_for_the_sizes_of_arguments(tmp_path: Path) -> None:
    native = xbuf.jit(onnx_model("batch"))
    with pytest.raises(TypeError, match=r"input x is float32\[batch, 16\], whose"):
        native.save(tmp_path / "open")
    x = np.ones((2, 16), np.float32)
    (found,) = results_elsewhere(
        tmp_path, native, [((), {"x": x})], without=OTHERS, x=x
    )
    np.testing.assert_array_equal(found[0], native(x).y)
    with pytest.raises(ArgumentError, match=r"expected float32\[2, 16\]"):
        xbuf.load(tmp_path / "saved.xbufobj")(np.ones((3, 16), np.float32))


def test_a_model_is_saved_for_numbers_that_say_sizes(tmp_path: Path) -> None:
    nodes = [helper.make_node("Reshape", ["x", "shape"], ["y"])]
    nodes.append(helper.make_node("Neg", ["y"], ["z"]))
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [6]),
        helper.make_tensor_value_info("shape", TensorProto.INT64, [2]),
    ]
    outputs = [helper.make_tensor_value_info("z", TensorProto.FLOAT, [None, None])]
    graph = helper.make_graph(nodes, "g", inputs, outputs)
    native = xbuf.jit(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])
    )
    x, shape = np.arange(6, dtype=np.float32), np.array([2, 3])
    native.save(tmp_path / "reshape", x, shape)
    loaded = xbuf.load(tmp_path / "reshape")
    np.testing.assert_array_equal(loaded(x, shape), -x.reshape(2, 3))
    with pytest.raises(ArgumentError, match="the numbers of shape say sizes"):
        loaded(x, np.array([3, 2]))
