"""Functions that JAX's programs name and do not have, written into the program.

    %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0) {...} : (tensor<4x4xf32>) -> ...
    %2 = stablehlo.fft %1, type = FFT, length = [8] : ...

        ->   %1:2 = func.call @lapack_spotrf_ffi_0(%0), and a private function of loops

A function is made for the sizes of a call, and once for all calls of these sizes.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from xdsl.dialects.builtin import (
    ComplexType,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.dialects.stablehlo.control import CustomCallOp
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp
from xdsl_bufferization.dialects.stablehlo.transforms import FftOp
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

from .factorizations import can_write, factorization_text
from .writer import check_static

_LAPACK: Final = re.compile(r"lapack_(?P<type>[sdcz])(?P<function>\w+)_ffi")

_NAMES: Final = {
    "gees": "jax.scipy.linalg.schur",
    "geev": "jax.numpy.linalg.eig",
    "gehrd": "jax.scipy.linalg.hessenberg",
    "gesvd": "jax.numpy.linalg.svd",
    "heevd": "jax.numpy.linalg.eigh of complex numbers",
    "sytrd": "jax.lax.linalg.tridiagonal",
}
"""What of JAX calls a function that is not lowered."""

LAPACK_OPTIONS: Final = "mhlo.backend_config"
"""Where JAX has the options of a function of LAPACK."""


def write_library(module: ModuleOp) -> None:
    """Replace calls of functions that are known here by calls of new functions."""
    library = _Library(module)
    for op in ops_inside(module):
        if isinstance(op, FftOp):
            library.replace_transform(op)
        elif isinstance(op, CustomCallOp):
            library.replace_call(op)


class _Library:
    """The functions that are new in a module."""

    def __init__(self, module: ModuleOp):
        self._module = module
        self._taken = {op.sym_name.data for op in module.ops if isinstance(op, FuncOp)}
        self._made: dict[str, str] = {}
        """The name of each function, by its text with another name."""

    def replace_transform(self, op: FftOp) -> None:
        """Call a function of products with matrices."""
        # Most programs have no transforms, and do without NumPy.
        from .fourier import LONGEST_PRIME, largest_prime, transform_text

        check_static(op)
        lengths = op.ints("fft_length")
        for length in lengths:
            if largest_prime(length) > LONGEST_PRIME or not length:
                fail_at(
                    op,
                    f"a transform of {length} elements is not lowered: the number has "
                    f"the prime factor {largest_prime(length)}, and the largest that "
                    f"is lowered is below {LONGEST_PRIME}",
                )
        element = op.element()
        if isinstance(element, ComplexType):
            element = cast(Any, element).element_type
        kind, shape = str(op.fft_type.data), op.shape()
        text = transform_text("NAME", kind, lengths, shape, str(element))
        self._call(op, kind.lower(), text)

    def replace_call(self, op: CustomCallOp) -> None:
        """Call a function of loops in place of one of LAPACK; others are left."""
        target = op.call_target_name.data
        match = _LAPACK.fullmatch(target)
        if match is None:
            return
        check_static(op)
        function = match["function"]
        operands, results = (
            [str(value.type) for value in values] for values in (op.values, op.outputs)
        )
        options = _options_of(op)
        if match["type"] in "cz" or not can_write(function, options, operands, results):
            if function in _NAMES:
                fail_at(
                    op,
                    f"{_NAMES[function]} calls LAPACK's {match['type']}{function}, "
                    "which is not lowered; compute it in NumPy before or after",
                )
            return
        text = factorization_text("NAME", function, options, operands, results)
        self._call(op, target, text)

    def _call(self, op: StableHLOOp, title: str, text: str) -> None:
        name = self._made.get(text)
        if name is None:
            number = 0
            while f"{title}_{number}" in self._taken:
                number += 1
            name = self._made[text] = f"{title}_{number}"
            self._taken.add(name)
            self._module.body.block.add_op(_function(text, name))
        call = CallOp(name, [*op.values], [value.type for value in op.outputs])
        call.location = op.location
        Rewriter.replace_op(op, call)


def _function(text: str, name: str) -> FuncOp:
    (function,) = parse_module(text, name, get_context()).ops
    assert isinstance(function, FuncOp)
    function.detach()
    function.properties["sym_name"] = StringAttr(name)
    return function


def _options_of(op: Operation) -> Mapping[str, int]:
    given = op.attributes.get(LAPACK_OPTIONS)
    if not isinstance(given, DictionaryAttr):
        return {}
    return {
        name: value.value.data
        for name, value in given.data.items()
        if isinstance(value, IntegerAttr)
    }
