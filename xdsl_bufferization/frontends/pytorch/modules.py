"""A module of PyTorch as a function, by `torch.export`.

    native = jit(module, example)        exported and compiled
    native(x)                            computed with the module's weights
    optimizer.step(); native(x)          computed with the new weights

Weights are arguments of the compiled code. The module keeps them, and nothing is copied
but what compiled code wants in another layout.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import getitem
from typing import Any, Final, Unpack, cast

from typing_extensions import override

from xdsl_bufferization.explanation.profile import Profiler, TimedNest, merged
from xdsl_bufferization.pipelines.compile_options import CompileOptions
from xdsl_bufferization.runtime.errors import ArgumentError

from .decompositions import decompositions
from .frameworks import Module, is_exported, pytree, torch
from .function import TensorFunction, compile_graph
from .graphs import TensorProgram, program_of

_NO_TABLE: Final[tuple[Mapping[str, Any], str]] = ({"": None}, "")


@dataclass(frozen=True)
class ExportedModule:
    """A module as a graph, its program, and where the inputs come from."""

    name: str
    program: TensorProgram
    inputs: tuple["_Input", ...]
    mutations: tuple["_Input | None", ...]
    """For each output: the input that the output is written into, if there is one."""

    in_spec: object
    """How the arguments of a call are made a flat list."""

    out_spec: object

    @property
    def weights(self) -> frozenset[int]:
        """The inputs that the module itself has."""
        return frozenset(
            number for number, each in enumerate(self.inputs) if each.position is None
        )


@dataclass(frozen=True)
class _Input:
    """An input of the graph."""

    position: int | None
    """Its position among the arguments; None: it is not an argument."""

    place: tuple[Mapping[str, Any], str] | None = None
    """The table of the module that has the tensor, and its name there."""

    fixed: object = None
    """The number that the module was exported with."""

    is_fixed: bool = False


def export_module(
    module: Module,
    example: object,
    dynamic_shapes: object = None,
    *,
    accepts_differences: bool = False,
) -> ExportedModule:
    """Export a module; `example` is its argument, or a tuple of its arguments.

    A program of `torch.export.export` is taken as it is, without an example. Raises
    what `torch.export` and torch-mlir raise, and `UnsupportedGraphError`.
    """
    name = type(module).__name__
    owner: Any = None
    if is_exported(module):
        exported: Any = module
    else:
        owner = module
        arguments = _as_arguments(example)
        with torch().no_grad():
            exported = torch().export.export(
                module, arguments, dynamic_shapes=dynamic_shapes
            )
    exported = exported.run_decompositions(decompositions())
    program = program_of(exported.graph_module, accepts_differences=accepts_differences)
    signature = exported.graph_signature
    inputs = tuple(_inputs(signature.input_specs, exported, owner))
    return ExportedModule(
        name,
        program,
        inputs,
        tuple(_mutations(signature, inputs)),
        exported.call_spec.in_spec,
        exported.call_spec.out_spec,
    )


def _as_arguments(example: object) -> tuple[object, ...]:
    """The arguments of an example, no two of which are the same tensor.

    `torch.export` takes equal objects to be one argument, in all later calls as well.
    """
    seen: set[int] = set()

    def another(value: Any) -> Any:
        if not isinstance(value, torch().Tensor):
            return value
        is_new = id(value) not in seen
        seen.add(id(value))
        return value if is_new else value.clone()

    arguments = cast(object, example if isinstance(example, tuple) else (example,))
    return pytree().tree_map(another, arguments)


class ModuleFunction:
    """A module of PyTorch as compiled code: see `jit`."""

    def __init__(
        self,
        exported: ExportedModule,
        compile_: Callable[[Profiler | None], TensorFunction],
    ):
        self._exported = exported
        self._compile = compile_
        self._function = compile_(None)
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
        # A tensor of the module may have been replaced since the last call.
        inputs: list[Any] = [*map(getitem, self._tables, self._names)]
        for number in self._arguments:
            inputs[number] = self._argument(number, flat)
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
        """
        profiler = Profiler()
        timed = ModuleFunction(self._exported, lambda _: self._compile(profiler))
        timed(*arguments, **named)
        profiler.reset()
        for _ in range(calls):
            timed(*arguments, **named)
        return merged(profiler.nests())

    @override
    def __repr__(self) -> str:
        return f"<jit function of {self.__name__}>"

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
                "the arguments are not nested as those of the example; pass "
                f"{self._exported.in_spec}",
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
    return ModuleFunction(exported, lambda profiler: compile_(profiler=profiler))


def _inputs(specs: Sequence[Any], exported: Any, owner: Any) -> Iterator[_Input]:
    """Where each input of the graph comes from."""
    position = 0
    for spec in specs:
        if spec.kind.name != "USER_INPUT":
            yield _Input(None, _place(spec.target, exported, owner))
            continue
        if hasattr(spec.arg, "value"):
            yield _Input(position, None, spec.arg.value, is_fixed=True)
        else:
            yield _Input(position)
        position += 1


def _place(target: str, exported: Any, owner: Any) -> tuple[Mapping[str, Any], str]:
    """Where a tensor of a module is by its name, also when it was replaced."""
    found = _place_in_module(target, owner)
    if found is not None:
        return found
    if target in exported.constants:
        return exported.constants, target
    return exported.state_dict, target


def _place_in_module(target: str, owner: Any) -> tuple[Mapping[str, Any], str] | None:
    """The table of a module that has a parameter or a buffer."""
    path, _, name = target.rpartition(".")
    if owner is None:
        return None
    try:
        module = owner.get_submodule(path)
    except AttributeError:
        return None
    # No public method gives the tables, which show a parameter that was replaced.
    for table in (module._parameters, module._buffers):  # noqa: SLF001
        if table.get(name) is not None:
            return table, name
    return None


def _plain_arguments(exported: ExportedModule) -> int | None:
    """How many arguments a call has, if they are not nested and none has a name."""
    count = sum(each.position is not None for each in exported.inputs)
    plain = pytree().tree_structure(((0,) * count, {}))
    return count if exported.in_spec == plain else None


def _mutations(signature: Any, inputs: Sequence[_Input]) -> Iterator[_Input | None]:
    names = {
        spec.target if spec.target is not None else spec.arg.name: input_
        for spec, input_ in zip(signature.input_specs, inputs, strict=True)
    }
    for spec in signature.output_specs:
        yield None if spec.kind.name == "USER_OUTPUT" else names[spec.target]


def _tensor_of(target: _Input, flat: Sequence[Any]) -> Any:
    if target.place is not None:
        table, name = target.place
        return table[name]
    assert target.position is not None
    return flat[target.position]
