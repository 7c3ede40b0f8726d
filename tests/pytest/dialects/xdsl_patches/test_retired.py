"""A correction is made only while xDSL has the fault that it is for."""

from collections.abc import Callable
from dataclasses import fields

import pytest
from xdsl.ir import Operation
from xdsl.traits import HasCanonicalizationPatternsTrait

from xdsl_bufferization.bufferization.models import attach_now
from xdsl_bufferization.dialects.xdsl_patches import activate
from xdsl_bufferization.dialects.xdsl_patches.correction import Correction
from xdsl_bufferization.dialects.xdsl_patches.of_dialects import all_corrections
from xdsl_bufferization.tools.commands import what_stands_aside

LOOKED_FOR = {
    "SimplifyPassThroughBr",
    "SimplifyPassThroughCondBranch",
    "SimplifyPassThroughSwitch",
    "MemRefSubviewOfSubviewFolding",
    "RehoistConstInLoops",
    "SimplifyPassThroughCondBranch.branch_weights",
    "SimplifyTrivialLoops",
    "SingleBlockExecuteInliner",
}
"""The faults for which there is a patch, and so a look whether they are mended."""


def test_the_installed_xdsl_has_the_faults():
    attach_now()
    assert activate.retired() == frozenset()
    [default] = (
        each.default for each in fields(Correction) if each.name == "is_needed"
    )
    looked_for = {each.fault for each in all_corrections() if each.is_needed != default}
    assert looked_for == LOOKED_FOR
    assert all(each.is_needed() for each in all_corrections())


def correction(fault: str, is_needed: Callable[[], bool]) -> Correction:
    kind = HasCanonicalizationPatternsTrait
    return Correction((Operation,), kind, kind(), fault, "", "", is_needed)


def test_what_xdsl_has_mended_is_left_alone_and_named(monkeypatch: pytest.MonkeyPatch):
    attach_now()
    found: list[object] = []
    mended, there = correction("mended", lambda: False), correction("t", lambda: True)

    def corrections_of(_dialect: str) -> tuple[Correction, ...]:
        return mended, there

    def correct(*what: object) -> None:
        found.append(what)

    monkeypatch.setattr(activate, "corrections_of", corrections_of)
    monkeypatch.setattr(activate, "correct", correct)
    monkeypatch.setattr(activate, "_RETIRED", list[str]())
    activate._correct_dialect("scf")  # pyright: ignore[reportPrivateUsage]
    assert found == [(Operation, there.kind, there.trait)]
    assert activate.retired() == {"mended"}
    line = what_stands_aside()
    assert line is not None
    assert line.endswith("needs no correction of: mended")
