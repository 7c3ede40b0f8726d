"""States of a lowering that xDSL accepts and MLIR refuses, and that our passes accept.

The programs are file checks, which say why a lowering passes through such a state. Here
it is checked that each is one: MLIR does refuse it, and xDSL accepts it without us.
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.xdsl_opt_main import xDSLOptMain

STATES = Path(__file__).parents[3] / "filecheck/xdsl_back_ends/intermediate"
XDSL_OPT = Path(sys.executable).with_name("xdsl-opt")

every_state = pytest.mark.parametrize(
    "state", sorted(STATES.glob("*.mlir")), ids=lambda state: state.stem
)


def test_there_are_ten_states() -> None:
    assert len(list(STATES.glob("*.mlir"))) >= 10


@every_state
@pytest.mark.oracle
def test_xdsl_accepts_what_mlir_refuses(
    state: Path, mlir_opt_error: Callable[[str], str]
) -> None:
    # The generic format, so that MLIR does not refuse a mere format of xDSL.
    accepted = subprocess.run(
        [XDSL_OPT, "--print-op-generic", state],
        capture_output=True,
        text=True,
        check=True,
    )
    assert _comment(state, "MLIR refuses:") in mlir_opt_error(accepted.stdout)


@every_state
def test_a_pipeline_with_passes_of_ours_accepts_it(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = _comment(state, "RUN: xdsl-opt").partition("|")[0]
    xDSLOptMain(args=shlex.split(command.replace("%s", str(state)))).run()
    assert "builtin.module" in capsys.readouterr().out


@every_state
def test_the_pipeline_has_passes_of_ours_between_those_of_xdsl(state: Path) -> None:
    passes = re.sub("{.*?}", "", _comment(state, "RUN: xdsl-opt")).split("'")[1]
    ours = ("buffer", "one-shot-bufferize")
    is_ours = [name.startswith(ours) for name in passes.split(",")]
    first = is_ours.index(True)
    assert False in is_ours[:first]
    assert False in is_ours[first:]


@pytest.fixture
def mlir_opt_error(mlir_opt: Callable[..., str]) -> Callable[[str], str]:
    """What mlir-opt 22 says against a program; fails the test if it is nothing."""

    def run(text: str) -> str:
        # Nobody registers xDSL's dialects there; what counts is what MLIR knows.
        with pytest.raises(pytest.fail.Exception) as refusal:
            mlir_opt(text, "--allow-unregistered-dialect")
        return str(refusal.value)

    return run


def _comment(state: Path, label: str) -> str:
    """The rest of the line of comment that begins with `label`."""
    found = re.search(rf"^// {label} (.*)$", state.read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return found.group(1)
