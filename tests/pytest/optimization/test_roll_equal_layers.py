"""Layers with weights of their own that become a loop, against the same program."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
import pytest
from harness.running.meaning import assert_same, check_rewrite
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.scf import ForOp
from xdsl.passes import PassPipeline

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.frontends.default_pipelines import default_passes
from xdsl_bufferization.optimization.packing.prepare_weights import (
    argument_sources,
    prepare_weights,
)
from xdsl_bufferization.optimization.packing.roll_equal_layers import (
    roll_equal_layers,
)
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.support.traversal import ops_inside

Parse = Callable[[str], ModuleOp]
Array = np.ndarray[Any, np.dtype[np.float32]]

ROW, MATRIX, VECTOR = "tensor<1x4xf32>", "tensor<4x4xf32>", "tensor<4xf32>"
_ADD_BIAS = (
    "linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, "
    "affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], "
    'iterator_types = ["parallel", "parallel"]}} '
    "ins({value}, {bias} : {row}, {vector}) outs(%e : {row}) {{\n"
    "  ^bb0(%l: f32, %r: f32, %o: f32):\n    %s = arith.addf %l, %r : f32\n"
    "    linalg.yield %s : f32\n  }} -> {row}"
)


_POSITIONS = (
    "linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>], "
    'iterator_types = ["parallel"]}} outs(%v : {vector}) {{\n'
    "  ^bb0(%o: f32):\n    %n = linalg.index 0 : index\n"
    "    %i = arith.index_cast %n : index to i32\n"
    "    %s = arith.sitofp %i : i32 to f32\n"
    "    linalg.yield %s : f32\n  }} -> {vector}"
)


class _Layers:
    """Layers that multiply by a matrix and add a bias, some of them otherwise.

    A layer in the middle may lack its bias, share its matrix, or be read behind all.
    What is before and behind all layers may read positions, as a sum of weights does.
    """

    def __init__(self, seed: int, odd: float = 0.15):
        self._random = random.Random(seed)
        self._odd = odd
        self._lines: list[str] = []
        self.weights: list[str] = []
        self._kinds = self._random.sample(("exp", "tanh", "abs"), 2)
        self._is_transposed = self._random.random() < 0.5
        self._shared = self._weight(MATRIX) if self._random.random() < 0.3 else None
        value, results = "%x", list[str]()
        positions: str | None = None
        if self._random.random() < 0.3:
            numbers = self._add(_POSITIONS.format(vector=VECTOR))
            positions = self._add(
                f"tensor.expand_shape {numbers} [[0, 1]] output_shape [1, 4] "
                f": {VECTOR} into {ROW}"
            )
            value = self._sum(value, self._sum(positions, self._weight(ROW)))
        for _ in range(self._random.randint(4, 8)):
            value = self._layer(value)
            if self._is_odd(4):
                results.append(value)
        results.append(value if positions is None else self._sum(value, positions))
        types = ", ".join([ROW] * len(results))
        arguments = "".join(
            f", %w{number}: {type_} {{xbuf.weight}}"
            for number, type_ in enumerate(self.weights)
        )
        body = "\n".join(self._lines)
        self.text = (
            f"func.func @f(%x: {ROW}{arguments}) -> ({types}) {{\n"
            f"  %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : {ROW}\n"
            f"  %m = tensor.empty() : {MATRIX}\n  %v = tensor.empty() : {VECTOR}\n"
            f"  %z = linalg.fill ins(%zero : f32) outs(%e : {ROW}) -> {ROW}\n{body}\n"
            f"  return {', '.join(results)} : {types}\n}}"
        )

    def _is_odd(self, part: int = 1) -> bool:
        return self._random.random() < self._odd / part

    def _weight(self, type_: str) -> str:
        self.weights.append(type_)
        return f"%w{len(self.weights) - 1}"

    def _add(self, text: str) -> str:
        self._lines.append(f"  %{len(self._lines)} = {text}")
        return f"%{len(self._lines) - 1}"

    def _layer(self, start: str) -> str:
        matrix = self._shared
        if matrix is None or self._is_odd():
            matrix = self._weight(MATRIX)
        if self._is_transposed:
            matrix = self._add(
                f"linalg.transpose ins({matrix} : {MATRIX}) outs(%m : {MATRIX}) "
                "permutation = [1, 0]"
            )
        value = self._add(
            f"linalg.matmul ins({start}, {matrix} : {ROW}, {MATRIX}) "
            f"outs(%z : {ROW}) -> {ROW}"
        )
        if not self._is_odd():
            bias = self._weight(VECTOR)
            value = self._add(
                _ADD_BIAS.format(value=value, bias=bias, row=ROW, vector=VECTOR)
            )
        kind = self._kinds[self._is_odd()]
        value = self._add(
            f"linalg.{kind} ins({value} : {ROW}) outs(%e : {ROW}) -> {ROW}"
        )
        return self._sum(start, value)

    def _sum(self, one: str, other: str) -> str:
        return self._add(
            f"linalg.add ins({one}, {other} : {ROW}, {ROW}) outs(%e : {ROW}) -> {ROW}"
        )

    def arguments(self) -> list[Array]:
        """Numbers that stay small through all layers."""
        rng = np.random.default_rng(0)
        sizes = {ROW: (1, 4), MATRIX: (4, 4), VECTOR: (4,)}
        shapes = [(1, 4), *map(sizes.__getitem__, self.weights)]
        return [rng.uniform(-0.3, 0.1, shape).astype(np.float32) for shape in shapes]


def _loops(module: ModuleOp) -> int:
    return sum(isinstance(op, ForOp) for op in ops_inside(module))


def _prepared(module: ModuleOp, call: Callable[..., Any], values: list[Array]) -> Any:
    """What the two functions of a module with prepared weights make of `values`."""

    def passed(name: str, prepared: Any) -> list[Any]:
        function = next(
            op
            for op in module.ops
            if isinstance(op, FuncOp) and op.sym_name.data == name
        )
        return [
            prepared[number] if is_prepared else values[number]
            for number, is_prepared in argument_sources(function)
        ]

    weights = call("f_weights", passed("f_weights", ()))
    return call("f", passed("f", weights))


def _as_tuple(results: Any) -> tuple[Any, ...]:
    if isinstance(results, tuple):
        return cast(tuple[Any, ...], results)
    return (results,)


def test_random_layers_mean_the_same(parse: Parse):
    loops = 0
    for seed in range(60):
        program = _Layers(seed)
        module, values = parse(program.text), program.arguments()
        expected = check_rewrite(module, roll_equal_layers, values)
        loops += _loops(module)
        prepare_weights(module)
        module.verify()
        if len(module.ops) > 1:
            assert_same(_prepared(module, partial(evaluate, module), values), expected)
    assert loops > 20


@pytest.mark.parametrize("seed", range(6))
def test_random_layers_run(parse: Parse, seed: int):
    """All layers are equal, so that there is a loop."""
    program = _Layers(seed, odd=0)
    values = program.arguments()
    expected = evaluate(parse(program.text), "f", values)
    module = parse(program.text)
    PassPipeline(default_passes()).apply(get_context(), module)
    assert _loops(module) > 0
    code = compile_module(module)

    def call(name: str, arguments: list[Any]) -> Any:
        return _as_tuple(code[name](*arguments))

    for result, exact in zip(_prepared(module, call, values), expected, strict=True):
        np.testing.assert_allclose(result, np.asarray(exact), rtol=1e-5, atol=1e-5)


def _blocks(count: int) -> str:
    """Blocks of ConvNeXt: windows of 3x3, each channel by itself, and a product.

    The product takes rows of channels, as does what reads the result.
    """
    image, padded = "tensor<1x32x6x6xf32>", "tensor<1x32x8x8xf32>"
    last, rows = "tensor<1x6x6x32xf32>", "tensor<36x32xf32>"
    weights, lines, value = list[str](), list[str](), "%x"
    for n in range(count):
        weights += [f"%f{n}: tensor<32x3x3xf32>", f"%w{n}: tensor<32x32xf32>"]
        lines += [
            f"%p{n} = tensor.pad {value} low[0, 0, 1, 1] high[0, 0, 1, 1] {{\n"
            "  ^bb0(%a: index, %b: index, %c: index, %d: index):\n"
            f"    tensor.yield %zero : f32\n  }} : {image} to {padded}",
            f"%c{n} = linalg.depthwise_conv_2d_nchw_chw ins(%p{n}, %f{n} : {padded}, "
            f"tensor<32x3x3xf32>) outs(%z : {image}) -> {image}",
            f"%l{n} = linalg.transpose ins(%c{n} : {image}) outs(%le : {last}) "
            "permutation = [0, 2, 3, 1]",
            f"%r{n} = tensor.collapse_shape %l{n} [[0, 1, 2], [3]] "
            f": {last} into {rows}",
            f"%m{n} = linalg.matmul ins(%r{n}, %w{n} : {rows}, tensor<32x32xf32>) "
            f"outs(%rz : {rows}) -> {rows}",
            f"%o{n} = tensor.expand_shape %m{n} [[0, 1, 2], [3]] "
            f"output_shape [1, 6, 6, 32] : {rows} into {last}",
            f"%i{n} = linalg.transpose ins(%o{n} : {last}) outs(%e : {image}) "
            "permutation = [0, 3, 1, 2]",
            f"%y{n} = linalg.add ins({value}, %i{n} : {image}, {image}) "
            f"outs(%e : {image}) -> {image}",
        ]
        value = f"%y{n}"
    arguments = "".join(f", {each} {{xbuf.weight}}" for each in weights)
    body = "\n  ".join(lines)
    return f"""
