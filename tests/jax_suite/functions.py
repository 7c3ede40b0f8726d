"""The usual functions of JAX and their gradients, as a table of cases.

    case("linear algebra", "matmul", jnp.matmul, normal(4, 5), normal(5, 3))

gives the cases `matmul` and `d_matmul`, which is the gradient of the sum of the result.
Arguments are random, and depend on nothing but the name of the case.
"""

# JAX is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

special = jax.scipy.special
Make: TypeAlias = Callable[[np.random.Generator], np.ndarray]


@dataclass(frozen=True)
class Case:
    """A function, what makes its arguments, and the group that it is counted in."""

    group: str
    name: str
    function: Callable[..., Any]
    makers: tuple[Make, ...]
    sizes: str = ""
    """Names of sizes that are left open."""

    @property
    def may_give(self) -> tuple[str, ...]:
        """A message at a line of the text, or the numbers of XLA."""
        return ("refused",) if self.name in REFUSED else ("bits", "close")

    def arguments(self) -> list[np.ndarray]:
        """The same ones each time."""
        rng = np.random.default_rng(zlib.crc32(self.name.removeprefix("d_").encode()))
        return [make(rng) for make in self.makers]

    def lowered(self, arguments: list[np.ndarray]) -> tuple[str, list[np.ndarray]]:
        """The program of the function as text, and the numbers that XLA computes."""
        text, results = lower(self.function, arguments)
        if self.sizes:
            bounds = [f"{size} >= 3" for size in self.sizes.split(", ")]
            shape = jax.export.symbolic_shape(self.sizes, constraints=bounds)
            of = jax.ShapeDtypeStruct(shape, jnp.float32)
            text = jax.export.export(jax.jit(self.function))(of).mlir_module()
        return text, results


def lower(
    function: Callable[..., Any], arguments: list[np.ndarray]
) -> tuple[str, list[np.ndarray]]:
    """The program of a function as text, and the numbers that XLA computes."""
    program = jax.jit(function, keep_unused=True).lower(*arguments)
    results = jax.tree.leaves(program.compile()(*arguments))
    return program.as_text(), [np.asarray(each) for each in results]


CASES: dict[str, Case] = {}
"""By name."""

REFUSED = ("eig",)
"""Cases that are refused, as `docs/jax.md` says; no others may be."""


def case(group: str, name: str, function: Callable[..., Any], *makers: Make) -> None:
    """A function and its gradient."""
    value(group, name, function, *makers)
    numbers = tuple(range(len(makers)))

    def total(*arguments: Any) -> Any:
        return jnp.sum(jnp.asarray(function(*arguments)).real.astype(jnp.float32))

    value(group, f"d_{name}", jax.grad(total, argnums=numbers), *makers)


def value(group: str, name: str, function: Callable[..., Any], *makers: Make) -> None:
    """A function without its gradient."""
    add(CASES, Case(group, name, function, makers))


def add(cases: dict[str, Case], case: Case) -> None:
    """Add a case, whose name no other may have."""
    assert case.name not in cases, case.name
    cases[case.name] = case


# Arguments.


def normal(*shape: int) -> Make:
    """Numbers about 0."""
    return lambda rng: rng.normal(size=shape).astype(np.float32)


def between(low: float, high: float, *shape: int) -> Make:
    """Numbers from `low` to `high`."""
    return lambda rng: rng.uniform(low, high, shape).astype(np.float32)


def small(*shape: int) -> Make:
    """Numbers from 0.1 to 0.9."""
    return between(0.1, 0.9, *shape)


def integers(low: int, high: int, *shape: int) -> Make:
    """Integers from `low` up to below `high`."""
    return lambda rng: rng.integers(low, high, shape).astype(np.int32)


def given(numbers: list[float], dtype: Any = np.float32) -> Make:
    """These numbers."""
    return lambda _: np.array(numbers, dtype)


def ascending(size: int) -> Make:
    """Numbers about 0 in ascending order."""
    return lambda rng: np.sort(rng.normal(size=size)).astype(np.float32)


def definite(size: int) -> Make:
    """A matrix that is symmetric and positive definite."""

    def make(rng: np.random.Generator) -> np.ndarray:
        half = rng.normal(size=(size, size))
        return (half @ half.T + size * np.eye(size)).astype(np.float32)

    return make


KEY = given([0, 3], np.uint32)


# The table.


