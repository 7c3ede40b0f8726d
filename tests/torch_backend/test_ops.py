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
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch_suite import op_verdicts
from torch_suite.op_samples import Entry, Sample, entries
from torch_suite.op_verdicts import judge
from torch_suite.op_workers import Record, run_all

SCRIPT = Path(__file__).parents[1] / "torch_suite" / "run_ops.py"

COMPILED = {
    "add",
    "amax",
    "baddbmm",
    "cat",
    "cumsum",
    "expand",
    "flip",
    "logsumexp",
    "mm",
    "nn_functional_conv2d",
    "nn_functional_layer_norm",
    "nn_functional_max_pool2d",
    "scatter_add",
    "softmax",
    "var",
    "where",
    "nn.nn_BatchNorm2d",
    "nn.nn_MultiheadAttention",
}
"""Entries of each family."""


def test_sample_of_the_tables(tmp_path: Path) -> None:
    names = "|".join(sorted(COMPILED)).replace(".", r"\.")
    results = tmp_path / "results.jsonl"
    command = [SCRIPT, "--filter", f"^({names})$", "--samples", "1"]
    command += ["--dtypes", "float32", "int64", "--results", results]
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    records = [*map(json.loads, results.read_text().splitlines())]
    found = {each["name"] for each in records if each["verdict"] == "equal"}
    assert found == COMPILED


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


def test_exception_of_the_back_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(graph: Any, inputs: Any, options: Any) -> Any:
        raise ZeroDivisionError("no columns")

    monkeypatch.setattr(op_verdicts, "xbuf", failing)
    found = judge(entry("mm"), product("forward"), "forward")
    assert (found.verdict, "no columns" in found.reason) == ("crashed", True)


def test_what_pytorch_computes_is_found() -> None:
    for name, verdict in (("rand_like", "fallback"), ("nonzero", "kept")):
        found = judge(entry(name), first_sample(entry(name)), "forward")
        assert found.verdict == verdict


def work(group: list[str], position: int) -> Iterator[tuple[int, Callable[[], Record]]]:
    """What runs a group of samples that each end in their own way."""

    def run(sample: str) -> Record:
        match sample:
            case "signal":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "exit":
                os._exit(3)
            case "late":
                time.sleep(60)
            case "raise":
                raise ValueError("a fault of the comparison")
        return {"verdict": sample}

    for number in range(position, len(group)):
        if group[number] == "no samples":
            os.kill(os.getpid(), signal.SIGSEGV)
        yield number, partial(run, group[number])


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_rest_runs_behind_a_crash(jobs: int) -> None:
    tasks = [
        [["equal", "signal", "equal", "late"], ["equal"]],
        [["exit", "equal", "raise"], ["no samples"], ["equal"]],
    ]
    found = {
        (id(group), record["sample"]): (record["verdict"], record.get("reason"))
        for group, record in run_all(tasks, work, jobs=jobs, seconds=1)
        if record["verdict"] != "end"
    }
    ways = [
        [found[id(group), number] for number in range(len(group))]
        for task in tasks
        for group in task
        if group != ["no samples"]
    ]
    equal = ("equal", None)
    assert ways == [
        [equal, ("crashed", "signal SIGSEGV"), equal, ("late", "killed")],
        [equal],
        [
            ("crashed", "exit status 3"),
            equal,
            ("crashed", "the comparison: ValueError: a fault of the comparison"),
        ],
        [equal],
    ]
    assert found[id(tasks[1][1]), -1] == ("crashed", "signal SIGSEGV")
