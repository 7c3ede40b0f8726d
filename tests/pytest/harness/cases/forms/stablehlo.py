"""Forms of ops of StableHLO that take any number of tensors, or have more attributes.

A sort of two tensors at once, a branch without results, a product with a precision
"""

from collections.abc import Iterator, Sequence

import numpy as np

from harness.cases.forms.form import Form, function, numbers

T, W, N = "tensor<3x4xf32>", "tensor<3x4xi32>", "tensor<f32>"


def _form(name: str, body: str, results: Sequence[str], more: str = "") -> Form:
    """Tensors %0 and %1, integers %2, a number %3, and another one %4 that is 1."""
    text = function(body, [T, T, W, N, "tensor<i32>"], results, more)
    arrays = [numbers([3, 4], "f32", at) for at in range(2)]
    integers = numbers([3, 4], "i32")
    one = np.array(1, np.int32)
    return Form(name, text, [*arrays, integers, np.array(0.5, np.float32), one])


def _branches() -> Iterator[Form]:
    for count in (0, 1, 2):
        types = ", ".join([T] * count)
        results = ", ".join(["%r0", "%r1"][:count])
        defined = f"{results} = " if count else ""
        given, other = (
            f"{', '.join(each[:count])} : {types}" if count else ""
            for each in (["%0", "%1"], ["%1", "%0"])
        )
        for op, operand in (("if", "%p"), ("case", "%4")):
            type_ = "tensor<i1>" if op == "if" else "tensor<i32>"
            body = f"""
  %p = stablehlo.compare EQ, %4, %4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  {defined}"stablehlo.{op}"({operand}) ({{
    stablehlo.return {given}
  }}, {{
    stablehlo.return {other}
  }}) : ({type_}) -> ({types})"""
            yield _form(f"{op} of {count}", body, [T] * count)
        if count:
            body = f"  {defined}stablehlo.optimization_barrier {given}"
            yield _form(f"optimization_barrier of {count}", body, [T] * count)
    body = f"""
  %r0 = stablehlo.while(%i = %4) : tensor<i32>
  cond {{
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %p = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %n = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %n : tensor<i32>
  }}
  %r1, %r2, %r3 = stablehlo.while(%i = %4, %x = %0, %y = %1) : tensor<i32>, {T}, {T}
  cond {{
    %three = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %n = stablehlo.add %i, %4 : tensor<i32>
    %z = stablehlo.subtract %y, %x : {T}
    stablehlo.return %n, %z, %x : tensor<i32>, {T}, {T}
  }}"""
    yield _form("while of one and three", body, ["tensor<i32>", "tensor<i32>", T, T])


def _together() -> Iterator[Form]:
    """Two tensors that are sorted, reduced or written together."""
    for stable in ("", ", is_stable = true"):
        body = f"""
  %r0, %r1 = "stablehlo.sort"(%2, %0) <{{dimension = 1 : i64{stable}}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %x: {N}, %y: {N}):
    %p = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}) : ({W}, {T}) -> ({W}, {T})"""
        yield _form(f"sort of two{stable}", body, [W, T])
    region = f"""({{
  ^bb0(%a: {N}, %i: tensor<i32>, %b: {N}, %j: tensor<i32>):
    %c = stablehlo.maximum %a, %b : {N}
    %k = stablehlo.add %i, %j : tensor<i32>
    stablehlo.return %c, %k : {N}, tensor<i32>
  }})"""
    kept, counted = "tensor<2x2xf32>", "tensor<2x2xi32>"
    body = f"""
  %r0, %r1 = "stablehlo.reduce_window"(%0, %2, %3, %4) <{{
      window_dimensions = array<i64: 2, 3>}}> {region}
    : ({T}, {W}, {N}, tensor<i32>) -> ({kept}, {counted})"""
    yield _form("reduce_window of two", body, [kept, counted])
    sorted_ = "indices_are_sorted = true"
    for words in ("", f", {sorted_}, unique_indices = true"):
        body = f"""
  %at = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi32>
  %u = stablehlo.slice %0 [0:2, 0:4] : ({T}) -> tensor<2x4xf32>
  %v = stablehlo.slice %2 [1:3, 0:4] : ({W}) -> tensor<2x4xi32>
  %r0, %r1 = "stablehlo.scatter"(%1, %2, %at, %u, %v) <{{
      scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>{words}}}> {region}
    : ({T}, {W}, tensor<2x1xi32>, tensor<2x4xf32>, tensor<2x4xi32>) -> ({T}, {W})"""
        yield _form(f"scatter of two{words}", body, [T, W])
    body = f"""
  %i = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
  %r0 = "stablehlo.gather"(%0, %i) <{{dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
      index_vector_dim = 1>, {sorted_}, slice_sizes = array<i64: 1, 4>}}>
    : ({T}, tensor<2xi32>) -> tensor<2x4xf32>"""
    yield _form("gather at places in order", body, ["tensor<2x4xf32>"])


