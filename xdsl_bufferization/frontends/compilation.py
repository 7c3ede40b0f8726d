"""From a program to object code, by the passes of `jit`.

    built = build("scale.mlir", options)      built.code: ObjectCode of @scale_first
                                              built.names: what the program calls things

All that is needed to compile is imported here, and only when something is compiled.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.short_errors import short_errors
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir
from xdsl_bufferization.explanation.explain import explain_source
from xdsl_bufferization.explanation.profile import Profiler, TimedNest
from xdsl_bufferization.explanation.report import Explanation
from xdsl_bufferization.explanation.source import Source, print_source, read_source
from xdsl_bufferization.pipelines.compile import compile_object
from xdsl_bufferization.pipelines.entry import find_entry
from xdsl_bufferization.pipelines.pass_bundle import run_passes
from xdsl_bufferization.pipelines.pipeline_text import parse_passes
from xdsl_bufferization.pipelines.python_callers import expect_python_callers
from xdsl_bufferization.pipelines.signatures import keep_public
from xdsl_bufferization.pipelines.verified import with_proofs
from xdsl_bufferization.runtime.object_code import ObjectCode
from xdsl_bufferization.support.garbage import without_garbage_collection

from .argument_sizes import ArgumentSizes
from .default_pipelines import default_passes, with_checks
from .doubts import doubts_as_warnings
from .names import Names
from .options import JitOptions
from .program_names import names_of
from .programs import Text
from .reading import characters_of, read
from .stablehlo.recognition import is_stablehlo


@dataclass(frozen=True)
class Built:
    """Code of one function of a program, and what the program calls things."""

    code: ObjectCode
    names: Names


@short_errors()
@without_garbage_collection()
def build(
    program: Text | ModuleOp, options: JitOptions, sizes: ArgumentSizes | None = None
) -> Built:
    """Compile a program, for arguments of these sizes if it must, and load nothing."""
    module, names = lower(program, options, sizes)
    code = compile_object(
        module,
        threads=0 if options.threads is None else options.threads,
        checked=options.checked,
        cpu=options.cpu,
    )
    return Built(code, names)


@short_errors()
def lower(
    program: Text | ModuleOp, options: JitOptions, sizes: ArgumentSizes | None = None
) -> tuple[ModuleOp, Names]:
    """The program on buffers, and what it calls things."""
    module = read(program)
    _refine(module, options, sizes)
    names = names_of(_prepare(module, options))
    passes = _passes(options)
    if options.checked:
        passes = with_checks(passes)
    if options.verified:
        passes = with_proofs(passes)
    with doubts_as_warnings():
        run_passes(passes, get_context(), module)
    return module, names


@short_errors()
def explain(
    program: Text | ModuleOp, options: JitOptions, sizes: ArgumentSizes | None = None
) -> Explanation:
    """The copies that a call makes, and why; lines are those of the text."""
    source = _source(program)
    verify_as_mlir(source.module)
    _refine(source.module, options, sizes)
    function = find_entry(source.module, options.entry, "entry=")
    keep_public(source.module, function.sym_name.data)
    return explain_source(
        source, _passes(options), donated=options.donate, wants_memory=True
    )


@short_errors()
def profile(
    program: Text | ModuleOp,
    options: JitOptions,
    arguments: Sequence[object],
    calls: int,
    sizes: ArgumentSizes | None = None,
) -> list[TimedNest]:
    """How long each part of the program takes, in so many calls together."""
    module, _ = lower(program, options, sizes)
    name = find_entry(module, options.entry, "entry=").sym_name.data
    profiler = Profiler()
    function = profiler.compile(
        module,
        threads=0 if options.threads is None else options.threads,
        checked=options.checked,
        cpu=options.cpu,
    )[name]
    function(*arguments)
    profiler.reset()
    for _ in range(calls):
        function(*arguments)
    return profiler.nests()


def _refine(module: ModuleOp, options: JitOptions, sizes: ArgumentSizes | None) -> None:
    """Give a program of StableHLO the sizes of a call, if it leaves some open."""
    if sizes is None or not is_stablehlo(module):
        return
    # Few programs need it.
    from .refined_arguments import refine_for

    refine_for(module, find_entry(module, options.entry, "entry="), sizes)


def _passes(options: JitOptions) -> tuple[ModulePass, ...]:
    if isinstance(options.passes, str):
        return tuple(parse_passes(options.passes))
    if options.passes is not None:
        return options.passes
    return default_passes(optimize=options.optimize, one_thread=options.threads == 1)


def _source(program: Text | ModuleOp) -> Source:
    if isinstance(program, Text):
        return read_source(characters_of(program), program.place)
    return print_source(read(program))


def _prepare(module: ModuleOp, options: JitOptions) -> FuncOp:
    """Let one function be called from outside, by callers who keep their arrays."""
    function = find_entry(module, options.entry, "entry=")
    keep_public(module, function.sym_name.data)
    expect_python_callers(module)
    return function
