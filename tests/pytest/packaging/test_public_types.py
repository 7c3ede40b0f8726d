"""Whoever calls this package from typed code gets types: no public name has `Any`.

The annotations are looked at as Python evaluates them, so that an alias cannot hide an
`Any`. Only what NumPy's own names say of the shape of an array is left out.
"""

import importlib
import inspect
import re
import typing
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, TypedDict, TypeVar, Unpack, cast, get_args, get_origin

import numpy as np
import pytest
from harness.guest.environments import ROOT
from numpy.typing import NDArray
from typing_extensions import is_typeddict
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import ParseError

import xdsl_bufferization
from xdsl_bufferization.explanation.profile import TimedNest
from xdsl_bufferization.explanation.report import Explanation
from xdsl_bufferization.frontends.jit import JitFunction, jit
from xdsl_bufferization.frontends.loaded import LoadedFunction
from xdsl_bufferization.frontends.onnx.function import OnnxFunction
from xdsl_bufferization.frontends.pytorch.modules import ModuleFunction
from xdsl_bufferization.frontends.saved import load
from xdsl_bufferization.pipelines.compile_options import CompileOptions
from xdsl_bufferization.runtime.engine import CompiledModule

PACKAGE = "xdsl_bufferization"
INTERFACES = ROOT / PACKAGE / "bufferization" / "interfaces"

MODULES = [
    PACKAGE,
    f"{PACKAGE}.frontends.api",
    f"{PACKAGE}.bufferization.context",
    f"{PACKAGE}.bufferization.dialect_conversion",
    f"{PACKAGE}.explanation.report",
    f"{PACKAGE}.dialects.parsing",
    f"{PACKAGE}.runtime.engine",
    f"{PACKAGE}.runtime.function",
    *sorted(
        f"{PACKAGE}.bufferization.interfaces.{each.stem}"
        for each in INTERFACES.glob("[!_]*.py")
    ),
]

EXCEPTIONS = {
    f"{PACKAGE}.frontends.jit.JitFunction.__call__: return",
    f"{PACKAGE}.frontends.onnx.function.OnnxFunction.__call__: return",
    f"{PACKAGE}.frontends.pytorch.modules.ModuleFunction.__call__: return",
    f"{PACKAGE}.frontends.loaded.LoadedFunction.__call__: return",
    f"{PACKAGE}.runtime.function.CompiledFunction.__call__: return",
    f"{PACKAGE}.runtime.function.CompiledFunction.finish: return",
}
"""What has to be `Any`. What a compiled function returns depends on the program: a
union would ask for a cast at each call."""

CALLED = ("__init__", "__call__", "__getitem__", "__iter__", "__len__")
"""Methods with underscores that others call."""


def loaded_later() -> list[str]:
    """The names that type checkers see in the package, and that it loads later."""
    text = Path(xdsl_bufferization.__file__).read_text()
    return re.findall(r"^    from \S+ import \w+ as (\w+)$", text, re.MULTILINE)


def public_values(module: ModuleType) -> dict[str, object]:
    """What a module exports: what it loads later, `__all__`, or what it defines."""
    if module is xdsl_bufferization:
        return {name: getattr(module, name) for name in loaded_later()}
    if hasattr(module, "__all__"):
        return {name: getattr(module, name) for name in module.__all__}
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and getattr(value, "__module__", None) == module.__name__
    }


def places_of_any(module: ModuleType) -> set[str]:
    """Where public annotations of a module have `Any`."""
    variables = fields_of(module, module.__name__)
    values = (annotations_of(value) for value in public_values(module).values())
    annotations = [*variables, *(each for found in values for each in found)]
    return {place for place, annotation in annotations if has_any(annotation)}


def annotations_of(value: object) -> Iterator[tuple[str, object]]:
    """The annotations that users of a function or class see, and where they are."""
    if isinstance(value, staticmethod | classmethod):
        yield from annotations_of(cast("classmethod[Any, ..., Any]", value).__func__)
    elif isinstance(value, property):
        yield from annotations_of(value.fget)
    elif isinstance(value, cached_property):
        yield from annotations_of(cast("cached_property[Any]", value).func)
    elif inspect.isclass(value):
        for base in value.__mro__:
            if base.__module__.startswith((PACKAGE, __name__)):
                yield from annotations_of_class(base)
    elif callable(value):
        function = inspect.unwrap(value)
        for each in [function, *overloads_of(function)]:
            place = f"{each.__module__}.{each.__qualname__}"
            for name, annotation in hints_of(each).items():
                yield f"{place}: {name}", annotation


