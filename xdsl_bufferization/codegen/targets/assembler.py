"""Assembly text to an object, by the assembler that comes with a compiler driver.

AssembledCode(text, target).object()   ->   riscv64-linux-gnu-gcc -c program.s
"""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from xdsl_bufferization.runtime.errors import EngineError

from .linking import assemble
from .target import Target


class Code(Protocol):
    """Code for a target; each form may raise `EngineError`."""

    def object(self) -> bytes:
        """An object."""
        ...

    def assembly(self) -> str:
        """Text for the target's assembler."""
        ...

    def llvm_ir(self) -> str:
        """Text for LLVM's tools."""
        ...


@dataclass(frozen=True)
class AssembledCode:
    """Code that exists as assembly only."""

    text: str
    target: Target

    def object(self) -> bytes:
        """What the assembler makes of it."""
        with TemporaryDirectory(prefix="xbuf-") as name:
            source = Path(name) / "program.s"
            source.write_text(self.text)
            output = source.with_suffix(".o")
            assemble(self.target, source, output)
            return output.read_bytes()

    def assembly(self) -> str:
        """The text."""
        return self.text

    def llvm_ir(self) -> str:
        """There is none."""
        raise EngineError("xDSL's back end makes no LLVM IR; build .s, .o or .so")
