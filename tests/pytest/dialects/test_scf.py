"""What the text of scf ops cannot show: how they are built, and where control goes."""

from collections.abc import Callable

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, ModuleOp, TensorType, f32
from xdsl.ir import Block, Operation, Region
from xdsl.traits import HasCanonicalizationPatternsTrait, ReturnLike
from xdsl.utils.test_value import create_ssa_value

from xdsl_bufferization.bufferization.interfaces.region_branch import get_region_branch
from xdsl_bufferization.dialects.scf import ForallOp, InParallelOp
from xdsl_bufferization.dialects.xdsl_patches.activate import attach_definitions

FORALL = """
func.func @f(%n: index, %t: tensor<4xf32>) {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  }
  scf.parallel (%i) = (%n) to (%n) step (%n) {
  }
  return
}
"""


def find(module: ModuleOp, name: str) -> Operation:
    return next(op for op in module.walk() if op.name == name)


def test_forall_is_built_from_numbers_and_operands() -> None:
    size = create_ssa_value(IndexType())
    tensor = create_ssa_value(TensorType(f32, [4]))
    block = Block([InParallelOp()], arg_types=[IndexType(), IndexType(), tensor.type])
    op = ForallOp([0, size], [size, 8], [1, 1], [tensor], Region(block))
    op.verify()
    assert op.lower_bounds == [0, size]
    assert op.upper_bounds == [size, 8]
    assert op.rank == 2
    assert not op.is_normalized
    assert list(op.region_outputs) == [block.args[2]]


def test_xdsls_canonicalization_stays_beside_ours() -> None:
    attach_definitions()
    ours, *others = sorted(
        scf.ForOp.get_traits_of_type(HasCanonicalizationPatternsTrait),
        key=lambda trait: type(trait).__name__ != "ForOpCanonicalization",
    )
    assert type(ours).__name__ == "ForOpCanonicalization"
    # Its class derives from xDSL's where patterns are corrected.
    (xdsls,) = others
    assert isinstance(xdsls, scf.ForOpHasCanonicalizationPatternsTrait)


def test_yields_are_like_returns() -> None:
    attach_definitions()
    assert scf.YieldOp.has_trait(ReturnLike)
    assert scf.ReduceReturnOp.has_trait(ReturnLike)


def test_outputs_enter_a_forall(parse: Callable[[str], ModuleOp]) -> None:
    op = find(parse(FORALL), "scf.forall")
    branch = get_region_branch(op)
    assert isinstance(op, ForallOp)
    assert branch is not None
    body, after = branch.get_successor_regions(op, None)
    assert (body.region, list(body.inputs)) == (op.region, list(op.region_outputs))
    assert (after.region, list(after.inputs)) == (None, list(op.results))
    (entering,) = branch.get_entry_successor_operands(op, body)
    assert entering.value is op.outputs[0]
    assert branch.is_repetitive_region(op, 0)


def test_a_round_of_a_forall_passes_nothing_on(
    parse: Callable[[str], ModuleOp],
) -> None:
    op = find(parse(FORALL), "scf.forall")
    branch = get_region_branch(op)
    assert branch is not None
    terminator = find(parse(FORALL), "scf.forall.in_parallel")
    for successor in branch.get_successor_regions(op, op.regions[0]):
        assert not successor.inputs
        forwarded = branch.get_terminator_successor_operands(op, terminator, successor)
        assert not forwarded


def test_a_parallel_loop_may_run_or_not(parse: Callable[[str], ModuleOp]) -> None:
    op = find(parse(FORALL), "scf.parallel")
    branch = get_region_branch(op)
    assert branch is not None
    regions = [s.region for s in branch.get_successor_regions(op, None)]
    assert regions == [op.regions[0], None]
    assert branch.is_repetitive_region(op, 0)


def test_a_loop_over_unsigned_numbers_is_left_alone(
    xdsl_opt: Callable[..., str],
) -> None:
    """As signed numbers, its bounds say that it never runs."""
    loop = """
    %0 = arith.constant 0 : i32
    %1 = arith.constant -1 : i32
    %2 = arith.constant 1 : i32
    scf.for {} %i = %0 to %1 step %2 : i32 {{
      "test.op"(%i) : (i32) -> ()
    }}"""
    assert "scf.for unsigned" in xdsl_opt(loop.format("unsigned"), "canonicalize")
    assert "scf.for" not in xdsl_opt(loop.format(""), "canonicalize")


def test_a_region_that_is_not_to_be_inlined_is_not(
    xdsl_opt: Callable[..., str],
) -> None:
    region = 'scf.execute_region {} {{ "test.op"() : () -> () scf.yield }}'
    assert "no_inline" in xdsl_opt(region.format("no_inline"), "canonicalize")
    assert "scf.execute_region" not in xdsl_opt(region.format(""), "canonicalize")
