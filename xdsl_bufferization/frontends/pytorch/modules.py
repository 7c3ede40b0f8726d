"""A module of PyTorch as a function, by `torch.export`.

    native = jit(module, example)        exported and compiled
    native(x)                            computed with the module's weights
    optimizer.step(); native(x)          computed with the new weights

Weights are arguments of the compiled code. The module keeps them, and nothing is copied
but what compiled code wants in another layout.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import getitem
from os import PathLike
from typing import Any, Final, Unpack

from typing_extensions import override

from xdsl_bufferization.explanation.profile import Profiler, TimedNest, merged
from xdsl_bufferization.pipelines.compile_options import CompileOptions
from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.disk_cache.layout import Json
from xdsl_bufferization.runtime.errors import ArgumentError, EngineError
from xdsl_bufferization.runtime.object_code import ObjectCode

from ..saved_files import MODULE, save_with_arrays
from .exported import ExportedModule, ModuleInput
from .frameworks import pytree, torch
from .function import TensorFunction, compile_graph
from .saved_modules import facts_of, restored

_NO_TABLE: Final[tuple[Mapping[str, Any], str]] = ({"": None}, "")


class ModuleFunction:
    """A module of PyTorch as compiled code: see `jit`."""

    def __init__(
        self,
        exported: ExportedModule,
        function: TensorFunction,
        compile_: Callable[[Profiler], TensorFunction] | None,
    ):
        """`compile_` compiles the module again, with timers; None: nobody can."""
        self._exported = exported
        self._compile = compile_
        self._function = function
        self.__name__ = exported.name
        places = [each.place or _NO_TABLE for each in exported.inputs]
        self._tables, self._names = [*zip(*places, strict=True)] or [(), ()]
        self._arguments = [
            number
            for number, each in enumerate(exported.inputs)
            if each.position is not None
        ]
        self._plain_arguments = _plain_arguments(exported)

    def __call__(self, *arguments: object, **named: object) -> Any:
        """What the module computes, without gradients.

        What comes back depends on the module, so that a type checker cannot know it.
        """
        exported = self._exported
        flat = self._flat(arguments, named)
        inputs = self._own_inputs()
        for number in self._arguments:
            inputs[number] = self._argument(number, flat)
        if broken := exported.conditions.broken(inputs):
            raise self._about_sizes(broken, inputs)
        try:
            outputs = self._function(*inputs)
        except ArgumentError as error:
            raise self._about_module(error) from None
        if not exported.program.tail.is_tuple:
            outputs = (outputs,)
        returned: list[object] = []
        written: list[tuple[Any, Any]] = []
        for number, target in enumerate(exported.mutations):
            output = outputs[number]
            if target is None:
                returned.append(output)
                continue
            # Another write may come first, as where two buffers are exchanged.
            if exported.program.tail.of_inputs[number]:
                output = output.clone()
            written.append((_tensor_of(target, flat), output))
        for target, output in written:
            with torch().no_grad():
                target.copy_(output)
        return pytree().tree_unflatten(returned, exported.out_spec)

    def profile(
        self, *arguments: object, calls: int = 20, **named: object
    ) -> list[TimedNest]:
        """How long each part of the module takes, the slowest first.

        Compiles code with timers, and calls it: once, and `calls` times more, which
        count. The seconds of a part are those of all these calls together. A module has
        no text: a part is known by what it computes, and equal parts count together.
        Raises `EngineError` if the function was loaded from a file.
        """
        if self._compile is None:
            raise EngineError(
                f"{self.__name__} was loaded from a file, which has no timers; profile "
                "what jit returns"
            )
        profiler = Profiler()
        timed = ModuleFunction(self._exported, self._compile(profiler), None)
        timed(*arguments, **named)
        profiler.reset()
        for _ in range(calls):
            timed(*arguments, **named)
        return merged(profiler.nests())

    def save(self, path: str | PathLike[str]) -> None:
        """Write compiled code and weights to a file, which `load` reads.

        The weights are those of now. Where the file is loaded, PyTorch is needed, and
        neither torch-mlir nor the module. Raises `OSError`, and `EngineError` if the
        module computes nothing, or nests what PyTorch cannot write.
        """
        code = self._function.code
        if code is None:
            raise EngineError(f"{self.__name__} computes nothing that could be saved")
        facts, arrays = facts_of(self._exported, self._function, self._own_inputs())
        save_with_arrays(path, code.object_code, {"what": MODULE, **facts}, arrays)

    @override
    def __repr__(self) -> str:
        return f"<jit function of {self.__name__}>"

    def _own_inputs(self) -> list[Any]:
        """The inputs of the graph that are tensors of the module; None for others."""
        # A tensor of the module may have been replaced since the last call.
        return [*map(getitem, self._tables, self._names)]

    def _flat(
        self, arguments: tuple[object, ...], named: dict[str, object]
    ) -> Sequence[Any]:
        if len(arguments) == self._plain_arguments and not named:
            tensors = torch().Tensor, torch().nn.Parameter
            if all(type(each) in tensors for each in arguments):
                return arguments
        flat, spec = pytree().tree_flatten((arguments, named))
        if spec != self._exported.in_spec:
            raise ArgumentError(
                self.__name__,
                -1,
                "",
                "the arguments are not nested as those of the example, which was "
                f"called as {self.__name__}({_outline(self._exported)})",
            )
        return flat

    def _about_module(self, error: ArgumentError) -> ArgumentError:
        """What an error about an argument of the code says of one of the module."""
        number = self._function.input_of(error.index)
        if number is None:
            return error
        position = self._exported.inputs[number].position
        if position is not None:
            return ArgumentError(self.__name__, position, "", error.reason)
        return ArgumentError(
            self.__name__, -1, "", f"{self._names[number]}: {error.reason}"
        )

    def _about_sizes(self, broken: str, inputs: Sequence[Any]) -> ArgumentError:
        """The error of sizes that do not fulfil a condition."""
        named = {
            name: getattr(inputs[number], "shape", inputs[number])
            for name, number in self._exported.conditions.inputs
            if re.search(rf"\b{name}\b", broken)
        }
        shapes = ", ".join(
            f"{name}: {value if isinstance(value, int) else tuple(value)}"
            for name, value in named.items()
        )
        return ArgumentError(
            self.__name__,
            -1,
            "",
            f"PyTorch exported the module for sizes of which {broken}; these are "
            f"{shapes}; call jit again with an example of such sizes",
        )

    def _argument(self, number: int, flat: Sequence[Any]) -> object:
        input_ = self._exported.inputs[number]
        position = input_.position
        assert position is not None
        value = flat[position]
        if input_.is_fixed:
            if value != input_.fixed:
                raise ArgumentError(
                    self.__name__,
                    position,
                    "",
                    f"the module was exported with {input_.fixed!r}, and is called "
                    f"with {value!r}; call jit again",
                )
        elif getattr(value, "requires_grad", False) and torch().is_grad_enabled():
            raise ArgumentError(
                self.__name__,
                position,
                "",
                "the tensor requires a gradient, which torch.compile(..., "
                'backend="xbuf") computes; pass tensor.detach()',
            )
        return value


def compile_exported(
    exported: ExportedModule,
    *,
    optimize: bool = True,
    is_checked: bool | None = None,
    is_verified: bool = False,
    **options: Unpack[CompileOptions],
) -> ModuleFunction:
    """Compile an exported module; raises what the passes and `compile` raise.

    `is_checked=None`: the code is checked where a size is left open, where elements
    are written to places that are computed, or where integers are divided.
    """
    program = exported.program
    if is_checked is None:
        is_checked = program.needs_checks
    compile_ = partial(
        compile_graph,
        program,
        weights=exported.weights,
        optimize=optimize,
        is_verified=is_verified,
        **{**options, "checked": is_checked},
    )
    return ModuleFunction(
        exported, compile_(), lambda profiler: compile_(profiler=profiler)
    )


def function_of(
    code: ObjectCode, facts: Json, arrays: Sequence[Array]
) -> ModuleFunction:
    """The function that was saved with these facts and arrays."""
    return ModuleFunction(*restored(code, facts, arrays), None)


class _Leaf:
    """Stands for a tensor or a number."""

    @override
    def __repr__(self) -> str:
        return "_"


def _outline(exported: ExportedModule) -> str:
    """How the arguments of a call are nested: `_, {'x': _}, flip=_`."""
    count = sum(each.position is not None for each in exported.inputs)
    leaves = [_Leaf() for _ in range(count)]
    arguments, named = pytree().tree_unflatten(leaves, exported.in_spec)
    parts = [*map(repr, arguments), *(f"{k}={v!r}" for k, v in named.items())]
    return ", ".join(parts)


def _plain_arguments(exported: ExportedModule) -> int | None:
    """How many arguments a call has, if they are not nested and none has a name."""
    count = sum(each.position is not None for each in exported.inputs)
    plain = pytree().tree_structure(((0,) * count, {}))
    return count if exported.in_spec == plain else None


def _tensor_of(target: ModuleInput, flat: Sequence[Any]) -> Any:
    if target.place is not None:
        table, name = target.place
        return table[name]
    assert target.position is not None
    return flat[target.position]
