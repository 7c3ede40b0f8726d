"""Symbols are looked up as xDSL does, and not searched for."""

import pytest
from harness.running.growth import growth
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.dialects.common.symbols import lookup_symbol


def test_a_symbol_is_found_wherever_the_user_is() -> None:
    first, second = (FuncOp.external(name, [], []) for name in ("f", "g"))
    module = ModuleOp([first, second])
    assert lookup_symbol(module, "f") is first
    assert lookup_symbol(first, StringAttr("g")) is second
    assert lookup_symbol(second, SymbolRefAttr("g")) is second
    assert lookup_symbol(second, "h") is None


def test_names_that_change_are_found_under_the_new_name() -> None:
    function = FuncOp.external("f", [], [])
    module = ModuleOp([function])
    assert lookup_symbol(module, "f") is function
    function.sym_name = StringAttr("g")
    assert lookup_symbol(module, "f") is None
    assert lookup_symbol(module, "g") is function
    function.detach()
    assert lookup_symbol(module, "g") is None


def test_nested_names_and_ops_outside_of_a_module_are_left_to_xdsl() -> None:
    inner = FuncOp.external("f", [], [])
    module = ModuleOp([ModuleOp([inner], sym_name=StringAttr("m"))])
    assert lookup_symbol(module, SymbolRefAttr("m", ["f"])) is inner
    with pytest.raises(ValueError, match="no SymbolTable ancestor"):
        lookup_symbol(FuncOp.external("f", [], []), "f")


def test_looking_all_symbols_up_is_linear_in_their_number() -> None:
    def look_up(module: ModuleOp) -> None:
        for op in module.ops:
            assert isinstance(op, FuncOp)
            assert lookup_symbol(module, op.sym_name) is op

    modules = (
        ModuleOp([FuncOp.external(f"f{number}", [], []) for number in range(count)])
        for count in (50, 200)
    )
    assert growth(look_up, *modules) < 4.2
