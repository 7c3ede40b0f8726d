"""Flags of passes may be spelled as mlir-opt spells them."""

from collections.abc import Iterator
from typing import get_type_hints

import pytest
from xdsl.utils.arg_spec import parse_pipeline

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.pipelines.universe import XDSL_BUFFERIZATION_UNIVERSE


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
    with pytest.raises(ValueError, match="expected true or false"):
        OneShotBufferizePass.from_spec(spec)


def _flags() -> Iterator[tuple[str, str]]:
    """The flags of all passes, as pass and field."""
    for name, load in XDSL_BUFFERIZATION_UNIVERSE.all_passes.items():
        for field, type_ in get_type_hints(load()).items():
            if type_ is bool:
                yield name, field


@pytest.mark.parametrize(("name", "field"), tuple(_flags()))
def test_every_flag_may_be_bare(name: str, field: str) -> None:
    (spec,) = parse_pipeline(f"{name}{{{field.replace('_', '-')}}}")
    pass_ = XDSL_BUFFERIZATION_UNIVERSE.all_passes[name]().from_spec(spec)
    assert getattr(pass_, field) is True
