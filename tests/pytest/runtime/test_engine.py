"""LLVM IR with MLIR's calling convention, run on NumPy arrays."""

import gc
import subprocess
import sys
import threading
import time
import weakref
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from xdsl_bufferization.runtime import (
    ArgumentError,
    CompiledModule,
    CountingHeap,
    EngineError,
    FreedResultError,
    ProcessHeap,
    compile_llvm_ir,
)
from xdsl_bufferization.runtime.bfloat16 import bfloat16, show_bfloat16
from xdsl_bufferization.runtime.processors.processor import this_processor
from xdsl_bufferization.runtime.scalar import ScalarCodec
from xdsl_bufferization.support.abi import (
    FunctionSignature,
    MemRefSignature,
    ScalarSignature,
    StridedLayout,
)

PREAMBLE = """
%m0 = type { ptr, ptr, i64 }
%m1 = type { ptr, ptr, i64, [1 x i64], [1 x i64] }
%m2 = type { ptr, ptr, i64, [2 x i64], [2 x i64] }
declare ptr @malloc(i64)
declare void @free(ptr)
declare ptr @_mlir_memref_to_llvm_alloc(i64)
declare void @_mlir_memref_to_llvm_free(ptr)
declare void @_xbuf_count_copy(i64)
"""

VECTOR = MemRefSignature("f32", (None,))
STRIDED = MemRefSignature("f32", (None,), StridedLayout((None,), None))

# Store 7 into element %i of a vector.
STORE = """
define void @_mlir_ciface_f(ptr %x, i64 %i) {
  %d = load %m1, ptr %x
  %aligned = extractvalue %m1 %d, 1
  %offset = extractvalue %m1 %d, 2
  %stride = extractvalue %m1 %d, 4, 0
  %step = mul i64 %stride, %i
  %at = add i64 %offset, %step
  %p = getelementptr float, ptr %aligned, i64 %at
  store float 7.0, ptr %p
  ret void
}
"""

# Return a vector of four floats, all 5, whose allocation starts 64 bytes before.
FRESH = """
define void @_mlir_ciface_f(ptr %result) {
  %p = call ptr @_mlir_memref_to_llvm_alloc(i64 80)
  %aligned = getelementptr i8, ptr %p, i64 64
  store <4 x float> splat (float 5.0), ptr %aligned, align 4
  %d0 = insertvalue %m1 poison, ptr %p, 0
  %d1 = insertvalue %m1 %d0, ptr %aligned, 1
  %d2 = insertvalue %m1 %d1, i64 0, 2
  %d3 = insertvalue %m1 %d2, i64 4, 3, 0
  %d4 = insertvalue %m1 %d3, i64 1, 4, 0
  store %m1 %d4, ptr %result
  ret void
}
"""

# Return the argument itself.
IDENTITY = """
define void @_mlir_ciface_f(ptr %result, ptr %x) {
  %d = load %m1, ptr %x
  store %m1 %d, ptr %result
  ret void
}
"""

# Return the two halves of one allocation of four doubles, and a number.
HALVES = """
define void @_mlir_ciface_f(ptr %result) {
  %p = call ptr @_mlir_memref_to_llvm_alloc(i64 32)
  store <4 x double> <double 0.0, double 1.0, double 2.0, double 3.0>, ptr %p, align 8
  %d0 = insertvalue { %m1, i32, %m1 } poison, ptr %p, 0, 0
  %d1 = insertvalue { %m1, i32, %m1 } %d0, ptr %p, 0, 1
  %d2 = insertvalue { %m1, i32, %m1 } %d1, i64 0, 0, 2
  %d3 = insertvalue { %m1, i32, %m1 } %d2, i64 2, 0, 3, 0
  %d4 = insertvalue { %m1, i32, %m1 } %d3, i64 1, 0, 4, 0
  %e0 = insertvalue { %m1, i32, %m1 } %d4, ptr %p, 2, 0
  %e1 = insertvalue { %m1, i32, %m1 } %e0, ptr %p, 2, 1
  %e2 = insertvalue { %m1, i32, %m1 } %e1, i64 3, 2, 2
  %e3 = insertvalue { %m1, i32, %m1 } %e2, i64 2, 2, 3, 0
  %e4 = insertvalue { %m1, i32, %m1 } %e3, i64 -1, 2, 4, 0
  %r = insertvalue { %m1, i32, %m1 } %e4, i32 -9, 1
  store { %m1, i32, %m1 } %r, ptr %result
  ret void
}
"""
HALF = MemRefSignature("f64", (2,), StridedLayout((None,), None))

