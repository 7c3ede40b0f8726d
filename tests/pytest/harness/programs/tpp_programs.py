"""Small models on tensors for the tests of tiling and of the rewrites around it.

Numbers are small integers, so that sums are the same in any order.
"""

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.utils.hints import isa

MAPS = """
#a = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#b = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#c = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row4 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
"""

GEMM = (
    "indexing_maps = [#a, #b, #c], iterator_types = "
    '["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]'
)

PRODUCT = """{
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %product = arith.mulf %in, %weight : f32
      %sum = arith.addf %out, %product : f32
      linalg.yield %sum : f32
    }"""

RELU = """{
    ^bb0(%out: f32):
      %compared = arith.cmpf ugt, %out, %zero : f32
      %max = arith.select %compared, %out, %zero : f32
      linalg.yield %max : f32
    }"""

SUM = """{
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %in, %out : f32
      linalg.yield %sum : f32
    }"""


def tensor_type(*shape: int) -> str:
    """The type of a tensor of f32."""
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def packed_mlp(
    layers: Sequence[int],
    batch: int,
    block: int = 4,
    *,
    bias: str = "full",
    relu: bool = True,
    rest: int = 0,
) -> str:
    """Layers of packed products; `batch` and `layers` count blocks.

    The result is unpacked to a tensor with `rest` rows and columns less.
    """
    arguments = [f"%x: {tensor_type(batch, layers[0], block, block)}"]
    lines = ["%zero = arith.constant 0.0 : f32"]
    source = "%x"
    for number, (inputs, outputs) in enumerate(pairwise(layers)):
        weight = tensor_type(outputs, inputs, block, block)
        type_ = tensor_type(batch, outputs, block, block)
        row = tensor_type(outputs, block)
        arguments.append(f"%w{number}: {weight}")
        lines += [
            f"%e{number} = tensor.empty() : {type_}",
            f"%f{number} = linalg.fill ins(%zero : f32) outs(%e{number} : {type_}) "
            f"-> {type_}",
            f"%g{number} = linalg.generic {{{GEMM}}} ins({source}, %w{number} : "
            f"{tensor_type(batch, inputs, block, block)}, {weight}) "
            f"outs(%f{number} : {type_}) {PRODUCT} -> {type_}",
        ]
        source = f"%g{number}"
        parallel = 'iterator_types = ["parallel", "parallel", "parallel", "parallel"]'
        if bias != "none":
            map_, bias_type = ("#row4", row) if bias == "row" else ("#id4", type_)
            arguments.append(f"%b{number}: {bias_type}")
            lines.append(
                f"%h{number} = linalg.generic {{indexing_maps = [{map_}, #id4], "
                f"{parallel}}} ins(%b{number} : {bias_type}) outs({source} : {type_}) "
                f"{SUM} -> {type_}"
            )
            source = f"%h{number}"
        if relu:
            lines.append(
                f"%r{number} = linalg.generic {{indexing_maps = [#id4], {parallel}}} "
                f"outs({source} : {type_}) {RELU} -> {type_}"
            )
            source = f"%r{number}"
    packed = tensor_type(batch, layers[-1], block, block)
    result = tensor_type(batch * block - rest, layers[-1] * block - rest)
    lines += [
        f"%empty = tensor.empty() : {result}",
        f"%filled = linalg.fill ins(%zero : f32) outs(%empty : {result}) -> {result}",
        f"%result = linalg.unpack {source} inner_dims_pos = [0, 1] inner_tiles = "
        f"[{block}, {block}] into %filled : {packed} -> {result}",
    ]
    return _function(arguments, lines, result)


def named_mlp(
    layers: Sequence[int], batch: int, *, bias: str = "row", relu: bool = True
) -> str:
    """Layers of named ops on matrices; sizes are numbers of elements."""
    arguments = [f"%x: {tensor_type(batch, layers[0])}"]
    lines = ["%zero = arith.constant 0.0 : f32"]
    source = "%x"
    for number, (inputs, outputs) in enumerate(pairwise(layers)):
        weight, type_ = tensor_type(inputs, outputs), tensor_type(batch, outputs)
        arguments.append(f"%w{number}: {weight}")
        lines += [
            f"%e{number} = tensor.empty() : {type_}",
            f"%f{number} = linalg.fill ins(%zero : f32) outs(%e{number} : {type_}) "
            f"-> {type_}",
            f"%g{number} = linalg.matmul ins({source}, %w{number} : "
            f"{tensor_type(batch, inputs)}, {weight}) outs(%f{number} : {type_}) "
            f"-> {type_}",
        ]
        source = f"%g{number}"
        if bias != "none":
            row = tensor_type(outputs) if bias == "row" else type_
            added = f"%b{number}"
            arguments.append(f"{added}: {row}")
            if bias == "row":
                added = f"%d{number}"
                lines += [
                    f"{added} = linalg.broadcast ins(%b{number} : {row}) "
                    f"outs(%e{number} : {type_}) dimensions = [0]",
                ]
            lines += [
                f"%n{number} = tensor.empty() : {type_}",
                f"%h{number} = linalg.add ins({source}, {added} : {type_}, {type_}) "
                f"outs(%n{number} : {type_}) -> {type_}",
            ]
            source = f"%h{number}"
        if relu:
            lines.append(
                f"%r{number} = linalg.generic {{indexing_maps = [#id2], "
                f'iterator_types = ["parallel", "parallel"]}} outs({source} : {type_}) '
                f"{RELU} -> {type_}"
            )
            source = f"%r{number}"
    result = tensor_type(batch, layers[-1])
    lines.append(f"%result = tensor.cast {source} : {result} to {result}")
    return _function(arguments, lines, result)


