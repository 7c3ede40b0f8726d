"""Random programs that compute tensors in empty ones, and insert them into others.

A program is text that both MLIR and xDSL read, with one function `main` of a
tensor<16xf32>, a number, an offset of at most 4 and a condition. Not all elements of
its results have defined contents.
"""

import random
from collections.abc import Callable

ARGUMENTS = "%t: tensor<16xf32>, %f: f32, %n: index, %c: i1"
PIECE = "tensor<4xf32>"
BLOCK = "tensor<8xf32>"


class _Writer:
    def __init__(self, seed: int, *, reuse: bool):
        self.random = random.Random(seed)
        self.reuse = reuse
        self.lines: list[str] = []
        self.count = 0
        self.empties: list[str] = []
        self.pieces: list[str] = []
        self.offsets = ["%n", "%c0", "%c4"]

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def add(self, text: str, type_: str) -> str:
        name = self.name()
        self.lines.append(f"{name} = {text} {type_}".rstrip())
        return name

    def empty(self) -> str:
        if self.reuse and self.empties and self.random.random() < 0.3:
            return self.random.choice(self.empties)
        name = self.add("tensor.empty() :", PIECE)
        self.empties.append(name)
        return name

    def fill(self, value: str) -> str:
        return self.add(f"linalg.fill ins(%f : f32) outs({value} : {PIECE}) ->", PIECE)

    def piece(self, depth: int = 0) -> str:
        """A tensor that is computed in an empty one, in one of many ways."""
        kinds = ["fill", "add", "cast", "dynamic", "offset", "old"]
        if depth < 2:
            kinds += ["if", "for", "select"]
        match self.random.choice(kinds):
            case "add":
                a, b = self.fill(self.empty()), self.empty()
                return self.add(
                    f"linalg.add ins({a}, {a} : {PIECE}, {PIECE}) "
                    f"outs({b} : {PIECE}) ->",
                    PIECE,
                )
            case "cast":
                inner = self.piece(depth + 1)
                wide = self.add(f"tensor.cast {inner} : {PIECE} to", "tensor<?xf32>")
                return self.add(f"tensor.cast {wide} : tensor<?xf32> to", PIECE)
            case "dynamic":
                wide = self.add("tensor.empty(%c4) :", "tensor<?xf32>")
                filled = self.add(
                    f"linalg.fill ins(%f : f32) outs({wide} : tensor<?xf32>) ->",
                    "tensor<?xf32>",
                )
                return self.add(f"tensor.cast {filled} : tensor<?xf32> to", PIECE)
            case "offset":
                a, b = self.random.choices(self.offsets[:3], k=2)
                self.offsets.append(self.add(f"arith.maxui {a}, {b} :", "index"))
                return self.fill(self.empty())
            case "old" if self.pieces:
                return self.random.choice(self.pieces)
            case "if":
                return self.branches(depth)
            case "for":
                return self.loop(depth)
            case "select":
                a, b = self.piece(depth + 1), self.piece(depth + 1)
                return self.add(f"arith.select %c, {a}, {b} :", PIECE)
            case _:
                return self.fill(self.empty())

    def branches(self, depth: int) -> str:
        name = self.name()
        self.lines.append(f"{name} = scf.if %c -> ({PIECE}) {{")
        for end in ("} else {", "}"):
            self.nest(lambda: self.piece(depth + 1), end)
        return name

    def loop(self, depth: int) -> str:
        init, name, argument = self.piece(depth + 1), self.name(), self.name()
        self.lines.append(
            f"{name} = scf.for %i{self.count} = %c0 to %c4 step %c1 "
            f"iter_args({argument} = {init}) -> ({PIECE}) {{"
        )
        position = f"%i{self.count}"
        self.nest(
            lambda: self.add(f"tensor.insert %f into {argument}[{position}] :", PIECE),
            "}",
        )
        return name

    def nest(self, write: Callable[[], str], end: str) -> None:
        saved = [*self.empties], [*self.pieces], [*self.offsets]
        self.lines.append(f"scf.yield {write()} : {PIECE}")
        self.empties, self.pieces, self.offsets = saved
        self.lines.append(end)

    def insert(self, source: str, type_: str, into: str, whole: str) -> str:
        offset = self.random.choice(self.offsets)
        size = type_[7:-5]
        return self.add(
            f"tensor.insert_slice {source} into {into}[{offset}] [{size}] [1] : "
            f"{type_} into",
            whole,
        )

    def write(self) -> str:
        container = "%t"
        for _ in range(self.random.randrange(1, 6)):
            if self.random.random() < 0.25:
                block = self.add("tensor.empty() :", BLOCK)
                for _ in range(self.random.randrange(1, 3)):
                    block = self.insert(self.piece(), PIECE, block, BLOCK)
                container = self.insert(block, BLOCK, container, "tensor<16xf32>")
                continue
            piece = self.piece()
            self.pieces.append(piece)
            if self.random.random() < 0.15:
                piece = self.add(
                    f"bufferization.materialize_in_destination {piece} in "
                    f"{self.fill(self.empty())} : ({PIECE}, {PIECE}) ->",
                    PIECE,
                )
            container = self.insert(piece, PIECE, container, "tensor<16xf32>")
        body = "\n  ".join(self.lines)
        return (
            f"func.func @main({ARGUMENTS}) -> tensor<16xf32> {{\n"
            "  %c0 = arith.constant 0 : index\n"
            "  %c1 = arith.constant 1 : index\n"
            "  %c4 = arith.constant 4 : index\n"
            f"  {body}\n  return {container} : tensor<16xf32>\n}}\n"
        )


def random_insertions(seed: int, *, reuse: bool = True) -> str:
    """A program; without `reuse`, every empty tensor is used once."""
    return _Writer(seed, reuse=reuse).write()
