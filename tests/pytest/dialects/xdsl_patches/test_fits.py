"""What xDSL's format of an op cannot show is printed in MLIR's, and nothing else is."""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from harness.oracles.mlir_text import cases
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.common.definitions import definition_of
from xdsl_bufferization.dialects.xdsl_patches import fits
from xdsl_bufferization.dialects.xdsl_patches.fits import HIDES_ATTRIBUTES, fits_xdsl

CORPUS = Path(__file__).parents[3] / "filecheck" / "dialects"
SCRIPT = Path(__file__).parents[2] / "harness/guest/round_trips.py"
MANY = 4
"""How many programs are tried for an op."""

NOT_TRIED = {
    "func.func",  # has others inside
    "scf.execute_region",  # xDSL leaves `scf.yield` out, and does not add it again
}

HIDDEN = {
    "func.func": "func.func private @f(tensor<4xf32> {test.a})",
    "affine.load": "%0 = affine.load %m[%n + symbol(%k)] : memref<4xf32>",
    "affine.store": "affine.store %x, %m[%n + symbol(%k)] : memref<4xf32>",
    "affine.vector_load": (
        "%0 = affine.vector_load %m[%n + symbol(%k)] : memref<4xf32>, vector<2xf32>"
    ),
    "affine.vector_store": (
        "affine.vector_store %v, %m[%n + symbol(%k)] : memref<4xf32>, vector<2xf32>"
    ),
    "linalg.matmul": """
      %0 = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>,
        affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>)
        -> tensor<4x4xf32>""",
}
"""For each op that may hide something else than its attributes, such a one."""

VALUES = """
%n, %k = "test.op"() : () -> (index, index)
%m, %x = "test.op"() : () -> (memref<4xf32>, f32)
%v, %t = "test.op"() : () -> (vector<2xf32>, tensor<4x4xf32>)
"""


def parse(text: str) -> ModuleOp:
    return Parser(get_context(), text).parse_module()


def generic(module: ModuleOp) -> str:
    output = StringIO()
    Printer(output, print_generic_format=True).print_op(module)
    return output.getvalue()


def alone(op: Operation, *, marked: bool) -> ModuleOp:
    """A program of one op, whose operands come from nowhere."""
    operands = list(dict.fromkeys(_used_from_outside(op)))
    source = AnyOp(result_types=[operand.type for operand in operands])
    copy = op.clone(dict(zip(operands, source.results, strict=True)))
    if marked:
        copy.attributes["test.mark"] = UnitAttr()
    return ModuleOp([source, copy])


def _used_from_outside(op: Operation) -> Iterator[SSAValue]:
    inside = {*op.walk()}
    for each in inside:
        for operand in each.operands:
            owner = operand.owner
            at = owner.parent_op() if isinstance(owner, Block) else owner
            if at not in inside:
                yield operand


@cache
def programs() -> dict[str, list[str]]:
    """For each op with a definition of MLIR's, programs of that op, in generic form."""
    found: dict[str, list[str]] = {}
    for file in sorted(CORPUS.glob("*/ops.mlir")):
        for op in (op for text in cases(file) for op in parse(text).walk()):
            of_op = found.setdefault(op.name, [])
            skipped = op.name in NOT_TRIED or op.successors or len(of_op) >= MANY
            if skipped or definition_of(type(op)) is None:
                continue
            texts = [generic(alone(op, marked=marked)) for marked in (False, True)]
            # xDSL renames the key of a resource that it has seen before.
            if "dense_resource" not in texts[0]:
                of_op += texts
    return {name: texts for name, texts in found.items() if texts}


@cache
def lost_by_xdsl(programs: tuple[str, ...]) -> list[bool]:
    """For each program, whether plain xDSL prints another one, or reads another."""
    done = subprocess.run(
        [sys.executable, SCRIPT],
        input=json.dumps(programs),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_most_definitions_are_tried() -> None:
    assert len(programs()) > 110
    assert set(programs()) >= HIDES_ATTRIBUTES


@pytest.mark.parametrize("name", programs())
def test_the_text_of_an_op_says_all(name: str) -> None:
    for text in programs()[name]:
        assert generic(parse(str(parse(text)))) == text


@pytest.mark.volume(sample=7)
@pytest.mark.parametrize("name", sorted(HIDES_ATTRIBUTES))
def test_xdsl_still_hides_attributes(name: str) -> None:
    texts = tuple(text for text in programs()[name] if "test.mark" in text)
    assert any(lost_by_xdsl(texts))


@pytest.mark.parametrize("name", HIDDEN)
def test_xdsl_still_hides_more(name: str) -> None:
    text = VALUES + HIDDEN[name]
    module = parse(text)
    (op,) = (op for op in module.walk() if op.name == name)
    assert not fits_xdsl(op)
    assert lost_by_xdsl((generic(module),)) == [True]
    assert generic(parse(str(module))) == generic(module)


def test_all_that_may_hide_more_is_tried() -> None:
    assert set(vars(fits)["_HIDES"]) == set(HIDDEN)


def test_what_fits_is_printed_as_xdsl_does() -> None:
    module = parse(
        f"{VALUES}%0 = linalg.transpose ins(%t : tensor<4x4xf32>)"
        " outs(%t : tensor<4x4xf32>) permutation = [1, 0]"
    )
    assert all(fits_xdsl(op) for op in module.walk())


def test_an_op_without_a_definition_fits() -> None:
    assert fits_xdsl(AnyOp())
    assert fits_xdsl(ModuleOp([]))
