"""Cheap tensors computed again, and reads moved before writes: never worse."""

import random
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from harness.oracles.decisions import parse
from harness.programs.random_programs import Shape, random_program
from harness.programs.random_rich_programs import RichShape, random_rich_program
from harness.programs.random_sharing import random_sharing
from harness.programs.random_slices import SHAPE, random_slices
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.analyses.cost.function_costs import measure_costs
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.fewer_copies import (
    move_reads_before_writes,
    rematerialize_cheap_tensors,
)
from xdsl_bufferization.bufferization.fewer_copies.move_reads_before_writes import (
    MoveReadsBeforeWritesPass,
)
from xdsl_bufferization.bufferization.fewer_copies.rematerialize_cheap_tensors import (
    RematerializeCheapTensorsPass,
)
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)
from xdsl_bufferization.pipelines.bufferize import one_shot_of_programs
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime.heap import CountingHeap, HeapReport

T, ROW = "tensor<4x4xf32>", "tensor<8xf32>"
MOVE, REPEAT = MoveReadsBeforeWritesPass(), RematerializeCheapTensorsPass()
VARIANTS: dict[str, tuple[ModulePass, ...]] = {
    "move": (MOVE,),
    "repeat": (REPEAT,),
    "both": (MOVE, REPEAT),
}

Value = np.ndarray | np.float32 | int


class Kind(NamedTuple):
    """Random programs, and the shapes of the tensors that they take."""

    write: Callable[[int], str]
    shapes: tuple[tuple[int, ...], ...]


def sharing(seed: int) -> str:
    return random_sharing(seed, 6 + seed % 16)


def calls(seed: int) -> str:
    return random_program(seed, Shape(ops=10, depth=3, calls=True))


def rich(seed: int) -> str:
    return random_rich_program(seed, RichShape(ops=6))


KINDS = {
    "sharing": Kind(sharing, ((4, 8), (8,))),
    "calls": Kind(calls, ((8,), (8,), (4,))),
    "rich": Kind(rich, ((8,), (8,), (4,))),
    "slices": Kind(random_slices, (SHAPE, SHAPE)),
}


