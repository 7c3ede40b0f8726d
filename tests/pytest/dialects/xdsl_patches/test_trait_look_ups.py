"""What is remembered in xDSL changes no answer and no error."""

import pytest
from xdsl.dialects import test
from xdsl.traits import IsTerminator, Pure

from xdsl_bufferization.dialects.xdsl_patches.activate import activate
from xdsl_bufferization.dialects.xdsl_patches.changes import CHANGES


@pytest.fixture(autouse=True)
def _activated() -> None:
    activate()


def test_a_trait_that_is_added_is_found() -> None:
    class Own(Pure):
        pass

    assert test.TestOp.get_trait(Own) is None
    before = test.TestOp.traits.traits
    try:
        test.TestOp.traits.add_trait(Own())
        assert isinstance(test.TestOp.get_trait(Own), Own)
        assert test.TestOp.has_trait(Own())
    finally:
        vars(test.TestOp.traits)["_traits"] = before
    assert test.TestOp.get_trait(Own) is None
    assert test.TestTermOp.has_trait(IsTerminator)


def test_the_list_of_changes_has_all_of_them() -> None:
    names = {change.full_name for change in CHANGES}
    assert {
        "xdsl.ir.core.Operation.get_trait",
        "xdsl.ir.core.Operation.verify",
    } <= names
