"""Write programs between passes, as mlir-opt does with -mlir-print-ir-after-all.

// -----// IR Dump After CanonicalizePass (canonicalize) //----- //
builtin.module {
}
"""

import sys
from argparse import Namespace
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_bufferization.dialects.printing import mlir_text


@dataclass
class Dumps:
    """Which programs are written to the standard error."""

    before_all: bool = False
    after_all: bool = False
    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    after_change: bool = False
    """Whether programs that a pass has left as they were are left out."""
    _old_text: str = field(default="", init=False)

    def write_before(self, each: ModulePass, module: ModuleOp) -> None:
        """Write the program before a pass, if that is asked for."""
        if self.after_change:
            self._old_text = mlir_text(module)
        if self.before_all or each.name in self.before:
            _write("Before", each, mlir_text(module))

    def write_after(self, each: ModulePass, module: ModuleOp) -> None:
        """Write the program after a pass, if that is asked for."""
        if not (self.after_all or self.after_change or each.name in self.after):
            return
        text = mlir_text(module)
        if not self.after_change or text != self._old_text:
            _write("After", each, text)


def dumps_of(given: Namespace) -> Dumps:
    """What the options of a command line ask for."""
    return Dumps(
        before_all=given.mlir_print_ir_before_all,
        after_all=given.mlir_print_ir_after_all,
        before=_names(given.mlir_print_ir_before),
        after=_names(given.mlir_print_ir_after),
        after_change=given.mlir_print_ir_after_change,
    )


def _names(text: str) -> frozenset[str]:
    return frozenset(name for name in text.split(",") if name)


def _write(when: str, each: ModulePass, text: str) -> None:
    heading = (
        f"// -----// IR Dump {when} {type(each).__name__} ({each.name}) //----- //"
    )
    sys.stderr.write(f"{heading}\n{text}\n\n")
