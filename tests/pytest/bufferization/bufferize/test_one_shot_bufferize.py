"""Options, errors, types and cost of one-shot-bufferize."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from harness.running.growth import growth
from xdsl.dialects import bufferization, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp, StridedLayoutAttr, f32
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
    analyze_and_verify,
    one_shot_bufferize,
)
from xdsl_bufferization.bufferization.bufferize.tensor_copy_insertion import (
    insert_tensor_copies,
)
from xdsl_bufferization.bufferization.interfaces.options import (
    BufferizationOptions,
    LayoutMapOption,
)
from xdsl_bufferization.support.errors import OperationError

BOUNDARIES = BufferizationOptions(bufferize_function_boundaries=True)

COPY = """
func.func @f(%t: tensor<?xf32>, %v: f32, %i: index) -> (tensor<?xf32>, f32) {
  %0 = tensor.insert %v into %t[%i] : tensor<?xf32>
  %1 = tensor.extract %t[%i] : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, f32
}
"""


def test_options_reach_models_and_analysis() -> None:
    options = OneShotBufferizePass(
        allow_return_allocs_from_loops=True,
        allow_unknown_ops=True,
        bufferize_function_boundaries=True,
        buffer_alignment=16,
        copy_before_write=True,
        function_boundary_type_conversion="identity-layout-map",
        unknown_type_conversion="identity-layout-map",
    ).get_options()
    assert options == BufferizationOptions(
        allow_return_allocs_from_loops=True,
        allow_unknown_ops=True,
        bufferize_function_boundaries=True,
        buffer_alignment=16,
        copy_before_write=True,
        function_boundary_type_conversion=LayoutMapOption.IDENTITY_LAYOUT_MAP,
        unknown_type_conversion=LayoutMapOption.IDENTITY_LAYOUT_MAP,
    )


def test_defaults_are_those_of_the_options() -> None:
    assert OneShotBufferizePass().get_options() == BufferizationOptions()


def test_flags_read_as_those_of_mlir_opt(xdsl_opt: Callable[..., str]) -> None:
    spelled_out = xdsl_opt(COPY, "one-shot-bufferize{copy-before-write=true}")
    assert xdsl_opt(COPY, "one-shot-bufferize{copy-before-write}") == spelled_out


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        (
            "one-shot-bufferize{function-boundary-type-conversion=dense}",
            "function-boundary-type-conversion is 'dense', which is none of "
            "'infer-layout-map', 'identity-layout-map', 'fully-dynamic-layout-map'",
        ),
        (
            "one-shot-bufferize{unknown-type-conversion=infer-layout-map}",
            "unknown-type-conversion cannot be 'infer-layout-map'",
        ),
        (
            "one-shot-bufferize{buffer-alignment=48}",
            "buffer-alignment is 48: choose a power of two, or 0 for none",
        ),
        (
            "one-shot-bufferize{print-conflicts=true}",
            "print-conflicts needs test-analysis-only",
        ),
    ],
)
def test_bad_options_name_the_choices(
    xdsl_opt: Callable[..., str], pipeline: str, message: str
) -> None:
    with pytest.raises(PassFailedException, match=message):
        xdsl_opt(COPY, pipeline)


@pytest.mark.parametrize(
    ("alignment", "text"), [(0, "memref.alloc(%1) :"), (16, "= 16")]
)
def test_alignment(xdsl_opt: Callable[..., str], alignment: int, text: str) -> None:
    pipeline = f"one-shot-bufferize{{buffer-alignment={alignment}}}"
    (line,) = [x for x in xdsl_opt(COPY, pipeline).split("\n") if "alloc" in x]
    assert text in line.replace("%2", "%1")


def test_analysis_only_changes_nothing_but_attributes(
    xdsl_opt: Callable[..., str], parse: Callable[[str], ModuleOp]
) -> None:
    annotated = parse(xdsl_opt(COPY, "one-shot-bufferize{test-analysis-only=true}"))
    for op in annotated.walk():
        op.attributes.pop("__inplace_operands_attr__", None)
    assert annotated.is_structurally_equivalent(parse(COPY))


def test_copies_are_alloc_tensor_ops(parse: Callable[[str], ModuleOp]) -> None:
    module = parse(COPY)
    insert_tensor_copies(module, analyze_and_verify(module, BOUNDARIES))
    module.verify()
    (copy,) = [x for x in module.walk() if isinstance(x, bufferization.AllocTensorOp)]
    assert copy.copy is not None


def test_copy_without_contents_has_the_size(parse: Callable[[str], ModuleOp]) -> None:
    module = parse(
        COPY.replace(
            "tensor.insert %v into %t[%i] : tensor<?xf32>",
            "linalg.fill ins(%v : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>",
        )
    )
    insert_tensor_copies(module, analyze_and_verify(module, BOUNDARIES))
    module.verify()
    (copy,) = [x for x in module.walk() if isinstance(x, bufferization.AllocTensorOp)]
    assert copy.copy is None
    assert len(copy.dynamic_sizes) == 1


def test_layout_of_a_loop_follows_from_what_it_yields(
    parse: Callable[[str], ModuleOp],
) -> None:
    module = parse("""
    func.func @f(%v: f32, %n: index, %s: index) -> tensor<4xf32> {
      %0 = tensor.empty() : tensor<8xf32>
      %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
      %2 = tensor.empty() : tensor<4xf32>
      %3 = scf.for %i = %s to %n step %s iter_args(%c = %2) -> (tensor<4xf32>) {
        %4 = scf.for %j = %s to %n step %s iter_args(%d = %c) -> (tensor<4xf32>) {
          %5 = tensor.extract_slice %1[%j] [4] [1] : tensor<8xf32> to tensor<4xf32>
          %6 = arith.cmpi slt, %i, %j : index
          %7 = arith.select %6, %d, %5 : tensor<4xf32>
          scf.yield %d : tensor<4xf32>
        }
        scf.yield %4 : tensor<4xf32>
      }
      return %3 : tensor<4xf32>
    }
    """)
    one_shot_bufferize(module, BOUNDARIES)
    module.verify()
    types = {str(op.name): op.result_types for op in module.walk() if op.results}
    assert types["scf.for"] == (MemRefType(f32, [4]),)
    any_layout = StridedLayoutAttr([None], None)
    assert types["arith.select"] == (MemRefType(f32, [4], any_layout),)


def test_no_conversions_are_left_between_bufferized_ops(
    parse: Callable[[str], ModuleOp],
) -> None:
    module = parse(COPY)
    one_shot_bufferize(module, BOUNDARIES)
    conversions = (bufferization.ToTensorOp, bufferization.ToBufferOp)
    assert not any(isinstance(op, conversions) for op in module.walk())


def test_what_is_a_buffer_is_taken_as_that_under_a_filter(
    parse: Callable[[str], ModuleOp],
) -> None:
    """Of any layout, the buffer of `%e` would be copied to collapse it."""
    module = parse(
        """
