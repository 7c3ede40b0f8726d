"""What `xbuf compare` does: show what a program costs with each heuristic and option.

@f
  variant          copies  bytes copied  for the caller  all iterations  peak bytes
  bottom-up             2           128               0            1280          64
* optimal               1            64               0              64          64
  optimal: decided with 1 copy of 64 bytes; no decisions copy fewer bytes

A star is beside what is cheaper than the default, and cheapest. Beside sizes is a
`+ n?` for those n that only the running program knows. Bytes over all iterations are an
estimate; copies that a call makes for its caller count there.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.explanation.comparison import (
    Comparison,
    FunctionFigures,
    compare_options,
)
from xdsl_bufferization.support.escaping import in_terminal

from .common.diagnostics import UserError
from .common.program import donated_names, load
from .common.progress import stage

_HEADINGS: tuple[str, ...] = (
    "variant",
    "copies",
    "bytes copied",
    "for the caller",
    "all iterations",
    "peak bytes",
    "allocations",
)


@dataclass(frozen=True)
class CompareOptions:
    """What to compare, and how to show it."""

    file: str
    donate: Sequence[str] = ()
    """The arguments that callers give away, by name."""
    json: bool = False


def show_comparison(options: CompareOptions) -> None:
    """Write the comparison to the standard output.

    Raises an error if no variant can be bufferized.
    """
    with stage("parsing"):
        module = load(options.file, get_context())
    with stage("comparing"):
        donated = donated_names(module, options.file, options.donate)
        comparison = compare_options(module, options.file, donated)
    first, *_ = comparison.variants
    if first.error is not None and not any(v.functions for v in comparison.variants):
        raise UserError(first.place or options.file, first.error)
    if options.json:
        sys.stdout.write(comparison.as_json() + "\n")
        return
    lines = map(in_terminal, format_comparison(comparison))
    sys.stdout.writelines(f"{line}\n" for line in lines)


def format_comparison(comparison: Comparison) -> Iterator[str]:
    """A table for each function."""
    names = dict.fromkeys(
        each.name for variant in comparison.variants for each in variant.functions
    )
    for number, name in enumerate(names):
        if number:
            yield ""
        yield f"@{name}"
        yield from _format_table(comparison, name)
    for variant in comparison.variants:
        if variant.error is not None:
            yield f"{variant.name}: {variant.place}: {variant.error}"


def _format_table(comparison: Comparison, name: str) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [_HEADINGS]
    stars = [" "]
    default = comparison.variants[0]
    is_default_cheapest = any(
        each.is_cheapest for each in default.functions if each.name == name
    )
    for variant in comparison.variants:
        for each in variant.functions:
            if each.name == name:
                rows.append((variant.name, *_cells(each)))
                is_cheaper = each.is_cheapest and not is_default_cheapest
                stars.append("*" if is_cheaper else " ")
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for star, (first, *others) in zip(stars, rows, strict=True):
        cells = [f"{first:{widths[0]}}"]
        cells += (f"{c:>{w}}" for c, w in zip(others, widths[1:], strict=True))
        yield f"{star} {'  '.join(cells)}"
    if is_default_cheapest:
        yield f"  nothing is cheaper than {default.name}, the default"
    for variant in comparison.variants:
        for each in variant.functions:
            if each.name == name and each.bound is not None:
                yield f"  {variant.name}: {each.bound}"


def _cells(figures: FunctionFigures) -> tuple[str, ...]:
    return (
        str(figures.copies),
        f"{figures.bytes_copied}{_unknown(figures.dynamic_copies)}",
        str(figures.caller_copies),
        str(figures.estimated_bytes_copied),
        f"{figures.peak}{_unknown(figures.dynamic_allocations)}",
        str(figures.allocations),
    )


def _unknown(number: int) -> str:
    return f" + {number}?" if number else ""
