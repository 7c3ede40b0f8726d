"""Random programs on memrefs whose functions have several blocks, freeing nothing.

The blocks of a function, or of an `scf.execute_region`, lead to each other at random:
by `cf.br`, `cf.cond_br` (both edges to one block, too) and `cf.switch`. Loops need not
be reducible, and there are several returns. From each block some return can be reached,
and decisions are random, so that every run ends.

    ^b1(%x: memref<8xf32>):
      ...                              ops as in `buffer_programs`, structured ones too
      %c = func.call @choose() : () -> i1
      cf.cond_br %c, ^b1(%y : memref<8xf32>), ^b3
"""

import random
from dataclasses import dataclass

from typing_extensions import override

from harness.programs.buffer_programs import (
    ARGUMENTS,
    Generator,
    Maker,
    Style,
    Value,
    native_text,
)
from xdsl_bufferization.support.algorithms.dominance import (
    UNREACHABLE,
    immediate_dominators,
)

__all__ = ["ARGUMENTS", "GraphStyle", "generate", "generate_native"]


@dataclass(frozen=True)
class GraphStyle(Style):
    """What programs contain, next to the ops of `Style`."""

    max_blocks: int = 6
    """How many blocks a function has at most; their number is random."""

    recursion: bool = True
    unreachable: bool = False
    """Whether there may be blocks that nothing leads to."""

    forward: bool = False
    """Whether blocks only lead to later ones: no loops."""

    switches: bool = True
    same_target: bool = True
    """Whether both edges of a `cf.cond_br` may lead to one block."""