func.func @f(%m: memref<8xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %e = tensor.expand_shape %t [[0, 1]] output_shape [2, 4]
      : tensor<8xf32> into tensor<2x4xf32>
  %c = tensor.collapse_shape %e [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %x = tensor.extract %c[%i] : tensor<8xf32>
  return %x : f32
}
"""
    )
    options = BufferizationOptions(dialect_filter=frozenset({"tensor"}))
    one_shot_bufferize(module, options)
    module.verify()
    ops = list(module.walk())
    assert not [op for op in ops if isinstance(op, memref.AllocOp | memref.CopyOp)]
    assert not [op for op in ops if isinstance(op, bufferization.ToBufferOp)]


def test_error_names_the_op(parse: Callable[[str], ModuleOp]) -> None:
    module = parse("""
    func.func @f(%t: tensor<4xf32>) {
      "test.op"(%t) : (tensor<4xf32>) -> ()
      return
    }
    """)
    with pytest.raises(OperationError) as error:
        one_shot_bufferize(module)
    assert error.value.op.name == "test.op"
    assert "allow-unknown-ops" in error.value.message


def test_many_globals_with_one_name(parse: Callable[[str], ModuleOp]) -> None:
    lines = [
        f"%{n} = arith.constant dense<{n}> : tensor<2xi32>\n"
        f"%x{n} = tensor.extract %{n}[%i] : tensor<2xi32>"
        for n in range(20)
    ]
    module = parse(f"func.func @f(%i: index) {{\n{chr(10).join(lines)}\nreturn\n}}")
    one_shot_bufferize(module)
    module.verify()
    globals_ = [op for op in module.ops if isinstance(op, memref.GlobalOp)]
    assert len({op.sym_name.data for op in globals_}) == 20


def chain(length: int) -> str:
    lines = [
        f"%{n + 1} = tensor.insert %v into %{n}[%i] : tensor<8xf32>"
        for n in range(length)
    ]
    lines[0] = lines[0].replace("%0", "%t")
    return (
        "func.func @f(%t: tensor<8xf32>, %v: f32, %i: index) -> tensor<8xf32> {\n"
        + "\n".join(lines)
        + f"\nreturn %{length} : tensor<8xf32>\n}}"
    )


def test_cost_grows_linearly(parse: Callable[[str], ModuleOp]) -> None:
    def bufferize(module: ModuleOp) -> None:
        one_shot_bufferize(module, BOUNDARIES)

    bufferize(parse(chain(10)))  # Imports and caches.
    assert growth(bufferize, parse(chain(100)), parse(chain(800))) < 8.5


CALLED_TWICE = """
func.func private @ends(%t: tensor<8xf32>, %v: f32, %i: index) -> (f32, f32) {
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %0 = tensor.insert %v into %a[%i] : tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  %2 = tensor.extract %b[%i] : tensor<4xf32>
  return %1, %2 : f32, f32
}
func.func @main(%t: tensor<8xf32>, %v: f32, %i: index) -> f32 {
  %0:2 = call @ends(%t, %v, %i) : (tensor<8xf32>, f32, index) -> (f32, f32)
  %1:2 = call @ends(%t, %v, %i) : (tensor<8xf32>, f32, index) -> (f32, f32)
  %2 = tensor.extract %t[%i] : tensor<8xf32>
  return %2 : f32
}
"""


@pytest.mark.parametrize("disjoint", [False, True])
def test_a_copy_in_a_function_is_not_moved_to_all_of_its_callers(
    parse: Callable[[str], ModuleOp], *, disjoint: bool
) -> None:
    module = parse(CALLED_TWICE)
    one_shot_bufferize(module, replace(BOUNDARIES, disjoint_subsets=disjoint))
    assert sum(isinstance(op, memref.CopyOp) for op in module.walk()) == 1


INSERTED = """
  %1 = tensor.insert_slice %s into %t[4] [4] [1]
      : tensor<4xf32> into tensor<8xf32>
  %2 = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %3 = tensor.extract %2[%i] : tensor<4xf32>"""

COLLAPSED = """
  %4 = tensor.expand_shape %x [[0, 1]] output_shape [2, 4]
      : tensor<8xf32> into tensor<2x4xf32>
  %5 = tensor.collapse_shape %4 [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %6 = tensor.collapse_shape %4 [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %7 = tensor.extract %5[%i] : tensor<8xf32>
  %8 = tensor.extract %6[%i] : tensor<8xf32>
  %9 = arith.addf %7, %8 : f32"""


@pytest.mark.parametrize(
    "body",
    [
        f"""{INSERTED}
  %x = tensor.cast %1 : tensor<8xf32> to tensor<8xf32>{COLLAPSED}
  return %9, %3 : f32, f32""",
        f"""{INSERTED}
  %x = scf.if %p -> tensor<8xf32> {{
    scf.yield %1 : tensor<8xf32>
  }} else {{
    %n = tensor.splat %3 : tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }}{COLLAPSED}
  return %9, %3 : f32, f32""",
        f"""{INSERTED}
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c1 to %i step %c1 iter_args(%x = %1) -> tensor<8xf32> {{
    {COLLAPSED}
    %y = tensor.insert %9 into %x[%k] : tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }}
  %e = tensor.extract %r[%i] : tensor<8xf32>
  return %e, %3 : f32, f32""",
    ],
    ids=["cast", "branch", "loop"],
)
def test_no_buffer_with_gaps_is_taken_only_to_be_copied_twice(
    parse: Callable[[str], ModuleOp], body: str
) -> None:
    text = (
        "func.func @f(%t: tensor<8xf32>, %s: tensor<4xf32>, %p: i1, %i: index)"
        f"-> (f32, f32) {{{body}\n}}"
    )
    copies: list[int] = []
    for disjoint in (False, True):
        module = parse(text)
        one_shot_bufferize(module, replace(BOUNDARIES, disjoint_subsets=disjoint))
        copies.append(sum(isinstance(op, memref.CopyOp) for op in module.walk()))
    assert copies[1] <= copies[0]


def _filling(arguments: int, *, same: bool) -> str:
    """A call of a function that fills all of its arguments, and reads them again."""
    numbers = range(arguments)
    type_ = "tensor<4xf32>"
    lines = "".join(
        f"""
  %f{n} = linalg.fill ins(%v : f32) outs(%t{n} : {type_}) -> {type_}
  %x{n} = tensor.extract %f{n}[%i] : {type_}"""
        for n in numbers
    )
    parameters = ", ".join(f"%t{n}: {type_}" for n in numbers)
    types = ", ".join([type_] * arguments)
    results = ", ".join(["f32"] * arguments)
    given = ", ".join("%t0" if same else f"%t{n}" for n in numbers)
    return f"""
func.func private @fill(%v: f32, %i: index, {parameters}) -> ({results}) {{{lines}
  return {", ".join(f"%x{n}" for n in numbers)} : {results}
}}
func.func @main(%v: f32, %i: index, {parameters}) -> f32 {{
  %0:{arguments} = call @fill(%v, %i, {given}) : (f32, index, {types}) -> ({results})
  return %0#0 : f32
}}"""


@pytest.mark.parametrize(("same", "copies"), [(False, 0), (True, 3)])
def test_what_a_callee_fills_and_reads_again_is_in_buffers_of_its_own(
    parse: Callable[[str], ModuleOp], *, same: bool, copies: int
) -> None:
    module = parse(_filling(3, same=same))
    one_shot_bufferize(module, BOUNDARIES)
    assert sum(op.name == "memref.alloc" for op in module.walk()) == copies


def test_arguments_that_are_read_again_are_compared_once_for_each_call(
    parse: Callable[[str], ModuleOp],
) -> None:
    def bufferize(module: ModuleOp) -> None:
        one_shot_bufferize(module, BOUNDARIES)

    bufferize(parse(_filling(10, same=False)))  # Imports and caches.
    small, large = (parse(_filling(n, same=False)) for n in (30, 240))
    assert growth(bufferize, small, large) < 8.5
