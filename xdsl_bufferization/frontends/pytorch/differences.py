"""Where torch-mlir translates something else than PyTorch computes.

    aten.rand                                random numbers: others             refused
    aten.sum of uint8                        255 is taken to be -1              refused
    aten.mm of int8                          torch-mlir ends its process        refused
    aten.logcumsumexp of large numbers       overflows                          refused
    aten.scatter_reduce, means of integers   are cut, not rounded down          refused
    aten.topk of bytes, places of elements   PyTorch's are in no order          refused
    aten.mul(truths, complex numbers)        true is taken to be -1             refused
    aten.index_put(x, [i], v), i < 0         writes in front of the tensor      mended
    aten.scatter_add(x, -1, i, v)            torch-mlir ends its process        mended

`refuse_differences` raises an error, so that a graph is not computed wrongly.
"""

from collections.abc import Iterator
from typing import Any, Final

from .frameworks import torch, torch_mlir

_UNSIGNED: Final = ("uint8", "uint16", "uint32", "uint64")

_CONVERSIONS: Final = ("_to_copy", "convert_element_type")

_SIGN_DOES_NOT_MATTER: Final = frozenset(
    {
        "_assert_tensor_metadata",
        "_unsafe_view",
        "add",
        "alias",
        "bitwise_and",
        "bitwise_not",
        "bitwise_or",
        "bitwise_xor",
        "cat",
        "clone",
        "constant_pad_nd",
        "copy",
        "diagonal",
        "empty_like",
        "eq",
        "expand",
        "flip",
        "mul",
        "ne",
        "permute",
        "repeat",
        "roll",
        "select",
        "select_scatter",
        "slice",
        "slice_scatter",
        "squeeze",
        "sub",
        "unsqueeze",
        "view",
        "where",
    }
)
"""Ops for which torch-mlir takes integers without a sign as they are."""


_LARGEST_WITH_A_SIGN: Final = 127
"""Of 8 bits."""

_SCATTERS: Final = ("scatter", "scatter_add", "scatter_reduce")

_CRASHES_OF_BYTES: Final = frozenset(
    {
        "aten.arange.start_step",
        "aten.bmm.default",
        "aten.convolution.default",
        "aten.max.default",
        "aten.min.default",
        "aten.mm.default",
    }
)
"""Ops at which torch-mlir ends its process where elements have 8 bits."""

_CRASHES_OF_NUMBERS: Final = frozenset(
    {
        "aten.div.Tensor_mode",
        "aten.mul.Tensor",
        "aten.remainder.Scalar",
        "aten.sub.Tensor",
    }
)
"""The same, where an operand is a number."""


_CHOICES: Final = ("kthvalue", "sort", "topk")
"""Ops that give places, and do not say which ones where elements are equal."""


class UnsupportedGraphError(Exception):
    """A graph that does not become a program; the message says why."""


def name_of(node: Any) -> str:
    """The name of the op of a node, such as `aten.mul.Tensor`."""
    target = node.target
    if isinstance(target, torch()._ops.OpOverload | str):  # noqa: SLF001
        return str(target)
    return getattr(target, "__name__", type(target).__name__)


def refuse_sparse(graph: Any) -> None:
    """Raise `UnsupportedGraphError` at a tensor without a place for each element."""
    for node in graph.nodes:
        value = node.meta.get("val")
        is_tensor = isinstance(value, torch().Tensor)
        if is_tensor and value.layout != torch().strided and node.users:
            raise UnsupportedGraphError(
                f"{name_of(node)} is a tensor of the layout {value.layout}"
            )


def refuse_unknown(graph: Any) -> None:
    """Raise `UnsupportedGraphError` at what torch-mlir does not read, or crashes at."""
    known = torch_mlir("extras.fx_importer").TORCH_DTYPE_TO_MLIR_TYPE_ASM
    for node in graph.nodes:
        if node.op != "call_function":
            continue
        name = name_of(node)
        if isinstance(node.target, torch()._ops.HigherOrderOperator):  # noqa: SLF001
            raise UnsupportedGraphError(
                f"{name} runs graphs of its own, which are not translated"
            )
        dtypes = {_dtype_of(each) for each in (node, *node.all_input_nodes)} - {None}
        for dtype in dtypes - {*known}:
            raise UnsupportedGraphError(
                f"{name} has elements of {dtype}, which torch-mlir lacks"
            )
        if dtypes & {torch().int8, torch().uint8} and _crashes(node):
            raise UnsupportedGraphError(
                f"torch-mlir crashes at {name} of integers of 8 bits"
            )


def _crashes(node: Any) -> bool:
    name = name_of(node)
    has_number = not all(isinstance(each, torch().fx.Node) for each in node.args)
    return name in _CRASHES_OF_BYTES or (name in _CRASHES_OF_NUMBERS and has_number)


