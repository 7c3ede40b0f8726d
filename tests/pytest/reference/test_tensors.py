from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from xdsl_bufferization.support.errors import OperationError

Run = Callable[..., list[Any]]

A = np.arange(12, dtype=np.float32).reshape(3, 4)


def test_insert_gives_a_new_value(run: Run):
    text = """
    func.func @f(%t: tensor<3xf32>, %x: f32, %i: index) -> (tensor<3xf32>, f32) {
      %0 = tensor.insert %x into %t[%i] : tensor<3xf32>
      %1 = tensor.extract %t[%i] : tensor<3xf32>
      return %0, %1 : tensor<3xf32>, f32
    }"""
    t = np.array([1, 2, 3], np.float32)
    inserted, before = run(text, t, np.float32(9), 1)
    assert inserted.tolist() == [1, 9, 3]
    assert before == 2
    assert t.tolist() == [1, 2, 3]


@pytest.mark.parametrize("index", [-1, 3])
def test_an_index_outside_of_the_tensor_is_an_error(run: Run, index: int):
    text = """
    func.func @f(%t: tensor<3xf32>, %i: index) -> f32 {
      %0 = tensor.extract %t[%i] : tensor<3xf32>
      return %0 : f32
    }"""
    with pytest.raises(OperationError, match=f"index {index} is out of bounds"):
        run(text, np.zeros(3, np.float32), index)


def test_empty_holds_what_shows_when_it_is_read(run: Run):
    text = """
    func.func @f(%n: index) -> (tensor<?x2xf32>, tensor<2xi32>) {
      %0 = tensor.empty(%n) : tensor<?x2xf32>
      %1 = bufferization.alloc_tensor() : tensor<2xi32>
      return %0, %1 : tensor<?x2xf32>, tensor<2xi32>
    }"""
    floats, integers = run(text, 3)
    assert floats.shape == (3, 2)
    assert np.isnan(floats).all()
    assert (integers < -(2**30)).all()


def test_slices_with_strides_and_operands(run: Run):
    text = """
    func.func @f(%t: tensor<3x4xf32>, %i: index) -> (tensor<2x2xf32>, tensor<3x4xf32>) {
      %0 = tensor.extract_slice %t[%i, 1] [2, 2] [1, 2]
        : tensor<3x4xf32> to tensor<2x2xf32>
      %1 = tensor.insert_slice %0 into %t[0, %i] [2, 2] [2, 1]
        : tensor<2x2xf32> into tensor<3x4xf32>
      return %0, %1 : tensor<2x2xf32>, tensor<3x4xf32>
    }"""
    part, whole = run(text, A, 1)
    wanted = A.copy()
    wanted[0:3:2, 1:3] = A[1:3, 1:4:2]
    assert part.tolist() == A[1:3, 1:4:2].tolist()
    assert whole.tolist() == wanted.tolist()


def test_slices_that_run_backwards(run: Run):
    text = """
    func.func @f(%t: tensor<3x4xf32>, %s: index) -> (tensor<3x2xf32>, tensor<3x4xf32>) {
      %0 = tensor.extract_slice %t[2, 3] [3, 2] [-1, %s]
        : tensor<3x4xf32> to tensor<3x2xf32>
      %1 = tensor.insert_slice %t into %t[0, 3] [3, 4] [1, -1]
        : tensor<3x4xf32> into tensor<3x4xf32>
      return %0, %1 : tensor<3x2xf32>, tensor<3x4xf32>
    }"""
    part, whole = run(text, A, -2)
    assert part.tolist() == A[::-1, ::-2].tolist()
    assert whole.tolist() == A[:, ::-1].tolist()
    with pytest.raises(OperationError, match="out of bounds"):
        run(text, A, -4)


