"""Programs on buffers, compiled and called: what the lowering is tested by."""

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.engine import CompiledModule


@pytest.fixture
def build(parse: Callable[[str], ModuleOp]) -> Callable[[str], CompiledModule]:
    """Compile a module with a heap that counts."""

    def build(text: str) -> CompiledModule:
        return compile_module(parse(text), counting_heap=True, count_copies=True)

    return build
