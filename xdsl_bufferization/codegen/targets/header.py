"""The C header of an object: MLIR's descriptors, prototypes, and who frees what.

    FunctionSignature("f", (MemRefSignature("f32", (4, 8)), ...)  ->

    typedef struct { float *allocated; ... int64_t sizes[2]; ... } MemRef2D_f32;
    void _mlir_ciface_f(MemRef2D_f32 *result, MemRef2D_f32 *x);

Its source is MLIR's documentation "LLVM IR Target", section "C-compatible wrapper
emission". A name that C cannot spell gets one that it can, and an `__asm__` label.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.escaping import C_IDENTIFIER, in_c_comment, in_c_string

C_TYPES: Final = {
    "i1": "uint8_t",
    "i8": "int8_t",
    "i16": "int16_t",
    "i32": "int32_t",
    "i64": "int64_t",
    "index": "int64_t",
    "f16": "uint16_t",
    "bf16": "uint16_t",
    "f32": "float",
    "f64": "double",
    "complex<f32>": "float _Complex",
    "complex<f64>": "double _Complex",
}
"""What C calls each element type; half precision is passed as its bits."""

PARTS: Final = ("_re", "_im")
"""How the names of the two parameters end that a complex argument is passed as."""

WRITTEN_BY: Final = "/* Written by xbuf build;"
"""How every header begins."""

KEYWORDS: Final = (
    "alignas alignof and asm auto bool break case catch char class const continue "
    "default delete do double else enum export extern false float for friend goto if "
    "inline int long mutable namespace new not operator or private protected public "
    "register restrict return short signed sizeof static struct switch template this "
    "throw true try typedef typeof union unsigned using virtual void volatile while "
    "xor result"
)
"""What nothing may be called in C or C++; and `result`, which parameters are."""

_RULES: Final = """\

   A buffer is described by a struct: its first element is aligned[offset], and
   strides count elements. Each function takes pointers to such structs; it keeps
   neither the structs nor the buffers of its arguments, and never frees them.

   The buffer of a result belongs to the caller, who frees it by free(allocated),
   unless `allocated` is that of an argument, whose buffer it then is, or 0xdeadbeef,
   which marks a constant of the program. Two results may share a buffer, which is
   freed once.

   Elements of f16 and bf16 are given as their bits, and i1 as 0 or 1. A complex
   argument is passed as two numbers, the real part first; a complex result is written
   through a pointer. */
