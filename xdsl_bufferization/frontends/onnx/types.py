"""Types of ONNX's values, with the names that NumPy and MLIR have for elements.

tensor_type { elem_type: 1 shape { dim 4 dim batch } }    float32[4, batch]
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from numpy.typing import NDArray
from typing_extensions import override

from .packages import onnx

_BITS: Final = (8, 16, 32, 64)

ELEMENTS: Final[dict[str, str]] = {
    "float32": "f32",
    "float64": "f64",
    "float16": "f16",
    "bfloat16": "bf16",
    "bool": "i1",
    **{f"{sign}int{bits}": f"i{bits}" for sign in ("", "u") for bits in _BITS},
}
"""MLIR's type of elements, by NumPy's name; integers of compiled code have no sign."""


Numbers: TypeAlias = NDArray[Any]
"""An array whose elements are known where a program is made."""


_NAMES: Final[dict[str, str]] = {"float": "float32", "double": "float64"}


@dataclass(frozen=True)
class ValueType:
    """The type of a tensor, or the name of another type of ONNX."""

    dtype: str
    """NumPy's name of the elements; ONNX's name of what is no tensor of numbers."""

    sizes: tuple[int | str | None, ...] | None
    """A size that is open is a name, or None; None in all where nothing is known."""

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The sizes, if all are known."""
        sizes = self.sizes
        if sizes is None or not all(isinstance(size, int) for size in sizes):
            return None
        return tuple(size for size in sizes if isinstance(size, int))

    @override
    def __str__(self) -> str:
        if self.sizes is None:
            return self.dtype
        sizes = ", ".join("?" if size is None else str(size) for size in self.sizes)
        return f"{self.dtype}[{sizes}]"


def type_of(proto: Any) -> ValueType | None:
    """The type that a `TypeProto` says; None if it says nothing."""
    kind = proto.WhichOneof("value")
    if kind is None:
        return None
    if kind != "tensor_type":
        return ValueType(kind.removesuffix("_type"), None)
    tensor = proto.tensor_type
    if not tensor.elem_type:
        return None
    sizes = None
    if tensor.HasField("shape"):
        sizes = tuple(_size(dim) for dim in tensor.shape.dim)
    return ValueType(dtype_name(tensor.elem_type), sizes)


def dtype_name(elements: int) -> str:
    """NumPy's name of elements of ONNX; ONNX's own where NumPy has none."""
    name: str = onnx().TensorProto.DataType.Name(elements).lower()
    return _NAMES.get(name, name)


def types_of(graph: Any) -> dict[str, ValueType]:
    """The type of each value of a graph whose type is known, by its name."""
    return {name: type_ for name, type_ in _types(graph) if type_ is not None}


def _types(graph: Any) -> Iterator[tuple[str, ValueType | None]]:
    for each in (*graph.value_info, *graph.output, *graph.input):
        yield each.name, type_of(each.type)
    for tensor in graph.initializer:
        yield tensor.name, ValueType(dtype_name(tensor.data_type), tuple(tensor.dims))


def _size(dim: Any) -> int | str | None:
    if dim.HasField("dim_value"):
        return dim.dim_value
    return dim.dim_param or None
