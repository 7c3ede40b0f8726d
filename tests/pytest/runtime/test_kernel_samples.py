"""Two thousand kernels of all kinds, shapes, strides, flags and types against NumPy.

Around each matrix is room that must stay as it is, also between its rows. A tenth of
the samples that LIBXSMM may have a kernel for are asked of it as well.
"""

import ctypes
import os
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from harness.oracles.tools import find_oracle
from harness.running.kernel_calls import (
    BINARY,
    BRGEMM,
    FUSED,
    GEMM,
    REPEATED,
    TYPES,
    UNARY,
    Array,
    Operand,
    call,
)

from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.runtime.kernels import gemm_blocks, gemm_vectors
from xdsl_bufferization.runtime.kernels.elements import unit_for
from xdsl_bufferization.runtime.kernels.gemm import Gemm
from xdsl_bufferization.runtime.kernels.requests import fused_brgemm_code
from xdsl_bufferization.runtime.libxsmm import SHIM_VARIABLE, installed_libxsmm
from xdsl_bufferization.runtime.llvm import compile_function
from xdsl_bufferization.runtime.processors.names import NATIVE
from xdsl_bufferization.runtime.processors.processor import (
    VARIABLE,
    Processor,
    processor_named,
)
from xdsl_bufferization.runtime.processors.vector_unit import VectorUnit
from xdsl_bufferization.runtime.xsmm import requested_kernels
from xdsl_bufferization.support import abi

Call = partial[None]
"""`call` with a back end."""

SAMPLES = 2000
CHUNK = 100

UNARIES: Mapping[str, Callable[[Array], Array]] = {
    "identity": lambda x: x,
    "zero": np.zeros_like,
    "relu": lambda x: np.maximum(x, 0),
}
BINARIES: Mapping[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
}


@dataclass(frozen=True)
class Sample:
    """What to ask of a kernel; each kind looks at what it needs."""

    kind: str
    type: str
    m: int
    n: int
    k: int
    batch: int
    rooms: tuple[int, int, int, int]
    """How many elements are behind the rows of each matrix."""

    beta_0: bool
    pairs: bool
    """In bf16, B holds pairs of rows."""

    repeats: tuple[str, str]
    unary: str
    binary: str


def sample(seed: int) -> Sample:
    """The same for the same seed."""
    draw = random.Random(seed)
    kinds = ("gemm", "brgemm", "fused", "fused", "unary", "binary", "transpose", "vnni")
    kind = draw.choice(kinds)
    type_ = "bf16" if kind == "vnni" else draw.choice(("f32", "f32", "f64", "bf16"))
    pairs = type_ == "bf16" and draw.random() < 0.5
    k = draw.choice((1, 2, 3, 4, 5, 7, 8, 9, 16, 17, draw.randint(1, 40)))
    m = draw.randint(1, 40)
    return Sample(
        kind=kind,
        type=type_,
        m=m + m % 2 if kind == "vnni" else m,
        n=draw.randint(1, 80),
        k=k + k % 2 if pairs else k,
        batch=draw.choice((1, 1, 2, 3)),
        rooms=(draw.randint(0, 3), draw.randint(0, 3), draw.randint(0, 3), 1),
        beta_0=draw.random() < 0.5,
        pairs=pairs,
        repeats=(draw.choice(list(REPEATED)), draw.choice(list(REPEATED))),
        unary=draw.choice(list(UNARIES)),
        binary=draw.choice(list(BINARIES)),
    )


def check(each: Sample, back_end: str = "generated") -> None:
    """Run a sample, and compare."""
    runs = {"unary": _unary, "binary": _binary, "transpose": _transpose, "vnni": _vnni}
    runs.get(each.kind, _product)(each, partial(call, back_end=back_end))


def available_processor(cpu: str) -> Processor:
    """The processor of a name, or a skipped test."""
    try:
        return processor_named(cpu)
    except EngineError as error:
        pytest.skip(str(error))