"""


@dataclass(frozen=True)
class CFunction:
    """How C calls one function."""

    name: str
    """What the header calls it."""

    symbol: str
    """What the object calls it."""

    arguments: tuple[tuple[str, str], ...]
    """Type and name of each."""

    result: str
    """The type of the result of the C function."""

    results: str | None
    """What the first argument points to: the only result, or a struct of all."""


Declare = Callable[[CFunction, abi.FunctionSignature], list[str]]
"""From a function as C sees it to the lines that declare it."""


def header(
    title: str,
    signatures: Sequence[abi.FunctionSignature],
    needed: Sequence[abi.FunctionSignature] = (),
    declare: Declare | None = None,
) -> str:
    """The header for functions of these signatures; `needed` are called by them."""
    declare = declare or prototype
    guard = "XBUF_" + re.sub(r"\W", "_", title, flags=re.ASCII).upper() + "_H"
    lines = [
        f"{WRITTEN_BY} how C calls the functions of {in_c_comment(title)}." + _RULES,
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "#include <stdint.h>",
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        *_structs([*signatures, *needed]),
    ]
    for signature, function in zip(signatures, c_functions(signatures), strict=True):
        lines += ["", _comment(signature, function)]
        lines += _results_struct(function, signature)
        lines += declare(function, signature)
    if needed:
        lines += ["", "/* The object needs these, which somebody else defines. */"]
    for signature, function in zip(needed, c_functions(needed), strict=True):
        lines += _results_struct(function, signature)
        lines += prototype(function, signature)
    lines += ["", "#ifdef __cplusplus", "}", "#endif", f"#endif /* {guard} */", ""]
    return "\n".join(lines)


def c_functions(signatures: Iterable[abi.FunctionSignature]) -> Iterator[CFunction]:
    """How C calls functions, none by the name of another."""
    taken: set[str] = set()
    for signature in signatures:
        symbol = abi.C_INTERFACE_PREFIX + signature.name
        name = _unique(re.sub(r"\W", "_", symbol, flags=re.ASCII), taken)
        arguments = tuple(zip(_types(signature), _names(signature), strict=True))
        result, results = "void", None
        match signature.results:
            case []:
                pass
            case [abi.ScalarSignature(element)] if element in abi.COMPLEX_PARTS:
                results = C_TYPES[element]
            case [abi.ScalarSignature(element)]:
                result = C_TYPES[element]
            case [abi.MemRefSignature() as memref]:
                results = struct_name(memref)
            case _:
                results = f"{name.removeprefix(abi.C_INTERFACE_PREFIX)}_results"
                if not C_IDENTIFIER.fullmatch(results):  # It begins with a digit.
                    results = f"_{results}"
        yield CFunction(name, symbol, arguments, result, results)


def struct_name(memref: abi.MemRefSignature) -> str:
    """The name of the struct that describes a buffer."""
    element = memref.element.replace("<", "_").removesuffix(">")
    return f"MemRef{len(memref.shape)}D_{element}"


def value_type(value: abi.ValueSignature) -> str:
    """The C type of an argument or a result by itself."""
    if isinstance(value, abi.MemRefSignature):
        return struct_name(value)
    return C_TYPES[value.element]


def _types(signature: abi.FunctionSignature) -> list[str]:
    return [
        value_type(each) + (" *" if isinstance(each, abi.MemRefSignature) else "")
        for each in signature.arguments
    ]


def _names(signature: abi.FunctionSignature) -> list[str]:
    taken: set[str] = set()
    return [
        _unique(
            each.name
            if C_IDENTIFIER.fullmatch(each.name) and each.name not in KEYWORDS.split()
            else f"arg{index}",
            taken,
            PARTS if _is_complex(each) else ("",),
        )
        for index, each in enumerate(signature.arguments)
    ]


def _is_complex(value: abi.ValueSignature) -> bool:
    """Whether this is a complex number by itself."""
    return isinstance(value, abi.ScalarSignature) and value.element in abi.COMPLEX_PARTS


def _unique(name: str, taken: set[str], endings: Sequence[str] = ("",)) -> str:
    """A name that nothing has with any of the endings."""
    while any(name + ending in taken for ending in endings):
        name += "_"
    taken.update(name + ending for ending in endings)
    return name


def _structs(signatures: Iterable[abi.FunctionSignature]) -> list[str]:
    lines: list[str] = []
    known: set[str] = set()
    for signature in signatures:
        for each in (*signature.arguments, *signature.results):
            if not isinstance(each, abi.MemRefSignature):
                continue
            if (name := struct_name(each)) not in known:
                known.add(name)
                lines += _struct(name, each)
    return lines


def _struct(name: str, memref: abi.MemRefSignature) -> list[str]:
    element, rank = C_TYPES[memref.element], len(memref.shape)
    guard = f"XBUF_{name.upper()}"
    extents = [f"  int64_t sizes[{rank}];", f"  int64_t strides[{rank}];"]
    return [
        "",
        f"#ifndef {guard} /* Headers of several objects may be included. */",
        f"#define {guard}",
        "typedef struct {",
        f"  {element} *allocated;",
        f"  {element} *aligned;",
        "  int64_t offset;",
        *(extents if rank else ()),
        f"}} {name};",
        "#endif",
    ]


def _comment(signature: abi.FunctionSignature, function: CFunction) -> str:
    written = [
        name
        for each, (_, name) in zip(signature.arguments, function.arguments, strict=True)
        if isinstance(each, abi.MemRefSignature) and each.written
    ]
    writes = f"; may write into {', '.join(written)}" if written else ""
    return f"/* {in_c_comment(str(signature))}{writes} */"


def prototype(function: CFunction, signature: abi.FunctionSignature) -> list[str]:
    """The declaration of a function on MLIR's descriptors."""
    parameters = _parameters(function)
    symbol = in_c_string(function.symbol)
    label = "" if function.name == function.symbol else f' __asm__("{symbol}")'
    head = f"{function.result} {function.name}("
    joined = ", ".join(parameters) or "void"
    if len(head + joined) > 80:
        joined = "\n    " + ",\n    ".join(parameters)
    return [f"{head}{joined}){label};"]


def parameters_of(function: CFunction) -> str:
    """What stands between the parentheses of a function on descriptors."""
    return ", ".join(_parameters(function)) or "void"


def _parameters(function: CFunction) -> list[str]:
    parameters: list[str] = []
    for type_, name in function.arguments:
        part = type_.removesuffix(" _Complex")
        endings = PARTS if part != type_ else ("",)
        parameters += [_declared(part, name + ending) for ending in endings]
    if function.results is not None:
        parameters.insert(0, f"{function.results} *result")
    return parameters


def _results_struct(function: CFunction, signature: abi.FunctionSignature) -> list[str]:
    """The struct of several results."""
    if function.results is None or len(signature.results) < 2:
        return []
    fields = [
        f"  {value_type(each)} r{index};"
        for index, each in enumerate(signature.results)
    ]
    return ["typedef struct {", *fields, f"}} {function.results};"]


def _declared(type_: str, name: str) -> str:
    return f"{type_}{name}" if type_.endswith("*") else f"{type_} {name}"
