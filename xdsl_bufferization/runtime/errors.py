"""What can go wrong between a caller and compiled code."""


class ArgumentError(TypeError, ValueError):
    """An argument of a compiled function does not fit its signature."""

    function: str
    index: int
    """Position of the argument, from 0; -1 where their number is wrong."""

    name: str
    """Name of the argument in the program, or empty."""

    reason: str
    """What does not fit, without the name of the function and the argument."""

    def __init__(self, function: str, index: int, name: str, reason: str):
        self.function = function
        self.index = index
        self.name = name
        self.reason = reason
        super().__init__(f"{function}: {self._label()}{reason}")

    def _label(self) -> str:
        if self.index < 0:
            return ""
        name = f" (%{self.name})" if self.name else ""
        return f"argument {self.index}{name}: "


class MismatchError(ValueError):
    """A value does not fit the signature of one argument; says only the reason."""


class EngineError(RuntimeError):
    """LLVM IR could not be turned into a callable function."""


class FreedResultError(RuntimeError):
    """A function returned a buffer that it had already freed."""


class LostOutputWarning(RuntimeWarning):
    """A program printed, and `sys.stdout` did not take what it printed."""


class ProgramError(RuntimeError):
    """A program did what it must not do: a check failed while it ran.

    The message is one line, such as

        a.mlir:3:8: 'memref.load': index 7 is not in the 4 of dimension 0
    """

    place: str
    """`file:line:col` in the program; empty where the program has no places."""

    op: str
    """The name of the operation."""

    reason: str
    """What was found, without the place and the operation."""

    def __init__(self, place: str, op: str, reason: str):
        self.place = place
        self.op = op
        self.reason = reason
        super().__init__(_located(place, op, reason))


class ProgramMemoryError(MemoryError):
    """There is not the memory that an operation of a program needs."""

    place: str
    """As that of a `ProgramError`, and so are the others."""

    op: str
    reason: str

    def __init__(self, place: str, op: str, reason: str):
        self.place = place
        self.op = op
        self.reason = reason
        super().__init__(_located(place, op, reason))


def _located(place: str, op: str, reason: str) -> str:
    where = f"{place}: " if place else ""
    return f"{where}'{op}': {reason}"
