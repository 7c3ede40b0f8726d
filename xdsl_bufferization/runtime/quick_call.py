"""Usual calls without a step in Python: machine code that knows the layout of objects.

    quick = quick_call(shape)
    quick(x, y)       the results, or `MISSED`, or a list for `CompiledFunction.finish`

`call.c` has the code, of which `call.ll` is made. It looks at the arguments once: each
is an array of NumPy that fits as it is. It copies those that the function writes, calls
the function without the interpreter's lock, and makes arrays over the results. Handlers
of signals run when it has returned: between, Python takes no step.

The code reads the fields of arrays and the type of objects. NumPy and CPython promise
to keep these where they are, and `is_possible` looks at an array by both ways. Where
they differ, and in a Python without the interpreter's lock, no call is quick.
"""

import ctypes
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.locks import computed_once

from .addresses import address_of
from .descriptor import Array, dtype_of
from .failure_record import RECORD_WORDS, WORDS
from .heap import Heap, ProcessHeap
from .llvm import Library, runtime_function

MISSED: Final = object()
"""What a quick call answers if the call is none: nothing has been done."""

MOST_BUFFERS: Final = 254
MOST_RANK: Final = 32
MOST_WORDS: Final = 4096
"""As in `call.c`."""

OPEN: Final = -1
RETURNED: Final = -1
_FAST_ARGUMENTS: Final = 0x80
"""Python's METH_FASTCALL."""

_NUMPY_FUNCTIONS: Final = {"copy": 85, "new": 94, "set_base": 282}
"""Where `PyArray_NewCopy`, `PyArray_NewFromDescr` and `PyArray_SetBaseObject` are in
NumPy's table, whose order no release changes.
"""

_PYTHON_FUNCTIONS: Final = (
    *(
        "PyBytes_AsString",
        "PyCapsule_GetPointer",
        "PyCapsule_New",
        "PyCapsule_SetContext",
    ),
    *("PyCapsule_GetContext", "Py_IncRef", "Py_DecRef"),
    *("PyEval_SaveThread", "PyEval_RestoreThread"),
    *("PyTuple_New", "PyTuple_SetItem", "PyList_New", "PyList_SetItem"),
    "PyBytes_FromStringAndSize",
)

QuickCall = Callable[..., Any]


Place = tuple[int, bool]
"""An argument that is a result, by its number, and whether the caller gets a copy."""


@dataclass(frozen=True)
class Shape:
    """What a call passes and gets, in words of 64 bits."""

    signature: abi.FunctionSignature
    address: int
    """Of the compiled function, which takes pointers alone."""

    heap: Heap
    can_fail: bool
    rivals: Sequence[tuple[int, int]]
    """Arguments that may not overlap."""

    places: Sequence[Place | None] | None
    """For each result its place, or None if it is returned; None if all are."""


def never_quick(*_: object) -> object:
    """Stands for a quick call where there is none."""
    return MISSED


def quick_call(shape: Shape) -> QuickCall | None:
    """A method of Python for usual calls; None if there is none of the kind."""
    arguments, results = shape.signature.arguments, shape.signature.results
    if not (
        type(shape.heap) is ProcessHeap
        and all(map(_is_plain, (*arguments, *results)))
        and all(each.element != "bf16" for each in results)
        and len(arguments) <= MOST_BUFFERS
        and is_possible()
    ):
        return None
    plan = _Plan(shape)
    if plan.words > MOST_WORDS:
        return None
    return _method(plan)


def is_usual(array: Array) -> bool:
    """Whether a quick call takes an array that fits the signature."""
    return array.flags.c_contiguous and array.size > 0


def _is_plain(value: abi.ValueSignature) -> bool:
    return (
        isinstance(value, abi.MemRefSignature)
        and value.layout is None
        and len(value.shape) <= MOST_RANK
    )


