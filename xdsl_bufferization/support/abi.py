"""The boundary between compiled code and whoever calls it.

The lowering to the llvm dialect and the runtime must agree on these names and layouts,
and on nothing else: this module imports neither the compiler nor NumPy. All of it is
MLIR's calling convention ("LLVM IR Target" in MLIR's documentation), so that an object
of ours links with C code written for MLIR's.

    func.func @f(%x: memref<4x8xf32>) -> memref<4x8xf32>       the program
    void _mlir_ciface_f(Descriptor *result, Descriptor *x)     what a caller calls
    FunctionSignature("f", (MemRefSignature("f32", (4, 8)),), (...))  what it must know
"""

from dataclasses import dataclass
from typing import Final

from typing_extensions import override

# Functions.

C_INTERFACE_PREFIX: Final = "_mlir_ciface_"
"""Prefix of the wrapper that takes and returns descriptors by pointer.

A memref result, or several results in one struct, are written through a pointer that
comes first; a single scalar result is returned; scalar arguments are passed by value.

A complex argument is passed as two numbers, the real part first. A complex result is
written through a pointer, also if it is the only one. MLIR returns a struct of two
numbers, which no C compiler returns in the same registers on every machine.
"""

EMIT_C_INTERFACE: Final = "llvm.emit_c_interface"
"""The attribute that asks for the wrapper of a function."""

# The heap.

MALLOC: Final = "malloc"
ALIGNED_ALLOC: Final = "aligned_alloc"
FREE: Final = "free"

GENERIC_ALLOC: Final = "_mlir_memref_to_llvm_alloc"
"""What `use-generic-functions` calls in place of `malloc`: `ptr (i64 bytes)`."""

GENERIC_ALIGNED_ALLOC: Final = "_mlir_memref_to_llvm_aligned_alloc"
"""In place of `aligned_alloc`: `ptr (i64 alignment, i64 bytes)`."""

GENERIC_FREE: Final = "_mlir_memref_to_llvm_free"
"""In place of `free`: `void (ptr)`."""

COUNT_COPY: Final = "_xbuf_count_copy"
"""Called by each executed `memref.copy` if copies are counted: `void (i64 bytes)`."""

GLOBAL_ALLOCATED_POINTER: Final = 0xDEADBEEF
"""The allocated pointer of a `memref.get_global`, as in MLIR: never to be freed."""

# Kernels. All parameters are `i64` but for the pointers of buffers, each of which is
# followed by the offset of the first element. Names and order are those of tpp-mlir's
# runtime; `ldd`, which it lacks, comes last.

XSMM_UNARY_DISPATCH: Final = "xsmm_unary_dispatch"
"""`i64 (kind, data type, m, n, ldi, ldo, flags)`; the result is a handle."""

XSMM_BINARY_DISPATCH: Final = "xsmm_binary_dispatch"
"""`i64 (kind, data type, m, n, ldi_lhs, ldi_rhs, ldo, flags)`."""

XSMM_GEMM_DISPATCH: Final = "xsmm_gemm_dispatch"
"""`i64 (data type, m, n, k, lda, ldb, ldc, flags)`."""

XSMM_BRGEMM_DISPATCH: Final = "xsmm_brgemm_dispatch"
"""`i64 (data type, m, n, k, lda, ldb, ldc, stride_a, stride_b, flags)`."""

XSMM_FUSED_BRGEMM_DISPATCH: Final = "xsmm_fused_brgemm_dispatch"
"""`i64 (data type, m, n, k, lda, ldb, ldc, stride_a, stride_b, flags, unary flags,
unary kind, binary flags, binary kind, ldd)`."""

XSMM_WINDOW_BOUNDS: Final = 2
"""How many bounds a kernel has."""

XSMM_WINDOW_STEPS: Final = 4
"""The number of loops of a window that a kernel has."""

XSMM_WINDOW_ZEROS: Final = 3
"""How many numbers say which rows of an image are zeros."""

