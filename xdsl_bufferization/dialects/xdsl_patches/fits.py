"""Whether xDSL's own format of an op shows all that the op says.

    func.func private @f(tensor<4xf32> {test.a})     // xDSL prints no `test.a`

xDSL prints an op if it fits. All others are printed in MLIR's format.
"""

from collections.abc import Callable

from xdsl.dialects.builtin import AffineMapAttr, FunctionType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import VerifyException

from ..common.field_checks import verify_fields

HIDES_ATTRIBUTES = frozenset(
    {
        "affine.apply",
        "affine.load",
        "affine.min",
        "affine.store",
        "affine.vector_load",
        "affine.vector_store",
        "arith.cmpf",
        "arith.cmpi",
        "linalg.broadcast",
        "linalg.reduce",
        "linalg.transpose",
        "ml_program.global_load_const",
        "scf.reduce",
        "tensor.empty",
    }
)
"""Ops whose attributes xDSL 0.74 does not print, or not so that it reads them."""


def fits_xdsl(op: Operation) -> bool:
    """Whether xDSL's definition of `op` has its fields, and xDSL's format shows them.

    Traits are not asked: they are about the place of an op, not about its text.
    """
    if not isinstance(op, IRDLOperation):
        return True
    if op.attributes and op.name in HIDES_ATTRIBUTES:
        return False
    hides = _HIDES.get(op.name)
    if hides is not None and hides(op):
        return False
    try:
        verify_fields(op, type(op).get_irdl_definition())
    except VerifyException:
        return False
    return True


def _function_hides(op: Operation) -> bool:
    """Attributes of a declaration's types; that a function returns a function."""
    assert isinstance(op, FuncOp)
    results = op.function_type.outputs.data
    if len(results) == 1 and isinstance(results[0], FunctionType):
        return True
    has_attributes = op.arg_attrs is not None or op.res_attrs is not None
    return op.is_declaration and has_attributes


def _access_hides(op: Operation) -> bool:
    """Which subscripts are symbols."""
    map_ = op.properties.get("map")
    return isinstance(map_, AffineMapAttr) and map_.data.num_symbols > 0


def _matmul_hides(op: Operation) -> bool:
    """Maps that transpose or broadcast a factor."""
    assert isinstance(op, IRDLOperation)
    default = op.get_irdl_definition().properties["indexing_maps"].default_value
    return op.properties.get("indexing_maps", default) != default


_HIDES: dict[str, Callable[[Operation], bool]] = {
    FuncOp.name: _function_hides,
    "affine.load": _access_hides,
    "affine.store": _access_hides,
    "affine.vector_load": _access_hides,
    "affine.vector_store": _access_hides,
    "linalg.matmul": _matmul_hides,
}