def _elements() -> None:
    group = "of each element"
    names = "sin cos tan sinh cosh tanh exp expm1 arcsinh square sign abs floor ceil"
    for name in [*names.split(), "rint", "sinc"]:
        case(group, name, getattr(jnp, name), normal(5, 7))
    for name in [
        "log",
        "log1p",
        "sqrt",
        "arcsin",
        "arccos",
        "arctanh",
        "cbrt",
        "reciprocal",
    ]:
        case(group, name, getattr(jnp, name), small(5, 7))
    for name in ["arctan2", "hypot", "logaddexp", "maximum", "minimum"]:
        case(group, name, getattr(jnp, name), normal(5), normal(5))
    case(group, "power", jnp.power, small(5), normal(5))
    case(group, "mod", jnp.mod, normal(5), small(5))
    case(group, "where", lambda x: jnp.where(x > 0, x, x * x), normal(5, 4))
    case(group, "clip", lambda x: jnp.clip(x, -0.5, 0.5), normal(5, 4))
    case(group, "polyval", jnp.polyval, normal(4), normal(3))
    case(
        group,
        "complex_product",
        lambda x, y: ((x + 1j * y) * (y - 1j * x)).real,
        normal(4),
        normal(4),
    )
    for name in ["floor_divide", "fmod", "heaviside"]:
        value(group, name, getattr(jnp, name), normal(5), small(5))
    value(group, "angle", lambda x, y: jnp.angle(x + 1j * y), normal(4), normal(4))
    value(group, "frexp", lambda x: jnp.frexp(x)[0], normal(5))
    value(group, "ldexp", lambda x: jnp.ldexp(x, jnp.int32(3)), normal(5))
    value(group, "modf", lambda x: jnp.modf(x)[1], normal(5))
    value(group, "round", lambda x: jnp.round(x, 1), normal(5))
    value(group, "nan_to_num", jnp.nan_to_num, given([1, np.nan, np.inf, -np.inf]))


def _complex_numbers() -> None:
    group = "complex numbers"
    trigonometric = ["sin", "cos", "tan", "arcsin", "arccos", "arctan"]
    hyperbolic = ["sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh"]
    others = ["exp", "expm1", "log", "log1p", "log2", "sqrt", "square", "reciprocal"]
    for name in (*trigonometric, *hyperbolic, *others):
        function = getattr(jnp, name)
        case(
            group,
            f"complex_{name}",
            lambda x, y, f=function: jnp.stack(
                [f(x + 1j * y).real, f(x + 1j * y).imag]
            ),
            normal(9),
            normal(9),
        )


def _parts(z: Any) -> Any:
    return jnp.stack([z.real, z.imag])


def _bits() -> None:
    group = "bits and precision"
    value(group, "gcd", jnp.gcd, integers(4, 9, 5), integers(2, 7, 5))
    value(group, "population_count", lax.population_count, integers(0, 5, 5))
    value(group, "clz", lax.clz, integers(1, 6, 5))
    value(
        group,
        "bitcast",
        lambda x: lax.bitcast_convert_type(x, jnp.int32),
        normal(5),
    )
    edges = [0, -0.0, 0, 1, np.inf, np.nan, 1, 3.4028235e38]
    targets = [1, 1, -1, np.inf, 0, 1, np.nan, np.inf]
    value(group, "nextafter", jnp.nextafter, normal(9), normal(9))
    value(group, "nextafter_edges", jnp.nextafter, given(edges), given(targets))
    value(group, "nextafter_bf16", _next_in_bf16, normal(9), normal(9))
    numbers = [0, -0.0, 1, 1.06, 1.0625, 240, 247, 248, 260, 1e9, np.inf, np.nan]
    for exponent, mantissa in ((5, 10), (8, 7), (4, 3)):
        name = f"reduce_precision_{exponent}_{mantissa}"
        case(
            group,
            name,
            lambda x, e=exponent, m=mantissa: lax.reduce_precision(x, e, m),
            between(-1000, 1000, 9),
        )
    value(
        group,
        "reduce_precision_edges",
        lambda x: lax.reduce_precision(x, 4, 3),
        given([*numbers, 0.0156, 0.014, 0.0078, -0.01, -500, 1e-40]),
    )


def _next_in_bf16(x: Any, y: Any) -> Any:
    x, y = x.astype(jnp.bfloat16), y.astype(jnp.bfloat16)
    return jnp.nextafter(x, y).astype(jnp.float32)


