"""Our ops reach every `Context`, whoever else changes xDSL's dialects."""

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import bufferization, get_all_dialects, memref
from xdsl.dialects.builtin import Builtin, MemRefType, ModuleOp, f32
from xdsl.dialects.func import Func
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

import xdsl_bufferization
from xdsl_bufferization.context import get_context, register
from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.dialects.extend import (
    EXTENDED_DIALECTS,
    ExtendedFactory,
    extend_dialect,
    extend_factories,
    load_extension,
)

DEALLOC = "bufferization.dealloc"
PLAIN = Dialect("bufferization", [bufferization.CloneOp], [])
"""Somebody's dialect in the place of xDSL's."""


@irdl_op_definition
class OtherOp(IRDLOperation):
    """An op that another plugin adds."""

    name = "bufferization.other"
    assembly_format = "attr-dict"


def add_other(factory: Callable[[], Dialect]) -> Callable[[], Dialect]:
    """What another plugin does to a dialect."""

    def load() -> Dialect:
        dialect = factory()
        return Dialect(
            dialect.name, [*dialect.operations, OtherOp], list(dialect.attributes)
        )

    return load


def parse(ctx: Context, text: str) -> ModuleOp:
    module = Parser(ctx, text).parse_module()
    module.verify()
    return module


def parses_dealloc(ctx: Context) -> bool:
    module = parse(ctx, DEALLOC)
    return isinstance(module.body.block.first_op, DeallocOp)


def test_new_context() -> None:
    ctx = Context()
    ctx.load_dialect(Builtin)
    register(ctx)
    assert parses_dealloc(ctx)


def test_new_context_loads_a_dialect_when_it_is_used() -> None:
    ctx = Context()
    register(ctx)
    assert not list(ctx.loaded_dialects)
    assert set(EXTENDED_DIALECTS) <= set(ctx.registered_dialect_names)


def test_context_with_registered_dialects() -> None:
    ctx = Context()
    for name, factory in get_all_dialects().items():
        ctx.register_dialect(name, factory)
    register(ctx)
    assert parses_dealloc(ctx)
    parse(ctx, "func.func private @f(memref<2xf32>)")


def test_context_with_loaded_dialects() -> None:
    ctx = Context()
    for dialect in (Builtin, Func, bufferization.Bufferization):
        ctx.load_dialect(dialect)
    register(ctx)
    assert parses_dealloc(ctx)


def test_registering_twice_changes_nothing() -> None:
    ctx = get_context()
    register(ctx)
    register(ctx)
    assert parses_dealloc(ctx)
    names = [op_type.name for op_type in ctx.loaded_ops]
    assert len(names) == len(set(names))


def test_context_that_knows_another_op_of_the_name() -> None:
    @irdl_op_definition
    class Rival(IRDLOperation):
        name = "bufferization.dealloc"

    ctx = Context()
    ctx.load_dialect(Dialect("bufferization", [Rival], []))
    with pytest.raises(ValueError, match=r"another operation 'bufferization\.dealloc'"):
        register(ctx)


@pytest.mark.parametrize("before", [True, False])
def test_plugin_that_wraps_factories_too(before: bool) -> None:
    factories = {"builtin": lambda: Builtin, **get_all_dialects()}
    name = "bufferization"
    if before:
        factories[name] = add_other(factories[name])
    extend_factories(factories)
    if not before:
        factories[name] = add_other(factories[name])
    ctx = Context()
    for dialect, factory in factories.items():
        ctx.register_dialect(dialect, factory)
    register(ctx)
    assert parses_dealloc(ctx)
    assert isinstance(parse(ctx, OtherOp.name).body.block.first_op, OtherOp)


def test_plugin_that_took_the_factory_out() -> None:
    factories = get_all_dialects()
    factories.pop("bufferization")
    extend_factories(factories)
    assert "bufferization" not in factories
    ctx = Context()
    for dialect, factory in factories.items():
        ctx.register_dialect(dialect, factory)
    ctx.register_dialect("bufferization", lambda: PLAIN)
    register(ctx)
    assert parses_dealloc(ctx)


def test_dialect_is_extended_once() -> None:
    once = extend_dialect(PLAIN)
    assert DeallocOp in set(once.operations)
    assert bufferization.CloneOp in set(once.operations)
    assert extend_dialect(once) is once
    assert DeallocOp not in set(PLAIN.operations), "the given dialect is left alone"


def test_factories_are_extended_once() -> None:
    factories = get_all_dialects()
    extend_factories(factories)
    first = dict(factories)
    extend_factories(factories)
    assert factories == first
    assert isinstance(factories["bufferization"], ExtendedFactory)
    others = factories.keys() - EXTENDED_DIALECTS
    assert not any(isinstance(factories[name], ExtendedFactory) for name in others)


def test_on_load_hears_of_the_dialect() -> None:
    loaded: list[str] = []
    factories = get_all_dialects()
    extend_factories(factories, ["bufferization", "arith"], loaded.append)
    assert not loaded
    factories["arith"]()
    assert loaded == ["arith"]


