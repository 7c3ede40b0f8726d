"""Arrays as descriptors: what fits, what does not, and what the message says."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from xdsl_bufferization.runtime.descriptor import MemRefCodec
from xdsl_bufferization.runtime.errors import EngineError, MismatchError
from xdsl_bufferization.support.abi import MemRefSignature, StridedLayout

DYNAMIC_1D = StridedLayout((None,), None)
DYNAMIC_2D = StridedLayout((None, None), None)


class Tensor:
    """Another library's tensor: all that it offers is DLPack."""

    def __init__(self, array: np.ndarray[Any, Any]):
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


class DeviceTensor:
    """A tensor that cannot be reached from here."""

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("it lives on another device")

    def __dlpack_device__(self) -> Any:
        return (2, 0)


def pack(signature: MemRefSignature, value: object) -> list[int]:
    return MemRefCodec(signature).pack(value)[1]


def address(array: np.ndarray[Any, Any]) -> int:
    return array.__array_interface__["data"][0]


def mismatch(signature: MemRefSignature, value: object) -> str:
    with pytest.raises(MismatchError) as error:
        MemRefCodec(signature).pack(value)
    return str(error.value)


def test_descriptor_of_a_matrix():
    x = np.zeros((4, 8), np.float32)
    a = address(x)
    assert pack(MemRefSignature("f32", (4, 8)), x) == [a, a, 0, 4, 8, 8, 1]
    assert pack(MemRefSignature("f32", (None, 8)), x) == [a, a, 0, 4, 8, 8, 1]


def test_rank_0():
    x = np.zeros((), np.int64)
    a = address(x)
    assert pack(MemRefSignature("index", ()), x) == [a, a, 0]


def test_zero_size():
    x = np.zeros((3, 0, 2), np.float64)
    a = address(x)
    expected = [a, a, 0, 3, 0, 2, 0, 2, 1]
    assert pack(MemRefSignature("f64", (3, None, 2)), x) == expected


def test_wrong_shape_rank_and_dtype():
    signature = MemRefSignature("f32", (256, 128))
    x = np.zeros(3)
    expected = "expected f32[256x128], got float64 array of shape (3,)"
    assert mismatch(signature, x) == expected
    assert "shape (256, 64)" in mismatch(signature, np.zeros((256, 64), np.float32))
    assert "got int32 array" in mismatch(signature, np.zeros((256, 128), np.int32))
    rank = MemRefSignature("f32", (None, None))
    assert "f32[?x?], got float32 array of shape (3,)" in mismatch(
        rank, x.astype(np.float32)
    )


def test_non_native_byte_order():
    x = np.zeros(2, np.dtype(np.float32).newbyteorder())
    message = mismatch(MemRefSignature("f32", (2,)), x)
    assert "got float32 array of non-native byte order" in message


def test_unsigned_integers_have_the_same_bits():
    x = np.array([255], np.uint8)
    assert pack(MemRefSignature("i8", (1,)), x)[0] == address(x)
    assert "uint8" in mismatch(MemRefSignature("i1", (1,)), x)


def test_identity_layout_wants_row_major():
    signature = MemRefSignature("f32", (None, None))
    x = np.zeros((4, 4), np.float32)
    assert "contiguous in row-major order" in mismatch(signature, x.T)
    assert "contiguous in row-major order" in mismatch(signature, x[:, ::2])
    assert "contiguous in row-major order" in mismatch(signature, x[::-1])


def test_strides_that_do_not_matter():
    """NumPy leaves any stride on a dimension of extent 1."""
    x = as_strided(np.zeros(4, np.float32), (1, 4), (12345, 4))
    signature = MemRefSignature("f32", (None, 4))
    assert pack(signature, x)[-2:] == [4, 1]
    row = MemRefSignature("f32", (1, 4), StridedLayout((4, 1)))
    assert pack(row, x)[-2:] == [4, 1]


def test_strided_layout_takes_views():
    x = np.zeros((4, 6), np.float32)
    signature = MemRefSignature("f32", (None, None), DYNAMIC_2D)
    a = address(x)
    assert pack(signature, x.T) == [a, a, 0, 6, 4, 1, 6]
    assert pack(signature, x[1:, ::2])[3:] == [3, 3, 6, 2]
    flipped = x[::-1]
    assert pack(signature, flipped) == [a + 72, a + 72, 0, 4, 6, -6, 1]


