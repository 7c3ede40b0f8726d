"""Random programs of all kinds give the same bits with checks, and no false alarm."""

import pytest
from harness.volume.checked_programs import check, program


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize("seed", range(64))
def test_checks_change_nothing(seed: int) -> None:
    assert check(program(seed)) >= 0