def convolution(
    image: Sequence[int],
    window: Sequence[int],
    filters: int,
    stride: int = 1,
    dilation: int = 1,
) -> str:
    """A convolution of channels last, with a bias and a ReLU."""
    count, height, width, channels = image
    rows, columns = (
        (size - (taps - 1) * dilation - 1) // stride + 1
        for size, taps in zip((height, width), window, strict=True)
    )
    x, f = tensor_type(*image), tensor_type(*window, channels, filters)
    type_, bias = tensor_type(count, rows, columns, filters), tensor_type(filters)
    sizes = (
        f"{{dilations = dense<{dilation}> : vector<2xi64>, "
        f"strides = dense<{stride}> : vector<2xi64>}}"
    )
    parallel = 'iterator_types = ["parallel", "parallel", "parallel", "parallel"]'
    lines = [
        "%zero = arith.constant 0.0 : f32",
        f"%e = tensor.empty() : {type_}",
        f"%d = linalg.broadcast ins(%b : {bias}) outs(%e : {type_}) "
        "dimensions = [0, 1, 2]",
        f"%c = linalg.conv_2d_nhwc_hwcf {sizes} ins(%x, %f : {x}, {f}) "
        f"outs(%d : {type_}) -> {type_}",
        f"%result = linalg.generic {{indexing_maps = [#id4], {parallel}}} "
        f"outs(%c : {type_}) {RELU} -> {type_}",
    ]
    return _function([f"%x: {x}", f"%f: {f}", f"%b: {bias}"], lines, type_)


def batches(batch: int, rows: int, inner: int, columns: int) -> str:
    """A product of batches of matrices, and its softmax."""
    a, b = tensor_type(batch, rows, inner), tensor_type(batch, inner, columns)
    type_ = tensor_type(batch, rows, columns)
    lines = [
        "%zero = arith.constant 0.0 : f32",
        f"%e = tensor.empty() : {type_}",
        f"%f = linalg.fill ins(%zero : f32) outs(%e : {type_}) -> {type_}",
        f"%g = linalg.batch_matmul ins(%a, %b : {a}, {b}) outs(%f : {type_}) "
        f"-> {type_}",
        f"%o = tensor.empty() : {type_}",
        f"%result = linalg.softmax dimension(2) ins(%g : {type_}) outs(%o : {type_}) "
        f"-> {type_}",
    ]
    return _function([f"%a: {a}", f"%b: {b}"], lines, type_)


def two_products(size: int) -> str:
    """A sum of two products."""
    type_ = tensor_type(size, size)
    lines = [
        "%zero = arith.constant 0.0 : f32",
        f"%e = tensor.empty() : {type_}",
        f"%f = linalg.fill ins(%zero : f32) outs(%e : {type_}) -> {type_}",
        f"%p = linalg.matmul ins(%a, %b : {type_}, {type_}) outs(%f : {type_}) "
        f"-> {type_}",
        f"%q = linalg.matmul ins(%b, %a : {type_}, {type_}) outs(%f : {type_}) "
        f"-> {type_}",
        f"%o = tensor.empty() : {type_}",
        f"%result = linalg.add ins(%p, %q : {type_}, {type_}) outs(%o : {type_}) "
        f"-> {type_}",
    ]
    return _function([f"%a: {type_}", f"%b: {type_}"], lines, type_)


def _function(arguments: Sequence[str], lines: Sequence[str], result: str) -> str:
    body = "\n".join(f"  {line}" for line in lines)
    return (
        f"{MAPS}func.func @entry({', '.join(arguments)}) -> {result} {{\n{body}\n"
        f"  return %result : {result}\n}}\n"
    )


def random_model(seed: int) -> str:
    """Any of the models, of random sizes."""
    rng = random.Random(seed)
    depth = rng.randint(1, 3)
    bias, relu = rng.choice(("none", "row", "full")), rng.random() < 0.5
    match seed % 5:
        case 0:
            layers = [rng.randint(1, 5) for _ in range(depth + 1)]
            batch, rest = rng.randint(1, 4), rng.randint(0, 3)
            return packed_mlp(layers, batch, bias=bias, relu=relu, rest=rest)
        case 1:
            sizes = [rng.choice((3, 16, 32, 64, 70)) for _ in range(depth + 2)]
            return named_mlp(sizes[1:], sizes[0], bias=bias, relu=relu)
        case 2:
            window = (rng.randint(1, 3), rng.randint(1, 3))
            dilation = rng.randint(1, 2)
            image = [rng.randint(1, 2), *(rng.randint(5, 9) for _ in range(2))]
            image.append(rng.randint(1, 4))
            filters, stride = rng.randint(1, 5), rng.randint(1, 3)
            return convolution(image, window, filters, stride, dilation)
        case 3:
            return batches(*(rng.randint(1, 5) for _ in range(4)))
        case _:
            return two_products(rng.choice((3, 64)))


def integers(module: ModuleOp, seed: int = 0) -> list[NDArray[Any]]:
    """Arguments of the one function of a program."""
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    rng = np.random.default_rng(seed)
    arguments: list[NDArray[Any]] = []
    for type_ in function.function_type.inputs:
        assert isa(type_, TensorType)
        numbers = rng.integers(-3, 4, type_.get_shape())
        arguments.append(numbers.astype(np.float32))
    return arguments
