"""Slices of slices, inserted where they were, are asked about a few times each."""

import pytest

import xdsl_bufferization as xbuf
from xdsl_bufferization.bufferization.analyses.one_shot.conflicts import (
    ConflictRules,
    RaWConflict,
)
from xdsl_bufferization.bufferization.analyses.tensor_facts.tensor_uses import TensorUse
from xdsl_bufferization.dialects.printing import mlir_text


def program(depth: int) -> str:
    slices = [
        f"%s{n + 1} = tensor.extract_slice %s{n}[1] [%i] [1]"
        " : tensor<?xf32> to tensor<?xf32>"
        for n in range(depth)
    ]
    inserts = [
        f"%w{n} = tensor.insert_slice %w{n + 1} into %s{n}[1] [%i] [1]"
        " : tensor<?xf32> into tensor<?xf32>"
        for n in reversed(range(depth))
    ]
    write = f"%w{depth} = tensor.insert %x into %s{depth}[%i] : tensor<?xf32>"
    lines = "\n".join([*slices, write, *inserts])
    return f"""
    func.func @f(%s0: tensor<?xf32>, %x: f32, %i: index) -> tensor<?xf32> {{
      {lines}
      return %w0 : tensor<?xf32>
    }}
    """


def questions(depth: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many pairs of a read and a write the analysis asks about."""
    asked = 0
    find_conflict = ConflictRules.find_conflict

    def count(
        self: ConflictRules, read: TensorUse, write: TensorUse
    ) -> RaWConflict | None:
        nonlocal asked
        asked += 1
        return find_conflict(self, read, write)

    module = xbuf.parse(program(depth))
    with monkeypatch.context() as patch:
        patch.setattr(ConflictRules, "find_conflict", count)
        xbuf.bufferize(module, bufferize_function_boundaries=True)
    text = mlir_text(module)
    assert "memref.copy" not in text
    assert "memref.alloc" not in text
    return asked


def test_questions_grow_with_the_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every read was asked about with every write: 16 times as many questions.
    assert questions(400, monkeypatch) < 5 * questions(100, monkeypatch)
