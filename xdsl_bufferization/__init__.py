"""From programs on tensors to buffers to running code, for xDSL and in Python.

    from xdsl_bufferization import bufferize, compile, deallocate, explain, jit, parse

The functions are those of `xdsl_bufferization.api`, which is loaded when one of them is
first used: `xdsl-opt` imports this package to learn the names of its passes.
"""

from importlib import import_module

# Their types are in the stub beside this file: type checkers do not follow `getattr`.
_API = (
    "CompiledModule",
    "Explanation",
    "JitFunction",
    "ProgramError",
    "ProgramMemoryError",
    "bufferize",
    "check_model",
    "compile",
    "deallocate",
    "explain",
    "jit",
    "parse",
)


def __getattr__(name: str) -> object:
    if name in _API:
        return getattr(import_module("xdsl_bufferization.api"), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("xdsl-bufferization")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_API, "__version__"})
