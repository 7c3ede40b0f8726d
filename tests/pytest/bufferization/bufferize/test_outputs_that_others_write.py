"""What iterations read of an output is what the loop starts with, and costs one copy.

Each body is run, and compared with the reference. Iterations run in order here: the
later half of them would see what the first half has inserted.
"""

import numpy as np
import pytest
from harness.oracles.decisions import parse

from xdsl_bufferization import bufferize
from xdsl_bufferization.bufferization.analyses.bufferization_proof.prove import prove
from xdsl_bufferization.bufferization.bufferize.tensor_copy_insertion import (
    insert_tensor_copies,
)
from xdsl_bufferization.bufferization.bufferize.verified_analysis import (
    analyze_and_verify,
)
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate

ONE = "tensor<1xf32>"
ALL = "tensor<8xf32>"


def loop(body: str, inserted: str, at: str = "[%i] [1] [1]", part: str = ONE) -> str:
    return f"""
func.func @main(%t: {ALL}, %n: index) -> {ALL} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> ({ALL}) {{
    %j = arith.subi %c7, %i : index{body}
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice {inserted} into %o{at} : {part} into {ALL}
    }}
  }}
  return %r : {ALL}
}}
"""


def of_element(body: str, element: str = "%x") -> str:
    return loop(body + f"\n    %s = tensor.from_elements {element} : {ONE}", "%s")


OTHERS = {
    "a slice": loop(
        f"""
    %s = tensor.extract_slice %o[%j] [1] [1] : {ALL} to {ONE}""",
        "%s",
    ),
    "an element": of_element(f"""
    %x = tensor.extract %o[%j] : {ALL}"""),
    "an element of a slice": of_element(f"""
    %s0 = tensor.extract_slice %o[%j] [1] [1] : {ALL} to {ONE}
    %x = tensor.extract %s0[%c0] : {ONE}"""),
    "a vector": of_element(f"""
    %v = vector.transfer_read %o[%c0], %zero {{in_bounds = [true]}}
        : {ALL}, vector<8xf32>
    %x = vector.reduction <add>, %v : vector<8xf32> into f32"""),
    "all of it": of_element(f"""
    %e = tensor.empty() : tensor<f32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %q = linalg.reduce {{ arith.addf }} ins(%o : {ALL}) outs(%f : tensor<f32>)
        dimensions = [0]
    %x = tensor.extract %q[] : tensor<f32>"""),
    "in a loop": of_element(f"""
    %x, %rest = scf.for %k = %c0 to %c2 step %c1 iter_args(%y = %zero, %a = %o)
        -> (f32, {ALL}) {{
      %z = tensor.extract %a[%j] : {ALL}
      %sum = arith.addf %y, %z : f32
      scf.yield %sum, %a : f32, {ALL}
    }}"""),
    "in a loop that is given all of it": of_element(f"""
    %x, %rest = scf.for %k = %c0 to %c2 step %c1 iter_args(%y = %zero, %a = %o)
        -> (f32, {ALL}) {{
      %z = tensor.extract %a[%i] : {ALL}
      %sum = arith.addf %y, %z : f32
      scf.yield %sum, %a : f32, {ALL}
    }}"""),
    "after a loop that writes to it": of_element(f"""
    %a = scf.for %k = %c0 to %c2 step %c1 iter_args(%b = %o) -> ({ALL}) {{
      %new = tensor.insert %zero into %b[%i] : {ALL}
      scf.yield %new : {ALL}
    }}
    %x = tensor.extract %a[%j] : {ALL}"""),
    "after a write": of_element(f"""
    %new = tensor.insert %zero into %o[%i] : {ALL}
    %x = tensor.extract %new[%j] : {ALL}"""),
    "after a write elsewhere": of_element(f"""
    %new = tensor.insert %zero into %o[%j] : {ALL}
    %x = tensor.extract %new[%i] : {ALL}"""),
    "of a branch": of_element(f"""
    %is_first = arith.cmpi slt, %i, %c2 : index
    %a = scf.if %is_first -> ({ALL}) {{
      scf.yield %o : {ALL}
    }} else {{
      %new = tensor.insert %zero into %o[%i] : {ALL}
      scf.yield %new : {ALL}
    }}
    %x = tensor.extract %a[%j] : {ALL}"""),
    "of a branch between blocks": of_element(f"""
    %a = scf.execute_region -> {ALL} {{
      cf.br ^bb1(%o : {ALL})
    ^bb1(%b: {ALL}):
      scf.yield %b : {ALL}
    }}
    %x = tensor.extract %a[%j] : {ALL}"""),
    "a choice": of_element(f"""
    %is_first = arith.cmpi slt, %i, %c2 : index
    %a = arith.select %is_first, %o, %t : {ALL}
    %x = tensor.extract %a[%j] : {ALL}"""),
    "a cast": of_element(f"""
    %a = tensor.cast %o : {ALL} to tensor<?xf32>
    %x = tensor.extract %a[%j] : tensor<?xf32>"""),
    "in another shape": of_element(f"""
    %a = tensor.expand_shape %o [[0, 1]] output_shape [2, 4]
        : {ALL} into tensor<2x4xf32>
    %row = arith.divui %j, %c4 : index
    %column = arith.remui %j, %c4 : index
    %x = tensor.extract %a[%row, %column] : tensor<2x4xf32>""").replace(
        "%c7 =", "%c4 = arith.constant 4 : index\n  %c7 ="
    ),
    "in an inner loop that inserts": of_element(f"""
    %a = scf.forall (%k) in (2) shared_outs(%p = %o) -> ({ALL}) {{
      %s0 = tensor.extract_slice %p[%j] [1] [1] : {ALL} to {ONE}
      scf.forall.in_parallel {{
        tensor.parallel_insert_slice %s0 into %p[%k] [1] [1] : {ONE} into {ALL}
      }}
    }}
    %x = tensor.extract %a[%c0] : {ALL}"""),
    "a part that overlaps": loop(
        f"""
    %s0 = tensor.extract_slice %o[%i] [1] [1] : {ALL} to {ONE}
    %x = tensor.extract %s0[%c0] : {ONE}
    %y = arith.addf %x, %x : f32
    %s = tensor.from_elements %y, %y : tensor<2xf32>""",
        "%s",
        "[%k] [2] [1]",
        "tensor<2xf32>",
    ).replace("{\n    %j", "{\n    %k = arith.minsi %i, %c0 : index\n    %j"),
}

