"""one-shot-bufferize has the options of mlir-opt 22, with the same defaults."""

import dataclasses
import re
import subprocess

import pytest
from harness.oracles.tools import MLIR_OPT, find_oracle

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)

OURS_ALONE = {
    "disjoint-subsets",
    "exchange-buffers",
    "explain",
    "optimal-limit",
    "verify",
}
"""Options that mlir-opt does not have."""


def their_options() -> dict[str, str]:
    """Names and defaults, as mlir-opt prints its pipeline; lists that are empty are not
    printed, but are in its help."""
    tool = find_oracle(MLIR_OPT)
    pipeline = subprocess.run(
        [tool, "--one-shot-bufferize", "--dump-pass-pipeline"],
        input="",
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    options = dict(re.findall(r"([a-z-]+)=(\S+?)[ }]", pipeline))
    text = subprocess.run(
        [tool, "--help"], capture_output=True, text=True, check=True
    ).stdout
    section = text.split("--one-shot-bufferize ")[1].split("\n      --")[0]
    names = re.findall(r"^        --([a-z-]+)", section, re.MULTILINE)
    return dict.fromkeys(names, "") | options


def our_options() -> dict[str, str]:
    pass_ = OneShotBufferizePass()
    values = {
        field.name.replace("_", "-"): getattr(pass_, field.name)
        for field in dataclasses.fields(pass_)
    }
    return {
        name: "" if value == () else str(value).lower()
        for name, value in values.items()
    }


@pytest.mark.oracle
def test_options_and_defaults() -> None:
    ours = our_options()
    assert OURS_ALONE & ours.keys() == ours.keys() - their_options().keys()
    for name in OURS_ALONE:
        ours.pop(name, None)
    assert ours == their_options()
