"""For pytest: write down where each test fails, and run one of several tests.

    FAILURES=failures.jsonl ONE_IN=4 PYTHONPATH=tests/guest pytest -p failing_tests

Each line of the file is an object: the `test`, and the `error` in one line. `ours` is
the last line of our package that was reached, `theirs` the last function of xDSL. Where
the test itself did not reach our package, tracebacks of other processes are searched.
`ONE_IN=4` runs a quarter of the tests, always the same.
"""

import json
import os
import re
import zlib
from collections.abc import Iterable
from pathlib import Path

import pytest
from _pytest._code import ExceptionInfo

FILE = "FAILURES"
ONE_IN = "ONE_IN"

OURS = "xdsl_bufferization"
IN_A_TRACEBACK = re.compile(rf'File "[^"]*?({OURS}/[^"]+\.py)", line (\d+)')
OF_XDSL = re.compile(r'File "[^"]*?site-packages/(xdsl/[^"]+\.py)", line \d+, in (\w+)')


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Keep one of several tests."""
    parts = int(os.environ.get(ONE_IN, "1"))
    left_out = [item for item in items if zlib.crc32(item.nodeid.encode()) % parts]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not zlib.crc32(item.nodeid.encode()) % parts]


def pytest_exception_interact(
    node: pytest.Item | pytest.Collector,
    call: pytest.CallInfo[object],
    report: pytest.TestReport | pytest.CollectReport,
) -> None:
    """Write one line about a test that fails."""
    if call.excinfo is None:
        return
    failure = {"test": node.nodeid, **_places(call.excinfo, report.longreprtext)}
    with Path(os.environ[FILE]).open("a") as file:
        file.write(f"{json.dumps(failure)}\n")


def _places(error: ExceptionInfo[BaseException], text: str) -> dict[str, str]:
    ours = theirs = ""
    for entry in error.traceback:
        path = Path(entry.path).as_posix()
        if f"/{OURS}/" in path:
            ours = f"{OURS}/{path.rpartition(f'/{OURS}/')[2]}:{entry.lineno + 1}"
        elif "/site-packages/xdsl/" in path:
            theirs = f"xdsl/{path.rpartition('/xdsl/')[2]} {entry.name}"
    message = error.exconly().splitlines()
    return places_in(text) | {
        name: value
        for name, value in (
            ("error", message[0] if message else ""),
            ("ours", ours),
            ("theirs", theirs),
        )
        if value
    }


def places_in(text: str) -> dict[str, str]:
    """What tracebacks in a text say: the last line of ours, and xDSL's function."""
    return {
        "ours": _last(":".join(found) for found in IN_A_TRACEBACK.findall(text)),
        "theirs": _last(" ".join(found) for found in OF_XDSL.findall(text)),
    }


def _last(found: Iterable[str]) -> str:
    return ([*found] or [""])[-1]