# Return a global, with the allocated pointer that MLIR gives to globals.
GLOBAL = """
@weights = private constant [2 x float] [float 1.0, float 2.0], align 64
define void @_mlir_ciface_f(ptr %result) {
  %d0 = insertvalue %m1 poison, ptr inttoptr (i64 3735928559 to ptr), 0
  %d1 = insertvalue %m1 %d0, ptr @weights, 1
  %d2 = insertvalue %m1 %d1, i64 0, 2
  %d3 = insertvalue %m1 %d2, i64 2, 3, 0
  %d4 = insertvalue %m1 %d3, i64 1, 4, 0
  store %m1 %d4, ptr %result
  ret void
}
"""


def compile_f(
    ir: str,
    arguments: tuple[MemRefSignature | ScalarSignature, ...] = (),
    results: tuple[MemRefSignature | ScalarSignature, ...] = (),
    **options: Any,
) -> CompiledModule:
    signature = FunctionSignature("f", arguments, results)
    return compile_llvm_ir(PREAMBLE + ir, [signature], **options)


def test_writes_reach_the_argument():
    f = compile_f(STORE, (VECTOR, ScalarSignature("index")))["f"]
    x = np.zeros(4, np.float32)
    assert f(x, 2) is None
    np.testing.assert_array_equal(x, [0, 0, 7, 0])


def test_writes_reach_exotic_views():
    f = compile_f(STORE, (STRIDED, ScalarSignature("index")))["f"]
    x = np.zeros(8, np.float32)
    f(x[1::3], 1)
    f(x[::-1], 0)
    np.testing.assert_array_equal(x, [0, 0, 0, 0, 7, 0, 0, 7])


@pytest.mark.parametrize("opt_level", [0, 3])
def test_owned_result(opt_level: int):
    heap = CountingHeap()
    module = compile_f(FRESH, (), (VECTOR,), heap=heap, opt_level=opt_level)
    result = module["f"]()
    np.testing.assert_array_equal(result, np.full(4, 5, np.float32))
    result[0] = 1  # The caller owns it, and may write.
    assert (heap.report().allocs, heap.report().frees) == (1, 0)
    view = result[1:].reshape(3, 1).T
    del result
    gc.collect()
    assert heap.report().live_bytes == 80
    np.testing.assert_array_equal(view, [[5, 5, 5]])
    del view
    gc.collect()
    report = heap.report()
    assert (report.frees, report.live_bytes, report.foreign_frees) == (1, 0, 0)


def test_results_outlive_their_module():
    heap = CountingHeap()
    result = compile_f(FRESH, (), (VECTOR,), heap=heap)["f"]()
    gc.collect()
    np.testing.assert_array_equal(result, np.full(4, 5, np.float32))
    del result
    gc.collect()
    assert heap.report().live_bytes == 0


