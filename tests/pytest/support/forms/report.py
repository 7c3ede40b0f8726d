"""What a matrix covers, in words: ops, forms, passes, cells, and what it left out."""

from collections import Counter
from collections.abc import Iterator

from support.forms.catalogue import FAMILIES, NO_FORM, OTHERS
from support.forms.cells import Finding, Matrix
from support.forms.refusals import is_expected
from support.forms.routes import NO_ROUTE


def lines_of(matrix: Matrix, seconds: float) -> Iterator[str]:
    """The report of what was run."""
    kinds: Counter[str] = Counter()
    for (_, _, kind), count in matrix.counts.items():
        kinds[kind] += count
    ops = {op for op, _, _ in matrix.counts}
    routes = {route for _, route, _ in matrix.counts}
    yield f"ops: {len(ops)}, forms: {matrix.programs}, routes: {len(routes)}"
    yield (
        f"cells: {sum(kinds.values())}; right: {kinds['right']}, refused: "
        f"{kinds['refused']}, wrong: {kinds['wrong']}; codes executed: "
        f"{matrix.executed}; seconds: {seconds:.0f}"
    )
    yield from _refusals(matrix)
    yield from _not_covered()
    yield from _findings(matrix.findings)


def _refusals(matrix: Matrix) -> Iterator[str]:
    yield "refused:"
    messages: Counter[str] = Counter()
    for (route, message), count in matrix.refusals.items():
        new = "" if is_expected(route, message) else "NEW: "
        messages[f"{new}{message}"] += count
    for message, count in messages.most_common():
        yield f"  {count} times: {message}"


def _not_covered() -> Iterator[str]:
    yield "not covered:"
    for name, reason in (*NO_FORM.items(), *OTHERS.items(), *NO_ROUTE.items()):
        yield f"  {name}: {reason}"
    for family in FAMILIES.values():
        for reason in sorted(family.left_out()):
            yield f"  {family.name}: no form, as {reason}"
        count, left = family.pairs()
        yield f"  {family.name}: {left} of {count} pairs of values are in no program"


def _findings(findings: list[Finding]) -> Iterator[str]:
    """What is wrong, with all routes that a program is wrong on in the same way."""
    routes: dict[tuple[str, str], list[str]] = {}
    for each in findings:
        message = each.message.replace(each.route, "the route")
        routes.setdefault((each.program.description, message), []).append(each.route)
    for (description, message), names in routes.items():
        others = f" and {len(names) - 1} more routes" if len(names) > 1 else ""
        yield f"WRONG: {names[0]}{others}: {message}\n  {description}"


def unexpected(matrix: Matrix) -> list[str]:
    """What is wrong, and refusals that nobody has written down."""
    refused = [
        f"{route} refuses: {message}"
        for route, message in matrix.refusals
        if not is_expected(route, message)
    ]
    return [*_findings(matrix.findings), *refused]
