"""All works in a release of xDSL without the private names, and says which are gone."""

# pyright: reportPrivateUsage=false

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import xdsl
from xdsl.dialects import arith, func, test
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr, f32
from xdsl.ir import Block

from xdsl_bufferization.dialects.common.formats import format_of
from xdsl_bufferization.dialects.printing import mlir_text
from xdsl_bufferization.support.xdsl_releases import (
    block_arguments,
    format_programs,
    new_locations,
    notes,
    operands,
    views,
)

PROGRAM = """
func.func @f(%c: i1, %t: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %x = arith.constant dense_resource<weights> : tensor<4xf32>
  cf.cond_br %c, ^late(%t, %x : tensor<4xf32>, tensor<4xf32>), ^end(%t : tensor<4xf32>)
^late(%0: tensor<4xf32>, %1: tensor<4xf32>):
  %2 = tensor.extract %1[%i] : tensor<4xf32>
  %3 = tensor.insert %2 into %0[%i] : tensor<4xf32>
  cf.br ^end(%3 : tensor<4xf32>)
^end(%4: tensor<4xf32>):
  return %4 : tensor<4xf32>
}
{-# dialect_resources: {builtin: {weights: "0x040000000000803F0000004000004040"}} #-}
"""

SCRIPT = """
import json, sys
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.dialects.printing import mlir_text
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    one_shot_bufferize
)
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir
from xdsl_bufferization.support.xdsl_releases import missing_names

module = parse_module(sys.stdin.read(), "a.mlir", get_context())
verify_as_mlir(module)
one_shot_bufferize(module, BufferizationOptions(bufferize_function_boundaries=True))
verify_as_mlir(module)
print(json.dumps([mlir_text(module), missing_names()]))
"""

RENAMED = (
    "_args",
    "_blob_storage",
    "_operands",
    "_populate_worklist",
    "_process_worklist",
    "_worklist",
    "assembly_program",
    "custom_verify",
)
"""Names that xDSL may have under other names in its next release."""


def copy_of_xdsl(folder: Path) -> None:
    """Copy xDSL, with other private names."""
    shutil.copytree(Path(xdsl.__file__).parent, folder / "xdsl")
    pattern = re.compile(rf"\b({'|'.join(RENAMED)})\b")
    for file in (folder / "xdsl").rglob("*.py"):
        text = file.read_text()
        renamed = pattern.sub(r"\1_of_next_release", text)
        if renamed != text:
            file.write_text(renamed)


def outcome(path: str) -> tuple[str, list[str]]:
    """The text that comes of the program, and which names stood aside."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={"PYTHONPATH": path, "XBUF_CACHE": "off"},
        input=PROGRAM,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    text, aside = json.loads(done.stdout)
    return text, aside


def test_a_release_with_other_names(tmp_path: Path) -> None:
    expected, none = outcome("")
    assert none == []
    copy_of_xdsl(tmp_path)
    found, aside = outcome(str(tmp_path))
    assert found == expected
    names = {each.partition(":")[0].rpartition(".")[2] for each in aside}
    assert names == {*RENAMED}
    assert len(aside) == len(names)


def test_operands_without_their_tuple() -> None:
    zero = arith.ConstantOp.from_int_and_width(0, 32)
    sum_ = arith.AddiOp(zero, zero)
    assert operands._listed(sum_) == operands.operand_values(sum_) == (zero.result,) * 2


def test_arguments_that_are_added_one_by_one() -> None:
    location = FileLineColLoc(StringAttr("a"), IntAttr(1), IntAttr(2))
    blocks = Block(), Block()
    made = [
        block_arguments.NewArguments(blocks[0]),
        block_arguments.SlowArguments(blocks[1]),
    ]
    for block, arguments in zip(blocks, made, strict=True):
        added = [arguments.add(f32, location) for _ in range(3)]
        arguments.finish()
        assert list(block.args) == added
        assert [each.index for each in block.args] == [0, 1, 2]
        assert [each.location for each in block.args] == [location] * 3


def test_a_view_is_another_object_with_the_same_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    op = test.TestOp(attributes={"a": StringAttr("b")})
    for has_table in (True, False):
        monkeypatch.setattr(views, "_HAS_TABLE", has_table)
        view = views.view_as(op, test.TestOp)
        assert view is not op
        assert view.attributes is op.attributes
    with views._in_a_view(op, test.TestOp) as seen:
        assert seen is not op
    with views.seen_as(op, arith.AddiOp) as seen:
        assert seen is op
        assert isinstance(op, arith.AddiOp)
    assert type(op) is test.TestOp


def test_notes_beside_the_object(monkeypatch: pytest.MonkeyPatch) -> None:
    for table in (notes._table, notes._table_beside):
        monkeypatch.setattr(notes, "_table", table)
        op = test.TestOp()
        assert notes.noted(op, "sound") is None
        notes.note(op, "sound")
        assert notes.noted(op, "sound") is True
        assert notes.take_note(op, "sound") is True
        assert notes.take_note(op, "sound") is None


def test_a_location_is_as_xdsl_makes_it() -> None:
    parts = StringAttr("a"), IntAttr(1), IntAttr(2)
    assert new_locations.new_location(*parts) == FileLineColLoc(*parts)


def test_a_format_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert format_programs.format_program(func.FuncOp) is None
    known = format_programs.format_program(arith.AddiOp)
    assert format_of(arith.AddiOp) is not None
    monkeypatch.setattr(format_programs, "_VARIABLE", "a name that is not there")
    again = format_programs.format_program(arith.AddiOp)
    assert known is not None
    assert again is not None
    assert again is not known
    assert len(again.stmts) == len(known.stmts)
    assert "arith" in mlir_text(arith.ConstantOp.from_int_and_width(0, 32))