class _Plan:
    """The memory that `call.c` reads of one function."""

    def __init__(self, shape: Shape):
        arguments = [_buffer(each) for each in shape.signature.arguments]
        results = [_buffer(each) for each in shape.signature.results]
        places = shape.places or [None] * len(results)
        record = RECORD_WORDS if shape.can_fail else 0
        sizes: list[int] = []
        argument_words: list[int] = []
        # An argument that is a result has the type of the result.
        exact = {place[0] for place in places if place is not None}
        for at, each in enumerate(arguments):
            argument_words += _argument_words(each, len(sizes), at in exact)
            sizes += [OPEN if size is None else size for size in each.shape]
        returned = 0
        result_words: list[int] = []
        for each, place in zip(results, places, strict=True):
            dtype = dtype_of(each.element)
            where = (RETURNED, 0, returned) if place is None else (*place, 0)
            result_words += [*where, id(dtype), dtype.itemsize, len(each.shape)]
            if place is None:
                returned += abi.descriptor_words(len(each.shape))
        passed = sum(abi.descriptor_words(len(each.shape)) for each in arguments)
        self.words = record + returned + passed
        rivals = [number for pair in shape.rivals for number in pair]
        numbers = [
            shape.address,
            *(len(arguments), len(results), len(shape.rivals)),
            *(record, WORDS["free"], shape.heap.symbols[abi.FREE], returned),
            id(MISSED),
        ]
        # Behind the numbers and the places of the last three parts, the four parts.
        parts = argument_words, result_words, sizes, rivals
        starts = [*accumulate(map(len, parts[:-1]), initial=len(numbers) + 3)]
        words = chain(numbers, starts[1:], *parts)
        self.memory = b"".join(
            word.to_bytes(8, "little", signed=True) for word in words
        )


def _argument_words(
    value: abi.MemRefSignature, first_size: int, is_exact: bool
) -> list[int]:
    dtype = dtype_of(value.element)
    takes_unsigned = dtype.kind == "i" and not is_exact
    return [
        id(dtype),
        id(np.dtype(f"u{dtype.itemsize}")) if takes_unsigned else 0,
        dtype.itemsize,
        len(value.shape),
        first_size,
        value.is_written_in_place,
        value.is_copied,
    ]


def _buffer(value: abi.ValueSignature) -> abi.MemRefSignature:
    assert isinstance(value, abi.MemRefSignature)
    return value


class _MethodDefinition(ctypes.Structure):
    """Python's `PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@computed_once
def _definition() -> _MethodDefinition:
    library = _library()
    # Arrays may be collected until the process ends, when Python has freed all else.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(library))
    name = b"quick_call"
    return _MethodDefinition(name, library["quick_call"], _FAST_ARGUMENTS, None)


def _method(plan: _Plan) -> QuickCall:
    """A built-in method of the bytes of the plan, which live as long as the method."""
    types = (ctypes.c_void_p, ctypes.py_object, *[ctypes.c_void_p] * 2)
    new_method = ctypes.PYFUNCTYPE(ctypes.py_object, *types)
    address = address_of(ctypes.pythonapi.PyCMethod_New)
    definition = ctypes.addressof(_definition())
    return new_method(address)(definition, plan.memory, None, None)


@computed_once
def _library() -> Library:
    text = Path(__file__).with_name("call.ll").read_text("utf-8")
    library = runtime_function(text, "quick_call", "api", opt_level=2)
    addresses = [id(np.ndarray), id(None)]
    addresses += [address_of(getattr(ctypes.pythonapi, f)) for f in _PYTHON_FUNCTIONS]
    table = _numpy_table()
    addresses += [table[number] for number in _NUMPY_FUNCTIONS.values()]
    api = (ctypes.c_int64 * len(addresses)).from_address(library["api"])
    api[:] = addresses
    return library


def _numpy_table() -> Any:
    """NumPy's table of functions for C."""
    is_new = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
    package = "numpy._core" if is_new else "numpy.core"
    names = vars(sys.modules[f"{package}._multiarray_umath"])
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    address = get(address_of(ctypes.pythonapi.PyCapsule_GetPointer))(
        names["_ARRAY_API"], None
    )
    return (ctypes.c_int64 * (max(_NUMPY_FUNCTIONS.values()) + 1)).from_address(address)


@computed_once
def is_possible() -> bool:
    """Whether objects of this Python and this NumPy are laid out as `call.c` says."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var(
        "Py_GIL_DISABLED"
    ):
        return False
    if ctypes.sizeof(ctypes.c_void_p) != 8 or sys.byteorder != "little":
        return False
    array = np.arange(24, dtype=np.int32).reshape(2, 3, 4)[:, ::-1]
    words = (ctypes.c_int64 * 9).from_address(id(array))
    dimensions = ctypes.c_int64 * array.ndim
    return (
        words[1] == id(np.ndarray)
        and words[2] == array.__array_interface__["data"][0]
        and words[3] & 0xFFFFFFFF == array.ndim
        and (*dimensions.from_address(words[4]),) == array.shape
        and (*dimensions.from_address(words[5]),) == array.strides
        and words[6] == id(array.base)
        and words[7] == id(array.dtype)
        and words[8] & 0xFFFFFFFF == array.flags.num
    )
