"""Functions of JAX with arguments so large that loops take the time, not the call.

    case("reductions", "sum of 1000 x 1000", lambda x: x.sum(), normal(1000, 1000))

They are for `time_functions.py`. `functions.py` has all functions with small arguments,
and checks their numbers.
"""

# JAX is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from functions import (
    KEY,
    Case,
    Make,
    add,
    ascending,
    between,
    definite,
    integers,
    normal,
    of_key_data,
)
from jax import lax

LARGER_CASES: dict[str, Case] = {}
"""By name."""


def _case(group: str, name: str, function: Callable[..., Any], *makers: Make) -> None:
    add(LARGER_CASES, Case(group, name, function, makers))


def _elements() -> None:
    group = "of each element"
    names = (
        "exp expm1 log log1p sin cos tan sinh cosh tanh arcsinh arctan sqrt cbrt floor "
        "rint reciprocal sinc square"
    )
    numbers = between(0.1, 5, 100, 1000)
    for name in names.split():
        _case(group, f"{name} of 100 x 1000", getattr(jnp, name), numbers)
    for name in ["arcsin", "arccos", "arctanh"]:
        function = getattr(jnp, name)
        _case(group, f"{name} of 100 x 1000", function, between(0.1, 0.9, 100, 1000))
    for name in ["power", "arctan2", "hypot", "logaddexp", "mod", "maximum"]:
        _case(group, f"{name} of 100 x 1000", getattr(jnp, name), numbers, numbers)
    _case(group, "where of 100 x 1000", lambda x: jnp.where(x > 1, x, 2 * x), numbers)


def _special_functions() -> None:
    group = "special functions"
    names = "gammaln digamma erf erfc erfinv ndtr ndtri logit expit i0e i1e entr spence"
    for name in names.split():
        function = getattr(jax.scipy.special, name)
        _case(group, f"{name} of 100 x 100", function, between(0.1, 0.9, 100, 100))


def _networks() -> None:
    group = "networks"
    for name in ["relu", "gelu", "softmax", "log_softmax", "silu", "standardize"]:
        function = getattr(jax.nn, name)
        _case(group, f"{name} of 256 x 512", function, normal(256, 512))
    _case(
        group,
        "convolution, 8 x 16 x 32 x 32",
        _convolve,
        normal(8, 16, 32, 32),
        normal(32, 16, 3, 3),
    )
    _case(group, "maximum of windows, 8 x 32 x 32 x 16", _pool, normal(8, 32, 32, 16))
    _case(
        group,
        "attention, 4 x 64 x 4 x 32",
        jax.nn.dot_product_attention,
        *(normal(4, 64, 4, 32) for _ in range(3)),
    )
    _case(
        group,
        "gradient of two layers, 64 x 128",
        jax.grad(_loss, (0, 1)),
        normal(128, 128),
        normal(128, 10),
        normal(64, 128),
    )


def _convolve(x: Any, kernel: Any) -> Any:
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME")


def _pool(x: Any) -> Any:
    window = (1, 2, 2, 1)
    return lax.reduce_window(x, -jnp.inf, lax.max, window, window, "VALID")


def _loss(first: Any, second: Any, x: Any) -> Any:
    return jnp.mean((jax.nn.relu(x @ first) @ second) ** 2)


def _random_numbers() -> None:
    group = "random numbers"
    for name in ["uniform", "normal", "bits"]:
        draw = getattr(jax.random, name)
        _random(group, f"{name}, 100 x 100", lambda key, f=draw: f(key, (100, 100)))
    _random(group, "permutation of 1000", lambda key: jax.random.permutation(key, 1000))


def _random(group: str, name: str, function: Callable[[Any], Any]) -> None:
    _case(group, name, of_key_data(function), KEY)


def _fourier() -> None:
    group = "Fourier transforms"
    _case(group, "fft of 64 x 1024", lambda x: jnp.fft.fft(x).real, normal(64, 1024))
    _case(group, "rfft of 64 x 1000", lambda x: jnp.fft.rfft(x).real, normal(64, 1000))
    _case(group, "irfft of 64 x 513", jnp.fft.irfft, normal(64, 513))
    _case(group, "fft2 of 64 x 64", lambda x: jnp.fft.fft2(x).real, normal(64, 64))


