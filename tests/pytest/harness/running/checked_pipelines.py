"""Programs through the pipelines of `jit`, with and without checks."""

from xdsl.passes import PassPipeline

from xdsl_bufferization.bufferization.bufferize.value_arguments import (
    mark_value_arguments,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.frontends.default_pipelines import default_passes, with_checks
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.engine import CompiledModule


def compiled(
    text: str, *, optimize: bool, checked: bool = True, threads: int = 1
) -> CompiledModule:
    """A program of a file `a.mlir`, compiled as `jit` compiles it, on its own heap."""
    context = get_context()
    module = parse_module(text, "a.mlir", context)
    mark_value_arguments(module, finds_results_in_arguments=True)
    passes = default_passes(optimize=optimize)
    PassPipeline(with_checks(passes) if checked else passes).apply(context, module)
    return compile_module(
        module, checked=checked, counting_heap=True, opt_level=0, threads=threads
    )
