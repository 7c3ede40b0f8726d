"""torch-mlir's end-to-end tests through the back end, and the score.

    python tests/torch_suite/run_suite.py TORCH_MLIR [--filter REGEX] [--results FILE]

TORCH_MLIR is a checkout of torch-mlir. Nothing is fetched. The environment needs the
extra `torch`, and `multiprocess` and `dill`, which torch-mlir's tests import. Each test
is exported once, and then compiled and run three times: by the default pipeline, and by
both pipelines on the counting heap. On that heap no buffer may be left. With
`--texts FOLDER`, the programs are only written there, for `proved_corpus`.

Counted are the tests of the importer `fx_importer` which torch-mlir's reference back
end passes: all but those that `xfail_sets.py` of the checkout lists.
"""

# PyTorch and torch-mlir are not installed where the project is checked.
# The score is printed.
# ruff: noqa: T201
# pyright: basic, reportMissingImports=false

import argparse
import contextlib
import gc
import importlib.util
import io
import json
import re
import signal
import sys
import time
import types
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from xdsl_bufferization.frontends.pytorch.exported import export_module
from xdsl_bufferization.frontends.pytorch.modules import compile_exported
from xdsl_bufferization.runtime import CountingHeap

WAYS: dict[str, dict[str, Any]] = {
    "optimized": {"optimize": True},
    "optimized, counting heap": {"optimize": True, "counting_heap": True},
    "plain, counting heap": {"optimize": False, "counting_heap": True},
}

TRANSLATED_OTHERWISE: dict[str, str] = {
    # `randint` of float64 gives 147.7, 203.5 and so on. The test compares the mean of
    # 16 million numbers of f32 with PyTorch's to one part in a thousand. So it passes
    # only if the sum is rounded down by as much as its numbers are too large.
    "RandIntDtypeModule_basic": "torch-mlir draws numbers below 1000 with fractions: "
    "their mean is 500.0, and that of PyTorch's whole numbers is 499.5",
}
"""Tests that no right translation of torch-mlir's program passes, and why.

They are in the score, as what they give.
"""


def load_tests(checkout: Path) -> tuple[list[Any], Any]:
    """The tests that the reference back end passes, and torch-mlir's comparison."""
    root = checkout / "projects" / "pt1"
    sys.path.insert(0, str(root / "python"))
    from torch_mlir_e2e_test import framework, reporting
    from torch_mlir_e2e_test.registry import GLOBAL_TEST_REGISTRY
    from torch_mlir_e2e_test.test_suite import register_all_tests

    _declare_vision_ops()
    with contextlib.redirect_stdout(io.StringIO()):
        register_all_tests()
        sets = _xfail_sets(root / "e2e_testing" / "xfail_sets.py")
    failing = sets.FX_IMPORTER_XFAIL_SET | sets.FX_IMPORTER_CRASHING_SET
    tests = [t for t in GLOBAL_TEST_REGISTRY if t.unique_name not in failing]
    return sorted(tests, key=lambda t: t.unique_name), (framework, reporting)


def _declare_vision_ops() -> None:
    """Let torchvision be imported whose ops are built for another PyTorch.

    The tests take models from torchvision, and none of these ops.
    """
    while True:
        try:
            importlib.import_module("torchvision")
        except RuntimeError as error:
            missing = re.search(
                r"operator (torchvision::\w+) does not exist", str(error)
            )
            if missing is None:
                raise
            torch.library.define(missing[1], "(Tensor a) -> Tensor")
            for name in [name for name in sys.modules if name.startswith("torchvis")]:
                del sys.modules[name]
        else:
            return


