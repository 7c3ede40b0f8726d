"""All arguments of a block are given to the block at once.

^bb0(%0: i32, %1: i32, ...):      # one tuple, not one for each argument
"""

# pyright: reportPrivateUsage=false

from typing_extensions import override
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Block, BlockArgument

from .private_name import PrivateName

BLOCK_ARGUMENTS = PrivateName(
    "xdsl.ir.core",
    "Block",
    "_args",
    reason="A block is known from branches to it before its arguments are read. The "
    "public way adds one argument after the other, which takes quadratic time.",
    without="The arguments are added one after the other.",
    wish="A method of `Block` that adds many arguments, such as `add_args(arguments)`.",
)


class NewArguments:
    """The arguments of a block that has none yet, made one after the other."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._arguments: list[BlockArgument] = []

    def add(self, type_: Attribute, location: LocationAttr) -> BlockArgument:
        """A new last argument."""
        argument = BlockArgument(type_, self._block, len(self._arguments), location)
        self._arguments.append(argument)
        return argument

    def finish(self) -> None:
        """Give the block its arguments."""
        self._block._args = tuple(self._arguments)


class SlowArguments(NewArguments):
    """The same by public names: the block has each argument when it is made."""

    @override
    def add(self, type_: Attribute, location: LocationAttr) -> BlockArgument:
        return self._block.insert_arg(type_, len(self._block.args), location)

    @override
    def finish(self) -> None:
        """Nothing is left to do."""


new_arguments: type[NewArguments]
new_arguments = NewArguments if BLOCK_ARGUMENTS.is_there() else SlowArguments
