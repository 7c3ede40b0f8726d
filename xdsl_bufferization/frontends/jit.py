"""One call from a program to a fast function.

    scale = jit("scale.mlir")        nothing is compiled yet
    new, again = scale(matrix, 3.0)  read, bufferized, freed, compiled, and called
    new, again = scale(other, 2.0)   called

The stages are those of `xdsl_bufferization.frontends.api`, and the pipeline is that of
`xbuf run`: source -> module -> pipeline -> compiled function -> cache. A program is
compiled once, for all sizes that it leaves open; a program of StableHLO that leaves
sizes open, once for each set of sizes. A Python function that builds a program is
called, and its program compiled, once for each set of types and sizes.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast, overload

from typing_extensions import override

from xdsl_bufferization.runtime.boundary import tuple_of
from xdsl_bufferization.runtime.errors import ArgumentError, MismatchError
from xdsl_bufferization.runtime.object_code import ObjectCode
from xdsl_bufferization.support.locks import fork_safe_lock

from . import code_cache
from .argument_sizes import ArgumentSizes, may_leave_sizes_open, sizes_of
from .loaded import DONATE, LoadedFunction, load_function
from .names import Names
from .onnx.packages import OnnxModel, is_onnx
from .options import JitOptions
from .programs import (
    Builder,
    PlainProgram,
    Program,
    Text,
    as_plain,
    can_be_read_again,
    is_file,
    is_module,
    is_program,
    text_of,
    text_pieces,
)
from .pytorch.frameworks import Module, is_exported, is_network

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass

    from xdsl_bufferization.explanation.profile import TimedNest
    from xdsl_bufferization.explanation.report import Explanation

    from .onnx.function import OnnxFunction
    from .pytorch.modules import ModuleFunction

_Key = tuple[object, ...]

_NO_PROGRAM: Final[Any] = object()
"""What `jit` has for a program where it is called with options alone."""

_LOCK: Final = fork_safe_lock()
"""One for all functions: Python compiles one after the other anyway."""


_MOST_SIZES: Final = 64
"""For how many sizes code is kept at a time, if a program leaves sizes open."""


@overload
def jit(
    program: Module,
    example: object,
    /,
    *,
    dynamic_shapes: object = None,
    threads: int | None = None,
    optimize: bool = True,
    checked: bool | None = None,
    verified: bool = False,
    cpu: str | None = None,
) -> "ModuleFunction": ...


@overload
def jit(
    program: OnnxModel,
    *,
    threads: int | None = None,
    optimize: bool = True,
    checked: bool | None = None,
    verified: bool = False,
    cpu: str | None = None,
) -> "OnnxFunction": ...


# A type checker does not know which names of files are models of ONNX.
@overload
def jit(
    program: Program | Builder,
    *,
    entry: str | None = None,
    donate: str | int | Iterable[str | int] = (),
    passes: "str | Iterable[ModulePass] | None" = None,
    threads: int | None = None,
    optimize: bool = True,
    checked: bool | None = None,
    verified: bool = False,
    cpu: str | None = None,
) -> "JitFunction": ...


@overload
def jit(
    *,
    entry: str | None = None,
    donate: str | int | Iterable[str | int] = (),
    passes: "str | Iterable[ModulePass] | None" = None,
    threads: int | None = None,
    optimize: bool = True,
    checked: bool | None = None,
    verified: bool = False,
    cpu: str | None = None,
) -> "Callable[[Builder], JitFunction]": ...


def jit(
    program: Program | Builder | Module | OnnxModel = _NO_PROGRAM,
    example: object = None,
    *,
    dynamic_shapes: object = None,
    entry: str | None = None,
    donate: str | int | Iterable[str | int] = (),
    passes: "str | Iterable[ModulePass] | None" = None,
    threads: int | None = None,
    optimize: bool = True,
    checked: bool | None = None,
    verified: bool = False,
    cpu: str | None = None,
) -> "JitFunction | ModuleFunction | OnnxFunction | Callable[[Builder], JitFunction]":
    """A function that compiles `program` when it is first called.

    `program` is one of these:

    - a path, or a string that ends in `.mlir`: a file with MLIR's text
    - any other string: the text itself
    - a module of xDSL, which stays as it is
    - what `jax.jit(f).lower(...)` or `jax.export` gives: see `docs/jax.md`. One that
      leaves sizes open is compiled for the sizes of each call.
    - a Python function that returns one of these. If it takes arguments, it gets the
      type of each argument of the call, such as `tensor<4x8xf32>`, and is called again
      for other types. So `jit` can be a decorator, also `@jit(threads=1)` with options.
    - a string or a path that ends in `.onnx`, or an `onnx.ModelProto`: a model of ONNX.
      It is read at once, and compiled for the sizes of each call: see `docs/onnx.md`.
    - a module of PyTorch, with an `example`: its argument, or a tuple of its arguments.
      The module is exported and compiled at once. A program of `torch.export` is taken
      with the example `()`. `docs/pytorch.md` says what the function does.

    The function takes NumPy arrays, numbers, and anything with `__dlpack__`, by
    position or by the names that the program has. It returns NumPy arrays; if it is
    given a tensor of PyTorch, it returns tensors of PyTorch. Several results are a
    named tuple. Arguments that are tensors in the program keep their contents.

    - `dynamic_shapes`: which sizes of a module are left open, as `torch.export` has
      it.
    - `entry`: the function of the program to call. Default: the only public one,
      `@entry`, or `@main`.
    - `donate`: arguments that each call gives away, by name or position. The function
      may write into them, and return them.
    - `passes`: the passes from tensors to buffers that are freed, in the place of the
      default ones: text as `-p` of `xdsl-opt` takes it, or passes. Code that was made
      by passes which are objects is not in the cache.
    - `threads`: how many threads share a parallel loop. None: `OMP_NUM_THREADS`, or one
      for each core.
    - `optimize`: kernels where they fit, loops elsewhere. False: each op becomes loops,
      as PLAIN_PIPELINE of `frontends/default_pipelines.py` says.
    - `checked`: compiled code checks what it does, as `docs/contract.md` says, and is
      slower. A call that fails raises a `ProgramError` with the place in the program.
      None: only where a module of PyTorch needs it.
    - `verified`: while a program is compiled, prove that its copies keep the meaning,
      and that each buffer is freed once, as `docs/proven.md` says. A fault is an error,
      and what is not decided is a `NotProvenWarning`. Code in the cache was proven when
      it was compiled.
    - `cpu`: the name of the processor that code is generated for, as `--cpu` of
      `xbuf run` takes it. None: the one that `XBUF_CPU` names, or the one here.

    A program is read when it is first called. A call raises what reading, the passes
    and `compile` raise, and `ArgumentError` if an argument does not fit.
    """
    if program is _NO_PROGRAM:
        return partial(
            jit,
            entry=entry,
            donate=donate,
            passes=passes,
            threads=threads,
            optimize=optimize,
            checked=checked,
            verified=verified,
            cpu=cpu,
        )
    names = tuple_of(donate)
    own = passes if passes is None or isinstance(passes, str) else tuple(passes)
    options = JitOptions(
        entry, names, threads, optimize, bool(checked), verified, cpu, own
    )
    if threads is not None and threads < 1:
        raise ValueError(f"threads is None, or a number from 1, not {threads}")
    if is_network(program) or is_exported(program):
        if entry is not None or names or passes is not None:
            raise TypeError(
                "entry, donate and passes are for programs, not for modules"
            )
        # The compiler is imported by those who need it.
        from .pytorch.exported import export_module
        from .pytorch.modules import compile_exported

        return compile_exported(
            export_module(cast(Module, program), example, dynamic_shapes),
            threads=0 if threads is None else threads,
            optimize=optimize,
            is_checked=checked,
            is_verified=verified,
            cpu=cpu,
        )
    if example is not None or dynamic_shapes is not None:
        raise TypeError("example and dynamic_shapes are for modules of PyTorch")
    if is_onnx(program):
        if entry is not None or names or passes is not None:
            raise TypeError(
                "entry, donate and passes are for programs, not for ONNX's models"
            )
        from .onnx.function import OnnxFunction
        from .onnx.models import read_model

        return OnnxFunction(read_model(program), options)
    given = cast(Program | Builder, program)
    return JitFunction(given, options)


class JitFunction:
    """A program that is called like a function of Python: see `jit`."""

    __name__: str

    def __init__(self, program: Program | Builder, options: JitOptions):
        self._program = program
        self._options = options
        self._compiled: dict[_Key, LoadedFunction] = {}
        self._parameters = _parameters(program)
        self._is_for_sizes: bool | None = None
        """Whether code is for the sizes of a call; None: nobody has looked yet."""
        self._names: tuple[str, ...] = ()
        """Those of the arguments, once code is for sizes."""
        self.__name__ = options.entry or _name_of(program)
        self.__doc__ = program.__doc__ if callable(program) else None

    def __call__(self, *arguments: object, **named: object) -> Any:
        """Run the program, compiled before or now.

        `donate=` gives arguments away in this call: see `LoadedFunction`.
        What comes back depends on the program, so that a type checker cannot know it.
        """
        if self._parameters is None:
            # Only code that is for all sizes has this key.
            compiled = self._compiled.get(()) or self._compiled_for(arguments, named)
            return compiled(*arguments, **named)
        given: dict[str, object] = {}
        if DONATE in named and DONATE not in self._parameters.parameters:
            given[DONATE] = named.pop(DONATE)
        if named:
            arguments = _bind(self._parameters, arguments, named)
        return self._compiled_for(arguments)(*arguments, **given)

    def lower(self, *arguments: object) -> "ModuleOp":
        """The module on buffers that a call with these arguments compiles.

        Arguments matter only if the program is built from their types, or if it is of
        StableHLO and leaves sizes open.
        """
        from . import compilation

        types = self._types(arguments)
        program, sizes = self._source(types), _sizes_in(types)
        module, _ = compilation.lower(_whole(program), self._options, sizes)
        return module

    def explain(self, *arguments: object) -> "Explanation":
        """The copies that a call with these arguments makes, and why.

        Arguments matter only if the program is built from their types, or if it is of
        StableHLO and leaves sizes open.
        """
        from . import compilation

        types = self._types(arguments)
        program, sizes = self._source(types), _sizes_in(types)
        return compilation.explain(_whole(program), self._options, sizes)

    def profile(self, *arguments: object, calls: int = 20) -> "list[TimedNest]":
        """How long each part of the program takes, the slowest first.

        Compiles code with timers, and calls it with NumPy arrays: once, and `calls`
        times more, which count.
        """
        from . import compilation

        types = self._types(arguments)
        program = _whole(self._source(types))
        return compilation.profile(
            program, self._options, arguments, calls, _sizes_in(types)
        )

    def prepare(self, *arguments: object) -> LoadedFunction:
        """Compile for a call with these arguments, and load, but do not call.

        Arguments matter only if the program is built from their types, or if it is of
        StableHLO and leaves sizes open.
        """
        return self._compiled_for(arguments)

    def save(self, path: str | PathLike[str], *arguments: object) -> None:
        """Write compiled code to a file, which `load` reads on such a processor.

        Arguments matter only if the program is built from their types, or if it is of
        StableHLO and leaves sizes open. The function is compiled if the cache does not
        have it. Raises `OSError`.
        """
        from .saved_files import save_code

        save_code(path, *self._code(self._types(arguments)), self._options.donate)

    @override
    def __repr__(self) -> str:
        compiled = [each.signature for each in dict.fromkeys(self._compiled.values())]
        if not compiled:
            return f"<jit function {self.__name__}, not compiled yet>"
        return f"<jit function {'; '.join(each.with_accesses() for each in compiled)}>"

    def _leaves_sizes_open(self) -> bool:
        if self._is_for_sizes is None:
            plain = as_plain(self._program) if is_program(self._program) else None
            self._is_for_sizes = plain is not None and may_leave_sizes_open(plain)
        return self._is_for_sizes

    def _types(
        self, arguments: Sequence[object], named: Mapping[str, object] | None = None
    ) -> _Key:
        """What the builder of the program is called with, or the sizes of a call."""
        if self._parameters is None:
            if not self._leaves_sizes_open():
                return ()
            given = {k: v for k, v in (named or {}).items() if k != DONATE}
            return (sizes_of(arguments, given).in_order(self._names),)
        # What a program is built from are types of xDSL.
        from .argument_types import type_of

        types: list[object] = []
        for number, value in enumerate(arguments):
            try:
                types.append(type_of(value))
            except MismatchError as error:
                raise ArgumentError(self.__name__, number, "", str(error)) from error
        return tuple(types)

    def _compiled_for(
        self, arguments: tuple[object, ...], named: Mapping[str, object] | None = None
    ) -> LoadedFunction:
        types = self._types(arguments, named)
        return self._compiled.get(types) or self._compile(types, types)

    def _compile(self, key: _Key, types: tuple[object, ...]) -> LoadedFunction:
        with _LOCK:
            compiled = self._compiled.get(key)
            if compiled is None:
                compiled = self._compiled[key] = self._compile_now(types)
                if (sizes := _sizes_in(types)) is not None:
                    self._names = compiled.argument_names
                    self._compiled[sizes.in_order(self._names),] = compiled
                    while len(self._compiled) > _MOST_SIZES:
                        del self._compiled[next(iter(self._compiled))]
            return compiled

    def _compile_now(self, types: tuple[object, ...]) -> LoadedFunction:
        code, names = self._code(types)
        return load_function(code, names, self._options.donate)

    def _code(self, types: tuple[object, ...]) -> tuple[ObjectCode, Names]:
        """Object code: out of the cache, or made now."""
        program, sizes = self._source(types), _sizes_in(types)
        of_sizes = () if sizes is None else sizes.pieces()
        found = None
        if not is_module(program) and can_be_read_again(program):
            pieces = chain(text_pieces(program), of_sizes)
            key = code_cache.key_of(pieces, self._options)
            found = None if key is None else code_cache.find(key)
        if found is not None:
            return found
        # What is in the cache needs nothing of what compiles.
        from . import compilation

        text = _whole(program)
        built = compilation.build(text, self._options, sizes)
        if isinstance(text, Text):
            # Packages and files may have been edited meanwhile.
            pieces = chain(text.pieces(), of_sizes)
            key = code_cache.key_of(pieces, self._options)
            if key is not None:
                code_cache.store(key, built.code, built.names)
        return built.code, built.names

    def _source(self, types: tuple[object, ...]) -> PlainProgram:
        program = self._program
        if is_program(program):
            return as_plain(program)
        built = _build(program, types, self.__name__)
        if is_program(built):
            return as_plain(built)
        raise TypeError(
            f"{self.__name__} has returned {type(built).__name__}, and no program. "
            f"{_ABOUT_BUILDERS}"
        )


_ABOUT_BUILDERS: Final = (
    "jit calls a function with the types of the arguments, such as tensor<4xf32>. It "
    "returns a program: text, a path or a module of xDSL. What it computes with NumPy "
    "is not compiled; jax.jit(f).lower(...) gives a program of a function"
)


def _build(builder: Builder, types: tuple[object, ...], name: str) -> object:
    """Have a function of the caller build a program."""
    try:
        return builder(*types)
    except TypeError as error:
        # Most likely it is meant to be traced. Its own faults have this below as well.
        error.add_note(f"{name} is called by jit. {_ABOUT_BUILDERS}")
        raise


def _sizes_in(types: _Key) -> ArgumentSizes | None:
    """The sizes of a call, if code is for them."""
    found = types[0] if types else None
    return found if isinstance(found, ArgumentSizes) else None


def _whole(program: PlainProgram) -> "Text | ModuleOp":
    return program if is_module(program) else text_of(program)


def _parameters(program: Program | Builder) -> inspect.Signature | None:
    """The parameters of what builds the program, if it wants types."""
    if is_program(program):
        return None
    if not callable(program):
        raise TypeError(
            "a program is a path, text, a module, or a function that returns one of "
            f"these, not {type(program).__name__}"
        )
    if callable(getattr(program, "lower", None)):
        # As what jax.jit gives, which would be traced with types of xDSL.
        name = getattr(program, "__name__", "f")
        raise TypeError(
            f"{name} is a function that can be lowered, and no program yet; pass "
            f"{name}.lower(...) with example arguments"
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
