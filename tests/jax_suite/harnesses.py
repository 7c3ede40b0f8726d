"""JAX's own table of what its primitives may be called with, as cases.

The table is in JAX's wheel. It has each primitive with each type of elements, and with
the shapes, numbers of dimensions and attributes that change what the primitive does.
"""

# JAX is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import re
import zlib
from dataclasses import dataclass
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from functions import lower
from jax._src.internal_test_util import test_harnesses as table


@dataclass(frozen=True)
class HarnessCase:
    """A row of the table."""

    harness: Any

    @property
    def group(self) -> str:
        """The primitive, as a rule."""
        return self.harness.group_name

    @property
    def may_give(self) -> tuple[str, ...]:
        """A message at a line of the text, or the numbers of XLA."""
        is_refused = _REFUSED.match(self.harness.fullname)
        return ("refused",) if is_refused else ("bits", "close")

    def arguments(self) -> list[np.ndarray]:
        """The same ones each time."""
        rng = np.random.RandomState(zlib.crc32(self.harness.fullname.encode()))
        made = self.harness.dyn_args_maker(rng)
        # JAX makes 32 bits of 64, unless it is told not to.
        return [np.asarray(jnp.asarray(each)) for each in made]

    def lowered(self, arguments: list[np.ndarray]) -> tuple[str, list[np.ndarray]]:
        """The program as text, and the numbers that XLA computes."""
        function = self.harness.dyn_fun
        if self.group in ("eigh", "svd"):
            return lower(lambda *x: _without_choices(function(*x)), arguments)
        return lower(function, arguments)


def _without_choices(results: Any) -> Any:
    """Eigenvalues or singular values, and of the vectors what is not open.

    Their signs are, and so are those that belong to no singular value.
    """
    if len(results) == 3:
        values, u, vt = results
        count = values.shape[-1]
        results = values, u[..., :count], vt[..., :count, :]
    return jax.tree.map(jnp.abs, results)


_REFUSED: Final = re.compile(
    r"approx_top_k|eig_|rng_bit_generator.*THREE_FRY|tridiagonal_solve.*complex"
    r"|(cholesky|custom_linear_solve|eigh|lu|qr|svd|triangular_solve).*complex"
)
"""The names of cases that are refused, as `docs/jax.md` says; no others may be."""

_ANY_ORDER: Final = re.compile(r"sort_multiple_arrays.*isstable_False")
"""The names of cases that leave open what comes first of equal elements."""

CASES: Final[dict[str, HarnessCase]] = {
    harness.fullname: HarnessCase(harness)
    for harness in table.all_harnesses
    if harness.filter("cpu") and not _ANY_ORDER.match(harness.fullname)
}
"""By name."""
