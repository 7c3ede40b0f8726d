"""MLIR's definitions of xDSL's ops are another look at them, and change nothing."""

import ast
import inspect
from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    ModuleOp,
    f32,
    i32,
)
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

import xdsl_bufferization
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.dialects.common.definitions import (
    EXTENDED_DIALECTS,
    Definition,
    as_defined,
    defined,
    definition_of,
    load_extension,
)
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.dialects.printing import mlir_text
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir

DEFINITIONS = {
    definition.op_type.name: definition
    for dialect in EXTENDED_DIALECTS
    for definition in load_extension(dialect).definitions.values()
}


def test_what_is_parsed_is_of_xdsls_class() -> None:
    text = "%m = memref.alloc() : memref<2xf32>"
    for parser in (Parser, MLIRParser):
        module = parser(get_context(), text).parse_module()
        assert type(module.body.block.first_op) is memref.AllocOp


def test_an_op_that_was_built_in_python_is_printed_in_mlirs_format() -> None:
    value = create_ssa_value(MemRefType(f32, [2]))
    op = memref.CastOp.get(value, MemRefType(f32, [DYNAMIC_INDEX]))
    op.verify()
    verify_as_mlir(op)
    assert mlir_text(op) == "%0 = memref.cast %1 : memref<2xf32> to memref<?xf32>"


def test_the_verifier_of_mlir_runs_where_it_is_asked_for() -> None:
    get_context()
    value = create_ssa_value(MemRefType(f32, [2]))
    cast = memref.CastOp.get(value, MemRefType(i32, [3]))
    with pytest.raises(VerifyException, match="are cast incompatible"):
        verify_as_mlir(cast)


def test_an_op_that_xdsl_accepts_is_valid() -> None:
    get_context()
    text = "memref.global @a : memref<2xf32>\n%m = memref.get_global @b : memref<2xf32>"
    module = MLIRParser(get_context(), text).parse_module()
    with pytest.raises(VerifyException, match="does not reference a valid global"):
        verify_as_mlir(module)
    module.verify()


def test_an_op_that_mlir_accepts_is_valid() -> None:
    text = "%0 = arith.constant 4 : i32\n%1 = arith.divsi %0, %0 exact : i32"
    module = Parser(get_context(), text).parse_module()
    module.verify()
    verify_as_mlir(module)
    assert "exact" in str(module), "xDSL's format cannot show it, so MLIR's does"


def test_an_op_that_nobody_accepts_is_refused_as_xdsl_refuses_it() -> None:
    get_context()
    value = create_ssa_value(MemRefType(f32, [2]))
    op = memref.LoadOp.create(operands=[value, value], result_types=[f32])
    with pytest.raises(VerifyException, match="operand 'indices'"):
        op.verify()


def test_a_view_is_for_reading() -> None:
    text = "%0 = arith.constant 4 : i64\n%1 = arith.trunci %0 : i64 to i32"
    module = MLIRParser(get_context(), text).parse_module()
    trunci = list(module.body.block.ops)[1]
    definition = definition_of(type(trunci))
    assert definition is not None
    view = as_defined(trunci, definition)
    assert view.results == trunci.results
    assert "overflowFlags" in view.properties
    assert "overflowFlags" not in trunci.properties, "xDSL's op has no such property"
    assert "arith.trunci %0 : i64 to i32" in mlir_text(module)


def test_a_view_is_in_the_place_of_its_op() -> None:
    text = "%m = memref.alloc() : memref<2xf32>\nmemref.dealloc %m : memref<2xf32>"
    module = MLIRParser(get_context(), text).parse_module()
    alloc = module.body.block.first_op
    assert alloc is not None
    view = defined(alloc)
    assert type(view) is DEFINITIONS["memref.alloc"].view
    assert (view.parent, view.next_op) == (alloc.parent, alloc.next_op)
    assert view is not alloc


