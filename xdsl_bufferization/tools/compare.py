"""What `xbuf compare` does: show what a program costs with each heuristic and option.

@f
  analysis-heuristic          copies  bytes copied  all iterations  peak bytes
  bottom-up                        2           128            1280          64
* optimal                          1            64              64          64
  optimal: decided with 1 copy of 64 bytes; no decisions copy fewer bytes

Beside the cheapest variants is a star, beside sizes a `+ n?` for those n that only the
running program knows. Bytes over all iterations are an estimate.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.explanation.comparison import (
    Comparison,
    FunctionFigures,
    compare_options,
)
from xdsl_bufferization.support.escaping import in_terminal

from .common.diagnostics import UserError
from .common.program import load
from .common.progress import stage

_HEADINGS: tuple[str, ...] = (
    "variant",
    "copies",
    "bytes copied",
    "all iterations",
    "peak bytes",
    "allocations",
)


@dataclass(frozen=True)
class CompareOptions:
    """What to compare, and how to show it."""

    file: str
    json: bool = False


def show_comparison(options: CompareOptions) -> None:
    """Write the comparison to the standard output.

    Raises an error if no variant can be bufferized.
    """
    with stage("parsing"):
        module = load(options.file, get_context())
    with stage("comparing"):
        comparison = compare_options(module, options.file)
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
    for variant in comparison.variants:
        for each in variant.functions:
            if each.name == name:
                rows.append((variant.name, *_cells(each)))
                stars.append("*" if each.is_cheapest else " ")
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for star, (first, *others) in zip(stars, rows, strict=True):
        cells = [f"{first:{widths[0]}}"]
        cells += (f"{c:>{w}}" for c, w in zip(others, widths[1:], strict=True))
        yield f"{star} {'  '.join(cells)}"
    for variant in comparison.variants:
        for each in variant.functions:
            if each.name == name and each.bound is not None:
                yield f"  {variant.name}: {each.bound}"


def _cells(figures: FunctionFigures) -> tuple[str, ...]:
    return (
        str(figures.copies),
        f"{figures.bytes_copied}{_unknown(figures.dynamic_copies)}",
        str(figures.estimated_bytes_copied),
        f"{figures.peak}{_unknown(figures.dynamic_allocations)}",
        str(figures.allocations),
    )


def _unknown(number: int) -> str:
    return f" + {number}?" if number else ""
