"""The program that reads and prints ops by the text of their format.

assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"
"""

import inspect
from typing import Any

from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import FormatProgram

from .private_name import PrivateName

_VARIABLE = "assembly_program"


def _is_there() -> bool:
    # One op of xDSL that has a format.
    from xdsl.dialects.arith import AddiOp

    return _variable(AddiOp.parse) is not None


PROGRAM = PrivateName(
    "xdsl.irdl.operations",
    "IRDLOperation",
    f"parse.<locals>.{_VARIABLE}",
    reason="xDSL makes the program of a format, and keeps it as a variable of the "
    "methods `parse` and `print` that it adds to the class.",
    without="The program of a format is made again when the first op of a class is "
    "read or printed.",
    wish="A method of `OpDef` that returns the program of the format.",
    check=_is_there,
)


def format_program(op_type: type[IRDLOperation]) -> FormatProgram | None:
    """The program of a class; None if methods of another kind read or print its ops."""
    methods = op_type.parse, op_type.print
    if not all(method.__module__ == IRDLOperation.__module__ for method in methods):
        return None
    read, printed = map(_variable, methods)
    if read is not printed:
        return None
    if read is not None:
        return read
    fields = op_type.get_irdl_definition()
    if fields.assembly_format is None:
        return None
    return FormatProgram.from_str(fields.assembly_format, fields)


def _variable(method: Any) -> FormatProgram | None:
    """The program that a method reads or prints; None if the method keeps none."""
    function = getattr(method, "__func__", method)
    program = inspect.getclosurevars(function).nonlocals.get(_VARIABLE)
    return program if type(program) is FormatProgram else None
