"""Compiled functions in files of their own: `save` of a function, and `load`.

    jit("mlp.mlir").save("mlp.xbufobj")
    mlp = load("mlp.xbufobj")
    mlp(x)

    jit(network, example).save("network.xbufobj")     code and weights
    jit("model.onnx").save("model.xbufobj", x)        the same, for the sizes of x

The file has machine code for the processor that it was made on, or for the one that
`jit(cpu=...)` names. It fits the version of this package that has made it, and is as
trustworthy as whoever wrote it: what it holds is run. Nothing in it is a pickle.
"""

from os import PathLike
from typing import TYPE_CHECKING

from xdsl_bufferization.runtime.saved_code import code_of

from .code_cache import cached_code_of
from .loaded import LoadedFunction, load_function
from .saved_files import MODEL, MODULE, read_saved

if TYPE_CHECKING:
    from .onnx.function import OnnxFunction
    from .pytorch.modules import ModuleFunction


def load(
    path: str | PathLike[str],
) -> "LoadedFunction | ModuleFunction | OnnxFunction":
    """A function that was saved, ready to be called as before.

    What `jit` makes of a module of PyTorch, or of a model of ONNX, comes back as such a
    function, with its weights. Anything else comes back as a `LoadedFunction`.

    Load files that you trust: what they hold is run. Raises `OSError` if there is no
    such file. Raises `EngineError` if it is damaged, or for another processor or
    another version of this package. Raises `ImportError` if PyTorch is missing, and the
    file has a module of PyTorch.
    """
    record, arrays = read_saved(path)
    kind = record.about["about"]["what"]
    if kind == MODULE:
        from .pytorch import modules

        return modules.function_of(*code_of(record), arrays)
    if kind == MODEL:
        from .onnx import function

        return function.function_of(*code_of(record), arrays)
    code, names = cached_code_of(record)
    return load_function(code, names, tuple(record.about["donate"]))
