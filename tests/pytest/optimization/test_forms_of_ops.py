"""Ops in rare forms: bodies that read the init or load, diagonals, no elements.

Each program is compared with NumPy, by the default pipeline and by the plain one.
"""

import numpy as np
import pytest
from harness.programs.rare_forms import check, generic, numbers

# Bodies that read the init.


def test_map_that_reads_its_init_keeps_it():
    """The first map has no input, so that the second could write over its result."""
    text = """
    func.func @f(%k: tensor<8xi32>) -> tensor<8xi32> {
      %e = tensor.empty() : tensor<8xi32>
      %n = linalg.map outs(%e : tensor<8xi32>) (%o: i32) {
        %i = linalg.index 0 : index
        %j = arith.index_cast %i : index to i32
        linalg.yield %j : i32
      }
      %m = linalg.map ins(%n : tensor<8xi32>) outs(%k : tensor<8xi32>)
        (%x: i32, %o: i32) {
          %y = arith.muli %x, %o : i32
          linalg.yield %y : i32
      }
      return %m : tensor<8xi32>
    }"""
    k = np.arange(3, 11, dtype=np.int32)
    check(text, np.arange(8) * k, k)


def test_map_behind_a_product_reads_its_init():
    text = """
    func.func @f(%a: tensor<64x64xf32>, %k: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %e = tensor.empty() : tensor<64x64xf32>
      %z = arith.constant 0.0 : f32
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
      %p = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>)
        outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
      %m = linalg.map ins(%p : tensor<64x64xf32>) outs(%k : tensor<64x64xf32>)
        (%x: f32, %o: f32) {
          %y = arith.subf %o, %x : f32
          linalg.yield %y : f32
      }
      return %m : tensor<64x64xf32>
    }"""
    a, k = numbers(64, 64), numbers(64, 64)
    check(text, k - a @ a, a, k)


# Outputs of which not all elements are written.


@pytest.mark.parametrize("init", ["%k", "%c"])
def test_elements_beside_a_diagonal_are_those_of_the_init(init: str):
    """The body does not read the init, and the result has elements of it."""
    diagonal = generic(
        "i|i, i",
        "p",
        "%a : tensor<20xf32>",
        f"{init} : tensor<20x20xf32>",
        "^bb0(%x: f32, %o: f32):\n linalg.yield %x : f32",
        loops="i",
    )
    text = f"""
    func.func @f(%a: tensor<20xf32>, %k: tensor<20x20xf32>) -> tensor<20x20xf32> {{
      %c = arith.constant dense<2.0> : tensor<20x20xf32>
      %r = {diagonal}
      return %r : tensor<20x20xf32>
    }}"""
    a, k = numbers(20), numbers(20, 20)
    expected = k.copy() if init == "%k" else np.full((20, 20), 2.0)
    np.fill_diagonal(expected, a)
    check(text, expected, a, k)


@pytest.mark.parametrize("sizes", ["4x0", "4x?"])
@pytest.mark.parametrize("op", ["generic", "reduce"])
def test_rows_without_elements_leave_the_init(op: str, sizes: str):
    """The body does not read the init, and runs for no row."""
    head = {
        "generic": """linalg.generic {indexing_maps = [
          affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
          iterator_types = ["parallel", "reduction"]}""",
        "reduce": "linalg.reduce",
    }[op]
    body = "%x: f32, %o: f32"
    behind = {
        "generic": f"{{ ^bb0({body}): linalg.yield %n : f32 }} -> tensor<4xf32>",
        "reduce": f"dimensions = [1] ({body}) {{ linalg.yield %n : f32 }}",
    }[op]
    text = f"""
    func.func @f(%a: tensor<{sizes}xf32>, %n: f32) -> (tensor<4xf32>, tensor<4xf32>) {{
      %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      %r = {head} ins(%a : tensor<{sizes}xf32>) outs(%c : tensor<4xf32>) {behind}
      return %c, %r : tensor<4xf32>, tensor<4xf32>
    }}"""
    c = np.arange(1, 5, dtype=np.float32)
    check(text, (c, c), np.zeros((4, 0), np.float32), np.float32(7))


