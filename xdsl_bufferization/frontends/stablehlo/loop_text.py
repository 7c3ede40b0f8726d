"""MLIR's text of loops over the elements of matrices, for functions of LAPACK.

    code = LoopText((2,), "f32")                    two matrices of f32
    a = code.loop("%c0", "%n", [a], lambda i, a: [code.insert(a, x, i, i)])

Matrices are stored in row-major order. Each access has the indices of the batch, which
are those of loops around all others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A value in the text: its name and its type."""

    name: str
    type: str


def sizes_of(matrix: Term) -> tuple[int, int]:
    """The rows and the columns of a matrix, or of those of a batch."""
    rows, columns = matrix.type.removeprefix("tensor<").split("x")[-3:-1]
    return int(rows), int(columns)


class LoopText:
    """The body of a function, written op by op."""

    def __init__(self, element: str):
        self.element = element
        self.lines: list[str] = []
        self.batch: list[Term] = []
        """The indices of the matrix of a batch that the code is about."""
        self._count = 0

    def op(self, text: str, type_: str) -> Term:
        """Add an op with one result of a type."""
        self._count += 1
        self.lines.append(f"%v{self._count} = {text}")
        return Term(f"%v{self._count}", type_)

    def index(self, value: int) -> Term:
        """A constant index."""
        return self.op(f"arith.constant {value} : index", "index")

    def number(self, value: float) -> Term:
        """A constant element."""
        return self.op(f"arith.constant {value:e} : {self.element}", self.element)

    def compute(self, name: str, *operands: Term) -> Term:
        """An op whose operands and result have one type."""
        names = ", ".join(each.name for each in operands)
        return self.op(f"{name} {names} : {operands[0].type}", operands[0].type)

    def plus_one(self, value: Term) -> Term:
        """The next index."""
        return self.compute("arith.addi", value, self.index(1))

    def number_of(self, index: Term) -> Term:
        """An index as LAPACK counts: from 1, in 32 bits."""
        next_ = self.plus_one(index)
        return self.op(f"arith.index_cast {next_.name} : index to i32", "i32")

    def compare(self, predicate: str, a: Term, b: Term) -> Term:
        """Whether two numbers are so."""
        kind = "cmpf" if a.type.startswith("f") else "cmpi"
        return self.op(f"arith.{kind} {predicate}, {a.name}, {b.name} : {a.type}", "i1")

    def select(self, condition: Term, a: Term, b: Term) -> Term:
        """One of two numbers."""
        names = f"{condition.name}, {a.name}, {b.name}"
        return self.op(f"arith.select {names} : {a.type}", a.type)

    def either(self, a: Term, b: Term) -> Term:
        """Whether one of two conditions holds, or both."""
        return self.compute("arith.ori", a, b)

    def extract(self, tensor: Term, *indices: Term) -> Term:
        """An element of a matrix or a vector."""
        places = self._places(tensor, indices)
        element = tensor.type.rpartition("x")[2].removeprefix("tensor<")[:-1]
        return self.op(
            f"tensor.extract {tensor.name}[{places}] : {tensor.type}", element
        )

    def insert(self, tensor: Term, value: Term, *indices: Term) -> Term:
        """A matrix or a vector with another element."""
        places = self._places(tensor, indices)
        text = f"tensor.insert {value.name} into {tensor.name}[{places}]"
        return self.op(f"{text} : {tensor.type}", tensor.type)

    def _places(self, tensor: Term, indices: Sequence[Term]) -> str:
        """All indices; a `new` tensor has none of the batch."""
        is_new = tensor.type.count("x") == len(indices)
        batch = [] if is_new else self.batch
        return ", ".join(each.name for each in (*batch, *indices))

    def new(self, *sizes: int) -> Term:
        """A matrix or a vector for one matrix of the batch; its contents are open."""
        type_ = f"tensor<{'x'.join([*map(str, sizes), self.element])}>"
        return self.op(f"tensor.empty() : {type_}", type_)

    def transposed(self, matrix: Term, target: Term) -> Term:
        """The target with the elements of a matrix, whose rows become columns."""
        start = self.index(0)
        rows, columns = map(self.index, sizes_of(matrix))

        def row(i: Term, target: Term) -> list[Term]:
            def element(k: Term, target: Term) -> list[Term]:
                return [self.insert(target, self.extract(matrix, i, k), k, i)]

            return self.loop(start, columns, [target], element)

        return self.loop(start, rows, [target], row)[0]

    def unit(self, target: Term) -> Term:
        """The target with ones on the diagonal, and zeros elsewhere."""
        start = self.index(0)
        rows, columns = map(self.index, sizes_of(target))
        zero, one = self.number(0), self.number(1)

        def row(i: Term, target: Term) -> list[Term]:
            def element(k: Term, target: Term) -> list[Term]:
                number = self.select(self.compare("eq", i, k), one, zero)
                return [self.insert(target, number, i, k)]

            return self.loop(start, columns, [target], element)

        return self.loop(start, rows, [target], row)[0]

    def turned(
        self, matrix: Term, rows: tuple[Term, Term], end: Term, by: tuple[Term, Term]
    ) -> Term:
        """A matrix with two rows rotated up to column `end`, by cosine and sine."""
        p, q = rows
        cosine, sine = by

        def element(k: Term, matrix: Term) -> list[Term]:
            one, other = self.extract(matrix, p, k), self.extract(matrix, q, k)
            left = self.compute("arith.mulf", cosine, one)
            right = self.compute("arith.mulf", sine, other)
            first = self.compute("arith.subf", left, right)
            left = self.compute("arith.mulf", sine, one)
            right = self.compute("arith.mulf", cosine, other)
            second = self.compute("arith.addf", left, right)
            return [self.insert(self.insert(matrix, first, p, k), second, q, k)]

        return self.loop(self.index(0), end, [matrix], element)[0]

    def swapped(self, matrix: Term, p: Term, q: Term, end: Term) -> Term:
        """A matrix with two rows exchanged, up to column `end`."""

        def element(k: Term, matrix: Term) -> list[Term]:
            one, other = self.extract(matrix, p, k), self.extract(matrix, q, k)
            return [self.insert(self.insert(matrix, other, p, k), one, q, k)]

        return self.loop(self.index(0), end, [matrix], element)[0]

    def loop(
        self,
        first: Term,
        end: Term,
        carried: Sequence[Term],
        body: Callable[..., Sequence[Term]],
    ) -> list[Term]:
        """A loop; `body` gets the index and what is handed on, and gives the next."""
        self._count += 1
        number = self._count
        one = self.index(1)
        inner = [Term(f"%a{number}_{n}", each.type) for n, each in enumerate(carried)]
        pairs = zip(inner, carried, strict=True)
        inits = ", ".join(f"{new.name} = {old.name}" for new, old in pairs)
        types = ", ".join(each.type for each in carried)
        self.lines.append(
            f"%r{number}:{len(carried)} = scf.for %i{number} = {first.name} to "
            f"{end.name} step {one.name} iter_args({inits}) -> ({types}) {{"
        )
        results = body(Term(f"%i{number}", "index"), *inner)
        names = ", ".join(each.name for each in results)
        self.lines.append(f"scf.yield {names} : {types}")
        self.lines.append("}")
        return [Term(f"%r{number}#{n}", each.type) for n, each in enumerate(carried)]

    def repeat(
        self,
        carried: Sequence[Term],
        condition: Callable[..., Term],
        body: Callable[..., Sequence[Term]],
    ) -> list[Term]:
        """A loop that goes on as long as a condition holds of what is handed on."""
        self._count += 1
        number = self._count
        names = [[f"%{each}{number}_{n}" for n in range(len(carried))] for each in "bd"]
        before, after = (
            [Term(name, value.type) for name, value in zip(each, carried, strict=True)]
            for each in names
        )
        pairs = zip(before, carried, strict=True)
        inits = ", ".join(f"{new.name} = {old.name}" for new, old in pairs)
        types = ", ".join(each.type for each in carried)
        self.lines.append(
            f"%r{number}:{len(carried)} = scf.while ({inits}) : ({types}) -> "
            f"({types}) {{"
        )
        goes_on = condition(*before)
        values = ", ".join(each.name for each in before)
        self.lines.append(f"scf.condition({goes_on.name}) {values} : {types}")
        arguments = ", ".join(f"{each.name}: {each.type}" for each in after)
        self.lines.append(f"}} do {{\n^bb0({arguments}):")
        results = ", ".join(each.name for each in body(*after))
        self.lines.append(f"scf.yield {results} : {types}\n}}")
        return [Term(f"%r{number}#{n}", each.type) for n, each in enumerate(carried)]

    def rotation(self, one: Term, other: Term, between: Term) -> tuple[Term, Term]:
        """The cosine and the sine of a rotation that makes `between` 0.

        The rotated matrix is [[one, between], [between, other]]. Source: Golub and Van
        Loan, Matrix Computations, 8.5.2.
        """
        zero, unit = self.number(0), self.number(1)
        is_zero = self.compare("oeq", between, zero)
        safe = self.select(is_zero, unit, between)
        difference = self.compute("arith.subf", other, one)
        double = self.compute("arith.addf", safe, safe)
        theta = self.compute("arith.divf", difference, double)
        square = self.compute("arith.mulf", theta, theta)
        root = self.compute("math.sqrt", self.compute("arith.addf", square, unit))
        total = self.compute("arith.addf", self.compute("math.absf", theta), root)
        sign = self.compute("math.copysign", unit, theta)
        tangent = self.compute("arith.divf", sign, total)
        tangent = self.select(is_zero, zero, tangent)
        square = self.compute("arith.mulf", tangent, tangent)
        root = self.compute("math.sqrt", self.compute("arith.addf", square, unit))
        cosine = self.compute("arith.divf", unit, root)
        return cosine, self.compute("arith.mulf", tangent, cosine)

    def total(
        self, first: Term, end: Term, term: Callable[[Term], tuple[Term, Term]]
    ) -> Term:
        """The sum of products of pairs of numbers, in any order."""
        return self.totals(first, end, 1, lambda k: [term(k)])[0]

    def totals(
        self,
        first: Term,
        end: Term,
        count: int,
        terms: Callable[[Term], Sequence[tuple[Term, Term]]],
    ) -> list[Term]:
        """Several such sums in one loop."""

        def add(k: Term, *totals: Term) -> list[Term]:
            return [
                self._added(total, self.compute("arith.mulf", *pair))
                for total, pair in zip(totals, terms(k), strict=True)
            ]

        return self.loop(first, end, [self.number(0)] * count, add)

    def _added(self, total: Term, product: Term) -> Term:
        names = f"{total.name}, {product.name} fastmath<reassoc>"
        return self.op(f"arith.addf {names} : {total.type}", total.type)

    def for_each_of(
        self,
        sizes: Sequence[int],
        carried: Sequence[Term],
        body: Callable[..., Sequence[Term]],
    ) -> list[Term]:
        """Code for each matrix of a batch."""
        if not sizes:
            return [*body(*carried)]
        start, end = self.index(0), self.index(sizes[0])

        def inside(place: Term, *values: Term) -> Sequence[Term]:
            self.batch.append(place)
            results = self.for_each_of(sizes[1:], values, body)
            self.batch.pop()
            return results

        return self.loop(start, end, carried, inside)


def first_fault(
    c: LoopText, fault: Term, is_right: Term, number: Term, place: Term
) -> Term:
    """The number of the first row that is wrong, from 1; NaN is."""
    is_number = c.compare("oeq", number, number)
    is_right = c.compute("arith.andi", is_right, is_number)
    none = c.op("arith.constant 0 : i32", "i32")
    found = c.select(is_right, none, c.number_of(place))
    return c.select(c.compare("eq", fault, none), found, fault)


def function_text(
    name: str, arguments: Sequence[Term], lines: Sequence[str], results: Sequence[Term]
) -> str:
    """The text of a private function."""
    inputs = ", ".join(f"{each.name}: {each.type}" for each in arguments)
    types = ", ".join(each.type for each in results)
    names = ", ".join(each.name for each in results)
    body = "\n".join(lines)
    return (
        f"func.func private @{name}({inputs}) -> ({types}) {{\n{body}\n"
        f"return {names} : {types}\n}}"
    )
