"""Decisions are used again if nothing has changed, and only then."""

from collections.abc import Callable
from typing import Any

import pytest
from harness.programs.random_programs import Shape, random_program
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation

from xdsl_bufferization.bufferization.analyses.one_shot.cached_analysis import (
    cache_analysis,
    take_cached_analysis,
)
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import (
    OneShotAnalysis,
    analyze,
)
from xdsl_bufferization.bufferization.bufferize import (
    eliminate_empty_tensors as empties,
)
from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.fewer_copies.decided import WHOLE_PROGRAMS, decide
from xdsl_bufferization.bufferization.fewer_copies.move_reads_before_writes import (
    move_reads_before_writes,
)
from xdsl_bufferization.bufferization.fewer_copies.rematerialize_cheap_tensors import (
    rematerialize_cheap_tensors,
)
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.dialects.printing import mlir_text
from xdsl_bufferization.explanation.explain import explain_source
from xdsl_bufferization.explanation.report import ReasonKind
from xdsl_bufferization.explanation.source import read_source
from xdsl_bufferization.frontends.default_pipelines import PLAIN_PIPELINE
from xdsl_bufferization.pipelines.bufferize import one_shot_of_programs
from xdsl_bufferization.pipelines.pipeline_text import parse_passes

Parse = Callable[[str], ModuleOp]

PROGRAM = """
func.func @f(%a: tensor<4xf32>, %x: f32, %y: f32, %i: index) -> (tensor<4xf32>, f32) {
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %c = tensor.extract %a[%i] : tensor<4xf32>
  return %b, %c : tensor<4xf32>, f32
}"""

READ_ONLY = PROGRAM.replace(
    "%a: tensor<4xf32>", "%a: tensor<4xf32> {bufferization.writable = false}"
)

RETURNED = """%d = tensor.extract %b[%i] : tensor<4xf32>
  return %d : f32"""


def swap(op: Operation) -> None:
    """Put an op before the one in front of it."""
    block, before = op.parent, op.prev_op
    assert block is not None and before is not None
    op.detach()
    block.insert_op_before(op, before)


def extraction(module: ModuleOp) -> Operation:
    return next(op for op in module.walk() if isinstance(op, tensor.ExtractOp))


def use_other_number(module: ModuleOp) -> None:
    insertion = next(op for op in module.walk() if isinstance(op, tensor.InsertOp))
    block = insertion.parent
    assert block is not None
    insertion.operands[0] = block.args[2]


def decide_and_keep(module: ModuleOp) -> OneShotAnalysis:
    decider = decide(module, wants_all_reasons=True)
    assert decider is not None
    cache_analysis(module, decider.analysis)
    return decider.analysis


def decided(module: ModuleOp, *, wants_all_reasons: bool = False) -> OneShotAnalysis:
    decider = decide(module, wants_all_reasons=wants_all_reasons)
    assert decider is not None
    return decider.analysis


CHANGES: dict[str, Callable[[ModuleOp], None]] = {
    "an op moves": lambda module: swap(extraction(module)),
    "an operand changes": use_other_number,
    "an attribute is added": lambda module: extraction(module).attributes.update(
        a=UnitAttr()
    ),
}


def test_the_next_call_gets_the_same_decisions(parse: Parse):
    module = parse(PROGRAM)
    first = decide_and_keep(module)
    assert decided(module) is first


def test_decisions_serve_one_more_call(parse: Parse):
    module = parse(PROGRAM)
    first = decide_and_keep(module)
    assert decided(module) is first
    assert decided(module) is not first


def test_reasons_that_nobody_sought_are_sought(parse: Parse):
    module = parse(PROGRAM)
    first = decided(module)
    cache_analysis(module, first)
    assert decided(module, wants_all_reasons=True) is not first


