"""Pipelines as lists: which pass stands where, with which options, and why there.

    step("pack-vnni", "processors multiply pairs of bf16", explain=True)

A name is looked up when the pipeline is asked for its passes.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from xdsl.passes import ModulePass

from .registry import find_pass


@dataclass(frozen=True)
class Step:
    """A pass of a pipeline."""

    name: str
    """As `xdsl-opt -p` has it."""

    why: str
    """Why the pass is there, and not earlier or later."""

    options: Mapping[str, Any]
    """Fields of the pass that have other values than by default."""


def step(name: str, why: str, **options: Any) -> Step:
    """A pass of a pipeline, with its options."""
    return Step(name, why, options)


def passes_of(steps: Iterable[Step]) -> Iterator[ModulePass]:
    """The passes of the steps, in order."""
    for each in steps:
        make: Any = find_pass(each.name)
        yield make(**each.options)
