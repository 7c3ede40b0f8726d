"""Each change in xDSL is still needed, and does what it is for.

The day on which xDSL has what a change is for, its probe finds nothing in plain xDSL, a
test here fails, and the change can go.
"""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from xdsl_bufferization.upstream.changes import Change, all_changes

SCRIPT = Path(__file__).parents[1] / "support/guest/probes.py"

EACH_CHANGE = pytest.mark.parametrize(
    "change", all_changes(), ids=lambda change: name_of(change)
)


class Report(NamedTuple):
    """What a run of the probes says."""

    found: dict[str, bool | str]
    """For each change whether xDSL lacks what it is for, or an error."""

    modules: list[str]
    """The modules of ours that were imported."""


def name_of(change: Change) -> str:
    return change.short_name


@cache
def run_probes(*options: str) -> Report:
    """What all probes find in a new process."""
    done = subprocess.run(
        [sys.executable, SCRIPT, *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return Report(**json.loads(done.stdout))


def test_every_change_has_a_probe() -> None:
    names = [name_of(change) for change in all_changes()]
    assert len(names) == len(set(names))
    assert set(names) == set(run_probes().found)


def test_probes_run_in_plain_xdsl() -> None:
    assert run_probes().modules == []
    assert run_probes("--changed").modules


@EACH_CHANGE
def test_xdsl_still_needs_the_change(change: Change) -> None:
    assert run_probes().found[name_of(change)] is True


@EACH_CHANGE
def test_the_change_does_what_it_is_for(change: Change) -> None:
    assert run_probes("--changed").found[name_of(change)] is False


@EACH_CHANGE
def test_the_owner_is_a_class_of_xdsl(change: Change) -> None:
    assert change.owner_name.startswith("xdsl.")
    assert change.reason.endswith(".")
    assert change.proposal.endswith(".")