@pytest.mark.skipif(sys.platform != "linux", reason="measures in kilobytes")
def test_owned_result_of_the_process_heap():
    """Two gigabytes pass through, and none stay."""
    import resource

    ir = FRESH.replace("i64 80", "i64 40000064").replace("i64 4, 3", "i64 10000000, 3")
    f = compile_f(ir, (), (VECTOR,))["f"]
    f().fill(1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(50):
        f().fill(1)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 200_000


@pytest.mark.parametrize("heap", ["CountingHeap()", "ProcessHeap()"])
def test_results_that_live_until_the_interpreter_exits(heap: str):
    program = f"""
from xdsl_bufferization.support.abi import FunctionSignature, MemRefSignature
from xdsl_bufferization.runtime import CountingHeap, ProcessHeap, compile_llvm_ir
signature = FunctionSignature("f", (), (MemRefSignature("f32", (None,)),))
module = compile_llvm_ir({PREAMBLE + FRESH!r}, [signature], heap={heap})
results = [module["f"]() for _ in range(10)]
cycle = [results]
cycle.append(cycle)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True)
    assert (run.returncode, run.stderr) == (0, b"")


def test_collected_in_another_thread():
    heap = CountingHeap()
    results = [compile_f(FRESH, (), (VECTOR,), heap=heap)["f"]()]
    thread = threading.Thread(target=results.clear)
    thread.start()
    thread.join()
    assert heap.report().live_bytes == 0


def test_calls_from_several_threads():
    f = compile_f(STORE, (VECTOR, ScalarSignature("index")))["f"]
    arrays = [np.zeros(1000, np.float32) for _ in range(4)]

    def fill(x: np.ndarray[Any, Any]) -> None:
        for index in range(len(x)):
            f(x, index)

    threads = [threading.Thread(target=fill, args=(x,)) for x in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for x in arrays:
        np.testing.assert_array_equal(x, np.full(1000, 7, np.float32))


def test_result_that_is_the_argument():
    heap = CountingHeap()
    f = compile_f(IDENTITY, (VECTOR,), (VECTOR,), heap=heap)["f"]
    x = np.array([1, 2, 3], np.float32)
    alive = weakref.ref(x)
    result = f(x)
    assert np.shares_memory(result, x)
    result[0] = 9
    assert x[0] == 9
    del x
    gc.collect()
    assert alive() is not None
    np.testing.assert_array_equal(result, [9, 2, 3])
    del result
    gc.collect()
    assert alive() is None
    assert heap.report().foreign_frees == 0


def test_result_that_is_a_read_only_argument():
    read = MemRefSignature("f32", (None,), written=False)
    f = compile_f(IDENTITY, (read,), (VECTOR,))["f"]
    x = np.zeros(2, np.float32)
    assert f(x).flags.writeable
    x.flags.writeable = False
    assert not f(x).flags.writeable


def test_result_passed_on():
    """A returned buffer that is passed and returned again has one owner."""
    heap = CountingHeap()
    fresh = compile_f(FRESH, (), (VECTOR,), heap=heap)["f"]
    identity = compile_f(IDENTITY, (VECTOR,), (VECTOR,), heap=heap)["f"]
    result = identity(identity(fresh()))
    gc.collect()
    assert heap.report().frees == 0
    np.testing.assert_array_equal(result, np.full(4, 5, np.float32))
    del result
    gc.collect()
    assert (heap.report().frees, heap.report().live_bytes) == (1, 0)


@pytest.mark.parametrize("counting", [True, False])
def test_two_results_in_one_allocation(counting: bool):
    heap = CountingHeap() if counting else ProcessHeap()
    results = (HALF, ScalarSignature("i32"), HALF)
    low, number, high = compile_f(HALVES, (), results, heap=heap)["f"]()
    assert number == -9 and type(number) is np.int32
    np.testing.assert_array_equal(high, [3, 2])  # Strided backwards.
    del high
    gc.collect()
    np.testing.assert_array_equal(low, [0, 1])
    assert not isinstance(heap, CountingHeap) or heap.report().frees == 0
    del low
    gc.collect()
    assert not isinstance(heap, CountingHeap) or heap.report().frees == 1


@pytest.mark.parametrize("counting", [True, False])
def test_global(counting: bool):
    heap = CountingHeap() if counting else ProcessHeap()
    result = compile_f(GLOBAL, (), (VECTOR,), heap=heap)["f"]()
    gc.collect()  # The array keeps the code loaded.
    np.testing.assert_array_equal(result, [1, 2])
    with pytest.raises(ValueError, match="read-only"):
        result[0] = 3


@pytest.mark.parametrize("size", [0, 16])
def test_zero_size_result(size: int):
    heap = CountingHeap()
    ir = FRESH.replace("i64 80", f"i64 {64 + size}")
    ir = ir.replace("i64 4, 3, 0", "i64 0, 3, 0")
    ir = ir.replace(
        "  store <4 x float> splat (float 5.0), ptr %aligned, align 4\n", ""
    )
    result = compile_f(ir, (), (VECTOR,), heap=heap)["f"]()
    assert result.shape == (0,) and result.dtype == np.float32
    assert heap.report().live_bytes == 0  # There is nothing to keep.


def test_rank_0_result():
    ir = """
    define void @_mlir_ciface_f(ptr %result) {
      %p = call ptr @malloc(i64 8)
      store i64 -5, ptr %p
      %d0 = insertvalue %m0 poison, ptr %p, 0
      %d1 = insertvalue %m0 %d0, ptr %p, 1
      %d2 = insertvalue %m0 %d1, i64 0, 2
      store %m0 %d2, ptr %result
      ret void
    }
    """
    heap = CountingHeap()
    result = compile_f(ir, (), (MemRefSignature("index", ()),), heap=heap)["f"]()
    assert result.shape == () and result[()] == -5
    del result
    gc.collect()
    assert (heap.report().allocs, heap.report().live_bytes) == (1, 0)


def test_double_and_foreign_free_in_code():
    ir = """
    define void @_mlir_ciface_f(ptr %x) {
      %p = call ptr @_mlir_memref_to_llvm_alloc(i64 8)
      call void @_mlir_memref_to_llvm_free(ptr %p)
      call void @_mlir_memref_to_llvm_free(ptr %p)
      %x0 = load ptr, ptr %x
      call void @_mlir_memref_to_llvm_free(ptr %x0)
      call void @_xbuf_count_copy(i64 24)
      ret void
    }
    """
    heap = CountingHeap()
    x = np.zeros(2, np.float32)
    compile_f(ir, (VECTOR,), heap=heap)["f"](x)
    report = heap.report()
    assert (report.allocs, report.frees) == (1, 1)
    assert (report.double_frees, report.foreign_frees) == (1, 1)
    assert (report.copies, report.copied_bytes) == (1, 24)


def test_freed_result():
    free = "  call void @_mlir_memref_to_llvm_free(ptr %p)\n  ret void"
    module = compile_f(
        FRESH.replace("  ret void", free), (), (VECTOR,), heap=CountingHeap()
    )
    with pytest.raises(FreedResultError, match=r"f: result 0: .* had freed"):
        module["f"]()


def test_poison_shows_unwritten_memory():
    ir = FRESH.replace(
        "  store <4 x float> splat (float 5.0), ptr %aligned, align 4\n", ""
    )
    heap = CountingHeap(poison=True)
    assert np.isnan(compile_f(ir, (), (VECTOR,), heap=heap)["f"]()).all()


@pytest.mark.parametrize(
    ("element", "llvm", "value", "expected"),
    [
        ("i1", "i1", True, np.True_),
        ("i1", "i1", np.False_, np.False_),
        ("i8", "i8", -128, np.int8(-128)),
        ("i8", "i8", np.uint8(255), np.int8(-1)),
        ("i16", "i16", np.int16(-3), np.int16(-3)),
        ("i32", "i32", -(2**31), np.int32(-(2**31))),
        ("i64", "i64", np.uint64(2**63), np.int64(-(2**63))),
        ("i32", "i32", np.array(2**31, np.uint32), np.int32(-(2**31))),
        ("f16", "half", 0.1, np.float16(0.1)),
        ("f16", "half", np.float16(-65504), np.float16(-65504)),
        ("f16", "half", -np.inf, np.float16(-np.inf)),
        ("index", "i64", np.array(12), np.int64(12)),
        ("f32", "float", 0.1, np.float32(0.1)),
        ("f32", "float", np.array(0.5), np.float32(0.5)),
        ("f64", "double", np.float64(0.1), np.float64(0.1)),
        ("f64", "double", 3, np.float64(3)),
    ],
)
def test_scalars(element: str, llvm: str, value: object, expected: Any):
    scalar = ScalarSignature(element)
    alone = f"define {llvm} @_mlir_ciface_f({llvm} %x) {{ ret {llvm} %x }}"
    result = compile_f(alone, (scalar,), (scalar,))["f"](value)
    assert type(result) is type(expected) and result == expected
    struct = f"{{ {llvm}, i8, {llvm} }}"
    pair = f"""
    define void @_mlir_ciface_f(ptr %r, {llvm} %x) {{
      %s0 = insertvalue {struct} poison, {llvm} %x, 0
      %s1 = insertvalue {struct} %s0, i8 3, 1
      %s2 = insertvalue {struct} %s1, {llvm} %x, 2
      store {struct} %s2, ptr %r
      ret void
    }}
    """
    results = (scalar, ScalarSignature("i8"), scalar)
    assert compile_f(pair, (scalar,), results)["f"](value) == (expected, 3, expected)


@pytest.mark.parametrize(
    ("element", "value", "message"),
    [
        ("i8", 256, "256 does not fit in i8, which is from -128 to 127"),
        ("i8", 255, "255 does not fit in i8"),
        ("i8", np.uint16(255), "255 does not fit in i8"),
        ("i32", 2**31, "2147483648 does not fit in i32, .* -2147483648 to 2147483647"),
        ("i64", 2**63, "9223372036854775808 does not fit in i64"),
        ("i1", -1, "-1 does not fit in i1, which is from 0 to 1"),
        ("f16", 65520, "65520 does not fit in f16, whose largest number is 65504"),
        ("bf16", 3.4e38, "3.4e.38 does not fit in bf16"),
        ("f32", 1e300, "1e.300 does not fit in f32"),
        ("f64", 10**400, "1000.* does not fit in f64"),
        ("i8", 1.5, "expected a number of type i8, got float"),
        ("i1", 2, "2 does not fit in i1"),
        ("f32", "1", "expected a number of type f32, got str"),
        ("f32", 1j, "expected a number of type f32, got complex"),
        ("f64", np.zeros(2), "expected a number of type f64, got ndarray"),
    ],
)
def test_wrong_scalars(element: str, value: object, message: str):
    ir = "define void @_mlir_ciface_f(i64 %x) { ret void }"
    f = compile_f(ir, (ScalarSignature(element),))["f"]
    with pytest.raises(ArgumentError, match=f"f: argument 0: {message}"):
        f(value)


def test_errors_name_the_argument():
    named = MemRefSignature("f32", (2,), name="weights")
    f = compile_f(STORE, (named, ScalarSignature("index")))["f"]
    with pytest.raises(ArgumentError) as error:
        f(np.zeros(3), 0)
    assert str(error.value) == (
        "f: argument 0 (%weights): expected f32[2], got float64 array of shape (3,)"
    )
    assert (error.value.index, error.value.name) == (0, "weights")
    assert isinstance(error.value, TypeError) and isinstance(error.value, ValueError)
    with pytest.raises(ArgumentError, match="f: argument 1: expected a number"):
        f(np.zeros(2, np.float32), "0")
    with pytest.raises(ArgumentError, match="f: expected 2 arguments, got 1"):
        f(np.zeros(2, np.float32))


def test_half_precision():
    ir = """
    define void @_mlir_ciface_f(ptr %x, double %v) {
      %d = load %m1, ptr %x
      %aligned = extractvalue %m1 %d, 1
      %h = fptrunc double %v to half
      store half %h, ptr %aligned
      ret void
    }
    """
    signature = (MemRefSignature("f16", (1,)), ScalarSignature("f64"))
    x = np.zeros(1, np.float16)
    compile_f(ir, signature)["f"](x, 0.1)
    assert x[0] == np.float16(0.1)


def test_every_half_passes_through_unchanged():
    ir = "define half @_mlir_ciface_f(half %x) { ret half %x }"
    scalar = ScalarSignature("f16")
    f = compile_f(ir, (scalar,), (scalar,))["f"]
    every = np.arange(0, 1 << 16, 7).astype(np.uint16).view(np.float16)
    for half in every[~np.isnan(every)]:
        assert f(half).tobytes() == half.tobytes()
    assert np.isnan(f(np.nan))


def test_bfloat16_is_rounded_once():
    ir = "define i16 @_mlir_ciface_f(i16 %x) { ret i16 %x }"
    scalar = ScalarSignature("bf16")
    f = compile_f(ir, (scalar,), (scalar,))["f"]
    for number, bits in (
        (1.0, 0x3F80),
        (-2.5, 0xC020),
        (1 + 2**-8, 0x3F80),
        (1 + 2**-8 + 2**-40, 0x3F81),
        (1 + 3 * 2**-8 - 2**-40, 0x3F81),
        (np.inf, 0x7F80),
        (np.uint16(0x4000), 0x4000),
        (np.array(0x4000, np.uint16), 0x4000),
    ):
        assert f(number).tobytes() == np.uint16(bits).tobytes(), number
    assert np.isnan(np.float32(f(np.nan))) or f(np.nan) == 0x7FC0


@pytest.mark.parametrize("is_installed", [True, False])
def test_bfloat16_comes_back_as_what_is_installed(
    is_installed: bool, monkeypatch: pytest.MonkeyPatch
):
    expected = np.dtype(ml_dtypes.bfloat16 if is_installed else np.uint16)
    if not is_installed:
        monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    bfloat16.cache_clear()
    try:
        shown = [
            show_bfloat16(np.array([0x3F80], np.uint16)),
            ScalarCodec(ScalarSignature("bf16")).unpack(0x3F80),
        ]
    finally:
        bfloat16.cache_clear()
    assert [each.dtype for each in shown] == [expected] * 2
    assert [each.tobytes() for each in shown] == [b"\x80\x3f"] * 2


def test_numbers_for_tensors_of_rank_0():
    ir = """
    define float @_mlir_ciface_f(ptr %x) {
      %aligned = getelementptr ptr, ptr %x, i64 1
      %first = load ptr, ptr %aligned
      %value = load float, ptr %first
      ret float %value
    }
    """
    kept = MemRefSignature("f32", (), is_value=True, written=False)
    result = (ScalarSignature("f32"),)
    f = compile_f(ir, (kept,), result)["f"]
    for value in (1.5, np.float32(1.5), np.array(1.5, np.float32)):
        assert f(value) == 1.5
    assert f(3) == 3
    for value, message in (
        (np.float64(1), "expected f32.*, got float64 array"),
        (1e300, "does not fit in f32"),
        ("1", "expected an array"),
        (1j, "expected a number of type f32, got complex"),
    ):
        with pytest.raises(ArgumentError, match=message):
            f(value)
    buffer = compile_f(ir, (MemRefSignature("f32", ()),), result)["f"]
    assert buffer(np.array(2.5, np.float32)) == 2.5
    with pytest.raises(ArgumentError, match="expected an array of rank 0, got float32"):
        buffer(np.float32(1))


def test_undefined_symbols_are_named():
    ir = """
    declare void @nowhere(ptr)
    declare float @expf(float)
    @lost = external global float
    define void @_mlir_ciface_f() {
      call void @nowhere(ptr @lost)
      %x = call float @expf(float 1.0)
      ret void
    }
    """
    with pytest.raises(EngineError, match="undefined symbol: nowhere, lost;"):
        compile_f(ir)


def test_given_symbols():
    import ctypes

    seen: list[int] = []
    callback = ctypes.CFUNCTYPE(None, ctypes.c_int64)(seen.append)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    assert address is not None
    ir = """
    declare void @tell(i64)
    define void @_mlir_ciface_f() { call void @tell(i64 42)
      ret void }
    """
    compile_f(ir, symbols={"tell": address})["f"]()
    assert seen == [42]


def test_copies_are_counted_by_a_counting_heap_only():
    ir = """
    define void @_mlir_ciface_f() { call void @_xbuf_count_copy(i64 8)
      ret void }
    """
    with pytest.raises(EngineError, match="undefined symbol: _xbuf_count_copy"):
        compile_f(ir)


def test_a_function_named_like_the_heap():
    ir = """
    define void @_mlir_memref_to_llvm_free(ptr %p) { ret void }
    define void @_mlir_ciface_f(ptr %x) {
      call void @_mlir_memref_to_llvm_free(ptr %x)
      ret void
    }
    """
    preamble = PREAMBLE.replace("declare void @_mlir_memref_to_llvm_free(ptr)", "")
    signature = FunctionSignature("f", (VECTOR,), ())
    heap = CountingHeap()
    compile_llvm_ir(preamble + ir, [signature], heap=heap)["f"](np.zeros(1, np.float32))
    assert heap.report().foreign_frees == 0


def test_malformed_ir():
    with pytest.raises(EngineError, match=r"malformed LLVM IR: .*\n?.*1:1"):
        compile_llvm_ir("nonsense", [])


def test_missing_wrapper():
    with pytest.raises(EngineError, match="does not define _mlir_ciface_f"):
        compile_f("define void @f() { ret void }")


def test_unknown_function_and_level():
    module = compile_f(FRESH, (), (VECTOR,))
    assert list(module) == ["f"]
    with pytest.raises(KeyError, match="no compiled function 'g'; there is f"):
        module["g"]
    with pytest.raises(ValueError, match="opt_level"):
        compile_f(FRESH, (), (VECTOR,), opt_level=4)


def test_compile_seconds():
    started = time.perf_counter()
    module = compile_f(FRESH, (), (VECTOR,))
    passed = time.perf_counter() - started
    assert 0 < module["f"].compile_seconds == module.compile_seconds <= passed


def test_code_is_vectorised():
    """The default target is the processor at hand."""
    from xdsl_bufferization.runtime import llvm

    loop = """
    define void @sum(ptr noalias %x, ptr noalias %y) {
    entry:
      br label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %next, %loop ]
      %px = getelementptr float, ptr %x, i64 %i
      %py = getelementptr float, ptr %y, i64 %i
      %a = load float, ptr %px
      %b = load float, ptr %py
      %c = fadd float %a, %b
      store float %c, ptr %py
      %next = add i64 %i, 1
      %done = icmp eq i64 %next, 1024
      br i1 %done, label %exit, label %loop
    exit:
      ret void
    }
    """
    machine = llvm.target_machine(this_processor(), 3)
    module = llvm.parse(loop)
    llvm.optimize(module, machine, 3)
    assert " x float>" in str(module)


def test_runtime_does_not_load_the_compiler():
    program = (
        "import sys, xdsl_bufferization.runtime as r; r.compile_llvm_ir; "
        "sys.exit('xdsl' in sys.modules or 'llvmlite' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