def test_rank_reduced_slices_drop_unit_dimensions(run: Run):
    text = """
    func.func @f(%t: tensor<3x4xf32>, %n: index) -> (tensor<?xf32>, tensor<3x4xf32>) {
      %0 = tensor.extract_slice %t[2, 0] [1, %n] [1, 1]
        : tensor<3x4xf32> to tensor<?xf32>
      %1 = tensor.insert_slice %0 into %t[0, 1] [1, %n] [1, 1]
        : tensor<?xf32> into tensor<3x4xf32>
      return %0, %1 : tensor<?xf32>, tensor<3x4xf32>
    }"""
    part, whole = run(text, A, 1)
    assert part.tolist() == [8]
    assert whole[0].tolist() == [0, 8, 2, 3]


def test_a_slice_outside_of_the_tensor_is_an_error(run: Run):
    text = """
    func.func @f(%t: tensor<3x4xf32>, %i: index) -> tensor<2x4xf32> {
      %0 = tensor.extract_slice %t[%i, 0] [2, 4] [1, 1]
        : tensor<3x4xf32> to tensor<2x4xf32>
      return %0 : tensor<2x4xf32>
    }"""
    with pytest.raises(OperationError, match=r"slice \[2\]\[2\]\[1\] is out of bounds"):
        run(text, A, 2)


def test_shapes(run: Run):
    text = """
    func.func @f(%t: tensor<3x4xf32>, %c: index)
        -> (tensor<12xf32>, tensor<3x2x2xf32>, tensor<?x?xf32>, index) {
      %0 = tensor.collapse_shape %t [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
      %1 = tensor.expand_shape %t [[0], [1, 2]] output_shape [3, 2, 2]
        : tensor<3x4xf32> into tensor<3x2x2xf32>
      %2 = tensor.cast %t : tensor<3x4xf32> to tensor<?x?xf32>
      %3 = tensor.dim %2, %c : tensor<?x?xf32>
      return %0, %1, %2, %3 : tensor<12xf32>, tensor<3x2x2xf32>, tensor<?x?xf32>, index
    }"""
    flat, expanded, _, size = run(text, A, 1)
    assert flat.tolist() == A.reshape(12).tolist()
    assert expanded.tolist() == A.reshape(3, 2, 2).tolist()
    assert size == 4


def test_reshape_takes_its_shape_from_a_tensor(run: Run):
    text = """
    func.func @f(%t: tensor<3x4xf32>, %s: tensor<2xindex>) -> tensor<6x2xf32> {
      %0 = tensor.reshape %t(%s)
        : (tensor<3x4xf32>, tensor<2xindex>) -> tensor<6x2xf32>
      return %0 : tensor<6x2xf32>
    }"""
    assert run(text, A, np.array([6, 2]))[0].tolist() == A.reshape(6, 2).tolist()
    with pytest.raises(OperationError, match=r"shape \[3, 4\] cannot become \[5, 2\]"):
        run(text, A, np.array([5, 2]))


def test_a_cast_checks_the_shape(run: Run):
    text = """
    func.func @f(%t: tensor<?xf32>) -> tensor<3xf32> {
      %0 = tensor.cast %t : tensor<?xf32> to tensor<3xf32>
      return %0 : tensor<3xf32>
    }"""
    with pytest.raises(OperationError, match=r"shape \[2\] is not a tensor<3xf32>"):
        run(text, np.zeros(2, np.float32))


