"""Modules of PyTorch in files: what `ModuleFunction.save` writes, and `load` reads.

    jit(network, example).save("network.xbufobj")
    network = load("network.xbufobj")     with PyTorch, and without torch-mlir
    network(x)

The file has the code, and the weights as the code takes them. How arguments are nested
and what PyTorch does with the results, such as a view, is written as JSON.
"""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, cast

from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.disk_cache.layout import Json
from xdsl_bufferization.runtime.engine import load_module
from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.runtime.object_code import ObjectCode

from .comparison import OpenSize
from .conditions import Conditions
from .exported import ExportedModule, ModuleInput
from .frameworks import pytree, torch
from .function import CodeArguments, TensorFunction
from .graphs import TensorProgram
from .lowering import ENTRY
from .outputs import Tail
from .strides import with_strides
from .tensors import array_of, tensor_of
from .weights import CachedWeights, Source

_OWN: Final[Mapping[str, Callable[..., Any]]] = {"with_strides": with_strides}
"""Functions of this package that PyTorch runs on results."""

_PLAIN: Final = (int, float, str, bool, type(None))
"""What JSON has itself."""


def facts_of(
    exported: ExportedModule, function: TensorFunction, inputs: Sequence[Any]
) -> tuple[Json, list[Array]]:
    """What is to be known of a module beside its code, and its arrays.

    `inputs` are those of the graph; None for arguments. Raises `EngineError` where
    something cannot be written as text.
    """
    arrays: list[Array] = []

    def kept(array: Array) -> int:
        arrays.append(array)
        return len(arrays) - 1

    weights = function.arguments.weights.arrays(inputs)
    places = [None if each is None else kept(each) for each in weights]
    program = exported.program
    used = {*function.arguments.others.values(), *program.tail.positions}
    numbers = {id(each): number for number, each in enumerate(exported.inputs)}
    facts: Json = {
        "name": exported.name,
        "is_dynamic": program.is_dynamic,
        "weights": places,
        "others": [*function.arguments.others.items()],
        "inputs": [
            _input(each, inputs[n] if n in used else None, kept)
            for n, each in enumerate(exported.inputs)
        ],
        "mutations": [each and numbers[id(each)] for each in exported.mutations],
        "in_spec": _spec(exported.in_spec),
        "out_spec": _spec(exported.out_spec),
        "tail": _tail(program.tail),
        "open_sizes": [*map(asdict, program.open_sizes)],
        "conditions": asdict(exported.conditions),
        "orders": [each for each in program.orders.items() if each[0] in used],
    }
    return facts, arrays


def restored(
    code: ObjectCode, facts: Json, arrays: Sequence[Array]
) -> tuple[ExportedModule, TensorFunction]:
    """The module that `facts_of` was called for, without its program, and its code."""
    table: dict[str, Any] = {}
    inputs = tuple(_input_of(each, table, arrays) for each in facts["inputs"])
    program = TensorProgram(
        None,
        (),
        _tail_of(facts["tail"]),
        facts["is_dynamic"],
        open_sizes=tuple(OpenSize(**each) for each in facts["open_sizes"]),
        orders=dict(facts["orders"]),
    )
    mutations: list[int | None] = facts["mutations"]
    exported = ExportedModule(
        facts["name"],
        program,
        inputs,
        tuple(None if n is None else inputs[n] for n in mutations),
        pytree().treespec_loads(facts["in_spec"]),
        pytree().treespec_loads(facts["out_spec"]),
        _conditions_of(facts["conditions"]),
    )
    loaded = load_module(code)
    sources = [
        None if place is None else Source(place, is_prepared=True)
        for place in facts["weights"]
    ]
    weights = CachedWeights(sources, (), lambda _: arrays, loaded[ENTRY].packed)
    arguments = CodeArguments(weights, dict(facts["others"]))
    return exported, TensorFunction(program, loaded, arguments)


def _conditions_of(facts: Json) -> Conditions:
    names: Sequence[tuple[str, int]] = facts["inputs"]
    return Conditions(tuple(facts["texts"]), tuple((n, place) for n, place in names))


def _spec(spec: object) -> str:
    try:
        return pytree().treespec_dumps(spec)
    except NotImplementedError as error:
        raise EngineError(
            f"the module cannot be saved, as its arguments or results are nested in "
            f"a class that PyTorch cannot write: {error}"
        ) from error


# Inputs.


def _input(input_: ModuleInput, tensor: Any, kept: Callable[[Array], int]) -> Json:
    if not isinstance(input_.fixed, _PLAIN):
        raise EngineError(
            f"the module cannot be saved, as it was exported with {input_.fixed!r}"
        )
    facts: Json = {
        "position": input_.position,
        "fixed": input_.fixed,
        "is_fixed": input_.is_fixed,
    }
    if input_.place is not None:
        facts["name"] = input_.place[1]
        if tensor is not None:
            facts["tensor"] = [kept(array_of(tensor)), str(tensor.dtype)]
    return facts


