import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness.running.growth import count_calls
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.support.errors import OperationError

Run = Callable[..., list[Any]]

RNG = np.random.default_rng(1)


def normal(*shape: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    return RNG.normal(size=shape).astype(np.float32)


def generic(maps: str, iterators: str, types: list[str], payload: str) -> str:
    """@f(ins..., out) with one linalg.generic; the last type is the output's."""
    names = [f"%a{index}" for index in range(len(types))]
    elements = [re.split("[<x]", type_)[-1].rstrip(">") for type_ in types]
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
    block = ", ".join(f"%e{index}: {element}" for index, element in enumerate(elements))
    ins = f"ins({', '.join(names[:-1])} : {', '.join(types[:-1])})" if names[1:] else ""
    return f"""
    func.func @f({arguments}) -> {types[-1]} {{
      %0 = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
          {ins} outs({names[-1]} : {types[-1]}) {{
      ^bb0({block}):
        {payload}
      }} -> {types[-1]}
      return %0 : {types[-1]}
    }}"""


P, R = '"parallel"', '"reduction"'

MULTIPLY_ADD = """
  %p = arith.mulf %e0, %e1 : f32
  %s = arith.addf %e2, %p : f32
  linalg.yield %s : f32"""


@pytest.mark.parametrize(
    ("lhs", "rhs", "out", "loops", "subscripts"),
    [
        ("d0, d2", "d2, d1", "d0, d1", 3, "ac,cb->ab"),
        ("d2, d0", "d1, d2", "d1, d0", 3, "ca,bc->ba"),
        ("d0, d1, d3", "d0, d3, d2", "d0, d1, d2", 4, "abd,adc->abc"),
        ("d2, d1, d0, d3", "d3, d0, d2", "d2, d0, d1", 4, "cbad,dac->cab"),
        ("d0, d1", "d1", "d0", 2, "ab,b->a"),
        ("d0", "d0", "", 1, "a,a->"),
        ("d0", "d1", "d0, d1", 2, "a,b->ab"),
        ("d0, d2, d3", "d2, d1", "d0, d1", 4, "acd,cb->ab"),
    ],
)
def test_contractions(
    run: Run, lhs: str, rhs: str, out: str, loops: int, subscripts: str
):
    sizes = dict(zip("abcd", (3, 4, 5, 6), strict=True))
    inputs, output = subscripts.split("->")
    shapes = [
        [sizes[letter] for letter in letters]
        for letters in [*inputs.split(","), output]
    ]
    dims = ", ".join(f"d{loop}" for loop in range(loops))
    maps = ", ".join(f"affine_map<({dims}) -> ({x})>" for x in (lhs, rhs, out))
    reduced = [letter not in output for letter in "abcd"[:loops]]
    iterators = ", ".join(R if is_reduced else P for is_reduced in reduced)
    types = [f"tensor<{''.join(f'{size}x' for size in shape)}f32>" for shape in shapes]
    arrays = [normal(*shape) for shape in shapes]
    (result,) = run(generic(maps, iterators, types, MULTIPLY_ADD), *arrays)
    wanted = arrays[2] + np.einsum(subscripts, *(x.astype(float) for x in arrays[:2]))
    assert result.dtype == np.float32
    assert np.allclose(result, wanted, rtol=1e-6, atol=1e-6)


def test_an_integer_contraction_wraps(run: Run):
    maps = (
        "affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, "
        "affine_map<(d0, d1, d2) -> (d0, d1)>"
    )
    payload = MULTIPLY_ADD.replace("mulf", "muli").replace("addf", "addi")
    types = ["tensor<3x4xi8>", "tensor<4x5xi8>", "tensor<3x5xi8>"]
    text = generic(maps, f"{P}, {P}, {R}", types, payload.replace("f32", "i8"))
    a, b, c = (
        RNG.integers(-128, 128, shape).astype(np.int8)
        for shape in ((3, 4), (4, 5), (3, 5))
    )
    wanted = (a.astype(int) @ b.astype(int) + c).astype(np.int8)
    assert run(text, a, b, c)[0].tolist() == wanted.tolist()


def test_a_contraction_of_extended_integers(run: Run):
    maps = (
        "affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, "
        "affine_map<(d0, d1, d2) -> (d0, d1)>"
    )
    payload = """
      %x = arith.extsi %e0 : i8 to i32
      %y = arith.extui %e1 : i8 to i32
      %p = arith.muli %x, %y : i32
      %s = arith.addi %p, %e2 : i32
      linalg.yield %s : i32"""
    types = ["tensor<3x4xi8>", "tensor<4x5xi8>", "tensor<3x5xi32>"]
    a, b = (RNG.integers(-128, 128, s).astype(np.int8) for s in ((3, 4), (4, 5)))
    c = np.ones((3, 5), np.int32)
    wanted = a.astype(int) @ (b.astype(int) % 256) + c
    text = generic(maps, f"{P}, {P}, {R}", types, payload)
    assert run(text, a, b, c)[0].tolist() == wanted.tolist()


def test_long_sums_are_exact_to_a_rounding(run: Run):
    maps = "affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>"
    payload = "%s = arith.addf %e0, %e1 : f32\n linalg.yield %s : f32"
    text = generic(maps, R, ["tensor<100000xf32>", "tensor<f32>"], payload)
    a = np.full(100000, 0.1, np.float32)
    (result,) = run(text, a, np.float32(0))
    assert result == np.float32(np.float64(np.float32(0.1)) * 100000)


@pytest.mark.parametrize(
    ("combine", "reference"),
    [("maximumf", np.max), ("minnumf", np.min), ("mulf", np.prod)],
)
def test_other_reductions(run: Run, combine: str, reference: Callable[..., Any]):
    maps = (
        "affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d2, d0)>"
    )
    payload = f"""
      %x = arith.negf %e0 : f32
      %s = arith.{combine} %e1, %x : f32
      linalg.yield %s : f32"""
    text = generic(
        maps, f"{P}, {R}, {P}", ["tensor<3x4x5xf32>", "tensor<3x4xf32>"], payload
    )
    a, c = normal(3, 4, 5), normal(3, 4)
    wanted = reference(np.concatenate([-a, c[..., None]], axis=2), axis=2)
    assert np.allclose(run(text, a, c)[0], wanted, rtol=1e-6)


def test_a_reduction_that_is_not_associative_runs_in_order(run: Run):
    maps = "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>"
    payload = """
      %x = arith.divf %e1, %e0 : f32
      %s = arith.subf %x, %e0 : f32
      linalg.yield %s : f32"""
    text = generic(maps, f"{P}, {R}", ["tensor<3x4xf32>", "tensor<3xf32>"], payload)
    a, c = normal(3, 4), normal(3)
    wanted = c.copy()
    for column in a.T:
        wanted = wanted / column - column
    assert run(text, a, c)[0].tolist() == wanted.tolist()


def test_a_convolution_indexes_with_sums_of_loops(run: Run):
    maps = (
        "affine_map<(d0, d1) -> (d0 * 2 + d1)>, affine_map<(d0, d1) -> (d1)>, "
        "affine_map<(d0, d1) -> (d0)>"
    )
    types = ["tensor<9xf32>", "tensor<3xf32>", "tensor<4xf32>"]
    text = generic(maps, f"{P}, {R}", types, MULTIPLY_ADD)
    a, k, c = normal(9), normal(3), normal(4)
    wanted = [c[i] + a[2 * i : 2 * i + 3] @ k for i in range(4)]
    assert np.allclose(run(text, a, k, c)[0], wanted, rtol=1e-5, atol=1e-6)


def test_a_map_that_leaves_its_operand_is_an_error(run: Run):
    maps = "affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0)>"
    text = generic(
        maps, P, ["tensor<?xf32>", "tensor<?xf32>"], "linalg.yield %e0 : f32"
    )
    with pytest.raises(OperationError, match="leaves an operand of shape"):
        run(text, normal(4), normal(4))


def test_operands_of_different_sizes_are_an_error(run: Run):
    maps = "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>"
    text = generic(
        maps, P, ["tensor<?xf32>", "tensor<?xf32>"], "linalg.yield %e0 : f32"
    )
    with pytest.raises(OperationError, match="loop d0 is 3 long for one operand and 4"):
        run(text, normal(3), normal(4))


def test_broadcast_transposition_and_index(run: Run):
    maps = (
        "affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> ()>, "
        "affine_map<(d0, d1) -> (d1, d0)>"
    )
    payload = """
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = arith.subi %i, %j : index
      %l = arith.index_cast %k : index to i64
      %x = arith.sitofp %l : i64 to f32
      %y = arith.mulf %x, %e0 : f32
      %z = arith.addf %y, %e1 : f32
      linalg.yield %z : f32"""
    types = ["tensor<3xf32>", "tensor<f32>", "tensor<3x4xf32>"]
    a, s = normal(3), normal()
    (result,) = run(generic(maps, f"{P}, {P}", types, payload), a, s, normal(3, 4))
    wanted = [[np.float32(i - j) * a[j] + s for i in range(4)] for j in range(3)]
    assert np.allclose(result, wanted)


def test_several_results_are_computed_from_the_old_outputs(run: Run):
    text = """
    func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>)
        -> (tensor<3xf32>, tensor<3xf32>) {
      %0, %1 = "linalg.generic"(%a, %b) <{
        indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
        iterator_types = [#linalg.iterator_type<parallel>],
        operandSegmentSizes = array<i32: 0, 2>}> ({
      ^bb0(%x: f32, %y: f32):
        linalg.yield %y, %x : f32, f32
      }) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
      return %0, %1 : tensor<3xf32>, tensor<3xf32>
    }"""
    a, b = normal(3), normal(3)
    swapped = run(text, a, b)
    assert [x.tolist() for x in swapped] == [b.tolist(), a.tolist()]


def test_a_payload_that_branches(run: Run):
    maps = "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>"
    payload = """
      %j = linalg.index 1 : index
      %c2 = arith.constant 2 : index
      %c = arith.cmpi slt, %j, %c2 : index
      %s = scf.if %c -> (f32) {
        %x = arith.addf %e1, %e0 : f32
        scf.yield %x : f32
      } else {
        scf.yield %e1 : f32
      }
      linalg.yield %s : f32"""
    text = generic(maps, f"{P}, {R}", ["tensor<3x4xf32>", "tensor<3xf32>"], payload)
    a, c = normal(3, 4), normal(3)
    assert np.allclose(run(text, a, c)[0], c + a[:, 0] + a[:, 1])


def test_named_operations(run: Run):
    text = """
    func.func @f(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %x: f32)
        -> (tensor<3x5xf32>, tensor<5x3xf32>, tensor<3x5xf32>, tensor<3xf32>,
            tensor<2x3xf32>) {
      %e = tensor.empty() : tensor<3x5xf32>
      %0 = linalg.fill ins(%x : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
      %1 = linalg.matmul ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>)
        outs(%0 : tensor<3x5xf32>) -> tensor<3x5xf32>
      %t = tensor.empty() : tensor<5x3xf32>
      %2 = linalg.transpose ins(%1 : tensor<3x5xf32>) outs(%t : tensor<5x3xf32>)
        permutation = [1, 0]
      %3 = linalg.sub ins(%1, %0 : tensor<3x5xf32>, tensor<3x5xf32>)
        outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
      %v = tensor.empty() : tensor<3xf32>
      %w = linalg.fill ins(%x : f32) outs(%v : tensor<3xf32>) -> tensor<3xf32>
      %4 = linalg.reduce ins(%a : tensor<3x4xf32>) outs(%w : tensor<3xf32>)
        dimensions = [1]
        (%in: f32, %acc: f32) {
          %s = arith.addf %in, %acc : f32
          linalg.yield %s : f32
        }
      %r = tensor.empty() : tensor<2x3xf32>
      %5 = linalg.broadcast ins(%4 : tensor<3xf32>) outs(%r : tensor<2x3xf32>)
        dimensions = [0]
      return %1, %2, %3, %4, %5 : tensor<3x5xf32>, tensor<5x3xf32>, tensor<3x5xf32>,
        tensor<3xf32>, tensor<2x3xf32>
    }"""
    a, b = normal(3, 4), normal(4, 5)
    product, transposed, difference, sums, copies = run(text, a, b, np.float32(2))
    assert np.allclose(product, a @ b + 2, rtol=1e-5)
    assert transposed.tolist() == product.T.tolist()
    assert np.allclose(difference, a @ b, rtol=1e-4, atol=1e-5)
    assert np.allclose(sums, a.sum(axis=1) + 2, rtol=1e-5)
    assert copies.tolist() == [sums.tolist()] * 2


def test_an_empty_space_leaves_the_outputs(run: Run):
    maps = "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>"
    payload = "%s = arith.maximumf %e1, %e0 : f32\n linalg.yield %s : f32"
    text = generic(maps, f"{P}, {R}", ["tensor<3x?xf32>", "tensor<3xf32>"], payload)
    c = normal(3)
    assert run(text, normal(3, 0), c)[0].tolist() == c.tolist()


def test_the_elements_of_a_perceptron_are_computed_at_once(run: Run):
    maps = (
        "affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, "
        "affine_map<(d0, d1, d2) -> (d0, d1)>"
    )
    types = ["tensor<256x256xf32>", "tensor<256x512xf32>", "tensor<256x512xf32>"]
    text = generic(maps, f"{P}, {P}, {R}", types, MULTIPLY_ADD)
    arguments = normal(256, 256), normal(256, 512), normal(256, 512)
    run(text, *arguments)  # Imports and caches.
    assert count_calls(lambda _: run(text, *arguments), ModuleOp([])) < 256 * 256
