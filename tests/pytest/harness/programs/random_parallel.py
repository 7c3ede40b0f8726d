"""Random tensor programs with `scf.forall`, as `random_programs` writes the others.

An iteration writes its own part of each output, often from what was there. Parts are
single elements, halves, or all of the output in a loop of one iteration. Unless the
shape is racy, an iteration reads nothing of an output but its own part.
"""

from dataclasses import dataclass
from typing import NamedTuple

from typing_extensions import override

from harness.programs.random_programs import FULL, HALF, IDENTITY, Program, Scope, Shape

ONE = "tensor<1xf32>"
SIZES = {FULL: 8, HALF: 4}


@dataclass(frozen=True)
class ParallelShape(Shape):
    """How large programs get and what is in them."""

    loops: float = 0.25
    """Which part of the ops are parallel loops, as long as there is depth left."""

    racy: bool = False
    """Whether iterations may read what others write."""

    crossing: bool = True
    """Whether an output may get what another output, or another part, has.

    mlir-opt 22 decides about that wrongly; see `test_where_mlir_opt_is_wrong`.
    """

    parallel: bool = False
    """Whether there is `scf.parallel` as well."""


class Grid(NamedTuple):
    """The bounds of a loop, and which part of an output belongs to an iteration."""

    bounds: str
    offset: str
    """The value that is the offset of the part; `{i}` and `{j}` are the indices."""

    part: str
    """The type of a part."""


GRIDS = [
    Grid("({i}) in (4)", "{i}", ONE),
    Grid("({i}) in (%n)", "{i}", ONE),
    Grid("({i}) in (%c4)", "{i}", ONE),
    Grid("({i}) in (1)", "{i}", ONE),
    Grid("({i}) = (1) to (4) step (2)", "{i}", ONE),
    Grid("({i}, {j}) in (2, %c2)", "grid", ONE),
    Grid("({i}, {j}) in (1, 1)", "grid", ONE),
]

HALVES = [
    Grid("({i}) = (0) to (8) step (4)", "{i}", HALF),
    Grid("({i}) = (%c0) to (%c8) step (%c4)", "{i}", HALF),
    Grid("({i}) = (0) to (4) step (4)", "{i}", HALF),
    Grid("({i}) in (1)", "{i}", HALF),
]
"""For outputs that are all of the full size."""


