"""Our ops reach every `Context`, whoever else adds to xDSL's dialects."""

from collections.abc import Callable
from copy import copy

import pytest
from xdsl.context import Context
from xdsl.dialects import bufferization, get_all_dialects
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.ir import Dialect, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition
from xdsl.parser import Parser
from xdsl.universe import XDSL_UNIVERSE, Universe

from xdsl_bufferization.bufferization.context import get_context, register
from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.dialects.common.definitions import (
    EXTENDED_DIALECTS,
    OWN_DIALECTS,
)
from xdsl_bufferization.dialects.common.wider_context import WiderContext
from xdsl_bufferization.dialects.shape import WitnessType

DEALLOC = "bufferization.dealloc"
PLAIN = Dialect("bufferization", [bufferization.CloneOp], [])
"""Somebody's dialect in the place of xDSL's."""


@irdl_op_definition
class OtherOp(IRDLOperation):
    """An op that another plugin adds."""

    name = "bufferization.other"
    assembly_format = "attr-dict"


@irdl_op_definition
class RivalOp(IRDLOperation):
    """An op that another plugin adds, of a name that we have too."""

    name = "bufferization.dealloc"
    assembly_format = "`rival` attr-dict"


def add(
    op_type: type[Operation], factory: Callable[[], Dialect]
) -> Callable[[], Dialect]:
    """What another plugin does to a dialect."""

    def load() -> Dialect:
        dialect = factory()
        return Dialect(
            dialect.name, [*dialect.operations, op_type], list(dialect.attributes)
        )

    return load


def context_with(factories: dict[str, Callable[[], Dialect]]) -> Context:
    ctx = Context()
    for name, factory in factories.items():
        ctx.register_dialect(name, factory)
    return ctx


def parse(ctx: Context, text: str) -> ModuleOp:
    module = Parser(ctx, text).parse_module()
    module.verify()
    return module


def first(ctx: Context, text: str) -> Operation:
    op = parse(ctx, text).body.block.first_op
    assert op is not None
    return op


def parses_dealloc(ctx: Context) -> bool:
    return isinstance(first(ctx, DEALLOC), DeallocOp)


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


def test_looking_twice_finds_the_same_op() -> None:
    ctx = get_context()
    assert ctx.get_op(DEALLOC) is ctx.get_op(DEALLOC) is DeallocOp


def test_dialects_that_only_we_have_need_no_registration() -> None:
    ctx = context_with(get_all_dialects())
    register(ctx)
    assert not {*OWN_DIALECTS} & {*ctx.registered_dialect_names}
    (dispatch,) = parse(ctx, '"test.op"() : () -> !shape.witness').ops
    assert dispatch.result_types == (WitnessType(),)
    assert first(ctx, "%0 = index.constant 1").name == "index.constant"


def test_a_context_without_a_dialect_does_not_get_it_from_us() -> None:
    ctx = WiderContext(Context())
    ctx.load_dialect(Builtin)
    assert ctx.get_optional_op(DEALLOC) is None
    assert ctx.get_optional_op("dealloc") is None


def test_unregistered_ops_of_other_names_stay_so() -> None:
    ctx = get_context()
    ctx.allow_unregistered = True
    assert parses_dealloc(ctx)
    assert first(ctx, '"bufferization.strange"() : () -> ()').name == (
        "builtin.unregistered"
    )
    assert ctx.allow_unregistered


def test_unregistered_ops_of_a_dialect_that_is_not_there_stay_so() -> None:
    get_context()
    ctx = Context(allow_unregistered=True)
    ctx.load_dialect(Builtin)
    text = '"bufferization.dealloc"() : () -> ()'
    assert first(ctx, text).name == "builtin.unregistered"


def test_an_op_is_found_by_its_short_name_where_a_dialect_is_the_default() -> None:
    ctx = get_context()
    found = ctx.get_optional_op("dealloc", dialect_stack=("func", "bufferization"))
    assert found is DeallocOp


def test_what_is_read_is_loaded_into_the_context_that_was_given() -> None:
    ctx = context_with(get_all_dialects())
    register(ctx)
    assert ctx.get_optional_op(DEALLOC) is None
    assert parses_dealloc(ctx)
    assert ctx.get_op(DEALLOC) is DeallocOp
    parse(ctx, '"test.op"() : () -> !shape.witness')
    assert ctx.get_type("shape.witness") is WitnessType


# A context around another.


def test_all_is_asked_of_the_context_that_was_given() -> None:
    """A method that a later xDSL adds would find empty tables."""
    made_of_others = {"get_attr", "get_dialect", "get_op", "get_type"}
    public = {name for name in vars(Context) if not name.startswith("_")}
    assert public - made_of_others <= vars(WiderContext).keys()


