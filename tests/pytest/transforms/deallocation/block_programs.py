"""Random programs whose functions have many blocks, without freeing any buffer.

    generate_blocks(seed)   // the text of a module with a function @main

Blocks lead to any others, in loops with one entry or several, and some of them are
never reached. Ops in them are those of `buffer_programs`, structured ones included.
"""

import random
from dataclasses import replace

from transforms.deallocation.buffer_programs import Generator, Style, Value
from typing_extensions import override


class BlockGenerator(Generator):
    """Writes programs in which function bodies are random graphs."""

    @override
    def _function(
        self, name: str, visibility: str, arguments: list[str], results: list[str]
    ) -> None:
        values = [Value(self._new(), type_) for type_ in arguments]
        signature = ", ".join(f"{v.name}: {v.type}" for v in values)
        returned = f" -> ({', '.join(results)})" if results else ""
        self.lines.append(f"func.func {visibility}@{name}({signature}){returned} {{")
        graph = random_blocks(self.random)
        taken = [
            self._block_arguments() if number else [] for number in range(len(graph))
        ]
        above = dominators(graph)
        scopes: dict[int, list[Value]] = {}
        texts: dict[int, list[str]] = {}
        outer = self.lines
        for number in _dominators_first(above):
            parent = above[number]
            scope = [
                *([] if parent is None else scopes.get(parent, values)),
                *taken[number],
            ]
            self.lines = texts[number] = []
            self._head(number, taken[number])
            self._block(scope, 1)
            self._end(scope, graph[number], taken, results)
            scopes[number] = scope
        self.lines = outer
        for number in range(len(graph)):
            self.lines += texts[number]
        self.lines.append("}")

    def _head(self, number: int, arguments: list[Value]) -> None:
        if number:
            types = ", ".join(f"{v.name}: {v.type}" for v in arguments)
            self.lines.append(f"^bb{number}({types}):" if types else f"^bb{number}:")
            return
        for value in (0, 1, 3):
            self.lines.append(f"%c{value} = arith.constant {value} : index")

    def _block_arguments(self) -> list[Value]:
        count = self.random.choice((0, 0, 1, 1, 2))
        return [Value(self._new(), self._type()) for _ in range(count)]

    def _end(
        self,
        scope: list[Value],
        targets: list[int],
        taken: list[list[Value]],
        results: list[str],
    ) -> None:
        if not targets:
            chosen = [self._pick(scope, type_) for type_ in results]
            self._terminator("func.return", chosen)
            return
        passed = [self._pass(scope, target, taken[target]) for target in targets]
        if len(targets) == 1:
            self.lines.append(f"cf.br {passed[0]}")
        elif len(targets) == 2:
            self.lines.append(f"cf.cond_br {self._choose()}, {', '.join(passed)}")
        else:
            self.counter += 1
            flag = f"%k{self.counter}"
            self.lines.append(f"{flag} = func.call @count() : () -> index")
            self.lines.append(f"{flag}i = arith.index_cast {flag} : index to i32")
            cases = [f"{number}: {text}" for number, text in enumerate(passed[1:], 1)]
            listed = ", ".join([f"default: {passed[0]}", *cases])
            self.lines.append(f"cf.switch {flag}i : i32, [{listed}]")

    def _pass(self, scope: list[Value], target: int, taken: list[Value]) -> str:
        if not taken:
            return f"^bb{target}"
        chosen = [self._pick(scope, value.type) for value in taken]
        names = ", ".join(value.name for value in chosen)
        types = ", ".join(value.type for value in chosen)
        return f"^bb{target}({names} : {types})"


def random_blocks(rng: random.Random) -> list[list[int]]:
    """The successors of each block; every block can reach the end."""
    count = rng.randrange(1, 8)
    graph: list[list[int]] = []
    for number in range(count):
        if number == count - 1 or (number and rng.random() < 0.1):
            graph.append([])
            continue
        onwards = rng.randrange(number + 1, count)
        others = [rng.randrange(1, count) for _ in range(rng.choice((0, 1, 1, 2)))]
        targets = [onwards, *others]
        rng.shuffle(targets)
        graph.append(targets)
    return graph


def _dominators_first(above: list[int | None]) -> list[int]:
    """The numbers of all blocks, each after its dominator."""
    order = [number for number, parent in enumerate(above) if parent is None]
    order.append(0)
    for block in order:
        order += [n for n, parent in enumerate(above) if parent == block and n]
    return order


def dominators(graph: list[list[int]]) -> list[int | None]:
    """The immediate dominator of each block that is reached, by trying all."""

    def reached(avoided: int | None) -> set[int]:
        seen: set[int] = set()
        todo = [0]
        while todo:
            block = todo.pop()
            if block != avoided and block not in seen:
                seen.add(block)
                todo.extend(graph[block])
        return seen

    everything = reached(None)
    found: list[int | None] = [None] * len(graph)
    found[0] = 0
    dominated = {block: everything - reached(block) for block in everything}
    for block in everything - {0}:
        above = [b for b in everything if b != block and block in dominated[b]]
        found[block] = min(above, key=lambda b: len(dominated[b]))
    return found


def generate_blocks(seed: int, style: Style) -> str:
    """The text of a random program, whose buffers have static types mostly."""
    return BlockGenerator(seed, replace(style, max_depth=2)).module()