class ParallelProgram(Program):
    """Writes one random program with parallel loops."""

    def __init__(self, seed: int, shape: ParallelShape):
        super().__init__(seed, shape)
        self._parallel_shape = shape

    @override
    def _op(self, scope: Scope, depth: int, indent: str) -> None:
        shape = self._parallel_shape
        if not depth or self._random.random() >= shape.loops:
            return super()._op(scope, depth, indent)
        if shape.parallel and self._random.random() < 0.4:
            return self._reduce(scope, depth, indent)
        return self._forall(scope, depth, indent)

    def _forall(self, scope: Scope, depth: int, indent: str) -> None:
        counts = (0, 1, 1) if self._parallel_shape.racy else (0, 1, 1, 2)
        types = [
            self._random.choice((FULL, FULL, HALF))
            for _ in range(self._random.choice(counts))
        ]
        outputs = [self._pick(scope.tensors[t]) for t in types]
        in_halves = set(types) == {FULL} and not self._parallel_shape.racy
        grids = GRIDS + (HALVES * 2 if in_halves else [])
        grid = self._random.choice(grids)
        results, i, j = self._name(), self._name(), self._name()
        arguments = [self._name() for _ in types]
        header = f"scf.forall {grid.bounds.format(i=i, j=j)}"
        if types:
            pairs = ", ".join(
                f"{a} = {o}" for a, o in zip(arguments, outputs, strict=True)
            )
            header = (
                f"{results}:{len(types)} = {header} shared_outs({pairs}) "
                f"-> ({', '.join(types)})"
            )
        self._emit(f"{indent}{header} {{")
        self._forall_body(scope, depth, indent + "  ", grid, (i, j), arguments, types)
        mapping = self._pick(["", " {mapping = [#gpu.thread<x>]}"])
        self._emit(f"{indent}}}" + (mapping if "{j}" not in grid.bounds else ""))
        self._add_results(scope, results, types)

    def _forall_body(
        self,
        scope: Scope,
        depth: int,
        indent: str,
        grid: Grid,
        indices: tuple[str, str],
        arguments: list[str],
        types: list[str],
    ) -> None:
        i, j = indices
        offset = grid.offset.format(i=i, j=j)
        if offset == "grid":
            product, offset = self._name(), self._name()
            self._emit(f"{indent}{product} = arith.muli {i}, %c2 : index")
            self._emit(f"{indent}{offset} = arith.addi {product}, {j} : index")
        inner = scope.nested()
        if self._parallel_shape.racy:
            for argument, t in zip(arguments, types, strict=True):
                self._read(inner, indent, argument, t)
        insertions: list[str] = []
        for argument, t in zip(arguments, types, strict=True):
            for at in self._offsets(indent, offset, grid, t):
                visible = inner if self._parallel_shape.crossing else inner.nested()
                part = self._part(visible, depth, indent, argument, t, at, grid.part)
                insertions.append(
                    f"tensor.parallel_insert_slice {part} into {argument}[{at}] "
                    f"[{_size(grid.part)}] [1] : {grid.part} into {t}"
                )
        if not types:
            self._body(inner, self._shape.ops // 2 + 1, depth - 1, indent)
            return
        self._random.shuffle(insertions)
        self._emit(f"{indent}scf.forall.in_parallel {{")
        for insertion in insertions:
            self._emit(f"{indent}  {insertion}")
        self._emit(f"{indent}}}")

    def _read(self, inner: Scope, indent: str, tensor: str, t: str) -> None:
        """Read an element somewhere, here or in a loop."""
        bound = self._pick(["%c1", "%n"])
        loop, index, last, element = (self._name() for _ in range(4))
        at = self._pick(["%c0", "%c3", index])
        self._emit(
            f"{indent}{loop} = scf.for {index} = %c0 to {bound} step %c1 "
            f"iter_args({last} = %f) -> (f32) {{"
        )
        self._emit(f"{indent}  {element} = tensor.extract {tensor}[{at}] : {t}")
        self._emit(f"{indent}  scf.yield {element} : f32")
        self._emit(f"{indent}}}")
        inner.scalars.append(loop)

    def _offsets(self, indent: str, offset: str, grid: Grid, t: str) -> list[str]:
        """Where the parts of an iteration are: also in the other half of a full one."""
        is_one = self._parallel_shape.racy or self._random.random() < 0.6
        if grid.part != ONE or t != FULL or is_one:
            return [offset]
        other = self._name()
        self._emit(f"{indent}{other} = arith.addi {offset}, %c4 : index")
        return self._random.choice(([other], [offset, other], [other, offset]))

    def _part(
        self,
        inner: Scope,
        depth: int,
        indent: str,
        argument: str,
        t: str,
        at: str,
        part: str,
    ) -> str:
        """What an iteration inserts, most often made from what is there."""
        source, where = argument, at
        if self._random.random() < 0.3:
            source, where = self._pick(inner.tensors[t]), self._pick([at, "%c0"])
        name = self._name()
        self._emit(
            f"{indent}{name} = tensor.extract_slice {source}[{where}] "
            f"[{_size(part)}] [1] : {t} to {part}"
        )
        if part == HALF:
            inner.tensors[HALF] += [name] * 3
            self._body(inner, self._shape.ops // 2 + 1, depth - 1, indent)
            return self._pick([name, inner.tensors[HALF][-1]])
        if self._random.random() < 0.4:
            self._body(inner, self._shape.ops // 2 + 1, depth - 1, indent)
        for _ in range(self._random.randint(0, 2)):
            name = self._change(inner, indent, name)
        return name

    def _change(self, inner: Scope, indent: str, part: str) -> str:
        """Write a tensor of one element."""
        name, scalar = self._name(), self._pick(inner.scalars)
        kind = self._random.choice(("insert", "fill", "update", "extract"))
        if kind == "insert":
            text = f"tensor.insert {scalar} into {part}[%c0] : {ONE}"
        elif kind == "fill":
            text = f"linalg.fill ins({scalar} : f32) outs({part} : {ONE}) -> {ONE}"
        elif kind == "update":
            text = (
                f"linalg.generic {{indexing_maps = [{IDENTITY}], "
                f'iterator_types = ["parallel"]}} outs({part} : {ONE}) {{\n'
                f"{indent}^bb0(%o: f32):\n"
                f"{indent}  %s = arith.addf %o, {scalar} : f32\n"
                f"{indent}  linalg.yield %s : f32\n"
                f"{indent}}} -> {ONE}"
            )
        else:
            self._emit(f"{indent}{name} = tensor.extract {part}[%c0] : {ONE}")
            inner.scalars.append(name)
            return part
        self._emit(f"{indent}{name} = {text}")
        return name

    def _reduce(self, scope: Scope, depth: int, indent: str) -> None:
        """A sum of what the iterations of an `scf.parallel` read."""
        result, i = self._name(), self._name()
        bound = self._pick(["%c0", "%c1", "%c2", "%n"])
        self._emit(
            f"{indent}{result} = scf.parallel ({i}) = (%c0) to ({bound}) step (%c1) "
            "init (%f) -> f32 {"
        )
        inner = scope.nested()
        self._body(inner, self._shape.ops // 2 + 1, depth - 1, indent + "  ")
        t = self._tensor_type(inner)
        read = self._name()
        self._emit(
            f"{indent}  {read} = tensor.extract {self._pick(inner.tensors[t])}[{i}] "
            f": {t}"
        )
        self._emit(f"{indent}  scf.reduce({read} : f32) {{")
        self._emit(f"{indent}  ^bb0(%left: f32, %right: f32):")
        self._emit(f"{indent}    %sum = arith.addf %left, %right : f32")
        self._emit(f"{indent}    scf.reduce.return %sum : f32")
        self._emit(f"{indent}  }}")
        self._emit(f"{indent}}}")
        scope.scalars.append(result)


def _size(t: str) -> int:
    return SIZES.get(t, 1)


def random_parallel_program(seed: int, shape: ParallelShape | None = None) -> str:
    """A random program, the same for the same seed and shape."""
    return ParallelProgram(seed, shape or ParallelShape()).write()
