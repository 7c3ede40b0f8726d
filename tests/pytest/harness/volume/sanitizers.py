"""Random programs as objects in C, under valgrind, AddressSanitizer or ThreadSanitizer.

    export PYTHONPATH=tests/pytest
    python -m harness.volume.sanitizers --tool valgrind --count 500 --seed 0

Each program is built as `xbuf build` does. Many objects are linked with one `main`,
which calls each function with arrays that end where their memory ends, reads all
results, and frees them once. What is reported is run again alone, to name the program.

- `valgrind`: the code as it is. Also reports leaks, and branches on what nobody wrote.
- `asan`: LLVM instruments the optimised code.
- `tsan`: LLVM instruments the code before it is optimised. Loops have 8 threads, and 8
  threads call each function at once. Teams are those of `data/threads/runtime.c`.
  Programs are canonicalized first: as in MLIR, iterations may write at the same time to
  memory that nobody reads.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.transforms.canonicalize import CanonicalizePass

from harness.oracles.decisions import parse
from harness.oracles.tools import find_oracle
from harness.programs.random_parallel import ParallelShape, random_parallel_program
from harness.programs.random_programs import Shape, random_program
from harness.programs.random_rich_programs import RichShape, random_rich_program
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.codegen.targets.assembler import Code
from xdsl_bufferization.codegen.targets.header import c_functions, header, value_type
from xdsl_bufferization.codegen.targets.target import target_named
from xdsl_bufferization.frontends.default_pipelines import PLAIN_PIPELINE
from xdsl_bufferization.pipelines.build import build_module
from xdsl_bufferization.pipelines.compile import llvm_ir
from xdsl_bufferization.pipelines.signatures import public_functions, signatures_of
from xdsl_bufferization.support import abi
from xdsl_bufferization.tools.common.program import parse_passes, run_passes

TOOLS: Final = ("valgrind", "asan", "tsan")
REPORTED: Final = 66
"""The exit code of a program of which a tool has reported something."""

THREADS: Final = 8
CALLERS: Final = 8
AT_ONCE: Final = 25
"""So many programs are in one executable."""

TARGET: Final = "x86-64-v3"
"""Valgrind knows no more than AVX2."""

RUNTIME: Final = Path(__file__).parents[3] / "data" / "threads" / "runtime.c"
SIZES: Final = (8, 8, 4)
"""The sizes of the arguments of random programs, where those are dynamic."""

_SIMPLIFY: Final = "mem2reg,instcombine<no-verify-fixpoint>,simplifycfg"
PASSES: Final = {
    "asan": "asan",
    "tsan": f"function({_SIMPLIFY}),tsan-module,function(tsan)",
}
ATTRIBUTES: Final = {"asan": "sanitize_address", "tsan": "sanitize_thread"}
FLAGS: Final = {"asan": "address", "tsan": "thread"}


def sequential_text(seed: int) -> str:
    """A program with loops, branches and calls, of one kind in three."""
    match seed % 3:
        case 0:
            return random_program(seed, Shape(ops=8, calls=True))
        case 1:
            return random_rich_program(seed, RichShape(ops=6))
        case _:
            return random_parallel_program(seed, ParallelShape(ops=6, parallel=True))


def parallel_text(seed: int) -> str:
    """A program with parallel loops."""
    return random_parallel_program(
        seed, ParallelShape(ops=5, loops=0.5, parallel=True, calls=seed % 2 == 0)
    )


@dataclass(frozen=True)
class Built:
    """A program as C calls it."""

    number: int
    signature: abi.FunctionSignature
    header: str


Make = Callable[[int], str]
"""From the number of a program to its text."""


def check(numbers: Sequence[int], make: Make, tool: str) -> dict[int, str]:
    """What the tool reports, by the number of the program."""
    reports: dict[int, str] = {}
    for batch in _batches(numbers):
        if _run(batch, make, tool) is None:
            continue
        for number in batch:
            if (report := _run((number,), make, tool)) is not None:
                reports[number] = report
        if not reports:
            raise AssertionError(f"{batch}: only reported of all at once")
    return reports


def _batches(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    waiting = iter(numbers)
    while batch := tuple(islice(waiting, AT_ONCE)):
        yield batch


def _run(numbers: Sequence[int], make: Make, tool: str) -> str | None:
    with TemporaryDirectory(prefix="xbuf-") as name:
        directory = Path(name)
        built = [_build(number, make(number), tool, directory) for number in numbers]
        if tool in PASSES:
            _instrument(directory, tool)
        (directory / "main.c").write_text("\n".join(_main(built, tool)))
        return _report(_link(directory, tool), tool)


def _build(number: int, text: str, tool: str, directory: Path) -> Built:
    """Write the object of a program."""
    module = parse(re.sub(r"@main\b", f"@p{number}", text))
    if tool == "tsan":
        # Iterations may write to the same memory if nobody reads it: then none do.
        CanonicalizePass().apply(get_context(), module)
    run_passes(module, parse_passes(PLAIN_PIPELINE))
    for function in public_functions(module):
        if function.sym_name.data != f"p{number}":
            function.sym_visibility = StringAttr("private")
    (signature,) = signatures_of(module)
    stem = directory / f"p{number}"
    if tool == "valgrind":
        stem.with_suffix(".o").write_bytes(_optimized(module).object())
    else:
        _write_to_instrument(stem, module, tool)
    return Built(number, signature, header(stem.name, [signature]))


def _optimized(module: ModuleOp) -> Code:
    return build_module(module, target_named(TARGET), exports_plain_names=False).code


def _write_to_instrument(stem: Path, module: ModuleOp, tool: str) -> None:
    if tool == "tsan":
        text = llvm_ir(module, threads=THREADS)
    else:
        text = _optimized(module).llvm_ir()
    attribute = ATTRIBUTES[tool]
    lines = (_instrumented(line, attribute, stem.name) for line in text.splitlines())
    stem.with_suffix(".ll").write_text("\n".join(lines))


def _instrument(directory: Path, tool: str) -> None:
    """All programs of a folder in one object: tools take long to start."""
    linked, bitcode = directory / "linked.bc", directory / "all.bc"
    _must(find_oracle("llvm-link-22"), *sorted(directory.glob("*.ll")), "-o", linked)
    _must(find_oracle("opt-22"), f"-passes={PASSES[tool]}", linked, "-o", bitcode)
    llc = [find_oracle("llc-22"), "-relocation-model=pic", "-filetype=obj"]
    _must(*llc, bitcode, "-o", directory / "all.o")


_DEFINITION: Final = re.compile(r"define (?!internal|private)(.* )?@\"?([\w.]+)")


def _instrumented(line: str, attribute: str, name: str) -> str:
    """Only functions with the attribute are instrumented; others see only `name`."""
    if not line.startswith("define "):
        return line
    match = _DEFINITION.match(line)
    if match and match[2].removeprefix(abi.C_INTERFACE_PREFIX) != name:
        line = line.replace("define ", "define internal ", 1)
    if line.endswith("{"):
        return f"{line[:-1]}{attribute} {{"
    return f"{line} {attribute}"


def _link(directory: Path, tool: str) -> Path:
    program = directory / "program"
    objects = sorted(directory.glob("*.o"))
    sources = (
        [directory / "main.c", RUNTIME] if tool == "tsan" else [directory / "main.c"]
    )
    flags = [f"-fsanitize={FLAGS[tool]}"] if tool in FLAGS else []
    options = ["-g", "-O1", *flags, "-pthread"]
    _must(find_oracle("gcc"), *options, *sources, *objects, "-lm", "-o", program)
    return program


def _must(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{command[0]} failed: {done.stderr}")


def _report(program: Path, tool: str) -> str | None:
    """What a tool has to say about a program."""
    command: list[str | Path] = [program]
    if tool == "valgrind":
        command = [
            find_oracle("valgrind"),
            "--quiet",
            "--leak-check=full",
            "--errors-for-leak-kinds=definite",
            f"--error-exitcode={REPORTED}",
            program,
        ]
    done = _execute(command)
    if "unexpected memory mapping" in done.stderr:
        # Addresses are too random for the sanitizer of an older compiler.
        setarch = shutil.which("setarch")
        assert setarch is not None
        done = _execute([setarch, "-R", program])
    if done.returncode == 0:
        return None
    return f"exit code {done.returncode}\n{done.stderr}"


def _execute(command: Sequence[str | Path]) -> "subprocess.CompletedProcess[str]":
    options = f"exitcode={REPORTED}:halt_on_error=1"
    environment = {
        **os.environ,
        "ASAN_OPTIONS": f"{options}:detect_leaks=1",
        "LSAN_OPTIONS": f"exitcode={REPORTED}",
        "TSAN_OPTIONS": options,
    }
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        errors="replace",
    )


# The program in C.

_HELPERS: Final = """\
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static __thread volatile char sink;
static void read_all(const char *at, int rank, const int64_t *sizes,
                     const int64_t *strides, size_t width) {
  if (rank == 0) {
    for (size_t i = 0; i < width; i++) sink = at[i];
    return;
  }
  for (int64_t i = 0; i < sizes[0]; i++)
    read_all(at + i * strides[0] * (int64_t)width, rank - 1, sizes + 1, strides + 1,
             width);
}
static void release(void **owned, int count, void **given, int givens) {
  for (int i = 0; i < count; i++) {
    int is_own = owned[i] != NULL && owned[i] != (void *)0xDEADBEEF;
    for (int j = 0; j < givens; j++) is_own = is_own && owned[i] != given[j];
    for (int j = 0; j < i; j++) is_own = is_own && owned[i] != owned[j];
    if (is_own) free(owned[i]);
  }
  for (int j = 0; j < givens; j++) free(given[j]);
}
static float *floats(int64_t count) {
  float *numbers = malloc((size_t)count * sizeof(float));
  for (int64_t i = 0; i < count; i++) numbers[i] = (float)(i % 7) * 0.25f - 0.5f;
  return numbers;
}"""


def _main(built: Sequence[Built], tool: str) -> Iterator[str]:
    for each in built:
        yield each.header
    yield _HELPERS
    for each in built:
        yield from _caller(each)
    yield from _calls("call_all", built, (0, 1, 3))
    yield from _calls("call_some", built, (3,))
    yield "int main(void) {"
    yield "  call_all(NULL);"
    if tool == "tsan":
        yield f"  pthread_t callers[{CALLERS}];"
        loop = f"  for (int i = 0; i < {CALLERS}; i++)"
        yield f"{loop} pthread_create(&callers[i], NULL, call_some, NULL);"
        yield f"{loop} pthread_join(callers[i], NULL);"
    yield "  return 0;"
    yield "}"


def _calls(name: str, built: Sequence[Built], trips: Sequence[int]) -> Iterator[str]:
    yield f"__attribute__((unused)) static void *{name}(void *data) {{"
    for each in built:
        for trip, condition in product(trips, (0, 1)):
            yield f"  call{each.number}({trip}, {condition});"
    yield "  return data;"
    yield "}"


def _caller(built: Built) -> Iterator[str]:
    """A function in C that calls that of a program once."""
    (function,) = c_functions([built.signature])
    yield f"static void call{built.number}(int64_t trips, bool condition) {{"
    yield "  (void)trips; (void)condition;"
    buffers = 0
    passed: list[str] = []
    for number, each in enumerate(built.signature.arguments):
        if isinstance(each, abi.ScalarSignature):
            passed.append(_number(each))
            continue
        yield from _argument(number, each, SIZES[buffers % len(SIZES)])
        passed.append(f"&a{number}")
        buffers += 1
    if function.results is not None:
        yield f"  {function.results} result;"
        passed.insert(0, "&result")
    yield f"  {function.name}({', '.join(passed)});"
    owned: list[str] = []
    for place, each in _results(built.signature):
        if isinstance(each, abi.MemRefSignature):
            yield _read(place, each)
            owned.append(f"{place}.allocated")
    given = [f"a{name[2:]}.allocated" for name in passed if name.startswith("&a")]
    yield f"  void *owned[] = {{{', '.join([*owned, 'NULL'])}}};"
    yield f"  void *given[] = {{{', '.join([*given, 'NULL'])}}};"
    yield f"  release(owned, {len(owned)}, given, {len(given)});"
    yield "}"


def _number(scalar: abi.ScalarSignature) -> str:
    return {"index": "trips", "i1": "condition"}.get(scalar.element, "1")


def _argument(number: int, memref: abi.MemRefSignature, size: int) -> Iterator[str]:
    sizes = [size if each is None else each for each in memref.shape]
    strides = [1] * len(sizes)
    for axis in reversed(range(len(sizes) - 1)):
        strides[axis] = strides[axis + 1] * sizes[axis + 1]
    count = strides[0] * sizes[0] if sizes else 1
    assert memref.element == "f32"
    yield f"  float *m{number} = floats({count});"
    extents = [f"{{{', '.join(map(str, each))}}}" for each in (sizes, strides) if each]
    fields = ", ".join([f"m{number}", f"m{number}", "0", *extents])
    yield f"  {value_type(memref)} a{number} = {{{fields}}};"


def _results(
    signature: abi.FunctionSignature,
) -> Iterator[tuple[str, abi.ValueSignature]]:
    is_one = len(signature.results) == 1
    for number, each in enumerate(signature.results):
        yield ("result" if is_one else f"result.r{number}"), each


def _read(place: str, memref: abi.MemRefSignature) -> str:
    width = abi.ELEMENT_BYTES[memref.element]
    rank = len(memref.shape)
    extents = f"{place}.sizes, {place}.strides" if rank else "NULL, NULL"
    first = f"(char *)({place}.aligned + {place}.offset)"
    return f"  read_all({first}, {rank}, {extents}, {width});"


def main() -> None:
    """Check as many programs as asked for; the exit code says whether all are good."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", choices=TOOLS, default="valgrind")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    given = parser.parse_args()
    make = parallel_text if given.tool == "tsan" else sequential_text
    numbers = range(given.seed, given.seed + given.count)
    bad = 0
    for batch in _batches(numbers):
        for number, report in check(batch, make, given.tool).items():
            bad += 1
            sys.stdout.write(f"program {number}: {report}\n")
        sys.stdout.write(f"{given.tool}: {batch[-1] + 1 - given.seed} programs\n")
        sys.stdout.flush()
    sys.stdout.write(f"{given.tool}: {given.count} programs, {bad} reported\n")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
