"""What xDSL's own back ends make of our buffers computes the numbers of NumPy.

The programs and the pipelines are file checks, of `tests/filecheck/xdsl_back_ends`.
"""

import ctypes
import platform
import re
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pytest
from harness.oracles.tools import find_oracle
from xdsl.xdsl_opt_main import xDSLOptMain

from xdsl_bufferization.runtime.llvm import compile_image

CHECKS = Path(__file__).parents[2] / "filecheck/xdsl_back_ends"

on_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="needs x86-64")


@pytest.mark.oracle
@on_x86
def test_x86(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "program.s"
    source.write_text(output_of("x86/callable.mlir", capsys))
    program = load(source)
    x, y, result = np.arange(8) ** 2, 100 - np.arange(8), np.empty(8, np.int64)
    program.add(address(x), address(y), address(result))
    np.testing.assert_array_equal(result, x + y)
    expected = np.where(np.arange(8) == 3, 2 * x, x)
    program.double_at(address(x), ctypes.c_int64(3))
    np.testing.assert_array_equal(x, expected)


@pytest.mark.oracle
def test_llvm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "program.o"
    source.write_bytes(compile_image(output_of("llvm/bare_pointers.mlir", capsys)))
    program = load(source)
    rng = np.random.default_rng(0)
    x, y, result = rng.normal(size=8), rng.normal(size=8), np.empty(8)
    program.add(address(x), address(y), address(result))
    np.testing.assert_array_equal(result, x + y)
    expected = np.where(np.arange(8) == 3, 2 * x, x)
    program.double_at(address(x), ctypes.c_int64(3))
    np.testing.assert_array_equal(x, expected)
    a, b, product = rng.normal(size=(4, 8)), rng.normal(size=(8, 2)), np.empty((4, 2))
    program.matmul(address(a), address(b), address(product))
    np.testing.assert_allclose(product, a @ b)


RISCV = """
#include <stdio.h>
void matmul(float *, float *, float *);
void rows(float *, float *);
void double_at(float *, long);
static void show(const float *x, int n) {
  for (int i = 0; i < n; ++i) printf("%g ", x[i]);
}
int main(void) {
  float x[32], y[16], product[8];
  for (int i = 0; i < 32; ++i) x[i] = i * 0.5f;
  for (int i = 0; i < 16; ++i) y[i] = 3 - i;
  matmul(x, y, product);
  rows(x, y);
  double_at(x, 3);
  show(product, 8);
  show(x, 32);
  return 0;
}
"""


@pytest.mark.oracle
def test_riscv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gcc, emulator = find_oracle("riscv64-linux-gnu-gcc"), find_oracle("qemu-riscv64")
    source, main, program = (tmp_path / name for name in ("a.s", "main.c", "main"))
    source.write_text(output_of("riscv/loops.mlir", capsys))
    main.write_text(RISCV)
    subprocess.run([gcc, "-static", main, source, "-o", program], check=True)
    done = subprocess.run([emulator, program], check=True, capture_output=True)
    x, y = np.arange(32) * 0.5, 3.0 - np.arange(16)
    product, rows = x.reshape(4, 8) @ y.reshape(8, 2), x.reshape(8, 4) + y[:4]
    rows.flat[3] *= 2
    expected = np.concatenate([product.ravel(), rows.ravel()])
    np.testing.assert_array_equal(np.array(done.stdout.split(), float), expected)


def output_of(check: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What the first command of a file check prints."""
    file = CHECKS / check
    found = re.search(r"^// RUN: xdsl-opt (.*?)\|", file.read_text(), re.MULTILINE)
    assert found is not None
    xDSLOptMain(args=shlex.split(found[1].replace("%s", str(file)))).run()
    return capsys.readouterr().out


def load(source: Path) -> ctypes.CDLL:
    """A library of assembly or of an object."""
    library = source.with_suffix(".so")
    gcc = find_oracle("gcc")
    subprocess.run(
        [gcc, "-shared", "-Wl,-z,noexecstack", source, "-o", library], check=True
    )
    return ctypes.CDLL(str(library))


def address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
