"""Buffers and times that compiled code prints, beside what MLIR's runtime prints."""

import math
import random
import re
import time
from collections.abc import Callable
from functools import cache

import pytest
from harness.oracles.mlir_runner import output_of_main
from harness.oracles.mlir_text import nested_list
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime import clock
from xdsl_bufferization.runtime.descriptor import row_major_strides
from xdsl_bufferization.support.abi import (
    COMPLEX_PARTS,
    NANO_TIME,
    PRINTED_ELEMENTS,
    RT_CLOCK,
)

Parse = Callable[[str], ModuleOp]

LOWERING = (
    "--expand-strided-metadata",
    "--finalize-memref-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-func-to-llvm",
    "--reconcile-unrealized-casts",
)

AS_NUMBERS = [name for name in PRINTED_ELEMENTS if name != "I8"]
"""MLIR prints bytes as characters."""

WITHOUT_SHAPES = ("I16", "F16", "BF16")
"""MLIR has no functions that only print the shapes of these."""

BUFFERS = 12

ADDRESS = re.compile("base@ = 0x[0-9a-f]+")


def random_main(seed: int) -> str:
    """Prints parts of constants, with and without their contents."""
    rng = random.Random(seed)
    declared: dict[str, str] = {}
    constants: list[str] = []
    ops: list[str] = []
    for number in range(BUFFERS):
        name = rng.choice(AS_NUMBERS)
        element = PRINTED_ELEMENTS[name]
        shape = [rng.randint(1, 3) for _ in range(rng.randint(0, 3))]
        strides = row_major_strides(shape)
        values = [_random_value(rng, element) for _ in range(math.prod(shape))]
        whole, unranked = f"memref<{_dims(shape)}{element}>", f"memref<*x{element}>"
        constants.append(
            f'memref.global "private" constant @g{number} : {whole} '
            f"= dense<{nested_list(values, shape)}>"
        )
        first = [rng.randrange(size) for size in shape]
        sizes = [rng.randint(1, s - at) for s, at in zip(shape, first, strict=True)]
        offset = sum(map(math.prod, zip(first, strides, strict=True)))
        part = f"memref<{_dims(sizes)}{element}, strided<{strides}, offset: {offset}>>"
        no_shape = name in WITHOUT_SHAPES
        function = f"@printMemref{'' if no_shape else rng.choice(('', 'Shape'))}{name}"
        declared[function] = unranked
        ops += [
            f"%g{number} = memref.get_global @g{number} : {whole}",
            f"%p{number} = memref.subview %g{number}{first} {sizes} "
            f"{[1] * len(shape)} : {whole} to {part}",
            f"%u{number} = memref.cast %p{number} : {part} to {unranked}",
            f"call {function}(%u{number}) : ({unranked}) -> ()",
        ]
    functions = (
        f"func.func private {name}({type_}) attributes {{llvm.emit_c_interface}}"
        for name, type_ in declared.items()
    )
    main = ("func.func @main() {", *ops, "return", "}")
    return "\n".join((*functions, *constants, *main))


def _dims(shape: list[int]) -> str:
    return "".join(f"{size}x" for size in shape)


def _random_value(rng: random.Random, element: str) -> str:
    if element in COMPLEX_PARTS:
        return f"({rng.randint(-9999, 9999) / 8:.3f},{rng.randint(-9, 9) / 8:.3f})"
    number = rng.randint(-9999, 9999)
    is_float = "f" in element
    return f"{number / 8:.3f}" if is_float else str(number)


def without_addresses(text: str) -> str:
    """The text with all addresses as 0."""
    return ADDRESS.sub("base@ = 0x0", text)


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(5))
def test_same_as_through_mlir(
    seed: int, parse: Parse, capsys: pytest.CaptureFixture[str]
) -> None:
    text = random_main(seed)
    theirs = output_of_main(text, LOWERING)
    compile_module(parse(text))["main"]()
    ours = capsys.readouterr().out
    assert without_addresses(ours) == without_addresses(theirs)
    assert len(ADDRESS.findall(ours)) == BUFFERS


RANKED = """
memref.global "private" constant @g : memref<2x1x3xf32> = dense<1.5>
func.func private @printMemref3dF32(memref<?x?x?xf32>)
    attributes {llvm.emit_c_interface}
func.func private @printMemrefF32(memref<*xf32>)
func.func @main() {
  %g = memref.get_global @g : memref<2x1x3xf32>
  %r = memref.cast %g : memref<2x1x3xf32> to memref<?x?x?xf32>
  call @printMemref3dF32(%r) : (memref<?x?x?xf32>) -> ()
  %u = memref.cast %g : memref<2x1x3xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
"""


@pytest.mark.oracle
def test_ranked_and_without_the_c_interface(
    parse: Parse, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = output_of_main(RANKED, LOWERING)
    compile_module(parse(RANKED))["main"]()
    ours = capsys.readouterr().out
    assert without_addresses(ours) == without_addresses(theirs)


def test_bytes_and_nothing(parse: Parse, capsys: pytest.CaptureFixture[str]) -> None:
    """MLIR prints bytes as characters, and an element of an empty buffer."""
    module = parse("""
    memref.global "private" constant @bytes : memref<2xi8> = dense<[-5, 65]>
    func.func private @printMemrefI8(memref<*xi8>)
    func.func @main() {
      %0 = memref.get_global @bytes : memref<2xi8>
      %1 = memref.cast %0 : memref<2xi8> to memref<*xi8>
      call @printMemrefI8(%1) : (memref<*xi8>) -> ()
      %2 = memref.alloc() : memref<2x0xi8>
      %3 = memref.cast %2 : memref<2x0xi8> to memref<*xi8>
      call @printMemrefI8(%3) : (memref<*xi8>) -> ()
      memref.dealloc %2 : memref<2x0xi8>
      return
    }
    """)
    compile_module(module)["main"]()
    bytes_, nothing = capsys.readouterr().out.split("Unranked Memref ")[1:]
    assert bytes_.endswith("sizes = [2] strides = [1] data = \n[-5,  65]\n")
    assert nothing.endswith("sizes = [2, 0] strides = [0, 1] data = \n[[], \n []]\n")


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks that stand still, at 12.5 seconds and at 345 nanoseconds."""
    inside = vars(clock)
    types = {name: type_ for name, (type_, _) in inside["_CLOCKS"].items()}
    still = {
        RT_CLOCK: (types[RT_CLOCK], lambda: 12.5),
        NANO_TIME: (types[NANO_TIME], lambda: 345),
    }
    monkeypatch.setitem(inside, "_CLOCKS", still)
    monkeypatch.setitem(inside, "_callback", cache(inside["_callback"].__wrapped__))


def test_clocks_are_those_of_python():
    functions = {
        name: function for name, (_, function) in vars(clock)["_CLOCKS"].items()
    }
    assert functions == {RT_CLOCK: time.time, NANO_TIME: time.time_ns}


@pytest.mark.usefixtures("clocks")
def test_time_and_flops(parse: Parse, capsys: pytest.CaptureFixture[str]) -> None:
    module = parse("""
    func.func private @rtclock() -> f64
    func.func private @nanoTime() -> i64 attributes {llvm.emit_c_interface}
    func.func private @printFlops(f64)
    func.func @main(%flops: f64) -> (f64, i64) {
      %0 = call @rtclock() : () -> f64
      %1 = call @nanoTime() : () -> i64
      call @printFlops(%flops) : (f64) -> ()
      return %0, %1 : f64, i64
    }
    """)
    assert compile_module(module)["main"](2.5e9) == (12.5, 345)
    assert capsys.readouterr().err == "2.500000 GFLOPS\n"
