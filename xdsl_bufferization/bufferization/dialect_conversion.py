"""Bufferization by dialect conversion, for patterns of one's own.

See `docs/conversion.md`.

converter = BufferizeTypeConverter()
converter.add_conversion(TensorType, identity_layout_type)
patterns = populate_with_bufferize_op_conversion_patterns(converter)
apply_conversion(module, converter, patterns)
finalize_bufferization(module)
"""

from .conversion.bufferize_function_signatures import (
    bufferize_function_signatures,
    get_signature_converter,
)
from .conversion.conversion import apply_conversion
from .conversion.core_bufferization import bufferize_dialects
from .conversion.finalizing_bufferize import finalize_bufferization
from .conversion.result_sizes import FunctionResultSizes
from .conversion.signature_patterns import (
    BufferizeCallOpConverter,
    BufferizeFuncOpConverter,
    BufferizeReturnOpConverter,
    linalg_copy,
    populate_with_bufferize_op_conversion_patterns,
)
from .conversion.type_converter import BufferizeTypeConverter, ResultConversionKind
from .interfaces.layouts import identity_layout_type

__all__ = [
    "BufferizeCallOpConverter",
    "BufferizeFuncOpConverter",
    "BufferizeReturnOpConverter",
    "BufferizeTypeConverter",
    "FunctionResultSizes",
    "ResultConversionKind",
    "apply_conversion",
    "bufferize_dialects",
    "bufferize_function_signatures",
    "finalize_bufferization",
    "get_signature_converter",
    "identity_layout_type",
    "linalg_copy",
    "populate_with_bufferize_op_conversion_patterns",
]
