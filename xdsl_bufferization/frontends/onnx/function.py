"""A model of ONNX as a function.

    native = jit("model.onnx")
    native(x)                       compiled for the sizes of x, and called
    native(other)                   called, if the sizes are the same

All sizes are known where code is compiled. So code is compiled for the sizes of each
call, if a model leaves some open, and for the numbers of inputs that say sizes.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from typing_extensions import override

from xdsl_bufferization.optimization.packing.prepare_weights import argument_sources
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.errors import ArgumentError, MismatchError, ProgramError

from ..exchange import as_array_of_any
from ..names import is_usable, make_results
from ..options import JitOptions
from ..pytorch.fallbacks import reason_of
from ..pytorch.function import NOT_COMPILED, lower_with_weights, preparation
from ..pytorch.lowering import ENTRY
from .errors import UnsupportedModelError
from .models import Model
from .translation import ModelProgram
from .types import ValueType
from .values import program_for

_MOST_PROGRAMS: Final = 64
"""For how many sizes code is kept at a time."""


class OnnxFunction:
    """A model that is called like a function of Python: see `jit`."""

    def __init__(self, model: Model, options: JitOptions):
        self._model = model
        self._options = options
        self._compiled: OrderedDict[object, _Compiled] = OrderedDict()
        self._says_sizes: dict[object, tuple[str, ...]] = {}
        self.__name__ = model.name
        names = [*model.outputs]
        usable = len({*filter(is_usable, names)}) == len(names)
        fields = names if usable else [f"result{n}" for n in range(len(names))]
        self._gather = make_results("Results", fields) if len(names) > 1 else None

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

    def _compiled_for(self, arrays: Mapping[str, Array]) -> "_Compiled":
        shapes = tuple(each.shape for each in arrays.values())
        says_sizes = self._says_sizes.get(shapes, ())
        key = shapes, tuple(arrays[name].tobytes() for name in says_sizes)
        found = self._compiled.get(key)
        if found is None:
            program, names = program_for(self._model, arrays)
            self._says_sizes[shapes] = names
            key = shapes, tuple(arrays[name].tobytes() for name in names)
            try:
                found = _compile(program, self._model, self._options)
            except NOT_COMPILED as error:
                raise UnsupportedModelError(
                    f"{program.ops} cannot be compiled: {reason_of(error)}"
                ) from error
            self._compiled[key] = found
            if len(self._compiled) > _MOST_PROGRAMS:
                self._compiled.popitem(last=False)
        return found


@dataclass(frozen=True)
class _Compiled:
    """A model compiled for some sizes."""

    call: Callable[..., Any]
    arguments: Sequence[object]
    """A name of an input for each argument, or a weight."""

    program: ModelProgram

    def __call__(self, arrays: Mapping[str, Array]) -> tuple[Any, ...]:
        """The outputs of the model."""
        results = self.call(
            *[arrays[e] if isinstance(e, str) else e for e in self.arguments]
        )
        if not isinstance(results, tuple):
            results = (results,)
        outputs = tuple(
            map(_as, cast("tuple[Array, ...]", results), self.program.outputs)
        )
        self._check(outputs)
        return outputs

    def _check(self, results: Sequence[Array]) -> None:
        """Compare the sizes, some of which torch-mlir may have left open."""
        for type_, result in zip(self.program.outputs, results, strict=True):
            sizes = zip(type_.sizes or (), np.shape(result), strict=True)
            if any(isinstance(n, int) and n != found for n, found in sizes):
                message = f"a result has the shape {np.shape(result)}, not {type_}"
                raise ProgramError("", ENTRY, message)


def _compile(program: ModelProgram, model: Model, options: JitOptions) -> _Compiled:
    weights = {n for n, name in enumerate(program.inputs) if name in model.weights}
    is_checked = options.checked or program.needs_checks
    lowered = lower_with_weights(
        program.module,
        weights,
        optimize=options.optimize,
        is_checked=is_checked,
        is_verified=options.verified,
    )
    sources = argument_sources(lowered.entry)
    code = compile_module(
        lowered.module,
        threads=options.threads or 0,
        checked=is_checked,
        cpu=options.cpu,
    )
    call = code[ENTRY]
    prepared: Sequence[Array] = ()
    if lowered.weights is not None and any(is_prepared for _, is_prepared in sources):
        wanted = [number for number, _ in argument_sources(lowered.weights)]
        prepare = preparation(lowered, code)
        prepared = prepare([model.weights[program.inputs[n]] for n in wanted])
    arguments: list[object] = []
    for position, (number, is_prepared) in enumerate(sources):
        if is_prepared:
            arguments.append(call.packed(position, prepared[number]))
        elif number in weights:
            weight = model.weights[program.inputs[number]]
            arguments.append(call.packed(position, weight))
        else:
            arguments.append(program.inputs[number])
    return _Compiled(call, arguments, program)


def _as(result: Array, type_: ValueType) -> Array:
    """A result with the type of ONNX: compiled code has no signs of integers."""
    array = np.asarray(result)
    return array if array.dtype.name == type_.dtype else array.view(type_.dtype)
