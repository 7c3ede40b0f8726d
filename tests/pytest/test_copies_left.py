"""The count of copies in the table of `docs/fewer_copies.md`."""

import pytest
from harness.volume.copies_left import TESTS, count

PROGRAM = TESTS / "data" / "programs" / "gradient.mlir"


@pytest.mark.parametrize(
    ("variant", "copies"),
    (("ours before", 4), ("ours now", 1), ("with kernels now", 1)),
)
def test_copies_of_a_call_are_counted(variant: str, copies: int) -> None:
    assert count(PROGRAM, "train", variant).copies == copies


@pytest.mark.parametrize("variant", ("ours now", "with kernels now"))
def test_no_whole_matrix_is_copied_for_the_inverse(variant: str) -> None:
    """A loop that overwrites its argument returns nothing that is to be copied."""
    report = count(PROGRAM.with_stem("inverse"), "inverse", variant)
    assert report.copied_bytes == 64 * 5 * 4
    assert report.live_bytes == 0
