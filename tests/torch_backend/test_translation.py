"""What torch-mlir cannot translate, or crashes at, is computed by PyTorch."""

# pyright: basic, reportMissingImports=false

import os
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch._higher_order_ops.while_loop import while_loop
from torch.nn.attention.flex_attention import flex_attention
from torch.nn.functional import multilabel_margin_loss, pad

from xdsl_bufferization.frontends.pytorch import (
    differences,
    graphs,
    lowering,
)
from xdsl_bufferization.frontends.pytorch.fallbacks import FallbackWarning
from xdsl_bufferization.frontends.reading import parse


def reason(function: Callable[..., Any], *inputs: Tensor) -> str:
    """Why PyTorch computes a function; the numbers must be those of PyTorch."""
    torch._dynamo.reset()
    with warnings.catch_warnings(record=True) as said, torch.no_grad():
        warnings.simplefilter("always")
        found = torch.compile(function, backend="xbuf")(*inputs)
    torch.testing.assert_close(found, function(*inputs))
    (message,) = (w.message for w in said if issubclass(w.category, FallbackWarning))
    # The place of the op follows, where an op is named.
    return str(message).partition(", as ")[2].partition(f" ({__file__}:")[0]


def repeated(x: Tensor) -> Any:
    return while_loop(lambda n, x: n < 3, lambda n, x: (n + 1, x * 2), (X[0], x))


X = torch.tensor([1, 2, 3], dtype=torch.int8)
BYTES = torch.tensor([250, 1, 130], dtype=torch.uint8)

REASONS: dict[str, tuple[Callable[..., Any], Tensor, str]] = {
    "a product of small integers": (lambda x: x * 2 + 1, X, "aten.mul.Tensor"),
    "a maximum of small integers": (lambda x: x.max(), X, "aten.max.default"),
    "a product of matrices": (lambda x: x.view(1, 3) @ x.view(3, 1), X, "aten.mm."),
    "a difference of small integers": (lambda x: x - 1, X, "aten.sub.Tensor of"),
    "a float of bytes": (lambda x: x + 0.5, BYTES, "aten.add.Tensor takes integers"),
    "a comparison": (lambda x: x == 250, BYTES, "aten.eq.Scalar takes integers"),
    "a border": (lambda x: pad(x, (1, 1), value=200), BYTES, "aten.constant_pad_nd"),
    "a mean of integers": (
        lambda x: x.scatter_reduce(0, X.long() - X, x - 6, "mean"),
        torch.tensor([1, 2, 3]),
        "aten.scatter_reduce.two to another function",
    ),
    "a loss of several labels": (
        lambda x: multilabel_margin_loss(x, torch.tensor([[3, 0, -1, 1]])),
        torch.tensor([[0.5, -1.0, 2.0, 0.25]]),
        "PyTorch computes another loss when it traces multilabel_margin_loss",
    ),
    "places of equal elements": (
        lambda x: x.topk(2)[1],
        torch.tensor([1.0, 3.0, 2.0], dtype=torch.float16),
        "aten.topk.default is asked for places, and PyTorch does not say which",
    ),
    "the place of the second": (
        lambda x: x.kthvalue(2)[1],
        torch.tensor([1, 3, 2]),
        "aten.kthvalue.default is asked for places",
    ),
    "a sort that is not stable": (
        lambda x: x.argsort(descending=True),
        torch.tensor([1.0, 3.0, 2.0], dtype=torch.float16),
        "aten.sort.",
    ),
    "a complex truth": (
        lambda x: torch.cat([x > 0, x.cfloat()]),
        torch.ones(3),
        "aten.cat.default to another function",
    ),
    "no form": (torch.fft.fft, torch.randn(8), "aten._fft_r2c.default: failed to"),
    "another type": (
        lambda x: x.clone(),
        torch.tensor([1, 2], dtype=torch.uint16),
        "aten.clone.default has elements of torch.uint16, which torch-mlir lacks",
    ),
    "a loop": (repeated, torch.ones(3), "while_loop runs graphs of its own"),
    "flexible attention": (
        lambda q: flex_attention(q, q, q),
        torch.randn(1, 2, 16, 16),
        "flex_attention runs graphs of its own",
    ),
}


@pytest.mark.parametrize("name", REASONS)
def test_reasons_name_the_op(name: str) -> None:
    function, x, expected = REASONS[name]
    message = reason(function, x)
    assert expected in message
    assert "%" not in message
    assert len(message) < 150


