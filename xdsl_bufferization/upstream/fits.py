"""Whether an op has only what xDSL's own definition of it can show."""

from dataclasses import replace
from functools import cache

from xdsl.ir import Operation, OpTraits
from xdsl.irdl import IRDLOperation, OpDef
from xdsl.utils.exceptions import VerifyException


def fits_xdsl(op: Operation) -> bool:
    """Whether the fields of `op` are those of xDSL's definition.

    Traits are not asked: they are about the place of an op, not about its text.
    """
    if not isinstance(op, IRDLOperation):
        return True
    try:
        _fields(type(op)).verify(op)
    except VerifyException:
        return False
    return True


@cache
def _fields(op_type: type[IRDLOperation]) -> OpDef:
    return replace(op_type.get_irdl_definition(), traits=OpTraits(lambda: ()))
