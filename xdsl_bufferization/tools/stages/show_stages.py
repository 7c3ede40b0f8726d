"""What `xbuf stages` does: follow a program, and show or write each stage.

Stages are shown and written as they come: when a pass fails, those before it are there.
"""

import difflib
import shutil
import sys
from dataclasses import dataclass

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.explanation.caller_copies import find_caller_copies, in_words
from xdsl_bufferization.explanation.program_text import shorten
from xdsl_bufferization.pipelines.pass_bundle import unbundle
from xdsl_bufferization.pipelines.python_callers import expect_python_callers
from xdsl_bufferization.support.escaping import in_terminal

from ..common import progress
from ..common.colours import wants_colour
from ..common.program import load, parse_passes
from .stage_folder import PAGE, StageFolder
from .stages import Stage, follow, summarize
from .stages_text import STYLES, format_changes

DEFAULT_DIRECTORY = "stages"


@dataclass(frozen=True)
class StagesOptions:
    """What to follow, and where to write it."""

    file: str
    pipeline: str
    directory: str | None = None
    """Where to write files; None shows the changes on standard output instead."""

    is_called: bool = False
    """Whether Python calls the functions, as `xbuf run` does: callers keep tensors."""

    html: bool = False
    """Also write a page, in `directory` or else in `stages`."""


def show_stages(options: StagesOptions) -> None:
    """Run the pipeline; errors are those that `diagnostics` describes."""
    passes = parse_passes(options.pipeline)
    directory = options.directory
    if options.html and directory is None:
        directory = DEFAULT_DIRECTORY
    folder = None if directory is None else StageFolder(directory)
    with progress.stage("parsing"):
        module = load(options.file, get_context())
    if options.is_called:
        expect_python_callers(module)
    stages: list[Stage] = []
    try:
        for stage in follow(module, passes):
            before = stages[-1] if stages else None
            sys.stdout.write(in_terminal(summarize(stage, before)) + "\n")
            if folder is not None:
                _write(folder, stage, before)
            elif before is not None:
                _show(stage, before)
            stages.append(stage)
        _say_what_is_left_out(len([*unbundle(passes)]), len(stages) - 1)
        for name, copies in find_caller_copies(module).items():
            if copies:
                sys.stdout.write(in_terminal(f"@{name}: {in_words(copies)}") + "\n")
    finally:
        if folder is not None and stages:
            if options.html:
                _write_page(folder, options.file, stages)
            folder.finish()


def _say_what_is_left_out(passes: int, shown: int) -> None:
    """Stages are numbered as all passes are."""
    if shown < passes:
        nothing = passes - shown
        sys.stdout.write(
            f"{nothing} of {passes} passes changed nothing, and are left out\n"
        )


def _show(stage: Stage, before: Stage) -> None:
    width = shutil.get_terminal_size((160, 0)).columns
    lines = format_changes(before.text, stage.text, width, wants_colour(sys.stdout))
    sys.stdout.writelines(f"{in_terminal(line, STYLES)}\n" for line in lines)


def _write(folder: StageFolder, stage: Stage, before: Stage | None) -> None:
    folder.write(stage.file_name, stage.text + "\n")
    if before is not None:
        changes = difflib.unified_diff(
            shorten(before.text).splitlines(keepends=True),
            shorten(stage.text).splitlines(keepends=True),
            before.file_name,
            stage.file_name,
        )
        name = stage.file_name.removesuffix(".mlir") + ".diff"
        folder.write(name, "".join(changes))


def _write_page(folder: StageFolder, file: str, stages: list[Stage]) -> None:
    from .stages_page import render

    folder.write(PAGE, render(f"Stages of {file}", stages))
