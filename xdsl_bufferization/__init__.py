"""From programs on tensors to buffers to running code, for xDSL and in Python.

    from xdsl_bufferization import bufferize, compile, deallocate, explain, jit, parse

The functions are those of `xdsl_bufferization.frontends.api`. They are loaded when they
are first used: `xdsl-opt` imports this package to learn the names of its passes.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # type checkers do not follow `__getattr__`
    from .explanation.report import Explanation as Explanation
    from .frontends.api import bufferize as bufferize
    from .frontends.api import check_model as check_model
    from .frontends.api import check_model_by_execution as check_model_by_execution
    from .frontends.api import compile as compile
    from .frontends.api import deallocate as deallocate
    from .frontends.api import explain as explain
    from .frontends.api import parse as parse
    from .frontends.jit import JitFunction as JitFunction
    from .frontends.jit import jit as jit
    from .frontends.loaded import LoadedFunction as LoadedFunction
    from .frontends.onnx.errors import UnsupportedModelError as UnsupportedModelError
    from .frontends.onnx.function import OnnxFunction as OnnxFunction
    from .frontends.options import NotProvenWarning as NotProvenWarning
    from .frontends.pytorch.modules import ModuleFunction as ModuleFunction
    from .frontends.saved import load as load
    from .runtime.engine import CompiledModule as CompiledModule
    from .runtime.errors import ProgramError as ProgramError
    from .runtime.errors import ProgramMemoryError as ProgramMemoryError

    __version__: str

_API = "xdsl_bufferization.frontends.api"
_FILES = {
    "CompiledModule": "xdsl_bufferization.runtime.engine",
    "Explanation": "xdsl_bufferization.explanation.report",
    "JitFunction": "xdsl_bufferization.frontends.jit",
    "LoadedFunction": "xdsl_bufferization.frontends.loaded",
    "ModuleFunction": "xdsl_bufferization.frontends.pytorch.modules",
    "NotProvenWarning": "xdsl_bufferization.frontends.options",
    "OnnxFunction": "xdsl_bufferization.frontends.onnx.function",
    "ProgramError": "xdsl_bufferization.runtime.errors",
    "ProgramMemoryError": "xdsl_bufferization.runtime.errors",
    "UnsupportedModelError": "xdsl_bufferization.frontends.onnx.errors",
    "bufferize": _API,
    "check_model": _API,
    "check_model_by_execution": _API,
    "compile": _API,
    "deallocate": _API,
    "explain": _API,
    "jit": "xdsl_bufferization.frontends.jit",
    "load": "xdsl_bufferization.frontends.saved",
    "parse": _API,
}
"""Where each function is. `jit` and `load` need no compiler where code is kept."""


def __getattr__(name: str) -> object:
    if name in _FILES:
        return getattr(import_module(_FILES[name]), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("xdsl-bufferization")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_FILES, "__version__"})
