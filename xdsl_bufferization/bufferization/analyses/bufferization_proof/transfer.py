"""What one op without control flow changes: the transfer function.

1. Each operand that the op reads must hold its elements.
2. What a result takes over from an operand, it takes over with what is spoiled there.
3. Each write spoils the other tensors of its buffer, where they overlap it.
4. Results hold their elements, but for what they took over.

`docs/proven.md` has the argument, case by case.
"""

from collections.abc import Sequence

from xdsl.dialects.arith import SelectOp
from xdsl.dialects.builtin import i1
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation, OpResult
from xdsl.traits import IsTerminator

from xdsl_bufferization.dialects.ml_program import GlobalStoreOp

from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.state import AliasingOpOperand, BufferRelation, is_buffer_type
from .findings import Kind, Undecided
from .locations import Buffer
from .memory import NO_NUMBERS
from .questions import Answers, Use
from .regions import Region
from .state import Condition, Overlap, Spoils, State
from .takeovers import Takeovers


class Transfer(Takeovers):
    """Interprets ops, in the order in which they run."""

    # --- ops -------------------------------------------------------------------------

    def run(self, op: Operation, state: State) -> None:
        """Interpret one op, as if it had no regions."""
        answers = self.questions.ask(op)
        if answers is None:
            if isinstance(op, ReturnOp):
                self._return(op, state)
            else:
                self._run_unknown(op, state)
            return
        self._now = self.lifetimes.start[op]
        self._read(op, answers, state)
        if isinstance(op, ReturnOp):
            self._return(op, state)
        elif not op.has_trait(IsTerminator):
            self._change(op, answers, state)

    def _change(self, op: Operation, answers: Answers, state: State) -> None:
        """Interpret what an op does beside reading."""
        self._check_own_writes(answers, state)
        self._check_left_out(op, answers)
        new = [
            (result, self._taken_over(result, links, answers, state))
            for result, links in answers.links
        ]
        updated = self._update_destination(answers, state)
        for use in answers.uses:
            if use.writes and use.is_in_place:
                region = self._written(use, answers.part)
                if not self._is_no_op(answers):
                    self._write(use, region, state)
                elif op not in self.left_out:
                    buffer = self.locations.of(use.value).buffer
                    self._check_writable(buffer, region, use.operand, state)
        if isinstance(op, GlobalStoreOp):
            self._store(op, state)
        if updated is not None:
            state.set(*updated)
        if any(is_buffer_type(result.type) for result in op.results):
            self._expose(answers)
        for result, spoils in new:
            self._define_result(result, spoils, answers, state)

    def _run_unknown(self, op: Operation, state: State) -> None:
        """An op without a model: nothing is proven about it."""
        tensors = [result for result in op.results if is_tensor(result)]
        operands = [value for value in op.operands if is_tensor(value)]
        if tensors or operands:
            reason = "it has no model, so that nobody knows what it reads and writes"
            self.verdict.undecided[Undecided(op, reason)] = None
        for result in tensors:
            self.define(result, (), NO_NUMBERS, state)

    # --- 1. reads --------------------------------------------------------------------

    def _read(self, op: Operation, answers: Answers, state: State) -> None:
        if op.has_trait(IsTerminator) and not isinstance(op.parent_op(), FuncOp):
            return  # What it forwards is looked at where it is read.
        for use in answers.uses:
            if not use.reads or op.successors:
                continue
            region = self._read_view(use, answers.part).region
            for spoil in self.spoils_in(use.value, region, state):
                self.report(use.operand, spoil.write)
            if not isinstance(op, ReturnOp):
                self.effects.read |= self.origins(use.value)
            self._check_exposed(use)

    def _check_exposed(self, use: Use) -> None:
        """Ops on buffers read and write where nobody here sees it."""
        exposed = self._exposed.get(self.locations.of(use.value).buffer)
        if exposed is not None and exposed is not use.operand.owner:
            reason = f"ops on buffers use this one, by '{exposed.name}'"
            self.verdict.undecided[Undecided(use.operand.owner, reason)] = None

    def _expose(self, answers: Answers) -> None:
        """Note buffers that ops on buffers use from here on."""
        for use in answers.uses:
            if use.is_in_place:
                buffer = self.locations.of(use.value).buffer
                self._exposed[buffer] = use.operand.owner

    def _return(self, op: ReturnOp, state: State) -> None:
        aliasing: list[frozenset[int]] = []
        equivalent: list[int | None] = []
        origins: list[frozenset[int]] = []
        for number, value in enumerate(op.operands):
            if not is_tensor(value):
                aliasing.append(NO_NUMBERS)
                equivalent.append(None)
                origins.append(NO_NUMBERS)
                continue
            location = self.locations.of_operand(OpOperand(op, number))
            aliasing.append(frozenset(self._arguments_at(location.buffer, state)))
            argument = self._arguments.get(location.buffer)
            is_whole = (
                location.region.key == () and location.region.frame.around is None
            )
            equivalent.append(argument if is_whole else None)
            origins.append(self.origins(value))
            if (
                not location.buffer.is_writable
                and location.buffer not in self._arguments
            ):
                self.effects.read_only.add(number)
        self._note_shared(op, state)
        self.effects.note_return(aliasing, equivalent, origins)

    def _note_shared(self, op: ReturnOp, state: State) -> None:
        """Note which results are in one buffer, whichever that is."""
        by_buffer: dict[Buffer, set[int]] = {}
        for number, value in enumerate(op.operands):
            if is_tensor(value):
                buffer = self.locations.of_operand(OpOperand(op, number)).buffer
                for each in (buffer, *state.near_to(buffer)):
                    by_buffer.setdefault(each, set()).add(number)
        self.effects.shared |= {
            frozenset(numbers) for numbers in by_buffer.values() if len(numbers) > 1
        }

    # --- 3. writes -------------------------------------------------------------------

    def _write(self, use: Use, region: Region, state: State) -> None:
        """Let an op write a part of the buffer of an operand."""
        self._check_exposed(use)
        buffer = self.locations.of(use.value).buffer
        self._write_buffer(buffer, region, use.operand, state)

    def _store(self, op: GlobalStoreOp, state: State) -> None:
        """A store to a global, which may be the buffer of what was loaded."""
        location = self.locations.of_global(op.global_, op.value.type)
        if location is not None:
            operand = OpOperand(op, 0)
            self._write_buffer(location.buffer, location.region, operand, state)

    def _check_own_writes(self, answers: Answers, state: State) -> None:
        """An op may not read what it writes meanwhile, but element by element."""
        uses = answers.uses
        for use in uses:
            # A callee is proven for arguments in different buffers.
            if use.reads or (use.writes and isinstance(use.operand.owner, CallOp)):
                for write in self._overwritten_meanwhile_by(use, answers, state):
                    self.report(use.operand, write, Kind.AT_ONCE)

    def _check_left_out(self, op: Operation, answers: Answers) -> None:
        """An insertion that copies nothing has its source where it inserts."""
        part = answers.part
        if op in self.left_out and not self._is_no_op(answers):
            assert part is not None
            assert part.source is not None
            source, dest = (OpOperand(op, n) for n in (part.source, part.number))
            self.report(source, dest, Kind.LEFT_OUT)

    # --- 4. results ------------------------------------------------------------------

    def _define_result(
        self,
        result: OpResult,
        taken: tuple[Spoils, frozenset[int]],
        answers: Answers,
        state: State,
    ) -> None:
        if self.locations.has_own_name(result):
            links = next(links for value, links in answers.links if value is result)
            state.forget(self.locations.of(result).buffer)
            self._connect(result, links, answers, state)
        self.define(result, *taken, state)

    def _connect(
        self,
        result: OpResult,
        links: Sequence[AliasingOpOperand],
        answers: Answers,
        state: State,
    ) -> None:
        """Note which buffers a result may be in that has a name of its own."""
        named = self.locations.of(result)
        in_place = {use.operand: use.is_in_place for use in answers.uses}
        operands = [link.operand for link in links]
        for operand, relation, _ in links:
            if in_place.get(operand, True):
                source = self.locations.of(operand.value)
                is_aligned = relation is BufferRelation.EQUIVALENT and (
                    operand.value.type == result.type
                )
                self.connect(
                    named,
                    source,
                    state,
                    state,
                    is_aligned=is_aligned,
                    condition=_condition(operand),
                )
        for other, other_links in answers.links:
            if other is result or not self.locations.has_own_name(other):
                continue
            shares = any(link.operand in operands for link in other_links)
            if shares or self._are_one_for_callers(result, other):
                state.connect(named.buffer, self.locations.of(other).buffer, Overlap())

    def _are_one_for_callers(self, first: OpResult, second: OpResult) -> bool:
        if not isinstance(first.op, CallOp):
            return False
        effects = self.find_effects(first.op)
        return effects is None or any(
            first.index in numbers and second.index in numbers
            for numbers in effects.summary.shared_results
        )


def _condition(operand: OpOperand) -> Condition:
    """What has to hold for the result of an op to be this operand."""
    op, number = operand
    if not isinstance(op, SelectOp) or op.cond.type != i1:
        return None
    return op.cond, number == 1
