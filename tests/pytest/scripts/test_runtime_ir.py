"""The LLVM IR of the runtime is what clang makes of the C, and Python knows the C."""

import ctypes
import re
import subprocess
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from harness.oracles.tools import find_oracle
from runtime_ir import NAMES, RUNTIME, header, runtime_ir

from xdsl_bufferization.runtime import quick_call
from xdsl_bufferization.runtime.heap import HeapReport
from xdsl_bufferization.runtime.native_heap import FREED_BYTE, FRESH_BYTE, PROTOTYPES
from xdsl_bufferization.runtime.team import MASK_BYTES, VARIABLES
from xdsl_bufferization.support import abi

HEAP_C, TEAM_C, CALL_C = ((RUNTIME / f"{name}.c").read_text("utf-8") for name in NAMES)
HEAP_LL, TEAM_LL, CALL_LL = (
    (RUNTIME / f"{name}.ll").read_text("utf-8") for name in NAMES
)

CALLED_FROM_C = "heap", "team"
"""What `CALLER` has. The functions of `call.c` need a Python around them."""

C_TYPES = {"void": None, "ptr": ctypes.c_void_p, "i64": ctypes.c_int64}

CALLER = """\
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *xbuf_heap_new(void *, void *, void *, uint64_t poison, uint64_t most_held);
unsigned char *xbuf_heap_alloc(void *heap, uint64_t size);
void xbuf_heap_free(void *heap, void *pointer);
void xbuf_heap_report(void *heap, uint64_t *report);
void xbuf_heap_close(void **owner);
extern int64_t most_rounds;
void begin(void);
int64_t xbuf_take_iterations(int64_t *rest, int64_t count);
void xbuf_share_loop(void *function, void *data, int threads);
void pause_processor(void) {}

enum { COUNT = 100, LOOPS = 50, CALLERS = 3 };
static void *heap;

static void share(int64_t *data, int64_t number, int64_t shares, int64_t *rest) {
  for (int64_t i; (i = xbuf_take_iterations(rest, 1)) < COUNT; data[i] += i)
    xbuf_heap_free(heap, xbuf_heap_alloc(heap, 8));
}

static void *call(void *unused) {
  int64_t data[COUNT] = {0};
  for (int loop = 0; loop < LOOPS; loop++)
    xbuf_share_loop(share, data, 3);
  for (int64_t i = 0; i < COUNT; i++)
    if (data[i] != LOOPS * i)
      abort();
  return NULL;
}

static void share_loops(void) {
  pthread_t threads[CALLERS];
  begin();
  for (int i = 0; i < CALLERS; i++)
    pthread_create(&threads[i], NULL, call, NULL);
  for (int i = 0; i < CALLERS; i++)
    pthread_join(threads[i], NULL);
}

int main(int count, char **arguments) {
  most_rounds = atoi(arguments[1]);
  heap = xbuf_heap_new(malloc, aligned_alloc, free, 1, 64);
  share_loops();
  unsigned char *kept = xbuf_heap_alloc(heap, 16), *freed = xbuf_heap_alloc(heap, 32);
  printf("%d ", kept[15]);
  xbuf_heap_free(heap, freed);
  printf("%d ", freed[31]);
  xbuf_heap_free(heap, freed);
  xbuf_heap_free(heap, heap);
  uint64_t report[8];
  xbuf_heap_report(heap, report);
  for (int i = 0; i < 8; i++)
    printf(i == 3 ? "" : "%d ", (int)report[i]);
  void *books = heap;
  xbuf_heap_close(&heap);
  xbuf_heap_free(books, kept);
}
"""
"""Callers share loops and allocate; given `most_rounds`, 0 for workers that sleep."""

ALLOCS = 3 * 50 * 100 + 2
PRINTED = [FRESH_BYTE, FREED_BYTE, ALLOCS, ALLOCS - 1, 16, 1, 1, 0, 0]
"""What it prints: bytes of poison, and the counters but for the peak."""


@pytest.mark.parametrize("machine", ["x86_64", "aarch64", "riscv64"])
@pytest.mark.parametrize("name", NAMES)
def test_the_files_are_what_clang_makes_for_any_machine(name: str, machine: str):
    made = runtime_ir(name, machine, find_oracle("clang-22"))
    assert (RUNTIME / f"{name}.ll").read_text("utf-8") == made


@pytest.mark.parametrize("name", NAMES)
def test_the_c_has_not_changed_since(name: str):
    """Without clang, its digest alone says so."""
    assert (RUNTIME / f"{name}.ll").read_text("utf-8").startswith(header(name))


