"""How compiled code calls a kernel: by its address, which is what its handle is.

The invokes of `abi.py` take a buffer as a pointer and an offset in elements; kernels
take addresses. What is in between is generated once for each kind of kernel:

    xsmm_unary_invoke(data_type, handle, in, offset, out, offset)
      -> handle(in + offset * width, out + offset * width)
"""

from xdsl_bufferization.support import abi

from .emitter import I64, Emitter


def invoke_code(name: str, buffers: int, has_batch: bool) -> str:
    """LLVM IR of the invoke `name` for kernels on so many buffers."""
    code = Emitter(name, [I64] * (2 + 2 * buffers + has_batch))
    data_type, handle, *operands = code.arguments
    width = code.index(0)
    for element, number in abi.XSMM_DATA_TYPES.items():
        is_it = code.build.icmp_signed("==", data_type, code.index(number))
        size = code.index(abi.ELEMENT_BYTES[element])
        width = code.build.select(is_it, size, width)
    end = 2 * buffers
    addresses = [
        code.build.add(pointer, code.build.mul(offset, width))
        for pointer, offset in zip(operands[:end:2], operands[1:end:2], strict=True)
    ]
    code.call_address(handle, [*addresses, *operands[end:]])
    return code.finish()
