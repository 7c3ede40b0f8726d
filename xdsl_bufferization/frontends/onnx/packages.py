"""The package onnx, which is imported when it is first needed.

    onnx().load("model.onnx")        or an error that says how to install it

`pip install 'xdsl-bufferization[onnx]'` brings it, and torch-mlir.
"""

import sys
from importlib import import_module
from os import PathLike, fspath
from typing import Any, Final, Protocol, cast

_HINT: Final = "install it by pip install 'xdsl-bufferization[onnx]'"


class OnnxModel(Protocol):
    """An `onnx.ModelProto`."""

    @property
    def graph(self) -> object:
        """The main graph of the model."""
        ...

    @property
    def opset_import(self) -> object:
        """The versions of the sets of ops that the model uses."""
        ...


def onnx(module: str = "") -> Any:
    """ONNX, or a module of it. Raises an `ImportError` that says how to install it."""
    return _imported("onnx" + (module and f".{module}"), "onnx")


def torch_mlir(module: str) -> Any:
    """A module of torch-mlir. Raises an `ImportError` that says how to install it."""
    return _imported(f"torch_mlir.{module}", "torch-mlir")


def is_onnx(value: object) -> bool:
    """Whether a value is a model of ONNX, or the name of a file with one."""
    if isinstance(value, str | PathLike):
        return fspath(cast("str | PathLike[str]", value)).endswith(".onnx")
    found: Any = sys.modules.get("onnx")
    return found is not None and isinstance(value, found.ModelProto)


def _imported(name: str, title: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        message = f"{title} cannot be imported ({error}); {_HINT}"
        raise ImportError(message) from error