def test_a_wider_context_is_its_given_one() -> None:
    given = Context()
    ctx = WiderContext(given)
    ctx.allow_unregistered = True
    assert given.allow_unregistered
    given.allow_unregistered = False
    assert not ctx.allow_unregistered
    ctx.load_dialect(Builtin)
    ctx.register_dialect("func", lambda: Func)
    assert [each.name for each in given.loaded_dialects] == ["builtin"]
    assert ctx.get_dialect("func") is given.get_dialect("func") is Func
    assert {*ctx.registered_dialect_names} == {"builtin", "func"}
    assert [*ctx.loaded_ops] == [*given.loaded_ops]
    assert [*ctx.loaded_attrs] == [*given.loaded_attrs]
    assert [*ctx.loaded_types] == [*given.loaded_types]


def test_a_clone_is_another_context_of_the_same_kind() -> None:
    ctx = get_context()
    clone = ctx.clone()
    assert clone == ctx
    assert clone.get_op(DEALLOC) is DeallocOp
    assert DeallocOp not in set(ctx.loaded_ops)
    assert clone != ctx


def test_a_parser_leads_to_what_the_context_of_somebody_has() -> None:
    class TheirContext(Context):
        def answer(self) -> int:
            return 42

    ctx = TheirContext()
    register(ctx)
    assert getattr(Parser(ctx, "").ctx, "answer")() == 42  # noqa: B009, type checkers know no such field
    assert not hasattr(copy(WiderContext(ctx)), "question")


def test_a_context_is_wrapped_once() -> None:
    ctx = get_context()
    assert isinstance(ctx, WiderContext)
    assert WiderContext.of(ctx) is ctx
    parser = Parser(ctx, "")
    assert isinstance(parser.ctx, WiderContext)
    assert parser.ctx.given is ctx.given


# Others.


def test_an_op_of_our_name_that_a_context_has_loaded_stays() -> None:
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.load_dialect(Dialect("bufferization", [RivalOp], []))
    register(ctx)
    assert isinstance(first(ctx, "bufferization.dealloc rival"), RivalOp)
    assert ctx.get_op(DEALLOC) is RivalOp


def test_an_op_of_our_name_that_a_plugin_adds_stays() -> None:
    factories = get_all_dialects()
    factories["bufferization"] = add(RivalOp, factories["bufferization"])
    ctx = context_with(factories)
    register(ctx)
    assert isinstance(first(ctx, "bufferization.dealloc rival"), RivalOp)
    names = [op_type.name for op_type in ctx.loaded_ops]
    assert names.count(DEALLOC) == 1


def test_a_dialect_of_our_name_stays() -> None:
    @irdl_op_definition
    class ConstWitnessOp(IRDLOperation):
        name = "shape.const_witness"
        assembly_format = "`theirs` attr-dict"

    theirs = Dialect("shape", [ConstWitnessOp], [])
    ctx = context_with({**get_all_dialects(), "shape": lambda: theirs})
    register(ctx)
    assert isinstance(first(ctx, "shape.const_witness theirs"), ConstWitnessOp)
    wider = WiderContext(ctx)
    assert wider.get_optional_op("shape.assuming") is None
    assert wider.get_optional_type("shape.witness") is None


def test_plugin_that_adds_ops_to_a_dialect_too() -> None:
    factories = get_all_dialects()
    factories["bufferization"] = add(OtherOp, factories["bufferization"])
    ctx = context_with(factories)
    register(ctx)
    assert parses_dealloc(ctx)
    assert isinstance(first(ctx, OtherOp.name), OtherOp)


def test_plugin_that_has_a_dialect_in_the_place_of_xdsls() -> None:
    ctx = context_with({**get_all_dialects(), "bufferization": lambda: PLAIN})
    register(ctx)
    assert parses_dealloc(ctx)
    wider = WiderContext(ctx)
    assert wider.get_optional_op("bufferization.materialize_in_destination") is None


def test_dialects_and_factories_of_xdsl_are_left_alone() -> None:
    factories = dict(XDSL_UNIVERSE.all_dialects)
    before = list(bufferization.Bufferization.operations)
    assert parses_dealloc(get_context())
    assert before == list(bufferization.Bufferization.operations)
    assert DeallocOp not in set(bufferization.Bufferization.operations)
    assert factories == XDSL_UNIVERSE.all_dialects


def test_get_context_has_the_dialects_of_other_plugins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = Universe(all_dialects={"other": lambda: Dialect("other", [OtherOp], [])})
    merged = Universe(all_dialects={**XDSL_UNIVERSE.all_dialects, **other.all_dialects})
    monkeypatch.setattr(Universe, "get_multiverse", lambda: merged)
    assert {"other", *OWN_DIALECTS} <= {*get_context().registered_dialect_names}


def test_get_context_leaves_a_dialect_of_our_name_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    theirs = Dialect("shape", [], [])
    merged = Universe(
        all_dialects={**XDSL_UNIVERSE.all_dialects, "shape": lambda: theirs}
    )
    monkeypatch.setattr(Universe, "get_multiverse", lambda: merged)
    ctx = get_context()
    ctx.get_optional_op("shape.any")
    assert ctx.get_dialect("shape") is theirs
