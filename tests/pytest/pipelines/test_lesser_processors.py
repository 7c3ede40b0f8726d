"""Programs for a lesser processor than the one here: `cpu=` and `XBUF_CPU`."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import xdsl_bufferization as xbuf
from xdsl_bufferization.dialects.xdsl_patches import attach
from xdsl_bufferization.frontends import compilation
from xdsl_bufferization.runtime import EngineError
from xdsl_bufferization.runtime.kernels import requests
from xdsl_bufferization.runtime.llvm import parse, target_machine
from xdsl_bufferization.runtime.processors.processor import (
    VARIABLE,
    processor_named,
    this_processor,
)
from xdsl_bufferization.support import abi

AVX2 = "x86-64-v3"
PROGRAMS = {
    "a product": """
func.func @f(%a: tensor<37x129xf32>, %b: tensor<129x70xf32>) -> tensor<37x70xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x70xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<37x70xf32>) -> tensor<37x70xf32>
  %c = linalg.matmul ins(%a, %b : tensor<37x129xf32>, tensor<129x70xf32>)
    outs(%z : tensor<37x70xf32>) -> tensor<37x70xf32>
  return %c : tensor<37x70xf32>
}""",
    "a convolution": """
func.func @f(%x: tensor<1x13x13x19xf32>, %w: tensor<3x3x19x21xf32>)
    -> tensor<1x11x11x21xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x11x11x21xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x11x11x21xf32>)
    -> tensor<1x11x11x21xf32>
  %c = linalg.conv_2d_nhwc_hwcf
    ins(%x, %w : tensor<1x13x13x19xf32>, tensor<3x3x19x21xf32>)
    outs(%z : tensor<1x11x11x21xf32>) -> tensor<1x11x11x21xf32>
  return %c : tensor<1x11x11x21xf32>
}""",
    "a softmax": """
func.func @f(%x: tensor<9x130xf32>) -> tensor<9x130xf32> {
  %e = tensor.empty() : tensor<9x130xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<9x130xf32>)
    outs(%e : tensor<9x130xf32>) -> tensor<9x130xf32>
  return %y : tensor<9x130xf32>
}""",
    "functions": """
#row = affine_map<(i, j) -> (i, j)>
func.func @f(%x: tensor<9x130xf32>) -> tensor<9x130xf32> {
  %e = tensor.empty() : tensor<9x130xf32>
  %y = linalg.generic {indexing_maps = [#row, #row],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<9x130xf32>) outs(%e : tensor<9x130xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    %1 = math.tanh %0 : f32
    %2 = math.erf %1 : f32
    linalg.yield %2 : f32
  } -> tensor<9x130xf32>
  return %y : tensor<9x130xf32>
}""",
    "a product of bf16": """
func.func @f(%a: tensor<37x130xbf16>, %b: tensor<130x70xbf16>) -> tensor<37x70xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<37x70xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<37x70xbf16>)
    -> tensor<37x70xbf16>
  %c = linalg.matmul ins(%a, %b : tensor<37x130xbf16>, tensor<130x70xbf16>)
    outs(%z : tensor<37x70xbf16>) -> tensor<37x70xbf16>
  return %c : tensor<37x70xbf16>
}""",
}
BOUNDS = {"f32": 1e-4, "bf16": 2e-2}
"""What `xbuf run --check` accepts."""

BEYOND_AVX2 = re.compile(r"%zmm\d+|%k[0-7]\b|%[xy]mm(?:1[6-9]|2\d|3[01])\b|%tmm\d")
"""Registers that processors with AVX2 alone do not have, or by other names."""

Call = Callable[..., Any]


@pytest.fixture(autouse=True)
def with_avx2() -> None:
    """Some processors have less than what these tests lower to."""
    if not processor_named("native").has >= {"avx2", "fma", "bmi2"}:
        pytest.skip("the processor here has no AVX2")


@cache
def arguments(name: str) -> list[Any]:
    random = np.random.default_rng(1)
    found: list[Any] = []
    types = re.findall(r"%\w+: tensor<([\dx]+)x(f32|bf16)>", PROGRAMS[name])
    for shape, element in types:
        array = random.standard_normal([*map(int, shape.split("x"))], np.float32)
        found.append(array.astype(ml_dtypes.bfloat16) if element == "bf16" else array)
    return found


def results(name: str, **options: Any) -> Any:
    """What a program computes, compiled now."""
    return np.array(xbuf.jit(PROGRAMS[name], **options)(*arguments(name)))


def assembly_of(name: str, **options: Any) -> list[str]:
    """All that LLVM makes for a call in a new process, also for the runtime."""
    script = f"""
import llvmlite.binding as llvm
def emit_object(machine, module, emit=llvm.TargetMachine.emit_object):
    image = emit(machine, module)
    print(machine.emit_assembly(module))
    return image
