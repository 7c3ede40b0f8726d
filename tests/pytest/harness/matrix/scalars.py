"""Lines on numbers that occur in bodies: `%y` from `%x` and `%o`, for each type."""


def kind_of(element: str) -> str:
    """`float`, `integer` or `complex`."""
    if element.startswith("complex"):
        return "complex"
    return "float" if "f" in element else "integer"


def adding(element: str, one: str = "%x", other: str = "%o", into: str = "%y") -> str:
    """The sum of two numbers; of bits, their exclusive or."""
    if element == "i1":
        return f"{into} = arith.xori {one}, {other} : i1"
    op = {"float": "arith.addf", "integer": "arith.addi", "complex": "complex.add"}
    return f"{into} = {op[kind_of(element)]} {one}, {other} : {element}"


def subtracting(
    element: str, one: str = "%x", other: str = "%o", into: str = "%y"
) -> str:
    """The difference of two numbers, which tells them apart; of bits, `one & other`."""
    if element == "i1":
        return f"{into} = arith.andi {one}, {other} : i1"
    op = {"float": "arith.subf", "integer": "arith.subi", "complex": "complex.sub"}
    return f"{into} = {op[kind_of(element)]} {one}, {other} : {element}"


def multiplying(
    element: str, one: str = "%x", other: str = "%o", into: str = "%y"
) -> str:
    """The product of two numbers."""
    op = {"float": "arith.mulf", "integer": "arith.muli", "complex": "complex.mul"}
    return f"{into} = {op[kind_of(element)]} {one}, {other} : {element}"


def maximum(element: str, one: str = "%x", other: str = "%o", into: str = "%y") -> str:
    """The larger of two numbers; of complex numbers, the sum."""
    op = {"float": "arith.maximumf", "integer": "arith.maxsi", "complex": "complex.add"}
    return f"{into} = {op[kind_of(element)]} {one}, {other} : {element}"


def negating(element: str, one: str = "%x", into: str = "%y") -> str:
    """The number with the other sign; of bits, the number itself."""
    if element == "i1":
        return f"{into} = arith.ori {one}, {one} : i1"
    if kind_of(element) == "integer":
        zero = f"%z{into[1:]} = arith.constant 0 : {element}"
        return f"{zero}\n{into} = arith.subi %z{into[1:]}, {one} : {element}"
    op = "arith.negf" if kind_of(element) == "float" else "complex.neg"
    return f"{into} = {op} {one} : {element}"


def converting(element: str, index: str, into: str) -> str:
    """A number of type index as a number of another type."""
    if element == "index":
        return f"{into} = arith.addi {index}, {index} : index"
    wide = f"{into}w = arith.index_cast {index} : index to i32"
    kind = kind_of(element)
    if kind == "integer":
        return f"{into} = arith.index_cast {index} : index to {element}"
    if kind == "float":
        return f"{wide}\n{into} = arith.sitofp {into}w : i32 to {element}"
    part = element.removeprefix("complex<").removesuffix(">")
    return (
        f"{wide}\n{into}p = arith.sitofp {into}w : i32 to {part}\n"
        f"{into} = complex.create {into}p, {into}p : {element}"
    )
