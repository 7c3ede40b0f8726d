"""Uses that their definitions do not dominate, beside mlir-opt's verdicts."""

from random import Random

import pytest
from harness.oracles.mlir_text import ask_mlir
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir
from xdsl_bufferization.support.errors import OperationError

BAD = {
    "later in the block": """
    ^entry:
      %1 = arith.addi %0, %x : i32
      %0 = arith.addi %x, %x : i32
      return %1 : i32""",
    "of itself": """
    ^entry:
      %0 = arith.addi %x, %0 : i32
      return %0 : i32""",
    "in the region of the op that defines it": """
    ^entry:
      %0 = scf.if %c -> i32 {
        %1 = arith.addi %0, %x : i32
        scf.yield %1 : i32
      } else {
        scf.yield %x : i32
      }
      return %0 : i32""",
    "after an op with regions": """
    ^entry:
      scf.if %c {
        scf.yield
      }
      %1 = arith.addi %0, %x : i32
      %0 = arith.addi %x, %x : i32
      return %1 : i32""",
    "on one of two paths": """
      cf.cond_br %c, ^a, ^b
    ^a:
      %0 = arith.addi %x, %x : i32
      cf.br ^b
    ^b:
      return %0 : i32""",
    "on the other path": """
      cf.cond_br %c, ^a, ^b
    ^a:
      %0 = arith.addi %x, %x : i32
      return %0 : i32
    ^b:
      return %0 : i32""",
    "around a loop": """
      cf.br ^a
    ^a:
      %1 = arith.addi %0, %x : i32
      cf.br ^b
    ^b:
      %0 = arith.addi %x, %x : i32
      cf.cond_br %c, ^a, ^d
    ^d:
      return %1 : i32""",
    "an argument of a block that does not dominate": """
      cf.cond_br %c, ^a(%x : i32), ^b
    ^a(%0: i32):
      cf.br ^b
    ^b:
      return %0 : i32""",
}
GOOD = {
    "by a block that is written later": """
      cf.br ^b
    ^a:
      return %0 : i32
    ^b:
      %0 = arith.addi %x, %x : i32
      cf.br ^a""",
    "in a nested region, and after it": """
    ^entry:
      %0 = arith.addi %x, %x : i32
      %1 = scf.if %c -> i32 {
        %2 = arith.addi %0, %x : i32
        scf.yield %2 : i32
      } else {
        scf.yield %0 : i32
      }
      %3 = arith.addi %1, %0 : i32
      return %3 : i32""",
    "around a loop, from before it": """
      %0 = arith.addi %x, %x : i32
      cf.br ^a(%0 : i32)
    ^a(%1: i32):
      %2 = arith.addi %0, %1 : i32
      cf.cond_br %c, ^a(%2 : i32), ^d
    ^d:
      %3 = arith.addi %1, %2 : i32
      return %3 : i32""",
    "in a block that nothing reaches": """
      return %x : i32
    ^a:
      %1 = arith.addi %0, %x : i32
      %0 = arith.addi %x, %x : i32
      return %1 : i32""",
    "where nobody knows what order means": """
    ^entry:
      "unknown.graph"() ({
        %1 = arith.addi %0, %x : i32
        %0 = arith.addi %x, %x : i32
        "unknown.end"() : () -> ()
      }) : () -> ()
      return %x : i32""",
}
PROGRAMS = {**BAD, **GOOD}


def program(body: str) -> str:
    body = body.removeprefix("\n    ^entry:")
    return f"func.func @f(%x: i32, %c: i1) -> i32 {{{body}\n}}\n"


def unverified(ctx: Context, text: str) -> ModuleOp:
    ctx.allow_unregistered = True
    return MLIRParser(ctx, text).parse_module()


@pytest.mark.parametrize("name", GOOD)
def test_all_uses_are_dominated(ctx: Context, name: str) -> None:
    verify_as_mlir(unverified(ctx, program(GOOD[name])))


@pytest.mark.parametrize("name", BAD)
def test_a_use_is_not_dominated(ctx: Context, name: str) -> None:
    with pytest.raises(OperationError, match=r"operand #\d does not dominate this use"):
        verify_as_mlir(unverified(ctx, program(BAD[name])))


def test_the_ops_of_an_egraph_are_in_no_order(ctx: Context) -> None:
    text = """
    func.func @f(%a: i64) {
      %c = equivalence.class %a, %sum : i64
      %sum = arith.addi %c, %c : i64
      return
    }"""
    verify_as_mlir(unverified(ctx, text))


def test_a_value_of_another_region_is_out_of_sight(ctx: Context) -> None:
    """No text can say that: a name ends with its region."""
    text = program(
        """
      scf.if %c {
        %0 = arith.addi %x, %x : i32
      }
      scf.if %c {
        %1 = arith.addi %x, %x : i32
      }
      return %x : i32"""
    )
    module = unverified(ctx, text)
    first, second = (op for op in module.walk() if op.name == "arith.addi")
    second.operands[0] = first.results[0]
    with pytest.raises(DiagnosticException, match="operand #0 does not dominate"):
        verify_as_mlir(module)


def random_graph(random: Random) -> str:
    """Blocks that use values of each other, and branch anywhere."""
    count = random.randrange(2, 9)
    lines: list[str] = []
    for block in range(count):
        if block:
            lines.append(f"^b{block}:")
        used = random.randrange(count) if random.random() < 0.4 else 0
        source = f"%v{used}" if block and used != block else "%x"
        lines.append(f"  %v{block} = arith.addi {source}, %x : i32")
        targets = [f"^b{random.randrange(1, count)}" for _ in range(2)]
        end = f"return %v{block} : i32"
        branch = f"cf.cond_br %c, {', '.join(targets)}"
        lines.append(f"  {end if random.random() < 0.3 else branch}")
    return program("\n" + "\n".join(lines))


@pytest.mark.oracle
def test_mlir_finds_the_same_uses(ctx: Context) -> None:
    graphs = [random_graph(Random(seed)) for seed in range(300)]
    programs = [*map(program, [*BAD.values(), *GOOD.values()]), *graphs]
    refused = 0
    for text, reply in zip(programs, ask_mlir(programs), strict=True):
        try:
            verify_as_mlir(unverified(ctx, text))
        except OperationError as error:
            refused += 1
            assert error.message in reply.errors, text
        else:
            assert reply.errors == "", text
    assert 60 <= refused <= 240
