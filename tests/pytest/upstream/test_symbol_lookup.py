"""Symbols are looked up as xDSL does, and not searched for."""

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

from xdsl_bufferization.upstream.symbol_lookup import look_up


def search(_op: Operation, _name: str | StringAttr | SymbolRefAttr) -> Operation | None:
    pytest.fail("a symbol that is there is not searched for")


def test_a_symbol_is_found_wherever_the_user_is() -> None:
    first, second = (FuncOp.external(name, [], []) for name in ("f", "g"))
    module = ModuleOp([first, second])
    look = look_up(search)
    assert look(module, "f") is first
    assert look(first, StringAttr("g")) is second
    assert look(second, SymbolRefAttr("g")) is second


def test_names_that_change_are_found_under_the_new_name() -> None:
    function = FuncOp.external("f", [], [])
    module = ModuleOp([function])
    look = look_up(lambda op, name: None)
    assert look(module, "f") is function
    function.sym_name = StringAttr("g")
    assert look(module, "f") is None
    assert look(module, "g") is function
    function.detach()
    assert look(module, "g") is None


def test_nested_names_and_ops_outside_of_a_module_are_left_to_xdsl() -> None:
    inner = FuncOp.external("f", [], [])
    module = ModuleOp([ModuleOp([inner], sym_name=StringAttr("m"))])
    assert SymbolTable.lookup_symbol(module, SymbolRefAttr("m", ["f"])) is inner
    with pytest.raises(ValueError, match="no SymbolTable ancestor"):
        SymbolTable.lookup_symbol(FuncOp.external("f", [], []), "f")
