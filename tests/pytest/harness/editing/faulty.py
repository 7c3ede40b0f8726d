"""Programs with one fault in each of some functions.

text, lines = faulty_program(["no brace", "undefined value"])
"""

from collections.abc import Sequence

RIGHT = """\
func.func @right{0}(%a: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {{
  // A brace in a comment: {{
  %0 = tensor.insert %x into %a[%i] {{note = "}}"}} : tensor<4xf32>
  return %0 : tensor<4xf32>
}}
"""

BODIES = {
    "unknown op": "  %0 = arith.adi %x, %x : f32\n  return\n}",
    "undefined value": "  %0 = arith.addf %x, %y : f32\n  return\n}",
    "wrong type": "  %0 = arith.addi %x, %x : f32\n  return\n}",
    "types differ": "  %0 = arith.addf %x, %i : f32\n  return\n}",
    "two definitions": "  %0 = arith.negf %x : f32\n  %0 = arith.negf %x : f32\n"
    "  return\n}",
    "no terminator": "  %0 = arith.negf %x : f32\n}",
    "wrong terminator": "  scf.yield\n}",
    "wrong number of results": "  return %x : f32\n}",
    "no brace": "  return\n",
    "one brace too many": "  return\n}\n}",
    "no parenthesis": "  %0 = tensor.dim(%t, %i : tensor<4xf32>\n  return\n}",
    "open string": '  %0 = "test.op() : () -> i32\n  return\n}',
    "no such callee": "  func.call @nobody() : () -> ()\n  return\n}",
    "callee of another type": "  func.call @right0(%x) : (f32) -> ()\n  return\n}",
    "unknown block": "  cf.br ^bb7\n}",
    "unknown type": "  %0 = tensor.empty() : tensr<4xf32>\n  return\n}",
    "no type": "  %0 = arith.negf %x :\n  return\n}",
    "no operand": "  %0 = arith.addf %x, : f32\n  return\n}",
    "unknown alias": "  %0 = tensor.empty() : !nothing\n  return\n}",
    "half a word": "  %0 = arith.\n  return\n}",
    "only a name": "  %0\n  return\n}",
    "wrong attribute": "  %0 = arith.constant dense<[1]> : tensor<3xi8>\n  return\n}",
    "number too large": "  %0 = arith.constant 300 : i8\n  return\n}",
    "else of nothing": "  else {\n  }\n  return\n}",
    "no such letter": "  %0 = arith.negf 🙂%x : f32\n  return\n}",
    "no such blank": "  %0 =\u00a0arith.negf %x : f32\n  return\n}",
    "letters of two units": '  "test.op"() {a = "🙂"} : () -> () // 🙂\n'
    "  %0 = arith.addf %x, %y : f32\n  return\n}",
    "page break": "\f  %0 = arith.addf %x, %y : f32\f\n  return\n}",
    "lone carriage return": "  // A comment.\r  %0 = arith.addf %x, %y : f32\n"
    "  return\n}",
    "open string with a brace": '  "test.op"() {a = "b{} : () -> ()\n  return\n}',
    "open dictionary": "  %0 = arith.constant {a = 1 0.0 : f32\n  return\n}",
    "open bracket": "  %0 = tensor.extract %t[%i : tensor<4xf32>\n  return\n}",
    "open angle": "  %0 = tensor.empty() : tensor<4xf32\n  return\n}",
    "two open regions": "  scf.if %c {\n  scf.if %c {\n  return\n",
    "rule inside of a region": "  %c = arith.constant true\n  scf.if %c {\n"
    "    %0 = arith.addi %x, %x : f32\n  }\n  return\n}",
    "words behind the brace": "  return\n}\nabc",
    "half a comment": "  / return\n}",
}

HEADERS = {
    "no name": "func.func (%x: f32) {{\n  return\n}}",
    "no type of argument": "func.func @faulty{0}(%x) {{\n  return\n}}",
    "open parenthesis": "func.func @faulty{0}(%x: f32 {{\n  return\n}}",
    "name of another": "func.func @right0() {{\n  return\n}}",
}


def faulty(kind: str, number: int) -> str:
    """A function with one fault."""
    if kind in HEADERS:
        return HEADERS[kind].format(number)
    head = f"func.func @faulty{number}(%x: f32, %i: index, %t: tensor<4xf32>) {{\n"
    return head + BODIES[kind]


def right_and_faulty(kinds: Sequence[str]) -> list[tuple[str, str]]:
    """The parts of a program: each as it is if it is right, and as it may be.

    Where the two differ, one has a fault.
    """
    parts: list[tuple[str, str]] = []
    for number, kind in enumerate(kinds):
        other = RIGHT.replace("@right", "@other").format(number)
        between = RIGHT.format(number) + "\n"
        parts += [
            (between, between),
            (other, faulty(kind, number) + "\n"),
            ("\n", "\n"),
        ]
    last = RIGHT.format(len(kinds))
    return [*parts, (last, last)]


def faulty_program(kinds: Sequence[str], indent: str = "") -> tuple[str, list[range]]:
    """Right and faulty functions in turns, and the lines of the faulty ones."""
    text, ranges = "", list[range]()
    for right, wrong in right_and_faulty(kinds):
        start = text.count("\n")
        text += wrong
        if wrong != right:
            ranges.append(range(start, text.count("\n")))
    return "".join(indent + line for line in text.splitlines(True)), ranges
