"""Random structured ops on tiles of buffers, and chains of them, as text.

Every buffer of a program is an argument that is larger than the tile in use, so that
writes beside the tile show. Numbers in them are small integers: sums and products are
exact whatever their order.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BINARY = ("addf", "subf", "mulf", "divf")
_MAPS = {
    "whole": "affine_map<(i, j) -> (i, j)>",
    "row": "affine_map<(i, j) -> (j)>",
    "row of one": "affine_map<(i, j) -> (0, j)>",
    "column": "affine_map<(i, j) -> (i)>",
    "column of one": "affine_map<(i, j) -> (i, 0)>",
    "number": "affine_map<(i, j) -> ()>",
    "transposed": "affine_map<(i, j) -> (j, i)>",
}
REPEATS = tuple(repeat for repeat in _MAPS if repeat != "transposed")


@dataclass
class Tile:
    """A view of a part of a buffer."""

    name: str
    type: str


@dataclass
class Program:
    """A function under construction."""

    rng: random.Random
    arguments: list[str] = field(default_factory=list[str])
    shapes: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    lines: list[str] = field(default_factory=list[str])
    margin: int = 2
    """How much room there is at most on each side of a tile."""

    may_share: bool = False
    """Whether arguments of one type may be one buffer."""

    def name(self) -> str:
        """A name for a value."""
        return f"%v{len(self.lines)}_{len(self.arguments)}"

    def size(self) -> int:
        """A size of a dimension."""
        return self.rng.choice((1, 1, 2, 3, 4, 5, 7, 8, 16))

    def number(self) -> str:
        """A constant."""
        name = self.name()
        self.lines.append(f"{name} = arith.constant {self.rng.randint(1, 4)}.0 : f32")
        return name

    def zero(self) -> str:
        """The constant zero."""
        name = self.name()
        self.lines.append(f"{name} = arith.constant 0.0 : f32")
        return name

    def buffer(self, shape: Sequence[int], *, allocated: bool = False) -> str:
        """A buffer of that shape: an argument, or memory of the function itself."""
        type_ = memref(shape)
        if not allocated:
            name = f"%a{len(self.arguments)}"
            self.arguments.append(f"{name}: {type_}")
            self.shapes.append(tuple(shape))
            return name
        name = self.name()
        self.lines.append(f"{name} = memref.alloc() : {type_}")
        return name

    def tile(self, sizes: Sequence[int], *, allocated: bool = False) -> Tile:
        """A part of a new buffer, with room around it."""
        before = [self.rng.randint(0, self.margin) for _ in sizes]
        room = [self.rng.randint(0, self.margin) for _ in sizes]
        shape = [sum(each) for each in zip(before, sizes, room, strict=True)]
        buffer = self.buffer(shape, allocated=allocated)
        if allocated:
            self.fill(buffer, shape)
        return self.view(buffer, shape, before, sizes)

    def fill(self, buffer: str, shape: Sequence[int]) -> None:
        """Write what an argument holds to memory of the function."""
        source = self.buffer(shape)
        type_ = memref(shape)
        self.lines.append(f"memref.copy {source}, {buffer} : {type_} to {type_}")

    def view(
        self,
        buffer: str,
        shape: Sequence[int],
        offsets: Sequence[int],
        sizes: Sequence[int],
    ) -> Tile:
        """A part of a buffer."""
        strides = [int(np.prod(shape[n + 1 :])) for n in range(len(shape))]
        offset = sum(o * s for o, s in zip(offsets, strides, strict=True))
        layout = f"strided<{strides}, offset: {offset}>" if strides else ""
        type_ = memref(sizes, layout)
        name = self.name()
        self.lines.append(
            f"{name} = memref.subview {buffer}{list(offsets)} {list(sizes)} "
            f"{[1] * len(shape)} : {memref(shape)} to {type_}"
        )
        return Tile(name, type_)

    def again(self, tile: Tile, sizes: Sequence[int]) -> Tile:
        """Another view of the same elements."""
        name, zeros, ones = self.name(), [0] * len(sizes), [1] * len(sizes)
        self.lines.append(
            f"{name} = memref.subview {tile.name}{zeros} {list(sizes)} {ones} : "
            f"{tile.type} to {tile.type}"
        )
        return Tile(name, tile.type)

    def text(self) -> str:
        """The program."""
        lines = "\n".join(f"  {line}" for line in self.lines)
        return f"func.func @f({', '.join(self.arguments)}) {{\n{lines}\n  return\n}}\n"

    def values(self, seed: int) -> list[Floats]:
        """Random arguments."""
        rng = np.random.default_rng(seed)
        return [rng.integers(-4, 5, shape).astype(np.float32) for shape in self.shapes]


def memref(shape: Sequence[int], layout: str = "") -> str:
    """The text of a type."""
    extents = "".join(f"{size}x" for size in shape)
    return f"memref<{extents}f32{', ' + layout if layout else ''}>"


def _repeated_sizes(repeat: str, m: int, n: int) -> tuple[int, ...]:
    return {
        "whole": (m, n),
        "row": (n,),
        "row of one": (1, n),
        "column": (m,),
        "column of one": (m, 1),
        "number": (),
        "transposed": (n, m),
    }[repeat]


def _input(program: Program, repeat: str, m: int, n: int) -> Tile:
    if repeat == "number" and program.rng.random() < 0.5:
        return Tile(program.number(), "f32")
    if repeat == "column of one":
        # Elements of a column that is a view of a matrix are not neighbours.
        return program.view(program.buffer((m, 1)), (m, 1), (0, 0), (m, 1))
    if repeat == "number":
        return Tile(program.buffer(()), memref(()))
    return program.tile(_repeated_sizes(repeat, m, n))


def add_elementwise(program: Program) -> None:
    """A `linalg.generic` that reads two inputs, or an input and its own output."""
    rng = program.rng
    m, n = program.size(), program.size()
    output = program.tile((m, n))
    repeats = [rng.choice(REPEATS), rng.choice(REPEATS)]
    inputs = [_input(program, repeat, m, n) for repeat in repeats]
    names = ["%x", "%y"]
    if rng.random() < 0.4:
        inputs, repeats, names = inputs[:1], repeats[:1], ["%x", "%o"]
    elif rng.random() < 0.2:
        inputs, repeats, names = inputs[:1], repeats[:1], ["%x", program.number()]
    rng.shuffle(names)
    op = f"arith.{rng.choice(BINARY)} {names[0]}, {names[1]} : f32"
    _add_generic(program, list(zip(inputs, repeats, strict=True)), output, op)


def add_relu(program: Program) -> None:
    """A `linalg.generic` that replaces what is below zero, perhaps in place."""
    m, n = program.size(), program.size()
    output, zero = program.tile((m, n)), program.zero()
    repeat = program.rng.choice(REPEATS)
    in_place = program.rng.random() < 0.4
    inputs = [] if in_place else [(_input(program, repeat, m, n), repeat)]
    names = ["%o" if in_place else "%x", zero]
    program.rng.shuffle(names)
    op = f"arith.maximumf {names[0]}, {names[1]} : f32"
    _add_generic(program, inputs, output, op)


def add_copy(program: Program) -> None:
    """A `linalg.generic` that moves elements."""
    m, n = program.size(), program.size()
    repeat = program.rng.choice((*REPEATS, "transposed"))
    output = program.tile((m, n))
    _add_generic(program, [(_input(program, repeat, m, n), repeat)], output, "%x")


def _add_generic(
    program: Program, inputs: Sequence[tuple[Tile, str]], output: Tile, op: str
) -> None:
    maps = [_MAPS[repeat] for _, repeat in inputs] + [_MAPS["whole"]]
    names = [*("%x: f32", "%y: f32")[: len(inputs)], "%o: f32"]
    ins = ", ".join(tile.name for tile, _ in inputs)
    types = ", ".join(tile.type for tile, _ in inputs)
    ins = f"ins({ins} : {types})" if inputs else ""
    body = f"%r = {op}\n linalg.yield %r : f32"
    if op.startswith("%"):
        body = f"linalg.yield {op} : f32"
    program.lines.append(
        f"linalg.generic {{indexing_maps = [{', '.join(maps)}], "
        f'iterator_types = ["parallel", "parallel"]}} {ins} '
        f"outs({output.name} : {output.type}) {{\n"
        f"^bb0({', '.join(names)}):\n {body}\n}}"
    )


def add_fill(program: Program) -> None:
    """A `linalg.fill`, of zeros or not."""
    output = program.tile((program.size(), program.size())[: program.rng.randint(1, 2)])
    value = program.rng.choice((program.zero, program.number))()
    program.lines.append(
        f"linalg.fill ins({value} : f32) outs({output.name} : {output.type})"
    )


def add_memref_copy(program: Program) -> None:
    """A `memref.copy` of a matrix or a row."""
    sizes = (program.size(), program.size())[: program.rng.randint(1, 2)]
    source, target = program.tile(sizes), program.tile(sizes)
    program.lines.append(
        f"memref.copy {source.name}, {target.name} : {source.type} to {target.type}"
    )


def add_transpose(program: Program) -> None:
    """A `linalg.transpose`."""
    m, n = program.size(), program.size()
    source, target = program.tile((m, n)), program.tile((n, m))
    program.lines.append(
        f"linalg.transpose ins({source.name} : {source.type}) "
        f"outs({target.name} : {target.type}) permutation = [1, 0]"
    )


def add_product(program: Program) -> None:
    """A product of matrices, or of batches of them; named or not."""
    rng = program.rng
    m, n, k = program.size(), program.size(), program.size()
    batch = [] if rng.random() < 0.5 else [rng.randint(1, 3)]
    a, b = program.tile((*batch, m, k)), program.tile((*batch, k, n))
    c = program.tile((m, n))
    multiply(program, a, b, c, batched=bool(batch), named=rng.random() < 0.5)


def multiply(
    program: Program, a: Tile, b: Tile, c: Tile, *, batched: bool, named: bool
) -> None:
    """Add a product to `c`."""
    if named:
        op = "linalg.batch_reduce_matmul" if batched else "linalg.matmul"
        program.lines.append(
            f"{op} ins({a.name}, {b.name} : {a.type}, {b.type}) "
            f"outs({c.name} : {c.type})"
        )
        return
    loops = ["i", "j", "k", *(["b"] if batched else [])]
    program.rng.shuffle(loops)
    kinds = ['"parallel"' if loop in "ij" else '"reduction"' for loop in loops]
    indices = [["b", "i", "k"], ["b", "k", "j"], ["i", "j"]]
    operands = [(a, indices[0]), (b, indices[1])]
    program.rng.shuffle(operands)
    maps = [
        f"affine_map<({', '.join(loops)}) -> "
        f"({', '.join(i for i in index if i in loops)})>"
        for index in (*(index for _, index in operands), indices[2])
    ]
    (x, _), (y, _) = operands
    program.lines.append(
        f"linalg.generic {{indexing_maps = [{', '.join(maps)}], "
        f"iterator_types = [{', '.join(kinds)}]}} "
        f"ins({x.name}, {y.name} : {x.type}, {y.type}) outs({c.name} : {c.type}) {{\n"
        "^bb0(%x: f32, %y: f32, %o: f32):\n"
        " %p = arith.mulf %x, %y : f32\n %s = arith.addf %o, %p : f32\n"
        " linalg.yield %s : f32\n}"
    )


def random_ops(seed: int, count: int) -> Program:
    """A program of `count` ops, each on buffers of its own."""
    program = Program(random.Random(seed))
    adders = (
        add_elementwise,
        add_elementwise,
        add_relu,
        add_copy,
        add_fill,
        add_memref_copy,
        add_transpose,
        add_product,
        add_product,
    )
    for _ in range(count):
        program.rng.choice(adders)(program)
    return program


# Chains of ops on one matrix.


@dataclass
class Chain:
    """The matrices of a sum of products, and what may be combined with it."""

    a: Tile
    b: Tile
    c: Tile
    others: list[tuple[Tile, str]]
    """With how each is repeated."""

    like_c: Tile
    """A matrix of the size of C that is used nowhere else."""

    is_batched: bool
    disturbed: list[Tile] = field(default_factory=list[Tile])
    """What may be written to in between: parts of the above, under other names."""


def random_chain(seed: int, count: int) -> Program:
    """A program of `count` ops on one matrix, of the kinds that passes combine.

    Some read or write its memory, or that of other operands, in between.
    """
    program = Program(random.Random(seed), margin=seed % 2 * 2)
    rng = program.rng
    m, n, k = (rng.choice((2, 3, 4)) for _ in range(3))
    batch = rng.choice(((), (1,), (2,)))
    # Without margins and with factors of another rank, tiles are the same or disjoint.
    program.may_share = not program.margin and bool(batch)
    chain = Chain(
        a=program.tile((*batch, m, k), allocated=rng.random() < 0.3),
        b=program.tile((*batch, k, n), allocated=rng.random() < 0.3),
        c=program.tile((m, n), allocated=rng.random() < 0.8),
        others=[],
        like_c=program.tile((m, n)),
        is_batched=bool(batch),
    )
    for repeat in rng.sample(("whole", "row", "column", "number"), 2):
        sizes = _repeated_sizes(repeat, m, n)
        tile = Tile(program.number(), "f32")
        if repeat != "number":
            tile = program.tile(sizes, allocated=rng.random() < 0.3)
        chain.others.append((tile, repeat))
    chain.others += [(chain.c, "whole"), (program.again(chain.c, (m, n)), "whole")]
    chain.disturbed = [
        program.again(chain.a, (*batch, m, k)),
        program.again(chain.b, (*batch, k, n)),
        program.again(chain.c, (m, n)),
        chain.like_c,
        *(tile for tile, repeat in chain.others if repeat in ("row", "column")),
    ]
    for _ in range(count):
        rng.choices(_LINKS, _WEIGHTS)[0](program, chain)
    result = program.tile((m, n))
    program.lines.append(
        f"memref.copy {chain.c.name}, {result.name} : {chain.c.type} to {result.type}"
    )
    return program


def _add_zeros(program: Program, chain: Chain) -> None:
    program.lines.append(
        f"linalg.fill ins({program.zero()} : f32) outs({chain.c.name} : {chain.c.type})"
    )


def _add_sum(program: Program, chain: Chain) -> None:
    multiply(program, chain.a, chain.b, chain.c, batched=chain.is_batched, named=True)


def _add_bias(program: Program, chain: Chain) -> None:
    other = program.rng.choice(chain.others)
    names = ["%x", "%o"]
    program.rng.shuffle(names)
    kind = program.rng.choice(("addf", "addf", "subf"))
    op = f"arith.{kind} {names[0]}, {names[1]} : f32"
    _add_generic(program, [other], chain.c, op)


def _add_relu_in_place(program: Program, chain: Chain) -> None:
    op = f"arith.maximumf %o, {program.zero()} : f32"
    _add_generic(program, [], chain.c, op)


def _add_disturbance(program: Program, chain: Chain) -> None:
    if program.rng.random() < 0.3:
        _add_generic(program, [(chain.disturbed[2], "whole")], chain.like_c, "%x")
        return
    target, value = program.rng.choice(chain.disturbed), program.number()
    program.lines.append(
        f"linalg.fill ins({value} : f32) outs({target.name} : {target.type})"
    )


_LINKS = (_add_zeros, _add_sum, _add_bias, _add_relu_in_place, _add_disturbance)
_WEIGHTS = (2, 4, 4, 3, 1)