def test_sums_in_one_column_leave_the_zeros_of_the_others():
    sums = generic(
        "i, j, k|i|j, 0",
        "rpr",
        "%a, %b : tensor<4x4x32xf32>, tensor<4xf32>",
        "%f : tensor<4x3xf32>",
        "^bb0(%x: f32, %y: f32, %o: f32):\n %m = arith.mulf %x, %y : f32\n"
        " %s = arith.addf %m, %o : f32\n linalg.yield %s : f32",
        loops="i, j, k",
    )
    text = f"""
    func.func @f(%a: tensor<4x4x32xf32>, %b: tensor<4xf32>) -> tensor<4x3xf32> {{
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4x3xf32>
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
      %r = {sums}
      return %r : tensor<4x3xf32>
    }}"""
    a, b = numbers(4, 4, 32), numbers(4)
    expected = np.zeros((4, 3))
    expected[:, 0] = np.einsum("ijk,i->j", a, b)
    check(text, expected, a, b)


# Several results.


@pytest.mark.parametrize("body", ["cross", "inside"])
def test_unused_result_on_whose_init_others_depend_stays(body: str):
    """The other result is its init, or an op in a region of the body reads that."""
    bodies = {
        "cross": "linalg.yield %p, %o : f32, f32",
        "inside": """%t = arith.cmpf ogt, %x, %z : f32
        %h = arith.addf %x, %x : f32
        %q = scf.if %t -> (f32) {
          %w = arith.addf %h, %p : f32
          scf.yield %w : f32
        } else {
          scf.yield %z : f32
        }
        linalg.yield %q, %x : f32, f32""",
    }
    op = generic(
        "i, j|i, j|i, j",
        "pp",
        "%a : tensor<4x16xf32>",
        "%b, %c : tensor<4x16xf32>, tensor<4x16xf32>",
        f"^bb0(%x: f32, %o: f32, %p: f32):\n {bodies[body]}",
    )
    text = f"""
    func.func @f(%a: tensor<4x16xf32>, %b: tensor<4x16xf32>, %c: tensor<4x16xf32>)
        -> tensor<4x16xf32> {{
      %z = arith.constant 0.0 : f32
      %r:2 = {op}
      return %r#0 : tensor<4x16xf32>
    }}"""
    a, b, c = numbers(4, 16), numbers(4, 16), numbers(4, 16)
    expected = c if body == "cross" else np.where(a > 0, 2 * a + c, 0)
    check(text, expected, a, b, c)


def test_unused_result_that_alone_has_the_size_of_a_loop_stays():
    op = generic(
        "i|i, j",
        "pr",
        "",
        "%b, %c : tensor<4xf32>, tensor<4x16xf32>",
        "^bb0(%o: f32, %p: f32):\n %s = arith.addf %o, %one : f32\n"
        " linalg.yield %s, %one : f32, f32",
    )
    text = f"""
    func.func @f(%b: tensor<4xf32>, %c: tensor<4x16xf32>) -> tensor<4xf32> {{
      %one = arith.constant 1.0 : f32
      %r:2 = {op}
      return %r#0 : tensor<4xf32>
    }}"""
    b, c = numbers(4), numbers(4, 16)
    check(text, b + 16, b, c)


# Bodies that load from buffers.


