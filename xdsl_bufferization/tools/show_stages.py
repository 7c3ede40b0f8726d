"""What `xbuf stages` does: follow a program, and show or write each stage.

Stages are shown and written as they come: when a pass fails, those before it are there.
"""

import difflib
import shutil
import sys
from dataclasses import dataclass

from xdsl_bufferization.context import get_context
from xdsl_bufferization.escaping import in_terminal
from xdsl_bufferization.explanation.program_text import shorten
from xdsl_bufferization.tools.program import load, parse_passes
from xdsl_bufferization.tools.stages import Stage, follow, summarize, write_file
from xdsl_bufferization.tools.stages_text import STYLES, format_changes

DEFAULT_DIRECTORY = "stages"
PAGE = "index.html"


@dataclass(frozen=True)
class StagesOptions:
    """What to follow, and where to write it."""

    file: str
    pipeline: str
    directory: str | None = None
    """Where to write files; None shows the changes on standard output instead."""

    html: bool = False
    """Also write a page, in `directory` or else in `stages`."""


def show_stages(options: StagesOptions) -> None:
    """Run the pipeline; errors are those that `diagnostics` describes."""
    passes = parse_passes(options.pipeline)
    module = load(options.file, get_context())
    directory = options.directory
    if options.html and directory is None:
        directory = DEFAULT_DIRECTORY
    stages: list[Stage] = []
    try:
        for stage in follow(module, passes):
            before = stages[-1] if stages else None
            sys.stdout.write(in_terminal(summarize(stage, before)) + "\n")
            if directory is not None:
                _write(directory, stage, before)
            elif before is not None:
                _show(stage, before)
            stages.append(stage)
    finally:
        if options.html and directory is not None and stages:
            _write_page(directory, options.file, stages)


def _show(stage: Stage, before: Stage) -> None:
    width = shutil.get_terminal_size((160, 0)).columns
    lines = format_changes(before.text, stage.text, width, sys.stdout.isatty())
    sys.stdout.writelines(f"{in_terminal(line, STYLES)}\n" for line in lines)


def _write(directory: str, stage: Stage, before: Stage | None) -> None:
    write_file(directory, stage.file_name, stage.text + "\n")
    if before is not None:
        changes = difflib.unified_diff(
            shorten(before.text).splitlines(keepends=True),
            shorten(stage.text).splitlines(keepends=True),
            before.file_name,
            stage.file_name,
        )
        name = stage.file_name.removesuffix(".mlir") + ".diff"
        write_file(directory, name, "".join(changes))


def _write_page(directory: str, file: str, stages: list[Stage]) -> None:
    from xdsl_bufferization.tools.stages_page import render

    write_file(directory, PAGE, render(f"Stages of {file}", stages))