def test_static_strides_are_checked():
    x = np.zeros((4, 6), np.float32)
    layout = StridedLayout((None, 1), None)
    signature = MemRefSignature("f32", (None, None), layout)
    assert pack(signature, x[:, 2:4])[3:] == [4, 2, 6, 1]
    message = mismatch(signature, x[:, ::2])
    assert "f32[?x?, strided<[?, 1], offset: ?>]" in message
    assert "strides of (24, 8) bytes" in message


def test_a_static_offset_still_addresses_the_array():
    """The code adds the offset of the type to the aligned pointer."""
    x = np.zeros(4, np.float32)
    signature = MemRefSignature("f32", (4,), StridedLayout((1,), 3))
    allocated, aligned, offset, *_ = pack(signature, x)
    assert allocated == address(x)
    assert aligned + 4 * offset == address(x)
    assert offset == 3


def test_stride_that_is_no_multiple_of_the_element():
    records = np.zeros(3, np.dtype([("a", "f4"), ("b", "i1")]))
    message = mismatch(MemRefSignature("f32", (3,), DYNAMIC_1D), records["a"])
    assert "strides of (5,) bytes over elements of 4" in message


def test_unaligned_memory():
    x = np.zeros(9, np.uint8)[1:].view(np.float32)
    message = mismatch(MemRefSignature("f32", (2,)), x)
    assert "not aligned to its 4-byte elements" in message


def test_read_only_arrays_pass_where_nothing_is_written():
    x = np.zeros(2, np.float32)
    x.flags.writeable = False
    assert "read-only" in mismatch(MemRefSignature("f32", (2,)), x)
    assert pack(MemRefSignature("f32", (2,), written=False), x)[0] == address(x)


def test_broadcast_array_may_be_read():
    x = np.broadcast_to(np.float32(1), (2, 3))
    signature = MemRefSignature("f32", (2, 3), DYNAMIC_2D, written=False)
    assert pack(signature, x)[-2:] == [0, 0]


def test_dlpack_shares_the_memory():
    x = np.zeros((2, 3), np.float32)
    array, words = MemRefCodec(MemRefSignature("f32", (2, 3))).pack(Tensor(x))
    assert words[0] == address(x)
    array[0, 0] = 7
    assert x[0, 0] == 7


def test_dlpack_that_refuses():
    message = mismatch(MemRefSignature("f32", (2,)), DeviceTensor())
    assert message.startswith("DeviceTensor did not export its memory through DLPack")


def test_what_is_no_array():
    signature = MemRefSignature("f32", (2,))
    assert "got list" in mismatch(signature, [1.0, 2.0])
    assert "masked" in mismatch(signature, np.ma.masked_array([1, 2]))


def test_unsupported_element():
    with pytest.raises(EngineError, match="type f128 cannot be exchanged with NumPy"):
        MemRefCodec(MemRefSignature("f128", (2,)))


@pytest.mark.parametrize(
    "x",
    [
        np.arange(12, dtype=np.float32).reshape(3, 4),
        np.arange(12, dtype=np.float32).reshape(3, 4).T,
        np.arange(12, dtype=np.float32).reshape(3, 4)[::-1, ::2],
        np.broadcast_to(np.float32(5), (2, 2)),
        np.zeros((2, 0), np.float32),
    ],
)
def test_out_again(x: np.ndarray[Any, Any]):
    codec = MemRefCodec(MemRefSignature("f32", (None, None), DYNAMIC_2D, written=False))
    owner = object()
    result = codec.unpack(codec.pack(x)[1], owner)
    np.testing.assert_array_equal(result, x)
    assert result.dtype == x.dtype
    assert not x.size or result.strides == x.strides


def test_rank_0_out_again():
    x = np.array(3.5)
    codec = MemRefCodec(MemRefSignature("f64", ()))
    result = codec.unpack(codec.pack(x)[1], None)
    assert result.shape == () and result[()] == 3.5


def test_read_only_result():
    x = np.zeros(2, np.float32)
    codec = MemRefCodec(MemRefSignature("f32", (2,)))
    result = codec.unpack(codec.pack(x)[1], x, writeable=False)
    with pytest.raises(ValueError, match="read-only"):
        result[0] = 1


def test_descriptors_do_not_load_llvmlite():
    program = (
        "import sys, xdsl_bufferization.runtime.descriptor as d; "
        "sys.exit('llvmlite' in sys.modules or 'xdsl' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
