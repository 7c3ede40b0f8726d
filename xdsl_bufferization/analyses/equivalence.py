"""Classes of values that share a buffer element by element."""

from xdsl.ir import SSAValue


class EquivalenceClasses:
    """A partition of values; at first every value is on its own."""

    def __init__(self) -> None:
        self._parents: dict[SSAValue, SSAValue] = {}

    def find(self, value: SSAValue) -> SSAValue:
        """The value that stands for the class of `value`."""
        parents = self._parents
        while (parent := parents.get(value)) is not None:
            grandparent = parents.get(parent)
            if grandparent is None:
                return parent
            parents[value] = grandparent
            value = grandparent
        return value

    def unite(self, member: SSAValue, value: SSAValue) -> None:
        """Put `value` into the class of `member`."""
        root, other = self.find(member), self.find(value)
        if root is not other:
            self._parents[other] = root

    def are_equivalent(self, first: SSAValue, second: SSAValue) -> bool:
        """Whether two values are in one class."""
        return first is second or self.find(first) is self.find(second)
