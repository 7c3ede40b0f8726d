"""Who computes a multi-layer perceptron, each prepared as well as its users can.

    runners = make_runners(Mlp("a", 256, (128, 256, 512), "full"), threads=1)
    runners["ours"].call()          # one forward pass, into memory of its own

Weights are constants, or packed ahead where a library has a way to. What is not
installed, or cannot be had, has a reason in place of a runner.
"""

import ctypes
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from lesser_processor import variables_of
from numpy.typing import NDArray
from typing_extensions import override

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime.kernels.emitter import CACHE_LINE
from xdsl_bufferization.runtime.processors.processor import this_processor
from xdsl_bufferization.runtime.xsmm_matrices import BFLOAT16
from xdsl_bufferization.tools.common.program import parse_passes, run_passes
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

Array = NDArray[Any]

LARGEST_ERROR = 1e-4
BF16_ERROR = 2e-2


class Blocks(NamedTuple):
    """What matrices are cut into, in elements: C into m x n, A into m x k."""

    m: int
    n: int
    k: int

    @override
    def __str__(self) -> str:
        return f"blocks of {self.m}x{self.n}x{self.k}"


BLOCKS = (Blocks(32, 32, 32), Blocks(64, 64, 64), Blocks(256, 64, 64))
BF16_BLOCKS = (
    Blocks(64, 64, 64),
    Blocks(256, 32, 32),
    Blocks(256, 64, 64),
    Blocks(256, 128, 128),
)


@dataclass(frozen=True)
class Mlp:
    """A perceptron, or, with one layer and neither bias nor ReLU, a product."""

    name: str
    batch: int
    widths: tuple[int, ...]
    bias: str | None = None
    """`full` matrices, one `row`, or None."""

    relu: bool = True
    float_type: str = "f32"
    xsmm: str = "generated"
    """Where our kernels come from, as for `xbuf.compile`."""

    blocks: tuple[Blocks, ...] = BLOCKS
    """What ours and LIBXSMM may cut matrices into; the fastest ones count."""

    @property
    def flops(self) -> int:
        """Of the products alone."""
        pairs = zip(self.widths, self.widths[1:], strict=False)
        return sum(2 * self.batch * k * n for k, n in pairs)

    @property
    def bytes(self) -> int:
        """What has to come from memory or go there at least."""
        pairs = zip(self.widths, self.widths[1:], strict=False)
        weights = sum(k * n for k, n in pairs)
        outer = self.batch * (self.widths[0] + self.widths[-1])
        rows = {"full": self.batch, "row": 1, None: 0}[self.bias]
        biases = rows * sum(self.widths[1:])
        return (weights + outer + biases) * (2 if self.float_type == "bf16" else 4)


_FLOAT_PROGRAMS = (
    Mlp("a", 256, (128, 256, 512), "full"),
    Mlp("b", 256, (1024, 1024, 1024, 1024), "row"),
    Mlp("c", 256, (1024, 1024), None, relu=False),
)


def _on_vectors(each: Mlp) -> Mlp:
    """In bf16 without AMX, as other processors compute it, for ours alone."""
    return replace(
        each,
        name=f"{each.name} in bf16 on vectors",
        float_type="bf16",
        xsmm="vectors",
        blocks=(*BLOCKS, *BF16_BLOCKS[-1:]),
    )


PROGRAMS = (
    *_FLOAT_PROGRAMS,
    *(
        replace(
            each, name=f"{each.name} in bf16", float_type="bf16", blocks=BF16_BLOCKS
        )
        for each in _FLOAT_PROGRAMS
    ),
    *(
        _on_vectors(each)
        for each in _FLOAT_PROGRAMS
        if this_processor().vector_unit_here.multiplies_tiles
    ),
)


@dataclass(frozen=True)
class Runner:
    """Something that computes a perceptron."""

    call: Callable[[], object]
    keep: object = None
    """What has to live as long."""


_CALLS_TO_TRY: Final = 20
"""So many calls of code that may write outside of its arrays."""


class MissingError(Exception):
    """A runner that cannot be had, and why."""


def make_runners(each: Mlp, threads: int) -> Mapping[str, Runner | str]:
    """Everybody who computes `each`, by name; a reason for those who cannot."""
    data = _Data(each)
    makers: dict[str, Callable[[], Runner]] = {
        f"ours, {blocks}": partial(_ours, each, blocks, threads)
        for blocks in each.blocks
    }
    if each.float_type == "f32":
        makers |= {
            f"C on LIBXSMM, {blocks}": partial(_libxsmm, data, blocks)
            for blocks in each.blocks
        }
        makers |= {"NumPy": lambda: _numpy(data), "JAX": lambda: _jax(data)}
    if each.xsmm == "generated":
        makers |= {
            "oneDNN, prepacked": lambda: _onednn(data, threads),
            "PyTorch eager": lambda: _torch(data, threads),
            "PyTorch compiled": lambda: _compiled_torch(data, threads),
        }
    runners: dict[str, Runner | str] = {}
    for name, make in makers.items():
        try:
            runners[name] = make()
        except MissingError as missing:
            runners[name] = str(missing)
    return runners


