"""Read a program from a file, and run passes on it, with errors that say where.

load("mlp.mlir")                                  ->  a verified module
run_passes(module, "one-shot-bufferize,cse")      ->  the same module, rewritten
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, UnrankedTensorType
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.codegen.targets.target import LLVM, RISCV64, XDSL
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.dialects.xdsl_patches.verify import mlir_rules, verify_as_mlir
from xdsl_bufferization.frontends.onnx.packages import is_onnx
from xdsl_bufferization.pipelines import pipeline_text
from xdsl_bufferization.pipelines.entry import EntryError, find_entry
from xdsl_bufferization.pipelines.pass_bundle import run_passes as run_in_order
from xdsl_bufferization.pipelines.pipeline_text import PipelineError
from xdsl_bufferization.pipelines.signatures import keep_public, public_functions
from xdsl_bufferization.support.errors import fail_at, op_name
from xdsl_bufferization.support.program_files import not_text, read_program
from xdsl_bufferization.support.suggestions import near_name

from .diagnostics import UsageError, UserError
from .sources import remember

PIPELINE = "--pipeline"
"""The place that errors in a pipeline name."""


def load(file: str, ctx: Context) -> ModuleOp:
    """Parse and verify a file; `-` is standard input."""
    module = parse_module(read_text(file), name_of(file), ctx)
    verify(module)
    return module


def name_of(file: str) -> str:
    """What errors call a file; `-` is standard input."""
    return "<stdin>" if file == "-" else file


def read_text(file: str) -> str:
    """The text of a file, which errors may show from now on; `-` is standard input."""
    text = _read(file)
    remember(name_of(file), text)
    return text


def _read(file: str) -> str:
    if is_onnx(file):
        return _read_onnx(file)
    try:
        return sys.stdin.read() if file == "-" else read_program(file)
    except FileNotFoundError as error:
        raise UserError(file, f"{error.strerror}{_near_file(Path(file))}") from error
    except OSError as error:
        raise UserError(file, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise not_text(error, "<stdin>") from error


def _near_file(file: Path) -> str:
    """The end of a message about a file that is not there."""
    try:
        names = {each.stem: each.name for each in file.parent.iterdir()}
    except OSError:
        return ""
    # What all files end in makes none of them near.
    near = near_name(file.stem, names)
    return f"; do you mean '{names[near]}'?" if near else ""


def _read_onnx(file: str) -> str:
    """The program that a model of ONNX is."""
    # Most programs are none.
    from xdsl_bufferization.frontends.onnx.errors import UnsupportedModelError
    from xdsl_bufferization.frontends.onnx.values import text_of_file

    try:
        return text_of_file(file)
    except OSError as error:
        raise UserError(file, error.strerror or str(error)) from error
    except (UnsupportedModelError, ImportError) as error:
        raise UserError(file, str(error)) from error


def verify(module: ModuleOp) -> None:
    """Raise an error with an operation in it if `module` is not valid."""
    try:
        verify_as_mlir(module)
    except DiagnosticException:
        raise
    except Exception:
        # Some verifiers raise exceptions that do not say where: look for it.
        for op in module.walk():
            try:
                with mlir_rules():
                    op.verify(verify_nested_ops=False)
            except DiagnosticException:
                raise
            except Exception as error:
                # Of xDSL's assertions and look-ups, only here is the op known.
                fail_at(op, f"'{op_name(op)}' does not verify: {error}")
        raise


def entry_of(module: ModuleOp, file: str, wanted: str | None) -> FuncOp:
    """The function to run: `wanted`, the only public one, `@entry`, or `@main`."""
    try:
        return find_entry(module, wanted, "--entry")
    except EntryError as error:
        raise UserError(file, str(error)) from error


def check_backend(backend: str, target: str) -> None:
    """Raise an error if a back end has no code for a target."""
    if backend == XDSL and target != RISCV64:
        raise UsageError("--backend", f"xDSL's own generates code for {RISCV64} only")


def choose_pipeline(
    given: str | None, *, optimize: bool = True, backend: str = LLVM, threads: int = 0
) -> str:
    """The pipeline that is `given`, or the default one.

    xDSL's own back end has no kernels: its default is the plain pipeline. If one thread
    is asked for, no tiles are made to be shared, as by `jit`.
    """
    if given is not None:
        return given
    # Half of the passes, which not every command needs.
    from xdsl_bufferization.frontends.default_pipelines import (
        DEFAULT_PIPELINE,
        PLAIN_PIPELINE,
        spell_default,
    )

    if not optimize or backend != LLVM:
        return PLAIN_PIPELINE
    return spell_default(one_thread=True) if threads == 1 else DEFAULT_PIPELINE


def parse_passes(spec: str, option: str = PIPELINE) -> list[ModulePass]:
    """The passes of a pipeline as xdsl-opt's `-p` takes it, given with an option."""
    remember(option, spec)
    try:
        return pipeline_text.parse_passes(spec)
    except PipelineError as error:
        place = f"{option}:1:{error.column + 1}"
        raise UsageError(place, error.message) from error


def donated_names(module: ModuleOp, file: str, given: Sequence[str]) -> Sequence[str]:
    """Names of arguments, with or without the percent sign, as Python has them."""
    names = [each.removeprefix("%") for each in given]
    known = dict.fromkeys(
        argument.name_hint
        for function in public_functions(module)
        for argument in function.args
        if argument.name_hint and is_tensor(argument)
    )
    for name in names:
        if name not in known:
            there_is = ", ".join(f"%{each}" for each in known) or "none with a name"
            raise UserError(
                file, f"there is no tensor %{name} to donate; there is {there_is}"
            )
    return names


def run_passes(module: ModuleOp, passes: list[ModulePass]) -> None:
    """Apply passes in order, and verify what they leave."""
    run_in_order(passes, get_context(), module)
    verify(module)


def require_buffers(function: FuncOp) -> None:
    """Raise an error if `function` still takes or returns tensors."""
    types = function.function_type
    for kind, each in (("argument", types.inputs), ("result", types.outputs)):
        for index, type_ in enumerate(each):
            if isinstance(type_, TensorType | UnrankedTensorType):
                fail_at(
                    function,
                    f"{kind} {index} of @{function.sym_name.data} is still a tensor "
                    f"after the pipeline, {type_}; set bufferize-function-boundaries "
                    "of one-shot-bufferize",
                )


def keep_buffers_public(module: ModuleOp, name: str) -> None:
    """Let one function be the only public one; all that were have to be on buffers."""
    for function in public_functions(module):
        require_buffers(function)
    keep_public(module, name)
