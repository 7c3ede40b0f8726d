"""Results have the strides of PyTorch's graph, and share the memory that it shares."""

# pyright: basic, reportMissingImports=false

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import xdsl_bufferization as xbuf
from xdsl_bufferization.frontends.pytorch import backend
from xdsl_bufferization.frontends.pytorch.strides import with_strides

Seen = tuple[Tensor, tuple[int, ...], int, object]


def seen(function: Callable[..., Any], *inputs: Tensor) -> list[Seen]:
    """Each result: its numbers, its strides, its offset, and whose memory it has.

    A stride of a dimension with one element means nothing, and no tensor without
    elements has memory.

    The inputs come last, as the function may have written into them.
    """
    copies = [torch.empty_like(each).copy_(each) for each in inputs]
    with torch.no_grad():
        results = function(*copies)
    tensors = [*(results if isinstance(results, tuple) else (results,)), *copies]
    owners: dict[int, int] = {}
    for number, each in enumerate(reversed(tensors)):
        owners.setdefault(each.untyped_storage().data_ptr(), number)
    return [
        (each, strides(each), each.storage_offset(), owner if each.numel() else None)
        for each in tensors
        for owner in [owners[each.untyped_storage().data_ptr()]]
    ]


def strides(x: Tensor) -> tuple[int, ...]:
    pairs = zip(x.shape, x.stride(), strict=True)
    return tuple(stride for size, stride in pairs if size > 1) if x.numel() else ()


def check(function: Callable[..., Any], *inputs: Tensor, **options: Any) -> None:
    fast = torch.compile(function, backend="xbuf", **options)
    ours, theirs = seen(fast, *inputs), seen(function, *inputs)
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one[0], other[0])
        assert one[1:] == other[1:]


def swapped(a: Tensor, b: Tensor) -> Tensor:
    old = a.clone()
    a.copy_(b)
    b.copy_(old)
    return a - b


def written_by_a_view(a: Tensor) -> Tensor:
    a.t().mul_(torch.arange(3.0))
    return a[0]


def unclear(x: Tensor) -> tuple[Tensor, Tensor]:
    y = (x + 1)[:1].expand(5, 4)
    return y, y[1]


def turned_on(x: Tensor) -> Tensor:
    return (x + 1).view(2, 2, 3).permute(1, 2, 0).permute(1, 2, 0)


def views(x: Tensor) -> tuple[Tensor, ...]:
    y = x + 1
    z = y.unsqueeze(1)
    return (
        *(y, z, z.squeeze(1), y.view(2, 6), y.permute(1, 0), y.transpose(0, 1), y.t()),
        *(y.select(1, 2), *y.unbind(1), y[:1].expand(2, 4), y[:, ::2]),
        y.as_strided((2, 2), (1, 3), 1),
    )


X = torch.arange(12.0).reshape(3, 4)

CASES: dict[str, tuple[Callable[..., Any], tuple[Tensor, ...]]] = {
    "a transposed input": (lambda x: x.t().exp(), (X,)),
    "a transposed argument": (lambda x: x.exp(), (X.t(),)),
    "an argument with gaps": (lambda x: x + 1, (torch.arange(24.0)[::2].view(3, 4),)),
    "an argument without a stride": (lambda x: x + 1, (torch.ones(1, 4).expand(3, 4),)),
    "a view of a sum": (lambda x: (x + 1).t(), (X,)),
    "a sum and its views": (lambda x: ((y := x + 1), y.t(), y[1:], y[0]), (X,)),
    "views alone": (lambda x: ((y := x + 1)[0], y[1:]), (X,)),
    "views of views": (lambda x: (x + 1).t().unflatten(0, (2, 2))[1], (X,)),
    "each kind of view": (views, (X,)),
    "parts": (lambda x: (x * 2).split(2, 1), (X,)),
    "an input and a copy": (lambda x: (x, x.clone()), (X,)),
    "equal sums": (lambda x: (x + 1, (x + 1).clone()), (X,)),
    "a view of an input": (lambda x: (x.t(), x + 1), (X,)),
    "without a stride": (lambda x: (x + 1)[:1].expand(5, 4), (X,)),
    "overlapping": (lambda x: (x + 1).unfold(1, 2, 1), (X,)),
    "a part of a part": (unclear, (X,)),
    "exchanged arguments": (swapped, (X, X + 1)),
    "an argument written by a view": (written_by_a_view, (X,)),
    "channels last": (
        lambda x: x * 2,
        (torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last),),
    ),
    "no elements": (lambda x: x.t() + 1, (torch.ones(0, 3),)),
    "one row": (lambda x: x.t() + 1, (torch.ones(1, 3),)),
    "a transpose turned back": (lambda x: (x + 1).t().t(), (X,)),
    "both transposes": (lambda x: ((y := (x + 1).t()), y.t()), (X,)),
    "a result and it turned back": (lambda x: ((y := x + 1), y.t().t()), (X,)),
    "an input turned back": (lambda x: (x.t().t(), x + 1), (X,)),
    "dimensions turned on": (turned_on, (X,)),
    "a sum as a row": (lambda x: x.sum(0, keepdim=True).view(-1), (X,)),
    "a sum and the row": (lambda x: ((y := x.sum(0, keepdim=True)), y.view(-1)), (X,)),
    "rows of a transpose": (lambda x: (x + 1).t().unsqueeze(1), (X,)),
    "bits": (lambda x: (x + 1).view(torch.int32), (X,)),
}


@pytest.mark.parametrize("name", CASES)
def test_strides_and_memory(name: str) -> None:
    function, inputs = CASES[name]
    check(function, *inputs)


