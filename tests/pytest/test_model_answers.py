"""What models say of each op of the matrix is what runs of the op show.

`harness/matrix/model_answers.py` has a command that prints what is tested.
"""

from typing import Final

import pytest
from harness.matrix.catalogue import programs_of
from harness.matrix.model_answers import answers_of, run_task, tasks
from xdsl.dialects.linalg.ops import GenericOp

from xdsl_bufferization.bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
)
from xdsl_bufferization.bufferization.models import attach_all

WITHOUT_TENSORS: Final = {"affine", "memory", "negative sizes"}
"""Families whose programs are on buffers alone, or must fail."""


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize(("family", "part"), tasks())
def test_models_say_what_runs_show(family: str, part: int):
    tested = run_task(family, part)
    assert not tested.wrong
    assert bool(tested.forms) == (family not in WITHOUT_TENSORS)


def test_a_wrong_model_is_found(monkeypatch: pytest.MonkeyPatch):
    attach_all()
    programs = programs_of("generic")[:2]
    assert not answers_of(programs).wrong
    model = type(GenericOp.get_trait(BufferizableOpInterface))
    monkeypatch.setattr(model, "bufferizes_to_memory_read", _no)
    assert answers_of(programs).wrong


def _no(*_: object) -> bool:
    return False
