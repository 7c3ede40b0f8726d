"""Each change in xDSL, and each correction, is still needed, and does what it is for.

The day on which xDSL has what one of them is for, its probe finds nothing in plain
xDSL, a test here fails, and it can go.
"""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from xdsl_bufferization.dialects.xdsl_patches.change import Change
from xdsl_bufferization.dialects.xdsl_patches.changes import CHANGES
from xdsl_bufferization.dialects.xdsl_patches.correction import Correction
from xdsl_bufferization.dialects.xdsl_patches.of_dialects import all_corrections

SCRIPT = Path(__file__).parents[2] / "harness/guest/probes.py"

ALL = (*CHANGES, *all_corrections())

EACH = pytest.mark.parametrize("each", ALL, ids=lambda each: name_of(each))


class Report(NamedTuple):
    """What a run of the probes says."""

    found: dict[str, bool | str]
    """For each of them whether xDSL lacks what it is for, or an error."""

    modules: list[str]
    """The modules of ours that were imported."""


def name_of(each: Change | Correction) -> str:
    return each.short_name if isinstance(each, Change) else each.fault


@cache
def run_probes(*options: str) -> Report:
    """What all probes find in a new process."""
    done = subprocess.run(
        [sys.executable, SCRIPT, *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return Report(**json.loads(done.stdout))


def test_each_has_a_probe() -> None:
    names = [name_of(each) for each in ALL]
    assert len(names) == len(set(names))
    assert set(names) == set(run_probes().found)


def test_probes_run_in_plain_xdsl() -> None:
    assert run_probes().modules == []
    assert run_probes("--changed").modules


@EACH
def test_xdsl_still_needs_it(each: Change | Correction) -> None:
    assert run_probes().found[name_of(each)] is True


@EACH
def test_it_does_what_it_is_for(each: Change | Correction) -> None:
    assert run_probes("--changed").found[name_of(each)] is False


@EACH
def test_it_is_about_a_class_of_xdsl(each: Change | Correction) -> None:
    owners = [each.owner] if isinstance(each, Change) else [each.kind, *each.op_types]
    assert all(_module_of(owner).startswith("xdsl.") for owner in owners)
    assert each.reason.endswith(".")
    assert each.proposal.endswith(".")


def _module_of(owner: type | ModuleType) -> str:
    return owner.__name__ if isinstance(owner, ModuleType) else owner.__module__
