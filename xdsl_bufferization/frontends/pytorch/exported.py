"""A module of PyTorch as a program, by `torch.export`.

exported = export_module(network, x)
exported.program.module      func.func @main(%weight: tensor<...>, %x: tensor<...>)
exported.inputs              the table of the network that has the weight, and x
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

import numpy as np

from .conditions import Conditions, conditions_of
from .decompositions import decompositions
from .differences import UnsupportedGraphError, refuse_other_traces
from .fallbacks import place_in
from .frameworks import Module, is_exported, pytree, torch
from .graphs import TensorProgram, program_of


@dataclass(frozen=True)
class ExportedModule:
    """A module as a graph, its program, and where the inputs come from."""

    name: str
    program: TensorProgram
    inputs: tuple["ModuleInput", ...]
    mutations: tuple["ModuleInput | None", ...]
    """For each output: the input that the output is written into, if there is one."""

    in_spec: object
    """How the arguments of a call are made a flat list."""

    out_spec: object
    conditions: Conditions = field(default_factory=Conditions)
    """What is compared in each call."""

    @property
    def weights(self) -> frozenset[int]:
        """The inputs that the module itself has, and that no call writes."""
        written = {id(each) for each in self.mutations}
        return frozenset(
            number
            for number, each in enumerate(self.inputs)
            if each.position is None and id(each) not in written
        )


@dataclass(frozen=True)
class ModuleInput:
    """An input of the graph: an argument of a call, or a tensor of the module."""

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
        if example is None:
            raise TypeError(
                f"{name} needs an example, as PyTorch runs it once to export it: call "
                "jit(module, x), or jit(module, (x, y)) for several arguments"
            )
        owner = module
        exported = _export(module, example, dynamic_shapes)
    if not accepts_differences:
        refuse_other_traces(exported.graph)
    with warnings.catch_warnings():
        # PyTorch warns of what PyTorch itself does.
        warnings.filterwarnings("ignore", r"`isinstance\(treespec", FutureWarning)
        decomposed, guards = _decomposed(exported)
    graph = decomposed.graph_module
    try:
        conditions = conditions_of(exported, decomposed, guards)
        program = program_of(graph, accepts_differences=accepts_differences)
    except UnsupportedGraphError as error:
        raise UnsupportedGraphError(
            f"{error}{place_in(graph.graph, str(error))}; {_IN_PARTS}"
        ) from error
    signature = decomposed.graph_signature
    inputs = tuple(_inputs(signature.input_specs, decomposed, owner))
    return ExportedModule(
        name,
        program,
        inputs,
        tuple(_mutations(signature, inputs)),
        decomposed.call_spec.in_spec,
        decomposed.call_spec.out_spec,
        conditions,
    )


def _decomposed(exported: Any) -> tuple[Any, list[Any]]:
    """A program of ops that torch-mlir may know, and for which sizes it is right.

    A decomposition that compares an open size gives ops for some sizes. PyTorch notes
    for which.
    """
    shapes = _shape_environment(exported.graph)
    guards: list[Any] = []
    if shapes is not None and not shapes.guards:
        # A program that was loaded from a file has no formulas, but texts.
        guards += exported._guards_code  # noqa: SLF001, no public name
    result = exported.run_decompositions(decompositions())
    if shapes is not None:
        guards += [each.expr.xreplace(shapes.replacements) for each in shapes.guards]
    return result, guards


def _shape_environment(graph: Any) -> Any:
    """What knows the sizes that are open; None if there is none."""
    for node in graph.find_nodes(op="placeholder"):
        value = node.meta.get("val")
        is_tensor = isinstance(value, torch().Tensor)
        for size in value.shape if is_tensor else (value,):
            if isinstance(size, torch().SymInt):
                return size.node.shape_env
    return None


_IN_PARTS: Final = (
    'torch.compile(module, backend="xbuf") compiles the rest, and PyTorch computes that'
)


def _export(module: Module, example: object, dynamic_shapes: object) -> Any:
    arguments = _as_arguments(example)
    try:
        with torch().no_grad():
            return torch().export.export(
                module, arguments, dynamic_shapes=dynamic_shapes
            )
    except Exception as error:  # Of any class, some of which are PyTorch's own.
        if isinstance(example, list):
            raise TypeError(
                "the example is a list, which is one argument; pass a tuple for several"
            ) from error
        if type(error).__name__ == "GuardOnDataDependentSymNode":
            reason = "which ops run, or a size, depends on the numbers of a tensor"
            raise UnsupportedGraphError(f"{reason}; {_IN_PARTS}") from error
        raise


def _as_arguments(example: object) -> tuple[object, ...]:
    """The arguments of an example, no two of which are the same tensor.

    `torch.export` takes equal objects to be one argument, in all later calls as well.
    """
    seen: set[int] = set()

    def another(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            raise TypeError(
                "the example has an array of NumPy, and a module takes tensors; pass "
                "torch.from_numpy(array)"
            )
        if not isinstance(value, torch().Tensor):
            return value
        is_new = id(value) not in seen
        seen.add(id(value))
        return value if is_new else value.clone()

    arguments = cast(object, example if isinstance(example, tuple) else (example,))
    return pytree().tree_map(another, arguments)


def _inputs(specs: Sequence[Any], exported: Any, owner: Any) -> Iterator[ModuleInput]:
    """Where each input of the graph comes from."""
    position = 0
    for spec in specs:
        if spec.kind.name != "USER_INPUT":
            yield ModuleInput(None, _place(spec.target, exported, owner))
            continue
        if hasattr(spec.arg, "value"):
            yield ModuleInput(position, None, spec.arg.value, is_fixed=True)
        else:
            yield ModuleInput(position)
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


def _mutations(
    signature: Any, inputs: Sequence[ModuleInput]
) -> Iterator[ModuleInput | None]:
    names = {
        spec.target if spec.target is not None else spec.arg.name: input_
        for spec, input_ in zip(signature.input_specs, inputs, strict=True)
    }
    for spec in signature.output_specs:
        yield None if spec.kind.name == "USER_OUTPUT" else names[spec.target]
