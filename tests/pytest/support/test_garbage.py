"""Leaving the garbage collector out."""

import gc

import pytest

from xdsl_bufferization.support.garbage import without_garbage_collection


def test_the_collector_is_off_inside_and_on_after():
    with without_garbage_collection(), without_garbage_collection():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_collector_is_on_after_an_error():
    @without_garbage_collection()
    def fail() -> None:
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fail()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with without_garbage_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
