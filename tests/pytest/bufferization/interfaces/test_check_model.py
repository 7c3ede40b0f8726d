"""`check_model` says what is wrong with a model, in a sentence."""

from collections.abc import Callable, Hashable, Sequence

import pytest
from typing_extensions import override
from xdsl.dialects import test
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp, TensorType, f32
from xdsl.ir import (
    Attribute,
    Block,
    Operation,
    OpResult,
    OpTrait,
    Region,
    SSAValue,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.traits import IsTerminator
from xdsl.utils.test_value import create_ssa_value

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
)
from xdsl_bufferization.bufferization.interfaces.check_model import check_model
from xdsl_bufferization.bufferization.interfaces.conservative_state import (
    ConservativeState,
)
from xdsl_bufferization.bufferization.interfaces.destination_style import (
    DestinationStyleOpInterface,
)
from xdsl_bufferization.bufferization.interfaces.destination_style_bufferization import (  # noqa: E501 (the file has the name of its interface)
    DestinationStyleBufferization,
)
from xdsl_bufferization.bufferization.interfaces.operands import OpOperand
from xdsl_bufferization.bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
    RegionSuccessor,
)
from xdsl_bufferization.bufferization.interfaces.state import (
    AliasingOpOperand,
    AliasingValue,
    AnalysisState,
    BufferizationState,
    BufferRelation,
    BufferType,
    BufferTypes,
)
from xdsl_bufferization.bufferization.interfaces.subset import (
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.bufferization.interfaces.trial import try_bufferize
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.support.errors import fail_at

TENSOR = TensorType(f32, [4])
OTHER = TensorType(f32, [8])


def replace_results(op: Operation, state: BufferizationState) -> None:
    """Replace the results of `op` by buffers, wherever these come from."""
    state.replace_op(op, [state.get_buffer(result) for result in op.results])


class Bufferizes(BufferizableOpInterface):
    """A model with nothing to say, but a `bufferize`."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        replace_results(op, state)


class Tied(DestinationStyleBufferization, DestinationStyleOpInterface):
    """The last operand is the destination."""

    @override
    def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
        return (OpOperand(op, len(op.operands) - 1),)

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        replace_results(op, state)


class From(Bufferizes):
    """A model whose result comes from one operand, of which it says so."""

    def __init__(self, operand: int, relation: BufferRelation):
        self.operand = operand
        self.relation = relation

    @override
    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        assert isinstance(value, OpResult)
        return (AliasingOpOperand(OpOperand(value.op, self.operand), self.relation),)


def problems(
    *models: OpTrait,
    operands: Sequence[Attribute] = (TENSOR,),
    results: Sequence[Attribute] = (TENSOR,),
    regions: int = 0,
) -> list[str]:
    """What `check_model` says about an op with these models."""

    @irdl_op_definition
    class TestedOp(IRDLOperation):
        name = "test.tested"

        ins = var_operand_def()
        outs = var_result_def()
        bodies = var_region_def()
        traits = traits_def(*models)

    values = [create_ssa_value(type_) for type_ in operands]
    bodies = [Region() for _ in range(regions)]
    return check_model(
        TestedOp(operands=[values], result_types=[results], regions=[bodies])
    )


def test_no_model() -> None:
    assert problems() == [
        "'test.tested' has no model of BufferizableOpInterface: name one in its "
        "traits_def, or attach one"
    ]


def test_consistent_models() -> None:
    assert problems(Bufferizes()) == []
    assert problems(Tied(), operands=(TENSOR, TENSOR)) == []


def test_bufferize_is_missing() -> None:
    assert problems(BufferizableOpInterface()) == [
        "the model has no bufferize method: add one"
    ]


def test_one_sided_aliases() -> None:
    class Model(Bufferizes):
        @override
        def get_aliasing_op_operands(
            self, value: SSAValue, state: AnalysisState
        ) -> Sequence[AliasingOpOperand]:
            return ()

    assert (
        "operand #0 is said to alias result #0, but result #0 not operand #0"
        in problems(Model())
    )

    class Other(From):
        @override
        def get_aliasing_values(
            self, operand: OpOperand, state: AnalysisState
        ) -> Sequence[AliasingValue]:
            return ()

    assert (
        "result #0 is said to alias operand #0, but operand #0 not result #0"
        in problems(Other(0, BufferRelation.UNKNOWN))
    )


def test_different_relations() -> None:
    assert (
        "operand #0 is UNKNOWN to result #0, but result #0 is EQUIVALENT to operand #0"
        in problems(From(0, BufferRelation.EQUIVALENT))
    )


def test_alias_is_no_tensor_or_of_another_op() -> None:
    foreign = create_ssa_value(TENSOR)

    class Model(Bufferizes):
        @override
        def get_aliasing_values(
            self, operand: OpOperand, state: AnalysisState
        ) -> Sequence[AliasingValue]:
            return [
                AliasingValue(value, BufferRelation.UNKNOWN)
                for value in (*operand.owner.results, foreign)
            ]

    found = problems(Model(), results=(IndexType(),))
    assert "operand #0 aliases result #0, which is no tensor" in found
    assert any("which belongs to another op" in problem for problem in found)


def test_equivalent_values_of_different_shapes() -> None:
    (problem,) = [
        problem
        for problem in problems(Tied(), results=(OTHER,))
        if "EQUIVALENT" in problem
    ]
    assert problem == (
        "operand #0 is EQUIVALENT to result #0, but tensor<4xf32> and tensor<8xf32> "
        "do not have the same elements; say UNKNOWN"
    )


def test_destination_style_without_ties() -> None:
    assert (
        "there are 1 tensor inits and 2 tensor results; in destination style, each "
        "init is tied to one result"
    ) in problems(Tied(), results=(TENSOR, TENSOR))

    class Untied(Tied):
        @override
        def get_aliasing_values(
            self, operand: OpOperand, state: AnalysisState
        ) -> Sequence[AliasingValue]:
            return ()

    assert "operand #0 is the init of result #0, but not EQUIVALENT to it" in problems(
        Untied()
    )

    class Unwritten(Tied):
        @override
        def bufferizes_to_memory_write(
            self, operand: OpOperand, state: AnalysisState
        ) -> bool:
            return False

    assert problems(Unwritten()) == ["operand #0 is an init, but not written"]

    class OutOfRange(Tied):
        @override
        def get_dps_inits(self, op: Operation) -> Sequence[OpOperand]:
            return (OpOperand(op, 7),)

    assert any(
        "get_dps_inits answers operand #7 of 'test.tested'" in problem
        for problem in problems(OutOfRange())
    )


def test_write_that_nobody_can_see() -> None:
    (problem,) = problems(Bufferizes(), results=())
    assert problem.startswith("operand #0 is written, but aliases no result")


def test_result_from_nowhere() -> None:
    class Model(Bufferizes):
        @override
        def result_bufferizes_to_memory_write(
            self, value: OpResult, state: AnalysisState
        ) -> bool:
            return False

    assert problems(Model(), operands=()) == [
        "result #0 is neither a new buffer, nor part of an operand, nor written: "
        "nothing says where its contents come from"
    ]


def test_alias_of_an_operand_that_is_not_there() -> None:
    assert (
        "result #0 aliases operand #7 of 'test.tested', which has no such operand"
        in problems(From(7, BufferRelation.UNKNOWN))
    )


def test_allocation_with_aliases() -> None:
    class Model(Bufferizes):
        @override
        def bufferizes_to_allocation(self, value: OpResult) -> bool:
            return True

    assert problems(Model()) == [
        "result #0 is a new buffer, and yet aliases an operand"
    ]
    assert problems(Model(), operands=()) == []


def test_wrong_types_and_exceptions() -> None:
    class Model(Bufferizes):
        @override
        def bufferizes_to_memory_read(
            self, operand: OpOperand, state: AnalysisState
        ) -> bool:
            return None  # type: ignore[return-value]  # what is tested

        @override
        def is_writable(self, value: SSAValue, state: AnalysisState) -> bool:
            raise KeyError("no such thing")

    assert problems(Model()) == [
        "bufferizes_to_memory_read of operand #0 answers None, which is no bool",
        "is_writable of result #0 raises KeyError: 'no such thing'",
    ]


def test_buffer_type_of_another_shape() -> None:
    class Model(Bufferizes):
        @override
        def get_buffer_type(
            self, value: SSAValue, types: BufferTypes
        ) -> BufferType | None:
            assert isinstance(value, OpResult)
            return types.get(value.op.operands[0])

    (problem,) = problems(Model(), results=(OTHER,))
    assert "which does not have the elements of tensor<8xf32>" in problem


def test_subset_whose_container_is_no_destination() -> None:
    class Model(Bufferizes, SubsetInsertionOpInterface):
        @override
        def get_container(self, op: Operation) -> OpOperand:
            return OpOperand(op, 1)

        @override
        def get_source(self, op: Operation) -> OpOperand:
            return OpOperand(op, 2)

        @override
        def get_subset(self, op: Operation) -> Hashable:
            return op

        @override
        def get_aliasing_values(
            self, operand: OpOperand, state: AnalysisState
        ) -> Sequence[AliasingValue]:
            return ()

        @override
        def bufferizes_to_memory_write(
            self, operand: OpOperand, state: AnalysisState
        ) -> bool:
            return False

    assert problems(Model(), operands=(TENSOR, TENSOR)) == [
        "operand #1 is the container of a subset, but aliases no result",
        "get_source answers operand #2 of 'test.tested'; 'test.tested' has operands "
        "#0 to #1",
    ]


def test_regions() -> None:
    elsewhere = Region()

    class Model(Bufferizes, RegionBranchOpInterface):
        @override
        def get_successor_regions(
            self, op: Operation, region: Region | None
        ) -> tuple[RegionSuccessor, ...]:
            return (RegionSuccessor(elsewhere, ()),)

        @override
        def get_entry_successor_operands(
            self, op: Operation, successor: RegionSuccessor
        ) -> tuple[OpOperand, ...]:
            return ()

        @override
        def is_parallel_region(self, op: Operation, index: int) -> bool:
            return (True,)[index]

    assert problems(Model(), regions=2) == [
        "is_parallel_region of region #1 raises IndexError: tuple index out of range",
    ]
    assert problems(Model(), regions=1) == [
        "get_successor_regions answers a region of another op"
    ]


class LoopFlow(RegionBranchOpInterface):
    """The region runs any number of times, and gets what it passed on."""

    @override
    def get_successor_regions(
        self, op: Operation, region: Region | None
    ) -> tuple[RegionSuccessor, ...]:
        (body,) = op.regions
        after = RegionSuccessor(None, tuple(op.results))
        return (RegionSuccessor(body, tuple(body.block.args)), after)

    @override
    def get_entry_successor_operands(
        self, op: Operation, successor: RegionSuccessor
    ) -> tuple[OpOperand, ...]:
        return tuple(OpOperand(op, number) for number in range(len(op.operands)))


class LoopModel(Bufferizes):
    """Each result is the operand at its position, and no other one."""

    @override
    def get_aliasing_values(
        self, operand: OpOperand, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        result = operand.owner.results[operand.number]
        return (AliasingValue(result, BufferRelation.EQUIVALENT),)

    @override
    def get_aliasing_op_operands(
        self, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOpOperand]:
        if not isinstance(value, OpResult):
            return ()
        operand = OpOperand(value.op, value.index)
        return (AliasingOpOperand(operand, BufferRelation.EQUIVALENT),)


class RefusingLoopModel(LoopModel):
    @override
    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        fail_at(op, "its body is not as it should be")


class PassedOn(Bufferizes):
    @override
    def must_bufferize_in_place(self, operand: OpOperand, state: AnalysisState) -> bool:
        return True


class Copied(Bufferizes):
    """The terminator may get copies of what it passes on."""


def problems_of_loop(
    order: Sequence[int], model: OpTrait, of_terminator: type[Bufferizes] = PassedOn
) -> list[str]:
    """About a loop with two tensors, which yields its block arguments in an order."""

    @irdl_op_definition
    class LoopOp(IRDLOperation):
        name = "test.loop"
        ins = var_operand_def()
        outs = var_result_def()
        body = var_region_def()
        traits = traits_def(LoopFlow(), model)

    @irdl_op_definition
    class EndOp(IRDLOperation):
        name = "test.end"
        ins = var_operand_def()
        traits = traits_def(IsTerminator(), of_terminator())

    block = Block(arg_types=[TENSOR, TENSOR])
    block.add_op(EndOp(operands=[[block.args[number] for number in order]]))
    values = [create_ssa_value(TENSOR) for _ in order]
    loop = LoopOp(
        operands=[values], result_types=[[TENSOR, TENSOR]], regions=[[Region(block)]]
    )
    return check_model(loop)


def test_a_region_that_passes_on_the_operand_of_another_result() -> None:
    assert problems_of_loop([0, 1], LoopModel()) == []
    assert problems_of_loop([1, 0], RefusingLoopModel()) == []
    assert problems_of_loop([1, 0], LoopModel(), Copied) == []
    assert problems_of_loop([1, 0], LoopModel()) == [
        f"result #{result} can be operand #{operand}, which 'test.end' passes on as "
        f"its operand #{result}, but is not said to alias it: let "
        "get_aliasing_op_operands name the operand, or verify_analysis refuse such a "
        "region"
        for result, operand in ((0, 1), (1, 0))
    ]
    (problem,) = problems_of_loop([1, 1], LoopModel())
    assert problem.startswith("result #0 can be operand #1")


@pytest.mark.parametrize("count", [1, 3])
def test_problems_are_not_repeated(count: int) -> None:
    found = problems(BufferizableOpInterface(), operands=(TENSOR,) * count)
    assert len(found) == len(set(found))


# What `bufferize` does, on a copy of the op.


class By(Bufferizes):
    """A model that bufferizes in the given manner."""

    def __init__(self, rewrite: Callable[[Operation, BufferizationState], None]):
        self.rewrite = rewrite

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        self.rewrite(op, state)


def does_nothing(_op: Operation, _state: BufferizationState) -> None:
    pass


def forgets_a_result(op: Operation, state: BufferizationState) -> None:
    state.replace_op(op, [state.get_buffer(op.results[0])])


def results_in_a_tensor(op: Operation, state: BufferizationState) -> None:
    first, second = op.results
    state.replace_op(op, [state.get_buffer(first), second])


def uses_the_tensor(op: Operation, state: BufferizationState) -> None:
    state.insert(test.TestOp(operands=[op.operands[0]]))
    replace_results(op, state)


def fails(op: Operation, state: BufferizationState) -> None:
    raise ZeroDivisionError("of the model")


def refuses(op: Operation, state: BufferizationState) -> None:
    fail_at(op, "not for this layout")


def is_right(op: Operation, state: BufferizationState) -> None:
    buffer = state.get_buffer(op.operands[0])
    state.insert(test.TestOp(operands=[buffer]))
    state.replace_op(op, [buffer, state.allocate(MemRefType(f32, [4]))])


@pytest.mark.parametrize(
    ("rewrite", "expected"),
    [
        (
            does_nothing,
            "bufferize leaves the op on tensors: call state.replace_op with the buffer "
            "of each result, or with [] if there are no results",
        ),
        (
            forgets_a_result,
            "bufferize replaces 2 results, but gives state.replace_op 1: give one "
            "value for each result",
        ),
        (
            results_in_a_tensor,
            "bufferize replaces result #1 by a value of type tensor<4xf32>, which is "
            "no buffer",
        ),
        (
            uses_the_tensor,
            "bufferize inserts 'test.op', whose operand #0 is a tensor of the program: "
            "use state.get_buffer of the tensor",
        ),
        (fails, "bufferize raises ZeroDivisionError: of the model"),
        (refuses, None),
        (is_right, None),
    ],
)
def test_bufferize_is_tried(
    rewrite: Callable[[Operation, BufferizationState], None], expected: str | None
) -> None:
    found = problems(By(rewrite), results=(TENSOR, TENSOR))
    assert found == ([expected] if expected else [])


def test_the_op_stays_as_it_is() -> None:
    inner = test.TestOp(operands=[create_ssa_value(TENSOR)])
    module = ModuleOp([inner])
    before = str(module)
    (problem,) = try_bufferize(inner, By(does_nothing), ConservativeState())
    assert "leaves the op on tensors" in problem
    assert str(module) == before


def test_terminator_is_tried_after_its_parent() -> None:
    """As in a program, where the block of the terminator has buffers by then."""
    program = """
func.func @f(%c: i1, %t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.if %c -> (tensor<4xf32>) {
    scf.yield %t : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
"""
    module = parse_module(program, "program.mlir", get_context())
    yields = [op for op in module.walk() if op.name == "scf.yield"]
    assert len(yields) == 2
    for op in yields:
        assert check_model(op) == []


def test_name_of_a_method_that_nobody_asks_for() -> None:
    class Misspelt(Bufferizes):
        def bufferizes_to_memory_writes(self) -> bool:
            return False

        def is_something_else(self) -> bool:
            return False

    assert problems(Misspelt()) == [
        "nobody asks for bufferizes_to_memory_writes: did you mean "
        "bufferizes_to_memory_write?"
    ]