XSMM_WINDOW_DISPATCH: Final = "xsmm_window_dispatch"
"""`i64 (kind, data type, p, q, n, a_p, a_q, c_p, c_q, e_p, e_q, 4 times (count, a, b),
2 times (limit, bound), loop, first, end, flags)`; tpp-mlir has neither this function
nor its `invoke`. A limit is one of `XSMM_WINDOW_LIMITS`, and a bound the bits of an
f32. Unless `end` is 0, some rows of A are known to be zeros: those for which
`first <= i * a_p + j * a < end` does not hold. Here i is the row of a pixel, and j the
iteration of the loop with the number `loop`.
"""

XSMM_UNARY_INVOKE: Final = "xsmm_unary_invoke"
"""`void (data type, handle, in, offset, out, offset)`."""

XSMM_BINARY_INVOKE: Final = "xsmm_binary_invoke"
"""`void (data type, handle, lhs, offset, rhs, offset, out, offset)`."""

XSMM_GEMM_INVOKE: Final = "xsmm_gemm_invoke"
"""`void (data type, handle, a, offset, b, offset, c, offset)`."""

XSMM_BRGEMM_INVOKE: Final = "xsmm_brgemm_invoke"
"""`void (data type, handle, a, offset, b, offset, c, offset, batch)`."""

XSMM_FUSED_BRGEMM_INVOKE: Final = "xsmm_fused_brgemm_invoke"
"""`void (data type, handle, a, offset, b, offset, c, offset, d, offset, batch)`."""

XSMM_WINDOW_INVOKE: Final = "xsmm_window_invoke"
"""`void (data type, handle, a, offset, b, offset, c, offset, d, offset, e, offset)`."""

XSMM_FUNCTIONS: Final = frozenset(
    {
        XSMM_WINDOW_DISPATCH,
        XSMM_WINDOW_INVOKE,
        XSMM_UNARY_DISPATCH,
        XSMM_BINARY_DISPATCH,
        XSMM_GEMM_DISPATCH,
        XSMM_BRGEMM_DISPATCH,
        XSMM_FUSED_BRGEMM_DISPATCH,
        XSMM_UNARY_INVOKE,
        XSMM_BINARY_INVOKE,
        XSMM_GEMM_INVOKE,
        XSMM_BRGEMM_INVOKE,
        XSMM_FUSED_BRGEMM_INVOKE,
    }
)
"""All of these, which the runtime serves."""

XSMM_BACK_ENDS: Final = ("generated", "vectors", "libxsmm")
"""Where code may have its kernels from.

Ours, for all that the processor has; ours on vectors alone, as those of `xbuf build`;
or LIBXSMM's where it has any.
"""

KERNEL: Final = "kernel"
"""The name of the function in the code of one generated kernel."""

XSMM_DATA_TYPES: Final = {"f64": 0, "f32": 1, "bf16": 2}
"""The numbers of the data types of kernels; these and those below are LIBXSMM's."""

XSMM_UNARY_KINDS: Final = {
    "none": 0,
    "identity": 1,
    "zero": 2,
    "relu": 5,
    "tanh": 7,
    "sigmoid": 9,
    "gelu": 11,
    "exp": 17,
    "vnni_2": 28,
    "transpose": 29,
}

XSMM_BINARY_KINDS: Final = {"none": 0, "add": 1, "mul": 2, "sub": 3, "div": 4}

XSMM_UNARY_FLAGS: Final = {
    "none": 0,
    "bcast_row": 2,
    "bcast_col": 4,
    "bcast_scalar": 8,
}

XSMM_BINARY_FLAGS: Final = {
    "none": 0,
    "bcast_row_in0": 1,
    "bcast_row_in1": 2,
    "bcast_col_in0": 4,
    "bcast_col_in1": 8,
    "bcast_scalar_in0": 16,
    "bcast_scalar_in1": 32,
}

