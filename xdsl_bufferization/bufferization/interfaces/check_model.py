"""Tell the author of a model what is inconsistent in its answers about one op.

    for problem in check_model(op):
        print(problem)
    # operand #0 is said to alias result #0, but result #0 not operand #0

Nothing here knows what an op should do. `check_model` only finds four faults:

- answers that do not fit each other
- a region that passes an operand on to a result which is not said to alias it
- a `bufferize` that fails, or leaves tensors behind, on a copy of the op
- a method whose name is nearly that of a question

An empty list is no proof. A test that runs the op is one.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from types import UnionType
from typing import Any, TypeVar, get_args

from typing_extensions import TypeForm
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ContainerType,
    ShapedType,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator, SymbolUserOpInterface
from xdsl.utils.hints import isa

from xdsl_bufferization.support.errors import op_name

from .bufferizable import BufferizableOpInterface, get_model
from .conservative_state import ConservativeState, ConservativeTypes
from .destination_style import DestinationStyleOpInterface
from .operands import OpOperand, is_tensor, owner_op, tensor_operands, tensor_results
from .options import BufferizationOptions
from .region_branch import RegionBranchOpInterface, get_region_branch
from .region_flow import passed_on
from .state import AliasingOpOperand, AliasingValue, BufferRelation, BufferType
from .subset import (
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
    SubsetOpInterface,
)
from .trial import try_bufferize

_T = TypeVar("_T")

INTERFACES = (
    BufferizableOpInterface,
    DestinationStyleOpInterface,
    RegionBranchOpInterface,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
    SubsetOpInterface,
)
"""Whose methods a model overrides."""


def check_model(op: Operation) -> list[str]:
    """What is inconsistent in the models of `op`, one sentence each.

    The op must be complete: its regions and its parent are looked at as well.
    """
    model = get_model(op)
    if model is None:
        return [
            f"'{op_name(op)}' has no model of BufferizableOpInterface: name one in its "
            "traits_def, or attach one"
        ]
    return _ModelCheck(op, model).run()


class _BadAnswerError(Exception):
    """A question was not answered as it should be, which has been noted."""


class _ModelCheck:
    """The problems found so far with the models of one op."""

    def __init__(self, op: Operation, model: BufferizableOpInterface):
        self.op = op
        self.model = model
        self.problems: list[str] = []
        # As func ops have models as well, they are asked too.
        options = BufferizationOptions(bufferize_function_boundaries=True)
        self.state = ConservativeState(options)

    def run(self) -> list[str]:
        """All checks; one that cannot go on leaves the others alone."""
        self.check_names()
        for operand in tensor_operands(self.op):
            self.attempt(lambda operand=operand: self.check_operand(operand))
        for result in tensor_results(self.op):
            self.attempt(lambda result=result: self.check_result(result))
        self.attempt(self.check_destination_style)
        self.attempt(self.check_subset)
        self.attempt(self.check_regions)
        self.check_bufferize()
        return list(dict.fromkeys(self.problems))

    def attempt(self, check: Callable[[], None]) -> None:
        """Run `check`, unless it finds an answer that it cannot go on with."""
        try:
            check()
        except _BadAnswerError:
            return

    def note(self, problem: str) -> None:
        """Add a problem."""
        self.problems.append(problem)

    def ask(
        self, question: str, answer: Callable[[], object], expected: TypeForm[_T]
    ) -> _T:
        """The answer to a question; noted if it raises or is of another type."""
        try:
            found = answer()
        except Exception as error:
            # Whatever goes wrong in a model is what its author wants to know.
            self.note(f"{question} raises {type(error).__name__}: {error}")
            raise _BadAnswerError from error
        if not isa(found, expected):
            self.note(f"{question} answers {found!r}, which is no {_spell(expected)}")
            raise _BadAnswerError
        return found

    # --- operands --------------------------------------------------------------------

    def check_operand(self, operand: OpOperand) -> None:
        """Reads, writes and aliases of one tensor operand."""
        where, model, state = f"of operand #{operand.number}", self.model, self.state
        self.ask(
            f"bufferizes_to_memory_read {where}",
            lambda: model.bufferizes_to_memory_read(operand, state),
            bool,
        )
        writes = self.ask(
            f"bufferizes_to_memory_write {where}",
            lambda: model.bufferizes_to_memory_write(operand, state),
            bool,
        )
        must = self.ask(
            f"must_bufferize_in_place {where}",
            lambda: model.must_bufferize_in_place(operand, state),
            bool,
        )
        aliases = self.ask(
            f"get_aliasing_values {where}",
            lambda: model.get_aliasing_values(operand, state),
            Sequence[AliasingValue],
        )
        for alias in aliases:
            self.check_aliasing_value(operand, alias)
        if writes and not aliases and not must and not self.may_write_unseen():
            self.note(
                f"operand #{operand.number} is written, but aliases no result: no "
                "later op can read what was written; make a result alias it, or let "
                "must_bufferize_in_place say that it is the buffer that counts"
            )

    def may_write_unseen(self) -> bool:
        """Whether the op can have a purpose in writing what no tensor shows."""
        return (
            self.op.has_trait(IsTerminator)
            or self.op.has_trait(SymbolUserOpInterface)
            or any(isa(result.type, BufferType) for result in self.op.results)
        )

    def check_aliasing_value(self, operand: OpOperand, alias: AliasingValue) -> None:
        """One value that an operand is said to alias."""
        this, value = f"operand #{operand.number}", alias.value
        if not is_tensor(value):
            self.note(f"{this} aliases {_name(value)}, which is no tensor")
            return
        if not self.belongs(value):
            self.note(
                f"{this} aliases {_name(value)}, which belongs to another op; name "
                "results and block arguments of the op itself"
            )
            return
        self.check_relation(operand.value, value, alias.relation, this)
        if isinstance(value, OpResult):
            back = self.aliasing_operands(value)
            relations = [a.relation for a in back if a.operand == operand]
            self.check_symmetry(relations, alias.relation, this, _name(value))

    def belongs(self, value: SSAValue) -> bool:
        """Whether the op can say something about `value`."""
        owner = owner_op(value)
        if self.op.has_trait(IsTerminator):
            return owner in (self.op.parent_op(), self.op) or (
                isinstance(value, BlockArgument) and value.block in self.op.successors
            )
        return owner is self.op

    def check_relation(
        self, a: SSAValue, b: SSAValue, relation: BufferRelation, this: str
    ) -> None:
        """Equivalent buffers hold the same elements, perhaps in another shape."""
        if relation is BufferRelation.EQUIVALENT and not _same_elements(a.type, b.type):
            self.note(
                f"{this} is EQUIVALENT to {_name(b)}, but {a.type} and {b.type} do not "
                "have the same elements; say UNKNOWN"
            )

    def check_symmetry(
        self,
        relations: Sequence[BufferRelation],
        relation: BufferRelation,
        this: str,
        other: str,
    ) -> None:
        """What aliases one way also aliases the other way, and alike."""
        if not relations:
            self.note(f"{this} is said to alias {other}, but {other} not {this}")
        elif relation not in relations:
            self.note(
                f"{this} is {relation.name} to {other}, but {other} is "
                f"{relations[0].name} to {this}"
            )

    def aliasing_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        """The answer of whoever answers for `value`: the op, or its parent."""
        return self.ask(
            f"get_aliasing_op_operands of {_name(value)}",
            lambda: self.state.get_aliasing_op_operands(value),
            Sequence[AliasingOpOperand],
        )

    # --- results ---------------------------------------------------------------------

    def check_result(self, result: OpResult) -> None:
        """Allocation, definition, aliases and buffer type of one tensor result."""
        name, model, state = _name(result), self.model, self.state
        allocates = self.ask(
            f"bufferizes_to_allocation of {name}",
            lambda: model.bufferizes_to_allocation(result),
            bool,
        )
        aliases = self.aliasing_operands(result)
        for alias in aliases:
            self.check_aliasing_operand(result, alias)
        defines = self.ask(
            f"result_bufferizes_to_memory_write of {name}",
            lambda: model.result_bufferizes_to_memory_write(result, state),
            bool,
        )
        if allocates and aliases:
            self.note(f"{name} is a new buffer, and yet aliases an operand")
        if not (allocates or aliases or defines):
            self.note(
                f"{name} is neither a new buffer, nor part of an operand, nor written: "
                "nothing says where its contents come from"
            )
        self.ask(
            f"is_writable of {name}", lambda: model.is_writable(result, state), bool
        )
        self.check_buffer_type(result)

    def check_aliasing_operand(
        self, result: OpResult, alias: AliasingOpOperand
    ) -> None:
        """One operand that a result is said to alias."""
        name, operand = _name(result), alias.operand
        if not 0 <= operand.number < len(operand.owner.operands):
            self.note(
                f"{name} aliases operand #{operand.number} of "
                f"'{op_name(operand.owner)}', which has no such operand"
            )
            return
        if not is_tensor(operand.value):
            self.note(f"{name} aliases operand #{operand.number}, which is no tensor")
            return
        if operand.owner is self.op:
            values = self.model.get_aliasing_values(operand, self.state)
            relations = [a.relation for a in values if a.value is result]
            this = f"operand #{operand.number}"
            self.check_symmetry(relations, alias.relation, name, this)

    def check_buffer_type(self, result: OpResult) -> None:
        """The buffer of a tensor has its shape and element type."""
        type_ = self.ask(
            f"get_buffer_type of {_name(result)}",
            lambda: self.model.get_buffer_type(result, ConservativeTypes(self.state)),
            BufferType | None,
        )
        if type_ is not None and not _same_contents(type_, result.type):
            self.note(
                f"get_buffer_type of {_name(result)} answers {type_}, which does not "
                f"have the elements of {result.type}"
            )

    # --- the op ----------------------------------------------------------------------

    def check_bufferize(self) -> None:
        """The model says how to rewrite its op, and the new ops are on buffers."""
        if type(self.model).bufferize is BufferizableOpInterface.bufferize:
            self.note("the model has no bufferize method: add one")
            return
        for problem in try_bufferize(self.op, self.model, self.state):
            self.note(problem)

    def check_names(self) -> None:
        """No method of the model is nearly, but not quite, a question."""
        questions = {
            name
            for interface in INTERFACES
            for name in vars(interface)
            if not name.startswith("_")
        }
        for name in dir(self.model):
            if name.startswith("_") or name in questions:
                continue
            for meant in get_close_matches(name, questions, 1, cutoff=0.9):
                self.note(f"nobody asks for {name}: did you mean {meant}?")

    def check_destination_style(self) -> None:
        """Every init is written, and tied to the result of its position."""
        interface = self.op.get_trait(DestinationStyleOpInterface)
        if interface is None:
            return
        inits = self.ask(
            "get_dps_inits",
            lambda: interface.get_dps_inits(self.op),
            Sequence[OpOperand],
        )
        inits = [init for init in inits if self.is_own_operand(init, "get_dps_inits")]
        inits = [init for init in inits if is_tensor(init.value)]
        results = tensor_results(self.op)
        if len(inits) != len(results):
            self.note(
                f"there are {len(inits)} tensor inits and {len(results)} tensor "
                "results; in destination style, each init is tied to one result"
            )
            return
        for init, result in zip(inits, results, strict=True):
            self.check_tie(init, result)

    def check_tie(self, init: OpOperand, result: OpResult) -> None:
        """One init with the result that is written to it."""
        if not self.model.bufferizes_to_memory_write(init, self.state):
            self.note(f"operand #{init.number} is an init, but not written")
        aliases = self.model.get_aliasing_values(init, self.state)
        if (result, BufferRelation.EQUIVALENT) not in [a[:2] for a in aliases]:
            self.note(
                f"operand #{init.number} is the init of {_name(result)}, but not "
                "EQUIVALENT to it"
            )

    def check_subset(self) -> None:
        """What is put into a container, or taken out, is in the op's result."""
        interface = self.op.get_trait(SubsetOpInterface)
        if interface is None:
            return
        container = self.ask(
            "get_container", lambda: interface.get_container(self.op), OpOperand
        )
        self.ask(
            "get_subset, as a key,",
            lambda: hash(interface.get_subset(self.op)),
            int,
        )
        if not self.is_own_operand(container, "get_container"):
            return
        # What takes a part out into a vector has no tensor that could be that part.
        if tensor_results(self.op) and not self.model.get_aliasing_values(
            container, self.state
        ):
            self.note(
                f"operand #{container.number} is the container of a subset, but "
                "aliases no result"
            )
        if isinstance(interface, SubsetInsertionOpInterface):
            source = self.ask(
                "get_source", lambda: interface.get_source(self.op), OpOperand
            )
            self.is_own_operand(source, "get_source")

    def is_own_operand(self, operand: OpOperand, question: str) -> bool:
        """Whether `operand` is one of the op; noted if not."""
        count = len(self.op.operands)
        if operand.owner is self.op and 0 <= operand.number < count:
            return True
        self.note(
            f"{question} answers operand #{operand.number} of "
            f"'{op_name(operand.owner)}'; '{op_name(self.op)}' has operands #0 to "
            f"#{count - 1}"
        )
        return False

    def check_regions(self) -> None:
        """Every region can be asked about, and control stays within the op."""
        for index in range(len(self.op.regions)):
            for question in ("is_repetitive_region", "is_parallel_region"):
                answer = getattr(self.model, question)
                self.ask(
                    f"{question} of region #{index}",
                    lambda answer=answer, index=index: answer(self.op, index),
                    bool,
                )
        interface = get_region_branch(self.op)
        if interface is None:
            return
        for start in (None, *self.op.regions):
            for successor in interface.get_successor_regions(self.op, start):
                region = successor.region
                if region is not None and region.parent is not self.op:
                    self.note("get_successor_regions answers a region of another op")
        self.check_passed_on(interface)

    def check_passed_on(self, interface: RegionBranchOpInterface) -> None:
        """A result aliases the operands that the regions pass on to it.

        A model may refuse regions that do so: `verify_analysis` is to see them.
        """
        base = BufferizableOpInterface.verify_analysis
        if type(self.model).verify_analysis is not base:
            return
        sources = passed_on(self.op, interface)
        for result in tensor_results(self.op):
            named = {alias.operand for alias in self.aliasing_operands(result)}
            for operand, last in sources.get(result, {}).items():
                if operand in named or last in named or not self.stays(last):
                    continue
                self.note(
                    f"{_name(result)} can be operand #{operand.number}, which "
                    f"'{op_name(last.owner)}' passes on as its operand #{last.number}, "
                    "but is not said to alias it: let get_aliasing_op_operands name "
                    "the operand, or verify_analysis refuse such a region"
                )

    def stays(self, operand: OpOperand) -> bool:
        """Whether an operand of a terminator is never copied."""
        model = get_model(operand.owner)
        return model is not None and model.must_bufferize_in_place(operand, self.state)


