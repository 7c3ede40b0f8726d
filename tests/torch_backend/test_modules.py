"""`xbuf.jit(module, example)` computes what the module computes."""

# pyright: basic, reportMissingImports=false

import warnings
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.export import Dim

import xdsl_bufferization as xbuf
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import OneShotAnalysis
from xdsl_bufferization.frontends.pytorch.differences import UnsupportedGraphError
from xdsl_bufferization.frontends.pytorch.fallbacks import FallbackWarning
from xdsl_bufferization.runtime import ArgumentError, EngineError
from xdsl_bufferization.support.errors import OperationError


@pytest.fixture(autouse=True)
def _no_gradients() -> Any:
    with torch.no_grad():
        yield


def close(one: Any, other: Any) -> None:
    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5, equal_nan=True)


class Counter(nn.Module):
    """Buffers: one is saved with the module, one is not, one is written."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("saved", torch.randn(4))
        self.register_buffer("not_saved", torch.randn(4), persistent=False)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        self.calls.add_(1)
        return x * self.saved + self.not_saved * self.calls


class Nested(nn.Module):
    def forward(self, pair: tuple[Tensor, Tensor], scale: int, *, flip: Tensor) -> Any:
        return {"sum": (pair[0] + pair[1]) * scale, "flip": flip.flip(0)}


class Sum(nn.Module):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return x + y


class Of(nn.Module):
    """A module that is a function."""

    def __init__(self, function: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self._function = function

    def forward(self, x: Tensor) -> Tensor:
        return self._function(x)


class Levels(nn.Module):
    """An image of bytes, and weights of bytes. The weights depend on no argument."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("levels", torch.tensor([250, 3, 128], dtype=torch.uint8))

    def forward(self, image: Tensor) -> Any:
        table = self.levels.expand(2, 3).to(torch.float32)
        return image.to(torch.float32) / 255 @ table, table.permute(1, 0) * 2


class Pool(nn.Module):
    """A maximum, and where it is: of a window of 16 numbers."""

    def forward(self, x: Tensor) -> Any:
        return nn.functional.max_pool2d(x, 4, stride=1, return_indices=True)


@pytest.mark.parametrize("optimize", [True, False])
def test_a_module(optimize: bool) -> None:
    model, x = nn.Sequential(nn.Linear(64, 32), nn.ReLU()), torch.randn(32, 64)
    native = xbuf.jit(model, x, optimize=optimize, threads=1)
    close(native(x), model(x))


class Spoiled(nn.Module):
    """An element of the argument is overwritten, and the argument is used again."""

    def forward(self, x: Tensor) -> Tensor:
        return x.index_put((torch.tensor([0]),), torch.ones(1)) * x


@pytest.mark.parametrize("optimize", [True, False])
def test_a_module_is_proven(optimize: bool) -> None:
    model, x = Spoiled(), torch.randn(8)
    native = xbuf.jit(model, x, optimize=optimize, verified=True)
    close(native(x), model(x))


def test_a_wrong_decision_about_a_module_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(OneShotAnalysis, "is_in_place", lambda *_: True)
    with pytest.raises(OperationError, match="internal fault of one-shot-bufferize"):
        xbuf.jit(Spoiled(), torch.randn(8), optimize=False, verified=True)


@pytest.mark.parametrize("optimize", [True, False])
def test_bytes_have_no_sign(optimize: bool) -> None:
    model, x = Levels(), torch.tensor([[255, 0], [7, 128]], dtype=torch.uint8)
    native = xbuf.jit(model, x, optimize=optimize)
    close(native(x), model(x))


class Crop(nn.Module):
    """A border on one side, and less than all on the other sides."""

    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.pad(x, (-1, 2, 0, -3), value=7.0) * 2


class Fold(nn.Module):
    """Overlapping windows are added, without the border of the image."""

    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.fold(x, (8, 8), 3, padding=1, stride=2)


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize(
    ("model", "sizes"), [(Crop(), (2, 5, 6)), (Fold(), (2, 27, 16))]
)
def test_borders_of_negative_width(
    model: nn.Module, sizes: tuple[int, ...], *, optimize: bool
) -> None:
    x = torch.randn(sizes)
    close(xbuf.jit(model, x, optimize=optimize)(x), model(x))
    torch.compiler.reset()
    close(torch.compile(model, backend="xbuf")(x), model(x))


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("approximate", ["tanh", "none"])
def test_a_gelu_is_exact(approximate: str, *, optimize: bool) -> None:
    model, x = nn.GELU(approximate), torch.linspace(-6, 6, 1001)
    native = xbuf.jit(model, x, optimize=optimize)
    torch.testing.assert_close(native(x), model(x), rtol=1e-6, atol=2e-6)


