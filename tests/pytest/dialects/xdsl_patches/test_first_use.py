"""What belongs to a dialect is attached when one of its ops is asked for a trait."""

import subprocess
import sys

import pytest
from xdsl.dialects import scf, test

from xdsl_bufferization.bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
)
from xdsl_bufferization.bufferization.models import attach_all, attach_now
from xdsl_bufferization.dialects.xdsl_patches import first_use

PROGRAM = """
import sys
from xdsl_bufferization.bufferization.models import attach_all
attach_all()
before = {name for name in sys.modules if ".models." in name}
from xdsl.dialects import cf, scf
from xdsl.traits import IsTerminator
scf.ForOp.has_trait(IsTerminator)
models = "xdsl_bufferization.bufferization.models.bufferizable"
print(sorted(before), f"{models}.scf" in sys.modules, f"{models}.cf" in sys.modules)
"""


def test_only_the_dialect_that_is_asked_for_is_loaded() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["[]", "True", "False"]


def test_a_model_is_there_when_it_is_asked_for() -> None:
    attach_all()
    assert scf.ForOp.get_trait(BufferizableOpInterface) is not None
    attach_now()
    assert len(scf.ForOp.get_traits_of_type(BufferizableOpInterface)) == 1


def test_what_was_interrupted_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_use, "_steps", [])
    monkeypatch.setattr(first_use, "_ready", set[object]())
    seen: list[str] = []

    def attach(dialect: str) -> None:
        seen.append(dialect)
        if len(seen) == 1:
            raise KeyboardInterrupt

    first_use.on_first_use(attach)
    first_use.on_first_use(attach)
    with pytest.raises(KeyboardInterrupt):
        first_use.prepare(test.TestOp)
    for _ in range(2):
        first_use.prepare(test.TestOp)
    assert seen == ["test", "test"]


def test_what_is_attached_may_ask_for_traits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_use, "_steps", [])
    monkeypatch.setattr(first_use, "_ready", set[object]())
    seen: list[str] = []

    def attach(dialect: str) -> None:
        seen.append(dialect)
        first_use.prepare(test.TestTermOp)

    first_use.on_first_use(attach)
    first_use.prepare(test.TestOp)
    first_use.prepare(test.TestTermOp)
    assert seen == ["test"]
