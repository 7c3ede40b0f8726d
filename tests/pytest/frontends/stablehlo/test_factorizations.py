"""Functions of LAPACK as loops, compared with NumPy's."""

import numpy as np
import pytest
from numpy.typing import NDArray

from xdsl_bufferization import jit

Matrix = NDArray[np.float64]


def call(
    function: str, options: dict[str, str], operands: list[str], results: list[str]
) -> str:
    """A program that calls a function of LAPACK."""
    given = ", ".join(f"{name} = {ord(value)} : ui8" for name, value in options.items())
    inputs = ", ".join(f"%a{n}: {type_}" for n, type_ in enumerate(operands))
    names = ", ".join(f"%a{n}" for n in range(len(operands)))
    returned = ", ".join(f"%r#{n}" for n in range(len(results)))
    types = ", ".join(results)
    if len(results) == 1:
        returned = "%r"
    count = "" if len(results) == 1 else f":{len(results)}"
    return f"""func.func @f({inputs}) -> ({types}) {{
  %r{count} = stablehlo.custom_call @lapack_d{function}_ffi({names})
    {{mhlo.backend_config = {{{given}}}}} : ({", ".join(operands)}) -> ({types})
  return {returned} : {types}
}}"""


def type_of(*sizes: int, element: str = "f64") -> str:
    return f"tensor<{'x'.join([*map(str, sizes), element])}>"


def definite(*batch: int) -> Matrix:
    half = np.random.default_rng(0).normal(size=(*batch, 5, 5))
    return half @ np.swapaxes(half, -1, -2) + 5 * np.eye(5)


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_cholesky_is_that_of_numpy(batch: tuple[int, ...]) -> None:
    a = definite(*batch)
    types = [type_of(*a.shape), type_of(*batch, element="i32")]
    factor, info = jit(call("potrf", {"uplo": "L"}, types[:1], types))(a)
    np.testing.assert_allclose(np.tril(factor), np.linalg.cholesky(a))
    assert not np.any(info)


def test_the_first_column_without_a_root_is_counted_from_1() -> None:
    a = np.diag([1.0, 1.0, -1.0, 1.0])
    types = [type_of(4, 4), type_of(element="i32")]
    _, info = jit(call("potrf", {"uplo": "L"}, types[:1], types))(a)
    assert info == 3


@pytest.mark.parametrize("side", "LR")
@pytest.mark.parametrize("uplo", "LU")
@pytest.mark.parametrize("transposed", "NT")
@pytest.mark.parametrize("diagonal", "NU")
def test_triangular_systems_are_solved(
    side: str, uplo: str, transposed: str, diagonal: str
) -> None:
    a, b = definite(), np.random.default_rng(1).normal(size=(5, 5))[:, :3]
    b = b if side == "L" else b.T.copy()
    options = {"side": side, "uplo": uplo, "trans_x": transposed, "diag": diagonal}
    types = [type_of(*a.shape), type_of(*b.shape)]
    x = jit(call("trsm", options, types, types[1:]))(a, b)
    factor = np.tril(a) if uplo == "L" else np.triu(a)
    if diagonal == "U":
        np.fill_diagonal(factor, 1)
    factor = factor if transposed == "N" else factor.T
    product = factor @ x if side == "L" else x @ factor
    np.testing.assert_allclose(product, b, atol=1e-9)


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5)])
def test_lu_multiplies_to_the_rows_in_another_order(shape: tuple[int, int]) -> None:
    a = np.random.default_rng(2).normal(size=shape)
    count = min(shape)
    types = [type_of(*shape), type_of(count, element="i32"), type_of(element="i32")]
    both, pivots, _ = jit(call("getrf", {}, types[:1], types))(a)
    rows = np.arange(shape[0])
    for row, other in enumerate(pivots - 1):
        rows[[row, other]] = rows[[other, row]]
    lower = np.tril(both[:, :count], -1) + np.eye(shape[0], count)
    np.testing.assert_allclose(lower @ np.triu(both[:count]), a[rows], atol=1e-12)


def test_a_pivot_of_zero_is_counted_from_1() -> None:
    types = [type_of(2, 2), type_of(2, element="i32"), type_of(element="i32")]
    _, _, info = jit(call("getrf", {}, types[:1], types))(np.array([[1.0, 1], [1, 1]]))
    assert info == 2


