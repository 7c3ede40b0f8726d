"""Packs and unpacks whose tile sizes are values move what NumPy's loops would move."""

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from xdsl_bufferization import jit
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.reference.evaluator import evaluate

PADDING = 0.5

OPEN = """
func.func @pack(%a: tensor<?x?xf32>, %t: index, %s: index, %d: {packed})
    -> {packed} {{
  %p = arith.constant {padding} : f32
  %r = linalg.pack %a {pad} {form} into %d : tensor<?x?xf32> -> {packed}
  return %r : {packed}
}}
func.func @unpack(%a: {packed}, %t: index, %s: index, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {{
  %r = linalg.unpack %a {form} into %d : {packed} -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}}
"""


class Form(NamedTuple):
    """How tensors of two dimensions are cut: `t` and `s` are known at run time."""

    dimensions: tuple[int, ...]
    tiles: tuple[str | int, ...]
    outer: tuple[int, int] = (0, 1)
    is_padded: bool = True

    def program(self) -> str:
        tiles = [t if isinstance(t, int) else f"%{t}" for t in self.tiles]
        shape = ["?", "?", *(t if isinstance(t, int) else "?" for t in self.tiles)]
        order = f"outer_dims_perm = {list(self.outer)} " * (self.outer != (0, 1))
        return OPEN.format(
            packed=f"tensor<{'x'.join(map(str, shape))}xf32>",
            padding=PADDING,
            pad="padding_value(%p : f32)" if self.is_padded else "",
            form=f"{order}inner_dims_pos = {list(self.dimensions)} "
            f"inner_tiles = [{', '.join(map(str, tiles))}]",
        )


FORMS = {
    "one of two": Form((0, 1), ("t", 4)),
    "two": Form((0, 1), ("t", "s")),
    "two the other way": Form((1, 0), ("t", "s")),
    "one value for both": Form((0, 1), ("t", "t")),
    "the second dimension": Form((1,), ("t",)),
    "the first dimension": Form((0,), ("t",)),
    "permuted": Form((0, 1), ("t", "s"), (1, 0)),
    "permuted both ways": Form((1, 0), (3, "t"), (1, 0)),
    "without padding": Form((0, 1), ("t", "s"), is_padded=False),
}


def packed_by_numpy(
    form: Form, a: np.ndarray[Any, Any], tiles: list[int]
) -> np.ndarray[Any, Any]:
    """One element after the other, as the documents say."""
    size = dict(zip(form.dimensions, tiles, strict=True))
    outer = [-(-a.shape[d] // size.get(d, 1)) for d in form.outer]
    result = np.full([*outer, *tiles], PADDING, np.float32)
    for index in product(*map(range, a.shape)):
        at = [index[d] // size.get(d, 1) for d in form.outer]
        inside = [index[d] % size[d] for d in form.dimensions]
        result[(*at, *inside)] = a[index]
    return result


@pytest.mark.parametrize("way", ["reference", "kernels", "plain"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form(form: Form, way: str) -> None:
    check(form, way)


def test_in_checked_mode() -> None:
    check(FORMS["permuted both ways"], "checked")


def check(form: Form, way: str) -> None:
    """Pack and unpack with several sizes of tensors and tiles."""
    text = form.program()
    if way == "reference":
        module = MLIRParser(get_context(), text).parse_module()

        def call(name: str, *arguments: Any) -> Any:
            (result,) = evaluate(module, name, arguments)
            return result

    else:
        pack, unpack = (
            jit(text, entry=entry, optimize=way == "kernels", checked=way == "checked")
            for entry in ("pack", "unpack")
        )

        def call(name: str, *arguments: Any) -> Any:
            return (pack if name == "pack" else unpack)(*arguments)

    sizes = [(6, 8), (1, 1), (7, 9)] if form.is_padded else [(6, 12), (12, 24)]
    steps = [(3, 4), (2, 5), (1, 1), (16, 16)] if form.is_padded else [(3, 4), (6, 2)]
    for shape, (t, s) in product(sizes, steps):
        tiles = [{"t": t, "s": s}.get(str(each)) or int(each) for each in form.tiles]
        a = np.arange(shape[0] * shape[1], dtype=np.float32).reshape(shape)
        packed = packed_by_numpy(form, a, tiles)
        result = call("pack", a, t, s, np.full_like(packed, -1.0))
        np.testing.assert_array_equal(result, packed)
        back = call("unpack", packed, t, s, np.full_like(a, -1.0))
        np.testing.assert_array_equal(back, a)


CAST = """
func.func @f(%a: tensor<4x3x8x2xf32>, %t: index, %u: tensor<30x6xf32>)
    -> tensor<30x6xf32> {
  %c = tensor.cast %a : tensor<4x3x8x2xf32> to tensor<?x?x?x2xf32>
  %v = linalg.unpack %c inner_dims_pos = [0, 1] inner_tiles = [%t, 2] into %u
    : tensor<?x?x?x2xf32> -> tensor<30x6xf32>
  return %v : tensor<30x6xf32>
}
"""


@pytest.mark.parametrize("optimize", [False, True])
def test_behind_a_cast(optimize: bool) -> None:
    a = np.arange(4 * 3 * 8 * 2, dtype=np.float32).reshape(4, 3, 8, 2)
    result = jit(CAST, optimize=optimize)(a, 8, np.zeros((30, 6), np.float32))
    wanted = a.transpose(0, 2, 1, 3).reshape(32, 6)[:30]
    np.testing.assert_array_equal(result, wanted)