@pytest.mark.parametrize("text", [HEAP_LL, TEAM_LL, CALL_LL])
def test_nothing_is_of_one_machine(text: str):
    """No vectors, and no attributes, which are of a machine or a version of LLVM."""
    assert not re.search(r"<\d+ x |attributes|target |#\d|captures|lifetime", text)


def test_a_report_has_the_fields_of_the_counters():
    (body,) = re.findall(
        r"^struct counters \{(.*?)^\}", HEAP_C, re.MULTILINE | re.DOTALL
    )
    assert re.findall(r"uint64_t (\w+);", body) == [f.name for f in fields(HeapReport)]
    assert len(body.strip().splitlines()) == len(fields(HeapReport))


def test_bytes_of_poison_and_masks_are_those_of_python():
    defined = dict(re.findall(r"#define (\w+) (\w+)", HEAP_C + TEAM_C))
    assert int(defined["FRESH_BYTE"], 0) == FRESH_BYTE
    assert int(defined["FREED_BYTE"], 0) == FREED_BYTE
    assert int(defined["MASK_BYTES"], 0) == MASK_BYTES


def test_what_python_says_of_calls_is_what_the_c_says():
    defined = dict(re.findall(r"^#define (\w+) \(?(-?\w+)\)?", CALL_C, re.MULTILINE))
    assert int(defined["MOST_BUFFERS"]) == quick_call.MOST_BUFFERS
    assert int(defined["MOST_RANK"]) == quick_call.MOST_RANK
    assert int(defined["MOST_WORDS"]) == quick_call.MOST_WORDS
    assert int(defined["GLOBAL_POINTER"], 0) == abi.GLOBAL_ALLOCATED_POINTER
    assert int(defined["OPEN"]) == quick_call.OPEN
    assert int(defined["RETURNED"]) == quick_call.RETURNED


def test_python_calls_the_functions_of_the_heap_by_their_types():
    defined = re.findall(r"^define (\w+) @(xbuf_\w+)\((.*)\)", HEAP_LL, re.MULTILINE)
    types: dict[str, tuple[Any, ...]] = {
        name: tuple(C_TYPES[each] for each in (result, *re.findall(r"(\w+) %", rest)))
        for result, name, rest in defined
    }
    assert types.pop("xbuf_heap_close") == (None, ctypes.c_void_p)
    assert types == PROTOTYPES


def test_the_team_has_the_variables_that_python_sets():
    found = re.findall(r"^@(\w+) = global (?:i64|ptr) ", TEAM_LL, re.MULTILINE)
    assert sorted(found) == sorted(VARIABLES)


def run_caller(folder: Path, compiler: list[str], run: list[str]) -> None:
    """Compile `CALLER` with what the compiler is given, and look at what it prints."""
    (folder / "main.c").write_text(CALLER)
    command = [*compiler, "-pthread", "-o", "main", "main.c"]
    subprocess.check_call(command, cwd=folder)
    for most_rounds in "0", "1000":
        command = [*run, "./main", most_rounds]
        printed = subprocess.check_output(command, cwd=folder, text=True)
        assert list(map(int, printed.split())) == PRINTED


@pytest.mark.parametrize("machine", ["aarch64", "riscv64"])
def test_the_ir_works_on_other_machines(machine: str, tmp_path: Path):
    gcc, llc = find_oracle(f"{machine}-linux-gnu-gcc"), find_oracle("llc-22")
    emulator = find_oracle(f"qemu-{machine}")
    features = ["-mattr=+m,+a,+f,+d,+c"] if machine == "riscv64" else []
    for name in CALLED_FROM_C:
        command = [llc, f"-mtriple={machine}-linux-gnu", *features, "-filetype=obj"]
        source = RUNTIME / f"{name}.ll"
        subprocess.check_call([*command, "-o", tmp_path / f"{name}.o", source])
    objects = [f"{name}.o" for name in CALLED_FROM_C]
    run_caller(tmp_path, [gcc, "-static", *objects], [emulator])


@pytest.mark.parametrize("tool", ["thread", "address,undefined"])
def test_sanitizers_find_nothing_in_the_c(tool: str, tmp_path: Path):
    gcc = [find_oracle("gcc"), "-std=c11", "-O1", f"-fsanitize={tool}"]
    sources = [str(RUNTIME / f"{name}.c") for name in CALLED_FROM_C]
    run_caller(tmp_path, [*gcc, "-fno-sanitize-recover", *sources], [])
