"""Code for a lesser processor than the one here: ours, and that of the peers.

    python benchmarks/products.py --cpu x86-64-v3

    add_cpu(parser)                    the option --cpu
    begin_again_for(args.cpu)          the same process once more, for that processor
    described("ONNX Runtime")          "ONNX Runtime (uses all there is)"

A library asks what the processor has when it is loaded. So the variables that tell it
otherwise have to be set before that. With a C compiler, on Linux, whoever asks gets the
answer that there is no AVX-512: see `lesser_processor.c`.
"""

import argparse
import ctypes
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.runtime.processors.names import NATIVE
from xdsl_bufferization.runtime.processors.processor import (
    VARIABLE,
    processor_named,
    this_processor,
)

_SSE, _AVX2, _AVX512 = range(3)

_VARIABLES: Final = {
    "ATEN_CPU_CAPABILITY": ("default", "avx2", "avx512"),
    "LIBXSMM_TARGET": ("wsm", "hsw", "skx"),
    "MKL_ENABLE_INSTRUCTIONS": ("SSE4_2", "AVX2", "AVX512"),
    "NUMBA_CPU_NAME": ("nehalem", "haswell", "skylake-avx512"),
    "ONEDNN_MAX_CPU_ISA": ("SSE41", "AVX2", "AVX512_CORE"),
    "OPENBLAS_CORETYPE": ("Nehalem", "Haswell", "SkylakeX"),
}
"""What tells a library to use no more than SSE 4.2, AVX2 or AVX-512."""

_XLA: Final = ("SSE4_2", "AVX2", "AVX512")
_NUMPY: Final = (("X86_V3", "X86_V4", "AVX", "FMA"), ("X86_V4", "AVX512"), ())
"""How features begin that NumPy is not to use."""

_ALL: Final = "uses all there is"
_PARTS: Final = {
    "inductor": "may use more: -march=native",
    "PyTorch compiled": "may use more: -march=native",
    "OpenVINO": "may use more outside of oneDNN",
    "ONNX Runtime": _ALL,
}
"""Peers whose code no variable keeps from using more, or not all of it."""

_ARCH_PRCTL: Final = 158
_ARCH_GET_CPUID: Final = 0x1011


def add_cpu(parser: argparse.ArgumentParser) -> None:
    """Add the option for `begin_again_for`."""
    parser.add_argument(
        "--cpu",
        default=os.environ.get(VARIABLE),
        help="use no more than this processor has, such as x86-64-v3; of peers as well",
    )


def begin_again_for(cpu: str | None) -> None:
    """Begin this process again for a processor, unless it is for that one already."""
    if cpu is None:
        return
    try:
        processor_named(cpu)
    except EngineError as error:
        sys.exit(f"--cpu: error: {error}")
    wanted = variables_of(cpu)
    if any(os.environ.get(name) != value for name, value in wanted.items()):
        environment = {**os.environ, **wanted}
        if _level_of(cpu) == _AVX2 and (library := _built()) is not None:
            environment["LD_PRELOAD"] = str(library)
        os.execve(sys.executable, [sys.executable, *sys.argv], environment)
    if cpu == NATIVE:
        return
    if _is_hidden():
        print(f"Code is for {cpu}, that of peers as well.")
    else:
        print(
            f"Code is for {cpu}; that of peers as far as their names say nothing else."
        )


def _built() -> Path | None:
    """The library of `lesser_processor.c`; None if there is no compiler for it."""
    compiler = shutil.which("cc")
    if compiler is None or not _is_linux_of_x86():
        return None
    library = Path(tempfile.mkdtemp()) / "lesser_processor.so"
    source = Path(__file__).with_suffix(".c")
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(source)]
    done = subprocess.run([*command, "-ldl"], capture_output=True, check=False)
    return None if done.returncode else library


def _is_linux_of_x86() -> bool:
    return sys.platform == "linux" and platform.machine() == "x86_64"


@cache
def _is_hidden() -> bool:
    """Whether this process and those that it starts find no AVX-512."""
    if not _is_linux_of_x86():
        return False
    return ctypes.CDLL(None).syscall(_ARCH_PRCTL, _ARCH_GET_CPUID, 0) == 0


def variables_of(cpu: str) -> dict[str, str]:
    """The environment of processes whose code is for a processor."""
    if cpu == NATIVE:
        return {VARIABLE: cpu}
    processor, level = processor_named(cpu), _level_of(cpu)
    features = ",".join(f"+{each}" for each in sorted(processor.has))
    given = os.environ.get("XLA_FLAGS", "").split()
    flags = [each for each in given if not each.startswith("--xla_cpu_max_isa")]
    return {
        VARIABLE: cpu,
        **{name: values[level] for name, values in _VARIABLES.items()},
        "NUMBA_CPU_FEATURES": features,
        "XLA_FLAGS": " ".join([*flags, f"--xla_cpu_max_isa={_XLA[level]}"]),
        "NPY_DISABLE_CPU_FEATURES": _features_of_numpy(level),
    }


def _level_of(cpu: str) -> int:
    lanes = processor_named(cpu).vector_unit.lanes
    return {8: _AVX2, 16: _AVX512}.get(lanes, _SSE)


def _features_of_numpy(level: int) -> str:
    known = os.environ.get("NPY_DISABLE_CPU_FEATURES")
    if known is not None:
        return known
    config: Any = np.show_config(mode="dicts")
    found = config["SIMD Extensions"].get("found", [])
    return " ".join(each for each in found if each.startswith(_NUMPY[level]))


def described(name: str) -> str:
    """The name of a peer for a table, and how far its code is for another processor."""
    is_limited = _is_hidden() or this_processor().name == NATIVE
    return name if is_limited or name not in _PARTS else f"{name} ({_PARTS[name]})"


def is_comparable(name: str) -> bool:
    """Whether the code of a peer is for the same processor as ours, on the whole."""
    is_limited = _is_hidden() or this_processor().name == NATIVE
    return is_limited or _PARTS.get(name) != _ALL
