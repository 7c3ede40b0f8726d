"""Flags of passes may be spelled as mlir-opt spells them."""

import pytest
from xdsl.utils.arg_spec import parse_pipeline

from xdsl_bufferization.transforms.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)


@pytest.mark.parametrize(
    ("spelling", "value"),
    [
        ("{bufferize-function-boundaries}", True),
        ("{bufferize-function-boundaries=1}", True),
        ("{bufferize-function-boundaries=true}", True),
        ("{bufferize-function-boundaries=0}", False),
        ("{bufferize-function-boundaries=false}", False),
        ("", False),
    ],
)
def test_flag(spelling: str, value: bool) -> None:
    (spec,) = parse_pipeline(f"one-shot-bufferize{spelling}")
    pass_ = OneShotBufferizePass.from_spec(spec)
    assert pass_.bufferize_function_boundaries is value


def test_numbers_stay_numbers() -> None:
    (spec,) = parse_pipeline("one-shot-bufferize{buffer-alignment=1}")
    assert OneShotBufferizePass.from_spec(spec).buffer_alignment == 1


def test_other_values_are_refused() -> None:
    (spec,) = parse_pipeline("one-shot-bufferize{allow-unknown-ops=2}")
    with pytest.raises(ValueError, match="expected <class 'bool'>"):
        OneShotBufferizePass.from_spec(spec)
