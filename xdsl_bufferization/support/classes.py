"""Whether an object is of some classes, with the answer kept for each class.

    is_loop = of_classes(scf.ForOp, scf.ParallelOp)
    is_loop(op)

All classes of xDSL are abstract base classes, of which `isinstance` takes four times as
long, and for each of the classes that it is given. Passes ask it of all ops.
"""

from collections.abc import Callable
from types import UnionType


def of_classes(*classes: type[object] | UnionType) -> Callable[[object], bool]:
    """`isinstance` of these classes, for what is asked often."""
    known: dict[type[object], bool] = {}

    def is_one(given: object) -> bool:
        answer = known.get(type(given))
        if answer is None:
            answer = known[type(given)] = isinstance(given, classes)
        return answer

    return is_one
