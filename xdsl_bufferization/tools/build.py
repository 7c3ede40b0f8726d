"""Write a program on tensors as an object, a library, assembly or LLVM IR for C.

xbuf build mlp.mlir -o mlp.o --target riscv64   ->   mlp.o, mlp.h
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.codegen.targets.header import WRITTEN_BY
from xdsl_bufferization.codegen.targets.linking import link
from xdsl_bufferization.codegen.targets.objects import TargetCode
from xdsl_bufferization.codegen.targets.target import (
    LLVM,
    NATIVE,
    XDSL,
    Target,
    target_named,
)
from xdsl_bufferization.frontends.default_pipelines import with_checks
from xdsl_bufferization.pipelines.build import (
    BuiltModule,
    build_module,
    build_riscv_module,
)
from xdsl_bufferization.pipelines.signatures import public_functions
from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.whole_files import PROGRAM, write_bytes, write_text

from .common.diagnostics import UsageError, UserError
from .common.program import (
    check_backend,
    choose_pipeline,
    load,
    parse_passes,
    require_buffers,
    run_passes,
)
from .common.progress import stage


@dataclass(frozen=True)
class BuildOptions:
    """What to build, and for what."""

    file: str
    output: str
    pipeline: str | None = None
    """The passes from tensors to buffers that are freed; None: the default ones."""
    optimize: bool = True
    """Whether the default passes make kernels."""
    target: str = NATIVE
    backend: str = LLVM
    checked: bool = False
    """Whether the code checks what it does."""


def build(options: BuildOptions) -> list[Path]:
    """Write the output and the header beside it; returns their paths."""
    check_backend(options.backend, options.target)
    if options.checked and options.backend == XDSL:
        raise UsageError(
            options.file, f"--checked is for --backend {LLVM}: leave out one of both"
        )
    output = Path(options.output)
    write = _writer(output)
    header = output.with_suffix(".h")
    _check_header(header)
    pipeline = choose_pipeline(
        options.pipeline, optimize=options.optimize, backend=options.backend
    )
    passes = parse_passes(pipeline)
    if options.checked:
        passes = [*with_checks(passes)]
    with stage("parsing"):
        module = load(options.file, get_context())
    with stage("bufferizing"):
        run_passes(module, passes)
    functions = public_functions(module)
    if not functions:
        raise UserError(options.file, "there is no public function with a body")
    for function in functions:
        require_buffers(function)
    target = target_named(options.target)
    try:
        with stage("compiling"):
            if options.backend == XDSL:
                built = build_riscv_module(module, target)
            else:
                built = build_module(module, target, checked=options.checked)
            # First all that may fail: the files are written together.
            text = built.header(output.name)
            write(built, target, output)
    except EngineError as error:
        raise UserError(options.file, str(error)) from error
    write_text(header, text)
    return [output, header]


def _writer(output: Path) -> Callable[[BuiltModule, Target, Path], None]:
    write = _WRITERS.get(output.suffix)
    if write is None:
        kinds = ", ".join(_WRITERS)
        raise UsageError(str(output), f"the output must end in one of {kinds}")
    return write


def _check_header(header: Path) -> None:
    """Do not overwrite a header that somebody wrote by hand."""
    if not header.exists():
        return
    if not header.is_file() or not _begins(header, WRITTEN_BY):
        raise UserError(
            str(header),
            "this header was not written by xbuf build; choose another output",
        )


def _begins(file: Path, text: str) -> bool:
    with file.open(encoding="utf-8", errors="replace") as stream:
        return stream.read(len(text)) == text


def _write_object(built: BuiltModule, target: Target, output: Path) -> None:
    write_bytes(output, built.code.object())


def _write_library(built: BuiltModule, target: Target, output: Path) -> None:
    with TemporaryDirectory() as directory:
        object_ = Path(directory) / "program.o"
        object_.write_bytes(built.code.object())
        libraries = ("gomp",) if _needs_threads(built) else ()
        library = object_.with_suffix(".so")
        link(target, [object_], library, shared=True, libraries=libraries)
        write_bytes(output, library.read_bytes(), PROGRAM)


def _needs_threads(built: BuiltModule) -> bool:
    code = built.code
    return isinstance(code, TargetCode) and abi.GOMP_PARALLEL in code.undefined()


def _write_assembly(built: BuiltModule, target: Target, output: Path) -> None:
    write_text(output, built.code.assembly())


def _write_llvm_ir(built: BuiltModule, target: Target, output: Path) -> None:
    write_text(output, built.code.llvm_ir())


_WRITERS: Final[Mapping[str, Callable[[BuiltModule, Target, Path], None]]] = {
    ".o": _write_object,
    ".so": _write_library,
    ".s": _write_assembly,
    ".ll": _write_llvm_ir,
}
