"""What each command of `xbuf` calls, given its parsed arguments.

    xbuf explain mlp.mlir --json
        -> show_explanation(ExplainOptions(file="mlp.mlir", json=True, ...))

An exit code is returned. What a command needs is imported when it runs, so that
`xbuf --help` is quick.
"""

import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import fields
from typing import Any, Final, TypeVar

_Options = TypeVar("_Options")


def _filled(make: Callable[..., _Options], given: Namespace, **own: Any) -> _Options:
    """Options with the arguments of the same names; `own` are those of other names."""
    names = {field.name for field in fields(make)} - own.keys()  # pyright: ignore[reportArgumentType]
    return make(**{name: getattr(given, name) for name in names}, **own)


def what_stands_aside() -> str | None:
    """Lines that name what this package does not change or use in the installed xDSL.

    The lines name three kinds: changes of methods that are other ones there, private
    names that are not there, and faults that xDSL has mended.
    """
    from xdsl_bufferization.bufferization.models import attach_now
    from xdsl_bufferization.dialects.xdsl_patches.activate import retired, stood_aside
    from xdsl_bufferization.support.xdsl_releases import missing_names, release

    attach_now()
    lines: list[str] = []
    if names := sorted((*stood_aside(), *missing_names())):
        lines.append(
            f"xDSL {release()} is not one that this package knows, so that less is "
            f"read or more time is taken. Left alone: {', '.join(names)}"
        )
    if names := sorted(retired()):
        lines.append(f"xDSL {release()} needs no correction of: {', '.join(names)}")
    return "\n".join(lines) or None


def gen(given: Namespace) -> int:
    """Print a multi-layer perceptron."""
    from .common.progress import stage
    from .gen.gen import MlpOptions, mlp
    from .gen.gen_layers import Tiles

    options = _filled(
        MlpOptions,
        given,
        bias=given.bias is not None,
        row_bias=given.bias == "row",
        constants=given.kernel == "const",
        named=given.output == "named",
        tiles=given.tiles and Tiles(*given.tiles),
    )
    with stage("generating"):
        text = mlp(options)
    sys.stdout.write(text)
    return 0


_CHECK: Final = "it does what no program may, and xbuf run --checked says what"
_NOT_CHECKED: Final = "it does what no check looks for; docs/contract.md lists that"


def run(given: Namespace) -> int:
    """Run a program and report."""
    from .common.crashes import explained_crashes
    from .common.diagnostics import report
    from .common.generated_for import generating_for
    from .run.run import RunOptions, run
    from .run.run_report import format_outputs, format_rows

    # What the program prints must not get into the object.
    with (
        redirect_stdout(sys.stderr if given.json else sys.stdout),
        generating_for(given.cpu, given.target),
        explained_crashes(given.file, _NOT_CHECKED if given.checked else _CHECK),
    ):
        result = run(_filled(RunOptions, given))
        if given.show:
            sys.stdout.write(format_outputs(result.outputs))
        if given.print:
            sys.stdout.write(format_rows(result.outputs))
    text = result.report.as_json() if given.json else result.report.as_text()
    sys.stdout.write(text + "\n")
    return report(result.problem, given.file) if result.problem else 0


def build(given: Namespace) -> int:
    """Write an object and a header."""
    from .build import BuildOptions, build
    from .common.generated_for import generating_for

    with generating_for(given.cpu, given.target):
        build(_filled(BuildOptions, given, output=given.out))
    return 0


def stages(given: Namespace) -> int:
    """Show what each pass changes."""
    from .common.program import choose_pipeline
    from .stages.show_stages import StagesOptions, show_stages

    pipeline = choose_pipeline(given.pipeline, optimize=given.optimize)
    options = _filled(
        StagesOptions,
        given,
        directory=given.out,
        pipeline=pipeline,
        is_called=given.pipeline is None,
    )
    show_stages(options)
    return 0


def explain(given: Namespace) -> int:
    """Show why copies are made."""
    from .common.program import choose_pipeline
    from .explain.explain import ExplainOptions, show_explanation

    # Kernels need another program, in which nobody finds the lines that were written.
    pipeline = choose_pipeline(given.pipeline, optimize=False)
    show_explanation(_filled(ExplainOptions, given, pipeline=pipeline))
    return 0


def profile(given: Namespace) -> int:
    """Show which parts of a program take the time."""
    from .common.crashes import explained_crashes
    from .common.generated_for import generating_for
    from .common.program import choose_pipeline
    from .profile import ProfileOptions, show_profile

    pipeline = choose_pipeline(
        given.pipeline, optimize=given.optimize, threads=given.threads
    )
    with generating_for(given.cpu), explained_crashes(given.file, _CHECK):
        show_profile(_filled(ProfileOptions, given, pipeline=pipeline))
    return 0


def compare(given: Namespace) -> int:
    """Show what other heuristics and options would cost."""
    from .compare import CompareOptions, show_comparison

    show_comparison(_filled(CompareOptions, given))
    return 0


def passes(given: Namespace) -> int:
    """List passes, or describe one."""
    from .passes.passes import show_passes

    show_passes(given.name)
    return 0


def cache(given: Namespace) -> int:
    """Show or clear the cache of compiled code."""
    from .cache import show_cache
    from .common.progress import stage

    with stage("reading the cache"):
        show_cache(clear=given.clear)
    return 0


def lsp(given: Namespace) -> int:
    """Serve an editor."""
    from .lsp.command import serve
    from .lsp.options import LspOptions

    return serve(_filled(LspOptions, given))


def opt(given: Namespace) -> int:
    """Be `xdsl-opt`."""
    from .opt import opt

    return opt(given.arguments)