XSMM_GEMM_FLAGS: Final = {
    "none": 0,
    "beta_0": 4,
    "vnni_a": 2048,
    "vnni_b": 4096,
    "vnni_c": 8192,
}

XSMM_WINDOW_KINDS: Final = {"product": 0, "depthwise": 1, "add": 2, "max": 3}

XSMM_WINDOW_LIMITS: Final = {
    "none": 0,
    "larger": 1,
    "at_least": 2,
    "smaller": 3,
    "at_most": 4,
}
"""What becomes of a number x that has a bound b. NaN becomes b, or stays as it is.

`larger` is `x > b ? x : b`, and `at_least` is `b > x ? b : x`. `smaller` is
`x < b ? x : b`, and `at_most` is `b < x ? b : x`.
"""

XSMM_WINDOW_FLAGS: Final = {"none": 0, "beta_0": 1, "bias": 2, "residual": 4, "relu": 8}

# Printing: functions of MLIR's `CRunnerUtils` and `RunnerUtils`. All return nothing.

PRINT_I64: Final = "printI64"
"""`void (i64)`."""

PRINT_U64: Final = "printU64"
"""`void (i64)`: an unsigned number."""

PRINT_F16: Final = "printF16"
"""`void (i16)`: the bits of a number, as for `printBF16`."""

PRINT_BF16: Final = "printBF16"
PRINT_F32: Final = "printF32"
PRINT_F64: Final = "printF64"

PRINT_STRING: Final = "printString"
"""`void (ptr)`: a text that ends with a zero."""

PRINT_OPEN: Final = "printOpen"
"""`void ()`, as for the rest of them: `( `."""

PRINT_CLOSE: Final = "printClose"
PRINT_COMMA: Final = "printComma"
PRINT_NEWLINE: Final = "printNewline"

PRINT_FLOPS: Final = "printFlops"
"""`void (f64)`: operations in a second, on the standard error output."""

PRINTED_ELEMENTS: Final = {
    "I8": "i8",
    "I16": "i16",
    "I32": "i32",
    "I64": "i64",
    "Ind": "index",
    "F16": "f16",
    "BF16": "bf16",
    "F32": "f32",
    "F64": "f64",
    "C32": "complex<f32>",
    "C64": "complex<f64>",
}
"""The element types of buffers that are printed, by what they are called in names."""

PRINT_MEMREF: Final = "printMemref"
"""With the name of an element type, `void (i64 rank, ptr descriptor)`; as a C interface
`void (ptr to both)`. So too with `Shape` before that, without the contents, and with a
rank from 0 to 4 and `d`, `void (ptr descriptor)`."""

PRINT_FUNCTIONS: Final = frozenset(
    {
        PRINT_I64,
        PRINT_U64,
        PRINT_F16,
        PRINT_BF16,
        PRINT_F32,
        PRINT_F64,
        PRINT_STRING,
        PRINT_OPEN,
        PRINT_CLOSE,
        PRINT_COMMA,
        PRINT_NEWLINE,
        PRINT_FLOPS,
        *(
            f"{prefix}{PRINT_MEMREF}{kind}{element}"
            for element in PRINTED_ELEMENTS
            for prefix in ("", C_INTERFACE_PREFIX)
            for kind in ("", "Shape")
        ),
        *(
            f"{C_INTERFACE_PREFIX}{PRINT_MEMREF}{rank}d{element}"
            for element in PRINTED_ELEMENTS
            for rank in range(5)
        ),
    }
)
"""All of these, which the runtime serves."""

# Time: functions of the same libraries.

RT_CLOCK: Final = "rtclock"
"""`f64 ()`: seconds since 1970."""

NANO_TIME: Final = "nanoTime"
"""`i64 ()`: nanoseconds since 1970."""

CLOCK_FUNCTIONS: Final = frozenset(
    prefix + name
    for name in (RT_CLOCK, NANO_TIME)
    for prefix in ("", C_INTERFACE_PREFIX)
)
"""All of these, which the runtime serves."""

