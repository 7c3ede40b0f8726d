"""A sample of PyTorch's own tables of ops and modules, and what finds faults in them.

`tests/torch_suite/run_ops.py` runs all of the tables.
"""

# pyright: basic, reportMissingImports=false

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import inf, nan
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from torch_suite import op_verdicts
from torch_suite.op_batches import Batch, Group, Item, batches
from torch_suite.op_elements import elements_differ
from torch_suite.op_extremes import extreme_entries
from torch_suite.op_samples import DTYPES, Entry, Sample, entries
from torch_suite.op_verdicts import judge
from torch_suite.op_workers import Record, Step, run_all

from xdsl_bufferization.frontends.pytorch import backend

SCRIPT = Path(__file__).parents[1] / "torch_suite" / "run_ops.py"

COMPILED = {
    "add",
    "amax",
    "baddbmm",
    "cat",
    "cumsum",
    "diagonal_scatter",
    "expand",
    "flip",
    "logsumexp",
    "mm",
    "msort",
    "nn_functional_adaptive_avg_pool2d",
    "nn_functional_conv2d",
    "nn_functional_layer_norm",
    "nn_functional_max_pool2d",
    "nn_functional_pixel_shuffle",
    "scatter_add",
    "softmax",
    "var",
    "where",
    "nn.nn_BatchNorm2d",
    "nn.nn_MultiheadAttention",
}
"""Entries of each family."""

MIXED = {"addmm", "diagonal_scatter", "select_scatter", "where"}

PAIRS = {"pairs.floordiv swapped", "pairs.fmin", "pairs.lt", "pairs.where"}

EXPORTED = {
    "add",
    "cat",
    "mm",
    "nn_functional_conv_transpose2d",
    "polar",
    "softmax",
    "squeeze",
    "std",
    "nn.nn_BatchNorm2d",
}


@pytest.mark.parametrize(
    ("names", "options"),
    [
        (COMPILED, ["--dtypes", "float32", "int64"]),
        (EXPORTED, ["--exported", "--open-sizes"]),
        (MIXED, ["--entries", "mixed", "--samples", "30", "--directions", "forward"]),
        (PAIRS, ["--entries", "pairs", "--samples", "24", "--dtypes", "int16"]),
        ({"program"}, ["--entries", "programs", "--samples", "25"]),
    ],
    ids=["compiled", "exported", "mixed", "pairs", "programs"],
)
def test_sample_of_the_tables(
    names: set[str], options: list[str], tmp_path: Path
) -> None:
    pattern = "|".join(sorted(names)).replace(".", r"\.")
    results = tmp_path / "results.jsonl"
    command = [SCRIPT, "--filter", f"^({pattern})$", "--samples", "1"]
    command += [*options, "--results", results]
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    records = [*map(json.loads, results.read_text().splitlines())]
    found = {each["name"] for each in records if each["verdict"] == "equal"}
    assert found == names


def entry(name: str) -> Entry:
    (found,) = entries(f"^{name}$")
    return found


def first_sample(of: Entry) -> Sample:
    return next(of.samples(torch.float32, "forward", 0))[1]


