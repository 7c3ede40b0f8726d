"""Random tensor programs, for comparing analyses, oracles and executions.

A program is text that both MLIR and xDSL read. It computes on `tensor<8xf32>`,
`tensor<4xf32>` and `tensor<?xf32>` values with structured control flow, in bounds and
without reading undefined contents, so that it can be executed as well.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

FULL = "tensor<8xf32>"
HALF = "tensor<4xf32>"
DYNAMIC = "tensor<?xf32>"
SLICES = (0, 2, 4)
IDENTITY = "affine_map<(d0) -> (d0)>"


@dataclass(frozen=True)
class Shape:
    """How large programs get and what is in them."""

    ops: int = 8
    depth: int = 2
    undefined: bool = False
    """Whether contents may be undefined, for analyses only."""

    calls: bool = False
    writable_arguments: bool = True
    constants: bool = True
    scratch: bool = False
    """Whether ops overwrite empty tensors, of this block or of one around it."""


@dataclass
class Scope:
    """The values that can be used at a point of the program."""

    tensors: dict[str, list[str]] = field(
        default_factory=lambda: {FULL: [], HALF: [], DYNAMIC: []}
    )
    scalars: list[str] = field(default_factory=list[str])
    empty: dict[str, list[str]] = field(
        default_factory=lambda: {FULL: [], HALF: [], DYNAMIC: []}
    )
    """What may only be overwritten."""

    def nested(self) -> "Scope":
        tensors, empty = (
            {t: list(values) for t, values in each.items()}
            for each in (self.tensors, self.empty)
        )
        return Scope(tensors, list(self.scalars), empty)


Choice = tuple[Callable[[Scope, int, str], None], int]
"""What writes an op into a scope, at a depth and indented; how often it should."""


class Program:
    """Writes one random program."""

    def __init__(self, seed: int, shape: Shape):
        self._random = random.Random(seed)
        self._shape = shape
        self._lines: list[str] = []
        self._count = 0

    def write(self) -> str:
        """The text of the module."""
        if self._shape.calls:
            self._write_helpers()
        self._write_function("func.func @main")
        return "\n".join(self._lines) + "\n"

    # Functions.

    def _write_helpers(self) -> None:
        self._emit(f"func.func private @first(%a: {FULL}, %b: {FULL}) -> {FULL} {{")
        self._emit(f"  return %a : {FULL}")
        self._emit("}")
        self._emit(f"func.func private @write(%a: {FULL}, %f: f32) -> {FULL} {{")
        self._emit("  %c1 = arith.constant 1 : index")
        self._emit(f"  %r = tensor.insert %f into %a[%c1] : {FULL}")
        self._emit(f"  return %r : {FULL}")
        self._emit("}")
        self._emit(f"func.func private @read(%a: {FULL}) -> f32 {{")
        self._emit("  %c2 = arith.constant 2 : index")
        self._emit(f"  %r = tensor.extract %a[%c2] : {FULL}")
        self._emit("  return %r : f32")
        self._emit("}")

    def _write_function(self, start: str) -> list[str]:
        """Write a function of the arguments that all have; the types of its results."""
        arguments = [
            f"%a{i}: {t}{self._writable()}" for i, t in enumerate((FULL, FULL, HALF))
        ]
        self._emit(f"{start}({', '.join(arguments)}, %f: f32, %n: index, %p: i1)")
        header = len(self._lines) - 1
        scope = Scope({FULL: ["%a0", "%a1"], HALF: ["%a2"], DYNAMIC: []}, ["%f"])
        for value in (0, 1, 2, 3, 4, 8):
            self._emit(f"  %c{value} = arith.constant {value} : index")
        self._body(scope, self._shape.ops, self._shape.depth, "  ")
        results = [(self._pick(scope.scalars), "f32") for _ in range(2)]
        kinds = [t for t in (FULL, FULL, HALF) if self._random.random() < 0.5]
        results += [(self._pick(scope.tensors[t]), t) for t in kinds]
        types = ", ".join(t for _, t in results)
        self._lines[header] += f" -> ({types}) {{"
        self._emit(f"  return {', '.join(v for v, _ in results)} : {types}")
        self._emit("}")
        return [t for _, t in results]

    def _writable(self) -> str:
        if self._shape.writable_arguments or self._random.random() < 0.5:
            return ""
        return " {bufferization.writable = false}"

    # Bodies.

    def _body(self, scope: Scope, ops: int, depth: int, indent: str) -> None:
        for _ in range(self._random.randint(1, ops)):
            self._op(scope, depth, indent)

    def _op(self, scope: Scope, depth: int, indent: str) -> None:
        kinds, weights = zip(*self._choices(depth), strict=True)
        self._random.choices(kinds, weights)[0](scope, depth, indent)

    def _choices(self, depth: int) -> list[Choice]:
        """What may come next, and how often it should."""
        choices: list[Choice] = [
            (self._insert, 3),
            (self._extract, 3),
            (self._fill, 2),
            (self._extract_slice, 3),
            (self._insert_slice, 3),
            (self._generic, 4),
            (self._select, 1),
            (self._cast, 1),
            (self._alloc_tensor, 1),
            (self._constant, 1),
            (self._empty, 1),
        ]
        if not self._shape.constants:
            choices = [each for each in choices if each[0] != self._constant]
        if self._shape.calls:
            choices.append((self._call, 2))
        if self._shape.scratch:
            choices.append((self._overwrite, 12))
        if depth:
            choices += [(self._for, 3), (self._if, 3)]
        return choices

    def _insert(self, scope: Scope, depth: int, indent: str) -> None:
        t = self._tensor_type(scope)
        dest, scalar = self._pick(scope.tensors[t]), self._pick(scope.scalars)
        index = self._pick(["%c0", "%c1", "%c3"])
        self._define(
            scope, t, indent, f"tensor.insert {scalar} into {dest}[{index}] : {t}"
        )

    def _extract(self, scope: Scope, depth: int, indent: str) -> None:
        t = self._tensor_type(scope)
        index = self._pick(["%c0", "%c1", "%c3"])
        name = self._name()
        source = self._pick(scope.tensors[t])
        self._emit(f"{indent}{name} = tensor.extract {source}[{index}] : {t}")
        total = self._name()
        self._emit(
            f"{indent}{total} = arith.addf {name}, {self._pick(scope.scalars)} : f32"
        )
        scope.scalars.append(total)

    def _fill(self, scope: Scope, depth: int, indent: str) -> None:
        t = self._tensor_type(scope)
        dest, scalar = self._pick(scope.tensors[t]), self._pick(scope.scalars)
        self._define(
            scope,
            t,
            indent,
            f"linalg.fill ins({scalar} : f32) outs({dest} : {t}) -> {t}",
        )

    def _extract_slice(self, scope: Scope, depth: int, indent: str) -> None:
        source, offset = self._pick(scope.tensors[FULL]), self._pick(SLICES)
        self._define(
            scope,
            HALF,
            indent,
            f"tensor.extract_slice {source}[{offset}] [4] [1] : {FULL} to {HALF}",
        )

    def _insert_slice(self, scope: Scope, depth: int, indent: str) -> None:
        source, dest = self._pick(scope.tensors[HALF]), self._pick(scope.tensors[FULL])
        self._define(
            scope,
            FULL,
            indent,
            f"tensor.insert_slice {source} into {dest}[{self._pick(SLICES)}] [4] [1] "
            f": {HALF} into {FULL}",
        )

    def _generic(self, scope: Scope, depth: int, indent: str) -> None:
        t = self._tensor_type(scope)
        out = self._pick(scope.tensors[t])
        kind = self._random.choice(("map", "update", "in place", "reverse"))
        maps = [IDENTITY, IDENTITY]
        if kind == "reverse" and t != DYNAMIC:
            size = 8 if t == FULL else 4
            maps[0] = f"affine_map<(d0) -> ({size - 1} - d0)>"
        if kind == "in place":
            self._define(
                scope,
                t,
                indent,
                f"linalg.generic {{indexing_maps = [{IDENTITY}], "
                f'iterator_types = ["parallel"]}} outs({out} : {t}) {{\n'
                f"{indent}^bb0(%o: f32):\n"
                f"{indent}  %s = arith.addf %o, {self._pick(scope.scalars)} : f32\n"
                f"{indent}  linalg.yield %s : f32\n"
                f"{indent}}} -> {t}",
            )
            return
        other = "%o" if kind == "update" else "%i"
        self._define(
            scope,
            t,
            indent,
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f'iterator_types = ["parallel"]}} '
            f"ins({self._pick(scope.tensors[t])} : {t}) outs({out} : {t}) {{\n"
            f"{indent}^bb0(%i: f32, %o: f32):\n"
            f"{indent}  %s = arith.addf %i, {other} : f32\n"
            f"{indent}  linalg.yield %s : f32\n"
            f"{indent}}} -> {t}",
        )

    def _select(self, scope: Scope, depth: int, indent: str) -> None:
        t = self._tensor_type(scope)
        first, second = (self._pick(scope.tensors[t]) for _ in range(2))
        self._define(scope, t, indent, f"arith.select %p, {first}, {second} : {t}")

    def _cast(self, scope: Scope, depth: int, indent: str) -> None:
        if scope.tensors[DYNAMIC] and self._random.random() < 0.5:
            return  # sizes must match when casting back, which nothing here knows
        source = self._pick(scope.tensors[FULL])
        self._define(
            scope, DYNAMIC, indent, f"tensor.cast {source} : {FULL} to {DYNAMIC}"
        )

    def _alloc_tensor(self, scope: Scope, depth: int, indent: str) -> None:
        source = self._pick(scope.tensors[FULL])
        self._define(
            scope, FULL, indent, f"bufferization.alloc_tensor() copy({source}) : {FULL}"
        )

    def _constant(self, scope: Scope, depth: int, indent: str) -> None:
        values = ", ".join(f"{self._random.randint(-4, 4)}.0" for _ in range(8))
        self._define(scope, FULL, indent, f"arith.constant dense<[{values}]> : {FULL}")

    def _empty(self, scope: Scope, depth: int, indent: str) -> None:
        t = self._random.choice((FULL, HALF))
        name = self._name()
        self._emit(f"{indent}{name} = tensor.empty() : {t}")
        if self._shape.undefined and self._random.random() < 0.5:
            scope.tensors[t].append(name)
            return
        scalar = self._pick(scope.scalars)
        self._define(
            scope,
            t,
            indent,
            f"linalg.fill ins({scalar} : f32) outs({name} : {t}) -> {t}",
        )

    def _overwrite(self, scope: Scope, depth: int, indent: str) -> None:
        t = self._tensor_type(scope)
        if t == DYNAMIC:
            return
        if not scope.empty[t] or self._random.random() < 0.3:
            scope.empty[t].append(self._name())
            self._emit(f"{indent}{scope.empty[t][-1]} = tensor.empty() : {t}")
        first, second = (self._pick(scope.tensors[t]) for _ in range(2))
        out = self._pick(scope.empty[t])
        self._define(
            scope,
            t,
            indent,
            f"linalg.sub ins({first}, {second} : {t}, {t}) outs({out} : {t}) -> {t}",
        )

    def _call(self, scope: Scope, depth: int, indent: str) -> None:
        first, second = (self._pick(scope.tensors[FULL]) for _ in range(2))
        scalar = self._pick(scope.scalars)
        kind = self._random.choice(("first", "write", "read"))
        if kind == "first":
            text = f"func.call @first({first}, {second}) : ({FULL}, {FULL}) -> {FULL}"
            self._define(scope, FULL, indent, text)
        elif kind == "write":
            text = f"func.call @write({first}, {scalar}) : ({FULL}, f32) -> {FULL}"
            self._define(scope, FULL, indent, text)
        else:
            name = self._name()
            self._emit(f"{indent}{name} = func.call @read({first}) : ({FULL}) -> f32")
            scope.scalars.append(name)

    def _for(self, scope: Scope, depth: int, indent: str) -> None:
        types = [
            self._random.choice((FULL, HALF)) for _ in range(self._random.randint(1, 2))
        ]
        inits = [self._pick(scope.tensors[t]) for t in types]
        results, arguments = self._name(), [self._name() for _ in types]
        bound = self._pick(["%c0", "%c2", "%n"])
        counter = self._name()
        pairs = ", ".join(f"{a} = {i}" for a, i in zip(arguments, inits, strict=True))
        listed = ", ".join(types)
        self._emit(
            f"{indent}{results}:{len(types)} = scf.for {counter} = %c0 to {bound} "
            f"step %c1 iter_args({pairs}) -> ({listed}) {{"
        )
        inner = scope.nested()
        for argument, t in zip(arguments, types, strict=True):
            # Likely to be used, so that loops carry what they work on.
            inner.tensors[t] += [argument] * 3
        before = {t: len(inner.tensors[t]) for t in inner.tensors}
        self._body(inner, self._shape.ops // 2 + 1, depth - 1, indent + "  ")
        yields = [
            self._yield(inner, t, a, before)
            for t, a in zip(types, arguments, strict=True)
        ]
        self._emit(f"{indent}  scf.yield {', '.join(yields)} : {listed}")
        self._emit(f"{indent}}}")
        self._add_results(scope, results, types)

    def _yield(
        self, inner: Scope, t: str, argument: str, before: dict[str, int]
    ) -> str:
        new = inner.tensors[t][before[t] :]
        if new and self._random.random() < 0.8:
            return new[-1]
        if self._random.random() < 0.8:
            return argument
        return self._pick(inner.tensors[t])

    def _if(self, scope: Scope, depth: int, indent: str) -> None:
        types = [
            self._random.choice((FULL, HALF)) for _ in range(self._random.randint(1, 2))
        ]
        results, listed = self._name(), ", ".join(types)
        self._emit(f"{indent}{results}:{len(types)} = scf.if %p -> ({listed}) {{")
        for branch in ("then", "else"):
            inner = scope.nested()
            self._body(inner, self._shape.ops // 2 + 1, depth - 1, indent + "  ")
            yields = [
                inner.tensors[t][-1]
                if self._random.random() < 0.7
                else self._pick(inner.tensors[t])
                for t in types
            ]
            self._emit(f"{indent}  scf.yield {', '.join(yields)} : {listed}")
            self._emit(f"{indent}}} else {{" if branch == "then" else f"{indent}}}")
        self._add_results(scope, results, types)

    # Small change.

    def _add_results(self, scope: Scope, results: str, types: list[str]) -> None:
        for number, t in enumerate(types):
            scope.tensors[t].append(f"{results}#{number}")

    def _tensor_type(self, scope: Scope) -> str:
        return self._random.choice([t for t, values in scope.tensors.items() if values])

    def _pick(self, values: "list[str] | tuple[int, ...]") -> str:
        # Recent values are the likely ones, so that chains get long.
        if self._random.random() < 0.5:
            return str(values[-1])
        return str(self._random.choice(values))

    def _name(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def _define(self, scope: Scope, t: str, indent: str, text: str) -> None:
        name = self._name()
        self._emit(f"{indent}{name} = {text}")
        scope.tensors[t].append(name)

    def _emit(self, line: str) -> None:
        self._lines.append(line)


def random_program(seed: int, shape: Shape | None = None) -> str:
    """A random program, the same for the same seed and shape."""
    return Program(seed, shape or Shape()).write()