# Threads: the functions of an OpenMP runtime, with the names and types of libgomp.

GOMP_PARALLEL: Final = "GOMP_parallel"
"""`void (ptr function, ptr data, i32 threads, i32 flags)`: each thread of a new team
calls the function with the data; returns when all have. 0 threads: as the runtime
says."""

GOMP_BARRIER: Final = "GOMP_barrier"
"""`void ()`: wait until all threads of the team are here."""

GOMP_LOOP_DYNAMIC_START: Final = "GOMP_loop_ull_dynamic_start"
"""`bool (i32 up, i64 start, i64 end, i64 step, i64 chunk, ptr first, ptr behind)`:
begin a loop that the threads of the team share. The result says whether there is a
chunk for the calling thread: the iterations from `first` to before `behind`. The loop
counts up or down, in unsigned numbers."""

GOMP_LOOP_DYNAMIC_NEXT: Final = "GOMP_loop_ull_dynamic_next"
"""`bool (ptr first, ptr behind)`: the same for the next chunk."""

GOMP_LOOP_END_NOWAIT: Final = "GOMP_loop_end_nowait"
"""`void ()`: this thread has done with the loop."""

OMP_GET_THREAD_NUM: Final = "omp_get_thread_num"
"""`i32 ()`: the number of the thread in its team, from 0."""

OMP_GET_NUM_THREADS: Final = "omp_get_num_threads"
"""`i32 ()`: the size of the team."""

THREAD_FUNCTIONS: Final = (
    GOMP_PARALLEL,
    GOMP_BARRIER,
    GOMP_LOOP_DYNAMIC_START,
    GOMP_LOOP_DYNAMIC_NEXT,
    GOMP_LOOP_END_NOWAIT,
    OMP_GET_THREAD_NUM,
    OMP_GET_NUM_THREADS,
)
"""All of these, which the runtime finds in the system."""

# Loops that threads share in this process, by a team of our own.

SHARE_LOOP: Final = "xbuf_share_loop"
"""`void (ptr function, ptr data, i32 threads)`: call
`void function(ptr data, i64 share, i64 shares, ptr rest)` once for each share, on
several threads; returns when all have returned. 0 threads: as the environment says."""

TAKE_ITERATIONS: Final = "xbuf_take_iterations"
"""`i64 (ptr rest, i64 count)`: take so many of the iterations that all shares have in
common. The result says how many were taken before, by anybody."""

TEAM_FUNCTIONS: Final = (SHARE_LOOP, TAKE_ITERATIONS)
"""Both of these, which the runtime serves."""

# The descriptor of a ranked memref: a struct of
# `{ptr allocated, ptr aligned, i64 offset, [rank x i64] sizes, [rank x i64] strides}`,
# of which a rank of 0 has only the first three fields. Offset, sizes and strides count
# elements. Each field is a machine word.

ALLOCATED_FIELD: Final = 0
ALIGNED_FIELD: Final = 1
OFFSET_FIELD: Final = 2
SIZES_FIELD: Final = 3
STRIDES_FIELD: Final = 4


def descriptor_words(rank: int) -> int:
    """Return the number of 64-bit words in the descriptor of a memref of `rank`."""
    return 3 + 2 * rank


ELEMENT_BYTES: Final = {
    "i1": 1,
    "i8": 1,
    "i16": 2,
    "i32": 4,
    "i64": 8,
    "index": 8,
    "f16": 2,
    "bf16": 2,
    "f32": 4,
    "f64": 8,
    "complex<f32>": 8,
    "complex<f64>": 16,
}
"""Size in memory of the element types that have one here and in NumPy."""

COMPLEX_PARTS: Final = {"complex<f32>": "f32", "complex<f64>": "f64"}
"""The types of the real and the imaginary part, which follow each other in memory."""

PASSED_BY_VALUE: Final = frozenset(ELEMENT_BYTES)
"""Types that a caller in Python can pass and receive as numbers."""