def annotations_of_class(owner: type) -> Iterator[tuple[str, object]]:
    yield from fields_of(owner, f"{owner.__module__}.{owner.__qualname__}")
    for name, value in vars(owner).items():
        if (not name.startswith("_") or name in CALLED) and not inspect.isclass(value):
            yield from annotations_of(value)


def fields_of(owner: object, place: str) -> Iterator[tuple[str, object]]:
    """The annotated variables of a module or class, without those of its bases."""
    annotated = inspect.get_annotations(cast("type", owner))
    hints = hints_of(owner)
    for name in annotated:
        if not name.startswith("_"):
            yield f"{place}: {name}", hints[name]


def overloads_of(function: Callable[..., object]) -> Sequence[Callable[..., object]]:
    return typing.get_overloads(function) if inspect.isfunction(function) else ()


FOR_TYPE_CHECKERS = {
    "CompileOptions": CompileOptions,
    "CompiledModule": CompiledModule,
    "Explanation": Explanation,
    "JitFunction": JitFunction,
    "ModuleFunction": ModuleFunction,
    "ModuleOp": ModuleOp,
    "ModulePass": ModulePass,
    "OnnxFunction": OnnxFunction,
    "ParseError": ParseError,
    "TimedNest": TimedNest,
}
"""What modules import for type checkers alone, and name in strings."""


def hints_of(value: object) -> dict[str, object]:
    try:
        return typing.get_type_hints(
            cast("type", value), localns=FOR_TYPE_CHECKERS, include_extras=True
        )
    except TypeError:  # Something built in, which has no annotations.
        return {}


def has_any(annotation: object) -> bool:
    if annotation is Any:
        return True
    if isinstance(annotation, TypeVar):
        return has_any(annotation.__bound__)
    if is_typeddict(cast("type", annotation)):
        return any(map(has_any, hints_of(annotation).values()))
    if isinstance(annotation, list):  # The parameters of a callable.
        return any(map(has_any, cast("list[object]", annotation)))
    parts: tuple[object, ...] = get_args(annotation)
    if get_origin(annotation) is np.ndarray:
        parts = parts[1:]  # The first is the shape.
    return any(map(has_any, parts))


def test_public_signatures_have_no_any() -> None:
    found = {
        place
        for name in MODULES
        for place in places_of_any(importlib.import_module(name))
    }
    assert found == EXCEPTIONS


def test_jit_is_typed_as_what_it_returns() -> None:
    """By what it is given: a module, a model of ONNX, or a program."""
    returned = [hints_of(each)["return"] for each in overloads_of(jit)]
    *functions, decorator = returned
    assert functions == [ModuleFunction, OnnxFunction, JitFunction]
    assert get_args(decorator)[-1] is JitFunction
    assert hints_of(load)["return"] == LoadedFunction | ModuleFunction | OnnxFunction


class Options(TypedDict):
    option: Any


class Base:
    field: Sequence[Any]

    def method(self, given: Callable[[Any], int]) -> int: ...

    @classmethod
    def of_class(cls) -> dict[str, Any]: ...

    @property
    def attribute(self) -> Any: ...

    def _private(self) -> Any: ...


class Derived(Base):
    numbers: NDArray[np.float32]
    anything: NDArray[Any]

    @cached_property
    def cached(self) -> Any | None: ...


def keywords(**options: Unpack[Options]) -> NDArray[np.float32]: ...


@pytest.mark.parametrize(
    ("value", "places"),
    [
        (
            Derived,
            {
                *("Base: field", "Base.attribute: return", "Base.method: given"),
                *("Base.of_class: return", "Derived: anything"),
                "Derived.cached: return",
            },
        ),
        (keywords, {"keywords: options"}),
    ],
)
def test_any_is_found(value: object, places: set[str]) -> None:
    found = {place for place, each in annotations_of(value) if has_any(each)}
    assert found == {f"{__name__}.{place}" for place in places}
