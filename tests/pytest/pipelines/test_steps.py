"""Pipelines are lists of passes by name: each pass exists, and each has a reason."""

from collections.abc import Iterator
from dataclasses import fields
from itertools import product
from typing import Any

import pytest
from xdsl.passes import ModulePass

from xdsl_bufferization.pipelines import to_riscv
from xdsl_bufferization.pipelines.pass_bundle import PassBundle
from xdsl_bufferization.pipelines.registry import PASS_FILES, find_pass
from xdsl_bufferization.pipelines.steps import Step, passes_of, step

BUNDLES = [
    name
    for name, file in PASS_FILES.items()
    if file.startswith("pipelines.") and issubclass(find_pass(name), PassBundle)
]
VALUES: dict[type, tuple[object, ...]] = {
    bool: (False, True),
    int: (1, 4),
    tuple[int, ...]: ((), (32, 32, 32)),
}
"""Values of options, among them one that is not the default."""


def variants(name: str) -> Iterator[PassBundle]:
    """A bundle with all values of its options."""
    make: Any = find_pass(name)
    options = fields(make)
    for values in product(*(VALUES[each.type] for each in options)):  # pyright: ignore[reportArgumentType]
        yield make(**dict(zip([each.name for each in options], values, strict=True)))


def check(steps: list[Step]) -> None:
    passes = list(passes_of(steps))
    assert [each.name for each in passes] == [each.name for each in steps]
    for each in steps:
        assert 1 < len(each.why.split()) < 15, each
        assert not each.why.endswith("."), each


@pytest.mark.parametrize("name", BUNDLES)
def test_each_step_is_a_pass_and_has_a_reason(name: str) -> None:
    for bundle in variants(name):
        check(list(bundle.steps()))


def test_steps_to_riscv_are_passes_and_have_reasons() -> None:
    check([*to_riscv.TO_INSTRUCTIONS, *to_riscv.TO_ASSEMBLY])


def test_all_bundles_are_looked_at() -> None:
    assert "default-tpp-passes" in BUNDLES
    assert len(BUNDLES) >= 4


def test_a_step_has_the_options_of_its_pass() -> None:
    (made,) = passes_of([step("pack-vnni", "pairs of bf16", explain=True)])
    assert isinstance(made, ModulePass)
    assert "explain" in str(made.spec())
    with pytest.raises(TypeError, match="no_such_option"):
        list(passes_of([step("pack-vnni", "pairs of bf16", no_such_option=1)]))
