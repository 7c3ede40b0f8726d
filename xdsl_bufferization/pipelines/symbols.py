r"""What functions and globals may be called in code, and what C may call.

    func.func @"a\0Ab"()        any text is a name in a program
    func.func @""()             no name for LLVM
    func.func @a.b()            a name for C, by a label for the assembler

A label is written into the assembly of whoever includes the header, so that it may hold
nothing but a name.
"""

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.escaping import ASSEMBLER_NAME

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