class _Data:
    """Input, weights and biases for the peers, and what should come out."""

    def __init__(self, each: Mlp):
        rng = np.random.default_rng(7)

        def draw(*shape: int) -> Array:
            scale = shape[0] ** -0.5 if len(shape) > 1 else 1
            return (rng.standard_normal(shape) * scale).astype(np.float32)

        self.mlp = each
        self.input = at_cache_line(draw(each.batch, each.widths[0]))
        pairs = list(zip(each.widths, each.widths[1:], strict=False))
        self.weights = [draw(k, n) for k, n in pairs]
        rows = {"full": (each.batch,), "row": ()}
        self.biases: list[Array | None] = [
            None if each.bias is None else draw(*rows[each.bias], n) for _, n in pairs
        ]

    def forward(self) -> Array:
        """The result, by NumPy."""
        value = self.input
        for weight, bias in zip(self.weights, self.biases, strict=True):
            value = value @ weight
            if bias is not None:
                value += bias
            if self.mlp.relu:
                np.maximum(value, 0, out=value)
        return value

    def check(self, result: Array) -> None:
        """Fail if a runner computes something else."""
        _check(result, self.forward(), self.mlp)


def _check(result: Array, expected: Array, each: Mlp) -> None:
    error = float(np.abs(result - expected).max() / np.abs(expected).max())
    if error > (LARGEST_ERROR if each.float_type == "f32" else BF16_ERROR):
        raise AssertionError(f"program {each.name}: relative error {error:.2g}")


def text_of(each: Mlp) -> str:
    """The program on tensors, as MLIR text with constant weights."""
    options = MlpOptions(
        each.batch,
        each.widths,
        bias=each.bias is not None,
        row_bias=each.bias == "row",
        relu=each.relu,
        seed=7,
        float_type=each.float_type,
    )
    return mlp(options)


def pipeline_of(blocks: Blocks) -> str:
    """The passes from tensors to kernels on blocks."""
    factors = ",".join(map(str, blocks))
    return f"default-tpp-passes{{block-factors={factors}}}"


def _ours(each: Mlp, blocks: Blocks, threads: int) -> Runner:
    module = parse_module(text_of(each), f"{each.name}.mlir", get_context())
    rng = np.random.default_rng(7)
    x = rng.standard_normal((each.batch, each.widths[0])).astype(np.float32)
    (expected,) = evaluate(module, "entry", [x])
    run_passes(module, parse_passes(pipeline_of(blocks)))
    compiled = compile_module(module, threads=threads, xsmm=each.xsmm)
    function = compiled["entry"]
    is_bf16 = each.float_type == "bf16"
    argument = at_cache_line(BFLOAT16.from_floats(x) if is_bf16 else x)
    result = np.array(function(argument))
    _check(BFLOAT16.to_floats(result) if is_bf16 else result, expected, each)
    return Runner(lambda: function(argument), compiled)


