"""PyTorch and torch-mlir, which are imported when they are first needed.

    torch().nn.Module            PyTorch
    torch_mlir("ir")             torch-mlir, or an error that says how to install it

The package works without both: `pip install 'xdsl-bufferization[torch]'` brings them.
"""

import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final, Protocol

_HINT: Final = (
    "install it by pip install 'xdsl-bufferization[torch]'; docs/pytorch.md says how "
    "to install PyTorch for processors alone, which is smaller"
)


class Module(Protocol):
    """A `torch.nn.Module`, or a `torch.fx.GraphModule`."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """What the module computes."""
        ...

    def named_parameters(self) -> Any:
        """The parameters of the module, by name."""
        ...

    def named_buffers(self) -> Any:
        """The buffers of the module, by name."""
        ...


def torch() -> Any:
    """PyTorch. Raises an `ImportError` that says how to install it."""
    return _imported("torch", "PyTorch")


def torch_mlir(module: str) -> Any:
    """A module of torch-mlir. Raises an `ImportError` that says how to install it."""
    return _imported(f"torch_mlir.{module}", "torch-mlir")


def torch_mlir_decompositions() -> dict[object, Any]:
    """What PyTorch is to decompose, so that torch-mlir translates the rest.

    Raises an `ImportError` that says how to install torch-mlir.
    """
    return torch_mlir("extras.fx_decomp_util").get_decomposition_table()


def torch_decompositions(ops: Sequence[object]) -> dict[object, Any]:
    """What PyTorch has to decompose some ops."""
    return _imported("torch._decomp", "PyTorch").get_decompositions(ops)


def aot_autograd(**options: Any) -> Any:
    """A back end that gets graphs of ATen ops, made by AOTAutograd."""
    common = _imported("torch._dynamo.backends.common", "PyTorch")
    return common.aot_autograd(**options)


def partition() -> Any:
    """What splits a graph of training in one forwards and one backwards."""
    partitioners = _imported("torch._functorch.partitioners", "PyTorch")
    return partitioners.min_cut_rematerialization_partition


def with_sizes_of(graph_module: Any, inputs: Sequence[Any]) -> Any:
    """A graph that computes the same, for the sizes that some inputs have."""
    proxies = _imported("torch.fx.experimental.proxy_tensor", "PyTorch")
    trace = proxies.make_fx(
        graph_module, tracing_mode="fake", _allow_non_fake_inputs=True
    )
    with torch().no_grad():
        return trace(*inputs)


def real_tensors() -> Any:
    """A context in which tensors have values, also while a graph is traced."""
    fakes = _imported("torch._subclasses.fake_tensor", "PyTorch")
    return fakes.unset_fake_temporarily()


def is_known(condition: Any) -> bool:
    """Whether a comparison of sizes is true for all sizes that a graph is for."""
    return _symbolic_shapes().statically_known_true(condition)


def formula_text(formula: Any) -> str:
    """A formula of SymPy as Python, with the names of its symbols."""
    return _symbolic_shapes().SymExprPrinter().doprint(formula)


def _symbolic_shapes() -> Any:
    return _imported("torch.fx.experimental.symbolic_shapes", "PyTorch")


def boxed(function: Any) -> Any:
    """A function as AOTAutograd calls it: with one list of all inputs."""
    return _imported("functorch.compile", "PyTorch").make_boxed_func(function)


def pytree() -> Any:
    """What makes flat lists of nested arguments."""
    return _imported("torch.utils._pytree", "PyTorch")


def static_inputs() -> frozenset[int]:
    """The inputs of the graph that is being compiled which are parameters or buffers.

    Not those that the graph writes, such as the cache of a language model. Empty
    outside of `torch.compile`.
    """
    guards = _imported("torch._guards", "PyTorch")
    context = guards.TracingContext.try_get()
    metadata = None if context is None else context.fw_metadata
    if metadata is None:
        return frozenset()
    written = {n for n, info in enumerate(metadata.input_info) if info.mutates_data}
    return frozenset(metadata.static_input_indices or ()) - written


def is_network(value: object) -> bool:
    """Whether a value is a module of PyTorch; PyTorch need not be installed."""
    return _is_of("torch", "nn.Module", value)


def is_exported(value: object) -> bool:
    """Whether a value is what `torch.export.export` returns."""
    return _is_of("torch.export", "ExportedProgram", value)


def _is_of(module: str, name: str, value: object) -> bool:
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is not None and isinstance(value, found)


@cache
def _imported(module: str, title: str) -> Any:
    """A module; each call of compiled code asks for some."""
    try:
        return import_module(module)
    except ImportError as error:
        message = f"{title} cannot be imported ({error}); {_HINT}"
        raise ImportError(message) from error