def refuse_differences(graph: Any) -> None:
    """Raise `UnsupportedGraphError` at an op that torch-mlir translates otherwise."""
    for node in graph.nodes:
        if torch().Tag.nondeterministic_seeded in getattr(node.target, "tags", ()):
            raise UnsupportedGraphError(
                f"{name_of(node)} draws random numbers, and compiled code would draw "
                "others than PyTorch"
            )
        if _is_another(node):
            raise UnsupportedGraphError(
                f"torch-mlir translates {name_of(node)} to another function"
            )
        if node.op == "call_function" and _takes_unsigned(node):
            raise UnsupportedGraphError(
                f"{name_of(node)} takes integers without a sign, which torch-mlir "
                "takes to have one"
            )


def refuse_choices(graph: Any) -> None:
    """Raise `UnsupportedGraphError` at places that may well be any of several ones.

    PyTorch's documents of `topk` and of sorts that are not stable promise no order of
    equal elements. So the places, and gradients by these, may be others than in
    compiled code. Floats of 32 and 64 bits are seldom equal, so that programs with
    these are compiled. A caller that PyTorch cannot serve need not ask.
    """
    for node in graph.nodes:
        name = getattr(node.target, "_opname", "")
        if name not in _CHOICES or node.kwargs.get("stable") or _has_wide_floats(node):
            continue
        if any(each.args[1] == 1 and each.users for each in node.users):
            raise UnsupportedGraphError(
                f"{name_of(node)} is asked for places, and PyTorch does not say which "
                "of several equal elements it finds"
            )


def _has_wide_floats(node: Any) -> bool:
    dtype = getattr(node.args[0].meta.get("val"), "dtype", None)
    return dtype in (torch().float32, torch().float64)


def refuse_other_traces(graph: Any) -> None:
    """Raise `UnsupportedGraphError` at a function that PyTorch traces to another one.

    `graph` calls functions of PyTorch, or is exported and not decomposed. Bytes that
    are interpolated are rounded in another way when they are traced, by each back end.
    A margin loss of several labels counts labels behind the first -1, and has a
    dimension too many for one sample. The gradient of a result whose elements share
    memory, as those of `unfold` do, is copied to such memory, and loses elements.
    """
    for each in _results_with_gradients(graph):
        if _shares_memory(each):
            raise UnsupportedGraphError(
                "PyTorch loses parts of the gradient of a result whose elements share "
                f"memory: its strides are {tuple(each.stride())}"
            )
    for node in graph.nodes:
        values = (
            each.meta.get("example_value", each.meta.get("val"))
            for each in node.all_input_nodes
        )
        types = [getattr(each, "dtype", None) for each in values]
        if torch().uint8 in types and _is_smooth(node):
            raise UnsupportedGraphError(
                f"PyTorch makes other bytes when it traces {name_of(node)}"
            )
        if "multilabel_margin_loss" in name_of(node):
            raise UnsupportedGraphError(
                f"PyTorch computes another loss when it traces {name_of(node)}"
            )


def _results_with_gradients(graph: Any) -> list[Any]:
    (output,) = graph.find_nodes(op="output")
    values = [each.meta.get("example_value") for each in output.all_input_nodes]
    tensors = (each for each in values if isinstance(each, torch().Tensor))
    return [each for each in tensors if each.requires_grad]


def _shares_memory(x: Any) -> bool:
    """Whether elements have one place, other than by a stride of 0.

    PyTorch itself leaves out dimensions with such a stride.
    """
    if x.layout != torch().strided:
        return False
    pairs = zip(x.stride(), x.shape, strict=True)
    room = 0
    for stride, size in sorted((_hint(one), _hint(other)) for one, other in pairs):
        if stride and size > 1:
            if stride <= room:
                return True
            room += (size - 1) * stride
    return False


def _hint(size: Any) -> int:
    """A size or a stride; where it is left open, that of the example."""
    if isinstance(size, int):
        return size
    hint = size.node.hint
    return 1 if hint is None else int(hint)


def _is_smooth(node: Any) -> bool:
    """Whether a function of PyTorch interpolates, and does not repeat elements."""
    functional = torch().nn.functional
    if node.target in (functional.interpolate, functional.upsample):
        mode = node.args[3] if len(node.args) > 3 else node.kwargs.get("mode")
        return mode not in (None, "nearest", "nearest-exact")
    name = name_of(node).removeprefix("aten.").lstrip("_")
    return name.startswith("upsample_") and "nearest" not in name


