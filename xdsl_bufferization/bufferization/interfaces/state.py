"""What a model may ask, and what it may do: the two abstract states.

While ops are analysed a model sees an `AnalysisState`, while they are rewritten a
`BufferizationState`. Models depend on these classes and on nothing behind them.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import NamedTuple

from typing_extensions import TypeIs
from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Block, Operation, SSAValue

from .one_buffer import operands_of_one_buffer
from .operands import OpOperand
from .options import BufferizationOptions

BufferType = MemRefType | UnrankedMemRefType
"""The types that tensors bufferize to."""


def is_buffer_type(type_: object) -> TypeIs[BufferType]:
    """Whether tensors bufferize to this; a fraction of the time that `isa` takes."""
    return isinstance(type_, MemRefType | UnrankedMemRefType)


class BufferRelation(Enum):
    """How the buffers of two aliasing values relate, if they do alias."""

    UNKNOWN = auto()
    """They may overlap in any way."""

    EQUIVALENT = auto()
    """They are the same buffer, element by element."""


class AliasingValue(NamedTuple):
    """A value whose buffer may be that of an operand, were that operand in place."""

    value: SSAValue
    relation: BufferRelation
    is_definite: bool = True
    """False where the two alias on some paths only."""


class AliasingOpOperand(NamedTuple):
    """An operand whose buffer may be that of a value, were the operand in place."""

    operand: OpOperand
    relation: BufferRelation
    is_definite: bool = True
    """False where the two alias on some paths only."""


CarriedOperand = tuple[OpOperand, SSAValue | None]
"""An operand of the terminator of a loop's block; the argument that should be equal."""


@dataclass(frozen=True)
class FunctionSummary:
    """What callers need to know of a function; indices are argument numbers."""

    read_args: frozenset[int]
    """Tensor arguments whose buffers the function may read."""

    written_args: frozenset[int]
    """Tensor arguments whose buffers the function may write."""

    aliasing_args: tuple[frozenset[int], ...]
    """For each result: the arguments whose buffers it may be part of."""

    equivalent_args: tuple[int | None, ...]
    """For each result: the argument whose buffer it always is, if there is one."""

    moved_results: frozenset[int] = frozenset()
    """Results that may be elsewhere all the same, copied because of a layout."""

    read_only_results: frozenset[int] = frozenset()
    """Results whose buffers must not be written: they may be constants."""

    new_results: frozenset[int] = frozenset()
    """Results in buffers that each call makes anew, for its caller alone."""

    shared_results: tuple[frozenset[int], ...] = ()
    """Results that may be, or be part of, one buffer, whatever the arguments are."""

    reread_args: frozenset[int] | None = None
    """Tensor arguments in whose buffers the function may read what it wrote there
    itself, or return that; None for all that it may write."""

    defined_results: frozenset[int] | None = None
    """Results that may have contents from the function itself, also if they may be an
    argument; None for all."""

    @cached_property
    def aliasing_results(self) -> Mapping[int, Sequence[int]]:
        """For each argument: the results that may be part of its buffer."""
        results: dict[int, list[int]] = {}
        for result, arguments in enumerate(self.aliasing_args):
            for argument in arguments:
                results.setdefault(argument, []).append(result)
        return results


class AnalysisState(ABC):
    """What a model may ask about the rest of the program during the analysis."""

    options: BufferizationOptions

    @abstractmethod
    def bufferizes_to_memory_read(self, operand: OpOperand) -> bool:
        """Whether the buffer of `operand` is read; True for ops without a model."""

    @abstractmethod
    def bufferizes_to_memory_write(self, operand: OpOperand) -> bool:
        """Whether the buffer of `operand` is written; True for ops without a model."""

    @abstractmethod
    def value_bufferizes_to_memory_write(self, value: SSAValue) -> bool:
        """Whether `value` is a definition: new data appears in its buffer there."""

    @abstractmethod
    def get_aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        """Values whose buffers may be that of `operand`."""

    @abstractmethod
    def get_aliasing_op_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        """Operands whose buffers may be that of `value`."""

    @abstractmethod
    def is_value_read(self, value: SSAValue) -> bool:
        """Whether `value` or a value that it becomes without a write is read."""

    @abstractmethod
    def is_defined_inside(self, value: SSAValue, op: Operation) -> bool:
        """Whether a definition of `value` lies in a region of `op`."""

    @abstractmethod
    def is_in_place(self, operand: OpOperand) -> bool:
        """Whether `operand` was decided to use its buffer without a copy."""

    @abstractmethod
    def are_equivalent_buffers(self, first: SSAValue, second: SSAValue) -> bool:
        """Whether the two are known to share one buffer element by element.

        While decisions are being made, only what holds whatever is decided counts.
        """

    @abstractmethod
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        """The summary of the function that `call` calls, or None if it is unknown."""

    def operands_of_one_buffer(
        self, op: Operation, numbers: frozenset[int]
    ) -> Set[int]:
        """Those of some operands of `op` that may have a buffer of another one of them.

        When unsure: all of them.
        """
        return operands_of_one_buffer(op, numbers, self._sources)

    def _sources(self, value: SSAValue) -> Sequence[SSAValue]:
        aliases = self.get_aliasing_op_operands(value)
        return [alias.operand.value for alias in aliases]

    def copies_before_writes(self, op: Operation) -> bool:
        """Whether nothing was decided about `op`: it writes to copies only."""
        del op
        return self.options.copy_before_write

    def can_omit_tensor_copy(self, operand: OpOperand) -> bool:
        """Whether a new buffer for `operand` may start with any contents.

        When unsure: False.
        """
        del operand
        return False

    def is_written_in_place(self, insertion: Operation) -> bool:
        """Whether the source of a subset insertion already lies where it belongs.

        When unsure: False.
        """
        del insertion
        return False

    def find_new_buffers(self, carried: Sequence[CarriedOperand]) -> Set[OpOperand]:
        """Those of `carried`, all of one terminator, that need no copy.

        The buffer of such an operand is made anew whenever the block runs, or is that
        of the argument, or is permuted. No value outside of the block has it. Or it is
        a constant, and nobody writes to what gets it. Two operands may have one buffer
        where no write spoils a read. When unsure: none.
        """
        del carried
        return frozenset()

    def is_permuted(self, operand: OpOperand) -> bool:
        """Whether a loop forwards the buffer of another argument, to `operand` alone.

        When unsure: False.
        """
        del operand
        return False