def arguments(kind: Kind, seed: int) -> list[Value]:
    rng = np.random.default_rng(seed)
    tensors = (rng.integers(-8, 8, shape) for shape in kind.shapes)
    given: list[Value] = [tensor.astype(np.float32) for tensor in tensors]
    return [*given, np.float32(3), seed % 2, seed // 2 % 2]


def bufferized(text: str, passes: Sequence[ModulePass]) -> ModuleOp:
    module = parse(text)
    all_passes = *passes, one_shot_of_programs(), BufferDeallocationPipelinePass()
    for each in all_passes:
        each.apply(get_context(), module)
    return module


def costs(module: ModuleOp) -> dict[str, tuple[int, ...]]:
    """Copies, bytes copied, allocations and peak of each function."""
    return {
        name: (
            cost.copies.count,
            cost.copies.bytes,
            cost.memory.allocations,
            cost.memory.peak_bytes,
        )
        for name, cost in measure_costs(module).items()
    }


def run(module: ModuleOp, given: Sequence[Value]) -> tuple[list[object], HeapReport]:
    compiled = compile_module(module, poison=True, count_copies=True, opt_level=0)
    results = [np.array(value) for value in compiled["main"](*given)]
    assert isinstance(compiled.heap, CountingHeap)
    return list(results), compiled.heap.report()


def filled(seed: int) -> str:
    """A straight line of ops that overwrite tensors of zeros, and each other."""
    rng = random.Random(seed)
    tensors = [f"%z{n}" for n in range(rng.randint(1, 3))]
    lines = [f"{t} = linalg.fill ins(%f : f32) outs(%e : {T}) -> {T}" for t in tensors]
    for n in range(rng.randint(1, 8)):
        one, other = rng.choices(tensors, k=2)
        lines.append(
            rng.choices(
                (
                    f"%v{n} = tensor.insert %f into {one}[%i, %i] : {T}",
                    f"%v{n} = linalg.matmul ins({one}, {one} : {T}, {T}) "
                    f"outs({other} : {T}) -> {T}",
                    f"%v{n} = arith.select %c, {one}, {other} : {T}",
                ),
                (4, 4, 1),
            )[0]
        )
        if rng.random() < 0.3:
            tensors.append(f"%v{n}")
        lines.append(f"%x{n} = tensor.extract %v{n}[%i, %i] : {T}")
    return (
        f"func.func @main(%f: f32, %i: index, %c: i1) {{\n%e = tensor.empty() : {T}\n"
        + "\n".join(lines)
        + "\nreturn\n}"
    )


def late(seed: int) -> str:
    """A straight line of ops that read what was overwritten, and need each other."""
    rng = random.Random(seed)
    tensors, numbers, indices = ["%a", "%b"], ["%f"], ["%i", "%j"]
    lines: list[str] = []
    for n in range(rng.randint(2, 9)):
        one, other = rng.choices(tensors, k=2)
        number, index = rng.choice(numbers), rng.choice(indices)
        kind = rng.choices(range(6), (6, 8, 4, 1, 1, 1))[0]
        lines.append(
            (
                f"%t{n} = tensor.insert {number} into {one}[{index}] : {ROW}",
                f"%x{n} = tensor.extract {one}[{index}] : {ROW}",
                f"%i{n} = arith.addi {index}, %i : index",
                f"%t{n} = linalg.add ins({one}, {one} : {ROW}, {ROW}) "
                f"outs({other} : {ROW}) -> {ROW}",
                f"%t{n} = arith.select %c, {one}, {other} : {ROW}",
                f"%t{n} = arith.constant dense<1.0> : {ROW}",
            )[kind]
        )
        results = {1: numbers, 2: indices}.get(kind, tensors)
        results.append(lines[-1].partition(" ")[0])
    returned = [*numbers, rng.choice(tensors)][: len(numbers) + seed % 2]
    types = ", ".join(["f32"] * len(numbers) + [ROW] * (seed % 2))
    return (
        f"func.func @main(%a: {ROW}, %b: {ROW}, %f: f32, %i: index, %j: index, %c: i1)"
        f" -> ({types}) {{\n"
        + "\n".join(lines)
        + f"\nreturn {', '.join(returned)} : {types}\n}}"
    )


@pytest.mark.parametrize(
    ("write", "pass_", "module", "question"),
    (
        (filled, REPEAT, rematerialize_cheap_tensors, "is_certainly_better"),
        (late, MOVE, move_reads_before_writes, "are_all_in_place"),
    ),
    ids=("filled", "late"),
)
def test_what_is_certain_an_analysis_says_as_well(
    write: Callable[[int], str],
    pass_: ModulePass,
    module: ModuleType,
    question: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is changed without an analysis is what is changed with one."""
    told: list[bool] = []
    ask = getattr(module, question)

    def tell(*arguments: Any) -> bool:
        told.append(ask(*arguments))
        return told[-1]

    def never(*arguments: Any) -> bool:
        del arguments
        return False

    for seed in range(150):
        text = write(seed)
        printed: list[str] = []
        for answer in (tell, never):
            monkeypatch.setattr(module, question, answer)
            program = parse(text)
            pass_.apply(get_context(), program)
            printed.append(str(program))
        assert printed[0] == printed[1], seed
    assert told.count(True) > 10


@pytest.mark.volume(sample=6)
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_no_function_costs_more(kind: Kind, seed: int) -> None:
    """Neither copies nor bytes, allocations or peak; and the values are the same."""
    text = kind.write(seed)
    before = costs(bufferized(text, ()))
    for name, passes in VARIANTS.items():
        module = parse(text)
        for each in passes:
            each.apply(get_context(), module)
        module.verify()
        check_values(text, module, arguments(kind, seed))
        for function, cost in costs(bufferized(str(module), ())).items():
            pairs = zip(cost, before[function], strict=True)
            assert all(a <= b for a, b in pairs), (name, function, cost)


def check_values(text: str, module: ModuleOp, given: list[Value]) -> None:
    """On tensors, where nothing can be overwritten."""
    if str(module) == str(parse(text)):
        return
    with np.errstate(all="ignore"):
        expected = evaluate(parse(text), "main", [np.copy(each) for each in given])
        found = evaluate(module, "main", given)
    for value, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.asarray(value), wanted, rtol=1e-5)


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_no_call_costs_more(kind: Kind, seed: int) -> None:
    """On a poisoned heap, with the numbers that NumPy computes."""
    text = kind.write(seed)
    with np.errstate(all="ignore"):
        expected = evaluate(parse(text), "main", arguments(kind, seed))
    _, before = run(bufferized(text, ()), arguments(kind, seed))
    results, after = run(bufferized(text, (MOVE, REPEAT)), arguments(kind, seed))
    for value, wanted in zip(results, expected, strict=True):
        np.testing.assert_allclose(np.asarray(value), wanted, rtol=1e-5)
    assert after.live_bytes <= before.live_bytes
    assert after.double_frees == after.foreign_frees == 0
    assert after.copies <= before.copies
    assert after.copied_bytes <= before.copied_bytes
    assert after.peak_bytes <= before.peak_bytes
    assert after.allocs <= before.allocs


def test_swapped_operations_end_with_no_copy() -> None:
    text = """
    func.func @main(%a: tensor<?xf32>, %f: f32, %i: index, %j: index) -> (f32, f32) {
      %b = tensor.insert %f into %a[%i] : tensor<?xf32>
      %c = tensor.extract %a[%j] : tensor<?xf32>
      %d = tensor.extract %b[%j] : tensor<?xf32>
      return %c, %d : f32, f32
    }
    """
    assert costs(bufferized(text, ()))["main"][:3] == (1, 0, 1)
    assert costs(bufferized(text, (MOVE,)))["main"] == (0, 0, 0, 0)


def test_a_change_that_a_caller_would_pay_for_is_not_made() -> None:
    """In place, the function would write to an argument that its caller still reads."""
    text = """
    func.func private @f(%a: tensor<8xf32>, %f: f32, %i: index) -> (f32, f32) {
      %b = tensor.insert %f into %a[%i] : tensor<8xf32>
      %c = tensor.extract %a[%i] : tensor<8xf32>
      %d = tensor.extract %b[%i] : tensor<8xf32>
      return %c, %d : f32, f32
    }
    func.func @main(%a: tensor<8xf32>, %f: f32, %i: index) -> (f32, f32, f32) {
      %0:2 = call @f(%a, %f, %i) : (tensor<8xf32>, f32, index) -> (f32, f32)
      %1 = tensor.extract %a[%i] : tensor<8xf32>
      return %0#0, %0#1, %1 : f32, f32, f32
    }
    """
    module = parse(text)
    MOVE.apply(get_context(), module)
    assert str(module) == str(parse(text))


def test_ops_that_moved_earlier_move_along() -> None:
    """Here a write moves behind a read that has moved itself, as have its users."""
    module = parse(random_slices(5037))
    before = str(module)
    MOVE.apply(get_context(), module)
    module.verify()
    assert str(module) != before
    parse(str(module)).verify()
