"""The cheapest choice of items of which each rule demands some: by HiGHS, in parts.

costs 3, 1, 2    rules a + b >= 1, b + c >= 1    -> {b}, of cost 1

A rule is a sum of items, each times a whole number, that must reach a whole number.
Rules that share no item are solved apart, and a part is solved again only if it has got
another rule. HiGHS is the package `highspy`, which need not be installed: without it
there is a bound, by raising a price for each rule as far as its items allow.

Source: HiGHS, https://highs.dev. The prices are the dual ascent of R. Bar-Yehuda and
S. Even, "A linear-time approximation algorithm for the weighted vertex cover problem",
Journal of Algorithms 2, 1981.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from .disjoint_sets import DisjointSets

if TYPE_CHECKING:
    import highspy

_INTEGRAL = 1e-6
"""How far a number may be from a whole one that it stands for."""


class Rule(NamedTuple):
    """A sum of items, each times a number, that must be `least` or more."""

    terms: tuple[tuple[int, int], ...]
    least: int


@dataclass(frozen=True)
class Choice:
    """How much of each item is chosen, most often 0 or 1, and what costs at least."""

    amounts: Mapping[int, float]
    """Of the items that rules are about; of all others nothing is chosen."""

    bound: float
    """No choice that follows the rules costs less."""

    is_whole: bool
    """Whether each item is chosen or not, and the cost is the bound."""


def has_solver() -> bool:
    """Whether `highspy` is installed."""
    return find_spec("highspy") is not None


class Covering:
    """Items with costs, and rules that grow in number."""

    def __init__(self, costs: Sequence[float]):
        self._costs = costs
        self._rules: dict[Rule, None] = {}
        self._parts: dict[tuple[Rule, ...], Choice] = {}

    def add(self, rule: Rule) -> bool:
        """Add a rule; whether it is new."""
        is_new = rule not in self._rules
        self._rules[rule] = None
        return is_new

    def choose(self, deadline: float, *, wholly: bool) -> Choice | None:
        """A cheapest choice, of parts of items unless `wholly`; None out of time."""
        amounts: dict[int, float] = {}
        bound, is_whole = 0.0, True
        known, self._parts = self._parts, {}
        for part in self._split():
            choice = known.get(part)
            if choice is None or (wholly and not choice.is_whole):
                choice = _solve(part, self._costs, deadline, wholly)
            if choice is None:
                self._parts = known
                return None
            self._parts[part] = choice
            amounts |= choice.amounts
            bound += choice.bound
            is_whole &= choice.is_whole
        return Choice(amounts, bound, is_whole)

    def find_bound(self) -> float:
        """What any choice costs at least, found without a solver."""
        left = list(self._costs)
        bound = 0.0
        for terms, least in self._rules:
            if least > 0 and all(factor == 1 for _, factor in terms):
                price = min(left[item] for item, _ in terms)
                bound += price
                for item, _ in terms:
                    left[item] -= price
        return bound

    def _split(self) -> list[tuple[Rule, ...]]:
        """The rules in parts that share no item."""
        sets = DisjointSets[int]()
        for terms, _ in self._rules:
            for item, _ in terms[1:]:
                sets.unite(terms[0][0], item)
        parts: dict[int, list[Rule]] = {}
        for rule in self._rules:
            parts.setdefault(sets.find(rule.terms[0][0]), []).append(rule)
        return [tuple(part) for part in parts.values()]


def _solve(
    rules: Sequence[Rule], costs: Sequence[float], deadline: float, wholly: bool
) -> Choice | None:
    items = sorted({item for rule in rules for item, _ in rule.terms})
    if len(items) == 1:
        return Choice({items[0]: 1.0}, costs[items[0]], True)
    return _run_solver(rules, items, costs, deadline, wholly)


def _run_solver(
    rules: Sequence[Rule],
    items: Sequence[int],
    costs: Sequence[float],
    deadline: float,
    wholly: bool,
) -> Choice | None:
    import highspy

    left = deadline - perf_counter()
    if left <= 0:
        return None
    solver = _quiet_solver()
    for option, value in (
        ("threads", 1),
        ("time_limit", left),
        ("mip_rel_gap", 0.0),
        ("mip_abs_gap", 1e-7),
    ):
        solver.setOptionValue(option, value)
    solver.passModel(_write_model(rules, items, costs, wholly))
    solver.run()
    status = solver.getModelStatus()
    info = solver.getInfo()
    if status != highspy.HighsModelStatus.kOptimal:
        return None
    amounts = dict(zip(items, solver.getSolution().col_value, strict=True))
    bound = info.mip_dual_bound if wholly else info.objective_function_value
    is_whole = all(min(abs(a), abs(a - 1)) < _INTEGRAL for a in amounts.values())
    return Choice(amounts, bound, is_whole)


def _quiet_solver() -> "highspy.Highs":
    """A solver that writes nothing to the standard output."""
    import highspy

    class QuietHighs(highspy.Highs):
        # The callbacks that its base class switches on write a banner.
        def __init__(self) -> None:
            super(highspy.Highs, self).__init__()
            self.silent()

    return QuietHighs()


def _write_model(
    rules: Sequence[Rule], items: Sequence[int], costs: Sequence[float], wholly: bool
) -> "highspy.HighsLp":
    import highspy

    columns = {item: column for column, item in enumerate(items)}
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(items), len(rules)
    model.col_cost_ = [costs[item] for item in items]
    model.col_lower_ = [0.0] * len(items)
    model.col_upper_ = [1.0] * len(items)
    model.row_lower_ = [float(rule.least) for rule in rules]
    model.row_upper_ = [highspy.kHighsInf] * len(rules)
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    starts, places, factors = [0], list[int](), list[float]()
    for rule in rules:
        places += (columns[item] for item, _ in rule.terms)
        factors += (float(factor) for _, factor in rule.terms)
        starts.append(len(places))
    matrix.start_, matrix.index_, matrix.value_ = starts, places, factors
    if wholly:
        model.integrality_ = [highspy.HighsVarType.kInteger] * len(items)
    return model
