"""One call from a program to a fast function.

    scale = jit("scale.mlir")        nothing is compiled yet
    new, again = scale(matrix, 3.0)  read, bufferized, freed, compiled, and called
    new, again = scale(other, 2.0)   called

The stages are those of `xdsl_bufferization.api`, and the pipeline is that of
`xbuf run`: source -> module -> pipeline -> compiled function -> cache. A program is
compiled once, for all sizes that it leaves open. A Python function that builds a
program is called, and its program compiled, once for each set of types and sizes.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.passes import PassPipeline

from xdsl_bufferization import abi
from xdsl_bufferization.context import get_context
from xdsl_bufferization.just_in_time.exchange import (
    as_torch,
    is_torch,
    passed,
    type_of,
)
from xdsl_bufferization.just_in_time.names import (
    argument_names,
    make_results,
    result_names,
)
from xdsl_bufferization.just_in_time.programs import (
    Builder,
    Program,
    is_file,
    is_program,
    read,
)
from xdsl_bufferization.locks import fork_safe_lock
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.entry import find_entry
from xdsl_bufferization.pipelines.programs import default_passes
from xdsl_bufferization.pipelines.signatures import public_functions
from xdsl_bufferization.runtime.errors import ArgumentError, MismatchError
from xdsl_bufferization.runtime.function import CompiledFunction
from xdsl_bufferization.transforms.bufferize.value_arguments import (
    mark_value_arguments,
)

_Key = tuple[object, ...]

_LOCK: Final = fork_safe_lock()
"""One for all functions: Python compiles one after the other anyway."""


def jit(
    program: Program | Builder,
    *,
    entry: str | None = None,
    donate: str | int | Iterable[str | int] = (),
    threads: int | None = None,
    optimize: bool = True,
    checked: bool = False,
) -> "JitFunction":
    """A function that compiles `program` when it is first called.

    `program` is one of these:

    - a path, or a string that ends in `.mlir`: a file with MLIR's text
    - any other string: the text itself
    - a module of xDSL, which stays as it is
    - a Python function that returns one of these. If it takes arguments, it gets the
      type of each argument of the call, such as `tensor<4x8xf32>`, and is called again
      for other types. So `jit` can be a decorator.

    The function takes NumPy arrays, numbers, and anything with `__dlpack__`, by
    position or by the names that the program has. It returns NumPy arrays; if it is
    given a tensor of PyTorch, it returns tensors of PyTorch. Several results are a
    named tuple. Arguments that are tensors in the program keep their contents.

    - `entry`: the function of the program to call. Default: the only public one, or
      `@entry`.
    - `donate`: arguments that each call gives away, by name or position. The function
      may write into them, and return them.
    - `threads`: how many threads share a parallel loop. None: `OMP_NUM_THREADS`, or one
      for each core.
    - `optimize`: kernels where they fit, loops elsewhere. False: each op becomes loops,
      as PLAIN_PIPELINE of `pipelines/programs.py` says.
    - `checked`: compiled code checks what it does, as `docs/contract.md` says, and is
      slower. A call that fails raises a `ProgramError` with the place in the program.

    A program is read when it is first called. A call raises what reading, the passes
    and `compile` raise, and `ArgumentError` if an argument does not fit.
    """
    names = (donate,) if isinstance(donate, str | int) else tuple(donate)
    if threads is not None and threads < 1:
        raise ValueError(f"threads is None, or a number from 1, not {threads}")
    return JitFunction(program, _Options(entry, names, threads, optimize, checked))


@dataclass(frozen=True)
class _Options:
    """How to compile."""

    entry: str | None
    donate: tuple[str | int, ...]
    threads: int | None
    optimize: bool
    checked: bool


@dataclass(frozen=True)
class _Compiled:
    """Compiled code, and what the program calls its arguments and results."""

    function: CompiledFunction
    arguments: tuple[abi.ValueSignature, ...]
    results: tuple[abi.ValueSignature, ...]
    gather: Callable[[Iterable[Any]], Any] | None
    """What makes a named tuple of several results."""


class JitFunction:
    """A program that is called like a function of Python: see `jit`."""

    __name__: str

    def __init__(self, program: Program | Builder, options: _Options):
        self._program = program
        self._options = options
        self._compiled: dict[_Key, _Compiled] = {}
        self._parameters = _parameters(program)
        self.__name__ = options.entry or _name_of(program)
        self.__doc__ = program.__doc__ if callable(program) else None

    def __call__(self, *arguments: object, **named: object) -> Any:
        """Run the program, compiled before or now.

        What comes back depends on the program, so that a type checker cannot know it.
        """
        if self._parameters is None:
            compiled = self._compiled.get(()) or self._compile((), ())
        else:
            if named:
                arguments = _bind(self._parameters, arguments, named)
                named = {}
            compiled = self._compiled_for(arguments)
        if named:
            arguments = _by_position(compiled.function.signature, arguments, named)
        return _call(compiled, arguments)

    def lower(self, *arguments: object) -> ModuleOp:
        """The module on buffers that a call with these arguments compiles.

        Arguments matter only if the program is built from their types.
        """
        module, _ = self._lowered(self._types(arguments))
        return module

    @override
    def __repr__(self) -> str:
        compiled = [each.function.signature for each in self._compiled.values()]
        if not compiled:
            return f"<jit function {self.__name__}, not compiled yet>"
        return f"<jit function {'; '.join(each.with_accesses() for each in compiled)}>"

    def _types(self, arguments: Sequence[object]) -> tuple[object, ...]:
        """What the builder of the program is called with."""
        if self._parameters is None:
            return ()
        types: list[object] = []
        for number, value in enumerate(arguments):
            try:
                types.append(type_of(value))
            except MismatchError as error:
                raise ArgumentError(self.__name__, number, "", str(error)) from error
        return tuple(types)

    def _compiled_for(self, arguments: tuple[object, ...]) -> _Compiled:
        types = self._types(arguments)
        return self._compiled.get(types) or self._compile(types, types)

    def _compile(self, key: _Key, types: tuple[object, ...]) -> _Compiled:
        with _LOCK:
            compiled = self._compiled.get(key)
            if compiled is None:
                compiled = self._compiled[key] = self._compile_now(types)
            return compiled

    def _compile_now(self, types: tuple[object, ...]) -> _Compiled:
        module, signature = self._lowered(types)
        threads = self._options.threads
        code = compile_module(
            module,
            threads=0 if threads is None else threads,
            checked=self._options.checked,
        )
        function = code[signature.name]
        # Passes may have changed names: what counts is what the program says.
        own = function.signature
        own = replace(
            own,
            arguments=_named(own.arguments, signature.arguments),
            results=_named(own.results, signature.results),
        )
        function = CompiledFunction(own, function.code)
        if self._options.donate:
            function = function.donating(*self._options.donate)
        own = function.signature
        gather = None
        if len(own.results) > 1:
            gather = make_results(own.name, [each.name for each in own.results])
        return _Compiled(function, own.arguments, own.results, gather)

    def _lowered(self, types: tuple[object, ...]) -> tuple[ModuleOp, "_Names"]:
        """The program on buffers, and what it calls things."""
        module = read(self._source(types))
        function = find_entry(module, self._options.entry, "entry=")
        names = _Names(
            function.sym_name.data, argument_names(function), result_names(function)
        )
        _keep_public(module, function)
        mark_value_arguments(module)
        passes = default_passes(optimize=self._options.optimize)
        PassPipeline(passes).apply(get_context(), module)
        return module, names

    def _source(self, types: tuple[object, ...]) -> Program:
        program = self._program
        return program if is_program(program) else program(*types)


@dataclass(frozen=True)
class _Names:
    """What a program calls a function, its arguments and its results."""

    name: str
    arguments: tuple[str, ...]
    results: tuple[str, ...]


def _call(compiled: _Compiled, arguments: tuple[object, ...]) -> Any:
    signature = compiled.function.signature
    wants_torch = any(map(is_torch, arguments))
    if len(arguments) == len(compiled.arguments):
        arguments = tuple(
            _passed(signature, number, value) for number, value in enumerate(arguments)
        )
    results = compiled.function(*arguments)
    if not compiled.results:
        return None
    if compiled.gather is None:
        return as_torch(results, compiled.results[0]) if wants_torch else results
    if wants_torch:
        results = map(as_torch, results, compiled.results)
    return compiled.gather(results)


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


def _keep_public(module: ModuleOp, function: FuncOp) -> None:
    """Let one function be the only one that is called from outside."""
    for each in public_functions(module):
        if each is not function:
            each.sym_visibility = StringAttr("private")


def _parameters(program: Program | Builder) -> inspect.Signature | None:
    """The parameters of what builds the program, if it wants types."""
    if is_program(program):
        return None
    if not callable(program):
        raise TypeError(
            "a program is a path, text, a module, or a function that returns one of "
            f"these, not {type(program).__name__}"
        )
    signature = inspect.signature(program)
    return signature if signature.parameters else None


def _name_of(program: Program | Builder) -> str:
    """What the program is called before anybody has read it."""
    if is_program(program) and is_file(program):
        return Path(program).name
    return getattr(program, "__name__", "of text or a module")


def _bind(
    parameters: inspect.Signature,
    arguments: tuple[object, ...],
    named: Mapping[str, object],
) -> tuple[object, ...]:
    return parameters.bind(*arguments, **named).args


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
