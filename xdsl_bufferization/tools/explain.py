"""What `xbuf explain` does: read a program, explain its copies, show that.

xbuf explain mlp.mlir                      the program with the reasons of its copies
xbuf explain mlp.mlir --function layer1    one function of it
xbuf explain mlp.mlir --json               the same for programs
"""

import sys
from dataclasses import dataclass, replace

from xdsl_bufferization.explanation.explain import explain_source
from xdsl_bufferization.explanation.report import Explanation
from xdsl_bufferization.explanation.source import read_source
from xdsl_bufferization.tools.diagnostics import UserError
from xdsl_bufferization.tools.explain_text import format_explanation
from xdsl_bufferization.tools.program import parse_passes, read_text, verify


@dataclass(frozen=True)
class ExplainOptions:
    """What to explain, and how to show it."""

    file: str
    pipeline: str
    function: str | None = None
    json: bool = False


def explain_file(options: ExplainOptions) -> Explanation:
    """Explain the program of a file; errors are those that `diagnostics` describes."""
    passes = parse_passes(options.pipeline)
    file = "<stdin>" if options.file == "-" else options.file
    source = read_source(read_text(options.file), file)
    verify(source.module)
    explanation = explain_source(source, passes)
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
    """Write the explanation to the standard output."""
    explanation = explain_file(options)
    if options.json:
        sys.stdout.write(explanation.as_json() + "\n")
        return
    lines = format_explanation(explanation, sys.stdout.isatty())
    sys.stdout.writelines(f"{line}\n" for line in lines)
