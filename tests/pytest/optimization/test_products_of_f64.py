"""Products of f64: NumPy's numbers, on two processors and any number of threads."""

import re
from collections.abc import Iterator
from functools import partial
from math import prod
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from xdsl_bufferization import jit
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass
from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.runtime.processors.processor import processor_named

Array = NDArray[Any]

PROCESSORS = ("native", "x86-64-v3")

PROGRAM = """
func.func @f(%a: {a}, %b: {b}, %c: {c}) -> {c} {{
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : {c}
  %z = linalg.fill ins(%zero : f64) outs(%e : {c}) -> {c}
  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
      ins(%a, %b : {a}, {b}) outs({init} : {c}) {{
  ^bb0(%p: f64, %q: f64, %o: f64):
    %s = arith.mulf %p, %q : f64
    %u = arith.addf %o, %s : f64
    linalg.yield %u : f64
  }} -> {c}
  return %r : {c}
}}
"""


def program(letters: str, sizes: dict[str, int], *, adds: bool) -> str:
    """A sum of products, such as `mk,kn->mn`, from zero or from an argument on."""
    operands = re.split(",|->", letters)
    loops = "".join(dict.fromkeys(operands[2] + operands[0] + operands[1]))
    shapes = ["x".join((*(str(sizes[x]) for x in each), "f64")) for each in operands]
    maps = [
        f"affine_map<({', '.join(loops)}) -> ({', '.join(each)})>" for each in operands
    ]
    kinds = ['"parallel"' if x in operands[2] else '"reduction"' for x in loops]
    return PROGRAM.format(
        **dict(zip("abc", (f"tensor<{each}>" for each in shapes), strict=True)),
        maps=", ".join(maps),
        kinds=", ".join(kinds),
        init="%c" if adds else "%z",
    )


def operands(letters: str, sizes: dict[str, int]) -> list[Array]:
    random = np.random.default_rng(prod(sizes.values()))
    shapes = [[sizes[x] for x in each] for each in re.split(",|->", letters)]
    return [random.standard_normal(shape) for shape in shapes]


def check(letters: str, sizes: dict[str, int], cpu: str, *, adds: bool = False) -> None:
    """On one thread and on three, within the bound of the sums and with equal bits."""
    text = program(letters, sizes, adds=adds)
    a, b, c = operands(letters, sizes)
    compute = partial(np.einsum, letters, dtype=np.longdouble)
    exact = compute(a, b) + (c if adds else 0)
    sums = {*letters} & {*sizes} - {*letters.split("->")[1]}
    length = prod(sizes[each] for each in sums) + 1
    bound = compute(abs(a), abs(b)) + (abs(c) if adds else 0)
    results: list[Array] = []
    for threads in (1, 3):
        function = jit(text, cpu=cpu, threads=threads)
        # The result may be in the memory of the third argument.
        results.append(np.array(function(a, b, c.copy())))
        assert (abs(results[-1] - exact) <= bound * length * 2.0**-53).all()
    assert results[0].tobytes() == results[1].tobytes()


@pytest.fixture(autouse=True, params=PROCESSORS)
def cpu(request: pytest.FixtureRequest) -> Iterator[str]:
    try:
        processor_named(request.param)
    except EngineError as error:
        pytest.skip(str(error))
    yield request.param


SIZES = (
    (0, 7, 5),
    (7, 0, 5),
    (7, 5, 0),
    (1, 1, 1),
    (7, 7, 7),
    (1, 70, 33),
    (70, 1, 33),
    (130, 3, 65),  # Few columns.
    (31, 157, 64),
    (3, 700, 40),  # A right factor that is read row by row,
    (530, 129, 70),  # and one that is packed, block by block,
    (64, 256, 300),  # with rows that compete for caches.
)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("letters", ["mk,kn->mn", "mk,nk->mn", "km,kn->mn"])
def test_products_of_any_size(letters: str, size: tuple[int, int, int], cpu: str):
    adds = letters == "mk,kn->mn"
    check(letters, dict(zip("mnk", size, strict=True)), cpu, adds=adds)


@pytest.mark.parametrize("adds", [False, True])
def test_products_of_two_transposes(adds: bool, cpu: str):
    check("km,nk->mn", {"m": 37, "n": 66, "k": 41}, cpu, adds=adds)


@pytest.mark.parametrize(
    "letters", ["bmk,bkn->bmn", "bmk,bnk->bmn", "bmk,kn->bmn", "bmk,bkn->mn"]
)
def test_batches(letters: str, cpu: str):
    check(letters, {"b": 3, "m": 17, "n": 35, "k": 23}, cpu)


@pytest.mark.parametrize("letters", ["k,kn->n", "mk,k->m", "k,k->"])
def test_rows_and_columns(letters: str, cpu: str):
    check(
        letters,
        {x: {"m": 70, "n": 95, "k": 130}[x] for x in set(letters) & {*"mnk"}},
        cpu,
        adds=True,
    )


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none(special: float, cpu: str):
    sizes = {"m": 9, "n": 11, "k": 20}
    a, b, c = operands("mk,kn->mn", sizes)
    a[3, 7], b[5, 2] = special, special
    function = jit(program("mk,kn->mn", sizes, adds=False), cpu=cpu)
    np.testing.assert_allclose(function(a, b, c), a @ b, rtol=1e-13)


@pytest.mark.parametrize("letters", ["mk,kn->mn", "mk,k->m", "bmk,bkn->bmn"])
def test_products_are_calls_of_kernels(letters: str):
    sizes = {
        x: {"b": 2, "m": 40, "n": 50, "k": 60}[x] for x in set(letters) & {*"bmnk"}
    }
    module = MLIRParser(
        get_context(), program(letters, sizes, adds=False)
    ).parse_module()
    DefaultTppPassesPass(explain=False).apply(get_context(), module)
    assert not [op for op in module.walk() if op.dialect_name() == "linalg"]