def test_body_that_loads_stays_in_front_of_a_store():
    add = generic(
        "i|i",
        "p",
        "%a : tensor<16xf32>",
        "%e : tensor<16xf32>",
        "^bb0(%x: f32, %o: f32):\n %l = memref.load %m[%c3] : memref<16xf32>\n"
        " %y = arith.addf %x, %l : f32\n linalg.yield %y : f32",
        loops="i",
    )
    square = generic(
        "i|i",
        "p",
        "%p : tensor<16xf32>",
        "%e : tensor<16xf32>",
        "^bb0(%x: f32, %o: f32):\n %y = arith.mulf %x, %x : f32\n"
        " linalg.yield %y : f32",
        loops="i",
    )
    text = f"""
    func.func @f(%a: tensor<16xf32>, %m: memref<16xf32>) -> tensor<16xf32> {{
      %e = tensor.empty() : tensor<16xf32>
      %c3 = arith.constant 3 : index
      %nine = arith.constant 9.0 : f32
      %p = {add}
      memref.store %nine, %m[%c3] : memref<16xf32>
      %q = {square}
      return %q : tensor<16xf32>
    }}"""
    a, m = numbers(16), numbers(16)
    check(text, (a + m[3]) ** 2, a, m)


@pytest.mark.parametrize("place", ["before", "behind"])
def test_body_that_loads_is_not_moved_with_a_product(place: str):
    """Neither what a product is made of, nor what is made of it, moves past a store."""
    whole, square = "tensor<512x64xf32>", "tensor<64x64xf32>"
    start = "^bb0(%x: f32, %o: f32):\n"
    load = "%l = memref.load %m[%c3] : memref<16xf32>\n %y = arith.mulf %x, %l : f32\n"
    twice = "%y = arith.addf %x, %x : f32\n %w = arith.mulf %y, %y : f32\n"

    def op(value: str, body: str, result: str) -> str:
        end = f" linalg.yield {result} : f32"
        values = f"{value} : {whole}", f"%e : {whole}"
        return generic("i, j|i, j", "pp", *values, start + body + end)

    def product(value: str) -> str:
        types = f"{whole}, {square}"
        return (
            f"%p = linalg.matmul ins({value}, %b : {types}) outs(%f : {whole}) "
            f"-> {whole}"
        )

    store = "memref.store %nine, %m[%c3] : memref<16xf32>"
    if place == "before":
        ops = [f"%s = {op('%a', load, '%y')}", store, product("%s")]
    else:
        ops = [product("%a"), f"%s = {op('%p', load, '%y')}", store]
    last = op("%p" if place == "before" else "%s", twice, "%w")
    lines = "\n".join(ops)
    text = f"""
    func.func @f(%a: {whole}, %b: {square}, %m: memref<16xf32>) -> {whole} {{
      %c3 = arith.constant 3 : index
      %nine = arith.constant 9.0 : f32
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : {whole}
      %f = linalg.fill ins(%z : f32) outs(%e : {whole}) -> {whole}
      {lines}
      %r = {last}
      return %r : {whole}
    }}"""
    a, b, m = numbers(512, 64), numbers(64, 64), numbers(16)
    m[3] = 2
    check(text, (4 * (a @ b)) ** 2, a, b, m)


# Truth values.


def test_or_of_a_sum_modulo_two():
    """`linalg.add` of truth values is `or`, and `arith.addi` is exclusive."""
    type_ = "tensor<16x16xi1>"
    product = generic(
        "i, k|k, j|i, j",
        "ppr",
        f"%a, %b : {type_}, {type_}",
        f"%f : {type_}",
        "^bb0(%x: i1, %y: i1, %o: i1):\n %m = arith.muli %x, %y : i1\n"
        " %s = arith.addi %o, %m : i1\n linalg.yield %s : i1",
        loops="i, j, k",
    )
    text = f"""
    func.func @f(%a: {type_}, %b: {type_}) -> {type_} {{
      %z = arith.constant false
      %e = tensor.empty() : {type_}
      %f = linalg.fill ins(%z : i1) outs(%e : {type_}) -> {type_}
      %p = {product}
      %n = linalg.mul ins(%a, %b : {type_}, {type_}) outs(%e : {type_}) -> {type_}
      %r = linalg.add ins(%p, %n : {type_}, {type_}) outs(%e : {type_}) -> {type_}
      return %r : {type_}
    }}"""
    a, b = numbers(16, 16) > 0, numbers(16, 16) > 0
    odd = (a.astype(int) @ b.astype(int)) % 2 == 1
    check(text, odd | (a & b), a, b)


