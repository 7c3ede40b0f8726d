"""Random programs that run without being compiled: on tensors, and all in place.

    program = SimulatedProgram(seed)
    program.text            %t3 = arith.select %c, %t1, %t2 : tensor<4xf32> ...
    program.is_wrong()      whether a read finds other elements if nothing is copied

Values are lists here. An insertion in place changes the list, and any other makes a new
one. So a run takes microseconds, and choices, loops and branches may be many.
"""

import itertools
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

TENSOR: Final = "tensor<4xf32>"

_ARGUMENTS: Final = f"%a: {TENSOR}, %b: {TENSOR}, %c: i1, %d: i1, %n: index"
_CONSTANTS: Final = [f"  %k{n} = arith.constant {n} : index" for n in range(3)]

_DEPTH: Final = 2
"""How deep regions are nested."""


class Run:
    """One run: the values of names, and what was read."""

    def __init__(self, values: Mapping[str, Any], *, is_in_place: bool):
        self.values = dict(values)
        self.is_in_place = is_in_place
        self.seen: list[float | None] = []
        """None for what nobody has written."""

    def pass_on(self, sources: Iterable[str], targets: Iterable[str]) -> None:
        """Give names the values of others, all at once."""
        values = [self.values[source] for source in sources]
        self.values.update(zip(targets, values, strict=True))


Step = Callable[[Run], None]


@dataclass
class _Block:
    """The ops of a block, and what they may use."""

    tensors: list[str]
    conditions: list[str]
    indices: list[str]
    depth: int = 0
    lines: list[str] = field(default_factory=list[str])
    steps: list[Step] = field(default_factory=list[Step])

    def inside(self, *, tensors: Iterable[str] = (), index: str = "") -> "_Block":
        """A block in a region of this one."""
        indices = [*self.indices, index] if index else [*self.indices]
        conditions = [*self.conditions]
        return _Block([*self.tensors, *tensors], conditions, indices, self.depth + 1)

    def add(self, line: str, step: Step | None = None) -> None:
        self.lines.append(f"{'  ' * (self.depth + 1)}{line}")
        if step is not None:
            self.steps.append(step)

    def run(self, run: Run) -> None:
        for step in self.steps:
            step(run)


