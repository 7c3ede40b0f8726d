"""What this package does since llvmlite does not, for as long as llvmlite does not."""

from importlib import import_module
from typing import Any

import pytest

from xdsl_bufferization.runtime import llvm
from xdsl_bufferization.runtime.processors.processor import this_processor

FUNCTION = "define void @f() { ret void }"


def test_llvmlite_does_not_free_passes():
    """Once it does, `_dispose_passes` and its line in `docs/upstream.md` may go."""
    managers: Any = import_module("llvmlite.binding.newpassmanagers")
    ffi: Any = import_module("llvmlite.binding.ffi")
    assert managers.ModulePassManager._dispose is ffi.ObjectRef._dispose


def test_each_pass_manager_is_freed_once(monkeypatch: pytest.MonkeyPatch):
    library: Any = import_module("llvmlite.binding.ffi").lib
    dispose = library.LLVMPY_DisposeNewModulePassManger
    freed: list[object] = []

    def counted(passes: Any) -> None:
        freed.append(passes)
        dispose(passes)
        passes.close()

    monkeypatch.setitem(library._fntab, "LLVMPY_DisposeNewModulePassManger", counted)
    llvm.optimize(llvm.parse(FUNCTION), llvm.target_machine(this_processor(), 3), 3)
    (passes,) = freed
    assert getattr(passes, "closed")  # noqa: B009, llvmlite has no types.


def test_a_module_has_a_context_of_its_own():
    first, second = llvm.parse(FUNCTION), llvm.parse(FUNCTION)
    assert first.context is not second.context
    assert llvm.parse(FUNCTION, first.context).context is first.context