def at_cache_line(array: Array) -> Array:
    """A copy that starts at a cache line, as tensors of PyTorch do."""
    place = np.empty(array.nbytes + CACHE_LINE, np.uint8)
    start = -place.ctypes.data % CACHE_LINE
    copy = place[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def _numpy(data: _Data) -> Runner:
    return Runner(data.forward)


def _libxsmm(data: _Data, blocks: Blocks) -> Runner:
    compiler = shutil.which("cc")
    if compiler is None:
        raise MissingError("there is no C compiler")
    folder = Path(tempfile.mkdtemp())
    library, source = folder / "mlp.so", Path(__file__).with_name("mlp_libxsmm.c")
    flags = ["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]
    libraries = ["-lxsmm", "-lxsmmnoblas", "-ldl", "-lm", "-lpthread"]
    command = [compiler, *flags, "-o", str(library), str(source), *libraries]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingError("LIBXSMM is not installed (Debian's libxsmm-dev)")
    code: Any = ctypes.CDLL(str(library))
    code.mlp_create.restype = ctypes.c_void_p
    each = data.mlp
    layers = len(data.weights)
    widths = (ctypes.c_int * (layers + 1))(*each.widths)
    pointers = ctypes.c_void_p * layers
    weights = pointers(*(array.ctypes.data for array in data.weights))
    biases = pointers(*(0 if b is None else b.ctypes.data for b in data.biases))
    kind = {None: 0, "row": 1, "full": 2}[each.bias]
    create = code.mlp_create
    sizes = (ctypes.c_int * 3)(*blocks)
    handle = ctypes.c_void_p(
        create(layers, each.batch, widths, sizes, kind, int(each.relu), weights, biases)
    )
    if not handle:
        raise MissingError(f"LIBXSMM has no kernel for {blocks}")
    output = _aligned((each.batch, each.widths[-1]))
    arguments = (handle, _pointer(data.input), _pointer(output))
    code.mlp_run(*arguments)
    data.check(output)
    return Runner(lambda: code.mlp_run(*arguments), (data, output, code))


def _aligned(shape: tuple[int, ...]) -> Array:
    room = np.zeros(int(np.prod(shape)) + 16, np.float32)
    start = -room.ctypes.data // 4 % 16
    return room[start : start + int(np.prod(shape))].reshape(shape)


def _pointer(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingError(f"{name} is not installed") from None


def _torch(data: _Data, threads: int, *, is_compiled: bool = False) -> Runner:
    torch = _import("torch")
    torch.set_num_threads(threads)
    each = data.mlp
    x, weights, biases = _tensors(torch, data)
    linear, relu = torch.nn.functional.linear, torch.nn.functional.relu

    def forward() -> Any:
        value = x
        for weight, bias in zip(weights, biases, strict=True):
            if each.bias == "full":
                value = torch.addmm(bias, value, weight.t())
            else:
                value = linear(value, weight, bias)
            if each.relu:
                value = relu(value)
        return value

    run = torch.compile(forward) if is_compiled else forward

    def call() -> Any:
        with torch.inference_mode():
            return run()

    try:
        result = call().float().numpy()
    except Exception as error:  # Of any kind, if PyTorch finds no compiler, say.
        raise MissingError(f"failed: {type(error).__name__}") from error
    data.check(result)
    return Runner(call)


def _compiled_torch(data: _Data, threads: int) -> Runner:
    """Code of inductor, which first shows in another process what it computes.

    That of PyTorch 2.13 for AVX-512 wrote outside of its arrays (Zen 4, program a).
    """
    program = f"import mlp_runners as m; m.try_compiled({data.mlp.name!r}, {threads})"
    command = [sys.executable, "-c", program]
    folder = Path(__file__).parent
    done = subprocess.run(command, capture_output=True, cwd=folder, check=False)
    if done.returncode:
        raise MissingError("its code fails, or computes something else")
    return _torch(data, threads, is_compiled=True)


def try_compiled(name: str, threads: int) -> None:
    """Run the program of a name as `torch.compile` has it, and check the result."""
    (each,) = (each for each in PROGRAMS if each.name == name)
    runner = _torch(_Data(each), threads, is_compiled=True)
    for _ in range(_CALLS_TO_TRY):
        runner.call()


def _tensors(torch: Any, data: _Data) -> tuple[Any, list[Any], list[Any]]:
    """The input, the weights with a row for each output, and the biases."""
    dtype = torch.bfloat16 if data.mlp.float_type == "bf16" else torch.float32

    def tensor(array: Array | None) -> Any:
        return None if array is None else torch.from_numpy(array).to(dtype)

    weights = [tensor(np.ascontiguousarray(weight.T)) for weight in data.weights]
    return tensor(data.input), weights, [tensor(bias) for bias in data.biases]


def _onednn(data: _Data, threads: int) -> Runner:
    torch = _import("torch")
    torch.set_num_threads(threads)
    each = data.mlp
    x, weights, biases = _tensors(torch, data)
    pack = torch.ops.mkldnn._reorder_linear_weight  # noqa: SLF001 (the only way)
    product = torch.ops.mkldnn._linear_pointwise  # noqa: SLF001
    try:
        weights = [pack(weight, each.batch) for weight in weights]
    except RuntimeError as error:  # It takes no bf16 where only AVX2 may be used.
        raise MissingError(f"failed: {type(error).__name__}") from error
    after = "relu" if each.relu else "none"

    def call() -> Any:
        with torch.inference_mode():
            value = x
            for weight, bias in zip(weights, biases, strict=True):
                if each.bias == "full":
                    value = product.binary(value, bias, weight, None, "add")
                    if each.relu:
                        value = value.relu_()
                else:
                    value = product(value, weight, bias, after, [], "")
            return value

    data.check(call().float().numpy())
    return Runner(call)


def _jax(data: _Data) -> Runner:
    jax = _import("jax")
    each = data.mlp
    weights = [jax.numpy.asarray(w) for w in data.weights]
    biases = [None if b is None else jax.numpy.asarray(b) for b in data.biases]

    def forward(value: Any) -> Any:
        for weight, bias in zip(weights, biases, strict=True):
            value = value @ weight
            value = value if bias is None else value + bias
            value = jax.numpy.maximum(value, 0) if each.relu else value
        return value

    run = jax.jit(forward)
    x = jax.numpy.asarray(data.input)
    data.check(np.asarray(run(x)))
    return Runner(lambda: run(x).block_until_ready())


def memory_bandwidth() -> float:
    """Bytes a second of a large copy, read and written."""
    source = np.ones(32_000_000, np.float32)
    target = np.zeros_like(source)
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        np.copyto(target, source)
        best = min(best, time.perf_counter() - started)
    return 2 * source.nbytes / best


def clean_environment(threads: int) -> dict[str, str]:
    """The environment of a process in which every peer has so many threads."""
    environment = dict(os.environ)
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        environment.pop(name, None)
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        environment[name] = str(threads)
    variables = variables_of(this_processor().name)
    environment |= variables
    environment["OMP_PROC_BIND"] = "true"  # or threads may wake on one core, and stay
    environment["XLA_FLAGS"] = (
        f"{variables.get('XLA_FLAGS', '')} "
        f"--xla_cpu_multi_thread_eigen={'true' if threads > 1 else 'false'} "
        f"intra_op_parallelism_threads={threads}"
    )
    return environment