class SimulatedProgram:
    """A function of two tensors, two conditions and a number of iterations."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self._names = 0
        body = _Block(["%a", "%b"], ["%c", "%d"], [])
        self._fill(body, self._random.randint(4, 9))
        self._body = body
        self._result = self._tensor(body)
        self.text = "\n".join(
            (
                f"func.func @f({_ARGUMENTS}) -> {TENSOR} {{",
                *_CONSTANTS,
                *body.lines,
                f"  return {self._result} : {TENSOR}",
                "}",
            )
        )

    # --- running ---------------------------------------------------------------------

    def is_wrong(self) -> bool:
        """Whether some arguments show that a copy is missing."""
        return any(
            expected is not None and expected != found
            for c, d, n in itertools.product((False, True), (False, True), range(4))
            for expected, found in zip(
                self._seen(c, d, n, is_in_place=False),
                self._seen(c, d, n, is_in_place=True),
                strict=True,
            )
        )

    def _seen(self, c: bool, d: bool, n: int, *, is_in_place: bool) -> list[Any]:
        a, b = ([first, *range(1, 4)] for first in (100.0, 200.0))
        values = {"%a": a, "%b": b, "%c": c, "%d": d, "%n": n}
        run = Run(values, is_in_place=is_in_place)
        self._body.run(run)
        return [*run.seen, *run.values[self._result]]

    # --- writing ---------------------------------------------------------------------

    def _fill(self, block: _Block, size: int) -> None:
        simple = [self._make] * 3 + [self._insert] * 5 + [self._extract] * 5
        simple += [self._select] * 6 + [self._compare]
        nested = [self._if, self._for, self._for] * 2 if block.depth < _DEPTH else []
        for _ in range(size):
            self._random.choice([*simple, *nested])(block)

    def _name(self, kind: str = "t") -> str:
        self._names += 1
        return f"%{kind}{self._names}"

    def _tensor(self, block: _Block) -> str:
        """A tensor, often one of the newest."""
        newest = 5 if self._random.random() < 0.7 else 0
        return self._random.choice(block.tensors[-newest:])

    def _number(self, block: _Block) -> tuple[str, float]:
        name, number = self._name("f"), float(self._random.randint(1, 99))
        block.add(f"{name} = arith.constant {number} : f32")
        return name, number

    def _make(self, block: _Block) -> None:
        """A new buffer: with one number, a copy, or with nothing."""
        kind, new = self._random.randrange(3), self._name()
        if kind == 0:
            name, number = self._number(block)
            contents: list[float | None] = [number] * 4
            line = f"{new} = tensor.splat {name} : {TENSOR}"
            block.add(line, lambda run: run.values.update({new: [*contents]}))
        elif kind == 1:
            old = self._tensor(block)
            line = f"{new} = bufferization.alloc_tensor() copy({old}) : {TENSOR}"
            block.add(line, lambda run: run.values.update({new: [*run.values[old]]}))
        else:
            line = f"{new} = tensor.empty() : {TENSOR}"
            block.add(line, lambda run: run.values.update({new: [None] * 4}))
        block.tensors.append(new)

    def _insert(self, block: _Block) -> None:
        name, number = self._number(block)
        new, old, at = self._name(), self._tensor(block), self._random.randrange(2)

        def step(run: Run) -> None:
            buffer = run.values[old] if run.is_in_place else [*run.values[old]]
            buffer[at] = number
            run.values[new] = buffer

        block.add(f"{new} = tensor.insert {name} into {old}[%k{at}] : {TENSOR}", step)
        block.tensors.append(new)

    def _extract(self, block: _Block) -> None:
        old, at = self._tensor(block), self._random.randrange(2)
        line = f"{self._name('f')} = tensor.extract {old}[%k{at}] : {TENSOR}"
        block.add(line, lambda run: run.seen.append(run.values[old][at]))

    def _select(self, block: _Block) -> None:
        new, condition = self._name(), self._random.choice(block.conditions)
        one, other = self._tensor(block), self._tensor(block)

        def step(run: Run) -> None:
            run.values[new] = run.values[one if run.values[condition] else other]

        block.add(f"{new} = arith.select {condition}, {one}, {other} : {TENSOR}", step)
        block.tensors.append(new)

    def _compare(self, block: _Block) -> None:
        if not block.indices:
            return
        new, index = self._name("c"), self._random.choice(block.indices)
        number = self._random.randrange(3)
        line = f"{new} = arith.cmpi eq, {index}, %k{number} : index"
        block.add(
            line, lambda run: run.values.update({new: run.values[index] == number})
        )
        block.conditions.append(new)

    def _if(self, block: _Block) -> None:
        results = [self._name() for _ in range(self._random.randrange(3))]
        condition = self._random.choice(block.conditions)
        blocks = [block.inside(), block.inside()]
        for each in blocks:
            self._fill(each, self._random.randrange(4))
        yields = [[self._tensor(each) for _ in results] for each in blocks]

        def step(run: Run) -> None:
            number = 0 if run.values[condition] else 1
            blocks[number].run(run)
            run.pass_on(yields[number], results)

        block.add(f"{_defined(results)}scf.if {condition}{_types(results)} {{", step)
        block.lines += [*blocks[0].lines, _yield(blocks[0], yields[0])]
        block.add("} else {")
        block.lines += [*blocks[1].lines, _yield(blocks[1], yields[1])]
        block.add("}")
        block.tensors += results

    def _for(self, block: _Block) -> None:
        results = [self._name() for _ in range(self._random.randint(1, 2))]
        carried, index = [self._name() for _ in results], self._name("i")
        starts = [self._tensor(block) for _ in results]
        body = block.inside(tensors=carried, index=index)
        self._fill(body, self._random.randint(1, 5))
        yields = [self._tensor(body) for _ in results]

        def step(run: Run) -> None:
            run.pass_on(starts, carried)
            for number in range(run.values["%n"]):
                run.values[index] = number
                body.run(run)
                run.pass_on(yields, carried)
            run.pass_on(carried, results)

        pairs = ", ".join(f"{a} = {b}" for a, b in zip(carried, starts, strict=True))
        passed = f" iter_args({pairs}){_types(results)}" if results else ""
        line = f"scf.for {index} = %k0 to %n step %k1{passed} {{"
        block.add(f"{_defined(results)}{line}", step)
        block.lines += [*body.lines, _yield(body, yields)]
        block.add("}")
        block.tensors += results


def _defined(results: list[str]) -> str:
    return f"{', '.join(results)} = " if results else ""


def _types(results: list[str]) -> str:
    return f" -> ({', '.join([TENSOR] * len(results))})" if results else ""


def _yield(block: _Block, values: list[str]) -> str:
    types = f" {', '.join(values)} : {', '.join([TENSOR] * len(values))}"
    return f"{'  ' * (block.depth + 1)}scf.yield{types if values else ''}"