def _input_of(
    facts: Json, table: dict[str, Any], arrays: Sequence[Array]
) -> ModuleInput:
    place = None
    if "name" in facts:
        # Modules inside of a module have names of their own.
        key = f"{len(table)} {facts['name']}"
        table[key] = None
        if "tensor" in facts:
            number, dtype = cast("tuple[int, str]", facts["tensor"])
            table[key] = tensor_of(arrays[number], _dtype(dtype))
        place = (table, key)
    return ModuleInput(facts["position"], place, facts["fixed"], facts["is_fixed"])


def _dtype(text: str) -> object:
    return getattr(torch(), text.removeprefix("torch."))


# The tail, as a list of its nodes.


def _tail(tail: Tail) -> Json:
    return {
        "dtypes": [each and str(each) for each in tail.dtypes],
        "positions": tail.positions,
        "nodes": [*_nodes(tail.graph)],
        "is_tuple": tail.is_tuple,
        "makes_views": tail.makes_views,
        "of_inputs": tail.of_inputs,
    }


def _tail_of(facts: Json) -> Tail:
    return Tail(
        tuple(each and _dtype(each) for each in facts["dtypes"]),
        tuple(facts["positions"]),
        _graph_of(facts["nodes"]),
        facts["is_tuple"],
        facts["makes_views"],
        tuple(facts["of_inputs"]),
    )


def _nodes(graph: Any) -> Iterator[Json]:
    numbers = {node: number for number, node in enumerate(graph.nodes)}
    for node in graph.nodes:
        if node.op == "placeholder":
            yield {"op": node.op}
            continue
        facts: Json = {
            "op": node.op,
            "args": [_text_of(each, numbers) for each in node.args],
            "kwargs": {k: _text_of(v, numbers) for k, v in node.kwargs.items()},
        }
        if node.op == "call_function":
            facts["target"] = _target(node.target)
        yield facts


def _graph_of(nodes: Sequence[Json]) -> Any:
    graph = torch().fx.Graph()
    made: list[Any] = []
    for number, facts in enumerate(nodes):
        if facts["op"] == "placeholder":
            made.append(graph.placeholder(f"x{number}"))
            continue
        arguments = tuple(_value_of(each, made) for each in facts["args"])
        named = {k: _value_of(v, made) for k, v in facts["kwargs"].items()}
        if facts["op"] == "output":
            made.append(graph.output(*arguments))
        else:
            function = _function(facts["target"])
            made.append(graph.call_function(function, arguments, named))
    return graph


def _text_of(value: Any, numbers: Mapping[Any, int]) -> object:
    """A value as JSON has it."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        parts = cast("Sequence[Any]", value)
        return {kind: [_text_of(each, numbers) for each in parts]}
    if isinstance(value, torch().fx.Node):
        return {"node": numbers[value]}
    if isinstance(value, torch().device):
        return {"device": str(value)}
    if isinstance(value, torch().dtype | torch().layout | torch().memory_format):
        return {"torch": str(value)}
    raise EngineError(f"the module cannot be saved, as PyTorch is to use {value!r}")


def _value_of(facts: Any, made: Sequence[Any]) -> Any:
    if not isinstance(facts, dict):
        return facts
    ((kind, value),) = cast("Json", facts).items()
    if kind in ("list", "tuple"):
        values = (_value_of(each, made) for each in value)
        return [*values] if kind == "list" else tuple(values)
    if kind == "node":
        return made[value]
    return torch().device(value) if kind == "device" else _dtype(value)


def _target(function: Any) -> str:
    """The name of a function, which `_function` finds again."""
    # PyTorch has no public name for the class.
    if isinstance(function, torch()._ops.OpOverload):  # noqa: SLF001
        return f"ops.{function}"
    name = getattr(function, "__name__", "")
    for prefix, owner in (("operator", operator), ("torch", torch())):
        if getattr(owner, name, None) is function:
            return f"{prefix}.{name}"
    if _OWN.get(name) is function:
        return f"own.{name}"
    raise EngineError(f"the module cannot be saved, as PyTorch is to run {function}")


def _function(target: str) -> Callable[..., Any]:
    prefix, *path = target.split(".")
    if prefix == "own":
        return _OWN[path[0]]
    roots = {"ops": torch().ops, "operator": operator, "torch": torch()}
    found: Any = roots[prefix]
    for name in path:
        found = getattr(found, name)
    return found
