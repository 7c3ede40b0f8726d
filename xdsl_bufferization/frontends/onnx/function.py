"""A model of ONNX as a function.

    native = jit("model.onnx")
    native(x)                       compiled for the sizes of x, and called
    native(other)                   called, if the sizes are the same

All sizes are known where code is compiled. So code is compiled for the sizes of each
call, if a model leaves some open, and for the numbers of inputs that say sizes.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Final, cast

import numpy as np
from typing_extensions import override

from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.disk_cache.layout import Json
from xdsl_bufferization.runtime.errors import ArgumentError, MismatchError
from xdsl_bufferization.runtime.object_code import ObjectCode

from ..exchange import as_array_of_any
from ..names import is_usable, make_results
from ..options import JitOptions
from ..saved_files import MODEL, save_with_arrays
from .compiled import CompiledModel
from .models import Model
from .saved_models import SavedModel, facts_of, restored

_MOST_PROGRAMS: Final = 64
"""For how many sizes code is kept at a time."""


class OnnxFunction:
    """A model that is called like a function of Python: see `jit`."""

    def __init__(
        self, model: Model, options: JitOptions, saved: SavedModel | None = None
    ):
        """Call a model; if it was `saved`, by the code in the file alone."""
        self._model = model
        self._options = options
        self._compiled: OrderedDict[object, CompiledModel] = OrderedDict()
        self._says_sizes: dict[object, tuple[str, ...]] = {}
        self._is_loaded = saved is not None
        self.__name__ = model.name
        names = [*model.outputs]
        usable = len({*filter(is_usable, names)}) == len(names)
        fields = names if usable else [f"result{n}" for n in range(len(names))]
        self._gather = make_results("Results", fields) if len(names) > 1 else None
        if saved is not None:
            shapes = tuple(each.shape for each in model.inputs.values())
            self._says_sizes[shapes] = (*saved.says_sizes,)
            numbers = tuple(each.tobytes() for each in saved.says_sizes.values())
            self._compiled[shapes, numbers] = saved.compiled

    def __call__(self, *arguments: object, **named: object) -> Any:
        """What the model computes, as arrays of NumPy.

        Arguments are arrays, by position or by the names of the model's inputs. Raises
        `ArgumentError` if one does not fit, `UnsupportedModelError` if the model is not
        compiled for these sizes, and `ProgramError` if a check of the code fails.
        """
        arrays = self._arrays(arguments, named)
        results = self._compiled_for(arrays)(arrays)
        return results[0] if self._gather is None else self._gather(results)

    def prepare(self, *arguments: object, **named: object) -> None:
        """Compile for a call with these arguments, but do not call."""
        self._compiled_for(self._arrays(arguments, named))

    def save(
        self, path: str | PathLike[str], *arguments: object, **named: object
    ) -> None:
        """Write compiled code and weights to a file, which `load` reads.

        The code is for the sizes of these arguments. A model whose sizes are all known
        needs none. Where the file is loaded, neither the packages onnx and torch-mlir
        nor the model are needed. Raises `OSError`, and what a call raises.
        """
        has_example = bool(arguments or named or not self._model.inputs)
        example = named if has_example else self._model.example()
        arrays = self._arrays(arguments, example)
        compiled = self._compiled_for(arrays)
        says_sizes = {name: arrays[name] for name in self._says_sizes_for(arrays)}
        if says_sizes and not has_example:
            raise TypeError(
                f"the numbers of {', '.join(says_sizes)} say sizes; pass the arguments "
                "that the code is for"
            )
        facts, kept = facts_of(self._model, compiled, arrays, says_sizes)
        save_with_arrays(path, compiled.code, {"what": MODEL, **facts}, kept)

    @override
    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}: {t}" for name, t in self._model.inputs.items())
        outputs = ", ".join(f"{name}: {t}" for name, t in self._model.outputs.items())
        return f"<jit function {self.__name__}({inputs}) -> {outputs}>"

    def _arrays(
        self, arguments: tuple[object, ...], named: Mapping[str, object]
    ) -> dict[str, Array]:
        inputs = self._model.inputs
        given = {**dict(zip(inputs, arguments, strict=False)), **named}
        wrong = {*given} ^ {*inputs}
        if wrong or len(arguments) + len(named) != len(inputs):
            raise ArgumentError(
                self.__name__,
                -1,
                "",
                f"{len(arguments) + len(named)} arguments are given; the model takes "
                + (", ".join(inputs) or "none"),
            )
        arrays: dict[str, Array] = {}
        bound: dict[str, int] = {}
        for number, name in enumerate(inputs):
            try:
                arrays[name] = self._array(name, given[name], bound)
            except MismatchError as error:
                raise ArgumentError(self.__name__, number, name, str(error)) from error
        return arrays

    def _array(self, name: str, value: object, bound: dict[str, int]) -> Array:
        """An argument as an array; `bound` are the sizes that have names."""
        type_ = self._model.inputs[name]
        if isinstance(value, np.generic):
            value = np.asarray(cast(Any, value))
        elif isinstance(value, bool | int | float):
            value = np.asarray(value, np.dtype(type_.dtype))
        array: Any = as_array_of_any(value)
        if array.dtype.name != type_.dtype:
            raise MismatchError(f"expected {type_}, got {array.dtype.name}")
        sizes = type_.sizes or ()
        fits = len(sizes) == array.ndim and all(
            size is None
            or found
            == (bound.setdefault(size, found) if isinstance(size, str) else size)
            for size, found in zip(sizes, array.shape, strict=True)
        )
        if not fits:
            got = ", ".join(map(str, array.shape))
            known = ", ".join(f"{size} = {n}" for size, n in bound.items())
            where = f" where {known}" if known else ""
            raise MismatchError(f"expected {type_}{where}, got {type_.dtype}[{got}]")
        return np.ascontiguousarray(array) if array.ndim else array

    def _compiled_for(self, arrays: Mapping[str, Array]) -> "CompiledModel":
        shapes = _shapes(arrays)
        says_sizes = self._says_sizes_for(arrays)
        key = shapes, tuple(arrays[name].tobytes() for name in says_sizes)
        found = self._compiled.get(key)
        if found is None and self._is_loaded:
            names = ", ".join(says_sizes)
            raise ArgumentError(
                self.__name__,
                -1,
                "",
                f"the numbers of {names} say sizes, and the code in the file is for "
                "others; save the model with these arguments",
            )
        if found is None:
            # A model that was loaded needs nothing of what compiles.
            from .compilation import compiled_for

            found, names = compiled_for(self._model, arrays, self._options)
            self._says_sizes[shapes] = names
            key = shapes, tuple(arrays[name].tobytes() for name in names)
            self._compiled[key] = found
            if len(self._compiled) > _MOST_PROGRAMS:
                self._compiled.popitem(last=False)
        return found

    def _says_sizes_for(self, arrays: Mapping[str, Array]) -> tuple[str, ...]:
        """The inputs whose numbers say sizes, as far as is known."""
        return self._says_sizes.get(_shapes(arrays), ())


def _shapes(arrays: Mapping[str, Array]) -> tuple[tuple[int, ...], ...]:
    return tuple(each.shape for each in arrays.values())


def function_of(code: ObjectCode, facts: Json, arrays: Sequence[Array]) -> OnnxFunction:
    """The function that was saved with these facts and arrays."""
    saved = restored(code, facts, arrays)
    options = JitOptions(None, (), None, optimize=True, checked=False)
    return OnnxFunction(saved.model, options, saved)