@pytest.mark.parametrize("optimize", [True, False])
def test_the_places_of_maxima(optimize: bool) -> None:
    model, x = Pool(), torch.randn(2, 3, 9, 9)
    native = xbuf.jit(model, x, optimize=optimize)
    close(native(x), model(x))


def test_a_profile_has_the_parts_of_a_call() -> None:
    layers = [nn.Sequential(nn.Linear(64, 64), nn.Softmax(-1)) for _ in range(3)]
    native = xbuf.jit(nn.Sequential(*layers), x := torch.randn(32, 64), threads=1)
    nests = native.profile(x, calls=5)
    kernels = {nest.what: nest.runs for nest in nests if nest.kind == "kernel"}
    assert sum(kernels.values()) >= 15
    assert nests == sorted(nests, key=lambda nest: -nest.seconds)
    assert len({(nest.kind, nest.what) for nest in nests}) == len(nests)


def test_weights_of_the_module_are_those_of_each_call() -> None:
    model, x = nn.Linear(64, 32), torch.randn(32, 64)
    native = xbuf.jit(model, x)
    close(native(x), model(x))
    model.weight.mul_(2)
    close(native(x), model(x))
    model.weight = nn.Parameter(torch.randn(32, 64))
    close(native(x), model(x))


def test_a_weight_that_becomes_its_transpose_in_the_same_memory() -> None:
    model, x = nn.Linear(32, 32), torch.randn(32, 32)
    native = xbuf.jit(model, x)
    close(native(x), model(x))
    model.weight.data = model.weight.data.t()
    close(native(x), model(x))


def test_a_weight_that_is_written_where_it_is() -> None:
    """A bias is passed as it is. Nobody counts what NumPy writes."""
    model, x = nn.Linear(4, 4), torch.randn(2, 4)
    native = xbuf.jit(model, x)
    for _ in range(2):
        close(native(x), model(x))
        model.bias.numpy()[...] += 1


def test_a_weight_whose_rows_are_not_in_order() -> None:
    """It is copied in each call."""
    model, x = nn.Linear(4, 4, bias=False), torch.randn(2, 4)
    model.weight.data = torch.randn(4, 4).t()
    native = xbuf.jit(model, x)
    for _ in range(3):
        close(native(x), model(x))
        model.weight.mul_(2)


def test_buffers_that_are_not_saved_and_buffers_that_are_written() -> None:
    ours, x = Counter(), torch.randn(4)
    theirs = deepcopy(ours)
    native = xbuf.jit(ours, x)
    for _ in range(2):
        close(native(x), theirs(x))
    assert ours.calls == theirs.calls == 2


def test_batch_norm_in_training_writes_its_statistics() -> None:
    ours, x = nn.BatchNorm1d(8).train(), torch.randn(4, 8)
    theirs = deepcopy(ours)
    close(xbuf.jit(ours, x)(x), theirs(x))
    for one, other in zip(ours.buffers(), theirs.buffers(), strict=True):
        close(one, other)


def test_sizes_that_are_left_open() -> None:
    model = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
    rows = Dim("rows")
    native = xbuf.jit(model, torch.randn(4, 8), dynamic_shapes=({0: rows},))
    for count in (2, 9):
        x = torch.randn(count, 8)
        close(native(x), model(x))


@pytest.mark.parametrize("correction", [1, 1.3, 5])
@pytest.mark.parametrize("first", [8, 4])
def test_a_variance_of_an_open_size(first: int, correction: float) -> None:
    model = Of(lambda x: x.var(0, correction=correction))
    rows = Dim("rows", min=2)
    native = xbuf.jit(model, torch.randn(first, 3), dynamic_shapes=({0: rows},))
    for count in (first, 0, 1, 2, 3, 6):
        x = torch.randn(count, 3)
        close(native(x), model(x))


