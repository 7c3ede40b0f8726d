"""An installed LIBXSMM as a source of kernels, through `libxsmm_shim.c`.

    make libxsmm-shim        # once; needs a C compiler and LIBXSMM's headers
    xbuf run mlp.mlir --xsmm libxsmm

LIBXSMM's kernels take their operands in another order and some by address: around each
goes a function with the parameters of ours. What LIBXSMM has no kernel for, for this
version and processor, is left to the caller.

    gemm, brgemm             f32; bf16 with pairs of rows of B
    fused_brgemm             the same, followed by generated kernels for bias and relu
    unary identity           without repetition
    unary transpose
"""

import ctypes
import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from xdsl_bufferization.support import abi

from .errors import EngineError
from .kernels.emitter import I32, I64, Emitter, Value
from .processors.names import NATIVE
from .processors.processor import Processor

SHIM_VARIABLE: Final = "XBUF_LIBXSMM_SHIM"
"""The environment variable with the path of the shim, if it is elsewhere."""

_INTERFACE: Final = 2
"""The version of the interface of the shim."""

_PARAMETERS: Final = {
    "xbuf_libxsmm_brgemm": 10,
    "xbuf_libxsmm_copy": 5,
    "xbuf_libxsmm_transpose": 5,
}

_TARGETS: Final = (
    ("avx512bf16", "cpx"),
    ("avx512vnni", "clx"),
    ("avx512vl", "skx"),
    ("avx2", "hsw"),
    ("avx", "snb"),
    ("sse4.2", "wsm"),
)
"""What a processor must have for what LIBXSMM calls a target, the best first."""

_SHIM_TYPES: Final = (abi.XSMM_DATA_TYPES["f32"], abi.XSMM_DATA_TYPES["bf16"])
"""The types whose sizes the shim knows."""

_PLAIN_FUSED: Final = frozenset(("none", "add", "relu"))

Request = Callable[[str, Sequence[int]], int]
"""From the name of an invoke and a description, the address of a generated kernel."""


