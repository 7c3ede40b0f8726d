"""Programs whose index has 32 bits, compiled and called on arrays.

The runtime's own callables write descriptors of 64 bits. Here each buffer is passed by
a hand-built descriptor: two pointers, then numbers of 32 bits.

    program = compile_narrow(module)
    result = program["f"](x, 3)
"""

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from typing_extensions import override
from xdsl.backend.llvm.convert import convert_module
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from harness.running.guards import Buffer, guarded
from xdsl_bufferization.codegen.llvm_request_c_wrappers import (
    request_c_wrappers,
)
from xdsl_bufferization.pipelines.signatures import signatures_of
from xdsl_bufferization.pipelines.to_llvm import ToLLVMPass
from xdsl_bufferization.runtime.addresses import address_of
from xdsl_bufferization.runtime.descriptor import MemRefCodec, dtype_of
from xdsl_bufferization.runtime.engine import CompiledModule, compile_llvm_ir
from xdsl_bufferization.runtime.heap import CountingHeap
from xdsl_bufferization.support import abi

Array = np.ndarray[Any, Any]

_SCALARS: dict[str, Any] = {
    "i1": ctypes.c_bool,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "index": ctypes.c_int32,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
}


@cache
def descriptor_type(rank: int) -> Any:
    """The descriptor of a buffer of `rank` dimensions, as C has it."""
    numbers = ctypes.c_int32 * rank
    fields = [
        ("allocated", ctypes.c_int64),
        ("aligned", ctypes.c_int64),
        ("offset", ctypes.c_int32),
        ("sizes", numbers),
        ("strides", numbers),
    ]
    return type("Descriptor", (ctypes.Structure,), {"_fields_": fields})


class NarrowHeap(CountingHeap):
    """A heap whose sizes have 32 bits: a caller leaves the upper half undefined."""

    def __init__(self) -> None:
        super().__init__()
        alloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)(self.alloc)
        self._narrow_alloc = alloc
        address = address_of(alloc)
        narrow = {abi.MALLOC: address, abi.GENERIC_ALLOC: address}
        self.symbols = {**self.symbols, **narrow}


class NarrowFunction:
    """A function of a `NarrowModule`."""

    def __init__(self, signature: abi.FunctionSignature, code: CompiledModule):
        self._code, self._signature = code, signature
        address = code.code.library[abi.C_INTERFACE_PREFIX + signature.name]
        results = [_ctype(each) for each in signature.results]
        fields = [(f"r{number}", each) for number, each in enumerate(results)]
        self._results = type("Results", (ctypes.Structure,), {"_fields_": fields})
        self._is_scalar = len(results) == 1 and isinstance(
            signature.results[0], abi.ScalarSignature
        )
        restype = results[0] if self._is_scalar else None
        parameters = [
            ctypes.c_void_p if isinstance(each, abi.MemRefSignature) else _ctype(each)
            for each in signature.arguments
        ]
        if results and not self._is_scalar:
            parameters.insert(0, ctypes.c_void_p)
        first = len(parameters) - len(signature.arguments)
        self._call = guarded(
            ctypes.CFUNCTYPE(restype, *parameters)(address),
            [
                Buffer(number, _ctype(each), _item_bytes(each), each.written)
                for number, each in enumerate(signature.arguments, first)
                if isinstance(each, abi.MemRefSignature)
            ],
            [
                (getattr(self._results, f"r{number}").offset, type_)
                for number, type_ in enumerate(results)
                if isinstance(signature.results[number], abi.MemRefSignature)
            ],
        )

    def __call__(self, *arguments: Any) -> Any:
        """Run the function; buffers of indices are passed as copies, and read back."""
        passed: list[Any] = []
        keep: list[Any] = []
        copies: list[tuple[Array, Array]] = []
        for signature, argument in zip(
            self._signature.arguments, arguments, strict=True
        ):
            if isinstance(signature, abi.ScalarSignature):
                passed.append(argument)
                continue
            array = np.asarray(argument)
            if signature.element == "index":
                narrow = array.astype(np.int32)
                copies.append((array, narrow))
                array = narrow
            descriptor = describe(array, signature)
            keep += [array, descriptor]
            passed.append(ctypes.addressof(descriptor))
        returned = self._results()
        if self._is_scalar:
            result = self._call(*passed)
        elif self._signature.results:
            self._call(ctypes.addressof(returned), *passed)
            result = tuple(
                self._value(getattr(returned, f"r{number}"), each)
                for number, each in enumerate(self._signature.results)
            )
            result = result[0] if len(result) == 1 else result
        else:
            result = self._call(*passed)
        for array, narrow in copies:
            if array.flags.writeable:
                array[...] = narrow
        return result

    def _value(self, returned: Any, signature: abi.ValueSignature) -> Any:
        if isinstance(signature, abi.ScalarSignature):
            return returned
        numbers = (returned.offset, *returned.sizes, *returned.strides)
        words = (returned.allocated, returned.aligned, *numbers)
        if signature.element == "index":
            signature = abi.MemRefSignature("i32", signature.shape, signature.layout)
        return MemRefCodec(signature).unpack(words, self._code)


class NarrowModule(Mapping[str, NarrowFunction]):
    """Loaded code: a mapping from the names of its functions to callables."""

    def __init__(self, code: CompiledModule, functions: Mapping[str, NarrowFunction]):
        self.code, self._functions = code, functions

    @property
    def heap(self) -> NarrowHeap:
        """Where the code allocates."""
        heap = self.code.heap
        assert isinstance(heap, NarrowHeap)
        return heap

    @override
    def __getitem__(self, name: str) -> NarrowFunction:
        return self._functions[name]

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    @override
    def __len__(self) -> int:
        return len(self._functions)


def narrow_ir(module: ModuleOp, **options: Any) -> str:
    """The LLVM IR of `module` with an index of 32 bits, and C interfaces."""
    lowered = module.clone()
    request_c_wrappers(lowered)
    ToLLVMPass(index_bitwidth=32, **options).apply(Context(), lowered)
    lowered.verify()
    return str(convert_module(lowered, fallback_target_triple=None))


def load_narrow(text: str, signatures: Sequence[abi.FunctionSignature]) -> NarrowModule:
    """Load LLVM IR whose index has 32 bits."""
    code = compile_llvm_ir(text, signatures, heap=NarrowHeap())
    functions = {each.name: NarrowFunction(each, code) for each in signatures}
    return NarrowModule(code, functions)


def compile_narrow(module: ModuleOp, **options: Any) -> NarrowModule:
    """Compile `module` with an index of 32 bits and a heap that counts."""
    return load_narrow(narrow_ir(module, **options), signatures_of(module))


def describe(array: Array, signature: abi.MemRefSignature) -> Any:
    """The descriptor of an array, which must outlive it."""
    pointer = array.__array_interface__["data"][0]
    layout = signature.layout
    offset = 0 if layout is None else layout.offset or 0
    descriptor = descriptor_type(array.ndim)()
    descriptor.allocated = pointer
    descriptor.aligned = pointer - offset * array.itemsize
    descriptor.offset = offset
    descriptor.sizes[:] = array.shape
    descriptor.strides[:] = [stride // array.itemsize for stride in array.strides]
    return descriptor


def _item_bytes(signature: abi.MemRefSignature) -> int:
    return 4 if signature.element == "index" else dtype_of(signature.element).itemsize


def _ctype(signature: abi.ValueSignature) -> Any:
    if isinstance(signature, abi.MemRefSignature):
        return descriptor_type(len(signature.shape))
    return _SCALARS[signature.element]