@pytest.mark.parametrize("is_known", [False, True])
def test_reasons_are_sought_again_if_there_may_be_more(parse: Parse, *, is_known: bool):
    """A pass that moves reads looks for no other reasons than mere reads."""
    program = PROGRAM if is_known else READ_ONLY
    module = parse(program)
    first = decide_and_keep(module)
    options = one_shot_of_programs().get_options()
    again = take_cached_analysis(module, options, wants_all_reasons=True)
    assert again is (first if is_known else None)
    # The pass itself does with more reasons what it does with its own.
    explained = analyze(module, options, wants_all_reasons=True)
    cache_analysis(module, explained)
    assert decided(module, wants_all_reasons=True) is explained


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_module_is_decided_about_anew(
    parse: Parse, change: Callable[[ModuleOp], None]
):
    module = parse(PROGRAM)
    first = decide_and_keep(module)
    change(module)
    assert decided(module) is not first


def test_what_was_moved_there_and_back_has_not_changed(parse: Parse):
    module = parse(PROGRAM)
    first = decide_and_keep(module)
    op = extraction(module)
    swap(op)
    after = op.next_op
    assert after is not None
    swap(after)
    assert decided(module) is first


def test_decisions_with_other_options_do_not_serve(parse: Parse):
    module = parse(PROGRAM)
    decide_and_keep(module)
    assert take_cached_analysis(module, BufferizationOptions()) is None
    first = decide_and_keep(module)
    assert take_cached_analysis(module, WHOLE_PROGRAMS) is first


@pytest.fixture
def analyzed(monkeypatch: pytest.MonkeyPatch) -> list[OneShotAnalysis]:
    """Gets all analyses that are made from now on."""
    analyzed: list[OneShotAnalysis] = []
    in_place = OneShotAnalysis.__init__

    def count(self: OneShotAnalysis, *arguments: Any, **options: Any) -> None:
        analyzed.append(self)
        in_place(self, *arguments, **options)

    monkeypatch.setattr(OneShotAnalysis, "__init__", count)
    return analyzed


@pytest.mark.parametrize("moves", [False, True])
def test_passes_that_change_nothing_share_one_analysis(
    parse: Parse, analyzed: list[OneShotAnalysis], *, moves: bool
):
    program = PROGRAM
    if moves:
        # A result is not moved into the buffer of an argument; this one can be.
        program = program.replace("(tensor<4xf32>, f32)", "f32")
        program = program.replace("return %b, %c : tensor<4xf32>, f32", RETURNED)
    module = parse(program)
    move_reads_before_writes(module)
    rematerialize_cheap_tensors(module)
    empties.eliminate_empty_tensors(module)
    assert len(analyzed) == (2 if moves else 1)


def test_what_is_decided_is_carried_out(parse: Parse, analyzed: list[OneShotAnalysis]):
    module = parse(PROGRAM)
    move_reads_before_writes(module)
    rematerialize_cheap_tensors(module)
    options = one_shot_of_programs().get_options()
    one_shot_bufferize(module, options)
    assert len(analyzed) == 1
    again = parse(PROGRAM)
    one_shot_bufferize(again, options)
    assert mlir_text(module) == mlir_text(again)


@pytest.mark.parametrize(
    ("program", "kinds"),
    [
        (PROGRAM, [ReasonKind.CONFLICT]),
        (READ_ONLY, [ReasonKind.NOT_WRITABLE, ReasonKind.CONFLICT]),
    ],
)
def test_an_explanation_decides_once(
    program: str, kinds: list[ReasonKind], analyzed: list[OneShotAnalysis]
):
    source = read_source(program, None)
    explanation = explain_source(source, parse_passes(PLAIN_PIPELINE), donated=())
    assert len(analyzed) == 1
    decisions = explanation.functions[0].decisions
    reasons = [reason for decision in decisions for reason in decision.reasons]
    assert [reason.kind for reason in reasons] == kinds


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.volume(sample=15)
def test_a_pass_moves_what_it_does_whoever_has_decided(parse: Parse, seed: int):
    """More reasons than the pass looks for change nothing."""
    text = random_program(seed, Shape(ops=12, calls=True))
    alone, after_others = parse(text), parse(text)
    options = one_shot_of_programs().get_options()
    cache_analysis(after_others, analyze(after_others, options, wants_all_reasons=True))

    def moved(module: ModuleOp) -> list[str]:
        notes: list[str] = []
        move_reads_before_writes(module, lambda note: notes.append(str(note)))
        return notes

    assert moved(after_others) == moved(alone)
    assert mlir_text(after_others) == mlir_text(alone)