# Signatures.


@dataclass(frozen=True)
class StridedLayout:
    """A `strided<[...], offset: ...>` layout; None is dynamic."""

    strides: tuple[int | None, ...]
    offset: int | None = 0

    @override
    def __str__(self) -> str:
        strides = ", ".join(map(_extent, self.strides))
        offset = "" if self.offset == 0 else f", offset: {_extent(self.offset)}"
        return f"strided<[{strides}]{offset}>"


@dataclass(frozen=True)
class MemRefSignature:
    """A buffer that is passed or returned; a dimension that is None is dynamic."""

    element: str
    shape: tuple[int | None, ...]
    layout: StridedLayout | None = None
    """None is the identity layout: row-major, contiguous, from offset 0."""

    written: bool = True
    """Whether the function may write into the buffer. When unsure: True."""

    name: str = ""

    read: bool = True
    """Whether the function may read the buffer. When unsure: True."""

    is_value: bool = False
    """Whether the program says that callers keep the contents: it was a tensor."""

    donated: bool = False
    """Whether callers give the contents away, though the argument is a value."""

    in_argument: int | None = None
    """Of a result: the argument that it is, which the compiled code does not return."""

    @property
    def access(self) -> str:
        """What becomes of the buffer, in words: `read`, `read and written`, ..."""
        accesses = [*["read"] * self.read, *["written"] * self.written]
        words = " and ".join(accesses) or "unused"
        if self.donated:
            return f"{words}, donated"
        return f"{words} in a copy" if self.is_copied else words

    @property
    def is_kept(self) -> bool:
        """Whether the contents that a caller passes must stay as they are."""
        return self.is_value and not self.donated

    @property
    def is_copied(self) -> bool:
        """Whether a call passes a copy, which the function may then write into."""
        return self.written and self.is_kept

    @property
    def is_written_in_place(self) -> bool:
        """Whether the function may write into memory of the caller."""
        return self.written and not self.is_kept

    @override
    def __str__(self) -> str:
        layout = "" if self.layout is None else f", {self.layout}"
        return f"{self.element}[{'x'.join(map(_extent, self.shape))}{layout}]"


@dataclass(frozen=True)
class ScalarSignature:
    """A number that is passed or returned by value."""

    element: str
    name: str = ""

    @override
    def __str__(self) -> str:
        return self.element


ValueSignature = MemRefSignature | ScalarSignature


def is_in_argument(result: ValueSignature) -> bool:
    """Whether a result is an argument's buffer, and is not returned."""
    return isinstance(result, MemRefSignature) and result.in_argument is not None


@dataclass(frozen=True)
class FunctionSignature:
    """What a caller of a compiled function must know."""

    name: str
    arguments: tuple[ValueSignature, ...]
    results: tuple[ValueSignature, ...]
    """What a caller in Python gets."""

    @property
    def returned(self) -> tuple[ValueSignature, ...]:
        """The results that the compiled code returns: those in no argument."""
        return tuple(each for each in self.results if not is_in_argument(each))

    @override
    def __str__(self) -> str:
        arguments = ", ".join(map(str, self.arguments))
        results = ", ".join(map(str, self.results))
        return f"{self.name}({arguments}) -> ({results})"

    def with_accesses(self) -> str:
        """The signature with names, and with what becomes of each buffer."""
        arguments = ", ".join(map(_described, self.arguments))
        results = ", ".join(map(_with_name, self.results))
        return f"{self.name}({arguments}) -> ({results})"


def _described(argument: ValueSignature) -> str:
    if isinstance(argument, ScalarSignature):
        return _with_name(argument)
    return f"{_with_name(argument)} {argument.access}"


def _with_name(value: ValueSignature) -> str:
    return f"{value.name}: {value}" if value.name else str(value)


def _extent(extent: int | None) -> str:
    return "?" if extent is None else str(extent)
