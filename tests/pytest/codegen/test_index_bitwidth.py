"""Programs whose index has 32 bits: executed, and compared with MLIR's lowering."""

import re
import shutil
import subprocess
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from harness.cases import memory, scalars, vectors
from harness.cases.case import Case
from harness.running.narrow_index import (
    NarrowFunction,
    compile_narrow,
    load_narrow,
    narrow_ir,
)
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.codegen.xsmm.convert_xsmm_to_func import (
    convert_xsmm_to_func,
)
from xdsl_bufferization.pipelines.parallel_loops_to_openmp import (
    ParallelLoopsToOpenMPPass,
)
from xdsl_bufferization.pipelines.signatures import public_functions, signature_of
from xdsl_bufferization.pipelines.to_llvm import ToLLVMPass
from xdsl_bufferization.support.errors import OperationError

Parse = Callable[[str], ModuleOp]
MLIROpt = Callable[..., str]
Array = np.ndarray[Any, Any]

_NEEDS_64_BITS = {
    "index_arithmetic",
    "bits_of_indices",
    "constants_and_undefined_behaviour",
}
"""Cases that compute with numbers of 64 bits, or ask how many there are."""

CASES = [
    case
    for case in (*scalars.CASES, *memory.CASES, *vectors.CASES)
    if case.name not in _NEEDS_64_BITS
]


@pytest.mark.volume(sample=14)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_cases_compute_the_same_with_32_bits(parse: Parse, case: Case):
    program: Any = compile_narrow(parse(case.program), use_generic_functions=True)
    case.check(program)
    assert program.heap.report().live_bytes == 0


# The types of functions.

SIGNATURES = """
func.func @ranked(%m: memref<?x4xf32>, %i: index) -> memref<?x4xf32> {
  func.return %m : memref<?x4xf32>
}
func.func @scalar(%m: memref<f32>, %i: i64) -> (memref<f32>, index) {
  %c0 = arith.constant 0 : index
  func.return %m, %c0 : memref<f32>, index
}
func.func @unranked(%m: memref<4xf32>) -> memref<*xf32> {
  %u = memref.cast %m : memref<4xf32> to memref<*xf32>
  func.return %u : memref<*xf32>
}
func.func @takes_any(%m: memref<*xindex>, %v: vector<4xindex>) -> vector<4xindex> {
  func.return %v : vector<4xindex>
}
func.func @heap(%n: index) -> memref<?xindex> {
  %m = memref.alloc(%n) {alignment = 64 : i64} : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xindex>
  memref.copy %a, %m : memref<?xindex> to memref<?xindex>
  memref.dealloc %a : memref<?xindex>
  func.return %m : memref<?xindex>
}
func.func @view(%m: memref<8x8xf32>, %i: index, %j: i64)
    -> memref<2x?xf32, strided<[8, ?], offset: ?>> {
  %k = arith.index_cast %j : i64 to index
  %s = memref.subview %m[%i, 0] [2, %k] [1, %i]
    : memref<8x8xf32> to memref<2x?xf32, strided<[8, ?], offset: ?>>
  func.return %s : memref<2x?xf32, strided<[8, ?], offset: ?>>
}
func.func @cast(%m: memref<*xf32>, %i: index)
    -> memref<?xf32, strided<[?], offset: ?>> {
  %r = memref.reinterpret_cast %m to offset: [%i], sizes: [%i], strides: [%i]
    : memref<*xf32> to memref<?xf32, strided<[?], offset: ?>>
  func.return %r : memref<?xf32, strided<[?], offset: ?>>
}
func.func @wrapped(%m: memref<4xf32>, %i: index) -> (memref<4xf32>, index)
    attributes {llvm.emit_c_interface} {
  func.return %m, %i : memref<4xf32>, index
}
func.func private @external(memref<*xf32>, index) -> index
"""

MLIR_LOWERING = (
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--finalize-memref-to-llvm=index-bitwidth=32",
    "--convert-arith-to-llvm=index-bitwidth=32",
    "--convert-index-to-llvm=index-bitwidth=32",
    "--convert-cf-to-llvm=index-bitwidth=32",
    "--convert-func-to-llvm=index-bitwidth=32",
    "--reconcile-unrealized-casts",
)


