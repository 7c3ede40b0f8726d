"""What `xbuf explain` does: read a program, explain its copies, show that.

- `xbuf explain mlp.mlir`: the program with the reasons of its copies.
- `xbuf explain mlp.mlir --function layer1`: one function of the program.
- `xbuf explain mlp.mlir --json`: the same for programs.
- `xbuf explain mlp.mlir --html mlp.html`: a page to look at, with memory over time.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl_bufferization.explanation.explain import explain_source
from xdsl_bufferization.explanation.report import Explanation
from xdsl_bufferization.explanation.source import read_source
from xdsl_bufferization.support.escaping import in_terminal
from xdsl_bufferization.support.whole_files import write_text

from ..common.colours import wants_colour
from ..common.diagnostics import UserError
from ..common.program import donated_names, name_of, parse_passes, read_text, verify
from ..common.progress import stage
from .explain_text import STYLES, format_explanation


@dataclass(frozen=True)
class ExplainOptions:
    """What to explain, and how to show it."""

    file: str
    pipeline: str
    function: str | None = None
    json: bool = False
    donate: Sequence[str] = ()
    """The arguments that callers give away, by name."""
    html: str | None = None
    """Where to write a page; None for none."""
    verify: bool = False
    """Whether to prove decisions and deallocations."""


def explain_file(options: ExplainOptions) -> Explanation:
    """Explain the program of a file; errors are those that `diagnostics` describes."""
    passes = parse_passes(options.pipeline)
    file = name_of(options.file)
    with stage("parsing"):
        source = read_source(read_text(options.file), file)
        verify(source.module)
    wants_memory = options.json or options.html is not None
    with stage("explaining"):
        explanation = explain_source(
            source,
            passes,
            donated=donated_names(source.module, file, options.donate),
            wants_memory=wants_memory,
            wants_proofs=options.verify,
        )
    if options.function is None:
        return explanation
    names = [each.name for each in explanation.functions]
    if options.function not in names:
        known = ", ".join(f"@{name}" for name in names) or "none with a body"
        raise UserError(
            file, f"there is no function @{options.function}; there is {known}"
        )
    return replace(
        explanation,
        functions=tuple(
            each for each in explanation.functions if each.name == options.function
        ),
    )


def show_explanation(options: ExplainOptions) -> None:
    """Write the explanation to the standard output, or as a page into a file."""
    explanation = explain_file(options)
    if options.html is not None:
        _write_page(options.html, explanation)
        if not options.json:
            return
    if options.json:
        sys.stdout.write(explanation.as_json() + "\n")
        return
    lines = format_explanation(explanation, wants_colour(sys.stdout))
    sys.stdout.writelines(f"{in_terminal(line, STYLES)}\n" for line in lines)


def _write_page(file: str, explanation: Explanation) -> None:
    from xdsl_bufferization.explanation.page import render

    try:
        with stage("writing the page"):
            write_text(file, render(explanation))
    except OSError as error:
        raise UserError(file, error.strerror or str(error)) from error