@pytest.mark.parametrize(
    ("function", "condition", "counts"),
    [
        (lambda x: x.roll(5, 0), "x.shape[0] >= 5", (6, 9, 12)),
        (
            lambda x: nn.functional.adaptive_avg_pool1d(x.T, 3),
            "(x.shape[0] % 3) == 0",
            (9,),
        ),
    ],
    ids=["roll", "pool"],
)
def test_ops_that_are_decomposed_otherwise_for_other_sizes(
    function: Callable[[Tensor], Tensor], condition: str, counts: tuple[int, ...]
) -> None:
    model, x = Of(function), torch.randn(9, 3)
    rows = Dim("rows", min=2)
    native = xbuf.jit(model, x, dynamic_shapes=({0: rows},))
    for count in counts:
        x = torch.randn(count, 3)
        close(native(x), model(x))
    with pytest.raises(ArgumentError) as error:
        native(torch.randn(4, 3))
    assert condition in str(error.value)
    assert "call jit again" in str(error.value)


class Columns(nn.Module):
    """The first size of the result is that of the example."""

    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.adaptive_max_pool2d(x, (None, 3))


class Parts(nn.Module):
    """Two tensors of equal sizes, one of which is nested, and a factor."""

    def forward(self, x: Tensor, named: dict[str, Tensor], factor: int) -> Tensor:
        return (x + named["y"])[: x.shape[0] // 2] * factor


def test_sizes_that_pytorch_compares_while_it_exports(tmp_path: Path) -> None:
    """Where such a comparison is false, the program is another one."""
    auto = Dim.AUTO
    x = torch.randn(4, 8, 6)
    native = xbuf.jit(Columns(), x, dynamic_shapes=({0: auto, 1: auto, 2: auto},))
    close(native(x[:3, :, :5]), Columns()(x[:3, :, :5]))
    with pytest.raises(ArgumentError, match=r"sizes of which x\.shape\[1\] == 8"):
        native(x[:, :4])

    example = (torch.randn(4, 6), {"y": torch.randn(4, 6)}, 3)
    sizes = {0: 2 * Dim("half", max=4), 1: auto}
    native = xbuf.jit(Parts(), example, dynamic_shapes=(sizes, {"y": sizes}, None))
    native.save(tmp_path / "parts")
    sizes = {0: auto, 1: auto}
    program = torch.export.export(
        Parts(), example, dynamic_shapes=(sizes, {"y": sizes}, None)
    )
    torch.export.save(program, tmp_path / "program.pt2")
    loaded = xbuf.jit(torch.export.load(tmp_path / "program.pt2"))
    with pytest.raises(ArgumentError, match=r"y\.shape\[0\] == x\.shape\[0\]"):
        loaded(torch.ones(6, 6), {"y": torch.ones(4, 6)}, 3)
    for function in (native, xbuf.load(tmp_path / "parts")):
        assert isinstance(function, xbuf.ModuleFunction)
        for rows in (4, 8):
            x, y = torch.randn(2, rows, 5)
            close(function(x, {"y": y}, 3), Parts()(x, {"y": y}, 3))
        for x, y, broken in (
            (torch.ones(10, 6), torch.ones(10, 6), "<= 8"),
            (torch.ones(6, 6), torch.ones(4, 6), "=="),
            (torch.ones(5, 6), torch.ones(5, 6), "% 2"),
        ):
            with pytest.raises(ArgumentError, match=f"sizes of which .*{broken}"):
                function(x, {"y": y}, 3)


def test_a_size_that_is_a_product_of_others() -> None:
    model, auto = Sum(), Dim.AUTO

    def reshaped(x: Tensor, y: Tensor) -> Tensor:
        return x.reshape(-1) + y

    model.forward = reshaped
    example = torch.randn(2, 3), torch.randn(6)
    sizes = {0: auto, 1: auto}, {0: auto}
    native = xbuf.jit(model, example, dynamic_shapes={"x": sizes[0], "y": sizes[1]})
    close(native(torch.ones(4, 5), torch.ones(20)), torch.full((20,), 2.0))
    with pytest.raises(ArgumentError, match=r"y\.shape\[0\] == .*x\.shape"):
        native(torch.ones(4, 5), torch.ones(10))
    with pytest.raises(ArgumentError, match="argument 0: expected"):
        native(torch.ones(20), torch.ones(20))
    with pytest.raises(ArgumentError, match="nested"):
        native([1.0], torch.ones(20))


def test_a_factor_of_open_sizes() -> None:
    """A condition is that a size is not 1, after it is rounded."""
    model = Of(lambda x: nn.functional.interpolate(x, scale_factor=0.3))
    sizes = {2: Dim.AUTO, 3: Dim.AUTO}
    native = xbuf.jit(model, torch.randn(1, 2, 9, 12), dynamic_shapes=(sizes,))
    for count in (8, 9, 20):
        x = torch.randn(1, 2, count, 10)
        close(native(x), model(x))
    with pytest.raises(ArgumentError, match=r"math\.trunc\(.*\(1, 2, 5, 10\)"):
        native(torch.randn(1, 2, 5, 10))


@pytest.mark.parametrize("dim", [(), (0,), (-3, 1), (1, 2)])
def test_a_size_of_one_that_would_be_left_out(dim: tuple[int, ...]) -> None:
    """PyTorch takes open sizes to be larger than 1."""
    model, rows = Of(lambda x: x.squeeze(dim) if dim else x.squeeze()), Dim("rows")
    x = torch.randn(4, 1, 3)
    native = xbuf.jit(model, x, dynamic_shapes=({0: rows},))
    for count in (2, 5):
        close(native(torch.ones(count, 1, 3)), model(torch.ones(count, 1, 3)))
    if dim == (1, 2):
        close(native(x[:1]), model(x[:1]))
    else:
        with pytest.raises(ArgumentError, match=r"x\.shape\[0\] != 1; .*\(1, 1, 3\)"):
            native(x[:1])


def test_statistics_of_no_elements() -> None:
    """PyTorch keeps those of before."""
    model, x = nn.BatchNorm1d(3), torch.randn(4, 3)
    native = xbuf.jit(model, x, dynamic_shapes=({0: Dim("batch")},))
    with pytest.raises(ArgumentError, match=r"input\.shape\[0\] != 0"):
        native(x[:0])
    native = xbuf.jit(model.eval(), x, dynamic_shapes=({0: Dim("batch")},))
    assert native(x[:0]).shape == (0, 3)


class Heads(nn.Module):
    """Views that merge two open sizes."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        heads = x.view(batch, length, 2, width // 2).transpose(1, 2)
        return heads.reshape(batch * 2, length, width // 2) * 2


class Rows(nn.Module):
    """A view that merges two open sizes, and one that splits them otherwise."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        rows = x.view(2 * batch * length, width // 2).sin()
        return rows.view(batch, 2 * length, width // 2)


@pytest.mark.parametrize(
    "model",
    [
        nn.Sequential(nn.Linear(8, 6), nn.RMSNorm(6)),
        nn.TransformerEncoderLayer(8, 2, 16, batch_first=True),
        Heads(),
        Rows(),
    ],
    ids=["linear", "encoder", "heads", "rows"],
)
def test_two_sizes_that_are_left_open(model: nn.Module) -> None:
    model.eval()
    open_sizes = {0: Dim("batch"), 1: Dim("length")}
    native = xbuf.jit(model, torch.randn(4, 6, 8), dynamic_shapes=(open_sizes,))
    for sizes in (4, 6), (2, 9), (5, 3):
        x = torch.randn(*sizes, 8)
        close(native(x), model(x))


@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("sizes", [(6,), (6, 5, 7)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_group_norm_of_any_batch(
    sizes: tuple[int, ...], dtype: torch.dtype, *, affine: bool
) -> None:
    model = nn.GroupNorm(3, 6, affine=affine).to(dtype)
    if affine:
        nn.init.normal_(model.weight)
        nn.init.normal_(model.bias)
    batch = Dim("batch", min=2, max=16)
    example = torch.randn(3, *sizes).to(dtype)
    native = xbuf.jit(model, example, dynamic_shapes=({0: batch},))
    for count in (2, 9):
        x = torch.randn(count, *sizes).to(dtype)
        close(native(x), model(x))


def test_an_exported_program_with_nested_arguments() -> None:
    model, x = Nested(), torch.randn(4)
    example = ((x.clone(), x.clone()), 2)
    program = torch.export.export(model, example, {"flip": x.clone()})
    native = xbuf.jit(program, ())
    close(native((x, x + 1), 2, flip=x), model((x, x + 1), 2, flip=x))
    with pytest.raises(ArgumentError, match="exported with 2"):
        native((x, x), 3, flip=x)
    with pytest.raises(ArgumentError, match=r"Program\(\(_, _\), _, flip=_\)"):
        native(x, 2, flip=x)


def test_an_example_that_is_twice_the_same_tensor() -> None:
    x = torch.randn(4)
    native = xbuf.jit(Sum(), (x, x))
    close(native(x, x + 1), x + x + 1)


def test_an_argument_that_requires_a_gradient() -> None:
    model, x = nn.Linear(4, 4), torch.randn(2, 4, requires_grad=True)
    native = xbuf.jit(model, x)
    close(native(x), model(x))
    with torch.enable_grad(), pytest.raises(ArgumentError, match="gradient"):
        native(x)


def test_arguments_of_another_size() -> None:
    native = xbuf.jit(nn.Linear(4, 4), torch.randn(2, 4))
    with pytest.raises(ArgumentError, match="expected"):
        native(torch.randn(3, 4))


def test_what_is_not_translated_is_an_error() -> None:
    with pytest.raises(UnsupportedGraphError, match="random numbers"):
        xbuf.jit(nn.Dropout(0.5).train(), torch.randn(2))


def test_what_pytorch_traces_to_another_function_is_an_error() -> None:
    """A trace of this loss has a dimension too many."""
    example = torch.randn(4), torch.tensor([1, 0, 3, 2])
    with pytest.raises(UnsupportedGraphError, match="another loss when it traces"):
        xbuf.jit(nn.MultiLabelMarginLoss(), example)


def test_tensors_without_a_place_for_each_element() -> None:
    matrix, x = torch.eye(4), torch.randn(4, 4)
    model = Of(lambda x: x * x)
    native = xbuf.jit(model, x)
    for other in (matrix.to_sparse(), matrix.to_sparse_csr(), matrix.to_mkldnn()):
        with pytest.raises(EngineError, match=f"the layout {other.layout}"):
            native(other)
    for other in (matrix.to_sparse(), matrix.to_sparse_csr()):
        with pytest.raises(UnsupportedGraphError, match=f"the layout {other.layout}"):
            xbuf.jit(Sum(), (x, other))
    fast = torch.compile(model, backend="xbuf")
    with pytest.warns(FallbackWarning, match="cannot read a tensor"):
        close(fast(matrix.to_mkldnn()).to_dense(), matrix)


def test_an_example_that_is_none() -> None:
    with pytest.raises(TypeError, match=r"Linear needs an example.* jit\(module, x\)"):
        xbuf.jit(nn.Linear(2, 2))  # pyright: ignore
    with pytest.raises(TypeError, match=r"pass torch\.from_numpy\(array\)"):
        xbuf.jit(nn.Linear(2, 2), np.ones((1, 2), np.float32))


def test_a_list_as_an_example() -> None:
    with pytest.raises(TypeError, match="a list, which is one argument; pass a tuple"):
        xbuf.jit(nn.Linear(2, 2), [torch.ones(1, 2)])


class Branch(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2 if x.sum() > 0 else x - 1


class Transform(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.fft.fft(x).real


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (Branch(), r"depends on the numbers of a tensor; torch\.compile\("),
        (Transform(), r"fft.*test_modules\.py:.*fft\.fft\(x\).*; torch\.compile\("),
    ],
)
def test_what_torch_compile_would_compile_in_parts(
    module: nn.Module, message: str
) -> None:
    with pytest.raises(UnsupportedGraphError, match=message):
        xbuf.jit(module, torch.ones(4))


def test_arguments_that_are_too_many() -> None:
    native = xbuf.jit(nn.ReLU(), torch.ones(2))
    with pytest.raises(ArgumentError, match=r"which was called as ReLU\(_\)"):
        native(torch.ones(2), torch.ones(2))


def test_an_export_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        xbuf.jit(nn.ReLU(), torch.ones(2))


def test_arguments_of_jit_that_do_not_fit() -> None:
    with pytest.raises(TypeError, match="entry, donate and passes"):
        xbuf.jit(nn.ReLU(), torch.ones(2), entry="main")  # pyright: ignore
    with pytest.raises(TypeError, match="modules of PyTorch"):
        xbuf.jit("func.func @f() { return }", torch.ones(2))  # pyright: ignore


def test_an_error_counts_the_arguments_of_the_module() -> None:
    native = xbuf.jit(nn.Linear(4, 2), torch.ones(3, 4))
    with pytest.raises(ArgumentError) as found:
        native(torch.ones(3, 5))
    assert str(found.value) == (
        "Linear: argument 0: expected f32[3x4], got float32 array of shape (3, 5)"
    )
    assert found.value.index == 0
