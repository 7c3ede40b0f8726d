"""What the engine uses of llvmlite, with types.

llvmlite has no type annotations. The protocols name the few functions that the engine
calls; nothing is loaded before `binding()` is called.

    machine = target_machine(this_processor(), opt_level=3)
    image = machine.emit_object(parse(text))

A compilation that is over leaves some memory in llvmlite. `docs/security.md` says why.
"""

import hashlib
import importlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from typing import Any, Final, Protocol, cast

from xdsl_bufferization.support.locks import computed_once

from .disk_cache.folder import Cache, open_cache
from .disk_cache.layout import Record
from .disk_cache.sources import sources
from .llvm_binding import binding
from .processors.processor import Processor, this_processor

_LONG_LINES: Final = 3000
"""Code of that length takes no noticeable time, whatever it comes from."""

_MOST_GROWTH: Final = 4


class Value(Protocol):
    """A function of an LLVM module."""

    name: str
    is_declaration: bool


class Module(Protocol):
    """A parsed LLVM module."""

    triple: str
    data_layout: str
    functions: Iterable[Value]
    global_variables: Iterable[Value]

    context: object
    """What owns the types, names and constants of the module."""

    def verify(self) -> None:
        """Raise RuntimeError if the module is malformed."""
        ...


class TargetMachine(Protocol):
    """A code generator."""

    triple: str
    target_data: object

    def emit_object(self, module: Module) -> bytes:
        """Generate the object code of a module."""
        ...


class Library(Protocol):
    """Loaded code: it stays loaded as long as this object."""

    def __getitem__(self, symbol: str) -> int: ...


@computed_once
def target_machine(processor: Processor, opt_level: int) -> TargetMachine:
    """Return a code generator for a processor, for code of this process."""
    llvm = cast(Any, binding())
    target = llvm.Target.from_triple(processor.triple)
    machine = target.create_target_machine(
        cpu=processor.cpu,
        features=processor.features,
        opt=opt_level,
        jit=True,
    )
    return cast(TargetMachine, machine)


def parse(text: str, context: object = None) -> Module:
    """Parse LLVM IR; raise RuntimeError with its position where it is wrong.

    The module gets a context of its own unless there is one for it. What a context owns
    stays as long as the context, and LLVM's global context never ends.
    """
    llvm = cast(Any, binding())
    context = llvm.create_context() if context is None else context
    module = cast(Module, llvm.parse_assembly(text, context))
    module.context = context
    return module


def optimize(
    module: Module, machine: TargetMachine, opt_level: int, *, unroll: bool = True
) -> None:
    """Run LLVM's default pipeline of that level, with vectorisation."""
    llvm = cast(Any, binding())
    options = llvm.create_pipeline_tuning_options(speed_level=opt_level)
    options.loop_vectorization = opt_level > 1
    options.slp_vectorization = opt_level > 1
    options.loop_unrolling = unroll
    with options, llvm.create_pass_builder(machine, options) as builder:
        passes = builder.getModulePassManager()
        try:
            passes.run(module, builder)
        finally:
            _dispose_passes(passes)


def optimized(
    parsed: Callable[[], Module],
    machine: TargetMachine,
    opt_level: int,
    *,
    unroll: bool = True,
) -> Module:
    """Optimise what `parsed` returns; loops stay loops where unrolling is too much.

    LLVM unrolls each loop with regard to its own body. A nest can become thousands of
    instructions in one block that way, and its schedulers take quadratic time.
    """
    module = parsed()
    most = max(_LONG_LINES, _MOST_GROWTH * _lines(module)) if unroll else 0
    optimize(module, machine, opt_level, unroll=unroll)
    if unroll and _lines(module) > most:
        module = parsed()
        optimize(module, machine, opt_level, unroll=False)
    return module


def _lines(module: Module) -> int:
    return str(module).count("\n")


def _dispose_passes(passes: Any) -> None:
    """Free a pass manager.

    `close` of llvmlite 0.50 frees none: of its two bases `ObjectRef` comes first, whose
    `_dispose` does nothing. Each compilation would leave 70 kB behind.
    """
    llvm = cast(Any, binding())
    llvm.ffi.lib.LLVMPY_DisposeNewModulePassManger(passes)
    passes.detach()