class CopyInsertion(ABC):
    """What a model may do to make every operand of its op safe to use in place."""

    analysis: AnalysisState

    @abstractmethod
    def copy_operand(self, operand: OpOperand) -> None:
        """Give `operand` a copy of its tensor, or an empty one where that is enough."""

    @abstractmethod
    def copy_value(self, value: SSAValue) -> None:
        """Let the users of `value`, except its own op, use a copy of it."""


class BufferTypes(ABC):
    """The buffer types inferred so far, for models that compute the next one."""

    options: BufferizationOptions

    @abstractmethod
    def get(self, value: SSAValue) -> BufferType | None:
        """The buffer type of a tensor, or None while it has not been inferred."""

    @abstractmethod
    def unknown(self, value: SSAValue) -> BufferType:
        """The buffer type of a tensor about which nothing is known."""

    @abstractmethod
    def get_aliasing_op_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        """Operands whose buffers may be that of `value`."""

    @abstractmethod
    def get_callee(self, call: Operation) -> Operation | None:
        """The function that `call` calls, or None if it is not in the module."""

    @abstractmethod
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        """The summary of the function that `call` calls, or None if it is unknown."""


class BufferizationState(ABC):
    """What a model may do to rewrite its op: find buffers, create ops, replace.

    New ops are inserted before the op that is being bufferized.
    """

    options: BufferizationOptions

    @abstractmethod
    def get_buffer(self, value: SSAValue) -> SSAValue:
        """The buffer of a tensor."""

    def stays_on_tensors(self, value: SSAValue) -> bool:
        """Whether nobody bufferizes `value`, so that its buffer is a `to_buffer` of it.

        When unsure: False.
        """
        del value
        return False

    @abstractmethod
    def get_buffer_type(self, value: SSAValue) -> BufferType:
        """The type that was inferred for the buffer of a tensor."""

    @abstractmethod
    def insert(self, op: Operation) -> None:
        """Insert a new op before the op that is being bufferized."""

    @abstractmethod
    def allocate(
        self, type: MemRefType, dynamic_sizes: Sequence[SSAValue] = ()
    ) -> SSAValue:
        """A new buffer, with one of `dynamic_sizes` for each dynamic dimension."""

    @abstractmethod
    def allocate_copy(self, buffer: SSAValue, type: MemRefType) -> SSAValue:
        """A new buffer of `type`, of the size and with the contents of `buffer`."""

    def copy_for_layout(self, buffer: SSAValue, type: MemRefType) -> SSAValue:
        """The same, for an op that cannot work on `buffer` because of its layout."""
        return self.allocate_copy(buffer, type)

    @abstractmethod
    def cast(
        self, buffer: SSAValue, type: BufferType, *, may_change_space: bool = False
    ) -> SSAValue:
        """`buffer` as a value of `type`: itself, a cast, or else a copy.

        Stops at the op if they are in different memory spaces, unless
        `may_change_space`. The reason: another op may know the buffer, and expect to
        see writes there.
        """

    @abstractmethod
    def get_callee(self, call: Operation) -> Operation | None:
        """The function that `call` calls, or None if it is not in the module."""

    @abstractmethod
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        """The summary of the function that `call` calls, or None if it is unknown."""

    @abstractmethod
    def get_aliasing_op_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        """Operands whose buffers may be that of `value`."""

    @abstractmethod
    def bufferizes_to_memory_write(self, operand: OpOperand) -> bool:
        """Whether the buffer of `operand` may be written."""

    @abstractmethod
    def replace_op(self, op: Operation, values: Sequence[SSAValue | None]) -> None:
        """Replace `op`; each value is the buffer of a tensor result or a new result.

        None stands for a result that has no uses left.
        """

    @abstractmethod
    def convert_block_arguments(self, block: Block) -> Block:
        """Turn the tensor arguments of `block` into buffers.

        The ops of `block` move to the block that is returned.
        """

    @abstractmethod
    def replace_block_arguments(
        self, block: Block, buffers: Mapping[SSAValue, SSAValue]
    ) -> Block:
        """Drop tensor arguments of `block`, each of which always is the same buffer.

        `buffers` has the buffer of each of these arguments.

        The ops of `block` move to the block that is returned.
        """

    @abstractmethod
    def is_written_in_place(self, insertion: Operation) -> bool:
        """Whether a subset insertion's source already lies where it is inserted."""

    @abstractmethod
    def insert_at_module_start(self, op: Operation, key: object) -> Operation:
        """Insert a symbol op into the module, once for equal `key`s; return it."""
