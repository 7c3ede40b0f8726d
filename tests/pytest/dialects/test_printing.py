"""Programs are printed as xDSL prints them, or as MLIR does where that is asked for."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from harness.oracles.mlir_text import cases
from typing_extensions import override
from xdsl.context import Context
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects import scf
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.diagnostic import Diagnostic

from xdsl_bufferization.codegen.targets.mlir_22 import MLIR22Target
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.dialects.printing import MLIRPrinter, mlir_text

CORPUS = Path(__file__).parents[2] / "filecheck" / "dialects"
READ_AGAIN = sorted(
    name.parent.name
    for name in CORPUS.glob("*/ops.mlir")
    # Whoever prints `scf.execute_region` in xDSL's format leaves `scf.yield` out, and
    # whoever reads it does not add it again.
    if name.parent.name != "scf"
)

Read = Callable[[str], ModuleOp]


@pytest.fixture
def read(ctx: Context) -> Read:
    """Parse a program as `xdsl-opt` does once a pass of ours is used."""
    return lambda text: Parser(ctx, text).parse_module()


def generic(module: ModuleOp, printer: type[Printer] = Printer) -> str:
    output = StringIO()
    printer(output, print_generic_format=True).print_op(module)
    return output.getvalue()


def program(op: str) -> str:
    return f"func.func @f(%x: i32, %n: index, %m: memref<4xf32>) {{ {op} return }}"


# xDSL's text, and MLIR's.


@pytest.mark.parametrize(
    ("op", "in_xdsl", "in_mlir"),
    [
        (
            "memref.copy %m, %m : memref<4xf32> to memref<4xf32>",
            '"memref.copy"(%m, %m) : (memref<4xf32>, memref<4xf32>) -> ()',
            "memref.copy %m, %m : memref<4xf32> to memref<4xf32>",
        ),
        (
            "scf.parallel (%i) = (%n) to (%n) step (%n) { scf.reduce }",
            '"scf.parallel"(%n, %n, %n)',
            "scf.parallel (%i) = (%n) to (%n) step (%n) {",
        ),
        (
            "%0 = memref.alloc() : memref<4xf32, 1 : i64>",
            "memref.alloc() : memref<4xf32, 1 : i64>",
            "memref.alloc() : memref<4xf32, 1>",
        ),
        (
            "%0 = arith.constant dense<0x7F800000> : tensor<2xf32>",
            "arith.constant dense<0x7f800000> : tensor<2xf32>",
            "arith.constant dense<0x7F800000> : tensor<2xf32>",
        ),
    ],
)
def test_each_printer_has_its_text(
    op: str, in_xdsl: str, in_mlir: str, read: Read
) -> None:
    module = read(program(op))
    assert in_xdsl in str(module)
    assert in_mlir in mlir_text(module)


@pytest.mark.parametrize(
    "op",
    [
        "%0 = arith.divsi %x, %x exact : i32",
        "%0 = arith.cmpi slt, %x, %x {test.a} : i32",
        "%0 = tensor.empty() {test.a} : tensor<4xf32>",
        "scf.for unsigned %i = %x to %x step %x : i32 {",
        "scf.execute_region no_inline {",
    ],
)
def test_what_xdsls_format_cannot_show_is_shown_in_mlirs(op: str, read: Read) -> None:
    body = " scf.yield }" if op.endswith("{") else ""
    assert op in str(read(program(op + body)))


def test_what_xdsls_format_cannot_show_of_a_declaration(read: Read) -> None:
    text = "func.func private @f(tensor<4xf32> {test.a})"
    assert text in str(read(text))


def test_an_op_without_it_is_printed_as_xdsl_does(read: Read) -> None:
    module = read(program("%0 = arith.divsi %x, %x : i32"))
    (op,) = (op for op in module.walk() if op.name == "arith.divsi")
    assert "exact" not in str(op)


def test_a_program_is_the_same_after_it_was_printed(read: Read) -> None:
    text = program("%0 = arith.divsi %x, %x exact : i32")
    module = read(text)
    before = generic(module)
    assert mlir_text(module)
    assert str(module)
    assert generic(module) == before


def test_generic_text_has_xdsls_properties_or_mlirs(read: Read) -> None:
    module = read(program("%0 = arith.trunci %x : i32 to i8"))
    in_xdsl, in_mlir = generic(module), generic(module, MLIRPrinter)
    assert "overflowFlags" not in in_xdsl
    assert "overflowFlags = #arith.overflow<none>" in in_mlir
    for text in in_xdsl, in_mlir:
        assert read(text).is_structurally_equivalent(module)


def test_errors_are_printed_at_their_op(read: Read) -> None:
    module = read(program("%0 = arith.divsi %x, %x exact : i32"))
    (op,) = (op for op in module.walk() if op.name == "arith.divsi")
    for printer_type in (Printer, MLIRPrinter):
        diagnostic = Diagnostic()
        diagnostic.add_message(op, "what is wrong here")
        output = StringIO()
        printer_type(output, diagnostic=diagnostic).print_op(module)
        lines = output.getvalue().splitlines()
        (at,) = (n for n, line in enumerate(lines) if "what is wrong" in line)
        assert any("arith.divsi" in line for line in lines[at - 3 : at])


def test_a_printer_of_somebody_else_keeps_its_methods(read: Read) -> None:
    class Shouting(Printer):
        @override
        def print_op(self, op: Operation) -> None:
            self.print_string(op.name.upper())

    output = StringIO()
    Shouting(output).print_op(read(program("")))
    assert output.getvalue() == "BUILTIN.MODULE"


def test_an_op_of_somebody_else_keeps_its_format(ctx: Context) -> None:
    class OwnYieldOp(scf.YieldOp):
        """Somebody's class that derives from xDSL's."""

        @override
        def print(self, printer: Printer) -> None:
            printer.print_string(" as i like it")

    op = OwnYieldOp()
    assert str(op) == "scf.yield as i like it"
    assert mlir_text(op) == "scf.yield as i like it"


def test_xdsls_text_of_other_ops_is_not_looked_at() -> None:
    assert str(AnyOp()) == mlir_text(AnyOp()) == '"test.op"() : () -> ()'


# What is printed is read again.


def forget_resources() -> None:
    """Forget the data of earlier programs: xDSL renames a key that it has seen."""
    resources = Builtin.get_interface(OpAsmDialectInterface)
    assert resources is not None
    vars(resources)["_blob_storage"].clear()


@pytest.mark.parametrize("name", READ_AGAIN)
def test_xdsls_text_says_all(name: str, read: Read) -> None:
    for text in cases(CORPUS / name / "ops.mlir"):
        forget_resources()
        module = read(text)
        forget_resources()
        assert generic(read(str(module))) == generic(module)


@pytest.mark.parametrize("name", [*READ_AGAIN, "scf"])
def test_mlirs_text_says_all(name: str, ctx: Context) -> None:
    for text in cases(CORPUS / name / "ops.mlir"):
        forget_resources()
        module = MLIRParser(ctx, text).parse_module()
        forget_resources()
        again = MLIRParser(ctx, mlir_text(module)).parse_module()
        assert generic(again) == generic(module)


# The target.


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "memref.copy %m, %m : memref<4xf32> to memref<4xf32>\n"),
        (
            {"print_generic_format": True},
            '"memref.copy"(%m, %m) : (memref<4xf32>, memref<4xf32>) -> ()\n',
        ),
        ({"print_debuginfo": True}, 'to memref<4xf32> loc("<unknown>":1:55)\n'),
    ],
)
def test_options_of_the_target(
    options: dict[str, bool], expected: str, ctx: Context
) -> None:
    text = program("memref.copy %m, %m : memref<4xf32> to memref<4xf32>")
    module = MLIRParser(ctx, text).parse_module()
    output = StringIO()
    MLIR22Target(**options).emit(ctx, module, output)
    assert expected in output.getvalue()
