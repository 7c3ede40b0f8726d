"""A compiled function of a program, called by the names that the program has.

    scale = load_function(code, names)
    scale(matrix, f=2.0).new

Arrays of NumPy and tensors of PyTorch go in and come out, as `exchange.py` says.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from typing_extensions import override

from xdsl_bufferization.runtime.boundary import tuple_of
from xdsl_bufferization.runtime.engine import load_module
from xdsl_bufferization.runtime.errors import ArgumentError, MismatchError
from xdsl_bufferization.runtime.function import CompiledFunction
from xdsl_bufferization.runtime.object_code import ObjectCode
from xdsl_bufferization.runtime.quick_call import MISSED, never_quick
from xdsl_bufferization.support import abi

from .exchange import as_plain_arrays, as_torch, as_unsigned, is_torch, passed
from .names import Names, make_results

DONATE: Final = "donate"
"""The name of what is no argument of the program, if none has that name."""


class LoadedFunction:
    """A function of a program that is compiled: see `jit` for what it takes."""

    __name__: str
    signature: abi.FunctionSignature
    """What a caller must know, with the names of the program."""

    def __init__(self, function: CompiledFunction, names: Names):
        """Call a function by names of its program, which it has in its signature."""
        self._function = function
        self._names = names
        self.signature = own = function.signature
        self.__name__ = own.name
        self._donating: dict[tuple[str | int, ...], LoadedFunction] = {}
        fields = [each.name for each in own.results]
        self._unsigned = frozenset(names.unsigned)
        self._gather = make_results(own.name, fields) if len(fields) > 1 else None
        self._quick = never_quick if self._unsigned else function.quick

    @property
    def argument_names(self) -> tuple[str, ...]:
        """The name of each argument; empty where none can be used."""
        return self._names.arguments

    def __call__(self, *arguments: object, **named: object) -> Any:
        """Run the function.

        `donate=` gives arguments away in this call, by name or position, unless an
        argument has that name. What comes back depends on the program, so that a type
        checker cannot know it. Raises `ArgumentError` if an argument does not fit.
        """
        if named:
            return self._call_by_names(arguments, named)
        results: Any = self._quick(*arguments)
        if results is not MISSED:
            if type(results) is list:
                results = self._function.finish(cast("list[Any]", results))
            return results if self._gather is None else self._gather(results)
        wants_torch = any(map(is_torch, arguments))
        if wants_torch:
            results = self._quick(*as_plain_arrays(arguments))
            if results is not MISSED:
                return self._gathered_tensors(results)
        if len(arguments) == len(self.signature.arguments):
            arguments = tuple(
                _passed(self.signature, number, value)
                for number, value in enumerate(arguments)
            )
        results = self._function(*arguments)
        if not self.signature.results:
            return None
        if self._unsigned:
            results = as_unsigned(results, self._unsigned)
        if wants_torch:
            return self._gathered_tensors(results)
        return results if self._gather is None else self._gather(results)

    def donating(self, donate: str | int | Iterable[str | int]) -> "LoadedFunction":
        """This function with arguments that all calls give away, as `jit` has it."""
        names = tuple_of(donate)
        if not names:
            return self
        found = self._donating.get(names)
        if found is None:
            function = self._function.donating(*names)
            found = self._donating[names] = LoadedFunction(function, self._names)
        return found

    def _call_by_names(
        self, arguments: tuple[object, ...], named: dict[str, object]
    ) -> Any:
        if DONATE in named and DONATE not in self._names.arguments:
            donate = cast("str | int | Iterable[str | int]", named.pop(DONATE))
            return self.donating(donate)(*arguments, **named)
        return self(*_by_position(self.signature, arguments, named))

    def _gathered_tensors(self, results: Any) -> Any:
        """The results of a call, with tensors of PyTorch for arrays."""
        if type(results) is list:
            results = self._function.finish(cast("list[Any]", results))
        if not self.signature.results:
            return None
        if self._gather is None:
            return as_torch(results, self.signature.results[0])
        return self._gather(map(as_torch, results, self.signature.results))

    @override
    def __repr__(self) -> str:
        return f"<loaded function {self.signature.with_accesses()}>"


def load_function(
    code: ObjectCode, names: Names, donate: Sequence[str | int] = ()
) -> LoadedFunction:
    """Load code into this process; `donate` as that of `jit`."""
    function = load_module(code)[names.name]
    # Passes may have changed names: what counts is what the program says.
    own = replace(
        function.signature,
        arguments=_named(function.signature.arguments, names.arguments),
        results=_named(function.signature.results, names.results),
    )
    return LoadedFunction(CompiledFunction(own, function.code), names).donating(donate)


def _passed(signature: abi.FunctionSignature, number: int, value: object) -> object:
    argument = signature.arguments[number]
    try:
        return passed(value, argument)
    except MismatchError as error:
        raise ArgumentError(
            signature.name, number, argument.name, str(error)
        ) from error


def _named(
    values: Sequence[abi.ValueSignature], names: Sequence[str]
) -> tuple[abi.ValueSignature, ...]:
    return tuple(
        replace(value, name=name) for value, name in zip(values, names, strict=True)
    )


def _by_position(
    signature: abi.FunctionSignature,
    arguments: tuple[object, ...],
    named: Mapping[str, object],
) -> tuple[object, ...]:
    """All arguments by position; raises `ArgumentError` if a name does not fit."""
    names = [argument.name for argument in signature.arguments]
    given: dict[int, object] = dict(enumerate(arguments))
    for name, value in named.items():
        if name not in names:
            known = ", ".join(filter(None, names)) or "no argument with a name"
            raise ArgumentError(
                signature.name, -1, "", f"there is no argument {name}; there is {known}"
            )
        number = names.index(name)
        if number in given:
            raise ArgumentError(signature.name, number, name, "it is given twice")
        given[number] = value
    missing = [number for number in range(len(names)) if number not in given]
    if missing:
        labels = ", ".join(names[number] or str(number) for number in missing)
        raise ArgumentError(signature.name, -1, "", f"missing: {labels}")
    return tuple(given[number] for number in sorted(given))
