"""Ten programs of JAX: their text, arguments, and what JAX computed.

    pip install jax
    PYTHONPATH=tests/pytest python -m harness.programs.jax_programs

writes `tests/data/stablehlo/<name>.mlir` and `<name>.npz` anew. The tests read these
files, and need no JAX.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np

DATA = Path(__file__).parents[3] / "data" / "stablehlo"

_Program: TypeAlias = tuple[Callable[..., Any], Sequence[tuple[int, ...]]]
"""A function, and the shapes of its arguments."""


def _programs(jax: Any) -> dict[str, _Program]:
    """The functions by name; all arguments are f32, but that of `random`."""
    return _networks(jax) | _functions(jax)


def _networks(jax: Any) -> dict[str, _Program]:
    """Parts of neural networks."""
    jnp, lax = jax.numpy, jax.lax

    def mlp(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        return jax.nn.softmax(jax.nn.relu(x @ w1 + b1) @ w2 + b2)

    def cnn(x: Any, k1: Any, k2: Any, w: Any) -> Any:
        y = jax.nn.relu(lax.conv_general_dilated(x, k1, (1, 1), "SAME"))
        window = (1, 1, 2, 2)
        y = lax.reduce_window(y, -jnp.inf, lax.max, window, window, "VALID")
        y = jax.nn.gelu(lax.conv_general_dilated(y, k2, (2, 2), "VALID"))
        return jnp.mean(y, axis=(2, 3)) @ w

    def attention(q: Any, k: Any, v: Any) -> Any:
        scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / jnp.sqrt(float(q.shape[-1]))
        mask = jnp.tril(jnp.ones((q.shape[2], k.shape[2]), bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -jnp.inf), -1)
        return jnp.einsum("bhqk,bhkd->bhqd", weights, v)

    def loss(weights: Any, x: Any, y: Any) -> Any:
        w1, b1, w2, b2 = weights
        return jnp.mean((jnp.tanh(x @ w1 + b1) @ w2 + b2 - y) ** 2)

    def gradient(w1: Any, b1: Any, w2: Any, b2: Any, x: Any, y: Any) -> Any:
        return jax.grad(loss)((w1, b1, w2, b2), x, y)

    def scan(x: Any, w: Any) -> Any:
        def step(state: Any, row: Any) -> Any:
            state = jnp.tanh(row + state @ w)
            return state, jnp.sum(state)

        return lax.scan(step, jnp.zeros(w.shape[0]), x)

    return {
        "attention": (attention, [(2, 2, 5, 4)] * 3),
        "cnn": (cnn, [(2, 3, 12, 12), (4, 3, 3, 3), (6, 4, 3, 3), (6, 5)]),
        "gradient": (gradient, [(6, 8), (8,), (8, 3), (3,), (5, 6), (5, 3)]),
        "mlp": (mlp, [(8, 16), (16, 32), (32,), (32, 10), (10,)]),
        "scan": (scan, [(5, 4), (4, 4)]),
    }


def _functions(jax: Any) -> dict[str, _Program]:
    """Functions of arrays."""
    jnp, lax = jax.numpy, jax.lax

    def erf(x: Any) -> Any:
        special = jax.scipy.special
        return special.erf(x), special.erfc(x), special.erfinv(x * 0.2)

    def sort(x: Any) -> Any:
        return jnp.sort(x, axis=-1), jnp.argsort(x, axis=0), lax.top_k(x, 3)

    def cumsum(x: Any) -> Any:
        return jnp.cumsum(x, axis=1), jnp.cumprod(x, axis=0), lax.cummax(x, axis=1)

    def argmax(x: Any) -> Any:
        return jnp.argmax(x, axis=1), jnp.argmin(x)

    def random(key: Any) -> Any:
        first, second = jax.random.split(jax.random.wrap_key_data(key))
        return jax.random.normal(first, (4, 5)), jax.random.bits(second, (7,))

    return {
        "argmax": (argmax, [(4, 9)]),
        "cumsum": (cumsum, [(4, 9)]),
        "erf": (erf, [(4, 5)]),
        "random": (random, [(2,)]),
        "sort": (sort, [(5, 7)]),
    }


def write_all() -> None:
    """Write the files of all programs."""
    jax: Any = import_module("jax")
    DATA.mkdir(exist_ok=True)
    for name, (function, shapes) in _programs(jax).items():
        generator = np.random.default_rng(crc32(name.encode()))
        if name == "random":
            key = generator.integers(0, 1 << 32, 2, dtype=np.uint32)
            arguments = [key]
        else:
            arguments = [
                generator.standard_normal(shape).astype(np.float32) for shape in shapes
            ]
        jitted = jax.jit(function)
        text: str = jitted.lower(*arguments).as_text()
        (DATA / f"{name}.mlir").write_text(text)
        results = map(np.asarray, jax.tree.leaves(jitted(*arguments)))
        arrays = {f"argument{n}": each for n, each in enumerate(arguments)}
        arrays |= {f"result{n}": each for n, each in enumerate(results)}
        np.savez(DATA / f"{name}.npz", **arrays)  # pyright: ignore[reportArgumentType]


if __name__ == "__main__":
    write_all()
