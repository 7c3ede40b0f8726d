"""What is between products, beside PyTorch: activations, norms, sums, attention.

    OMP_NUM_THREADS=1 python benchmarks/between_products.py
    OMP_NUM_THREADS=1 python benchmarks/between_products.py softmax attention

Needs PyTorch and torch-mlir. Calls of both take turns in one process, on one thread.
The table has medians in microseconds. The names of groups choose a part of the table.

A call of compiled code from Python takes longer than a call of a function of PyTorch.
In a network there is one such call, so it is not counted here: the program repeats the
function itself, with `perf.bench`. A ratio above 1 means that this package is faster.
"""

# PyTorch is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import argparse
import math
import re
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import torch
from lesser_processor import add_cpu, begin_again_for
from torch import Tensor, nn
from torch.nn import functional

from xdsl_bufferization import jit
from xdsl_bufferization.frontends.pytorch.exported import export_module

Case = tuple[str, Callable[..., Tensor], tuple[Tensor, ...]]

_MATRICES: Final = (
    (64, 64),
    (64, 1000),
    (128, 256),
    (197, 384),
    (512, 1024),
    (197, 197),
)
_LARGE: Final = (1024, 4096)


class _Function(nn.Module):
    """A function as a module, which is what is exported."""

    def __init__(self, function: Callable[..., Tensor]):
        super().__init__()
        self.function = function

    def forward(self, *arguments: Tensor) -> Tensor:
        return self.function(*arguments)


def _rms_norm(x: Tensor, weight: Tensor) -> Tensor:
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight


def _elementwise() -> Iterator[Case]:
    functions = {
        "gelu": functional.gelu,
        "gelu (tanh)": lambda x: functional.gelu(x, approximate="tanh"),
        "silu": functional.silu,
        "tanh": torch.tanh,
        "exp": torch.exp,
    }
    for name, function in functions.items():
        for shape in (*_MATRICES, _LARGE):
            yield f"{name} {_spell(shape)}", function, (torch.randn(shape),)


def _softmax() -> Iterator[Case]:
    for shape in (*_MATRICES, _LARGE, (4, 128, 128), (12, 197, 197)):
        yield (
            f"softmax {_spell(shape)}",
            lambda x: torch.softmax(x, -1),
            (torch.randn(shape),),
        )


def _norms() -> Iterator[Case]:
    for shape in (*_MATRICES, _LARGE):
        size = shape[-1]
        numbers = torch.randn(shape), torch.randn(size), torch.randn(size)
        yield (
            f"layer norm {_spell(shape)}",
            lambda x, w, b: functional.layer_norm(x, w.shape, w, b),
            numbers,
        )
        yield f"RMS norm {_spell(shape)}", _rms_norm, numbers[:2]


def _sums() -> Iterator[Case]:
    for shape in (*_MATRICES, _LARGE):
        x = torch.randn(shape)
        yield f"sum of rows {_spell(shape)}", lambda x: x.sum(-1), (x,)
        yield f"sum of columns {_spell(shape)}", lambda x: x.sum(0), (x,)
        yield f"maximum of rows {_spell(shape)}", lambda x: x.amax(-1), (x,)


def _transposes() -> Iterator[Case]:
    for shape in (*_MATRICES, _LARGE):
        yield (
            f"transpose {_spell(shape)}",
            lambda x: x.t().contiguous(),
            (torch.randn(shape),),
        )
    yield (
        "heads 128x4x64",
        lambda x: x.transpose(0, 1).contiguous(),
        (torch.randn(128, 4, 64),),
    )


def _epilogues() -> Iterator[Case]:
    for rows, columns in ((64, 256), (128, 512), (197, 384), (512, 1024)):
        numbers = (
            torch.randn(rows, columns),
            torch.randn(columns, columns) / math.sqrt(columns),
            torch.randn(columns),
            torch.randn(rows, columns),
        )
        yield (
            f"product, bias, gelu, residual {_spell((rows, columns))}",
            lambda x, w, b, y: functional.gelu(torch.addmm(b, x, w)) + y,
            numbers,
        )


def _attention() -> Iterator[Case]:
    for heads, tokens in ((4, 64), (4, 128), (6, 197), (12, 256), (8, 512), (12, 1024)):
        q, k, v = (torch.randn(1, heads, tokens, 64) for _ in range(3))
        for is_causal in (False, True):
            yield (
                f"attention, {heads} heads, {tokens} tokens"
                f"{', causal' if is_causal else ''}",
                lambda q, k, v, is_causal=is_causal: (
                    functional.scaled_dot_product_attention(
                        q, k, v, is_causal=is_causal
                    )
                ),
                (q, k, v),
            )


_HEAD: Final = """| what | ours | eager | eager/ours | difference |
|---|---|---|---|---|"""

GROUPS: Final[dict[str, Callable[[], Iterator[Case]]]] = {
    "elementwise": _elementwise,
    "softmax": _softmax,
    "norms": _norms,
    "sums": _sums,
    "transposes": _transposes,
    "epilogues": _epilogues,
    "attention": _attention,
}


def _spell(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape))


def _microseconds(call: Callable[..., Any], arguments: tuple[Tensor, ...]) -> float:
    start = time.perf_counter()
    call(*arguments)
    return (time.perf_counter() - start) * 1e6


def _repeated(case: Case, times: int) -> Callable[..., Any]:
    """The seconds that compiled code takes for the function, so many times."""
    _, function, arguments = case
    program = export_module(_Function(function), arguments).program
    text = str(program.module).rstrip().removesuffix("}")
    head = re.search(r"func.func @main\((.*?)\) -> (\S+) {", text)
    assert head is not None
    parameters, result = head.groups()
    names = re.findall(r"%\w+", parameters)
    types = re.findall(r": (tensor<[^>]*>)", parameters)
    text += f"""
  func.func @repeated({parameters}) -> f64 {{
    %n = arith.constant {times} : i64
    %seconds = perf.bench (%n : i64) -> f64 {{
      %r = func.call @main({", ".join(names)}) : ({", ".join(types)}) -> {result}
      perf.sink(%r) : {result}
    }}
    return %seconds : f64
  }}
}}"""
    arrays = [arguments[index].numpy() for index in program.inputs]
    compiled = jit(text, entry="repeated", threads=1)
    return lambda: float(compiled(*arrays)) / times * 1e6


def _row(case: Case, pairs: int) -> str:
    name, function, arguments = case
    difference = jit(_Function(function), arguments)(*arguments) - function(*arguments)
    eager = _microseconds(function, arguments)
    ours = _repeated(case, max(1, int(1000 / eager)))
    turns = [(ours(), _microseconds(function, arguments)) for _ in range(pairs)]
    mine, theirs = (statistics.median(column) for column in zip(*turns, strict=True))
    return (
        f"| {name} | {mine:.1f} | {theirs:.1f} | {theirs / mine:.2f} "
        f"| {difference.abs().max().item():.1e} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", choices=[*GROUPS, []], default=[])
    parser.add_argument("--pairs", type=int, default=101)
    add_cpu(parser)
    options = parser.parse_args()
    begin_again_for(options.cpu)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print(_HEAD)
    with torch.no_grad():
        for group in options.groups or GROUPS:
            for case in GROUPS[group]():
                print(_row(case, options.pairs), flush=True)


if __name__ == "__main__":
    main()