def _special_functions() -> None:
    group = "special functions"
    names = "gammaln digamma erf erfc erfinv ndtr ndtri logit expit i0e i1e i0 i1 entr"
    for name in [*names.split(), "spence", "expi"]:
        case(group, name, getattr(special, name), small(5, 7))
    case(group, "xlog1py", lambda x: special.xlog1py(x, x), small(5, 7))
    case(group, "trigamma", lambda x: special.polygamma(1, x), between(0.6, 1.4, 6))
    case(group, "polygamma", lambda x: special.polygamma(2, x), between(0.6, 1.4, 6))
    for name in ("i0e", "i1e"):
        function = getattr(special, name)
        case(group, f"{name}_far", function, between(-30, 30, 40))
    for name in ("gammaln", "digamma"):
        function = getattr(special, name)
        value(group, f"{name}_far", function, between(-9, 30, 40))
    value(group, "zeta", special.zeta, between(1.6, 9, 30), between(0.1, 20, 30))
    value(group, "betainc", special.betainc, *(small(4) for _ in range(3)))
    value(group, "gammainc", special.gammainc, between(1, 2, 4), small(4))


def _networks() -> None:
    group = "networks"
    names = (
        "relu sigmoid softplus silu gelu elu selu mish leaky_relu log_sigmoid softmax "
        "log_softmax hard_tanh relu6 celu glu logsumexp standardize"
    )
    for name in names.split():
        case(group, name, getattr(jax.nn, name), normal(5, 8))
    value(group, "one_hot", lambda x: jax.nn.one_hot(x, 5), integers(0, 5, 4))
    case(group, "conv", _convolve, normal(1, 2, 5, 5), normal(3, 2, 3, 3))
    case(group, "conv_transpose", _deconvolve, normal(1, 3, 3, 2), normal(3, 3, 2, 2))
    case(group, "average_pool", _pool_sums, normal(1, 4, 4, 2))
    case(group, "max_pool", _pool_maxima, normal(1, 4, 4, 2))
    case(group, "layer_norm", _layer_norm, normal(4, 8), normal(8))
    case(
        group,
        "attention",
        jax.nn.dot_product_attention,
        *(normal(1, 5, 2, 4) for _ in range(3)),
    )


def _convolve(x: Any, kernel: Any) -> Any:
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME")


def _deconvolve(x: Any, kernel: Any) -> Any:
    layouts = ("NHWC", "HWIO", "NHWC")
    return lax.conv_transpose(x, kernel, (2, 2), "SAME", dimension_numbers=layouts)


def _pool_sums(x: Any) -> Any:
    window = (1, 2, 2, 1)
    return lax.reduce_window(x, 0.0, lax.add, window, window, "VALID")


def _pool_maxima(x: Any) -> Any:
    window = (1, 2, 2, 1)
    return lax.reduce_window(x, -jnp.inf, lax.max, window, window, "VALID")


