"""Core bufferization does what the passes of MLIR 19 and 14 of these names do.

Compared are the ops of each function with the shapes of what they take and give; of
MLIR 19 also their order, where all is bufferized. Sizes and positions are left out of
it, as mlir-opt computes some only once, and so are the layouts of views, which MLIR 14
writes as maps. MLIR 14 puts what a loop allocates before it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from harness.oracles.tool_runs import run_tool
from harness.oracles.tools import find_oracle

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.pipelines.compile import compile_module

pytestmark = pytest.mark.oracle

INSERT = """
func.func @insert(%a: tensor<?xf32>, %f: f32, %i: index, %j: index) -> (f32, f32) {
  %b = tensor.insert %f into %a[%i] : tensor<?xf32>
  %c = tensor.extract %a[%j] : tensor<?xf32>
  %d = tensor.extract %b[%j] : tensor<?xf32>
  return %c, %d : f32, f32
}
"""
SWAPPED = """
func.func @swapped(%a: tensor<?xf32>, %f: f32, %i: index, %j: index) -> (f32, f32) {
  %c = tensor.extract %a[%j] : tensor<?xf32>
  %b = tensor.insert %f into %a[%i] : tensor<?xf32>
  %d = tensor.extract %b[%j] : tensor<?xf32>
  return %c, %d : f32, f32
}
"""
EMPTY = """
func.func @foo(%sz: index, %f: f32, %i: index, %j: index) -> f32 {
  %t = tensor.empty(%sz) : tensor<?xf32>
  %1 = tensor.insert %f into %t[%i] : tensor<?xf32>
  %2 = tensor.extract %1[%j] : tensor<?xf32>
  return %2 : f32
}
"""
GENERATE = """
func.func @generate(%n: index, %f: f32, %i: index, %j: index) -> f32 {
  %0 = tensor.generate %n {
  ^bb0(%k: index):
    tensor.yield %f : f32
  } : tensor<?xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<?xf32>
  %2 = tensor.extract %1[%j] : tensor<?xf32>
  return %2 : f32
}
"""
SLICES = """
func.func @slices(%a: tensor<16xf32>, %f: f32, %iv: index, %i: index)
    -> tensor<16xf32> {
  %1 = tensor.extract_slice %a[%iv] [10] [1] : tensor<16xf32> to tensor<10xf32>
  %2 = tensor.insert %f into %1[%i] : tensor<10xf32>
  %3 = tensor.insert_slice %2 into %a[%iv] [10] [1] : tensor<10xf32> into tensor<16xf32>
  return %3 : tensor<16xf32>
}
"""
LOOP = """
func.func @loop(%a: tensor<40xf32>, %f: f32, %p: i1, %n: index, %c10: index)
    -> tensor<40xf32> {
  %r1 = scf.for %iv = %c10 to %n step %c10 iter_args(%b = %a) -> (tensor<40xf32>) {
    %1 = tensor.extract_slice %b[%iv] [10] [1] : tensor<40xf32> to tensor<10xf32>
    %r2 = scf.if %p -> (tensor<10xf32>) {
      %2 = tensor.insert %f into %1[%n] : tensor<10xf32>
      scf.yield %2 : tensor<10xf32>
    } else {
      scf.yield %1 : tensor<10xf32>
    }
    %3 = tensor.insert_slice %r2 into %b[%iv] [10] [1]
      : tensor<10xf32> into tensor<40xf32>
    scf.yield %3 : tensor<40xf32>
  }
  return %r1 : tensor<40xf32>
}
"""
SHAPES = """
func.func @shapes(%p: i1, %a: tensor<2x4xf32>, %b: tensor<2x4xf32>) -> tensor<?xf32> {
  %0 = arith.select %p, %a, %b : tensor<2x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %2 = tensor.cast %1 : tensor<8xf32> to tensor<?xf32>
  return %2 : tensor<?xf32>
}
"""
CONSTANT = """
func.func @constant() -> tensor<4xf32> {
  %0 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
GENERIC = """
func.func @generic(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.addf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
CALLS = """
func.func @callee(%a: tensor<5xf32>) -> tensor<5xf32> {
  return %a : tensor<5xf32>
}
func.func @caller(%a: tensor<5xf32>) -> tensor<5xf32> {
  %x = func.call @callee(%a) : (tensor<5xf32>) -> tensor<5xf32>
  return %x : tensor<5xf32>
}
func.func private @declared(tensor<?xf32>, f32) -> tensor<?xf32>
"""
BLOCKS = """
func.func @blocks(%t: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  cf.cond_br %p, ^a(%t : tensor<?xf32>), ^b
^a(%x: tensor<?xf32>):
  return %x : tensor<?xf32>
^b:
  %r = scf.if %p -> (tensor<?xf32>) {
    scf.yield %t : tensor<?xf32>
  } else {
    %k = func.call @blocks(%t, %p) : (tensor<?xf32>, i1) -> tensor<?xf32>
    scf.yield %k : tensor<?xf32>
  }
  cf.br ^a(%r : tensor<?xf32>)
}
"""
WHILE = """
func.func @while(%t: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %0:2 = scf.while (%x = %t, %q = %p) : (tensor<4xf32>, i1) -> (tensor<4xf32>, i1) {
    scf.condition(%q) %x, %q : tensor<4xf32>, i1
  } do {
  ^bb0(%y: tensor<4xf32>, %q: i1):
    %1 = func.call @while(%y, %q) : (tensor<4xf32>, i1) -> tensor<4xf32>
    scf.yield %1, %q : tensor<4xf32>, i1
  }
  return %0#0 : tensor<4xf32>
}
"""
FOR = """
func.func @for(%t: tensor<4xf32>, %u: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %0:2 = scf.for %i = %n to %n step %n iter_args(%x = %t, %y = %u)
      -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}
"""

# --- MLIR 19 -------------------------------------------------------------------------

FINAL_19 = "func-bufferize,scf-bufferize,finalizing-bufferize"


@pytest.mark.parametrize("text", [CALLS, BLOCKS, WHILE, FOR])
@pytest.mark.parametrize(
    "passes",
    ["func-bufferize", "scf-bufferize", "scf-bufferize,func-bufferize", FINAL_19],
)
def test_functions_and_control_flow(
    text: str,
    passes: str,
    mlir_opt_19: Callable[..., str],
    xdsl_opt: Callable[..., str],
) -> None:
    flags = [f"--{name}" for name in passes.split(",")]
    theirs = list(ops_in(mlir_opt_19(text, "--mlir-print-op-generic", *flags)))
    ours = list(ops_in(xdsl_opt(text, passes, generic=True)))
    if passes == FINAL_19:
        assert ours == theirs
    else:
        assert sorted(ours) == sorted(theirs)


LEFT = """
func.func @left(%f: f32, %i: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_both_stop_at_what_is_left(xdsl_opt: Callable[..., str]) -> None:
    passes = ["--func-bufferize", "--finalizing-bufferize"]
    result = run_tool([find_oracle("mlir-opt-19"), *passes], LEFT)
    assert "failed to legalize operation 'tensor.insert'" in result.stderr
    with pytest.raises(Exception, match=r"tensors .* 'tensor.insert'"):
        xdsl_opt(LEFT, "func-bufferize,finalizing-bufferize")


KEPT = """
func.func @id(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @kept(%f: f32, %g: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %t = tensor.insert %g into %e[%i] : tensor<4xf32>
  %u = func.call @id(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %r = tensor.extract %u[%i] : tensor<4xf32>
  %s = tensor.extract %w[%i] : tensor<4xf32>
  %d = arith.subf %r, %s : f32
  return %d : f32
}
func.func @entry() -> f32 {
  %f = arith.constant 1.0 : f32
  %g = arith.constant 3.0 : f32
  %i = arith.constant 2 : index
  %r = func.call @kept(%f, %g, %i) : (f32, f32, index) -> f32
  return %r : f32
}
"""
KEPT_TO_LLVM = [
    "--finalize-memref-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-func-to-llvm",
    "--reconcile-unrealized-casts",
]


def test_mlir_19_changes_what_a_call_returned(
    mlir_opt_19: Callable[..., str], xdsl_opt: Callable[..., str]
) -> None:
    """The difference is 3 - 1, but there %t is written while @id's result is %t."""
    filter_ = "dialect-filter=tensor,bufferization"
    lowered = mlir_opt_19(
        KEPT,
        f"--one-shot-bufferize=allow-unknown-ops {filter_} "
        "unknown-type-conversion=identity-layout-map",
        "--func-bufferize",
        "--finalizing-bufferize",
        *KEPT_TO_LLVM,
    )
    assert run_f32("mlir-cpu-runner-19", lowered) == 0.0
    ours = xdsl_opt(
        KEPT,
        f"one-shot-bufferize{{allow-unknown-ops {filter_}}},func-bufferize,"
        "finalizing-bufferize,buffer-deallocation-pipeline",
    )
    module = parse_module(ours, "test.mlir", get_context())
    assert compile_module(module)["entry"]() == 2.0


# --- MLIR 14 -------------------------------------------------------------------------

OURS = (
    "linalg-bufferize,tensor-bufferize,scf-bufferize,arith-bufferize,func-bufferize,"
    "finalizing-bufferize"
)
THEIRS = f"std-bufferize,{OURS}".split(",")


def in_old_syntax(text: str) -> str:
    """A program in the syntax of MLIR 14."""
    text = re.sub(r"tensor\.empty\((.*?)\)", r"linalg.init_tensor [\1]", text)
    text = text.replace("arith.select", "select")
    return re.sub(r"func\.(func|call)", r"\1", text)


@pytest.mark.parametrize(
    "text",
    [INSERT, SWAPPED, EMPTY, SLICES, LOOP, SHAPES, CONSTANT, GENERIC, CALLS],
)
def test_everything(
    text: str, mlir_opt_14: Callable[..., str], xdsl_opt: Callable[..., str]
) -> None:
    flags = [f"--{name}" for name in THEIRS]
    theirs = mlir_opt_14(in_old_syntax(text), "--mlir-print-op-generic", *flags)
    ours = xdsl_opt(text, f"{OURS},canonicalize", generic=True)
    assert Counter(ops_in(ours)) == Counter(ops_in(theirs))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("arith-bufferize", CONSTANT),
        ("tensor-bufferize", INSERT),
        ("tensor-bufferize", SWAPPED),
        ("linalg-bufferize", GENERIC),
    ],
)
def test_one_dialect(
    name: str,
    text: str,
    mlir_opt_14: Callable[..., str],
    xdsl_opt: Callable[..., str],
) -> None:
    """MLIR 14 converts a tensor for each of its users, ours once."""
    theirs = mlir_opt_14(in_old_syntax(text), "--mlir-print-op-generic", f"--{name}")
    ours = xdsl_opt(text, name, generic=True)
    assert set(ops_in(ours)) == set(ops_in(theirs))


