"""What `xbuf profile` does: run a program, and show which of its parts took the time.

- `xbuf profile mlp.mlir`: a table, the slowest part first.
- `xbuf profile mlp.mlir --json`: the same for programs.
- `xbuf profile mlp.mlir --html mlp.html`: a page with the program beside the table.
"""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from xdsl_bufferization.explanation.profile import (
    Profiler,
    TimedNest,
    format_milliseconds,
)
from xdsl_bufferization.explanation.source import read_source
from xdsl_bufferization.pipelines.python_callers import expect_python_callers
from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.support.escaping import in_terminal
from xdsl_bufferization.support.whole_files import write_text

from .common.diagnostics import UserError
from .common.program import (
    entry_of,
    keep_buffers_public,
    name_of,
    parse_passes,
    read_text,
    run_passes,
    verify,
)
from .common.progress import stage
from .run.call import Call

_WARM_UP = 2


@dataclass(frozen=True)
class ProfileOptions:
    """What to run, and how to show where its time goes."""

    file: str
    pipeline: str
    entry: str | None = None
    inputs: str | None = None
    seed: int = 0
    calls: int = 20
    threads: int = 0
    json: bool = False
    html: str | None = None
    """Where to write a page; None for none."""


@dataclass(frozen=True)
class Profile:
    """What the calls of a program took."""

    text: str
    calls: int
    seconds: float
    """Of all calls, with what no part of the program took."""

    nests: list[TimedNest]


def profile_file(options: ProfileOptions) -> Profile:
    """Run the program of a file; errors are those that `diagnostics` describes."""
    passes = parse_passes(options.pipeline)
    with stage("parsing"):
        source = read_source(read_text(options.file), name_of(options.file))
        module = source.clone_module()
        verify(module)
    entry = entry_of(module, options.file, options.entry)
    call = Call.of(entry, options.file, inputs=options.inputs, seed=options.seed)
    expect_python_callers(module)
    with stage("bufferizing"):
        run_passes(module, passes)
    keep_buffers_public(module, call.function)
    profiler = Profiler()
    try:
        with stage("compiling"):
            compiled = profiler.compile(module, threads=options.threads)
    except EngineError as error:
        raise UserError(call.place, str(error)) from error
    with stage("running"):
        for _ in range(_WARM_UP):
            arguments, margins = call.prepare_guarded()
            call.make(compiled, arguments)
            call.check(margins)
        profiler.reset()
        seconds = 0.0
        for _ in range(options.calls):
            arguments = call.prepare()
            started = time.perf_counter()
            call.make(compiled, arguments)
            seconds += time.perf_counter() - started
    return Profile(source.text, options.calls, seconds, profiler.nests())


def show_profile(options: ProfileOptions) -> None:
    """Write the profile to the standard output, or as a page into a file."""
    profile = profile_file(options)
    if options.html is not None:
        _write_page(options, profile)
        if not options.json:
            return
    if options.json:
        sys.stdout.write(f"{json.dumps(_as_data(profile), indent=2)}\n")
        return
    sys.stdout.writelines(f"{in_terminal(line)}\n" for line in _lines(profile))


def _as_data(profile: Profile) -> dict[str, object]:
    return {
        "calls": profile.calls,
        "seconds": profile.seconds,
        "nests": [asdict(nest) for nest in profile.nests],
    }


def _lines(profile: Profile) -> Iterator[str]:
    calls, whole = profile.calls, profile.seconds
    timed = sum(nest.seconds for nest in profile.nests)
    yield (
        f"{calls} calls, {format_milliseconds(whole / calls)} ms each; "
        f"{_percent(timed, whole):.0f} % of that in these parts:"
    )
    yield ""
    yield f"{'share %':>8}{'ms':>10}{'runs':>7}  {'kind':<11}{'lines':<12}what"
    for nest in profile.nests:
        lines = ",".join(map(str, nest.lines))
        yield (
            f"{_percent(nest.seconds, whole):>8.1f}"
            f"{format_milliseconds(nest.seconds / calls):>10}{nest.runs / calls:>7g}"
            f"  {nest.kind:<11}{lines:<12}{nest.what}"
        )


def _percent(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0


def _write_page(options: ProfileOptions, profile: Profile) -> None:
    from xdsl_bufferization.explanation.profile_page import render_profile

    assert options.html is not None
    page = render_profile(
        name_of(options.file),
        profile.text,
        profile.nests,
        profile.calls,
        profile.seconds,
    )
    try:
        with stage("writing the page"):
            write_text(options.html, page)
    except OSError as error:
        raise UserError(options.html, error.strerror or str(error)) from error