def test_a_pad_has_the_size_that_its_type_says(run: Run):
    text = """
    func.func @f(%t: tensor<?xf32>, %n: index, %x: f32) -> tensor<4xf32> {
      %0 = tensor.pad %t low[%n] high[%n] {
      ^bb0(%i: index):
        tensor.yield %x : f32
      } : tensor<?xf32> to tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    given, one = np.zeros(2, np.float32), np.float32(1)
    assert run(text, given, 1, one)[0].shape == (4,)
    with pytest.raises(OperationError, match=r"shape \[6\] is not a tensor<4xf32>"):
        run(text, given, 2, one)


def test_from_elements_splat_concat(run: Run):
    text = """
    func.func @f(%x: f32, %y: f32, %n: index)
        -> (tensor<2x2xf32>, tensor<?xf32>, tensor<4x2xf32>) {
      %0 = tensor.from_elements %x, %y, %y, %x : tensor<2x2xf32>
      %1 = tensor.splat %x[%n] : tensor<?xf32>
      %2 = tensor.concat dim(0) %0, %0
        : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
      return %0, %1, %2 : tensor<2x2xf32>, tensor<?xf32>, tensor<4x2xf32>
    }"""
    elements, splat, concat = run(text, np.float32(1), np.float32(2), 3)
    assert elements.tolist() == [[1, 2], [2, 1]]
    assert splat.tolist() == [1, 1, 1]
    assert concat.tolist() == [[1, 2], [2, 1], [1, 2], [2, 1]]


def test_pad_computes_what_it_adds(run: Run):
    text = """
    func.func @f(%t: tensor<3x4xf32>, %n: index) -> tensor<?x5xf32> {
      %0 = tensor.pad %t low[%n, 0] high[0, 1] {
      ^bb0(%i: index, %j: index):
        %1 = arith.addi %i, %j : index
        %2 = arith.index_cast %1 : index to i32
        %3 = arith.sitofp %2 : i32 to f32
        tensor.yield %3 : f32
      } : tensor<3x4xf32> to tensor<?x5xf32>
      return %0 : tensor<?x5xf32>
    }"""
    wanted = np.add.outer(np.arange(5), np.arange(5)).astype(np.float32)
    wanted[2:, :4] = A
    assert run(text, A, 2)[0].tolist() == wanted.tolist()


def test_alloc_tensor_with_a_copy_and_materialize(run: Run):
    text = """
    func.func @f(%t: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %0 = bufferization.alloc_tensor() copy(%t) : tensor<3x4xf32>
      %1 = tensor.empty() : tensor<3x4xf32>
      %2 = bufferization.materialize_in_destination %0 in %1
        : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
      return %2 : tensor<3x4xf32>
    }"""
    assert run(text, A)[0].tolist() == A.tolist()


def test_wrong_arguments_are_named(run: Run):
    text = """
    func.func @f(%t: tensor<3x4xf32>) -> tensor<3x4xf32> {
      return %t : tensor<3x4xf32>
    }"""
    with pytest.raises(OperationError, match=r"argument 0 is a tensor<3x4xf32>, but"):
        run(text, A.T)
    with pytest.raises(OperationError, match="takes 1 arguments, but 2 were given"):
        run(text, A, A)
    with pytest.raises(OperationError, match="an array of int64 was given"):
        run(text, A.astype(np.int64))


def test_integers_without_a_sign_are_taken_as_their_bits(run: Run):
    text = """
    func.func @f(%t: tensor<2xi8>) -> tensor<2xi16> {
      %0 = arith.extui %t : tensor<2xi8> to tensor<2xi16>
      return %0 : tensor<2xi16>
    }"""
    assert run(text, np.array([250, 3], np.uint8))[0].tolist() == [250, 3]
    with pytest.raises(OperationError, match="an array of uint16 was given"):
        run(text, np.array([250, 3], np.uint16))


def test_a_long_chain_does_not_keep_what_it_no_longer_needs(run: Run):
    import tracemalloc

    steps = "".join(
        f"  %{n + 1} = tensor.insert %x into %{n}[%i] : tensor<250000xf32>\n"
        for n in range(40)
    )
    text = f"""
    func.func @f(%x: f32, %i: index) -> tensor<250000xf32> {{
      %0 = tensor.empty() : tensor<250000xf32>
      {steps}
      return %40 : tensor<250000xf32>
    }}"""
    run(text, np.float32(1), 0)
    tracemalloc.start()
    run(text, np.float32(1), 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000
