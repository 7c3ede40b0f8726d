"""Calls that the reference has evaluated, made again by mlir-opt and mlir-runner 22.

A process takes long to start, so that a module makes many calls. A program that
mlir-opt refuses is left out of its module, and the others are tried again.

    run_in_mlir(program.calls)    ->   for each call its outputs, or a `NotRunError`
"""

import re
import subprocess
from collections.abc import Sequence

from harness.oracles.mlir_calls import SCRIPTED, module_of, outputs_of
from harness.oracles.mlir_runner import runner_libraries
from harness.oracles.recorded_calls import Call
from harness.oracles.tools import find_oracle
from xdsl_bufferization.reference.values import Value

TIMEOUT_SECONDS = 60.0

SCRIPT_PASSES = (
    "--transform-interpreter",
    "--test-transform-dialect-erase-schedule",
)

LOWERING = (
    "--convert-elementwise-to-linalg",
    "--one-shot-bufferize=bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map",
    "--convert-bufferization-to-memref",
    "--convert-linalg-to-loops",
    "--scf-forall-to-for",
    "--remove-shape-constraints",
    "--expand-realloc",
    "--memref-expand",
    "--expand-strided-metadata",
    "--affine-expand-index-ops",
    "--lower-affine",
    "--lower-vector-mask",
    "--lower-vector-multi-reduction",
    "--convert-vector-to-scf=full-unroll",
    "--lower-affine",  # The pass before leaves affine.apply.
    "--convert-complex-to-standard",
    "--arith-expand=include-bf16",
    "--convert-math-to-funcs=convert-ctlz",
    "--convert-scf-to-cf",
    "--convert-vector-to-llvm",
    "--convert-math-to-llvm",
    "--convert-math-to-libm",
    "--convert-complex-to-llvm",
    "--convert-index-to-llvm",
    "--convert-ub-to-llvm",
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-cf-to-llvm",
    "--convert-func-to-llvm",
    "--reconcile-unrealized-casts",
)


class NotRunError(Exception):
    """MLIR did not run a program; the message is its first error."""

    line: int | None = None
    """Where the error is in the module, if that is said."""


def run_in_mlir(calls: Sequence[Call]) -> list[list[Value] | NotRunError]:
    """What each call gives by MLIR, bit by bit; or why it was not run."""
    results: dict[int, list[Value] | NotRunError] = {}
    for scripted in (False, True):
        # A module with a script may not be recursive.
        chosen = [each for each in enumerate(calls) if _needs(each[1]) == scripted]
        _run_some(chosen, results)
    return [results[at] for at in range(len(calls))]


def _needs(call: Call) -> bool:
    """Whether a program has ops that only a script lowers."""
    return any(op in call.program for op in SCRIPTED)


def _run_some(
    calls: Sequence[tuple[int, Call]], results: dict[int, list[Value] | NotRunError]
) -> None:
    """Run calls in one module; without a program that is refused, or half of them."""
    if not calls:
        return
    text, owners = module_of([call for _, call in calls])
    # LLVM aborts at some prefetches of instructions, if a processor has such at all.
    text = text.replace(", instr :", ", data :")
    try:
        words = iter(_printed(text))
    except NotRunError as error:
        owner = owners[error.line - 1] if error.line else None
        if len({call.program for _, call in calls}) == 1:
            owner = calls[0][1].program
        if owner is not None:
            results.update((at, error) for at, c in calls if c.program == owner)
            _run_some([each for each in calls if each[1].program != owner], results)
            return
        half = len(calls) // 2
        _run_some(calls[:half], results)
        _run_some(calls[half:], results)
        return
    for at, call in calls:
        results[at] = outputs_of(call, words)


def _printed(text: str) -> list[int]:
    scripted = any(op in text for op in SCRIPTED)
    passes = [*(SCRIPT_PASSES if scripted else ()), *LOWERING]
    lowered = _output("mlir-opt-22", [*passes, "-"], text)
    libraries = ",".join(map(str, runner_libraries()))
    result = ["-e", "main", "--entry-point-result=void", "-O1"]
    runner = [*result, f"--shared-libs={libraries}"]
    return [*map(int, _output("mlir-runner-22", runner, lowered).split())]


def _output(tool: str, arguments: Sequence[str], text: str) -> str:
    try:
        done = subprocess.run(
            [find_oracle(tool), *arguments],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise NotRunError(f"{tool} does not end") from None
    if not done.returncode:
        return done.stdout
    found = re.search(r"^<stdin>:(\d+):\d+: error: (.*)$", done.stderr, re.MULTILINE)
    error = NotRunError(found[2] if found else f"{tool} ends with {done.returncode}")
    if found and tool.startswith("mlir-opt"):
        error.line = int(found[1])
    raise error
