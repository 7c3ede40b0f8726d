"""What a `dense_resource` refers to: bytes that the file has at its end.

xDSL keeps them as text, for all programs of the process, in its `builtin` dialect.

    arith.constant dense_resource<weights> : tensor<2xf32>
    {-# dialect_resources: { builtin: { weights: "0x040000000000803F00000040" } } #-}
    ->  0000803F 00000040, and 4 is the alignment

Source: `AsmResourceBlob` in https://mlir.llvm.org/docs/LangRef/#external-resources
"""

from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import Builtin, DenseResourceAttr

from ..text.resources import ALIGNMENT_BYTES


def resource_bytes(attribute: DenseResourceAttr) -> bytes | None:
    """The elements as they lie in memory; None if the file has no such resource.

    Nobody has checked that these are as many bytes as the type says.
    """
    resources = Builtin.get_interface(OpAsmDialectInterface)
    blob = resources and resources.lookup(attribute.resource_handle.data)
    if not blob:
        return None
    return bytes.fromhex(blob.removeprefix("0x"))[ALIGNMENT_BYTES:]