# Elements that are neither floats nor integers.


def test_slice_of_transposed_indices():
    text = """
    func.func @f(%a: tensor<4x20xindex>) -> tensor<20x1xindex> {
      %e = tensor.empty() : tensor<20x4xindex>
      %t = linalg.transpose ins(%a : tensor<4x20xindex>)
        outs(%e : tensor<20x4xindex>) permutation = [1, 0]
      %s = tensor.extract_slice %t[0, 1] [20, 1] [1, 1]
        : tensor<20x4xindex> to tensor<20x1xindex>
      return %s : tensor<20x1xindex>
    }"""
    a = np.arange(80).reshape(4, 20)
    check(text, a.T[:, 1:2], a)


# No elements.

SIZES = ((4, 5, 0), (4, 0, 6), (0, 5, 6), (0, 0, 0), (33, 0, 64), (1, 64, 0))


@pytest.mark.parametrize(("m", "k", "n"), SIZES)
def test_product_without_elements(m: int, k: int, n: int):
    text = f"""
    func.func @f(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>,
                 %c: tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
      %r = linalg.matmul ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>)
        outs(%c : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
      return %r : tensor<{m}x{n}xf32>
    }}"""
    c = numbers(m, n)
    check(text, c, numbers(m, k), numbers(k, n), c)


@pytest.mark.parametrize("is_padded", [False, True])
def test_concatenation_without_elements(*, is_padded: bool):
    """A slice of no elements has no place, as its offset would be out of bounds."""
    pad = """%p = tensor.pad %c low[0, 0] high[1, 0] {
      ^bb0(%i: index, %j: index):
        tensor.yield %one : f32
      } : tensor<6x0xf32> to tensor<7x0xf32>"""
    rows, result = (7, "%p") if is_padded else (6, "%c")
    text = f"""
    func.func @f(%a: tensor<3x0xf32>) -> tensor<{rows}x0xf32> {{
      %one = arith.constant 1.0 : f32
      %e = tensor.empty() : tensor<3x0xf32>
      %n = linalg.exp ins(%a : tensor<3x0xf32>) outs(%e : tensor<3x0xf32>)
        -> tensor<3x0xf32>
      %c = tensor.concat dim(0) %n, %a
        : (tensor<3x0xf32>, tensor<3x0xf32>) -> tensor<6x0xf32>
      {pad if is_padded else ""}
      return {result} : tensor<{rows}x0xf32>
    }}"""
    check(text, numbers(rows, 0), numbers(3, 0))


def test_part_without_elements_at_the_end():
    text = """
    func.func @f(%a: tensor<3x4xf32>, %b: tensor<0x4xf32>) -> tensor<3x4xf32> {
      %c = tensor.concat dim(0) %a, %b
        : (tensor<3x4xf32>, tensor<0x4xf32>) -> tensor<3x4xf32>
      return %c : tensor<3x4xf32>
    }"""
    a = numbers(3, 4)
    check(text, a, a, numbers(0, 4))


def test_pad_of_no_elements():
    text = """
    func.func @f(%a: tensor<3x0xf32>) -> tensor<5x3xf32> {
      %one = arith.constant 1.0 : f32
      %e = tensor.empty() : tensor<3x0xf32>
      %n = linalg.exp ins(%a : tensor<3x0xf32>) outs(%e : tensor<3x0xf32>)
        -> tensor<3x0xf32>
      %p = tensor.pad %n low[1, 3] high[1, 0] {
      ^bb0(%i: index, %j: index):
        tensor.yield %one : f32
      } : tensor<3x0xf32> to tensor<5x3xf32>
      return %p : tensor<5x3xf32>
    }"""
    check(text, np.ones((5, 3)), numbers(3, 0))