def _layer_norm(x: Any, scale: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return centred / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * scale


def _random_numbers() -> None:
    group = "random numbers"
    names = "normal uniform gumbel exponential laplace cauchy logistic rademacher"
    for name in names.split():
        draw = getattr(jax.random, name)
        _random(group, name, lambda key, f=draw: f(key, (6,)))
    _random(group, "gamma", lambda key: jax.random.gamma(key, 2.0, (4,)))
    _random(group, "permutation", lambda key: jax.random.permutation(key, 8))
    _random(
        group,
        "truncated_normal",
        lambda key: jax.random.truncated_normal(key, -2.0, 2.0, (6,)),
    )
    for name in ["lecun_normal", "he_normal", "orthogonal"]:
        initializer = getattr(jax.nn.initializers, name)()
        _random(group, name, lambda key, f=initializer: f(key, (4, 4), jnp.float32))
    value(
        group,
        "random_categorical",
        lambda key, x: jax.random.categorical(jax.random.wrap_key_data(key), x),
        KEY,
        normal(4, 5),
    )


def _random(group: str, name: str, function: Callable[[Any], Any]) -> None:
    value(group, f"random_{name}", of_key_data(function), KEY)


def of_key_data(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function of the numbers of a key, which a program can take."""
    return lambda data: function(jax.random.wrap_key_data(data))


def _fourier() -> None:
    group = "Fourier transforms"
    case(group, "fft", lambda x: jnp.fft.fft(x).real, normal(8))
    value(group, "rfft", lambda x: jnp.abs(jnp.fft.rfft(x)), normal(8))
    value(group, "ifft", lambda x: jnp.fft.ifft(x).imag, normal(3, 6))
    value(group, "irfft", jnp.fft.irfft, normal(5))
    value(group, "fft2", lambda x: jnp.fft.fft2(x).real, normal(4, 6))
    value(group, "ifft2", lambda x: jnp.fft.ifft2(x).imag, normal(4, 6))
    value(group, "rfftn", lambda x: jnp.abs(jnp.fft.rfftn(x)), normal(3, 4, 10))
    value(group, "irfftn", lambda x: jnp.fft.irfftn(jnp.fft.rfftn(x)), normal(3, 8))
    value(group, "fft_prime", lambda x: jnp.fft.fft(x).real, normal(37))
    value(group, "fft_long", lambda x: jnp.abs(jnp.fft.fft(x)), normal(2, 1000))
    case(group, "fftconvolve", jax.scipy.signal.fftconvolve, normal(9), normal(4))


def _factors() -> None:
    group = "factorizations"
    linalg = jnp.linalg
    case(group, "cholesky", linalg.cholesky, definite(4))
    case(group, "solve", linalg.solve, definite(4), normal(4, 2))
    case(group, "inv", linalg.inv, definite(3))
    case(group, "det", linalg.det, definite(4))
    case(group, "slogdet", lambda x: linalg.slogdet(x)[1], definite(3))
    case(
        group,
        "solve_triangular",
        lambda a, b: jax.scipy.linalg.solve_triangular(a, b, lower=True),
        definite(4),
        normal(4, 2),
    )
    case(group, "svdvals", lambda x: linalg.svd(x, compute_uv=False), normal(4, 3))
    value(group, "svd_parts", _singular_parts, normal(5, 3))
    value(group, "svd_wide", _singular_parts, normal(3, 5))
    value(group, "pinv", linalg.pinv, normal(5, 3))
    value(group, "matrix_rank", linalg.matrix_rank, normal(5, 3))
    value(group, "eig", lambda x: linalg.eig(x)[0], normal(3, 3))
    case(group, "eigvalsh", linalg.eigvalsh, definite(4))
    case(group, "cholesky_batch", lambda x: linalg.cholesky(_pair(x)), definite(3))
    case(group, "solve_batch", lambda x: linalg.solve(_pair(x), x), definite(3))
    value(group, "cholesky_none", lambda x: linalg.cholesky(-x), definite(3))
    value(group, "eigh_parts", _eigen_parts, definite(5))
    value(group, "qr_complete", lambda x: linalg.qr(x, "complete")[0], normal(5, 3))
    value(group, "qr_wide", lambda x: linalg.qr(x)[0], normal(3, 5))
    value(group, "lu_tall", lambda x: jax.scipy.linalg.lu(x)[1], normal(5, 3))
    value(
        group,
        "solve_upper",
        lambda a, b: jax.scipy.linalg.solve_triangular(a, b, trans=1),
        definite(4),
        normal(4, 2),
    )
    value(group, "qr", lambda x: linalg.qr(x)[1], normal(4, 3))
    value(group, "eigh", lambda x: linalg.eigh(x)[0], definite(4))
    value(group, "svd", lambda x: linalg.svd(x, compute_uv=False), normal(4, 3))
    value(group, "lu", lambda x: jax.scipy.linalg.lu(x)[2], normal(3, 3))
    value(group, "expm", jax.scipy.linalg.expm, between(-0.3, 0.3, 3, 3))
    tridiagonal = jax.lax.linalg.tridiagonal_solve
    diagonals = normal(5), between(3.0, 4.0, 5), normal(5)
    value(group, "tridiagonal_solve", tridiagonal, *diagonals, normal(5, 2))
    value(group, "lstsq", lambda a, b: linalg.lstsq(a, b)[0], normal(5, 3), normal(5))


def _pair(x: Any) -> Any:
    return jnp.stack([x, 2 * x])


def _eigen_parts(x: Any) -> Any:
    """What is made of eigenvectors, whose signs are open."""
    values, vectors = jnp.linalg.eigh(x)
    return (vectors * values) @ vectors.T, vectors.T @ vectors


def _singular_parts(x: Any) -> Any:
    """What is made of singular vectors, whose signs are open."""
    u, s, vt = jnp.linalg.svd(x, full_matrices=False)
    return (u * s) @ vt, u.T @ u, vt @ vt.T


def _products() -> None:
    group = "products"
    case(group, "matmul", jnp.matmul, normal(4, 5), normal(5, 3))
    case(
        group,
        "einsum",
        lambda a, b: jnp.einsum("bij,bjk->bik", a, b),
        normal(2, 3, 4),
        normal(2, 4, 3),
    )
    case(group, "kron", jnp.kron, normal(2, 2), normal(3, 2))
    case(group, "outer", jnp.outer, normal(3), normal(4))
    case(group, "cross", jnp.cross, normal(4, 3), normal(4, 3))
    case(
        group,
        "tensordot",
        lambda a, b: jnp.tensordot(a, b, 2),
        normal(2, 3, 4),
        normal(3, 4, 2),
    )
    case(group, "norm", jnp.linalg.norm, normal(4, 3))
    case(group, "matrix_power", lambda x: jnp.linalg.matrix_power(x, 3), normal(3, 3))
    case(group, "convolve", jnp.convolve, normal(8), normal(3))


def _reductions() -> None:
    group = "reductions"
    names = "sum mean prod max min var std cumsum cumprod median ptp nansum"
    for name in names.split():
        function = getattr(jnp, name)
        case(group, name, lambda x, f=function: f(x, axis=1), normal(4, 5))
    case(group, "cummax", lax.cummax, normal(6))
    case(group, "cumlogsumexp", lax.cumlogsumexp, normal(6))
    case(group, "quantile", lambda x: jnp.quantile(x, 0.3), normal(9))
    case(group, "cov", jnp.cov, normal(3, 6))
    case(group, "trace", jnp.trace, normal(4, 4))
    value(group, "percentile", lambda x: jnp.percentile(x, 60.0), normal(9))
    value(group, "corrcoef", jnp.corrcoef, normal(3, 6))
    value(group, "argmax", lambda x: jnp.argmax(x, 1), normal(5, 4))


def _order() -> None:
    group = "order and counts"
    case(group, "sort", lambda x: jnp.sort(x, axis=0), normal(5, 4))
    case(group, "top_k", lambda x: lax.top_k(x, 2)[0], normal(3, 6))
    case(group, "interp", jnp.interp, normal(5), ascending(6), normal(6))
    case(group, "segment_sum", _segment_sum, normal(5))
    value(group, "argsort", jnp.argsort, normal(5, 4))
    value(group, "unique", lambda x: jnp.unique(x, size=4), integers(0, 5, 8))
    value(group, "searchsorted", jnp.searchsorted, ascending(9), normal(5))
    value(group, "bincount", lambda x: jnp.bincount(x, length=6), integers(0, 5, 12))
    value(
        group,
        "histogram",
        lambda x: jnp.histogram(x, bins=4, range=(-2, 2))[0],
        normal(20),
    )


def _segment_sum(x: Any) -> Any:
    return jax.ops.segment_sum(x, jnp.array([0, 0, 1, 2, 2]), 3)


def _shapes() -> None:
    group = "shapes and indices"
    case(group, "roll", lambda x: jnp.roll(x, 2), normal(7))
    case(group, "flip", jnp.flip, normal(4, 3))
    case(group, "pad", lambda x: jnp.pad(x, 2, mode="reflect"), normal(5))
    case(group, "gather", lambda x: x[jnp.array([0, 2, 2])], normal(5, 3))
    case(
        group,
        "scatter_add",
        lambda x, part: x.at[jnp.array([1, 3, 3])].add(part),
        normal(5),
        normal(3),
    )
    case(group, "set", lambda x, part: x.at[1].set(part), normal(5, 2), normal(2))
    case(group, "tril", jnp.tril, normal(4, 4))
    case(group, "diag", jnp.diag, normal(4))
    case(group, "repeat", lambda x: jnp.repeat(x, 2), normal(4))
    value(
        group,
        "take",
        lambda x, index: jnp.take(x, index, axis=0),
        normal(5, 3),
        integers(0, 5, 4),
    )
    value(group, "meshgrid", lambda x: jnp.meshgrid(x, x)[0], normal(3))
    value(group, "vander", lambda x: jnp.vander(x, 3), normal(4))


def _control() -> None:
    group = "loops, branches, transformations"
    case(group, "fori_loop", _fori_loop, normal(4))
    case(group, "scan", lambda x: lax.scan(_scan_step, 0.0, x)[1], normal(6))
    case(group, "cond", _cond, normal(3))
    case(
        group,
        "associative_scan",
        lambda x: lax.associative_scan(jnp.add, x),
        normal(7),
    )
    case(group, "vmap", jax.vmap(lambda row: jnp.dot(row, row)), normal(4, 3))
    case(group, "checkpoint", jax.checkpoint(lambda x: jnp.sin(jnp.sin(x))), normal(4))
    value(group, "while_loop", _while_loop, small(2))
    value(
        group,
        "hessian",
        jax.hessian(lambda x: jnp.sum(jnp.sin(x) ** 2 * x[0])),
        normal(3),
    )
    value(group, "jacobian", jax.jacobian(lambda x: jnp.tanh(x) * x[::-1]), normal(3))


def _fori_loop(x: Any) -> Any:
    return lax.fori_loop(0, 5, lambda _, state: state + 0.1 * jnp.sin(state), x)


def _scan_step(carry: Any, x: Any) -> tuple[Any, Any]:
    return carry + x, carry * x


def _cond(x: Any) -> Any:
    return lax.cond(x[0] > 0, lambda each: each * 2, lambda each: -each, x)


def _while_loop(x: Any) -> Any:
    return lax.while_loop(lambda state: state[0] < 9, lambda state: state * 1.5 + 1, x)


def _open_sizes() -> None:
    """Functions of a matrix whose rows and columns are not known when it is lowered."""
    functions = {
        "product": lambda x: jnp.tanh(x) @ x.T,
        "softmax": lambda x: jax.nn.softmax(x * 2).sum(0),
        "layer_norm": lambda x: (x - x.mean(-1, keepdims=True)) / x.std(-1)[:, None],
        "concatenate": lambda x: jnp.concatenate([x, jnp.zeros((x.shape[0], 2))], 1),
        "reshape": lambda x: x.reshape(x.shape[1], x.shape[0]),
        "slice": lambda x: x[1:, :-1],
        "steps": lambda x: x[::2, ::-1],
        "half": lambda x: x[: (x.shape[0] + 1) // 2 + x.shape[1] % 2],
        "arange": lambda x: x + jnp.arange(x.shape[1]),
        "take": lambda x: x[jnp.array([0, 1, 0])],
        "set": lambda x: x.at[0].set(1.0).at[:, 1:].add(2.0),
        "sort": lambda x: (jnp.sort(x, -1), jnp.argsort(x, 0), lax.top_k(x, 2)),
        "argmax": lambda x: jnp.argmax(x, -1),
        "cumsum": lambda x: (jnp.cumsum(x, 0), jnp.cumprod(x, 1)),
        "pad": lambda x: jnp.pad(x, ((1, x.shape[1]), (0, 3))),
        "einsum": lambda x: jnp.einsum("ij,kj->ik", x, x),
        "repeat": lambda x: (jnp.tile(x, (2, 1)), jnp.repeat(x, 2, 0)),
        "roll": lambda x: jnp.roll(x, 1, 0),
        "mean": lambda x: x.sum() / x.shape[0],
        "gelu": jax.grad(lambda x: (jax.nn.gelu(x) ** 2).sum()),
        "logsumexp": jax.grad(lambda x: jax.nn.logsumexp(x, -1).sum()),
        "scan": lambda x: lax.scan(lambda c, y: (c + y.sum(), c * y), 0.0, x),
        "map": lambda x: lax.map(lambda row: row.sum(), x),
        "while": _while_of_matrix,
        "one_hot": lambda x: jax.nn.one_hot(jnp.argmax(x, -1), 4),
        "triu": lambda x: jnp.triu(x @ x.T) + jnp.eye(x.shape[0]),
        "dynamic": lambda x: lax.dynamic_update_slice(
            x, lax.dynamic_slice(x, (1, 0), (1, 2)), (0, 1)
        ),
        "segment": lambda x: jax.ops.segment_sum(x, jnp.zeros(x.shape[0], int), 2),
        "random": lambda x: x + jax.random.normal(jax.random.key(0), x.shape),
        "solve": lambda x: jnp.linalg.solve(x @ x.T + 9 * jnp.eye(x.shape[0]), x),
        "jit": lambda x: jax.jit(jnp.sin)(x) + jax.jit(jnp.sin)(x.T).T,
    }
    for short, function in functions.items():
        name = f"open_sizes_{short}"
        CASES[name] = Case("sizes left open", name, function, (normal(3, 4),), "b, c")


def _while_of_matrix(x: Any) -> Any:
    return lax.while_loop(lambda each: each[0, 0] < 9, lambda each: each + 1.5, x)


for _fill in (
    _elements,
    _complex_numbers,
    _bits,
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
    _open_sizes,
):
    _fill()
