"""What `xbuf passes` does: list passes and the default pipelines, or describe a pass.

xbuf passes                   buffer-reuse   Let buffers share memory ...
xbuf passes buffer-reuse      what the pass does, and its options with defaults
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from textwrap import wrap
from typing import Final

from xdsl.passes import ModulePass
from xdsl.universe import Universe

from xdsl_bufferization.frontends.default_pipelines import (
    DEFAULT_PIPELINE,
    PLAIN_PIPELINE,
)
from xdsl_bufferization.pipelines.available_passes import available_passes
from xdsl_bufferization.pipelines.pass_bundle import PassBundle
from xdsl_bufferization.pipelines.pass_help import (
    Option,
    details_of,
    options_of,
    purpose_of,
)
from xdsl_bufferization.pipelines.universe import XDSL_BUFFERIZATION_UNIVERSE
from xdsl_bufferization.support.escaping import in_terminal
from xdsl_bufferization.support.suggestions import hint

from ..common.diagnostics import UsageError
from ..common.progress import stage

WIDTH = 88

_UNKNOWN = "(no description)"
"""Some passes of xDSL say nothing about themselves."""

_PIPELINES: Final[Mapping[str, str]] = {
    "Without --pipeline, xbuf run, build and stages run": DEFAULT_PIPELINE,
    "With --no-optimize they run, as does xbuf explain": PLAIN_PIPELINE,
}
"""The passes that commands run."""


def show_passes(name: str | None) -> None:
    """Write all passes, or one, to the standard output."""
    lines = list_passes() if name is None else describe_pass(name)
    sys.stdout.writelines(f"{in_terminal(line).rstrip()}\n" for line in lines)


def list_passes() -> list[str]:
    """A line for each pass, with its purpose, and the default pipelines."""
    ours = XDSL_BUFFERIZATION_UNIVERSE.all_passes
    others = {
        name: load
        for name, load in Universe.get_multiverse().all_passes.items()
        if name not in ours
    }
    lines: list[str] = []
    with stage("loading the passes"):
        for title, passes in (("this package", ours), ("xDSL and others", others)):
            purposes = {name: _purpose(passes[name]) for name in sorted(passes)}
            lines += [f"Passes of {title}:", *_table(purposes), ""]
    for title, pipeline in _PIPELINES.items():
        lines += [f"{title}:", *_pipeline(pipeline), ""]
    return [*lines, "xbuf passes NAME describes a pass and its options."]


def _purpose(load: Callable[[], type[ModulePass]]) -> str:
    try:
        return purpose_of(load()) or _UNKNOWN
    except ImportError as error:
        return f"(needs a package that is not installed: {error.name})"


def _table(texts: Mapping[str, str]) -> Iterator[str]:
    width = max(map(len, texts), default=0)
    for name, text in texts.items():
        yield f"  {name:{width}}  {text}"


def _pipeline(pipeline: str) -> Iterator[str]:
    """The passes of a pipeline, one on a line, so that each can be copied."""
    *most, last = pipeline.split(",")
    yield from (f"  {each}," for each in most)
    yield f"  {last}"


def describe_pass(name: str) -> list[str]:
    """What a pass does, and its options."""
    pass_type = _find(name)
    paragraphs = [purpose_of(pass_type) or _UNKNOWN, *details_of(pass_type)]
    lines = [name, ""]
    for paragraph in paragraphs:
        lines += [*_paragraph(paragraph), ""]
    if issubclass(pass_type, PassBundle):
        passes = ", ".join(each.name for each in pass_type().passes())
        lines += [*_paragraph(f"Runs {passes}."), ""]
    options = options_of(pass_type)
    lines.append("Options:" if options else "It has no options.")
    for option in options:
        lines += _option(option)
    return lines


def _find(name: str) -> type[ModulePass]:
    passes = available_passes()
    if name not in passes:
        meant = hint(name, passes) or "; xbuf passes lists them"
        raise UsageError("xbuf passes", f"there is no pass '{name}'{meant}")
    return passes[name]()


def _paragraph(text: str) -> list[str]:
    if text.startswith(("- ", "1. ")):
        return text.splitlines()
    return wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _option(option: Option) -> Iterator[str]:
    yield f"  {option.name}: {option.type}; default: {option.default}"
    yield from (f"      {line}" for line in wrap(option.meaning, WIDTH - 6))