def _factors() -> None:
    group, linalg = "factorizations", jnp.linalg
    _case(group, "cholesky of 64 x 64", linalg.cholesky, definite(64))
    _case(group, "cholesky of 256 x 256", linalg.cholesky, definite(256))
    _case(group, "solve of 64 x 64", linalg.solve, definite(64), normal(64, 8))
    _case(group, "inv of 64 x 64", linalg.inv, definite(64))
    _case(group, "qr of 64 x 64", lambda x: linalg.qr(x)[1], normal(64, 64))
    _case(group, "eigh of 16 x 16", lambda x: linalg.eigh(x)[0], definite(16))
    _case(group, "eigh of 64 x 64", lambda x: linalg.eigh(x)[0], definite(64))
    _case(group, "svd of 16 x 16", lambda x: linalg.svd(x)[1], normal(16, 16))
    _case(group, "eigh of 128 x 128", lambda x: linalg.eigh(x)[0], definite(128))
    _case(group, "svd of 64 x 64", lambda x: linalg.svd(x)[1], normal(64, 64))
    _case(group, "svd of 128 x 128", lambda x: linalg.svd(x)[1], normal(128, 128))
    _case(group, "svd of 128 x 32", lambda x: linalg.svd(x, False)[1], normal(128, 32))
    _case(
        group,
        "cholesky of 100 x 8 x 8",
        lambda x: linalg.cholesky(x @ x.swapaxes(1, 2) + 8 * jnp.eye(8)),
        normal(100, 8, 8),
    )


def _products() -> None:
    group = "products"
    _case(group, "matmul of 64 x 64", jnp.matmul, normal(64, 64), normal(64, 64))
    _case(group, "matmul of 256 x 256", jnp.matmul, normal(256, 256), normal(256, 256))
    _case(
        group,
        "matrix with vector, 512 x 512",
        jnp.matmul,
        normal(512, 512),
        normal(512),
    )
    _case(
        group,
        "32 products of 32 x 32",
        jnp.matmul,
        normal(32, 32, 32),
        normal(32, 32, 32),
    )
    _case(group, "outer of 500", jnp.outer, normal(500), normal(500))
    _case(group, "kron of 20 x 20", jnp.kron, normal(20, 20), normal(20, 20))
    _case(group, "convolve of 1000 and 20", jnp.convolve, normal(1000), normal(20))


def _reductions() -> None:
    group = "reductions"
    names = "sum max var cumsum median argmax prod cumprod"
    for name in names.split():
        function = getattr(jnp, name)
        for axis in (0, 1):
            _case(
                group,
                f"{name} of axis {axis}, 300 x 300",
                lambda x, f=function, axis=axis: f(x, axis=axis),
                # Products of other numbers would be denormal.
                between(0.98, 1.02, 300, 300),
            )
    _case(group, "sum of 300 x 300", jnp.sum, normal(300, 300))
    _case(group, "cov of 32 x 200", jnp.cov, normal(32, 200))


def _order() -> None:
    group = "order and counts"
    _case(group, "sort of 100 x 100", lambda x: jnp.sort(x, -1), normal(100, 100))
    _case(group, "argsort of 1000", jnp.argsort, normal(1000))
    _case(group, "sort of 10000", jnp.sort, normal(10000))
    _case(group, "top_k of 64 x 1000", lambda x: lax.top_k(x, 10)[0], normal(64, 1000))
    _case(
        group, "unique of 1000", lambda x: jnp.unique(x, size=50), integers(0, 50, 1000)
    )
    _case(
        group,
        "searchsorted of 1000 in 1000",
        jnp.searchsorted,
        ascending(1000),
        normal(1000),
    )
    _case(
        group,
        "bincount of 10000",
        lambda x: jnp.bincount(x, length=100),
        integers(0, 100, 10000),
    )
    _case(group, "histogram of 10000", lambda x: jnp.histogram(x, 20)[0], normal(10000))
    _case(
        group,
        "interp of 1000 in 100",
        jnp.interp,
        normal(1000),
        ascending(100),
        normal(100),
    )
    segments = integers(0, 100, 10000)
    _case(group, "segment_sum of 10000", _segment_sum, normal(10000), segments)
    _case(group, "segment_sum of 10000 x 16", _segment_sum, normal(10000, 16), segments)
    _case(group, "segment_max of 10000", _segment_max, normal(10000), segments)


def _segment_sum(x: Any, segments: Any) -> Any:
    return jax.ops.segment_sum(x, segments, 100)


def _segment_max(x: Any, segments: Any) -> Any:
    return jax.ops.segment_max(x, segments, 100)


def _shapes() -> None:
    group = "shapes and indices"
    _case(group, "transpose of 500 x 500", lambda x: x.T.copy(), normal(500, 500))
    _case(group, "roll of 300 x 300", lambda x: jnp.roll(x, 7, 1), normal(300, 300))
    _case(group, "flip of 300 x 300", jnp.flip, normal(300, 300))
    _case(
        group,
        "concatenate of 300 x 300",
        lambda x, y: jnp.concatenate([x, y], 1),
        normal(300, 300),
        normal(300, 300),
    )
    _case(
        group,
        "pad of 300 x 300",
        lambda x: jnp.pad(x, 2, mode="reflect"),
        normal(300, 300),
    )
    _case(group, "tril of 300 x 300", jnp.tril, normal(300, 300))
    rows, columns = integers(0, 1000, 500), integers(0, 64, 500)
    _case(
        group, "take 500 rows of 1000 x 64", lambda x, i: x[i], normal(1000, 64), rows
    )
    _case(
        group,
        "take 500 numbers of 1000 x 64",
        lambda x, i, j: x[i, j],
        normal(1000, 64),
        rows,
        columns,
    )
    _case(
        group,
        "add to 500 rows of 1000 x 64",
        lambda x, i, y: x.at[i].add(y),
        normal(1000, 64),
        rows,
        normal(500, 64),
    )
    _case(
        group,
        "set 500 rows of 1000 x 64",
        lambda x, i, y: x.at[i].set(y),
        normal(1000, 64),
        rows,
        normal(500, 64),
    )
    _case(
        group,
        "add to 500 numbers of 1000 x 64",
        lambda x, i, j, y: x.at[i, j].add(y),
        normal(1000, 64),
        rows,
        columns,
        normal(500),
    )