def test_after_a_crash_graphs_are_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash that nobody knows ends the process of torch-mlir alone."""
    monkeypatch.setattr(differences, "_CRASHES_OF_BYTES", frozenset())
    message = reason(lambda x: x.abs().max() + 1, X)
    assert message == "torch-mlir crashes at aten.max.default (signal 11)"
    with torch.no_grad():
        fast = torch.compile(lambda x: x + 1, backend="xbuf")
        torch.testing.assert_close(fast(torch.ones(3)), torch.full((3,), 2.0))


def test_one_process_translates_several_graphs() -> None:
    lowering.start_process()
    helper = lowering._process._helper
    for count in (3, 4):
        torch._dynamo.reset()
        torch.compile(lambda x: x * 2, backend="xbuf")(torch.ones(count))
    assert lowering._process._helper is helper


def test_a_forked_process_translates_by_a_process_of_its_own() -> None:
    lowering.start_process()
    helper = lowering._process._helper
    child = os.fork()
    if child == 0:
        is_left = lowering._process._helper is None
        lowering.start_process()
        lowering._process.end()
        os._exit(0 if is_left else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert lowering._process._helper is helper
    torch.compile(lambda x: x * 3, backend="xbuf")(torch.ones(3))


PROGRAMS = {
    "another size": "func.func @main(%x: tensor<3xf32>) -> tensor<2xf32>",
    "another rank": "func.func @main(%x: tensor<3xf32>) -> tensor<3x1xf32>",
    "another type": "func.func @main(%x: tensor<3xf32>) -> tensor<3xf64>",
    "another number of results": (
        "func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)"
    ),
    "another argument": "func.func @main(%x: tensor<3xi32>) -> tensor<3xf32>",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_another_signature_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    signature = PROGRAMS[name].replace("func.func", "func.func private")
    monkeypatch.setattr(graphs, "parse", lambda text: parse(signature))
    message = reason(lambda x: x * 2, torch.ones(3))
    assert message.startswith("torch-mlir's program ")
    if name not in ("another number of results", "another argument"):
        assert "aten.mul.Tensor" in message


def test_an_open_size_is_compared_in_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    program = """func.func @main(%x: tensor<3xf32>) -> tensor<?xf32> {
      %y = tensor.extract_slice %x[0] [2] [1] : tensor<3xf32> to tensor<2xf32>
      %z = tensor.cast %y : tensor<2xf32> to tensor<?xf32>
      return %z : tensor<?xf32>
    }"""
    monkeypatch.setattr(graphs, "parse", lambda text: parse(program))
    message = reason(lambda x: x * 2, torch.ones(3))
    assert "dimension 0 has 2 elements" in message
    assert "aten.mul.Tensor" in message


def test_a_cast_to_another_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    program = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = tensor.extract_slice %x[0] [2] [1] : tensor<3xf32> to tensor<2xf32>
      %z = tensor.cast %y : tensor<2xf32> to tensor<?xf32>
      %w = tensor.cast %z : tensor<?xf32> to tensor<3xf32>
      return %w : tensor<3xf32>
    }"""
    monkeypatch.setattr(graphs, "parse", lambda text: parse(program))
    message = reason(lambda x: x * 2, torch.ones(3))
    assert "takes tensor<2xf32> to be tensor<3xf32>" in message


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x * 2).unfold(1, 3, 2),
        lambda x: (x * 2).as_strided((2, 2), (1, 1), 1),
    ],
    ids=["unfold", "as_strided"],
)
def test_gradients_of_results_whose_elements_share_memory(
    function: Callable[[torch.Tensor], torch.Tensor],
) -> None:
    """PyTorch's own compiler loses parts of them."""
    x = torch.randn(5, 7, requires_grad=True)
    weights = torch.arange(1.0, function(x).numel() + 1).view(function(x).shape)

    def gradient(called: Any) -> torch.Tensor:
        return torch.autograd.grad((called(x) * weights).sum(), x)[0]

    compiled: Any = torch.compile(function, backend="xbuf")
    with pytest.warns(FallbackWarning, match="loses parts of the gradient"):
        found = gradient(compiled)
    torch.testing.assert_close(found, gradient(function))
    # Elements that are repeated by a stride of 0 lose nothing.
    repeated: Any = torch.compile(lambda x: x[:, :1] * 1, backend="xbuf")
    assert torch.autograd.grad(repeated(x).expand(5, 3).sum(), x)[0].sum() == 15


def test_bytes_are_interpolated_by_pytorch() -> None:
    """PyTorch's own compiler makes other bytes: some differ by 1."""
    images = (torch.arange(240) * 7 % 255).to(torch.uint8).reshape(2, 3, 5, 8)

    functional: Any = torch.nn.functional
    for enlarged in (
        lambda x: functional.interpolate(x, size=(9, 13), mode="bilinear"),
        lambda x: functional.upsample(x, size=(9, 13), mode="bicubic"),
        lambda x: functional.upsample_bilinear(x, size=(9, 13)),
        lambda x: torch.ops.aten.upsample_bilinear2d(x, (9, 13), False),
    ):
        assert "makes other bytes" in reason(enlarged, images)


def test_losses_of_one_sample_have_the_shape_of_pytorch() -> None:
    """PyTorch's own compiler makes a dimension of them."""
    x, target = torch.randn(4, requires_grad=True), torch.tensor([1, 2, -1, 0])
    loss = torch.nn.MultiLabelMarginLoss(reduction="none")
    assert "computes another loss" in reason(loss, x, target)
    torch._dynamo.reset()
    compiled: Any = torch.compile(loss, backend="xbuf")
    assert compiled(x, target).shape == ()
    assert compiled(x[None], target[None]).shape == (1,)
