"""A program of twice the size is about twice the work."""

import pytest
from harness.oracles.decisions import parse
from harness.running.growth import growth
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.bufferization_proof.prove import prove

HEAD = """
func.func @main(%t0: tensor<8xf32>, %v: f32, %n: index, %c: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
"""

CHAIN = "  %t{next} = tensor.insert %v into %t{now}[%c1] : tensor<8xf32>"

SLICES = """
  %s{now} = tensor.extract_slice %t{now}[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %f{now} = linalg.fill ins(%v : f32) outs(%s{now} : tensor<4xf32>) -> tensor<4xf32>
  %t{next} = tensor.insert_slice %f{now} into %t{now}[0] [4] [1]
      : tensor<4xf32> into tensor<8xf32>"""

LOOPS = """
  %t{next} = scf.for %i{now} = %c0 to %n step %c1 iter_args(%x{now} = %t{now})
      -> (tensor<8xf32>) {{
    %y{now} = tensor.insert %v into %x{now}[%i{now}] : tensor<8xf32>
    scf.yield %y{now} : tensor<8xf32>
  }}"""

BRANCHES = """
  %t{next} = scf.if %c -> tensor<8xf32> {{
    %y{now} = tensor.insert %v into %t{now}[%c0] : tensor<8xf32>
    scf.yield %y{now} : tensor<8xf32>
  }} else {{
    %new{now} = tensor.splat %v : tensor<8xf32>
    scf.yield %new{now} : tensor<8xf32>
  }}"""

BLOCKS = """
  cf.cond_br %c, ^then{now}, ^else{now}
^then{now}:
  %y{now} = tensor.insert %v into %t{now}[%c0] : tensor<8xf32>
  cf.br ^next{now}(%y{now} : tensor<8xf32>)
^else{now}:
  cf.br ^next{now}(%t{now} : tensor<8xf32>)
^next{now}(%t{next}: tensor<8xf32>):"""

FORMS = {
    "chain": CHAIN,
    "slices": SLICES,
    "loops": LOOPS,
    "branches": BRANCHES,
    "blocks": BLOCKS,
}


def program(form: str, count: int) -> ModuleOp:
    steps = [form.format(now=number, next=number + 1) for number in range(count)]
    end = f"  return %t{count} : tensor<8xf32>\n}}"
    return parse(HEAD + "\n".join((*steps, end)))


def nested(depth: int) -> ModuleOp:
    lines, end = [HEAD], [f"  return %t{depth} : tensor<8xf32>\n}}"]
    for level in range(depth):
        now, then = f"%x{level}" if level else "%t0", f"%x{level + 1}"
        result = f"%t{depth - level}"
        lines.append(
            f"{result} = scf.for %i{level} = %c0 to %n step %c1 "
            f"iter_args({then} = {now}) -> (tensor<8xf32>) {{"
        )
        inner = f"%t{depth - level - 1}" if level + 1 < depth else "%y"
        end.insert(0, f"scf.yield {inner} : tensor<8xf32>\n}}")
    lines.append(f"%y = tensor.insert %v into %x{depth}[%c0] : tensor<8xf32>")
    return parse("\n".join((*lines, *end)))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_twice_the_program_is_twice_the_work(form: str) -> None:
    small, large = program(form, 40), program(form, 160)
    assert prove(small).is_proven
    assert growth(prove, small, large) < 4 * 1.5


def test_nesting_is_no_power() -> None:
    """Each level looks at the levels inside until nothing is new, and no more."""
    assert growth(prove, nested(4), nested(8)) < 2 * 4