class GraphGenerator(Generator):
    """Writes one program."""

    style: GraphStyle

    def __init__(self, seed: int, style: GraphStyle):
        super().__init__(seed, style)
        self.graph = style
        self.blocks = 0

    @override
    def _function(
        self, name: str, visibility: str, arguments: list[str], results: list[str]
    ) -> None:
        values = [Value(self._new(), type_) for type_ in arguments]
        signature = ", ".join(f"{v.name}: {v.type}" for v in values)
        returned = f" -> ({', '.join(results)})" if results else ""
        self.lines.append(f"func.func {visibility}@{name}({signature}){returned} {{")
        for number in (0, 1, 3, 4):
            self.lines.append(f"%c{number} = arith.constant {number} : index")
        if self.graph.recursion and not self.is_main:
            # Calls itself less often than it is called otherwise: every run ends.
            self.callees.append((name, arguments, results))
        self._body(values, "func.return", results, 0)
        self.lines.append("}")

    def _body(
        self, scope: list[Value], end: str, results: list[str], depth: int
    ) -> None:
        """A region of several blocks; the first one has been opened."""
        successors = self._graph(2 if depth else self.graph.max_blocks)
        names = [f"^b{self.blocks + number}" for number in range(len(successors))]
        self.blocks += len(successors)
        arguments = [
            [Value(self._new(), type_) for type_ in self._types(self._few())]
            for _ in successors
        ]
        dominators = immediate_dominators(successors, 0)
        scopes: dict[int, list[Value]] = {}
        texts: dict[int, list[str]] = {}
        outer = self.lines
        order = sorted(range(len(successors)), key=lambda n: _depth(dominators, n))
        for number in order:
            dominator = dominators[number]
            is_known = number and dominator != UNREACHABLE
            visible = [*(scopes[dominator] if is_known else scope)]
            self.lines = texts[number] = []
            if number:
                visible += arguments[number]
                self._label(names[number], arguments[number])
            self._block(visible, depth + 1)
            targets = [(names[s], arguments[s]) for s in successors[number]]
            self._leave(visible, targets, end, results)
            scopes[number] = visible
        self.lines = outer
        for number in range(len(successors)):
            self.lines += texts[number]

    def _label(self, name: str, arguments: list[Value]) -> None:
        typed = ", ".join(f"{value.name}: {value.type}" for value in arguments)
        self.lines.append(f"{name}({typed}):" if typed else f"{name}:")

    def _few(self) -> int:
        return self.random.choice((0, 0, 1, 1, 1, 2, 3))

    def _graph(self, most: int) -> list[list[int]]:
        """For each block those that it leads to; some return is always in reach."""
        count = self.random.randrange(1, most + 1)
        if count == 1:
            return [[]]
        while True:
            graph = [self._successors(number, count) for number in range(count)]
            reached = _reached(graph, 0)
            is_fine = len(reached) == count or self.graph.unreachable
            if is_fine and all(
                any(not graph[end] for end in _reached(graph, start))
                for start in range(count)
            ):
                return graph

    def _successors(self, number: int, count: int) -> list[int]:
        first = number + 1 if self.graph.forward else 1
        if first >= count:
            return []
        kinds = (0, 1, 1, 1, 2, 2, 2, 2, 3) if number else (1, 2, 2, 3)
        ways = self.random.choice(kinds)
        if ways == 3 and not self.graph.switches:
            ways = 2
        found = [self.random.randrange(first, count) for _ in range(ways)]
        if ways == 2 and found[0] == found[1] and not self.graph.same_target:
            return found[:1]
        return found

    def _leave(
        self,
        scope: list[Value],
        targets: list[tuple[str, list[Value]]],
        end: str,
        results: list[str],
    ) -> None:
        if not targets:
            self._terminator(end, [self._pick(scope, type_) for type_ in results])
            return
        passed: list[str] = []
        for name, arguments in targets:
            chosen = [self._pick(scope, value.type) for value in arguments]
            values = ", ".join(value.name for value in chosen)
            types = ", ".join(value.type for value in chosen)
            passed.append(f"{name}({values} : {types})" if chosen else name)
        if len(passed) == 1:
            self.lines.append(f"cf.br {passed[0]}")
        elif len(passed) == 2:
            condition = self._choose()
            self.lines.append(f"cf.cond_br {condition}, {', '.join(passed)}")
        else:
            self._switch(passed)

    def _switch(self, passed: list[str]) -> None:
        self.counter += 1
        flag = f"%f{self.counter}"
        self.lines.append(f"%k{self.counter} = func.call @count() : () -> index")
        self.lines.append(f"{flag} = arith.index_cast %k{self.counter} : index to i32")
        cases = ", ".join(f"{number}: {text}" for number, text in enumerate(passed[1:]))
        self.lines.append(f"cf.switch {flag} : i32, [default: {passed[0]}, {cases}]")

    @override
    def _makers(self, depth: int) -> list[Maker]:
        makers = super()._makers(depth)
        if depth < self.style.max_depth:
            makers.append(self._make_execute_region)
        return makers

    def _make_execute_region(self, scope: list[Value], depth: int) -> None:
        types = self._types(self.random.choice((0, 1, 1, 2)))
        targets, left, right = self._results(types)
        self.lines.append(f"{left}scf.execute_region {right}{{")
        self._body(list(scope), "scf.yield", types, depth)
        self.lines.append("}")
        scope.extend(targets)


def _depth(dominators: list[int], node: int) -> int:
    depth = 0
    while node and dominators[node] != UNREACHABLE:
        node = dominators[node]
        depth += 1
    return depth


def _reached(graph: list[list[int]], start: int) -> set[int]:
    seen: set[int] = set()
    todo = [start]
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += graph[node]
    return seen


def style_of(seed: int) -> GraphStyle:
    """A style that depends on the seed."""
    rng = random.Random(seed)
    return GraphStyle(
        only_m=rng.random() < 0.3,
        max_depth=rng.choice((1, 1, 2)),
        size=rng.choice((3, 4)),
        max_blocks=rng.choice((3, 5, 8, 12)),
        unreachable=rng.random() < 0.1,
        forward=rng.random() < 0.3,
        recursion=rng.random() < 0.5,
    )


def generate(seed: int, style: GraphStyle | None = None) -> str:
    """The text of a random program; `@main` takes `ARGUMENTS` buffers."""
    return GraphGenerator(seed, style or style_of(seed)).module()


def generate_native(seed: int, style: GraphStyle) -> str:
    """The text of a random program that brings all that it calls."""
    return native_text(generate(seed, style))