class Libxsmm:
    """The kernels of LIBXSMM, by the functions of the shim."""

    def __init__(self, shim: Path):
        try:
            library = ctypes.CDLL(str(shim))
            interface = library.xbuf_libxsmm_interface
        except (OSError, AttributeError) as error:
            raise EngineError(
                f"{shim} cannot be loaded as the LIBXSMM shim ({error}); build it anew "
                "with `make libxsmm-shim`"
            ) from error
        if interface() != _INTERFACE:
            raise EngineError(
                f"{shim} has version {interface()} of the LIBXSMM shim's interface, "
                f"not {_INTERFACE}; build it anew with `make libxsmm-shim`"
            )
        self._functions = {
            name: ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * count)(
                (name, library)
            )
            for name, count in _PARAMETERS.items()
        }
        self._set_target = library.xbuf_libxsmm_set_target
        self._set_target.argtypes = (ctypes.c_char_p,)
        self._target: str | None = None
        version = library.xbuf_libxsmm_version
        version.restype = ctypes.c_int64
        major, rest = divmod(version(), 1_000_000)
        self.version: Final = f"{major}.{rest // 1000}.{rest % 1000}"

    def generate_for(self, processor: Processor) -> None:
        """Have all kernels be for a processor; for the one here, LIBXSMM decides.

        LIBXSMM keeps a kernel under its sizes alone. Raises `EngineError` if there may
        be kernels for another processor.
        """
        if self._target is None:
            self._target = processor.name
            if processor.name != NATIVE:
                self._set_target(_target_of(processor).encode())
        elif self._target != processor.name:
            raise EngineError(
                f"LIBXSMM makes kernels for {self._target} in this process, so that it "
                f"cannot make any for {processor.name}; begin another process"
            )

    def code(
        self, invoke: str, description: Sequence[int], request: Request
    ) -> str | None:
        """LLVM IR of a kernel that the function `invoke` calls; None without one.

        `description` is what `abi.py` lists for the dispatch; `request` gives the
        kernels that a fused one needs beside LIBXSMM's.
        """
        match invoke:
            case abi.XSMM_GEMM_INVOKE:
                *sizes, flags = description
                return self._product((*sizes, 0, 0, flags), has_batch=False)
            case abi.XSMM_BRGEMM_INVOKE:
                return self._product(description)
            case abi.XSMM_FUSED_BRGEMM_INVOKE:
                return self._fused(description, request)
            case abi.XSMM_UNARY_INVOKE:
                return self._unary(description)
            case _:
                return None

    def _product(
        self, description: Sequence[int], *, has_batch: bool = True
    ) -> str | None:
        address = self._address("brgemm", description)
        if not address:
            return None
        code = Emitter(abi.KERNEL, [I64] * (3 + has_batch))
        _call_product(code, address)
        return code.finish()

    def _fused(self, description: Sequence[int], request: Request) -> str | None:
        *product, _, unary, flags, binary, ldd = description
        activation = _name_of(unary, abi.XSMM_UNARY_KINDS)
        combination = _name_of(binary, abi.XSMM_BINARY_KINDS)
        if not {activation, combination} <= _PLAIN_FUSED:
            return None
        address = self._address("brgemm", product)
        if not address:
            return None
        data_type, m, n, _, _, _, ldc, *_ = product
        code = Emitter(abi.KERNEL, [I64] * 5)
        a, b, c, d, batch = code.arguments
        _call_product(code, address, (a, b, c, batch))
        if combination == "add":
            # Flags of the bias, the first operand, are those of the fused kernel.
            add = (binary, data_type, m, n, ldd, ldc, ldc, flags)
            handle = request(abi.XSMM_BINARY_INVOKE, add)
            code.call_address(code.index(handle), [d, c, c])
        if activation == "relu":
            relu = (unary, data_type, m, n, ldc, ldc, 0)
            handle = request(abi.XSMM_UNARY_INVOKE, relu)
            code.call_address(code.index(handle), [c, c])
        return code.finish()

    def _unary(self, description: Sequence[int]) -> str | None:
        kind, data_type, m, n, ldi, ldo, flags = description
        names = {"identity": "copy", "transpose": "transpose"}
        name = names.get(_name_of(kind, abi.XSMM_UNARY_KINDS))
        if name is None or flags or data_type not in _SHIM_TYPES:
            return None
        address = self._address(name, (data_type, m, n, ldi, ldo))
        if not address:
            return None
        code = Emitter(abi.KERNEL, [I64] * 2)
        source, target = code.arguments
        leading = [code.in_memory(code.constant(I32, each)) for each in (ldi, ldo)]
        operands = [source, leading[0], target, leading[1]]
        code.call_address(code.index(address), operands)
        return code.finish()

    def _address(self, name: str, words: Sequence[int]) -> int:
        return self._functions[f"xbuf_libxsmm_{name}"](*words)


def _call_product(
    code: Emitter, address: int, operands: Sequence[Value] | None = None
) -> None:
    a, b, c, *batch = code.arguments if operands is None else operands
    count = code.in_memory(batch[0] if batch else code.index(1))
    code.call_address(code.index(address), [b, a, c, count])


def _name_of(number: int, numbers: dict[str, int]) -> str:
    return next(name for name, each in numbers.items() if each == number)


def _target_of(processor: Processor) -> str:
    """LIBXSMM's name of what a processor has."""
    for feature, target in _TARGETS:
        if feature in processor.has:
            return target
    return "generic"


def libxsmm_for(processor: Processor) -> Libxsmm:
    """`installed_libxsmm`, with kernels for a processor; raises `EngineError`."""
    libxsmm = installed_libxsmm()
    libxsmm.generate_for(processor)
    return libxsmm


@cache
def installed_libxsmm() -> Libxsmm:
    """LIBXSMM through the shim of this installation.

    Raises `EngineError` if there is no shim, and says how to get it.
    """
    given: Any = os.environ.get(SHIM_VARIABLE)
    beside = Path(__file__).with_name("libxsmm_shim.so")
    shim = Path(given).expanduser() if given else beside
    if not shim.exists():
        raise EngineError(
            f"the kernels of LIBXSMM need {shim}, which is not there: run `make "
            "libxsmm-shim` (it needs a C compiler and LIBXSMM, Debian's libxsmm-dev), "
            f"or set {SHIM_VARIABLE} to the path of the shim"
        )
    return Libxsmm(shim)