@pytest.mark.parametrize("shape", [(4, 4), (5, 3)])
def test_qr_is_that_of_numpy(shape: tuple[int, int]) -> None:
    a = np.random.default_rng(3).normal(size=shape)
    types = [type_of(*shape), type_of(shape[1])]
    vectors, factors = jit(call("geqrf", {}, types[:1], types))(a)
    q = jit(call("orgqr", {}, types, types[:1]))(vectors, factors)
    expected = np.linalg.qr(a)
    np.testing.assert_allclose(np.triu(vectors[: shape[1]]), expected.R, atol=1e-12)
    np.testing.assert_allclose(q, expected.Q, atol=1e-12)


@pytest.mark.parametrize("uplo", "LU")
def test_eigenvalues_ascend_and_vectors_diagonalize(uplo: str) -> None:
    a = definite(2)
    types = [type_of(2, 5, 5), type_of(2, 5), type_of(2, element="i32")]
    options = {"mode": "V", "uplo": uplo}
    given = np.tril(a) if uplo == "L" else np.triu(a)
    vectors, values, _ = jit(call("syevd", options, types[:1], types))(given)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(a))
    np.testing.assert_allclose(a @ vectors, vectors * values[:, None], atol=1e-9)
    products = np.swapaxes(vectors, -1, -2) @ vectors
    np.testing.assert_allclose(products, np.broadcast_to(np.eye(5), a.shape), atol=1e-9)


def symmetric(*values: float) -> Matrix:
    """A matrix with these eigenvalues."""
    size = len(values)
    q, _ = np.linalg.qr(np.random.default_rng(size).normal(size=(size, size)))
    a = q @ np.diag(values) @ q.T
    return (a + a.T) / 2


@pytest.mark.parametrize(
    "a",
    [
        symmetric(3.0),
        symmetric(-2.0, 7.0),
        symmetric(*[1.0] * 4, *[-1.0] * 5, 0.0, 0.0),
        symmetric(*range(40)),
        np.zeros((6, 6)),
        np.diag([3.0, 1.0, 2.0, 1.0]),
        np.diag(np.ones(6), 1) + np.diag(np.ones(6), -1) + np.diag(np.arange(7.0)),
        symmetric(*range(1, 9)) * 1e200,
        symmetric(*range(1, 9)) * 1e-200,
    ],
)
def test_eigenvalues_of_unusual_matrices(a: Matrix) -> None:
    size = len(a)
    types = [type_of(size, size), type_of(size), type_of(element="i32")]
    function = jit(call("syevd", {"mode": "V", "uplo": "L"}, types[:1], types))
    vectors, values, _ = function(a)
    scale = max(abs(a).max(), 1e-300)
    assert (np.diff(values) >= 0).all()
    expected = np.linalg.eigvalsh(a / scale)
    np.testing.assert_allclose(values / scale, expected, atol=1e-13 * size)
    products = (a / scale) @ vectors
    np.testing.assert_allclose(products, vectors * (values / scale), atol=1e-12)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(size), atol=1e-12)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_what_is_no_number_has_no_eigenvalues(number: float) -> None:
    a = symmetric(*range(20))
    a[19, 19] = number
    types = [type_of(20, 20), type_of(20), type_of(element="i32")]
    function = jit(call("syevd", {"mode": "V", "uplo": "L"}, types[:1], types))
    assert np.isnan(function(a)[1]).all()


@pytest.mark.parametrize("is_deficient", [False, True])
@pytest.mark.parametrize("mode", "ASN")
@pytest.mark.parametrize("shape", [(4, 4), (6, 3), (3, 6)])
def test_singular_values_and_vectors(
    shape: tuple[int, int], mode: str, is_deficient: bool
) -> None:
    a = np.random.default_rng(4).normal(size=(2, *shape))
    if is_deficient:
        a[..., 1] = a[..., 0]
        a[0, 1] = a[0, 0]
    rows, columns = shape
    count = min(shape)
    inner = (count, count) if mode == "S" else (rows, columns)
    types = [type_of(2, *shape), type_of(2, count)]
    types += [type_of(2, rows, inner[0]), type_of(2, inner[1], columns)]
    types += [type_of(2, element="i32")]
    _, s, u, vt, _ = jit(call("gesdd", {"mode": mode}, types[:1], types))(a)
    np.testing.assert_allclose(s, np.linalg.svd(a).S, atol=1e-12)
    if mode == "N":
        return
    product = (u[..., :count] * s[:, None]) @ vt[:, :count]
    np.testing.assert_allclose(product, a, atol=1e-12)
    for matrix in (np.swapaxes(u, -1, -2) @ u, vt @ np.swapaxes(vt, -1, -2)):
        units = np.broadcast_to(np.eye(matrix.shape[-1]), matrix.shape)
        np.testing.assert_allclose(matrix, units, atol=1e-12)