def use_processor(cpu: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have kernels for a processor."""
    available_processor(cpu)
    monkeypatch.setenv(VARIABLE, cpu)


def _operand(each: Sample, number: int, shape: tuple[int, ...]) -> Operand:
    return Operand(TYPES[each.type], shape, room=each.rooms[number])


def _product(each: Sample, call: Call) -> None:
    batch = 1 if each.kind == "gemm" else each.batch
    m, n, k = each.m, each.n, each.k
    a, c = _operand(each, 0, (batch, m, k)), _operand(each, 2, (m, n))
    b_shape = (batch, k // 2, 2 * n) if each.pairs else (batch, k, n)
    # The leading dimension of pairs counts them.
    room = 2 * each.rooms[1] if each.pairs else each.rooms[1]
    b = Operand(TYPES[each.type], b_shape, room=room)
    flags = abi.XSMM_GEMM_FLAGS
    bits = flags["beta_0"] * each.beta_0
    bits |= (flags["vnni_a"] | flags["vnni_b"]) * each.pairs
    ldb = b.leading // 2 if each.pairs else b.leading
    type_ = abi.XSMM_DATA_TYPES[each.type]
    sizes = (type_, m, n, k, a.leading, ldb, c.leading)
    rows = b.numbers()
    if each.pairs:
        rows = rows.reshape(batch, k // 2, n, 2).swapaxes(2, 3).reshape(batch, k, n)
    expected = (a.numbers() @ rows).sum(axis=0)
    if not each.beta_0:
        expected = expected + c.numbers()
    words = (*a.words, *b.words, *c.words)
    if each.kind == "gemm":
        call(GEMM, (*sizes, bits), *words)
        return c.check(expected)
    strided = (*sizes, a.distance, b.distance, bits)
    if each.kind == "brgemm":
        call(BRGEMM, strided, *words, batch)
        return c.check(expected)
    d = _operand(each, 3, REPEATED[each.repeats[0]](m, n))
    has_bias, has_relu = each.unary != "zero", each.unary == "relu"
    description = (
        *strided,
        0,
        abi.XSMM_UNARY_KINDS["relu" if has_relu else "none"],
        abi.XSMM_BINARY_FLAGS.get(f"{each.repeats[0]}_in0", 0),
        abi.XSMM_BINARY_KINDS[each.binary if has_bias else "none"],
        d.leading,
    )
    call(FUSED, description, *words, *d.words, batch)
    if has_bias:
        expected = BINARIES[each.binary](d.numbers(), expected)
    # What is not one kernel is rounded once more in between.
    ulps = int(call.keywords["back_end"] == "libxsmm")
    c.check(np.maximum(expected, 0) if has_relu else expected, ulps=ulps)
    return None


def _unary(each: Sample, call: Call) -> None:
    m, n = each.m, each.n
    source = _operand(each, 0, REPEATED[each.repeats[0]](m, n))
    target = _operand(each, 1, (m, n))
    kind, type_ = abi.XSMM_UNARY_KINDS[each.unary], abi.XSMM_DATA_TYPES[each.type]
    flags = abi.XSMM_UNARY_FLAGS[each.repeats[0]]
    description = (kind, type_, m, n, source.leading, target.leading, flags)
    call(UNARY, description, *source.words, *target.words)
    target.check(UNARIES[each.unary](source.numbers()))


def _binary(each: Sample, call: Call) -> None:
    m, n = each.m, each.n
    lhs, rhs = (_operand(each, i, REPEATED[each.repeats[i]](m, n)) for i in (0, 1))
    target = _operand(each, 2, (m, n))
    bits = [
        abi.XSMM_BINARY_FLAGS.get(f"{repeat}_in{number}", 0)
        for number, repeat in enumerate(each.repeats)
    ]
    kind, type_ = abi.XSMM_BINARY_KINDS[each.binary], abi.XSMM_DATA_TYPES[each.type]
    leading = (lhs.leading, rhs.leading, target.leading)
    description = (kind, type_, m, n, *leading, bits[0] | bits[1])
    call(BINARY, description, *lhs.words, *rhs.words, *target.words)
    target.check(BINARIES[each.binary](lhs.numbers(), rhs.numbers()))


def _transpose(each: Sample, call: Call) -> None:
    m, n = each.m, each.n
    source, target = _operand(each, 0, (m, n)), _operand(each, 1, (n, m))
    kind = abi.XSMM_UNARY_KINDS["transpose"]
    type_ = abi.XSMM_DATA_TYPES[each.type]
    description = (kind, type_, m, n, source.leading, target.leading, 0)
    call(UNARY, description, *source.words, *target.words)
    target.check(source.numbers().T)


def _vnni(each: Sample, call: Call) -> None:
    m, n = each.m, each.n
    source = _operand(each, 0, (m, n))
    target = Operand(TYPES["bf16"], (m // 2, 2 * n), room=2 * each.rooms[1])
    kind = abi.XSMM_UNARY_KINDS["vnni_2"]
    description = (kind, 2, m, n, source.leading, target.leading // 2, 0)
    call(UNARY, description, *source.words, *target.words)
    pairs = source.numbers().reshape(m // 2, 2, n).swapaxes(1, 2)
    target.check(pairs.reshape(m // 2, 2 * n))


def test_samples_have_all_remainders() -> None:
    samples = [sample(seed) for seed in range(SAMPLES)]
    products = [each for each in samples if each.kind in ("gemm", "brgemm", "fused")]
    for type_ in TYPES:
        these = [each for each in products if each.type == type_]
        assert {each.n % 16 for each in these} == set(range(16))
        assert {each.m % 12 for each in these} == set(range(12))
        assert {each.k % 4 for each in these} == set(range(4))
    for type_ in TYPES:
        these = [each for each in samples if each.type == type_]
        assert {each.n % 16 for each in these if each.kind == "unary"} == set(range(16))


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("first", range(0, SAMPLES, CHUNK))
def test_kernels_equal_numpy(first: int) -> None:
    for seed in range(first, first + CHUNK):
        check(sample(seed))


@pytest.mark.parametrize("binary", [*BINARIES, "div"])
def test_products_with_any_arithmetic_have_generated_kernels(binary: str) -> None:
    sizes = (abi.XSMM_DATA_TYPES["f32"], 8, 16, 4, 4, 16, 16, 32, 64)
    kinds = (0, 0, 0, abi.XSMM_BINARY_KINDS[binary], 16)
    unit = processor_named(NATIVE).vector_unit
    assert fused_brgemm_code((*sizes, 0, *kinds), unit) is not None


LONG = (63, 64, 66, 67, 255, 256, 257, 258, 300, 512, 515, 770)
"""Columns of A, around those from which on a kernel has other loops."""


@pytest.mark.volume(sample=18)
@pytest.mark.parametrize("k", LONG)
@pytest.mark.parametrize("kind", ["gemm", "brgemm"])
@pytest.mark.parametrize("type_", ["f32", "f64", "bf16", "bf16 in pairs"])
def test_long_products_equal_numpy(k: int, kind: str, type_: str) -> None:
    pairs = type_ == "bf16 in pairs"
    short = sample(k)
    for m, n in ((1, 1), (13, 33), (25, 64)):
        each = replace(
            short,
            kind=kind,
            type=type_.removesuffix(" in pairs"),
            m=m,
            n=n,
            k=k + k % 2 if pairs else k,
            pairs=pairs,
        )
        check(each)


@pytest.mark.parametrize("repeat", list(REPEATED))
@pytest.mark.parametrize("kind", ["gemm", "brgemm", "fused"])
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_products_with_a_column_equal_numpy(type_: str, kind: str, repeat: str) -> None:
    """Without gaps, rows of A are multiplied vector by vector."""
    # In the last one, rows of A are at a multiple of a page, and compete.
    sizes = ((1, 8), (1, 200), (3, 17), (16, 40), (37, 130), (27, 1019))
    for seed, (m, k) in enumerate(sizes):
        each = replace(
            sample(seed),
            kind=kind,
            type=type_,
            m=m,
            n=1,
            k=k,
            batch=1 + seed % 2,
            pairs=False,
            rooms=(seed, 0, 0, 0),
            repeats=(repeat, repeat),
            binary="add",
        )
        check(each)


@pytest.mark.volume(sample=7)
@pytest.mark.parametrize("cpu", [NATIVE, "x86-64-v3", "x86-64-v2"])
@pytest.mark.parametrize("n", range(2, 9))
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_products_with_few_columns_equal_numpy(
    type_: str, n: int, cpu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without gaps between the rows of B and C, columns are multiplied by rows."""
    use_processor(cpu, monkeypatch)
    sizes = ((33, 40), (100, 64), (101, 65), (257, 95), (150, 513))
    for seed, (m, k) in enumerate(sizes):
        each = replace(sample(seed), kind="gemm", type=type_, m=m, n=n, k=k)
        check(replace(each, pairs=False, rooms=(seed, 0, 0, 0)))


@pytest.mark.volume(sample=9)
@pytest.mark.parametrize("cpu", [NATIVE, "x86-64-v3", "x86-64-v2"])
@pytest.mark.parametrize("kind", ["gemm", "brgemm", "fused"])
@pytest.mark.parametrize("type_", ["f32", "f64"])
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_products_of_few_sums_equal_numpy(
    type_: str, kind: str, m: int, cpu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a whole product, elements of C have several sums each."""
    use_processor(cpu, monkeypatch)
    for seed, n in enumerate((2, 3, 4, 5, 8, 9, 16, 17, 24, 33)):
        each = replace(sample(seed), kind=kind, type=type_, m=m, n=n, k=64 + 7 * seed)
        each = replace(each, rooms=(seed % 2, 0, 0, 0), pairs=False, binary="add")
        check(replace(each, batch=1 + seed % 3, beta_0=seed % 2 == 0))


@pytest.mark.parametrize("cpu", [NATIVE, "x86-64-v3", "x86-64-v2"])
def test_tall_products_of_rows_that_compete_equal_numpy(
    cpu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of A at a multiple of 4,096 bytes: strips have fewer of them."""
    use_processor(cpu, monkeypatch)
    for seed, (m, n, k, room) in enumerate(
        ((37, 8, 1024, 0), (29, 7, 1000, 24), (26, 5, 17, 1007), (25, 16, 2048, 0))
    ):
        each = replace(sample(seed), kind="gemm", type="f32", m=m, n=n, k=k)
        check(replace(each, pairs=False, rooms=(room, 0, 0, 0)))


IN_BLOCKS = (
    # One strip of rows: B is read row by row. In the last two, its rows compete.
    (1, 300, 100, 0),
    (1, 130, 65, 3),
    (3, 200, 17, 1),
    (2, 513, 77, 511),
    (4, 200, 333, 56),
    # Several strips: a block of B is packed.
    (13, 64, 300, 192),
    (17, 100, 129, 156),
    (30, 500, 35, 12),
    (49, 33, 600, 3),
    (50, 17, 40, 3),
    (80, 70, 257, 1),
    # The same where rows compete. Panels are not equally wide, in the last one partly.
    (8, 500, 150, 12),
    (9, 130, 200, 126),
    (20, 72, 100, 952),
    (50, 23, 70, 233),
    (41, 300, 64, 212),
    # A long panel without gaps: strips ask for its next rows.
    (13, 64, 1001, 0),
    (1, 128, 300, 0),
)
"""Rows, columns, sums, and how many elements are behind the rows of B."""


def _in_blocks(
    seed: int, size: tuple[int, int, int, int], type_: str = "f32"
) -> Sample:
    m, n, k, room = size
    each = replace(sample(seed), m=m, n=n, k=k, type=type_, pairs=False)
    rooms = (seed % 3, room, seed % 2, 1)
    return replace(each, rooms=rooms, beta_0=seed % 2 == 0)


@pytest.mark.volume(sample=11)
@pytest.mark.parametrize("size", IN_BLOCKS)
@pytest.mark.parametrize("cpu", [NATIVE, "x86-64-v3", "x86-64-v2"])
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_products_in_blocks_equal_numpy(
    type_: str,
    size: tuple[int, int, int, int],
    cpu: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_processor(cpu, monkeypatch)
    for seed, kind in enumerate(("gemm", "brgemm", "fused", "fused", "gemm")):
        each = replace(_in_blocks(seed, size, type_), kind=kind, batch=1 + seed % 2)
        check(each)
        repeats = list(REPEATED)[seed % len(REPEATED)]
        check(replace(each, binary="add", repeats=(repeats, "none")))


@pytest.mark.parametrize("size", [(1, 300, 100, 0), (49, 33, 600, 3)])
def test_an_empty_batch_in_blocks_adds_the_bias_alone(
    size: tuple[int, int, int, int],
) -> None:
    for beta_0 in (False, True):
        each = replace(_in_blocks(1, size), kind="fused", batch=0, beta_0=beta_0)
        check(replace(each, binary="add", unary="relu", repeats=("bcast_col", "none")))


@pytest.mark.volume(sample=25)
@pytest.mark.parametrize("cpu", [NATIVE, "x86-64-v3"])
@pytest.mark.parametrize("size", IN_BLOCKS)
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_products_in_blocks_have_the_bits_of_others(
    type_: str, size: tuple[int, int, int, int], cpu: str
) -> None:
    """So that results do not depend on how rows are shared among threads.

    Nor do they on parts of vectors, for what is left over of a row.
    """
    m, n, k, room = size
    processor = available_processor(cpu)
    sizes = (m, n, k, k, n + room, n)
    gemm = Gemm(*sizes, element=type_, takes_batch=False, beta_0=True)
    rng = np.random.default_rng(1)
    dtype = {"f32": np.float32, "f64": np.float64}[type_]
    a = rng.standard_normal((m, k)).astype(dtype)
    b = rng.standard_normal((k, n + room)).astype(dtype)
    results: list[Array] = []
    for build, takes_halves in product(
        (gemm_blocks.build_gemm, gemm_vectors.build_gemm), (False, True)
    ):
        unit = replace(processor.vector_unit, takes_halves=takes_halves)
        text = build(gemm, unit_for(type_, unit))
        library = compile_function(text, abi.KERNEL, processor=processor)
        kernel = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(library[abi.KERNEL])
        results.append(np.full((m, n), np.nan, dtype))
        kernel(a.ctypes.data, b.ctypes.data, results[-1].ctypes.data)
    in_blocks, *others = results
    for other in others:
        np.testing.assert_array_equal(in_blocks, other)
    bound = {"f32": 1e-3, "f64": 1e-12}[type_]
    np.testing.assert_allclose(in_blocks, a @ b[:, :n], rtol=bound, atol=bound)


@pytest.mark.parametrize("cpu", [NATIVE, "x86-64-v3"])
def test_a_long_panel_of_weights_is_multiplied_in_blocks(cpu: str) -> None:
    """All of it does not stay in a cache from one strip of rows to the next."""
    unit = available_processor(cpu).vector_unit
    long, short = (Gemm(32, 64, k, k, 64, 64, beta_0=True) for k in (4096, 64))
    assert gemm_blocks.can_build(long, unit)
    assert not gemm_blocks.can_build(short, unit)


@pytest.mark.parametrize("m", [1, 32])
def test_a_panel_that_is_wider_than_a_tile_is_multiplied_in_blocks(m: int) -> None:
    """Parts of rows that are four cache lines apart have a quarter of a cache."""
    columns = 128 if m == 1 else 64
    gemm = Gemm(m, columns, 384, 384, columns, columns, beta_0=True)
    assert gemm_blocks.can_build(gemm, VectorUnit(8, 16))
    assert not gemm_blocks.can_build(gemm, VectorUnit(16, 32))


@pytest.mark.parametrize(("m", "n"), [(16, 16), (5, 40), (40, 5), (33, 17), (1, 20)])
@pytest.mark.parametrize("type_", list(TYPES))
@pytest.mark.parametrize("cpu", [NATIVE, "x86-64-v3", "x86-64-v2"])
def test_transposes_of_whole_squares_equal_numpy(
    cpu: str, type_: str, m: int, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_processor(cpu, monkeypatch)
    check(replace(sample(1), kind="transpose", type=type_, m=m, n=n))


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shim for LIBXSMM, built by the command of the Makefile."""
    make, root = find_oracle("make"), Path(__file__).parents[3]
    path = tmp_path_factory.mktemp("shim") / "libxsmm_shim"
    source = root / "xdsl_bufferization/runtime/libxsmm_shim.c"
    path.with_suffix(".c").write_text(source.read_text())
    command = [make, "-C", str(root), f"SHIM={path}", "libxsmm-shim"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        message = f"LIBXSMM's shim cannot be built: {result.stderr}"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(message)
    return path.with_suffix(".so")


@pytest.fixture
def use_shim(shim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have kernels from the shim that was built for tests."""
    monkeypatch.setenv(SHIM_VARIABLE, str(shim))


@pytest.mark.oracle
@pytest.mark.usefixtures("use_shim")
def test_kernels_of_libxsmm_equal_numpy() -> None:
    for seed in range(0, SAMPLES, 10):
        check(sample(seed), "libxsmm")
    served = {(each.invoke, each.served_by) for each in requested_kernels("libxsmm")}
    for names in (GEMM, BRGEMM, FUSED, UNARY):
        assert (names[1], "libxsmm") in served
        assert (names[1], "generated") in served
    assert (BINARY[1], "libxsmm") not in served


@pytest.mark.oracle
@pytest.mark.usefixtures("use_shim")
def test_the_version_is_libxsmms() -> None:
    assert installed_libxsmm().version.startswith("1.")


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("name", "target"), [("x86-64-v2", "wsm"), ("x86-64-v3", "hsw")]
)
def test_kernels_of_libxsmm_are_for_the_processor(
    shim: Path, name: str, target: str
) -> None:
    script = f"""
import ctypes
from xdsl_bufferization.runtime.libxsmm import libxsmm_for
from xdsl_bufferization.runtime.processors.processor import processor_named
libxsmm_for(processor_named({name!r}))
target = ctypes.CDLL({str(shim)!r}).libxsmm_get_target_arch
target.restype = ctypes.c_char_p
print(target().decode())
libxsmm_for(processor_named("native"))
"""
    environment = {**os.environ, SHIM_VARIABLE: str(shim)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == f"{target}\n"
    assert f"LIBXSMM makes kernels for {name} in this process" in done.stderr


def test_without_a_shim_there_is_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SHIM_VARIABLE, "/nowhere/shim.so")
    with pytest.raises(EngineError, match="run `make libxsmm-shim`"):
        installed_libxsmm.__wrapped__()


def test_something_else_is_no_shim(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "shim.so"
    other.write_text("This is no library.")
    monkeypatch.setenv(SHIM_VARIABLE, str(other))
    with pytest.raises(EngineError, match="build it anew"):
        installed_libxsmm.__wrapped__()
