"""Write `heap.ll`, `team.ll`, `call.ll`: what clang makes of the C beside them.

    python scripts/runtime_ir.py

The text is for any machine with 64-bit pointers, and for LLVM 19 and later. What clang
says of one machine is left out, and so are attributes, which differ between versions.
Needs clang 22.
"""

import hashlib
import re
import subprocess
from pathlib import Path
from typing import Final

CLANG: Final = "clang-22"
RUNTIME: Final = Path(__file__).parents[1] / "xdsl_bufferization" / "runtime"
NAMES: Final = ("heap", "team", "call")

FLAGS: Final = (
    *("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-S", "-emit-llvm"),
    # No header of a C library, and no rules for calls of `malloc` and `free`.
    *("-ffreestanding", "-fno-builtin"),
    # As little as possible that would let LLVM conclude what nobody has said.
    *("-fno-strict-overflow", "-fno-strict-aliasing", "-fno-finite-loops"),
    *("-fPIC", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"),
    # So that the text can be read beside the C.
    *("-fno-discard-value-names", "-finline-hint-functions"),
    *("-Xclang", "-disable-lifetime-markers", "-Xclang", "-no-enable-noundef-analysis"),
)

_LINES_LEFT_OUT: Final = re.compile(
    r"^(?:; ModuleID|source_filename|target |; Function Attrs|attributes |!).*\n",
    re.MULTILINE,
)

_WORDS_LEFT_OUT: Final = re.compile(
    r" (?:local_unnamed_addr|unnamed_addr|#\d+"
    r"|noundef|nonnull|noalias|readonly|writeonly|immarg|signext|zeroext"
    r"|dereferenceable\(\d+\)|captures\([^)]*\)|range\([^)]*\)"
    r"|initializes\((?:\([^)]*\)(?:, )?)+\))(?=[ ,)]|$)"
    r"|, !llvm\.loop !\d+| +; preds = .*",
    re.MULTILINE,
)


def main() -> None:
    """Write the files."""
    for name in NAMES:
        (RUNTIME / f"{name}.ll").write_text(runtime_ir(name), "utf-8")


def runtime_ir(name: str, machine: str = "x86_64", clang: str = CLANG) -> str:
    """The LLVM IR of a file, which is the same whatever the machine."""
    command = [clang, f"--target={machine}-linux-gnu", *FLAGS, "-o", "-", f"{name}.c"]
    text = subprocess.check_output(command, cwd=RUNTIME, text=True)
    text = _WORDS_LEFT_OUT.sub("", _LINES_LEFT_OUT.sub("", text))
    return f"{header(name)}\n{text.strip()}\n"


def header(name: str) -> str:
    """The comment at the top, which tells whether the C has changed since."""
    digest = hashlib.sha256((RUNTIME / f"{name}.c").read_bytes()).hexdigest()
    return f"; Made of `{name}.c` by `make runtime-ir`; change that file.\n; {digest}\n"


if __name__ == "__main__":
    main()