def test_only_xdsls_own_classes_have_definitions() -> None:
    class OwnAllocOp(memref.AllocOp):
        """Somebody's op."""

    assert definition_of(memref.AllocOp) is DEFINITIONS["memref.alloc"]
    assert definition_of(OwnAllocOp) is None
    assert definition_of(DeallocOp) is None, "an op of ours"
    assert definition_of(ModuleOp) is None
    module = ModuleOp([])
    assert defined(module) is module


def test_traits_are_xdsls_and_more() -> None:
    definition = DEFINITIONS["scf.for"]
    traits = {type(trait) for trait in definition.view.traits}
    assert {type(trait) for trait in definition.new_traits} <= traits
    # A trait takes the place of the one that it derives from.
    derived = {each for trait in traits for each in trait.__mro__[1:]}
    assert not traits & derived


# What definitions are for.


def differences(definition: Definition) -> set[str]:
    """In what MLIR's definition is another than xDSL's."""
    xdsls, mlirs = definition.op_type, definition.view
    before, after = xdsls.get_irdl_definition(), mlirs.get_irdl_definition()
    found: set[str] = set()
    for each in ("operands", "results", "properties", "attributes", "regions"):
        if getattr(before, each) != getattr(after, each):
            found.add("fields")
    if before.options != after.options or before.successors != after.successors:
        found.add("fields")
    if after.assembly_format != before.assembly_format or (
        after.assembly_format is None
        and function_of(mlirs, "parse") is not function_of(xdsls, "parse")
    ):
        found.add("format")
    if own_verifier(mlirs) not in (own_verifier(xdsls), Operation.verify_):
        found.add("verifier")
    if definition.new_traits:
        found.add("traits")
    return found


def function_of(op_type: type[Operation], name: str) -> object:
    """A method or class method, without its class."""
    method = getattr(op_type, name)
    return getattr(method, "__func__", method)


def own_verifier(op_type: type[Operation]) -> object:
    """What a class checks beside its fields."""
    verifier: Any = op_type.verify_
    while True:
        cells = inspect.getclosurevars(verifier).nonlocals
        inner = cells.get("custom_verify", cells.get("verify"))
        if inner is None:
            # xDSL checks the fields only, if there is nothing else to check.
            return Operation.verify_ if "op_def" in cells else verifier
        verifier = inner


@pytest.mark.parametrize("definition", DEFINITIONS.values(), ids=DEFINITIONS)
def test_a_definition_says_something_that_xdsl_does_not(definition: Definition) -> None:
    """On the day when xDSL's class says it all, the definition can go."""
    assert differences(definition)


def test_a_definition_that_says_nothing_is_found() -> None:
    @irdl_op_definition
    class SameOp(IRDLOperation):
        """What xDSL has."""

        name = "memref.extract_aligned_pointer_as_index"
        source = operand_def(MemRefType)
        aligned_pointer = result_def(IndexType)

    xdsls = memref.ExtractAlignedPointerAsIndexOp
    definition = Definition(xdsls, SameOp, {}, {}, {}, (), (SameOp,))
    assert not differences(definition)


def used_for_ops(source: str) -> set[tuple[str, str]]:
    """The modules and names of what a module imports to make ops, or to find them.

    Not what is in annotations alone, or is what `defined(op)` is asked for.
    """
    tree = ast.parse(source)
    imported: dict[str, tuple[str, str]] = {}
    asked: list[ast.expr | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            imported |= {each.name: (node.module, each.name) for each in node.names}
        elif isinstance(node, ast.arg | ast.AnnAssign):
            asked.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            asked.append(node.returns)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
            asked.append(node.args[1])
    not_used = {name for each in asked if each for name in ast.walk(each)}
    return {
        imported[node.id]
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id in imported and node not in not_used
    }


def test_nobody_makes_an_op_that_only_says_what_another_one_is_in_mlir() -> None:
    views = {
        (base.__module__, base.__name__)
        for definition in DEFINITIONS.values()
        for base in definition.differs[:1]
    }
    assert len(views) > 100
    package = Path(xdsl_bufferization.__file__).parent
    for file in package.rglob("*.py"):
        if not file.is_relative_to(package / "dialects"):
            assert not views & used_for_ops(file.read_text("utf-8")), file
