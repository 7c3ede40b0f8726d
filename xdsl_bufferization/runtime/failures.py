"""How compiled code ends a call with an exception.

A call has a record: where to go on after a failure, what failed, and which allocations
are noted. The record of the call that a thread carries out is found through a key of
the thread. `setjmp` marks the place to go back to, and `longjmp` goes there: past all
functions of the program, which need no code of their own for this.

    function = ...guarded...            _xbuf_call_entry(record, arguments)
    number = record[NUMBER]             0, or the number of a `Failure`

A loop that threads share is carried out piece by piece, and each piece has a record in
the thread that carries it out. What fails there ends the piece, and is copied to the
record of the call. Pieces that begin afterwards do nothing. When all threads are back,
the call fails.

Allocations are noted where the code is compiled to do so: in a hash table with a lock,
for the whole call. After a failure the runtime frees what is noted.
"""

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.escaping import in_llvm_name
from xdsl_bufferization.support.locks import computed_once

from .addresses import address_of
from .errors import ProgramError, ProgramMemoryError
from .failure_code import BEGIN, END, KEY, SETJMP, STACK_KEY, failure_code
from .failure_kinds import FAILURE_FUNCTIONS, VALUES, Failure
from .failure_record import WORDS
from .llvm import Library, runtime_function

GUARDED_PREFIX: Final = "_xbuf_call_"
"""Prefix of the function that calls the `_mlir_ciface_` wrapper and may fail."""

NUMBER: Final = WORDS["number"]
"""The word of a record that has the number of what failed, or 0."""

FREE: Final = WORDS["free"]
"""The word of a record that has the address of the function which frees."""

_process: Final = ctypes.CDLL(None)

_LLVM_TYPES: Final = {
    "index": "i64",
    "bf16": "i16",
    "f16": "half",
    "f32": "float",
    "f64": "double",
}
"""The names of types in LLVM IR, where these are others.

The lowering makes i16 of bf16: its bits, which travel in other registers than floats.
"""


@computed_once
def failure_functions() -> Mapping[str, int]:
    """The address of each function for failures, for as long as the process lives."""
    key = ctypes.c_uint()
    stack_key = ctypes.c_uint()
    for each in (key, stack_key):
        if _process.pthread_key_create(ctypes.byref(each), None):
            raise OSError("there is no key left for data of threads")
    text = failure_code(has_stack=hasattr(_process, "pthread_getattr_np"))
    names = [*FAILURE_FUNCTIONS, BEGIN, END]
    library = runtime_function(text, *names, KEY, STACK_KEY)
    for name, each in ((KEY, key), (STACK_KEY, stack_key)):
        ctypes.c_uint.from_address(library[name]).value = each.value
    _keep.append(library)
    return {
        **{name: library[name] for name in names},
        SETJMP: address_of(_process["_setjmp"]),
    }


_keep: list[Library] = []
"""Code that stays loaded."""


def guarded_functions(signatures: Iterable[abi.FunctionSignature]) -> str:
    """LLVM IR of a function for each signature, which begins and ends a call."""
    guards = [_guarded_function(each) for each in signatures]
    return "\n".join([_DECLARATIONS, *guards])


_DECLARATIONS: Final = f"""
declare ptr @{BEGIN}(ptr)
declare void @{END}(ptr)
declare i32 @{SETJMP}(ptr) returns_twice
"""


def _guarded_function(signature: abi.FunctionSignature) -> str:
    types = [type_ for each in signature.arguments for type_ in _llvm_types(each)]
    returned = "void"
    if _returns_a_number(signature):
        (returned,) = _llvm_types(signature.returned[0])
    elif signature.returned:
        types.insert(0, "ptr")
    passed = ", ".join(f"{type_} %a{n}" for n, type_ in enumerate(types))
    taken = f"ptr %call, {passed}" if passed else "ptr %call"
    name = in_llvm_name(signature.name)
    result = "" if returned == "void" else "%result = "
    gives = "void" if returned == "void" else f"{returned} %result"
    gives_none = "void" if returned == "void" else f"{returned} zeroinitializer"
    # The program is not inlined: LLVM is careful in functions that call setjmp.
    return f"""
define {returned} @"{GUARDED_PREFIX}{name}"({taken}) {{
  %place = call ptr @{BEGIN}(ptr %call)
  %again = call i32 @{SETJMP}(ptr %place) returns_twice
  %failed = icmp ne i32 %again, 0
  br i1 %failed, label %back, label %run
run:
  {result}call {returned} @"{abi.C_INTERFACE_PREFIX}{name}"({passed}) noinline
  call void @{END}(ptr %call)
  ret {gives}
back:
  call void @{END}(ptr %call)
  ret {gives_none}
}}
"""


def _returns_a_number(signature: abi.FunctionSignature) -> bool:
    """Whether a function has one result, by value: a complex one is in memory."""
    if len(signature.returned) != 1:
        return False
    (result,) = signature.returned
    is_number = isinstance(result, abi.ScalarSignature)
    return is_number and result.element not in abi.COMPLEX_PARTS


def _llvm_types(signature: abi.ValueSignature) -> list[str]:
    """The types of what is passed for an argument, or of a result."""
    if isinstance(signature, abi.MemRefSignature):
        return ["ptr"]
    element = signature.element
    if element in abi.COMPLEX_PARTS:
        return [_LLVM_TYPES[abi.COMPLEX_PARTS[element]]] * 2
    return [_LLVM_TYPES.get(element, element)]


def exception_of(
    record: ctypes.Array[ctypes.c_int64], failures: Sequence[Failure]
) -> Exception:
    """The exception for what the record of a call says has failed."""
    number: int = record[NUMBER]
    values: list[int] = [record[WORDS["values"] + n] for n in range(VALUES)]
    failure = failures[number - 1]
    kind = ProgramMemoryError if failure.is_memory else ProgramError
    return kind(failure.place, failure.op, failure.text(values))
