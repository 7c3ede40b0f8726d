"""Random programs with a parallel loop of one iteration that inserts all of its output.

What is inserted may be the output itself, changed in place or not, and the body also
writes what is outside of the loop. A program is text that both MLIR and xDSL read, with
one function `main` of two tensors of type `TYPE`, a number, an index that is 0 and a
condition.
"""

import random

TYPE = "tensor<4xf32>"
ARGUMENTS = f"%t: {TYPE}, %s: {TYPE}, %f: f32, %n: index, %c: i1"

OPS = (
    "linalg.fill ins(%f : f32) outs({b} : T) -> T",
    "linalg.add ins({a}, {a} : T, T) outs({b} : T) -> T",
    "linalg.copy ins({a} : T) outs({b} : T) -> T",
    "tensor.insert %f into {b}[%c0] : T",
    "tensor.extract_slice {b}[0] [4] [1] : T to T",
)


class _Writer:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def add(self, text: str) -> str:
        self.count += 1
        self.lines.append(f"%v{self.count} = {text.replace('T', TYPE)}")
        return f"%v{self.count}"

    def work(self, tensors: list[str], ops: int) -> list[str]:
        """The tensors, and those that some ops make of them."""
        for _ in range(ops):
            a, b = self.random.choice(tensors), self.random.choice(tensors[-3:])
            op = self.random.choice(OPS)
            tensors = [*tensors, self.add(op.format(a=a, b=b))]
        return tensors

    def program(self) -> str:
        tensors = self.work(["%t", "%s"], self.random.randrange(4))
        output = self.random.choice(tensors)
        loop = self.add(f"scf.forall (%i) in (1) shared_outs(%o = {output}) -> (T) {{")
        inside = self.work([*tensors, "%o"], self.random.randint(1, 5))
        source, offset = self.random.choice(inside[-4:]), self.random.choice(("%i", 0))
        self.lines.append(
            "scf.forall.in_parallel {\n"
            f"tensor.parallel_insert_slice {source} into %o[{offset}] [4] [1] "
            f": {TYPE} into {TYPE}\n}}\n}}"
        )
        tensors = self.work([*tensors, loop], self.random.randrange(4))
        lines = "\n  ".join(self.lines)
        return (
            f"func.func @main({ARGUMENTS}) -> ({TYPE}, {TYPE}) {{\n"
            f"  %c0 = arith.constant 0 : index\n  {lines}\n"
            f"  return {tensors[-1]}, {self.random.choice(tensors)} : {TYPE}, {TYPE}\n"
            "}\n"
        )


def random_whole_output(seed: int) -> str:
    """A program."""
    return _Writer(seed).program()
