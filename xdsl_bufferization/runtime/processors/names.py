"""The processors of x86-64 that have names, and what code for each of them may use.

    features_of("x86-64-v3")   ->   {"avx2", "fma", "bmi", ...}
    features_of("znver4")      ->   these, and {"avx512f", "avx512bf16", "gfni", ...}

Names of processors and features are LLVM's. Levels such as x86-64-v3 are those of the
x86-64 psABI. Of the features, those are here that LLVM may use for any program, or that
our kernels ask for. A processor without the others runs the code all the same.

Source: X86TargetParser.cpp of LLVM 22.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Final

_AVX512: Final = "avx512f avx512cd avx512bw avx512dq avx512vl"
_ICELAKE: Final = (
    "avx512ifma avx512vbmi avx512vbmi2 avx512vnni avx512bitalg avx512vpopcntdq gfni"
)
_ARROWLAKE: Final = "avxifma avxneconvert avxvnniint8"
_TILES: Final = "amx-bf16 amx-int8 amx-tile"

_NAMES: Final[Mapping[str, tuple[str, str]]] = {
    "x86-64": ("", "cx8 fxsr mmx sse sse2"),
    "x86-64-v2": ("x86-64", "crc32 cx16 popcnt sahf sse3 sse4.1 sse4.2 ssse3"),
    "x86-64-v3": ("x86-64-v2", "avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave"),
    "x86-64-v4": ("x86-64-v3", _AVX512),
    "nehalem": ("x86-64-v2", ""),
    "westmere": ("nehalem", ""),
    "sandybridge": ("westmere", "avx xsave"),
    "ivybridge": ("sandybridge", "f16c"),
    "haswell": ("x86-64-v3", ""),
    "broadwell": ("haswell", "prfchw"),
    "skylake": ("broadwell", ""),
    "skylake-avx512": ("skylake", _AVX512),
    "cascadelake": ("skylake-avx512", "avx512vnni"),
    "cooperlake": ("cascadelake", "avx512bf16"),
    "cannonlake": ("skylake-avx512", "avx512ifma avx512vbmi"),
    "icelake-client": ("skylake-avx512", _ICELAKE),
    "icelake-server": ("icelake-client", ""),
    "rocketlake": ("icelake-client", ""),
    "tigerlake": ("icelake-client", ""),
    "sapphirerapids": ("icelake-server", f"avx512bf16 avx512fp16 avxvnni {_TILES}"),
    "emeraldrapids": ("sapphirerapids", ""),
    "graniterapids": ("sapphirerapids", "amx-fp16"),
    "alderlake": ("skylake", "avxvnni gfni"),
    "raptorlake": ("alderlake", ""),
    "meteorlake": ("alderlake", ""),
    "arrowlake": ("alderlake", _ARROWLAKE),
    "lunarlake": ("arrowlake", "avxvnniint16"),
    "silvermont": ("westmere", "movbe prfchw"),
    "goldmont": ("silvermont", "xsave"),
    "tremont": ("goldmont", "gfni"),
    "gracemont": ("alderlake", ""),
    "sierraforest": ("alderlake", _ARROWLAKE),
    "znver1": ("skylake", "sse4a"),
    "znver2": ("znver1", ""),
    "znver3": ("znver2", ""),
    "znver4": ("znver3", f"{_AVX512} {_ICELAKE} avx512bf16"),
    "znver5": ("znver4", "avxvnni"),
}
"""Each name with an older one, all features of which it has, and with further ones."""

NATIVE: Final = "native"
"""The processor that this process runs on."""

NAMES: Final = (NATIVE, *_NAMES)

_SHOWN: Final = (NATIVE, "x86-64-v2", "x86-64-v3", "x86-64-v4")
_LONGEST: Final = 60


@cache
def features_of(name: str) -> frozenset[str]:
    """What a processor of x86-64 has; `name` is one of `NAMES`, and not `NATIVE`."""
    older, further = _NAMES[name]
    own = frozenset[str](further.split())
    return own | features_of(older) if older else own


def problem_of(name: str) -> str | None:
    """What is wrong with a name, in one line; None for one of `NAMES`."""
    if name in NAMES:
        return None
    shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}..."
    near = get_close_matches(name[:_LONGEST].lower(), NAMES, 3)
    if near:
        return f"there is no processor '{shown}'; did you mean {' or '.join(near)}?"
    return (
        f"there is no processor '{shown}'; the names are {', '.join(_SHOWN)} and those "
        "of LLVM, such as haswell, skylake-avx512 and znver3"
    )