def product(direction: str) -> Sample:
    backward = direction == "backward"
    x, y = (torch.randn(3, 3, requires_grad=backward) for _ in range(2))
    return Sample(lambda x, y: x @ y, (x, y), {})


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda x: x + 1e-3, "values"),
        (lambda x: x.double(), "type"),
        (lambda x: x[None], "shape"),
        (lambda x: x.mT.contiguous().mT, "strides"),
    ],
)
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_other_result_is_found(
    change: Callable[[Any], Any],
    problem: str,
    direction: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def changed(graph: Any, inputs: Any, options: Any) -> Any:
        return lambda *given: tuple(change(each) for each in graph.forward(*given))

    monkeypatch.setattr(op_verdicts, "xbuf", changed)
    found = judge(entry("mm"), product(direction), direction)
    assert found.verdict == "wrong"
    assert problem in found.reason


@pytest.mark.parametrize(
    ("dtype", "verdict"), [(torch.float32, "equal"), (torch.float16, "wrong")]
)
def test_sums_may_be_rounded_after_each_term(
    dtype: torch.dtype, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyTorch adds pairs; a type that is summed in 32 bits has no more errors."""

    def one_by_one(graph: Any, inputs: Any, options: Any) -> Any:
        def call(x: Any) -> Any:
            sums = x.numpy().cumsum(1, dtype=x.numpy().dtype)
            return (torch.from_numpy(sums[:, -1].copy()),)

        return call

    monkeypatch.setattr(op_verdicts, "xbuf", one_by_one)
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(16, 1024, generator=generator) * 100
    sample = Sample(lambda x: x.sum(1), (x.to(dtype),), {})
    assert judge(entry("sum"), sample, "forward", dtype).verdict == verdict


def test_strides_are_those_of_the_graph() -> None:
    """Of an expanded number and a transpose, PyTorch makes another product itself."""
    x = torch.randn(1, 1, dtype=torch.bfloat16)
    y = torch.randn(3, 2, dtype=torch.bfloat16)
    sample = Sample(lambda x, y: x.view([]).expand(2, 3) * y.t(), (x, y), {})
    assert judge(entry("mul"), sample, "forward").verdict == "equal"


def test_exception_of_the_back_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(graph: Any, inputs: Any, options: Any) -> Any:
        raise ZeroDivisionError("no columns")

    monkeypatch.setattr(op_verdicts, "xbuf", failing)
    found = judge(entry("mm"), product("forward"), "forward")
    assert (found.verdict, "no columns" in found.reason) == ("crashed", True)


def test_what_pytorch_computes_is_found() -> None:
    for name, verdict in (("multinomial", "fallback"), ("nonzero", "kept")):
        found = judge(entry(name), first_sample(entry(name)), "forward")
        assert found.verdict == verdict


def test_other_random_numbers_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that PyTorch draws when it traces a function are the only ones."""
    drawn = entry("bernoulli")
    found = islice(drawn.samples(torch.float32, "forward", 0), 3)
    samples = [sample for _, sample in found]
    verdicts = [judge(drawn, sample, "forward").verdict for sample in samples]
    assert verdicts == ["equal"] * 3

    def changed(graph: Any, inputs: Any, options: Any) -> Any:
        call = cast("Any", backend.xbuf(graph, inputs, options))
        return lambda *given: tuple(1 - each for each in call(*given))

    monkeypatch.setattr(op_verdicts, "xbuf", changed)
    verdicts = [judge(drawn, sample, "forward").verdict for sample in samples]
    assert "wrong" in verdicts  # Not of one number, which may be the other one.


EXTREME = (
    "^(add|maximum|logaddexp|floor_divide|fmod|copysign|where|clamp|exp|sign|abs|"
    "nn_functional_(elu|relu6|hardswish|smooth_l1_loss|soft_margin_loss))$"
)


@pytest.mark.parametrize(
    ("dtype", "direction"),
    [("float32", "backward"), ("float16", "forward")],
)
def test_extreme_numbers(dtype: str, direction: str) -> None:
    """`run_ops.py --entries extremes` runs all ops and types."""
    items = [
        item
        for op in extreme_entries(EXTREME)
        if op.takes(DTYPES[dtype], direction)
        for item in Group(op, dtype, direction, 0, 2, 0).items
    ]
    records = [each for batch in batches(items, alone=0) for each in batch.run()]
    assert len(records) > 6
    assert {each["reason"] for each in records if each["verdict"] == "wrong"} == set()
    assert {each["verdict"] for each in records} <= {"equal", "fallback"}


@pytest.mark.parametrize(
    ("value", "wanted", "is_same"),
    [
        (nan, nan, True),
        (nan, 1.0, False),
        (0.0, -0.0, False),
        (1e-30, 2e-30, False),
        (1e30, -1e30, False),
        (inf, 3e38, False),
        (1.0000001, 1.0, True),
    ],
)
def test_each_element_is_compared(value: float, wanted: float, is_same: bool) -> None:
    values, expected = torch.tensor([1e38, value]), torch.tensor([1e38, wanted])
    differ = elements_differ(
        values, expected, lambda: None, lambda n: expected[n : n + 1]
    )
    assert (not differ) == is_same


def test_an_element_may_be_as_pytorch_computes_it_alone() -> None:
    """Among others, the gradient of `elu` at nan is nan, and 1 at the last place."""
    found = elements_differ(
        torch.tensor([1.0, 2.0]),
        torch.tensor([nan, 2.0]),
        lambda: None,
        lambda n: torch.tensor([1.0]),
    )
    assert not found


def work(task: list[str], position: int, alone: int) -> Iterator[Step]:
    """What runs samples that each end in their own way, two at once where they may."""

    def run(numbers: Sequence[int]) -> list[Record]:
        return [{"sample": number, "verdict": end(task[number])} for number in numbers]

    while position < len(task):
        if task[position] == "no samples":
            os.kill(os.getpid(), signal.SIGSEGV)
        numbers = range(position, min(position + (1 if alone > 0 else 2), len(task)))
        yield [{"sample": number} for number in numbers], partial(run, numbers)
        position, alone = position + len(numbers), alone - len(numbers)


def end(sample: str) -> str:
    """End in the way of a sample."""
    match sample:
        case "signal":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "exit":
            os._exit(3)
        case "late":
            time.sleep(60)  # Longer than a worker is given.
        case "raise":
            raise ValueError("a fault of the comparison")
    return sample


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_rest_runs_behind_a_crash(jobs: int) -> None:
    tasks = [
        ["equal", "signal", "equal", "late", "equal"],
        ["exit", "equal", "equal", "equal", "raise"],
        ["equal", "equal", "no samples"],
    ]
    found = [
        (id(task), (each.get("sample"), each["verdict"], each.get("reason")))
        for task, each in run_all(tasks, work, jobs=jobs, seconds=0.1)
        if each is not None
    ]
    ways = [[way for key, way in found if key == id(task)] for task in tasks]
    assert ways == [
        [
            (0, "equal", None),
            (1, "crashed", "signal SIGSEGV"),
            (2, "equal", None),
            (3, "late", "killed"),
            (4, "equal", None),
        ],
        [
            (0, "crashed", "exit status 3"),
            (1, "equal", None),
            (2, "equal", None),
            (3, "equal", None),
            (4, "crashed", "the comparison: ValueError: a fault of the comparison"),
        ],
        [
            (0, "equal", None),
            (1, "equal", None),
            (None, "crashed", "signal SIGSEGV"),
        ],
    ]


def items_of(name: str, count: int, start: int = 0) -> list[Item]:
    stop = start + count
    return [*Group(entry(name), "float32", "forward", start, stop, 0).items]


def test_samples_of_several_ops_are_one_program() -> None:
    items = [*items_of("add", 2), *items_of("mm", 1)]
    batch = Batch(items)
    found = {(each["name"], each["sample"]): each["verdict"] for each in batch.run()}
    assert batch.is_equal
    assert found == {item_key(item): "equal" for item in items}


def item_key(item: Item) -> tuple[str, int]:
    return item.group.entry.name, item.number


def test_no_sample_hides_in_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is found that has no graph, is computed by PyTorch, or is wrong."""
    names = ("add", "nonzero", "multinomial", "softmax", "mm")
    items = [item for name in names for item in items_of(name, 1)]

    def changed(graph: Any, inputs: Any, options: Any) -> Any:
        call = cast("Any", backend.xbuf(graph, inputs, options))
        if "softmax" not in graph.code:
            return call
        return lambda *given: tuple(each + 1 for each in call(*given))

    monkeypatch.setattr(op_verdicts, "xbuf", changed)
    batch = Batch(items)
    verdicts = [each["verdict"] for each in batch.run()]
    assert verdicts == ["equal", "kept", "fallback", "wrong", "equal"]
    assert not batch.is_equal


def test_batches_grow_while_all_is_well() -> None:
    sizes: list[int] = []
    items = [Item(Group(entry("mm"), "float32", "forward", 0, 1, 0), 0, None)] * 40
    for batch in batches(items, alone=2):
        sizes.append(len(batch.items))
        batch.is_equal = len(sizes) != 5
    assert sizes == [1, 1, 2, 4, 8, 4, 8, 12]
