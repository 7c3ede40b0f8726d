"""Run a program on buffers for another machine, under an emulator where it takes one.

    run_on_target(module, "entry", [[x], [x]], "riscv64")   ->   two calls, with counts

Part of `xbuf run --target`, loaded only for that.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.targets.emulate import ProgramCall, run_program
from xdsl_bufferization.codegen.targets.target import XDSL, target_named
from xdsl_bufferization.pipelines.build import build_module, build_riscv_module

from ..common.progress import stage


@dataclass(frozen=True)
class TargetRun:
    """What a program did on its target."""

    calls: list[ProgramCall]
    compile_seconds: float


def run_on_target(
    module: ModuleOp,
    function: str,
    rounds: Sequence[Sequence[object]],
    target: str,
    backend: str,
    *,
    read_back: Collection[int] = (),
) -> TargetRun:
    """Call `function` with each of `rounds`, in a process of its own.

    `read_back` are the arguments to return as they are after each call. Raises

    - `KeyError` if there is no such public function;
    - `OperationError` at an op that cannot become part of an object;
    - `MismatchError` for an argument that does not fit;
    - `EngineError` if the program cannot be linked or run.
    """
    machine = target_named(target)
    started = time.perf_counter()
    with stage("compiling"):
        if backend == XDSL:
            built = build_riscv_module(module, machine, counting_heap=True)
        else:
            built = build_module(
                module, machine, counting_heap=True, exports_plain_names=False
            )
        image = built.code.object()
    seconds = time.perf_counter() - started
    signatures = {signature.name: signature for signature in built.signatures}
    with stage("running"):
        header = built.header("program.o")
        calls = run_program(
            image,
            signatures[function],
            header,
            rounds,
            machine,
            read_back=read_back,
        )
    return TargetRun(calls, seconds)
