"""What a matrix covers, in words: ops, forms, passes, cells, and what it left out."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from harness.matrix.catalogue import FAMILIES, NO_FORM, OTHERS
from harness.matrix.cells import Cells, Finding
from harness.matrix.execution import REFUSED, RIGHT, WRONG
from harness.matrix.family import Family
from harness.matrix.optional_parts import LEFT_OUT
from harness.matrix.refusals import is_expected
from harness.matrix.routes import NO_ROUTE


@dataclass
class Run:
    """What was run, and what was not."""

    cells: Cells = field(default_factory=Cells)
    not_run: list[str] = field(default_factory=list[str])
    """The parts that the run had not ended when it was stopped."""


def lines_of(run: Run, seconds: float) -> Iterator[str]:
    """The report of what was run."""
    cells = run.cells
    kinds: Counter[str] = Counter()
    for (_, _, kind), count in cells.counts.items():
        kinds[kind] += count
    routes = {route for _, route, _ in cells.counts}
    pairs = {(op, route) for ops, route, _ in cells.counts for op in ops.split(", ")}
    yield (
        f"ops: {len(cells.ops)}, forms: {cells.programs}, routes: {len(routes)}, pairs "
        f"of an op and a route: {len(pairs)}"
    )
    yield (
        f"cells: {sum(kinds.values())}; right: {kinds['right']}, refused: "
        f"{kinds['refused']}, wrong: {kinds['wrong']}; codes executed: "
        f"{cells.executed}; seconds: {seconds:.0f}, of the processors: "
        f"{_processors():.0f}"
    )
    yield f"proofs: {dict(cells.proofs)}, not decided: {cells.undecided.total()}"
    for reason, count in cells.undecided.most_common():
        yield f"  {count} times: {reason}"
    yield from _by_dialect(cells)
    yield "forms that no pipeline takes:"
    for (op, message), count in cells.untaken.items():
        yield f"  {count} of {op}: {message}"
    yield from _refusals(cells)
    yield from _not_covered()
    for name in run.not_run:
        yield f"  {name}: was not run"
    yield from _findings(cells.findings)


def _processors() -> float:
    """The seconds that this process and those that have ended took."""
    used = map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def _by_dialect(cells: Cells) -> Iterator[str]:
    """A cell counts for each dialect that its forms are of."""
    ops: Counter[str] = Counter(op.partition(".")[0] for op in cells.ops)
    kinds: Counter[tuple[str, str]] = Counter()
    for (names, _, kind), count in cells.counts.items():
        for dialect in {op.partition(".")[0] for op in names.split(", ")}:
            kinds[dialect, kind] += count
    yield "| dialect | ops | cells that are right | refused | wrong |"
    yield "|---|---|---|---|---|"
    for dialect, count in sorted(ops.items()):
        answers = (kinds[dialect, kind] for kind in (RIGHT, REFUSED, WRONG))
        yield f"| {dialect} | {count} | {' | '.join(map(str, answers))} |"


def _refusals(cells: Cells) -> Iterator[str]:
    yield "refused:"
    messages: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for (route, message), count in cells.refusals.items():
        new = "" if is_expected(route, message) else "NEW: "
        messages[f"{new}{message}"] += count
        if new:
            description = cells.examples[route, message]
            examples[f"{new}{message}"] = f"\n    {route}\n    {description}"
    for message, count in messages.most_common():
        yield f"  {count} times: {message}{examples.get(message, '')}"


def _not_covered() -> Iterator[str]:
    yield "not covered:"
    for name, reason in (*NO_FORM.items(), *OTHERS.items(), *NO_ROUTE.items()):
        yield f"  {name}: {reason}"
    for part, reason in LEFT_OUT:
        yield f"  optional part {part}: {reason}"
    for family in FAMILIES.values():
        for reason in sorted(family.left_out()):
            yield f"  {family.name}: no form, as {reason}"
        if isinstance(family, Family):
            count, left = family.pairs()
            yield f"  {family.name}: {left} of {count} pairs of values have no program"


def _findings(findings: list[Finding]) -> Iterator[str]:
    """What is wrong, with all routes that a program is wrong on in the same way."""
    routes: dict[tuple[str, str], list[str]] = {}
    for each in findings:
        message = each.message.replace(each.route, "the route")
        routes.setdefault((each.program.description, message), []).append(each.route)
    for (description, message), names in routes.items():
        yield f"WRONG: {names[0]}{_and_more(names)}: {message}\n  {description}"


def unexpected(cells: Cells) -> list[str]:
    """What is wrong, and refusals that nobody has written down."""
    routes: dict[str, list[str]] = {}
    for route, message in cells.refusals:
        if not is_expected(route, message):
            routes.setdefault(message, []).append(route)
    refused = [
        f"{names[0]}{_and_more(names)} refuses: {message}\n"
        f"  {cells.examples[names[0], message]}"
        for message, names in routes.items()
    ]
    return [*_findings(cells.findings), *refused]


def _and_more(names: list[str]) -> str:
    return f" and {len(names) - 1} more routes" if len(names) > 1 else ""