def _xfail_sets(file: Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("xfail_sets", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_test(test: Any, tools: Any, texts: Path | None) -> dict[str, str]:
    """What each way of compiling a test gave: "" if it passed.

    With `texts`, its program is written to that folder, and is not run.
    """
    framework, reporting = tools
    golden = framework.generate_golden_trace(test)
    model = test.program_factory()
    problems = dict.fromkeys(WAYS, "")
    # Here and below, whatever is raised is the result of the test.
    for item in golden:
        try:
            program = torch.export.export(model, tuple(item.inputs), strict=True)
            exported = export_module(program, (), accepts_differences=True)
        except Exception as error:
            return dict.fromkeys(WAYS, f"export: {_line(error)}")
        if texts is not None and exported.program.module is not None:
            text = str(exported.program.module)
            (texts / f"{test.unique_name}.mlir").write_text(text)
            return problems
        for way, options in WAYS.items():
            if not problems[way]:
                problems[way] = _run_way(item, exported, options, reporting)
    return problems


def _run_way(item: Any, exported: Any, options: dict[str, Any], reporting: Any) -> str:
    try:
        function = compile_exported(exported, **options)
    except Exception as error:
        return f"compile: {_line(error)}"
    inputs = [
        value.clone() if isinstance(value, torch.Tensor) else value
        for value in item.inputs
    ]
    try:
        with torch.no_grad():
            output = function(*inputs)
    except Exception as error:
        return f"run: {_line(error)}"
    report = reporting.ValueReport(output, item.output, reporting.ErrorContext.empty())
    if report.failed:
        return f"wrong: {report.error_str()}"
    del output, report
    return _leaks(function)


def _leaks(function: Any) -> str:
    code = function._function.code
    if code is None or not isinstance(code.heap, CountingHeap):
        return ""
    function._function._arguments.weights.forget()
    if code.heap.report().live_bytes:
        gc.collect()
    live = code.heap.report().live_bytes
    return f"leak: {live} bytes" if live else ""


def _line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:300]}"


@contextlib.contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise a `TimeoutError` when the time is up."""

    def stop(_signal: int, _frame: object) -> None:
        raise TimeoutError(f"after {seconds} s")

    old = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


def main() -> int:
    """Run the tests, and print the score."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--filter", default="")
    parser.add_argument("--results", type=Path, help="append to this file, and resume")
    parser.add_argument("--part", default="1/1", help="2/3: the second of three parts")
    parser.add_argument("--seconds", type=int, default=600, help="for each test")
    parser.add_argument("--texts", type=Path, help="only write programs, to here")
    options = parser.parse_args()
    if options.texts is not None:
        options.texts.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    tests, tools = load_tests(options.checkout)
    part, parts = map(int, options.part.split("/"))
    tests = [t for t in tests if re.search(options.filter, t.unique_name)]
    tests = tests[part - 1 :: parts]
    results = _known(options.results)
    gc.freeze()  # What is loaded now stays, and need not be looked at again.
    for test in tests:
        name = test.unique_name
        if name in results:
            continue
        start = time.perf_counter()
        try:
            with at_most(options.seconds):
                results[name] = run_test(test, tools, options.texts)
        except Exception as error:
            results[name] = dict.fromkeys(WAYS, f"error: {_line(error)}")
        seconds = time.perf_counter() - start
        for way, problem in results[name].items():
            if problem:
                reason = TRANSLATED_OTHERWISE.get(name, "")
                print(f"{name} ({way}): {problem} {reason}".rstrip(), flush=True)
        if options.results is not None:
            with options.results.open("a") as file:
                file.write(json.dumps([name, results[name], seconds]) + "\n")
    names = [test.unique_name for test in tests]
    _print_score([results[name] for name in names])
    return 1 if any(_is_failure(name, results[name]) for name in names) else 0


def _is_failure(name: str, problems: dict[str, str]) -> bool:
    """Whether a test failed, and not by the numbers that were to be expected."""
    may_be_wrong = name in TRANSLATED_OTHERWISE
    return any(
        problem and not (may_be_wrong and problem.startswith("wrong:"))
        for problem in problems.values()
    )


def _known(file: Path | None) -> dict[str, dict[str, str]]:
    if file is None or not file.exists():
        return {}
    lines = map(json.loads, file.read_text().splitlines())
    return {name: problems for name, problems, _ in lines}


def _print_score(results: list[dict[str, str]]) -> None:
    for way in WAYS:
        problems = [each[way] for each in results if each[way]]
        kinds = Counter(problem.partition(":")[0] for problem in problems)
        details = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        print(f"{way}: {len(results) - len(problems)} of {len(results)} {details}")


if __name__ == "__main__":
    sys.exit(main())
