"""Write a new pass and its file check, which work at once, and are yours to change.

    make new-pass NAME=fold-xors                       in optimization/simplify
    make new-pass NAME=fold-xors ROOM=codegen          in another room

The pass that is written replaces `arith.xori` of a value and itself by zero.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pass_files

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "xdsl_bufferization"
TESTS = ROOT / "tests" / "filecheck" / "transforms"

PASS = '''\
"""{name}: a xor of a value and itself becomes zero.

    %0 = arith.xori %a, %a : i32     ->     %0 = arith.constant 0 : i32

Say here when the pass runs, and what a program gains.
"""

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.mlir_pass import {base}
from xdsl_bufferization.support.traversal import ops_inside


def {function}(module: ModuleOp) -> None:
    """Replace each xor of a value and itself in a module."""
    for op in ops_inside(module):
        if isinstance(op, arith.XOrIOp) and op.lhs is op.rhs:
            _replace(op)


def _replace(op: arith.XOrIOp) -> None:
    if isinstance(op.result.type, IntegerType | IndexType):
        Rewriter.replace_op(op, arith.ConstantOp.from_int_and_width(0, op.result.type))


class {class_name}({base}):
    """Replace a xor of a value and itself by zero."""

    name = "{name}"
    rewrite = staticmethod({function})
'''

TEST = """\
// RUN: xdsl-opt -t mlir-22 -p {name} %s | filecheck %s

// CHECK-LABEL: func.func @of_itself
// CHECK-NEXT: %0 = arith.constant 0 : i32
// CHECK-NEXT: func.return %0 : i32
func.func @of_itself(%a: i32) -> i32 {{
  %0 = arith.xori %a, %a : i32
  return %0 : i32
}}

// CHECK-LABEL: func.func @of_two_values
// CHECK-NEXT: arith.xori %a, %b : i32
func.func @of_two_values(%a: i32, %b: i32) -> i32 {{
  %0 = arith.xori %a, %b : i32
  return %0 : i32
}}
"""

BASES = {"optimization": "TensorPass", "codegen": "LoweringPass"}
"""What the passes of a room are about; elsewhere a pass says so itself."""


def main(arguments: Sequence[str]) -> int:
    """Write the files, and say which."""
    parser = argparse.ArgumentParser(description="Write a new pass and its file check.")
    parser.add_argument("name", help="as in xdsl-opt -p: fold-xors")
    parser.add_argument("--room", default="optimization.simplify")
    given = parser.parse_args(arguments)
    room = given.room.replace("/", ".").removeprefix("xdsl_bufferization.")
    if problem := _problem(given.name, room):
        sys.stderr.write(f"new-pass: error: {problem}\n")
        return 2
    for file, text in files_of(given.name, room).items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        sys.stdout.write(f"{file.relative_to(ROOT)}\n")
    pass_files.main()
    return 0


def _problem(name: str, room: str) -> str | None:
    """Why no such pass can be written."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)+", name):
        return f"'{name}' is no name of a pass; use two or more words: fold-xors"
    if not (PACKAGE / room.replace(".", "/") / "__init__.py").exists():
        return f"there is no folder xdsl_bufferization/{room.replace('.', '/')}"
    if name in pass_files.find_passes():
        return f"there is a pass '{name}'"
    taken = [file for file in files_of(name, room) if file.exists()]
    return f"there is a file {taken[0].relative_to(ROOT)}" if taken else None


def files_of(name: str, room: str) -> dict[Path, str]:
    """The two files of a pass, with their texts."""
    function = name.replace("-", "_")
    text = PASS.format(
        name=name,
        function=function,
        class_name="".join(map(str.capitalize, name.split("-"))) + "Pass",
        base=BASES.get(room.partition(".")[0], "MLIRPass"),
    )
    folder = PACKAGE / room.replace(".", "/")
    return {
        folder / f"{function}.py": text,
        TESTS / name / f"{function}.mlir": TEST.format(name=name),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
