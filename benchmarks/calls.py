"""What a call costs, and what it costs that a call changes no array of its caller.

    python benchmarks/calls.py
    python benchmarks/calls.py --product

Each function is called as it is, and with all arguments donated, one after the other.
A call that is given its arguments copies none, and looks for none that overlap.

With `--product`, a product of 4x4 numbers is added to a third array: by `jit`, by
NumPy, and by PyTorch, Numba and JAX where they are installed. Each takes its turn; the
least of all turns counts.
"""

import argparse
import math
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np
from lesser_processor import add_cpu, begin_again_for
from numpy.typing import NDArray

from xdsl_bufferization import bufferize, compile, jit, parse
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.tools.common.program import parse_passes, run_passes
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

INSERT = """
func.func @entry(%x: tensor<{size}xf32>) -> f32 {{
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %new = tensor.insert %one into %x[%c0] : tensor<{size}xf32>
  %sum = func.call @sum(%new) : (tensor<{size}xf32>) -> f32
  return %sum : f32
}}
func.func private @sum(%x: tensor<{size}xf32>) -> f32 {{
  %c0 = arith.constant 0.0 : f32
  %0 = tensor.from_elements %c0 : tensor<f32>
  %1 = linalg.reduce {{ arith.addf }} ins(%x : tensor<{size}xf32>)
    outs(%0 : tensor<f32>) dimensions = [0]
  %2 = tensor.extract %1[] : tensor<f32>
  return %2 : f32
}}
"""

READ = """
func.func @entry(%x: tensor<{size}xf32>, %y: tensor<{size}xf32>) -> f32 {{
  %c0 = arith.constant 0 : index
  %a = tensor.extract %x[%c0] : tensor<{size}xf32>
  %b = tensor.extract %y[%c0] : tensor<{size}xf32>
  %sum = arith.addf %a, %b : f32
  return %sum : f32
}}
"""


def _compiled(text: str) -> Any:
    module = bufferize(parse(text))
    return compile(module)["entry"]


def _perceptron() -> Any:
    module = parse_module(
        mlp(MlpOptions(bias=True, relu=True)), "mlp.mlir", get_context()
    )
    run_passes(module, parse_passes("default-tpp-passes"))
    return compile(module)["entry"]


def _seconds(call: Callable[..., Any], arrays: list[NDArray[Any]], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        call(*arrays)
    return (time.perf_counter() - start) / times


def _compare(
    name: str, function: Any, arrays: list[NDArray[Any]], times: int, pairs: int
) -> None:
    given = function.donating(*range(len(arrays)))
    for each in (function, given):
        _seconds(each, arrays, 3)
    both = [
        (_seconds(function, arrays, times), _seconds(given, arrays, times))
        for _ in range(pairs)
    ]
    safe, donated = (statistics.median(column) for column in zip(*both, strict=True))
    ratio = statistics.median(one / other for one, other in both)
    print(f"| {name} | {safe * 1e6:.1f} | {donated * 1e6:.1f} | {ratio:.3f} |")


PRODUCT = """
func.func @product(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>)
    -> tensor<4x4xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>)
    outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}
"""

_TURNS = 15
_CALLS = 2000


def _product(a: Any, b: Any, c: Any) -> Any:
    return a @ b + c


def _of_torch(torch: Any) -> Callable[..., Any]:
    def product(a: Any, b: Any, c: Any) -> Any:
        return torch.addmm(c, a, b)

    return product


def _of_jax(jax: Any) -> Callable[..., Any]:
    compiled = jax.jit(_product)

    def product(a: Any, b: Any, c: Any) -> Any:
        return jax.block_until_ready(compiled(a, b, c))

    return product


def _callers() -> Iterator[tuple[str, Callable[..., Any], Any]]:
    """Who computes the product, and with which arrays."""
    array = np.ones((4, 4), np.float32)
    ours = jit(PRODUCT)
    yield "ours", ours, array
    yield "NumPy", _product, array
    with suppress(ImportError):
        torch: Any = import_module("torch")
        yield "ours, tensors of PyTorch", ours, torch.ones(4, 4)
        yield "PyTorch", _of_torch(torch), torch.ones(4, 4)
    with suppress(ImportError):
        numba: Any = import_module("numba")
        yield "Numba", numba.njit(_product), array
    with suppress(ImportError):
        jax: Any = import_module("jax")
        yield "JAX", _of_jax(jax), jax.numpy.ones((4, 4))


def _print_product() -> None:
    callers = list(_callers())
    least = {name: math.inf for name, _, _ in callers}
    for _ in range(_TURNS):
        for name, call, array in callers:
            seconds = _seconds(call, [array] * 3, _CALLS)
            least[name] = min(least[name], seconds)
    print("| who | microseconds |\n|---|---|")
    for name, seconds in least.items():
        print(f"| {name} | {seconds * 1e6:.2f} |")


def main() -> None:
    """Print a table, with the median of each column."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=201)
    parser.add_argument("--product", action="store_true")
    add_cpu(parser)
    options = parser.parse_args()
    begin_again_for(options.cpu)
    if options.product:
        _print_product()
        return
    pairs: int = options.pairs
    print("| function | microseconds | donated | ratio |\n|---|---|---|---|")
    x = np.ones((256, 128), np.float32)
    _compare("MLP (a)", _perceptron(), [x], 1, pairs)
    small = np.ones(4, np.float32)
    _compare(
        "reads two numbers", _compiled(READ.format(size=4)), [small] * 2, 500, pairs
    )
    for size in (4, 1 << 18):
        array = np.ones(size, np.float32)
        times = 500 if size == 4 else 1
        name = f"writes one of {size:,} numbers, and adds them up"
        _compare(name, _compiled(INSERT.format(size=size)), [array], times, pairs)


if __name__ == "__main__":
    main()
