"""Random pipelines of the passes of this package, with random options."""

from functools import cache
from random import Random
from typing import Final

from xdsl.passes import get_pass_option_infos

from xdsl_bufferization.pipelines.universe import XDSL_BUFFERIZATION_UNIVERSE

_ONE_SHOT = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}"
)

USUAL: Final = (
    _ONE_SHOT,
    f"{_ONE_SHOT},drop-equivalent-buffer-results,buffer-deallocation-pipeline",
    "default-tpp-passes",
    "default-pipeline",
    "bufferize",
    f"{_ONE_SHOT},buffer-deallocation-pipeline,lower-to-llvm",
    "buffer-deallocation-pipeline",
    "lower-to-llvm",
    "canonicalize",
    "canonicalize,cse",
)

_NUMBERS: Final = ("0", "1", "-1", "2", "32", "9223372036854775807", "1" * 30)

_WORDS: Final = (
    "infer-layout-map", "identity-layout-map", "fully-dynamic-layout-map", "top-down",
    "bottom-up-from-terminators", "fuzzer", "auto", "json", "text", "append", "out",
    "nonsense", "é",
)  # fmt: skip


@cache
def _options() -> dict[str, list[tuple[str, str]]]:
    """Names and types of the options of each pass."""
    passes = XDSL_BUFFERIZATION_UNIVERSE.all_passes
    return {
        name: [
            (option.name.replace("_", "-"), option.expected_type)
            for option in get_pass_option_infos(load())
        ]
        for name, load in sorted(passes.items())
    }


def random_pipeline(rng: Random) -> str:
    """Usual passes, or one to three of any."""
    if rng.random() < 0.4:
        return rng.choice(USUAL)
    parts = [_random_pass(rng) for _ in range(rng.choice((1, 1, 2, 3)))]
    if rng.random() < 0.3:
        parts.insert(0, rng.choice(USUAL))
    return ",".join(parts)


def _random_pass(rng: Random) -> str:
    name = rng.choice(list(_options()))
    options = _options()[name]
    count = rng.choice((0, 0, 1, 2)) if rng.random() < 0.9 else len(options)
    given = [
        f"{option}={_random_value(rng, expected)}"
        for option, expected in rng.sample(options, min(count, len(options)))
    ]
    return f"{name}{{{' '.join(given)}}}" if given else name


def _random_value(rng: Random, expected: str) -> str:
    many = rng.choice((1, 1, 2, 3)) if expected.startswith("tuple") else 1
    return ",".join(_single_value(rng, expected) for _ in range(many))


def _single_value(rng: Random, expected: str) -> str:
    if "bool" in expected:
        return rng.choice(("true", "false"))
    if "int" in expected:
        return rng.choice(_NUMBERS)
    return f'"{rng.choice(_WORDS)}"'
