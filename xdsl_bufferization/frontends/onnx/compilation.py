"""Compile a model of ONNX for the sizes of a call.

    compiled, names = compiled_for(read_model("model.onnx"), {"x": x}, options)
    compiled({"x": x})

`names` are the inputs whose numbers say sizes: the code is for these numbers.
"""

from collections.abc import Mapping, Sequence

from xdsl_bufferization.optimization.packing.prepare_weights import argument_sources
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.descriptor import Array

from ..options import JitOptions
from ..pytorch.fallbacks import reason_of
from ..pytorch.function import NOT_COMPILED, lower_with_weights, preparation
from .compiled import CompiledModel
from .errors import UnsupportedModelError
from .models import Model
from .translation import ModelProgram
from .values import program_for


def compiled_for(
    model: Model, arrays: Mapping[str, Array], options: JitOptions
) -> tuple[CompiledModel, tuple[str, ...]]:
    """A model compiled for some arguments, and the inputs whose numbers it has.

    Raises `UnsupportedModelError`.
    """
    program, names = program_for(model, arrays)
    try:
        return _compile(program, model, options), names
    except NOT_COMPILED as error:
        raise UnsupportedModelError(
            f"{program.ops} cannot be compiled: {reason_of(error)}"
        ) from error


def _compile(program: ModelProgram, model: Model, options: JitOptions) -> CompiledModel:
    weights = {n for n, name in enumerate(program.inputs) if name in model.weights}
    is_checked = options.checked or program.needs_checks
    lowered = lower_with_weights(
        program.module,
        weights,
        optimize=options.optimize,
        is_checked=is_checked,
        is_verified=options.verified,
    )
    sources = argument_sources(lowered.entry)
    code = compile_module(
        lowered.module,
        threads=options.threads or 0,
        checked=is_checked,
        cpu=options.cpu,
    )
    prepared: Sequence[Array] = ()
    if lowered.weights is not None and any(is_prepared for _, is_prepared in sources):
        wanted = [number for number, _ in argument_sources(lowered.weights)]
        prepare = preparation(lowered, code)
        prepared = prepare([model.weights[program.inputs[n]] for n in wanted])

    def source(number: int, *, is_prepared: bool) -> str | Array:
        if is_prepared:
            return prepared[number]
        name = program.inputs[number]
        return model.weights[name] if number in weights else name

    return CompiledModel(
        code,
        [source(number, is_prepared=is_prepared) for number, is_prepared in sources],
        program.outputs,
    )
