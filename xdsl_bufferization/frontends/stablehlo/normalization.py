"""`stablehlo.batch_norm_inference` as one structured op over all elements.

The numbers of each feature are read by indexing maps that repeat them.

Source: https://openxla.org/stablehlo/spec#batch_norm_inference
"""

from collections.abc import Sequence

from xdsl.dialects import math
from xdsl.dialects.builtin import FloatAttr

from xdsl_bufferization.dialects.stablehlo.other_words import BatchNormInferenceOp

from .element_builder import ElementBuilder
from .writer import Value, Values, Writer, result_type


def write_batch_norm(op: BatchNormInferenceOp, writer: Writer) -> Sequence[Value]:
    """The scale times (element - mean) / sqrt(variance + epsilon), and the offset."""
    type_ = result_type(op)
    whole, *features = (writer[value] for value in op.values)
    feature = op.integer("feature_index")
    repeated = [writer.of_view(each, (feature,), type_) for each in features]

    def body(code: ElementBuilder, arguments: Values) -> Values:
        x, scale, offset, mean, variance = arguments
        epsilon = code.attribute(FloatAttr(op.epsilon.value.data, type_.element_type))
        deviation = code.value(math.SqrtOp(code.add(variance, epsilon)))
        normal = code.divide(code.subtract(x, mean), deviation)
        return [code.add(code.multiply(scale, normal), offset)]

    (result,) = writer.elementwise([whole, *repeated], [type_], body)
    return [writer.of_tensor(result)]