@pytest.fixture
def tails(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What PyTorch makes of results, for each graph that has been compiled."""
    made: list[Any] = []
    compile_graph = backend.compile_graph

    def record(program: Any, **options: Any) -> Any:
        made.append(program.tail)
        return compile_graph(program, **options)

    monkeypatch.setattr(backend, "compile_graph", record)
    return made


def test_gradients_of_a_layer_are_results_themselves(tails: list[Any]) -> None:
    """A view that PyTorch makes takes 30 us in a step of training, as nothing has run
    before that a cache still has."""
    layer = nn.Linear(3, 5)
    x = torch.randn(4, 3)
    torch.compile(layer, backend="xbuf")(x).square().sum().backward()
    found = [each.grad for each in layer.parameters()]
    layer.zero_grad()
    layer(x).square().sum().backward()
    torch.testing.assert_close(found, [each.grad for each in layer.parameters()])
    assert len(tails) == 2
    assert not any(tail.makes_views for tail in tails)


def test_views_are_made_without_ops(tails: list[Any]) -> None:
    """A call of an op from Python takes several times as long as its function."""
    torch.compile(lambda x: views(x)[:-3], backend="xbuf")(X)
    (tail,) = tails
    code = tail.function.__self__.code
    assert "permute" in code
    assert "torch.ops" not in code


def test_strides_where_sizes_are_open() -> None:
    def function(x: Tensor) -> tuple[Tensor, Tensor]:
        y = x.t().exp()
        return y, y[1:]

    fast = torch.compile(function, backend="xbuf", dynamic=True)
    for rows in (5, 7):
        x = torch.randn(rows, 4)
        ours, theirs = seen(fast, x), seen(function, x)
        assert [each[1:] for each in ours] == [each[1:] for each in theirs]
        torch.testing.assert_close(ours[0][0], theirs[0][0])


def test_a_channels_last_network_stays_so() -> None:
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU()).eval()
    model = model.to(memory_format=torch.channels_last)
    x = torch.randn(2, 3, 9, 9).to(memory_format=torch.channels_last)
    with torch.no_grad():
        expected, found = model(x), torch.compile(model, backend="xbuf")(x)
    assert found.stride() == expected.stride()
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


def test_a_view_behind_a_graph_break() -> None:
    def function(x: Tensor) -> Tensor:
        y = x.t() * 2
        torch._dynamo.graph_break()
        return y.as_strided((2, 6), (6, 1)) + 1

    x = torch.arange(12.0).view(3, 4)
    fast = torch.compile(function, backend="xbuf")
    with torch.no_grad():
        torch.testing.assert_close(fast(x), function(x))


def test_gradients_of_transposed_results() -> None:
    """What PyTorch hands to the second graph has the strides of the first."""
    x = torch.randn(3, 4, requires_grad=True)
    tangent = torch.randn(4, 3)
    function = lambda x: x.t().sin()  # noqa: E731
    fast = torch.compile(function, backend="xbuf")
    (ours,) = torch.autograd.grad(fast(x), x, tangent)
    (theirs,) = torch.autograd.grad(function(x), x, tangent)
    torch.testing.assert_close(ours, theirs)
    assert ours.stride() == x.stride()


class Swap(nn.Module):
    """Two buffers that exchange their numbers."""

    def __init__(self, names: tuple[str, str]) -> None:
        super().__init__()
        for number, name in enumerate(names):
            self.register_buffer(name, torch.full((3,), float(number)))

    def forward(self, x: Tensor) -> Tensor:
        old = self.first.clone()
        self.first.copy_(self.second)
        self.second.copy_(old)
        return x + self.first


@pytest.mark.parametrize("names", [("first", "second"), ("second", "first")])
def test_a_module_that_exchanges_its_buffers(names: tuple[str, str]) -> None:
    ours, theirs, x = Swap(names), Swap(names), torch.ones(3)
    native = xbuf.jit(ours, x)
    for _ in range(2):
        torch.testing.assert_close(native(x), theirs(x))
        for one, other in zip(ours.buffers(), theirs.buffers(), strict=True):
            torch.testing.assert_close(one, other)


@pytest.mark.parametrize("strides", [(0, 1), (1, 1), (9, 2), (0, 0), (4, 1), (1, 3)])
def test_any_strides(strides: tuple[int, int]) -> None:
    """Numbers that share memory are equal, as those of a graph are."""
    room = torch.arange(100.0)
    x = room.as_strided((3, 4), strides)
    copy = with_strides(x.contiguous(), (3, 4), strides)
    assert copy.stride() == strides
    torch.testing.assert_close(copy, x)


def test_open_sizes_that_may_be_zero() -> None:
    """PyTorch multiplies strides by 1 where such a size is 0: the order is known."""
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.AvgPool2d(2), nn.ReLU()).eval()
    native = torch.compile(model, backend="xbuf", dynamic=True)
    for size in (16, 18):
        x = torch.randn(1, 3, size, size)
        with torch.no_grad():
            torch.testing.assert_close(native(x), model(x), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("form", [torch.channels_last, torch.contiguous_format])
@pytest.mark.parametrize("dtype", [torch.uint8, torch.complex64, torch.complex128])
def test_conversions_have_the_format_that_is_asked_for(
    dtype: torch.dtype, form: torch.memory_format
) -> None:
    def converted(x: torch.Tensor) -> torch.Tensor:
        return x.to(dtype, memory_format=form)

    image = torch.rand(2, 3, 4, 5) * 9
    last = image.to(memory_format=torch.channels_last)
    for x in (image, last, image.transpose(1, 2)):
        torch._dynamo.reset()
        result = torch.compile(converted, backend="xbuf")(x)
        expected = converted(x)
        assert result.stride() == expected.stride()
        assert torch.equal(result, expected)
