"""`attach`: the traps of xDSL's traits."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from typing_extensions import override
from xdsl.dialects import arith, memref
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, lazy_traits_def, traits_def
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import (
    HasCanonicalizationPatternsTrait,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    OpTrait,
    Pure,
    ReturnLike,
    SymbolTable,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.xdsl_patches.activate import attach_definitions
from xdsl_bufferization.dialects.xdsl_patches.attach import (
    attach,
    attach_knowledge,
    interfaces_of,
)


class ColourInterface(OpTrait):
    """An interface of these tests."""

    @abstractmethod
    def colour(self) -> str:
        """What to say."""
        raise NotImplementedError


class Red(ColourInterface):
    """A model without state."""

    @override
    def colour(self) -> str:
        return "red"


class Blue(ColourInterface):
    """Another model without state."""

    @override
    def colour(self) -> str:
        return "blue"


@dataclass(frozen=True)
class Paint(ColourInterface):
    """A model with a dataclass field."""

    name: str

    @override
    def colour(self) -> str:
        return self.name


class Mixed(ColourInterface):
    """A model with state that is no dataclass field, so that xDSL ignores it."""

    def __init__(self, name: str):
        self.name = name

    @override
    def colour(self) -> str:
        return self.name


class ShapeInterface(OpTrait):
    """Another interface."""


class RedSquare(ColourInterface, ShapeInterface):
    """A model of two interfaces."""

    @override
    def colour(self) -> str:
        return "red"


@pytest.fixture
def op_type() -> Iterator[type[IRDLOperation]]:
    @irdl_op_definition
    class TestOp(IRDLOperation):
        name = "test.op"
        traits = traits_def(NoMemoryEffect())

    yield TestOp


def test_attached_model_answers(op_type: type[IRDLOperation]) -> None:
    attach(op_type, Red())
    model = op_type.get_trait(ColourInterface)
    assert model is not None
    assert model.colour() == "red"


def test_traits_it_had_stay(op_type: type[IRDLOperation]) -> None:
    attach(op_type, Red(), IsTerminator())
    assert op_type.has_trait(NoMemoryEffect)
    assert op_type.has_trait(IsTerminator)


def test_siblings_that_share_their_traits_do_not_get_it() -> None:
    class Base(IRDLOperation):
        traits = traits_def(NoMemoryEffect())

    @irdl_op_definition
    class FirstOp(Base):
        name = "test.first"

    @irdl_op_definition
    class SecondOp(Base):
        name = "test.second"

    assert FirstOp.traits is SecondOp.traits, "the trap is gone from xDSL"
    attach(FirstOp, Red())
    attach(SecondOp, Blue())
    assert FirstOp.get_traits_of_type(ColourInterface) == [Red()]
    assert SecondOp.get_traits_of_type(ColourInterface) == [Blue()]


@pytest.mark.parametrize(
    ("given", "sibling"),
    [
        (memref.CollapseShapeOp, memref.ExpandShapeOp),
        (arith.MulUIExtendedOp, arith.MulSIExtendedOp),
        (arith.FPToSIOp, arith.FPToUIOp),
        (arith.SIToFPOp, arith.UIToFPOp),
    ],
)
def test_siblings_of_xdsl_do_not_get_it(
    given: type[Operation], sibling: type[Operation]
) -> None:
    class Local(OpTrait):
        pass

    attach(given, Local())
    assert given.has_trait(Local)
    assert not sibling.has_trait(Local)


def test_attaching_again_does_nothing(op_type: type[IRDLOperation]) -> None:
    attach(op_type, Paint("green"))
    before = op_type.traits.traits
    attach(op_type, Paint("green"))
    assert op_type.traits.traits == before
    assert len(op_type.get_traits_of_type(ColourInterface)) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Red(), Blue()),
        (Paint("green"), Paint("yellow")),
        (Mixed("green"), Mixed("yellow")),
        (Red(), RedSquare()),
    ],
)
def test_second_model_of_an_interface_is_refused(
    op_type: type[IRDLOperation], first: OpTrait, second: OpTrait
) -> None:
    attach(op_type, first)
    with pytest.raises(ValueError, match="ColourInterface") as error:
        attach(op_type, second)
    message = str(error.value)
    assert "'test.op'" in message
    assert f".{type(first).__name__}" in message
    assert f".{type(second).__name__}" in message
    assert op_type.get_traits_of_type(ColourInterface) == [first]


def test_second_model_in_one_call_is_refused(op_type: type[IRDLOperation]) -> None:
    with pytest.raises(ValueError, match="ColourInterface"):
        attach(op_type, ShapeInterface(), Red(), Blue())
    assert not op_type.has_trait(ColourInterface)
    assert not op_type.has_trait(ShapeInterface), "nothing is attached"


def test_model_of_the_definition_is_a_model_too() -> None:
    @irdl_op_definition
    class TestOp(IRDLOperation):
        name = "test.red"
        traits = traits_def(Red())

    attach(TestOp, Red())
    with pytest.raises(
        ValueError, match=r"'test\.red' already answers ColourInterface"
    ):
        attach(TestOp, Blue())


def test_memory_effects_are_united(op_type: type[IRDLOperation]) -> None:
    attach(op_type, MemoryReadEffect())
    attach(op_type, MemoryWriteEffect())
    assert op_type.has_trait(MemoryReadEffect)
    assert op_type.has_trait(MemoryWriteEffect)


def test_interfaces_are_the_classes_below_op_trait() -> None:
    assert interfaces_of(Paint) == (ColourInterface,)
    assert interfaces_of(RedSquare) == (ColourInterface, ShapeInterface)
    assert interfaces_of(MemoryReadEffect) == ()


def test_subclass_gets_its_own_traits(op_type: type[IRDLOperation]) -> None:
    class Sub(op_type):
        pass

    attach(Sub, Red())
    assert Sub.has_trait(Red)
    assert Sub.has_trait(NoMemoryEffect)
    assert not op_type.has_trait(Red)


def test_op_defined_from_another_gets_its_own_traits(
    op_type: type[IRDLOperation],
) -> None:
    @irdl_op_definition
    class Sub(op_type):
        name = "test.sub"

    attach(op_type, Red())
    attach(Sub, Blue())
    assert [m.colour() for m in op_type.get_traits_of_type(ColourInterface)] == ["red"]
    assert [m.colour() for m in Sub.get_traits_of_type(ColourInterface)] == ["blue"]


def test_op_without_irdl_definition() -> None:
    class PlainOp(Operation):
        name = "test.plain"
        traits = traits_def(NoMemoryEffect())

    attach(PlainOp, Red())
    assert PlainOp.has_trait(Red)
    assert PlainOp.has_trait(NoMemoryEffect)


def test_traits_declared_lazily_may_come_later() -> None:
    """`attach` right after the op, before the class that its traits name."""

    @irdl_op_definition
    class TestOp(IRDLOperation):
        name = "test.lazy"
        traits = lazy_traits_def(lambda: (Later(),))

    attach(TestOp, Red())

    class Later(OpTrait):
        pass

    assert TestOp.has_trait(Later)
    assert TestOp.has_trait(Red)


def test_verifier_of_the_trait_runs(op_type: type[IRDLOperation]) -> None:
    class Refuse(OpTrait):
        @override
        def verify(self, op: Operation) -> None:
            raise VerifyException("refused")

    op_type().verify()
    attach(op_type, Refuse())
    with pytest.raises(VerifyException, match="refused"):
        op_type().verify()


# What MLIR knows of xDSL's ops.


class NoPatterns(HasCanonicalizationPatternsTrait):
    """Canonicalization that has nothing to do."""

    @classmethod
    @override
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return ()


class MorePatterns(NoPatterns):
    """The same, under another name."""


def test_knowledge_is_added(op_type: type[IRDLOperation]) -> None:
    attach_knowledge(op_type, MemoryReadEffect(), ReturnLike(), NoPatterns())
    for trait in NoMemoryEffect, MemoryReadEffect, ReturnLike, NoPatterns:
        assert op_type.has_trait(trait)


def test_what_would_refuse_programs_is_no_knowledge(
    op_type: type[IRDLOperation],
) -> None:
    before = op_type.traits
    attach_knowledge(op_type, IsTerminator(), SymbolTable())
    assert op_type.traits is before


def test_canonicalization_is_added_to_what_is_there(
    op_type: type[IRDLOperation],
) -> None:
    attach_knowledge(op_type, NoPatterns())
    attach_knowledge(op_type, MorePatterns())
    found = op_type.get_traits_of_type(HasCanonicalizationPatternsTrait)
    assert {type(trait) for trait in found} == {NoPatterns, MorePatterns}


def test_adding_knowledge_again_does_nothing(op_type: type[IRDLOperation]) -> None:
    attach_knowledge(op_type, ReturnLike())
    before = op_type.traits.traits
    attach_knowledge(op_type, ReturnLike())
    assert op_type.traits.traits == before


def test_ops_of_xdsl_keep_their_traits() -> None:
    attach_definitions()
    assert memref.CopyOp.has_trait(MemoryReadEffect)
    assert memref.CopyOp.has_trait(MemoryWriteEffect)
    assert arith.AddiOp.has_trait(Pure)


def test_traits_come_in_one_order_and_what_is_attached_comes_first(
    op_type: type[IRDLOperation],
) -> None:
    def names() -> list[str]:
        return [type(trait).__name__ for trait in op_type.traits]

    attach_knowledge(op_type, NoPatterns())
    attach(op_type, Red())
    assert names() == ["NoPatterns", "Red", "NoMemoryEffect"]
    attach(op_type, IsTerminator())
    assert names() == ["NoPatterns", "Red", "IsTerminator", "NoMemoryEffect"]
