"""The option `block-factors` of the passes that pack."""

from collections.abc import Sequence

from xdsl.utils.exceptions import PassFailedException


def check_factors(factors: Sequence[int], names: Sequence[str]) -> Sequence[int]:
    """`factors`, if there is a positive one for each of `names`.

    Raises a `PassFailedException` otherwise.
    """
    if len(factors) != len(names) or any(factor < 1 for factor in factors):
        given = ",".join(map(str, factors))
        raise PassFailedException(
            f"block-factors is '{given}', but must be {len(names)} positive numbers: "
            f"{', '.join(names)}"
        )
    return factors
