"""Who computes a network of PyTorch: this package, and its peers.

    runner = PEERS["eager"](model, inputs, 1)
    runner.call()          one forward pass

Weights are packed ahead where a library has a way to.
"""

# PyTorch is not installed where the project is checked, and peers have no types.
# pyright: basic, reportMissingImports=false

import gc
import io
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import torch
from torch import Tensor, nn
from xdsl.dialects.builtin import ModuleOp

import xdsl_bufferization as xbuf
from xdsl_bufferization.codegen.memory_stats import measure_memory
from xdsl_bufferization.frontends.pytorch.exported import ExportedModule, export_module
from xdsl_bufferization.frontends.pytorch.function import compile_graph, lower_graph
from xdsl_bufferization.frontends.pytorch.modules import ModuleFunction
from xdsl_bufferization.frontends.pytorch.translation import ENTRY
from xdsl_bufferization.runtime.engine import CompiledModule

Inputs = tuple[Tensor, ...]


class Runner(NamedTuple):
    """Something that computes a network."""

    call: Callable[[], Any]
    compile_seconds: float


class OurFigures(NamedTuple):
    """What is known of our code beside the time of a call."""

    passes_seconds: float
    """Of processor time, from the parsed program to buffers."""

    code_seconds: float
    """The same from buffers to a function: lowering, LLVM and kernels."""

    peak_bytes: int
    """The most that a call has allocated at one time."""

    bound_bytes: int
    """What the buffers need that hold numbers at one time."""

    copies: int
    copied_bytes: int


def ours(model: nn.Module, inputs: Inputs, threads: int) -> tuple[Runner, OurFigures]:
    """The network by this package, and what else is known of the code."""
    _import_all()
    exported = export_module(model, inputs)
    started = time.process_time()
    native, _ = _compiled(exported, threads=threads)
    seconds = time.process_time() - started
    started = time.process_time()
    buffers = lower_graph(exported.program, weights=exported.weights).module
    passes = time.process_time() - started
    books = _books(exported, inputs)
    figures = OurFigures(
        passes,
        seconds - passes,
        books.peak_bytes - books.live_before,
        _bound(buffers),
        books.copies,
        books.copied_bytes,
    )
    return Runner(lambda: native(*inputs), seconds), figures


def seconds_to_compile(model: nn.Module, inputs: Inputs) -> float:
    """Seconds of processor time from the parsed program to a function."""
    _import_all()
    exported = export_module(model, inputs)
    started = time.process_time()
    _compiled(exported, threads=1)
    return time.process_time() - started


def _compiled(
    exported: ExportedModule, **options: Any
) -> tuple[ModuleFunction, CompiledModule]:
    function = compile_graph(exported.program, weights=exported.weights, **options)
    assert function.code is not None
    return ModuleFunction(exported, function, None), function.code


@cache
def _import_all() -> None:
    """Compile a small network, so that imports do not count as compilation."""
    with torch.no_grad():
        _compiled(export_module(nn.Linear(32, 32), (torch.randn(32, 32),)))


class _Books(NamedTuple):
    live_before: int
    peak_bytes: int
    copies: int
    copied_bytes: int


def _books(exported: ExportedModule, inputs: Inputs) -> _Books:
    """What a call allocates and copies on one thread, with the weights packed."""
    native, code = _compiled(exported, count_copies=True, threads=1)
    native(*inputs)
    gc.collect()
    heap: Any = code.heap
    heap.reset()
    before = heap.report().live_bytes
    native(*inputs)
    report = heap.report()
    return _Books(before, report.peak_bytes, report.copies, report.copied_bytes)


def _bound(buffers: ModuleOp) -> int:
    """The bytes that a call needs at least, with these buffers."""
    functions = {each.name: each for each in measure_memory(buffers)}
    return functions[ENTRY].lower_bound_bytes


def profile(model: nn.Module, inputs: Inputs, threads: int, calls: int) -> list[str]:
    """What our code takes, in milliseconds of a call, the slowest parts first."""
    native = xbuf.jit(model, inputs, threads=threads)
    nests = native.profile(*inputs, calls=calls)
    whole = sum(nest.seconds for nest in nests)
    return [
        f"{nest.seconds / calls * 1e3:8.3f} ms {nest.seconds / whole:5.1%} "
        f"{nest.runs // calls:5} x {nest.kind:10} {nest.what}"
        for nest in nests
    ]


# Peers.


def _eager(model: nn.Module, inputs: Inputs, threads: int) -> Runner:
    del threads  # Set for the process.
    return Runner(lambda: model(*inputs), 0.0)


def _inductor(model: nn.Module, inputs: Inputs, threads: int) -> Runner:
    """`torch.compile`, with the weights as constants that it may pack."""
    del threads
    import torch._inductor.config as config

    config.freezing = True
    torch._dynamo.reset()  # noqa: SLF001, PyTorch documents it under this name
    compiled = torch.compile(model, dynamic=False)
    started = time.perf_counter()
    compiled(*inputs)
    return Runner(lambda: compiled(*inputs), time.perf_counter() - started)


def _onnx_runtime(model: nn.Module, inputs: Inputs, threads: int) -> Runner:
    import onnxruntime

    file = io.BytesIO()
    torch.onnx.export(model, inputs, file, dynamo=False, opset_version=17)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    started = time.perf_counter()
    session = onnxruntime.InferenceSession(
        file.getvalue(), options, providers=["CPUExecutionProvider"]
    )
    seconds = time.perf_counter() - started
    feeds = {
        each.name: tensor.numpy()
        for each, tensor in zip(session.get_inputs(), inputs, strict=True)
    }
    return Runner(lambda: session.run(None, feeds), seconds)


def _openvino(model: nn.Module, inputs: Inputs, threads: int) -> Runner:
    import openvino

    converted = openvino.convert_model(model, example_input=inputs)
    started = time.perf_counter()
    compiled = openvino.Core().compile_model(
        converted,
        "CPU",
        {
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
            "INFERENCE_PRECISION_HINT": "f32",
        },
    )
    seconds = time.perf_counter() - started
    request = compiled.create_infer_request()
    arrays = [tensor.numpy() for tensor in inputs]
    return Runner(
        lambda: request.infer(arrays, share_inputs=True, share_outputs=True), seconds
    )


PEERS: Final[Mapping[str, Callable[[nn.Module, Inputs, int], Runner]]] = {
    "eager": _eager,
    "inductor": _inductor,
    "ONNX Runtime": _onnx_runtime,
    "OpenVINO": _openvino,
}