def test_our_op_takes_the_place_of_another_of_its_name() -> None:
    @irdl_op_definition
    class Rival(IRDLOperation):
        name = "bufferization.dealloc"

    dialect = extend_dialect(Dialect("bufferization", [Rival], []))
    names = [op_type.name for op_type in dialect.operations]
    assert names.count("bufferization.dealloc") == 1
    assert DeallocOp in set(dialect.operations)


def test_amended_op_is_xdsls_class() -> None:
    load_extension("memref")
    value = create_ssa_value(MemRefType(f32, [2]))
    op = memref.CastOp.get(value, MemRefType(f32, [-(2**63)]))
    op.verify()
    assert type(op) is memref.CastOp
    assert str(op).startswith("%0 = memref.cast %1 : memref<2xf32> to memref<?xf32>")


def test_amended_op_keeps_its_traits() -> None:
    load_extension("memref")
    assert {type(trait).__name__ for trait in memref.CopyOp.traits} >= {
        "MemoryReadEffect",
        "MemoryWriteEffect",
    }


def test_amended_verifier_runs() -> None:
    load_extension("memref")
    value = create_ssa_value(MemRefType(f32, [2]))
    with pytest.raises(VerifyException, match="are cast incompatible"):
        memref.CastOp.get(value, MemRefType(f32, [3])).verify()


def run_python(program: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_importing_the_universe_imports_no_dialect() -> None:
    program = """
import sys
import xdsl.universe
before = set(sys.modules)
import xdsl_bufferization.universe
new = set(sys.modules) - before
from xdsl_bufferization.dialects.extend import EXTENDED_DIALECTS, OWN_DIALECTS
ours = (f"xdsl_bufferization.dialects.{d}" for d in (*EXTENDED_DIALECTS, *OWN_DIALECTS))
forbidden = ("numpy", "llvmlite", "xdsl.dialects", *ours)
allowed = {"xdsl_bufferization.dialects.memref_types"}
print(sorted(m for m in new if m.startswith(forbidden) and m not in allowed))
print({"numpy", "llvmlite"} & set(sys.modules))
"""
    assert run_python(program).split("\n")[:2] == ["[]", "set()"]


@pytest.mark.parametrize("ours_first", [True, False])
def test_two_plugins_change_the_universe_of_xdsl(ours_first: bool) -> None:
    """The real thing: both change xDSL's universe in place when they are imported."""
    ours = "import xdsl_bufferization.universe"
    other = """
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition

@irdl_op_definition
class OtherOp(IRDLOperation):
    name = "bufferization.other"
    assembly_format = "attr-dict"

def wrap(factory):
    def load():
        dialect = factory()
        return Dialect(dialect.name, [*dialect.operations, OtherOp], [])
    return load

table = XDSL_UNIVERSE.all_dialects
table["bufferization"] = wrap(table["bufferization"])
"""
    plugins = [ours, other] if ours_first else [other, ours]
    program = "\n".join(
        [
            "from xdsl.universe import XDSL_UNIVERSE",
            *plugins,
            "from xdsl.xdsl_opt_main import xDSLOptMain",
            "tool = xDSLOptMain(args=['--no-implicit-module'])",
            "from xdsl.parser import Parser",
            "for name in ('bufferization.dealloc', 'bufferization.other'):",
            "    Parser(tool.ctx, name).parse_op().verify()",
            "print('both')",
        ]
    )
    assert run_python(program) == "both\n"


def test_plugin_with_its_own_dialect_of_the_name() -> None:
    """It took xDSL's factory out, and its universe brings another dialect."""
    program = """
from xdsl.universe import XDSL_UNIVERSE, Universe
import xdsl_bufferization.universe
taken = XDSL_UNIVERSE.all_dialects.pop("bufferization")

from xdsl.dialects.bufferization import CloneOp
from xdsl.ir import Dialect
other = Universe(
    all_dialects={"bufferization": lambda: Dialect("bufferization", [CloneOp], [])}
)
merged = Universe(all_dialects={**XDSL_UNIVERSE.all_dialects, **other.all_dialects})
Universe.get_multiverse = staticmethod(lambda: merged)

from xdsl.parser import Parser
from xdsl_bufferization.context import get_context
Parser(get_context(), "bufferization.dealloc").parse_op().verify()
print("ours")
"""
    assert run_python(program) == "ours\n"


def used_at_run_time(source: str) -> set[tuple[str, str]]:
    """The modules and names of what a module imports, and not for annotations alone."""
    tree = ast.parse(source)
    imported: dict[str, tuple[str, str]] = {}
    annotations: list[ast.expr | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            imported |= {each.name: (node.module, each.name) for each in node.names}
        elif isinstance(node, ast.arg | ast.AnnAssign):
            annotations.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            annotations.append(node.returns)
    only_said = {name for each in annotations if each for name in ast.walk(each)}
    return {
        imported[node.id]
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id in imported and node not in only_said
    }


def test_nobody_makes_an_op_that_only_says_what_another_one_should_be():
    definitions = {
        (amended.__module__, amended.__name__)
        for name in EXTENDED_DIALECTS
        for amended in load_extension(name).amendments.values()
    }
    assert len(definitions) > 100
    package = Path(xdsl_bufferization.__file__).parent
    for file in package.rglob("*.py"):
        if not file.is_relative_to(package / "dialects"):
            assert not definitions & used_at_run_time(file.read_text("utf-8")), file