FILL = """
func @entry() -> f32 {
  %one = arith.constant 1.0 : f32
  %r = call @both(%one) : (f32) -> f32
  return %r : f32
}
func @both(%one: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.from_elements %one, %one : tensor<2xf32>
  %u = linalg.fill(%zero, %t) : f32, tensor<2xf32> -> tensor<2xf32>
  %a = tensor.extract %t[%c0] : tensor<2xf32>
  %b = tensor.extract %u[%c0] : tensor<2xf32>
  %r = arith.addf %a, %b : f32
  return %r : f32
}
"""
TO_LLVM = [
    "--convert-linalg-to-loops",
    "--convert-scf-to-std",
    "--convert-arith-to-llvm",
    "--convert-memref-to-llvm",
    "--convert-std-to-llvm",
    "--reconcile-unrealized-casts",
]


def test_mlir_14_fills_a_tensor_that_is_still_read(
    mlir_opt_14: Callable[..., str], xdsl_opt: Callable[..., str]
) -> None:
    """The sum is 1 + 0, but there `linalg.fill` writes to the tensor it is given."""
    lowered = mlir_opt_14(FILL, *(f"--{name}" for name in THEIRS), *TO_LLVM)
    assert run_f32("mlir-cpu-runner-14", lowered) == 0.0
    today = FILL.replace("func @", "func.func @").replace(
        "linalg.fill(%zero, %t) : f32, tensor<2xf32> ->",
        "linalg.fill ins(%zero : f32) outs(%t : tensor<2xf32>) ->",
    )
    ours = xdsl_opt(today, f"{OURS},buffer-deallocation-pipeline")
    module = parse_module(ours, "test.mlir", get_context())
    assert compile_module(module)["entry"]() == 1.0