def _spell(type_: TypeForm[object]) -> str:
    """A type in words, such as `Sequence of OpOperand`."""
    name = getattr(type_, "__name__", str(type_))
    parts: tuple[Any, ...] = get_args(type_)
    inner = [getattr(each, "__name__", str(each)) for each in parts]
    is_union = name == "UnionType" or isinstance(type_, UnionType)
    return " or ".join(inner) if is_union else " of ".join([name, *inner])


def _name(value: SSAValue) -> str:
    if isinstance(value, OpResult):
        return f"result #{value.index}"
    assert isinstance(value, BlockArgument)
    return f"block argument #{value.index}"


def _same_contents(a: Attribute, b: Attribute) -> bool:
    """Whether two types may have the same elements; dynamic sizes fit any."""
    if _element_type(a) != _element_type(b):
        return False
    if not isinstance(a, ShapedType) or not isinstance(b, ShapedType):
        return True
    return len(a.get_shape()) == len(b.get_shape()) and all(_fitting_sizes(a, b))


def _same_elements(a: Attribute, b: Attribute) -> bool:
    """Whether two types may have as many elements as each other, of one type."""
    if _element_type(a) != _element_type(b):
        return False
    if not isinstance(a, ShapedType) or not isinstance(b, ShapedType):
        return True
    shapes = a.get_shape(), b.get_shape()
    if any(DYNAMIC_INDEX in shape for shape in shapes):
        return True
    return math.prod(shapes[0]) == math.prod(shapes[1])


def _element_type(type_: Attribute) -> Attribute | None:
    return type_.get_element_type() if isa(type_, ContainerType) else None


def _fitting_sizes(a: ShapedType, b: ShapedType) -> Iterator[bool]:
    for x, y in zip(a.get_shape(), b.get_shape(), strict=True):
        yield x == y or DYNAMIC_INDEX in (x, y)