llvm.TargetMachine.emit_object = emit_object
import xdsl_bufferization as xbuf
from pipelines.test_lesser_processors import arguments, results
results({name!r}, **{options!r})
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_instruction_is_one_that_the_lesser_processor_lacks(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(VARIABLE, AVX2)
    lines = assembly_of(name, threads=2)
    assert any("%ymm" in line for line in lines)
    assert any("xbuf_fail" in line for line in lines)  # The runtime's.
    assert [line for line in lines if BEYOND_AVX2.search(line)] == []


def test_the_processor_here_is_used_whole(monkeypatch: pytest.MonkeyPatch):
    """So that the test before this one means something."""
    if "avx512vl" not in processor_named("native").has:
        pytest.skip("the processor here has no AVX-512")
    monkeypatch.delenv(VARIABLE, raising=False)
    lines = assembly_of("a product", threads=1)
    assert any(BEYOND_AVX2.search(line) for line in lines)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_results_are_those_of_the_processor_here(name: str):
    expected = results(name, cpu="native", threads=1).astype(np.float64)
    lowered = [results(name, cpu=AVX2, threads=threads) for threads in (1, 2)]
    assert lowered[0].tobytes() == lowered[1].tobytes()
    difference = np.abs(lowered[0].astype(np.float64) - expected).max()
    bound = BOUNDS["bf16" if "bf16" in name else "f32"]
    assert difference <= bound * np.abs(expected).max()


@pytest.mark.parametrize("cpu", ["x86-64-v2", AVX2])
def test_products_call_no_function_of_c(cpu: str):
    """x86-64-v2 has no instruction that multiplies and adds."""
    processor = processor_named(cpu)
    description = (abi.XSMM_DATA_TYPES["f32"], 8, 32, 16, 16, 32, 32, 0)
    text = requests.gemm_code(description, processor.vector_unit)
    assert text is not None
    machine: Any = target_machine(processor, 3)
    lines = machine.emit_assembly(parse(text)).splitlines()
    assert not any("call" in line for line in lines)
    multiplies = "vfmadd" if cpu == AVX2 else "mulps"
    assert any(multiplies in line for line in lines)


def test_kernels_for_two_processors_are_two():
    from xdsl_bufferization.runtime.xsmm import requested_kernels

    for cpu in ("native", AVX2):
        results("a product", cpu=cpu)
        kernels = requested_kernels("generated", processor_named(cpu))
        assert any("gemm" in each.invoke for each in kernels)


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The processors that programs are compiled for, with a cache of one's own."""
    monkeypatch.setenv("XBUF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(attach, "_guests", set[str]())
    monkeypatch.delenv(VARIABLE, raising=False)
    names: list[str] = []
    build = compilation.build

    def note(*given: Any) -> Any:
        made = build(*given)
        names.append(made.code.cpu)
        return made

    monkeypatch.setattr(compilation, "build", note)
    yield names


def test_entries_of_the_cache_are_for_one_processor(
    built: list[str], monkeypatch: pytest.MonkeyPatch
):
    for _ in range(2):
        for cpu in ("native", AVX2, "x86-64-v2"):
            results("a product", cpu=cpu)
    assert built == ["native", AVX2, "x86-64-v2"]
    # It is the same code, whoever named the processor.
    monkeypatch.setenv(VARIABLE, AVX2)
    results("a product")
    results("a product", cpu="native")
    assert len(built) == 3


def test_the_cache_has_code_of_the_runtime_for_each_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XBUF_CACHE", str(tmp_path / "cache"))
    lengths: list[int] = []
    for cpu in ("native", AVX2, AVX2, "native"):
        monkeypatch.setenv(VARIABLE, cpu)
        lines = assembly_of("a product", threads=1)
        lengths.append(len(lines))
        assert any("xbuf_fail" in line for line in lines) == (len(lengths) < 3)
    assert lengths[2:] == [0, 0]


def test_a_saved_function_is_for_all_that_have_as_much(
    built: list[str], tmp_path: Path
):
    file = tmp_path / "product.xbufobj"
    xbuf.jit(PROGRAMS["a product"], cpu=AVX2).save(file)
    loaded = np.array(xbuf.load(file)(*arguments("a product")))
    assert loaded.tobytes() == results("a product", cpu=AVX2).tobytes()
    assert built == [AVX2]


def test_code_for_a_processor_with_more_is_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "product.xbufobj"
    xbuf.jit(PROGRAMS["a product"], cpu=AVX2).save(file)

    def refuse(name: str) -> None:
        raise EngineError(f"code for {name} needs avx2, which this processor lacks")

    monkeypatch.setattr(
        "xdsl_bufferization.frontends.saved_files.processor_named", refuse
    )
    with pytest.raises(EngineError, match=r"xbufobj: code for x86-64-v3 needs avx2"):
        xbuf.load(file)


def test_a_processor_that_is_not_there_is_an_error():
    product = xbuf.jit(PROGRAMS["a product"], cpu="haswel")
    with pytest.raises(EngineError, match="'haswel'; did you mean haswell"):
        product(*arguments("a product"))


def test_a_compiled_module_may_be_for_another_processor(
    monkeypatch: pytest.MonkeyPatch,
):
    text = "func.func @f(%x: f32) -> f32 { return %x : f32 }"
    compiled = xbuf.compile(xbuf.parse(text), cpu=AVX2)
    assert compiled["f"](np.float32(2)) == 2
    monkeypatch.setenv(VARIABLE, AVX2)
    assert this_processor().name == AVX2
    with pytest.raises(EngineError, match="there is no processor 'none'"):
        xbuf.compile(xbuf.parse(text), cpu="none")