func.func @f(%start: {image}{arguments}) -> {last} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {image}
  %le = tensor.empty() : {last}
  %re = tensor.empty() : {rows}
  %z = linalg.fill ins(%zero : f32) outs(%e : {image}) -> {image}
  %rz = linalg.fill ins(%zero : f32) outs(%re : {rows}) -> {rows}
  %x = linalg.tanh ins(%start : {image}) outs(%e : {image}) -> {image}
  {body}
  %t = linalg.transpose ins({value} : {image}) outs(%le : {last})
    permutation = [0, 2, 3, 1]
  %q = linalg.tanh ins(%t : {last}) outs(%le : {last}) -> {last}
  return %q : {last}
}}"""


@pytest.mark.parametrize("count", [3, 5])
def test_blocks_of_windows_copy_nothing(parse: Parse, count: int):
    """The loop carries a tensor with its border, as rows of channels."""
    rng = np.random.default_rng(0)
    shapes = [(1, 32, 6, 6), *[(32, 3, 3), (32, 32)] * count]
    values = [rng.uniform(-0.2, 0.2, shape).astype(np.float32) for shape in shapes]
    (expected,) = evaluate(parse(_blocks(count)), "f", values)
    module = parse(_blocks(count))
    PassPipeline(default_passes()).apply(get_context(), module)
    assert _loops(module) > 0
    code = compile_module(module, count_copies=True)
    copies: dict[str, int] = {}

    def call(name: str, arguments: list[Any]) -> Any:
        heap: Any = code.heap
        before = heap.report().copies
        results = code[name](*arguments)
        copies[name] = heap.report().copies - before
        return _as_tuple(results)

    (result,) = _prepared(module, call, values)
    np.testing.assert_allclose(result, np.asarray(expected), rtol=1e-4, atol=1e-4)
    assert copies["f"] == 0


def test_the_code_does_not_grow_with_the_layers(parse: Parse):
    sizes: list[int] = []
    for count in (4, 12):
        module = parse(_blocks(count))
        PassPipeline(default_passes()).apply(get_context(), module)
        (function,) = (
            op
            for op in module.ops
            if isinstance(op, FuncOp) and op.sym_name.data == "f"
        )
        sizes.append(sum(1 for _ in function.walk()))
    assert sizes[0] == sizes[1]


def _read_twice(count: int) -> str:
    """Each layer reads a weight as an operand, and again in its payload."""
    maps = "affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>"
    lines, value = list[str](), "%x"
    for n in range(count):
        lines.append(
            f"%y{n} = linalg.generic {{indexing_maps = [{maps}, affine_map<(d0, d1) -> "
            '(d0)>], iterator_types = ["parallel", "reduction"]} '
            f"ins({value}, %w{n} : {VECTOR}, {VECTOR}) outs(%z : {VECTOR}) {{\n"
            "  ^bb0(%l: f32, %r: f32, %o: f32):\n    %i = linalg.index 1 : index\n"
            f"    %j = arith.subi %last, %i : index\n"
            f"    %v = tensor.extract %w{n}[%j] : {VECTOR}\n"
            "    %p = arith.mulf %l, %r : f32\n    %q = arith.mulf %p, %v : f32\n"
            f"    %s = arith.addf %o, %q : f32\n    linalg.yield %s : f32\n"
            f"  }} -> {VECTOR}"
        )
        value = f"%y{n}"
    weights = "".join(f", %w{n}: {VECTOR} {{xbuf.weight}}" for n in range(count))
    body = "\n  ".join(lines)
    return f"""
func.func @f(%x: {VECTOR}{weights}) -> {VECTOR} {{
  %zero = arith.constant 0.0 : f32
  %last = arith.constant 3 : index
  %e = tensor.empty() : {VECTOR}
  %z = linalg.fill ins(%zero : f32) outs(%e : {VECTOR}) -> {VECTOR}
  {body}
  return {value} : {VECTOR}
}}"""


def test_a_weight_that_is_read_twice_differs_twice(parse: Parse):
    rng = np.random.default_rng(0)
    module = parse(_read_twice(5))
    check_rewrite(module, roll_equal_layers, [rng.uniform(1, 2, 4) for _ in range(6)])
    assert _loops(module) == 1