def _windows() -> Iterator[Form]:
    regions = f"""({{
  ^bb0(%a: {N}, %b: {N}):
    %c = stablehlo.compare GE, %a, %b : ({N}, {N}) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}, {{
  ^bb0(%a: {N}, %b: {N}):
    %c = stablehlo.add %a, %b : {N}
    stablehlo.return %c : {N}
  }})"""
    for words, sizes in (
        ("window_dimensions = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 0]]> "
         ": tensor<2x2xi64>", "3x4"),
        ("window_strides = array<i64: 2, 2>", "2x2"),
    ):  # fmt: skip
        source = f"tensor<{sizes}xf32>"
        body = f"""
  %s = stablehlo.constant dense<2.0> : {source}
  %r0 = "stablehlo.select_and_scatter"(%0, %s, %3) <{{{words}}}> {regions}
    : ({T}, {source}, {N}) -> {T}"""
        yield _form(f"select_and_scatter with {words}", body, [T])


def _products() -> Iterator[Form]:
    product = "tensor<3x3xf32>"
    algorithm = (
        "algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, "
        "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
        "num_primitive_operations = 1, allow_imprecise_accumulation = false>"
    )
    precision = "precision = [HIGHEST, DEFAULT]"
    for words in ("", f", {precision}", f", {precision}, {algorithm}"):
        body = f"""
  %r0 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [1]{words}
    : ({T}, {T}) -> {product}"""
        yield _form(f"dot_general{words}", body, [product])
    body = f"""
  %x = stablehlo.reshape %0 : ({T}) -> tensor<1x3x4xf32>
  %k = stablehlo.slice %1 [0:3, 0:2] : ({T}) -> tensor<3x2xf32>
  %l = stablehlo.reshape %k : (tensor<3x2xf32>) -> tensor<1x3x2xf32>
  %r0 = stablehlo.convolution(%x, %l) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0],
      window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}}
    : (tensor<1x3x4xf32>, tensor<1x3x2xf32>) -> tensor<1x1x3xf32>"""
    yield _form("convolution with a precision", body, ["tensor<1x1x3xf32>"])


def _composites() -> Iterator[Form]:
    for words in ("", "composite_attributes = {size = 3 : i64}, version = 2 : i32, "):
        for count in (1, 2):
            types = ", ".join([T] * count)
            results = ", ".join(["%r0", "%r1"][:count])
            more = f"""
func.func private @g(%x: {T}, %y: {T}) -> ({types}) {{
  %s = stablehlo.add %x, %y : {T}
  return {", ".join(["%s", "%x"][:count])} : {types}
}}"""
            body = f"""
  {results} = stablehlo.composite "mine.sum" %0, %1 {{{words}decomposition = @g}}
    : ({T}, {T}) -> {f"({types})" if count > 1 else types}"""
            yield _form(f"composite with {words}{count}", body, [T] * count, more)


def forms() -> list[Form]:
    """Each part at least once."""
    return [
        *_branches(),
        *_together(),
        *_windows(),
        *_products(),
        *_composites(),
    ]
