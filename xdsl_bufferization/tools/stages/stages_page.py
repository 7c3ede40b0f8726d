"""Stages as one HTML file without references to others: a list, and a diff for each.

The page is `stages_page.html` beside this file, with these in place of its marks:

    <!-- list -->      a link for each stage, with what it took and how much there is
    <!-- stages -->    a section for each stage: its figures, then its diff
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from ..common.side_by_side import Kind, Row, compare, fold
from .stages import Stage

CONTEXT = 4
"""Lines around a change that are never folded."""

_MARKS = {Kind.SAME: " ", Kind.RENAMED: "~", Kind.CHANGED: "|"}
_OP_NAMES_SHOWN = 12
_ONE_COLUMN = ("diff one", "The program")
_COLUMNS = (
    '<colgroup><col class="n"><col><col class="m"><col class="n"><col></colgroup>'
)


def render(title: str, stages: Sequence[Stage]) -> str:
    """The whole page."""
    template = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
    befores: Iterable[Stage | None] = (None, *stages[:-1])
    sections = [
        _section(stage, before) for stage, before in zip(stages, befores, strict=True)
    ]
    items = [_item(stage) for stage in stages]
    return (
        template.replace("<!-- title -->", escape(title))
        .replace("<!-- list -->", "\n".join(items))
        .replace("<!-- stages -->", "\n".join(sections))
    )


def _item(stage: Stage) -> str:
    name, _, options = stage.name.partition("{")
    title = f' title="{escape(stage.name)}"' if options else ""
    count = sum(stage.ops.values())
    return (
        f'<li><a href="#s{stage.number}"{title}><b>{stage.number:02}</b> '
        f"<span>{escape(name)}</span><small>{_counted(count, 'op', 'ops')}, "
        f"{_counted(stage.allocations, 'alloc', 'allocs')}, "
        f"{stage.allocated_bytes:,}&nbsp;B, "
        f"{_counted(stage.copies, 'copy', 'copies')}{_time(stage)}</small></a></li>"
    )


def _counted(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"


def _section(stage: Stage, before: Stage | None) -> str:
    rows = compare(before.text if before else stage.text, stage.text)
    # The input has nothing before it, so that one column is enough.
    kind, caption = ("diff", "Before and after the pass") if before else _ONE_COLUMN
    parts = [
        f'<section id="s{stage.number}" aria-labelledby="h{stage.number}">',
        f'<h2 id="h{stage.number}">{stage.number:02} {escape(stage.name)}</h2>',
        _figures(stage, before),
        _op_counts(stage, before),
        f'<table class="{kind}"><caption>{caption}</caption>{_COLUMNS}',
        *_bodies(rows),
        "</table></section>",
    ]
    return "\n".join(parts)


def _time(stage: Stage) -> str:
    """What the pass took; nothing for the input, which no pass made."""
    return f", {stage.seconds * 1000:.1f}&nbsp;ms" if stage.number else ""


def _figures(stage: Stage, before: Stage | None) -> str:
    figures = {
        "ops": (sum(stage.ops.values()), before and sum(before.ops.values())),
        "allocations": (stage.allocations, before and before.allocations),
        "bytes": (stage.allocated_bytes, before and before.allocated_bytes),
        "copies": (stage.copies, before and before.copies),
    }
    cells = [
        f"<div><dt>{name}</dt><dd>{now:,}{_change(now, then)}</dd></div>"
        for name, (now, then) in figures.items()
    ]
    if before is not None:
        time = f"{stage.seconds * 1000:.1f}"
        cells.append(f"<div><dt>ms</dt><dd>{time}</dd></div>")
    return f"<dl>{''.join(cells)}</dl>"


def _op_counts(stage: Stage, before: Stage | None) -> str:
    """The names of ops whose number the pass changed; of the input, the frequent."""
    if before is None:
        names = list(stage.ops)[:_OP_NAMES_SHOWN]
    else:
        both = {**before.ops, **stage.ops}
        names = [n for n in both if stage.ops.get(n, 0) != before.ops.get(n, 0)]
    cells = (
        f"<li><code>{escape(name)}</code> {stage.ops.get(name, 0)}"
        f"{_change(stage.ops.get(name, 0), before and before.ops.get(name, 0))}</li>"
        for name in sorted(names)
    )
    return f'<ul class="ops">{"".join(cells)}</ul>'


def _change(now: int, then: int | None) -> str:
    if then is None or now == then:
        return ""
    return f" <i>({now - then:+,})</i>"


def _bodies(rows: list[Row]) -> Iterator[str]:
    """Table bodies: what is far from changes is folded until it is asked for."""
    numbers = list(_line_numbers(rows))
    is_all_far = all(row.kind is not Kind.CHANGED for row in rows)
    start = 0
    for is_far, run in fold(rows, CONTEXT):
        lines = "".join(map(_line, run, numbers[start : start + len(run)]))
        start += len(run)
        if is_far and not is_all_far:
            yield (
                '<tbody class="fold"><tr><td colspan="5"><button>'
                f"{len(run)} lines without changes</button></td></tr></tbody>\n"
                f"<tbody hidden>{lines}</tbody>\n"
            )
        else:
            yield f"<tbody>{lines}</tbody>\n"


def _line_numbers(rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    left = right = 0
    for row in rows:
        left += row.left is not None
        right += row.right is not None
        yield (
            "" if row.left is None else str(left),
            "" if row.right is None else str(right),
        )


def _line(row: Row, numbers: tuple[str, str]) -> str:
    mark = "<" if row.right is None else ">" if row.left is None else _MARKS[row.kind]
    kinds = (
        "gone" if row.kind is Kind.CHANGED and row.left is not None else "",
        "new" if row.kind is Kind.CHANGED and row.right is not None else "",
    )
    return (
        f"<tr><td>{numbers[0]}</td>{_cell(row.left, kinds[0])}<td>{escape(mark)}</td>"
        f"<td>{numbers[1]}</td>{_cell(row.right, kinds[1])}</tr>\n"
    )


def _cell(line: str | None, kind: str) -> str:
    return f'<td class="c {kind}">{escape(line or "")}</td>'
