"""Fixtures for all tests: `xdsl_opt` in this process, and `mlir_opt`, the oracle."""

import gc
import os
from collections.abc import Callable, Generator
from functools import cache
from typing import TYPE_CHECKING

import pytest
from harness.oracles.mlir_text import print_module
from harness.oracles.tool_runs import ToolFaultError, run_tool
from harness.oracles.tools import MLIR_OPT, find_oracle, require_openmp
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.universe import Universe

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.dialects.xdsl_patches.verify import verify_as_mlir

if TYPE_CHECKING:
    from harness.pages.browser import Open
    from playwright.sync_api import Browser

# Tests leave the folder of the user alone, and compile what they test. Those of the
# cache have folders of their own.
os.environ["XBUF_CACHE"] = "off"

_GOLDEN_RATIO = (5**0.5 - 1) / 2


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--volume",
        choices=("sample", "rest", "all"),
        default="all",
        help="of tests marked 'volume(sample=N)': N runs, the others, or all; "
        "'rest' leaves out all other tests (default: all)",
    )
    parser.addoption(
        "--one-in",
        type=int,
        default=1,
        metavar="N",
        help="with '--volume=rest': one in N of the runs, always the same (default: 1)",
    )
    for name, side, where in (
        ("--guard-buffers", "end", "behind"),
        ("--guard-buffers-begin", "begin", "before"),
    ):
        parser.addoption(
            name,
            action="store_const",
            const=side,
            dest="guarded_side",
            help=f"stop where compiled code uses memory {where} one of its buffers, "
            "or memory that was freed",
        )


def pytest_configure(config: pytest.Config) -> None:
    """Guard buffers before any code is compiled."""
    side = config.getoption("guarded_side")
    if side is not None:
        # The compiler is not imported for tests that do without it.
        from harness.running.guards import install

        install(side)


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what is there before the first test.

    No test makes garbage of these half a million objects. Many tests collect garbage,
    and would look at all of them each time.
    """
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what guarded buffers cannot do."""
    marker = item.get_closest_marker("unguarded")
    if marker is not None and item.config.getoption("guarded_side") is not None:
        pytest.skip(marker.kwargs["reason"])


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Deselect what `--volume` does not ask for."""
    volume = config.getoption("volume")
    if volume == "all":
        return
    runs: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("volume") is not None:
            runs.setdefault(item.nodeid.partition("[")[0], []).append(item)
    one_in = int(config.getoption("one_in") or 1)
    rest = [_by_rank(group) for group in runs.values()]
    if volume == "rest":
        # As many as there are, divided by N and rounded up.
        chosen = {each for group in rest for each in group[: -(-len(group) // one_in)]}
    else:
        chosen = {*items} - {each for group in rest for each in group}
    config.hook.pytest_deselected(items=[each for each in items if each not in chosen])
    items[:] = [item for item in items if item in chosen]


def _by_rank(runs: list[pytest.Item]) -> list[pytest.Item]:
    """The runs of one test that `make test` leaves out, the most spread ones first.

    Run `i` gets the fraction of `i` times the golden ratio. The runs of the smallest
    fractions are the sample. The sample is evenly spread, but not in equal steps: equal
    steps of two would always meet the same one of two values of a parameter.
    """
    marker = runs[0].get_closest_marker("volume")
    assert marker is not None
    by_rank = sorted(range(len(runs)), key=lambda index: index * _GOLDEN_RATIO % 1)
    return [runs[index] for index in by_rank[marker.kwargs["sample"] :]]


@pytest.fixture(scope="module")
def browser() -> Generator["Browser"]:
    """The Chromium of this machine."""
    # Most tests look at no page.
    from harness.pages.browser import start_chromium

    with start_chromium() as browser:
        yield browser


@pytest.fixture
def show(browser: "Browser") -> Generator["Open"]:
    """Shows pages in windows of Chromium: see `harness/pages/browser.py`."""
    from harness.pages.browser import showing

    with showing(browser) as show:
        yield show


@pytest.fixture
def ctx() -> Context:
    """A new `Context` with all dialects, ours among them."""
    return get_context()


@pytest.fixture
def parse(ctx: Context) -> Callable[[str], ModuleOp]:
    """Parse a program, and verify it."""

    def run(text: str) -> ModuleOp:
        module = MLIRParser(ctx, text).parse_module()
        verify_as_mlir(module)
        return module

    return run


@pytest.fixture
def xdsl_opt(ctx: Context) -> Callable[..., str]:
    """What `xbuf opt -p PIPELINE` prints for a program, without a new process.

    `xdsl_opt(text, pipeline="", generic=False)`; the program is verified after each
    pass, and errors are raised as xDSL raises them.
    """

    def run(text: str, pipeline: str = "", *, generic: bool = False) -> str:
        module = MLIRParser(ctx, text).parse_module()
        passes = PassPipeline.parse_spec(
            _passes(),
            pipeline,
            lambda _before, module, _after: verify_as_mlir(module),
        )
        passes.apply(ctx, module)
        return print_module(module, generic=generic)

    return run


@cache
def _passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """The passes of all packages; a search for packages takes 5 ms."""
    return Universe.get_multiverse().all_passes


@pytest.fixture
def openmp() -> None:
    """Threads that share a loop; the test is skipped where nothing starts them."""
    require_openmp()


@pytest.fixture
def mlir_opt() -> Callable[..., str]:
    """What mlir-opt 22 prints for a program: `mlir_opt(text, "-canonicalize", ...)`.

    A failure of mlir-opt fails the test with its message. Where mlir-opt is not
    installed the test is skipped, unless the environment variable `CI` is set.
    """
    return _runner(MLIR_OPT)


@pytest.fixture
def mlir_opt_19() -> Callable[..., str]:
    """What mlir-opt 19 prints, as `mlir_opt`: it has passes that 22 has no more."""
    return _runner("mlir-opt-19")


@pytest.fixture
def mlir_opt_14() -> Callable[..., str]:
    """What mlir-opt 14 prints, as `mlir_opt`, for programs in its old syntax."""
    return _runner("mlir-opt-14")


def _runner(name: str) -> Callable[..., str]:
    tool = find_oracle(name)

    def run(text: str, *arguments: str) -> str:
        result = run_tool([tool, *arguments, "-"], text)
        if result.returncode:
            pytest.fail(f"{name} {' '.join(arguments)}:\n{result.stderr}")
        return result.stdout

    return run


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell a tool's fault from ours; with `CI` set, a skipped comparison has failed.

    A test that a tool of others has not survived is reported as an expected failure:
    it says nothing about us, and is still seen.
    """
    report = yield
    is_oracle = item.get_closest_marker("oracle") is not None
    if is_oracle and call.excinfo and call.excinfo.errisinstance(ToolFaultError):
        report.outcome = "skipped"
        report.wasxfail = f"its fault: {call.excinfo.value}"
    if (
        report.skipped
        and not hasattr(report, "wasxfail")
        and os.environ.get("CI")
        and is_oracle
    ):
        report.outcome = "failed"
        report.longrepr = f"skipped, but CI is set: {report.longrepr}"
    return report