OWN = {
    "a slice": loop(
        f"""
    %s = tensor.extract_slice %o[%i] [1] [1] : {ALL} to {ONE}""",
        "%s",
    ),
    "an element": of_element(f"""
    %x = tensor.extract %o[%i] : {ALL}"""),
    "an element of a slice": of_element(f"""
    %s0 = tensor.extract_slice %o[%i] [1] [1] : {ALL} to {ONE}
    %x = tensor.extract %s0[%c0] : {ONE}"""),
    "a size": of_element(f"""
    %d = tensor.dim %o, %c0 : {ALL}
    %k = arith.index_cast %d : index to i32
    %x = arith.sitofp %k : i32 to f32"""),
    "a slice that is overwritten": loop(
        f"""
    %s0 = tensor.extract_slice %o[%i] [1] [1] : {ALL} to {ONE}
    %s = linalg.fill ins(%zero : f32) outs(%s0 : {ONE}) -> {ONE}""",
        "%s",
    ),
    "in a loop": of_element(f"""
    %x = scf.for %k = %c0 to %c2 step %c1 iter_args(%y = %zero) -> (f32) {{
      %z = tensor.extract %o[%i] : {ALL}
      %sum = arith.addf %y, %z : f32
      scf.yield %sum : f32
    }}"""),
    "an element that no iteration inserts": of_element(f"""
    %x = tensor.extract %o[7] : {ALL}""").replace("[7]", "[%c7]"),
}
"""Nothing of a loop is copied. The last one runs 4 iterations, which nobody can see."""


TWO_OUTPUTS = f"""
func.func @main(%t: {ALL}, %u: {ALL}, %n: index) -> ({ALL}, {ALL}) {{
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.forall (%i) in (%n) shared_outs(%o = %t, %q = %u) -> ({ALL}, {ALL}) {{
    %s = tensor.from_elements %zero : {ONE}
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %o into %q[0] [8] [1] : {ALL} into {ALL}
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : {ONE} into {ALL}
    }}
  }}
  return %r#0, %r#1 : {ALL}, {ALL}
}}
"""
"""Each iteration inserts all of one output into the other one."""


def arguments(iterations: int) -> list[object]:
    return [np.arange(1, 9, dtype=np.float32), iterations]


def check(text: str, iterations: int = 8) -> None:
    module = bufferize(parse(text), bufferize_function_boundaries=True)
    found = compile_module(module, poison=True)["main"](*arguments(iterations))
    (expected,) = evaluate(parse(text), "main", arguments(iterations))
    np.testing.assert_array_equal(found, expected)


def copies_of_all(text: str) -> int:
    module = parse(text)
    options = BufferizationOptions(
        allow_return_allocs_from_loops=True, bufferize_function_boundaries=True
    )
    insert_tensor_copies(module, analyze_and_verify(module, options))
    verdict = prove(module)
    assert not verdict.findings
    assert not verdict.undecided
    return sum(f"copy(%t) : {ALL}" in line for line in str(module).splitlines())


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_what_others_insert_is_not_seen(text: str) -> None:
    check(text)
    assert copies_of_all(text) > 0


@pytest.mark.parametrize("text", OWN.values(), ids=OWN)
def test_nothing_is_copied_for_what_an_iteration_inserts_itself(text: str) -> None:
    is_last = "%o[%c7]" in text
    check(text, 4 if is_last else 8)
    assert copies_of_all(text) == is_last


def test_an_output_that_is_inserted_into_another_one() -> None:
    module = bufferize(parse(TWO_OUTPUTS), bufferize_function_boundaries=True)
    given = [np.arange(1, 9, dtype=np.float32), np.zeros(8, np.float32), 8]
    found = compile_module(module, poison=True)["main"](*given)
    np.testing.assert_array_equal(found, [np.zeros(8), np.arange(1, 9)])
    assert copies_of_all(TWO_OUTPUTS) > 0


def test_without_the_check_reads_stay() -> None:
    text = OTHERS["a slice"]
    options = BufferizationOptions(
        bufferize_function_boundaries=True, check_parallel_regions=False
    )
    module = parse(text)
    insert_tensor_copies(module, analyze_and_verify(module, options))
    assert "tensor.extract_slice %o[%j]" in str(module)