def signatures(text: str) -> dict[str, str]:
    """The parameter and result types of the functions in a module of the llvm dialect.

    Names of arguments and attributes are left out, which tools print differently.
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        if match := re.match(r" *llvm\.func (?:private )?@(\w+)(\(.*)", line):
            name, type = match.groups()
            type = re.sub(r"%\w+: |\{$|attributes .*|!llvm\.", "", type)
            found[name] = type.strip()
    return found


@pytest.mark.oracle
def test_functions_have_the_types_of_mlir(parse: Parse, mlir_opt: MLIROpt):
    module = parse(SIGNATURES)
    ToLLVMPass(index_bitwidth=32).apply(Context(), module)
    # Both are printed by mlir-opt, which also checks what we made.
    ours = signatures(mlir_opt(str(module)))
    theirs = signatures(mlir_opt(SIGNATURES, *MLIR_LOWERING))
    assert "i64" not in theirs["ranked"]
    assert ours["malloc"] == "(i32) -> ptr"
    assert ours == theirs


@pytest.mark.oracle
def test_constants_are_those_of_mlir(parse: Parse, mlir_opt: MLIROpt):
    """MLIR leaves the cutting to the translation to LLVM IR."""
    text = """
    func.func @f() -> (index, index, index) {
      %a = arith.constant 4294967301 : index
      %b = arith.constant -4294967301 : index
      %c = arith.constant 3000000000 : index
      func.return %a, %b, %c : index, index, index
    }"""
    ours = narrow_ir(parse(text))
    theirs = translated(mlir_opt(text, *MLIR_LOWERING))
    expected = [5, -5, 3000000000 - 2**32]
    for found in (ours, theirs):
        numbers = [int(each) for each in re.findall(r"i32 (-?\d+)", found)]
        assert [each for each in numbers if each not in (0, 1, 2)][:3] == expected


def translated(text: str) -> str:
    """The LLVM IR of a module of the llvm dialect."""
    tool = shutil.which("mlir-translate-22")
    assert tool is not None, "mlir-translate-22 comes with mlir-opt-22"
    run = subprocess.run(
        [tool, "--mlir-to-llvmir", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout


STRIDED = "memref<?x?xf32, strided<[?, ?], offset: ?>>"
ROW = "memref<?xf32, strided<[?], offset: ?>>"

CALLEE = f"""
func.func @pick(%m: {STRIDED}, %i: index) -> ({ROW}, memref<?xf32>, index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c1 : {STRIDED}
  %row = memref.subview %m[%i, 0] [1, %n] [1, 1] : {STRIDED} to {ROW}
  %new = memref.alloc(%n) : memref<?xf32>
  scf.for %j = %c0 to %n step %c1 {{
    %x = memref.load %row[%j] : {ROW}
    %y = arith.addf %x, %x : f32
    memref.store %y, %new[%j] : memref<?xf32>
  }}
  func.return %row, %new, %n : {ROW}, memref<?xf32>, index
}}
func.func @turn(%m: memref<*xf32>) -> (memref<*xf32>, index) {{
  %n = memref.rank %m : memref<*xf32>
  %r = memref.cast %m : memref<*xf32> to memref<3x4xf32>
  %t = memref.reinterpret_cast %r to offset: [0], sizes: [4, 3], strides: [1, 4]
    : memref<3x4xf32> to memref<4x3xf32, strided<[1, 4]>>
  %u = memref.cast %t : memref<4x3xf32, strided<[1, 4]>> to memref<*xf32>
  func.return %u, %n : memref<*xf32>, index
}}
"""

DECLARATIONS = f"""
func.func private @pick({STRIDED}, index) -> ({ROW}, memref<?xf32>, index)
func.func private @turn(memref<*xf32>) -> (memref<*xf32>, index)
"""

CALLER = f"""
func.func @main(%m: memref<3x4xf32>, %i: index, %j: index)
    -> (f32, f32, f32, index, index, index) {{
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %d = memref.cast %m : memref<3x4xf32> to {STRIDED}
  %row, %new, %n = func.call @pick(%d, %i)
    : ({STRIDED}, index) -> ({ROW}, memref<?xf32>, index)
  %v = memref.load %row[%j] : {ROW}
  %w = memref.load %new[%j] : memref<?xf32>
  memref.dealloc %new : memref<?xf32>
  %u = memref.cast %m : memref<3x4xf32> to memref<*xf32>
  %t, %rank = func.call @turn(%u) : (memref<*xf32>) -> (memref<*xf32>, index)
  %size = memref.dim %t, %c1 : memref<*xf32>
  %r = memref.cast %t : memref<*xf32> to {STRIDED}
  %x = memref.load %r[%c3, %i] : {STRIDED}
  func.return %v, %w, %x, %n, %rank, %size : f32, f32, f32, index, index, index
}}
"""


@pytest.mark.oracle
@pytest.mark.parametrize("our_half", ["caller", "callee"])
def test_code_of_ours_links_with_code_of_mlir(
    parse: Parse, mlir_opt: MLIROpt, our_half: str
):
    binding: Any = import_module("llvmlite.binding")  # it has no type stubs
    caller = DECLARATIONS + CALLER
    requests = "--llvm-request-c-wrappers"
    if our_half == "callee":
        theirs = translated(mlir_opt(caller, requests, *MLIR_LOWERING))
        halves = narrow_ir(parse(CALLEE)), theirs
    else:
        theirs = translated(mlir_opt(CALLEE, requests, *MLIR_LOWERING))
        halves = theirs, narrow_ir(parse(caller))
    linked, other = map(binding.parse_assembly, halves)
    linked.link_in(other)
    (main,) = public_functions(parse(caller))
    program = load_narrow(str(linked), [signature_of(main)])
    m = np.arange(12, dtype=np.float32).reshape(3, 4)
    got = program["main"](m, 2, 1)
    assert got == (m[2, 1], 2 * m[2, 1], m[2, 3], 4, 2, 3)
    assert program.heap.report().live_bytes == 0


# Numbers.

_NUMBERS = np.array(
    [0, 1, -1, 7, -7, 2**30, 2**31 - 1, -(2**31), 123456789, -987654321], np.int64
)


def pairwise(program: str, parse: Parse) -> Callable[[Array, Array], Array]:
    """A function that applies `%r = ...` on indices %a and %b to arrays."""
    compiled = compile_narrow(
        parse(f"""
        func.func @f(%x: memref<?xindex>, %y: memref<?xindex>, %o: memref<?xindex>) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %n = memref.dim %o, %c0 : memref<?xindex>
          scf.for %i = %c0 to %n step %c1 {{
            %a = memref.load %x[%i] : memref<?xindex>
            %b = memref.load %y[%i] : memref<?xindex>
            {program}
            memref.store %r, %o[%i] : memref<?xindex>
          }}
          func.return
        }}""")
    )

    def apply(x: Array, y: Array) -> Array:
        out = np.zeros(len(x), np.int64)
        compiled["f"](x, y, out)
        return out

    return apply


def wrapped(numbers: Any) -> Array:
    """Numbers modulo 2**32, with a sign."""
    return (np.array(numbers, object) + 2**31) % 2**32 - 2**31


_OPS: list[tuple[str, Callable[[int, int], int]]] = [
    ("index.add", lambda a, b: a + b),
    ("index.sub", lambda a, b: a - b),
    ("index.mul", lambda a, b: a * b),
    ("arith.addi", lambda a, b: a + b),
    ("index.maxu", lambda a, b: max(a % 2**32, b % 2**32)),
    ("index.divu", lambda a, b: (a % 2**32) // (b % 2**32)),
    ("index.ceildivu", lambda a, b: -(-(a % 2**32) // (b % 2**32))),
    ("index.floordivs", lambda a, b: a // b),
    ("index.ceildivs", lambda a, b: -(-a // b)),
    ("index.shru", lambda a, b: (a % 2**32) >> (b % 32)),
]


@pytest.mark.parametrize(("op", "reference"), _OPS)
def test_numbers_wrap_at_32_bits(
    parse: Parse, op: str, reference: Callable[[int, int], int]
):
    type = " : index" if op.startswith("arith") else ""
    apply = pairwise(f"%r = {op} %a, %b{type}", parse)
    pairs = [
        (int(a), int(b))
        for a in _NUMBERS
        for b in _NUMBERS
        if (b not in (0, -1) or "div" not in op) and (b in range(32) or "sh" not in op)
    ]
    x, y = np.array(pairs, np.int64).T
    expected = wrapped([reference(a, b) for a, b in pairs])
    np.testing.assert_array_equal(apply(x, y), expected)


def test_casts(parse: Parse):
    program = compile_narrow(
        parse("""
        func.func @f(%i: index, %j: i64, %k: i8)
            -> (i64, i64, i32, index, index, index, i8, i1) {
          %0 = arith.index_cast %i : index to i64
          %1 = arith.index_castui %i : index to i64
          %2 = arith.index_cast %i : index to i32
          %3 = arith.index_cast %j : i64 to index
          %4 = index.castu %k : i8 to index
          %5 = index.casts %k : i8 to index
          %6 = index.castu %i : index to i8
          %7 = index.cmp ult(%3, %i)
          func.return %0, %1, %2, %3, %4, %5, %6, %7
            : i64, i64, i32, index, index, index, i8, i1
        }""")
    )
    got = program["f"](-3, (5 << 32) + 9, -1)
    assert got == (-3, 2**32 - 3, -3, 9, 255, -1, -3, True)


def test_constants_are_cut(parse: Parse):
    program = compile_narrow(
        parse("""
        memref.global "private" constant @t : memref<3xindex>
          = dense<[1, 4294967301, -3]>
        memref.global "private" constant @s : memref<2xindex> = dense<4294967303>
        func.func @f(%o: memref<2xindex>) -> (index, index, index, index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %a = arith.constant 4294967301 : index
          %v = arith.constant dense<[4294967302, -1]> : vector<2xindex>
          vector.store %v, %o[%c0] : memref<2xindex>, vector<2xindex>
          %t = memref.get_global @t : memref<3xindex>
          %s = memref.get_global @s : memref<2xindex>
          %x = memref.load %t[%c1] : memref<3xindex>
          %y = memref.load %t[%c2] : memref<3xindex>
          %z = memref.load %s[%c1] : memref<2xindex>
          func.return %a, %x, %y, %z : index, index, index, index
        }""")
    )
    out = np.zeros(2, np.int64)
    assert program["f"](out) == (5, 5, -3, 7)
    np.testing.assert_array_equal(out, [6, -1])


# Memory.


@pytest.mark.parametrize("generic", [False, True])
def test_aligned_buffers_keep_their_pointers(parse: Parse, generic: bool):
    """Addresses here have more than 32 bits, which MLIR would cut off."""
    program = compile_narrow(
        parse("""
        func.func @f(%n: index, %x: f64) -> memref<?x3xf64> {
          %m = memref.alloc(%n) {alignment = 256 : i64} : memref<?x3xf64>
          linalg.fill ins(%x : f64) outs(%m : memref<?x3xf64>)
          func.return %m : memref<?x3xf64>
        }"""),
        use_generic_functions=generic,
    )
    result = program["f"](5, 2.5)
    assert result.__array_interface__["data"][0] % 256 == 0
    np.testing.assert_array_equal(result, np.full((5, 3), 2.5))
    assert program.heap.report().peak_bytes == 5 * 3 * 8 + 256


def test_bytes_of_copies_are_counted_with_64_bits(parse: Parse):
    program = compile_narrow(
        parse("""
        func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
          memref.copy %a, %b : memref<?xf32> to memref<?xf32>
          func.return
        }"""),
        count_copies=True,
    )
    a, b = np.arange(9, dtype=np.float32), np.zeros(9, np.float32)
    program["f"](a, b)
    np.testing.assert_array_equal(a, b)
    report = program.heap.report()
    assert (report.copies, report.copied_bytes) == (1, 36)


def test_a_matrix_product_with_transposed_operands(parse: Parse):
    module = parse("""
    func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = tensor.dim %a, %c0 : tensor<?x?xf32>
      %n = tensor.dim %b, %c1 : tensor<?x?xf32>
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty(%m, %n) : tensor<?x?xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
      %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
        outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
      func.return %r : tensor<?x?xf32>
    }""")
    OneShotBufferizePass(bufferize_function_boundaries=True).apply(Context(), module)
    program = compile_narrow(module)
    rng = np.random.default_rng(0)
    a, b = rng.random((5, 7), np.float32).T, rng.random((5, 6), np.float32)
    np.testing.assert_allclose(program["f"](a, b), a @ b, rtol=1e-5)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_share_loops(parse: Parse, threads: int):
    module = parse("""
    func.func @f(%o: memref<?x?xindex>, %low: index, %step: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.dim %o, %c0 : memref<?x?xindex>
      %m = memref.dim %o, %c1 : memref<?x?xindex>
      scf.parallel (%i, %j) = (%c0, %low) to (%n, %m) step (%c1, %step) {
        %x = arith.muli %i, %m : index
        %y = arith.subi %x, %j : index
        memref.store %y, %o[%i, %j] : memref<?x?xindex>
        scf.reduce
      }
      func.return
    }""")
    ParallelLoopsToOpenMPPass().apply(Context(), module)
    program = compile_narrow(module, threads=threads)
    out = np.zeros((13, 41), np.int64)
    program["f"](out, 2, 3)
    expected = np.zeros_like(out)
    i, j = np.mgrid[:13, :41]
    expected[:, 2::3] = (i * 41 - j)[:, 2::3]
    np.testing.assert_array_equal(out, expected)


# Functions of the runtime.


def test_kernels_get_numbers_and_addresses_of_64_bits(parse: Parse):
    module = parse("""
    func.func @f(%m: memref<4x8xf32, strided<[16, 1], offset: ?>>,
                 %o: memref<4x8xf32>) {
      %h = xsmm.unary.dispatch relu [4, 8, 16, 8] flags = (none) data_type = f32
      xsmm.unary relu(data_type = f32, %h, %m, %o)
        : (i64, memref<4x8xf32, strided<[16, 1], offset: ?>>, memref<4x8xf32>) -> ()
      func.return
    }""")
    convert_xsmm_to_func(module)
    program = compile_narrow(module)
    source = np.random.default_rng(0).random((4, 16), np.float32) - 0.5
    out = np.zeros((4, 8), np.float32)
    program["f"](source[:, 3:11], out)
    np.testing.assert_array_equal(out, np.maximum(source[:, 3:11], 0))


def test_indices_are_printed(parse: Parse, capsys: pytest.CaptureFixture[str]):
    program = compile_narrow(
        parse("""
        func.func private @printI64(index)
        func.func @f(%i: index, %j: index) {
          vector.print %i : index
          %v = vector.broadcast %i : index to vector<2xindex>
          vector.print %v : vector<2xindex>
          func.call @printI64(%j) : (index) -> ()
          func.return
        }""")
    )
    program["f"](7, -2)
    assert capsys.readouterr().out == "7\n( 7, 7 )\n-2"


def test_results_of_the_runtime_are_cut(parse: Parse):
    program = compile_narrow(
        parse("""
        func.func private @nanoTime() -> index
        func.func @f() -> index {
          %t = func.call @nanoTime() : () -> index
          func.return %t : index
        }""")
    )
    function = program["f"]
    assert isinstance(function, NarrowFunction)
    assert -(2**31) <= function() < 2**31


# What is refused.


@pytest.mark.parametrize("width", [0, 16, 63, 128])
def test_other_widths_are_refused(parse: Parse, width: int):
    with pytest.raises(PassFailedException, match="must be 32 or 64"):
        ToLLVMPass(index_bitwidth=width).apply(Context(), parse(""))


def test_a_failure_names_the_op_and_leaves_the_module(parse: Parse):
    module = parse("func.func private @f(memref<70000x70000xi8>)")
    before = str(module)
    with pytest.raises(OperationError, match="needs the number 4900000000"):
        ToLLVMPass(index_bitwidth=32).apply(Context(), module)
    assert str(module) == before
