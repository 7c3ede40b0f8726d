"""A sample of what `deallocation_volume` runs in large numbers."""

import pytest
from harness.volume import deallocation_volume
from harness.volume.deallocation_volume import STRATEGIES, Tally, run_batch
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp

PROGRAMS = 500
PART = 50


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("part", range(PROGRAMS // PART))
def test_random_programs_free_what_they_allocate(part: int) -> None:
    """Each part by another strategy; all programs differ."""
    strategy = list(STRATEGIES)[part % len(STRATEGIES)]
    tally = Tally()
    run_batch(range(part * PART, (part + 1) * PART), {strategy: tally})
    assert not tally.failures, tally.failures[0]
    # Only what the strategies with copies refuse, and what never ends, is left out.
    assert tally.executed + tally.refused.total() >= PART - 5
    assert tally.refused.total() <= PART // 4


def forget_last(module: ModuleOp) -> None:
    """Leave out the last `memref.dealloc` of a program."""
    deallocs = [op for op in module.walk() if isinstance(op, memref.DeallocOp)]
    for op in deallocs[-1:]:
        op.detach()
        op.erase()


def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(module: ModuleOp) -> None:
        STRATEGIES["ownership"](module)
        forget_last(module)

    monkeypatch.setitem(deallocation_volume.STRATEGIES, "leaky", leaky)
    tally = Tally()
    run_batch(range(10), {"leaky": tally})
    assert len(tally.failures) > 2