def _control() -> None:
    group = "loops, branches, transformations"
    _case(group, "fori_loop of a number, 1000", lambda x: _loop(1000, x), between(0, 1))
    _case(
        group,
        "fori_loop of three numbers, 1000",
        lambda x: _loop_of_three(1000, x),
        between(0, 1),
    )
    _case(
        group,
        "fori_loop of a vector of 3, 1000",
        lambda x: _loop(1000, x),
        between(0, 1, 3),
    )
    _case(
        group,
        "fori_loop of 100 numbers, 1000",
        lambda x: _loop(1000, x),
        between(0, 1, 100),
    )
    _case(group, "while_loop of a number", _newton, between(1, 100))
    _case(group, "while_loop of integers", _collatz, integers(27, 28))
    _case(
        group,
        "scan of a number over 1000",
        lambda x: lax.scan(_step, 0.5, x),
        normal(1000),
    )
    _case(
        group,
        "scan of a total over 1000",
        lambda x: lax.scan(_total, 0.0, x)[0],
        normal(1000),
    )
    _case(group, "scan of two numbers over 1000", _fibonacci, normal(1000))
    _case(
        group, "scan of a cell over 50 x 32", _recurrent, normal(50, 32), normal(32, 32)
    )
    _case(group, "fori_loop that sets elements, 1000", _fill, normal(1000))
    _case(group, "fori_loop that reads elements, 1000", _walk, integers(0, 1000, 1000))
    _case(
        group,
        "associative_scan of 1000",
        lambda x: lax.associative_scan(jnp.add, x),
        normal(1000),
    )
    _case(
        group,
        "map of 100 rows",
        lambda x: lax.map(lambda row: jnp.sum(row * row), x),
        normal(100, 64),
    )
    _case(
        group,
        "gradient of a scan over 100",
        jax.grad(lambda x: lax.scan(_step, 0.5, x)[0]),
        normal(100),
    )
    _case(group, "vmap of while_loop, 100", jax.vmap(_newton), between(1, 100, 100))
    _case(
        group,
        "hessian of 16",
        jax.hessian(lambda x: jnp.sum(jnp.sin(x) ** 2 * x[0])),
        normal(16),
    )


def _loop(count: int, x: Any) -> Any:
    return lax.fori_loop(0, count, lambda _, state: state * 0.99 + 0.1, x)


def _loop_of_three(count: int, x: Any) -> Any:
    def step(_: Any, state: Any) -> Any:
        a, b, c = state
        return b, c, 0.3 * a + 0.3 * b + 0.3 * c

    return lax.fori_loop(0, count, step, (x, x + 1, x + 2))


def _newton(x: Any) -> Any:
    def step(y: Any) -> Any:
        return 0.5 * (y + x / y)

    return lax.while_loop(lambda y: jnp.abs(y * y - x) > 1e-3 * x, step, x)


def _collatz(x: Any) -> Any:
    def step(state: Any) -> Any:
        n, count = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), count + 1

    return lax.while_loop(lambda state: state[0] != 1, step, (x, 0))


def _step(carry: Any, x: Any) -> tuple[Any, Any]:
    carry = 0.9 * carry + x
    return carry, carry * x


def _total(carry: Any, x: Any) -> tuple[Any, None]:
    return carry + x * x, None


def _fibonacci(x: Any) -> Any:
    def step(carry: Any, x: Any) -> Any:
        a, b = carry
        return (b, 0.5 * a + 0.4 * b + x), a

    return lax.scan(step, (0.0, 1.0), x)


def _recurrent(x: Any, weights: Any) -> Any:
    def step(carry: Any, x: Any) -> Any:
        carry = jnp.tanh(carry @ weights + x)
        return carry, carry

    return lax.scan(step, jnp.zeros(32), x)


def _fill(x: Any) -> Any:
    return lax.fori_loop(
        1, 1000, lambda i, state: state.at[i].add(state[i - 1] * 0.5), x
    )


def _walk(x: Any) -> Any:
    return lax.fori_loop(0, 1000, lambda _, i: x[i], 0)


for _fill_group in (
    _elements,
    _special_functions,
    _networks,
    _random_numbers,
    _fourier,
    _factors,
    _products,
    _reductions,
    _order,
    _shapes,
    _control,
):
    _fill_group()
