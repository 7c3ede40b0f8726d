"""The processor that code is generated for: the one here, or a lesser one."""

import pytest

from xdsl_bufferization.runtime import EngineError
from xdsl_bufferization.runtime.processors import processor
from xdsl_bufferization.runtime.processors.names import NATIVE, features_of
from xdsl_bufferization.runtime.processors.processor import (
    VARIABLE,
    Processor,
    foreign_processor,
    lesser_processor,
    processor_or_this,
    this_processor,
)
from xdsl_bufferization.runtime.processors.vector_unit import VectorUnit

LINUX = "x86_64-unknown-linux-gnu"
SKYLAKE = Processor(NATIVE, LINUX, "skylake", "+avx2", features_of("skylake"))
ZEN_5 = Processor(NATIVE, LINUX, "znver5", "+avx2", features_of("znver5"))
ARM = Processor(NATIVE, "aarch64-unknown-linux-gnu", "neoverse-n1", "", frozenset())


def test_the_native_processor_is_the_one_here():
    assert lesser_processor(ZEN_5, NATIVE) is ZEN_5
    assert ZEN_5.vector_unit == VectorUnit(16, 32, multiplies_bf16=True)


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("x86-64-v2", VectorUnit(4, 16)),
        ("x86-64-v3", VectorUnit(8, 16)),
        ("haswell", VectorUnit(8, 16)),
        ("x86-64-v4", VectorUnit(16, 32)),
        ("skylake-avx512", VectorUnit(16, 32)),
        ("cooperlake", VectorUnit(16, 32, multiplies_bf16=True)),
    ],
)
def test_what_a_lesser_processor_has_not_is_not_used(name: str, unit: VectorUnit):
    lesser = lesser_processor(ZEN_5, name)
    assert (lesser.cpu, lesser.features) == (name, "")
    assert lesser.vector_unit == unit


def test_a_processor_whose_code_cannot_run_is_refused():
    with pytest.raises(EngineError) as caught:
        lesser_processor(SKYLAKE, "x86-64-v4")
    assert str(caught.value) == (
        "code for x86-64-v4 needs avx512bw, avx512cd, avx512dq, avx512f, avx512vl, "
        "which this processor (skylake) does not have"
    )


def test_names_are_those_of_one_architecture():
    assert lesser_processor(ARM, NATIVE) is ARM
    with pytest.raises(EngineError, match="the one name here is native"):
        lesser_processor(ARM, "x86-64-v3")


def test_the_environment_names_a_processor(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    here = this_processor()
    assert here.name == NATIVE
    for given in ("", "  ", NATIVE):
        monkeypatch.setenv(VARIABLE, given)
        assert this_processor() is here
    monkeypatch.setenv(VARIABLE, "haswel")
    with pytest.raises(EngineError, match="XBUF_CPU: there is no processor 'haswel'"):
        this_processor()
    with pytest.raises(EngineError, match="XBUF_CPU"):
        processor_or_this(None)
    assert processor_or_this(NATIVE) is here


def test_tiles_are_of_processors_that_have_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(processor, "may_use_tiles", lambda: True)
    with_tiles = foreign_processor(LINUX, "sapphirerapids")
    assert with_tiles.vector_unit_here.multiplies_tiles
    assert not with_tiles.vector_unit.multiplies_tiles
    assert not ZEN_5.vector_unit_here.multiplies_tiles
    monkeypatch.setattr(processor, "may_use_tiles", lambda: False)
    assert not with_tiles.vector_unit_here.multiplies_tiles


def test_processors_of_other_machines_have_what_is_asked_for():
    riscv = foreign_processor("riscv64-unknown-linux-gnu", "generic-rv64", "+m,+v,-c")
    assert riscv.has == {"m", "v"}
    assert riscv.vector_unit == VectorUnit(4, 32)
    assert foreign_processor(LINUX, "x86-64-v3").vector_unit == VectorUnit(8, 16)
