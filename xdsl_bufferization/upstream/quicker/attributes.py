"""The class of an attribute is checked once.

    IntAttr(3)      // of a class that is one of data: checked
    IntAttr(4)      // of the same class

xDSL 0.74 checks of each attribute that its class is of one of two kinds. Both are
abstract base classes, of which Python takes long to tell.
"""

from collections.abc import Callable

from xdsl.ir import Attribute


def check_class_once(
    in_xdsl: Callable[[Attribute], None],
) -> Callable[[Attribute], None]:
    """`Attribute.__post_init__`, which verifies each attribute as ever."""
    checked: set[type[Attribute]] = set()

    def __post_init__(self: Attribute) -> None:  # noqa: N807, it takes the place of one
        if type(self) in checked:
            self._verify()  # pyright: ignore[reportPrivateUsage]
            return
        in_xdsl(self)
        checked.add(type(self))

    return __post_init__