def run_f32(runner: str, text: str) -> float:
    """What `@entry` of a program in the llvm dialect returns."""
    entry = ["-e", "entry", "-entry-point-result=f32"]
    result = run_tool([find_oracle(runner), *entry], text)
    result.check_returncode()
    return float(result.stdout)


# --- comparing -----------------------------------------------------------------------

OP = re.compile(r'"([\w.]+)"\(.* : (\(.*\) -> .*)$')
END_OF_REGION = re.compile(r"^\s*\}\).* : (\(.*?\) -> .*)$")
NAMES = {
    "bufferization.to_memref": "bufferization.to_buffer",
    "std.br": "cf.br",
    "std.call": "func.call",
    "std.cond_br": "cf.cond_br",
    "std.return": "func.return",
    "std.select": "arith.select",
}
LEFT_OUT = {"arith.constant", "memref.dim"}


def ops_in(text: str) -> Iterator[str]:
    """The ops without regions in a program in generic form, with their types."""
    for line in text.splitlines():
        if (found := OP.search(line)) is not None:
            name = NAMES.get(found[1], found[1])
            if name not in LEFT_OUT:
                yield f"{name} : {without_layouts(found[2])}"
        elif (end := END_OF_REGION.match(line)) is not None:
            yield f"region : {without_layouts(end[1])}"


def without_layouts(types: str) -> str:
    """Types in which a buffer has a shape and nothing else."""
    layout = r", (strided<.*?>|affine_map<\(.*?\).*? -> \(.*?\)>|#map\d*)>"
    return re.sub(layout, ">", types).rstrip()