def compile_image(
    text: str, opt_level: int = 3, processor: Processor | None = None
) -> bytes:
    """The object code for LLVM IR as it is, without optimising it.

    `opt_level` is that of the code generator. The code is for `this_processor` unless
    there is another.
    """
    return emit_object(parse(text), processor or this_processor(), opt_level)


def join(texts: Mapping[str, str], function: str) -> Module:
    """One module of texts, each of which has a `function`, under other names.

    The keys are the new names, and there is at least one. Starting the code generator
    takes a millisecond, so that it is better started once.
    """
    llvm = cast(Any, binding())
    context = llvm.create_context()
    joined: Any = None
    for name, text in texts.items():
        module: Any = parse(text, context)
        module.get_function(function).name = name
        if joined is None:
            joined = module
        else:
            joined.link_in(module)
    return cast(Module, joined)


def emit_object(module: Module, processor: Processor, opt_level: int = 3) -> bytes:
    """The object code for a module as it is, without optimising it."""
    return target_machine(processor, opt_level).emit_object(module)


def compile_function(
    text: str, *names: str, opt_level: int = 3, processor: Processor | None = None
) -> Library:
    """Generate code for LLVM IR as it is, and load it."""
    return load(compile_image(text, opt_level, processor), {}, names)


def runtime_function(text: str, *names: str, opt_level: int = 3) -> Library:
    """The same for code of the runtime, which is the same in each process.

    Its object code is kept in the cache of the user.
    """
    image = None
    cache = open_cache()
    if cache is not None:
        with closing(cache):
            image = _kept_image(cache, text, opt_level)
    if image is None:
        image = compile_image(text, opt_level)
    return load(image, {}, names)


def _kept_image(cache: Cache, text: str, opt_level: int) -> bytes | None:
    code_generator = sources(__name__.partition(".")[0])
    if code_generator is None:
        return None
    processor = stamp_of(this_processor())
    what = ("runtime", code_generator, processor, opt_level, text)
    key = hashlib.sha256(repr(what).encode()).hexdigest()
    record = cache.find(key)
    if record is not None:
        return bytes(record.pieces[0])
    image = compile_image(text, opt_level)
    cache.keep(key, Record({"what": "a part of the runtime"}, [image]))
    return image


def stamp_of(processor: Processor) -> str:
    """What object code is for, and what has made it: it runs nowhere else for sure."""
    llvm = cast(Any, binding())
    version: Any = importlib.import_module("llvmlite").__version__
    asked = processor.triple, processor.cpu, processor.features
    return repr((*asked, version, llvm.llvm_version_info))


def load(image: bytes, imports: dict[str, int], exports: Iterable[str]) -> Library:
    """Load object code into this process.

    `imports` take precedence over the symbols of the process. Raises RuntimeError if
    a symbol is missing; LLVM's message does not say which.
    """
    llvm = cast(Any, binding())
    # Each library gets a JIT of its own, which is freed with it.
    jit = llvm.create_lljit_compiler(use_jit_link=False, suppress_errors=True)
    builder = llvm.JITLibraryBuilder().add_object_img(image).add_current_process()
    for name, address in imports.items():
        builder.import_symbol(name, address)
    for name in exports:
        builder.export_symbol(name)
    return cast(Library, builder.link(jit, "compiled"))


def load_for_good(image: bytes, exports: Iterable[str]) -> Library:
    """Load functions that stay loaded until the process ends.

    All such code has one JIT, so that a small function takes 50 kB instead of 165.
    """
    llvm = cast(Any, binding())
    builder = llvm.JITLibraryBuilder().add_object_img(image).add_current_process()
    for name in exports:
        builder.export_symbol(name)
    library = builder.link(_lasting_jit(), f"n{len(_LASTING)}")
    _LASTING.append(library)
    return library


_LASTING: Final[list[Library]] = []
"""Code that is never freed."""


@computed_once
def _lasting_jit() -> Any:
    return cast(Any, binding()).create_lljit_compiler(
        use_jit_link=False, suppress_errors=True
    )
