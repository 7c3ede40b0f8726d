r"""What functions and globals may be called in code, and what C may call.

    func.func @"a\0Ab"()        any text is a name in a program
    func.func @""()             no name for LLVM
    func.func @a.b()            a name for C, by a label for the assembler

A label is written into the assembly of whoever includes the header, so that it may hold
nothing but a name.

    func.func @exp()            @program.exp in code, as `exp` is C's
"""

from collections.abc import Mapping
from typing import Final

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_bufferization.codegen.names_of_c import is_name_of_c
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.escaping import ASSEMBLER_NAME
from xdsl_bufferization.support.traversal import ops_inside

_OF_LLVM = "llvm."


def check_names(module: ModuleOp) -> None:
    """Raise `OperationError` at a symbol that LLVM has no name for."""
    for op in module.ops:
        name = op.get_attr_or_prop("sym_name")
        if not isinstance(name, StringAttr):
            continue
        if not name.data or "\0" in name.data:
            fail_at(op, "a name of compiled code is not empty and has no zero byte")
        is_defined = bool(op.regions and op.regions[0].blocks)
        if is_defined and name.data.startswith(_OF_LLVM):
            fail_at(op, f"names that begin with '{_OF_LLVM}' are LLVM's own; rename it")


def check_name_for_c(function: FuncOp) -> None:
    """Raise `OperationError` if neither C nor an assembler can name a function."""
    name = function.sym_name.data
    if not ASSEMBLER_NAME.fullmatch(name):
        fail_at(
            function,
            f"C cannot call @{name}: use letters, digits, '_', '.' and '$', or make "
            "the function private",
        )


def rename_apart_from_c(lowered: ModuleOp) -> dict[str, str]:
    """Rename what a program defines by a name of C; returns the new names and the old.

    The program is in the llvm dialect. LLVM takes a function `exp` for C's, whatever it
    computes. It calls `memcpy` where a buffer is copied, and gets the program's if
    there is one. Callers are not affected: they know the C wrappers.
    """
    names = [op.sym_name.data for op in lowered.ops if isinstance(op, _Named)]
    taken = set(names)
    renamed: dict[str, StringAttr] = {}
    for op in lowered.ops:
        if isinstance(op, _Named) and _is_defined_as_c(op):
            new = f"program.{op.sym_name.data}"
            while new in taken:
                new += "."
            taken.add(new)
            renamed[op.sym_name.data] = StringAttr(new)
    if renamed:
        for op in ops_inside(lowered):
            _rename_uses(op, renamed)
    return {new.data: old for old, new in renamed.items()}


_Named = llvm.FuncOp | llvm.GlobalOp

_OURS: Final = (abi.C_INTERFACE_PREFIX, "_xbuf_")
"""What wrappers begin with, and functions that the lowering writes."""


def _is_defined_as_c(op: _Named) -> bool:
    name = op.sym_name.data
    is_defined = bool(op.body.blocks)
    if isinstance(op, llvm.GlobalOp):
        is_defined |= op.value is not None or op.linkage.linkage.data != "external"
    return is_defined and not name.startswith(_OURS) and is_name_of_c(name)


def _rename_uses(op: Operation, renamed: Mapping[str, StringAttr]) -> None:
    if isinstance(op, _Named) and (new := renamed.get(op.sym_name.data)):
        op.sym_name = new
    for attributes in (op.properties, op.attributes):
        for key, value in attributes.items():
            if isinstance(value, SymbolRefAttr):
                new = renamed.get(value.root_reference.data)
                if new is not None:
                    attributes[key] = SymbolRefAttr(new, value.nested_references)
