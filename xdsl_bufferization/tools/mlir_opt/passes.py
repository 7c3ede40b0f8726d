"""Make the passes that mlir-opt's command line names: of ours, and of xDSL.

    PassCall("one-shot-bufferize", "dialect-filter=tensor,scf copy-before-write")
        -> OneShotBufferizePass(dialect_filter=("tensor", "scf"), copy_before_write=...)

Names and options are MLIR's; a pass that has another name here is in `_ALIASES`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, get_type_hints

from xdsl.passes import ModulePass, get_pass_option_infos
from xdsl.utils.arg_spec import ArgSpec, ParameterListType, ParameterType
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization.pipelines.pass_bundle import spell_pass
from xdsl_bufferization.support.suggestions import hint, no_option

from ..common.diagnostics import UsageError
from .pass_calls import Nest, PassCall, Step, split_options

Available = Mapping[str, Callable[[], type[ModulePass]]]

_ALIASES: Final[Mapping[str, str]] = {
    "convert-scf-forall-to-parallel": "convert-forall-to-parallel",
    "scf-parallel-loop-tiling": "scf-parallel-loop-tiling-pass",
    "scf-forall-to-parallel": "convert-forall-to-parallel",
    "transform-interpreter": "bufferization-transform-interpreter",
    "test-tensor-copy-insertion": "tensor-copy-insertion",
}
"""MLIR's names of passes that have another name here."""

_WITHOUT_EFFECT: Final[Mapping[str, frozenset[str]]] = {
    "canonicalize": frozenset(
        {
            "cse-between-iterations",
            "max-iterations",
            "max-num-rewrites",
            "region-simplify",
            "test-convergence",
            "top-down",
        }
    ),
    "bufferization-transform-interpreter": frozenset({"debug-payload-root-tag"}),
}
"""Options of MLIR that say how a result is reached, and not which."""

_NUMBER = re.compile(r"[-+]?\d{1,18}")
_DECIMAL = re.compile(r"[-+]?\d{1,18}\.\d*(e[-+]?\d{1,3})?", re.IGNORECASE)


@dataclass(frozen=True)
class NestedPasses:
    """Passes that run on each op of a name."""

    anchor: str
    steps: "tuple[ModulePass | NestedPasses, ...]"


PassStep = ModulePass | NestedPasses


def names_of(available: Available) -> frozenset[str]:
    """All names that a flag or a pipeline may use."""
    return frozenset({*available, *_ALIASES})


def make_steps(steps: tuple[Step, ...], available: Available) -> tuple[PassStep, ...]:
    """Make the passes of a pipeline.

    Raises a `UsageError` for a pass or an option that is not known.
    """
    return tuple(_make(step, available) for step in steps)


def pipeline_text(steps: Sequence[PassStep]) -> str:
    """A pipeline on several lines, as mlir-opt's `-dump-pass-pipeline` writes it."""
    lines = "\n".join(_lines_of(steps, "  "))
    return f"Pass Manager with {len(steps)} passes:\nbuiltin.module(\n{lines}\n)"


def one_line(steps: Sequence[PassStep]) -> str:
    """A pipeline as `--pass-pipeline` takes it."""
    return f"builtin.module({','.join(map(_spell, steps))})"


def _spell(step: PassStep) -> str:
    if isinstance(step, NestedPasses):
        return f"{step.anchor}({','.join(map(_spell, step.steps))})"
    spec = step.spec()
    values = {
        name.replace("_", "-"): ",".join(map(_value_text, value))
        for name, value in spec.parameters.items()
    }
    options = " ".join(f"{name}={value}" for name, value in values.items())
    return f"{spec.name}{{{options}}}" if options else spec.name


def _value_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _lines_of(steps: Sequence[PassStep], indent: str) -> Iterator[str]:
    for number, step in enumerate(steps, start=1):
        comma = "," if number < len(steps) else ""
        if isinstance(step, NestedPasses):
            yield f"{indent}{step.anchor}("
            yield from _lines_of(step.steps, f"{indent}  ")
            yield f"{indent}){comma}"
        else:
            yield f"{indent}{spell_pass(step)}{comma}"


def _make(step: Step, available: Available) -> PassStep:
    if isinstance(step, Nest):
        return NestedPasses(step.anchor, make_steps(step.steps, available))
    name = _ALIASES.get(step.name, step.name)
    if name not in available:
        meant = hint(step.name, names_of(available)) or "; xbuf passes lists them"
        raise UsageError(step.place, f"there is no pass '{step.name}'{meant}")
    pass_type = available[name]()
    parameters = dict(_parameters(step, pass_type))
    try:
        return pass_type.from_spec(ArgSpec(pass_type.name, parameters))
    except (ValueError, TypeError, DiagnosticException) as error:
        message = f"wrong option of pass '{step.name}': {error}"
        raise UsageError(step.place, message) from error


def _parameters(
    call: PassCall, pass_type: type[ModulePass]
) -> Iterator[tuple[str, ParameterListType]]:
    options = [option.name for option in get_pass_option_infos(pass_type)]
    types = get_type_hints(pass_type)
    for name, value in split_options(call.options):
        if name in _WITHOUT_EFFECT.get(pass_type.name, ()):
            continue
        field = name.replace("-", "_")
        if field not in options:
            raise UsageError(call.place, no_option(call.name, name, options))
        yield field, () if value is None else _values(value, types[field])


def _values(text: str, type_: object) -> ParameterListType:
    """The values of an option, as xDSL's passes expect them."""
    text = _unquoted(text)
    if type_ is str:
        return (text,)
    return tuple(_value(each) for each in text.split(",")) if text else ()


def _unquoted(text: str) -> str:
    """A value without the quotes or braces that keep it together."""
    if len(text) >= 2 and text[0] + text[-1] in {"{}", "''", '""'}:
        return text[1:-1].strip()
    return text


def _value(text: str) -> ParameterType:
    text = text.strip()
    if text in {"true", "false"}:
        return text == "true"
    if _NUMBER.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text
