"""MLIR's definitions of xDSL's ops are another look at them, and change nothing."""

import pytest
from xdsl.context import Context
from xdsl.dialects import bufferization, memref
from xdsl.dialects.builtin import Builtin, MemRefType, f32, i32
from xdsl.dialects.func import Func
from xdsl.dialects.test import Test
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.test_value import create_ssa_value

from xdsl_bufferization.context import get_context, register
from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.dialects.definitions import (
    EXTENDED_DIALECTS,
    Definition,
    as_defined,
    definition_of,
    load_extension,
)
from xdsl_bufferization.parsing import MLIRParser
from xdsl_bufferization.printing import mlir_text
from xdsl_bufferization.upstream.verify import verify_as_mlir

DEALLOC = "bufferization.dealloc"

DEFINITIONS = {
    definition.op_type.name: definition
    for dialect in EXTENDED_DIALECTS
    for definition in load_extension(dialect).definitions.values()
}


@irdl_op_definition
class Rival(IRDLOperation):
    """An op of another package, under the name of one of ours."""

    name = DEALLOC
    assembly_format = "attr-dict"


def first_op(ctx: Context, text: str) -> object:
    module = Parser(ctx, text).parse_module()
    module.verify()
    return module.body.block.first_op


def test_a_new_context_knows_our_ops() -> None:
    ctx = Context()
    ctx.load_dialect(Builtin)
    register(ctx)
    assert isinstance(first_op(ctx, DEALLOC), DeallocOp)


def test_a_new_context_loads_a_dialect_when_it_is_used() -> None:
    ctx = Context()
    register(ctx)
    assert not list(ctx.loaded_dialects)
    assert set(EXTENDED_DIALECTS) <= set(ctx.registered_dialect_names)


def test_a_context_with_loaded_dialects_knows_our_ops() -> None:
    ctx = Context()
    for dialect in (Builtin, Func, bufferization.Bufferization):
        ctx.load_dialect(dialect)
    register(ctx)
    assert isinstance(first_op(ctx, DEALLOC), DeallocOp)


def test_registering_twice_changes_nothing() -> None:
    ctx = get_context()
    register(ctx)
    register(ctx)
    assert isinstance(first_op(ctx, DEALLOC), DeallocOp)
    names = [op_type.name for op_type in ctx.loaded_ops]
    assert len(names) == len(set(names))


def test_an_op_of_another_package_stays_theirs() -> None:
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.load_dialect(Dialect("bufferization", [Rival], []))
    register(ctx)
    assert isinstance(first_op(ctx, DEALLOC), Rival)


def test_a_dialect_of_another_package_gets_none_of_our_ops() -> None:
    get_context()
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.load_dialect(Dialect("shape", [], []))
    with pytest.raises(ParseError, match="not registered"):
        first_op(ctx, "shape.assuming_yield")


def test_a_context_without_the_dialect_does_not_know_our_ops() -> None:
    get_context()
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.load_dialect(Test)
    with pytest.raises(ParseError, match="not registered"):
        first_op(ctx, DEALLOC)


def test_unregistered_ops_stay_unregistered() -> None:
    get_context()
    ctx = Context(allow_unregistered=True)
    ctx.load_dialect(Builtin)
    op = first_op(ctx, '"bufferization.dealloc"() : () -> ()')
    assert not isinstance(op, DeallocOp)


def test_what_is_parsed_is_of_xdsls_class() -> None:
    text = "%m = memref.alloc() : memref<2xf32>"
    for parser in (Parser, MLIRParser):
        module = parser(get_context(), text).parse_module()
        assert type(module.body.block.first_op) is memref.AllocOp


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


@pytest.mark.parametrize("definition", DEFINITIONS.values(), ids=DEFINITIONS)
def test_a_definition_says_something_that_xdsl_does_not(definition: Definition) -> None:
    """On the day when xDSL's class says it all, the definition can go."""
    said = {name for base in definition.differs for name in vars(base)}
    before = definition.op_type.get_irdl_definition()
    after = definition.view.get_irdl_definition()
    formats = after.assembly_format != before.assembly_format or "parse" in said
    fields = repr(after) != repr(before)
    assert formats or fields or "verify_" in said or definition.new_traits
