"""What a command reads of a program, and through which passes the program goes."""

from xdsl_bufferization.codegen.targets.target import XDSL
from xdsl_bufferization.frontends.default_pipelines import (
    DEFAULT_PIPELINE,
    PLAIN_PIPELINE,
    default_passes,
)
from xdsl_bufferization.tools.common.program import choose_pipeline, parse_passes


def test_code_for_one_thread_has_the_passes_of_jit_for_one_thread():
    chosen = parse_passes(choose_pipeline(None, threads=1))
    assert tuple(chosen) == default_passes(one_thread=True)
    assert tuple(chosen) != default_passes()


def test_threads_change_no_other_pipeline():
    assert choose_pipeline(None, threads=2) == choose_pipeline(None) == DEFAULT_PIPELINE
    assert choose_pipeline("cse", threads=1) == "cse"
    assert choose_pipeline(None, optimize=False, threads=1) == PLAIN_PIPELINE
    assert choose_pipeline(None, backend=XDSL, threads=1) == PLAIN_PIPELINE