def _is_another(node: Any) -> bool:
    """Whether torch-mlir is known to compute something else."""
    name = getattr(node.target, "_opname", "")
    if name in ("_embedding_bag", "_embedding_bag_forward_only"):
        # It leaves out the weights of the samples.
        return _argument(node, "per_sample_weights") is not None
    if name == "scatter_reduce":
        # Its means of integers are cut; those of PyTorch are rounded down.
        is_mean = _argument(node, "reduce") == "mean"
        return is_mean and not _dtype_of(node).is_floating_point
    return name == "logcumsumexp" or _makes_complex_truths(node)


def _makes_complex_truths(node: Any) -> bool:
    """Whether truth values become complex numbers: true becomes -1."""
    dtype = _dtype_of(node)
    if dtype is None or not dtype.is_complex:
        return False
    inputs = node.all_input_nodes
    if getattr(node.target, "_opname", "") == "where":
        inputs = node.args[1:]
    return any(_dtype_of(each) == torch().bool for each in inputs)


def _argument(node: Any, name: str) -> Any:
    """An argument of an op by its name in PyTorch; None if it is not given."""
    names = [each.name for each in node.target._schema.arguments]  # noqa: SLF001
    position = names.index(name)
    if position < len(node.args):
        return node.args[position]
    return node.kwargs.get(name)


def _takes_unsigned(node: Any) -> bool:
    if not any(map(_is_unsigned, node.all_input_nodes)):
        # 250.0 becomes 127, the largest number with a sign.
        return _is_unsigned(node) and any(map(_is_float, node.all_input_nodes))
    name = getattr(node.target, "_opname", "")
    if name in _CONVERSIONS:
        return False
    # A smaller type that becomes a larger one is extended by its sign.
    operands = node.args[1:] if name == "where" else node.all_input_nodes
    dtypes = {_dtype_of(each) for each in operands} - {None}
    # So is one that becomes a float, as by 250 + 0.5.
    results = {_dtype_of(node)} - {None, torch().bool}
    widens = len(dtypes) > 1 or not dtypes >= results
    return name not in _SIGN_DOES_NOT_MATTER or widens or _takes_large_number(node)


def _takes_large_number(node: Any) -> bool:
    """Whether elements are compared with 200, or with -56, or a border is so large."""
    if getattr(node.target, "_opname", "") not in ("eq", "ne", "constant_pad_nd"):
        return False
    numbers = [each for each in node.args if isinstance(each, int | float)]
    return any(not 0 <= each <= _LARGEST_WITH_A_SIGN for each in numbers)


def _is_unsigned(node: Any) -> bool:
    return str(_dtype_of(node)).rpartition(".")[2] in _UNSIGNED


def _is_float(node: Any) -> bool:
    dtype = _dtype_of(node)
    return dtype is not None and dtype.is_floating_point


def _dtype_of(node: Any) -> Any:
    """The type of a tensor's elements; None for all others, such as a number."""
    return getattr(getattr(node, "meta", {}).get("val"), "dtype", None)


def count_from_zero(graph: Any) -> None:
    """Make negative indices and dimensions of writes count from the front.

    PyTorch lets -1 be the last element. torch-mlir reads so, and does not write so.
    """
    aten = torch().ops.aten
    for node in list(graph.nodes):
        if getattr(node.target, "_opname", "") in _SCATTERS:
            source, dimension, *rest = node.args
            rank = max(source.meta["val"].dim(), 1)
            node.args = (source, dimension % rank, *rest)
        if node.target not in (aten.index_put.default, aten.index_put_.default):
            continue
        source, indices, *rest = node.args
        with graph.inserting_before(node):
            counted = list(_counted(graph, source, indices))
        node.args = (source, counted, *rest)


def _counted(graph: Any, source: Any, indices: Any) -> Iterator[Any]:
    sizes = source.meta["val"].shape
    for dimension, index in enumerate(indices):
        if index is None or index.meta["val"].dtype in (torch().bool, torch().uint8):
            # A mask: it may stand for several dimensions.
            yield index
            if index is not None:
                yield from indices[dimension + 1 :]
                return
            continue
        size: Any = sizes[dimension]
        if isinstance(size, torch().SymInt):
            size = add_call(graph, torch().ops.aten.sym_size.int, source, dimension)
        aten = torch().ops.aten
        is_negative = add_call(graph, aten.lt.Scalar, index, 0)
        moved = add_call(graph, aten.add.Tensor, index, size)
        yield add_call(graph, aten.where.self, is_negative, moved, index)


def add_call(graph: Any, target: Any, *arguments: Any) -> Any:
    """A new node, with what is known of its value."""
    node = graph.call_function(target, arguments)
    known = [
        each.meta["val"] if isinstance(each, torch().fx.Node) else each
        for each in arguments
    ]
    node.meta["val"] = target(*known)
    return node