def transform(kind: str, lengths: list[int], operand: str, result: str) -> str:
    return f"""func.func @f(%x: {operand}) -> {result} {{
  %0 = stablehlo.fft %x, type = {kind}, length = {lengths} : ({operand}) -> {result}
  return %0 : {result}
}}"""


@pytest.mark.parametrize("size", [1, 2, 3, 8, 12, 17, 37, 48, 210, 289])
@pytest.mark.parametrize("kind", ["FFT", "IFFT", "RFFT", "IRFFT"])
def test_transforms_are_those_of_numpy(kind: str, size: int) -> None:
    rng = np.random.default_rng(size)
    half = size // 2 + 1
    count = half if kind == "IRFFT" else size
    x = rng.normal(size=(3, count)) + 1j * rng.normal(size=(3, count))
    wide = "complex<f64>"
    given = type_of(3, count, element=wide)
    if kind == "RFFT":
        x, given = x.real, type_of(3, count)
    results = {"RFFT": type_of(3, half, element=wide), "IRFFT": type_of(3, size)}
    result = results.get(kind, type_of(3, size, element=wide))
    of_numpy = getattr(np.fft, kind.lower())
    expected = of_numpy(x, size) if kind == "IRFFT" else of_numpy(x)
    found = jit(transform(kind, [size], given, result))(np.ascontiguousarray(x))
    np.testing.assert_allclose(found, expected, atol=1e-10)


def test_transforms_of_several_dimensions() -> None:
    x = np.random.default_rng(5).normal(size=(2, 3, 4, 10))
    real, half = type_of(2, 3, 4, 10), type_of(2, 3, 4, 6, element="complex<f64>")
    forward = jit(transform("RFFT", [3, 4, 10], real, half))(x)
    np.testing.assert_allclose(forward, np.fft.rfftn(x, axes=(1, 2, 3)), atol=1e-10)
    back = jit(transform("IRFFT", [3, 4, 10], half, real))(forward)
    np.testing.assert_allclose(back, x, atol=1e-10)


def dense(lower: Matrix, diagonal: Matrix, upper: Matrix) -> Matrix:
    """The matrices of a batch with three diagonals."""
    size = diagonal.shape[-1]
    a = np.zeros((*diagonal.shape, size))
    for row in range(size):
        a[..., row, row] = diagonal[..., row]
    for row in range(1, size):
        a[..., row, row - 1] = lower[..., row]
        a[..., row - 1, row] = upper[..., row - 1]
    return a


def solve_tridiagonal(*operands: Matrix) -> tuple[Matrix, Matrix]:
    """What is found for X, and the rows that have nothing to divide by."""
    batch = operands[0].shape[:-1]
    types = [type_of(*each.shape) for each in operands]
    results = [*types, type_of(*batch, element="i32")]
    *_, x, info = jit(call("gtsv", {}, types, results))(*operands)
    return x, info


@pytest.mark.parametrize("shape", [(1,), (2,), (3,), (7,), (2, 5), (2, 3, 4)])
@pytest.mark.parametrize("on_the_diagonal", [0.0, 4.0])
def test_tridiagonal_systems_are_solved(
    shape: tuple[int, ...], on_the_diagonal: float
) -> None:
    rng = np.random.default_rng(0)
    lower, diagonal, upper = (rng.normal(size=shape) for _ in range(3))
    right = rng.normal(size=(*shape, 2))
    diagonal += on_the_diagonal
    x, info = solve_tridiagonal(lower, diagonal, upper, right)
    wanted = np.linalg.solve(dense(lower, diagonal, upper), right)
    np.testing.assert_allclose(x, wanted, rtol=1e-10, atol=1e-12)
    assert not np.any(info)


def test_a_row_below_a_zero_is_moved_up() -> None:
    zeros, ones = np.zeros(4), np.ones(4)
    right = np.arange(4.0).reshape(4, 1)
    x, info = solve_tridiagonal(ones, zeros, ones, right)
    np.testing.assert_allclose(x, np.linalg.solve(dense(ones, zeros, ones), right))
    assert info == 0


@pytest.mark.parametrize(("size", "row"), [(1, 1), (3, 1), (5, 1)])
def test_a_tridiagonal_system_without_a_solution_names_its_row(
    size: int, row: int
) -> None:
    zeros, ones = np.zeros(size), np.ones(size)
    _, info = solve_tridiagonal(zeros, zeros, ones, ones.reshape(size, 1))
    assert info == row
