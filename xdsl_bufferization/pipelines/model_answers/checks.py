"""Compare what runs show with what models have said.

said: operand #1 is not read     found: result #0 changes with it     -> a problem
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from xdsl_bufferization.bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.dialects.common.static_values import constant_integer
from xdsl_bufferization.runtime.native_heap import FRESH_BYTE

from .answers import Alias, Answers, Part, mask_of
from .memory import Bytes, FoundBuffer, other_bits
from .runs import Argument, Run, Runs
from .single_op import Given

Mask = NDArray[np.bool_]

_FILLS = 2


@dataclass
class Findings:
    """What runs have shown of the answers about one op."""

    problems: list[str] = field(default_factory=list[str])
    """Answers that claim too little, a sentence each."""

    checked: Counter[str] = field(default_factory=Counter[str])
    """How many answers were tested, by kind."""

    cautious: Counter[str] = field(default_factory=Counter[str])
    """Answers that claim more than was seen, by kind: right, but perhaps too much."""

    left_out: Counter[str] = field(default_factory=Counter[str])
    """Answers that were not tested, by reason."""

    def add(self, other: "Findings") -> None:
        """Add what runs of the same op have shown with other values."""
        new = (each for each in other.problems if each not in self.problems)
        self.problems.extend(new)
        self.checked |= other.checked
        self.cautious &= other.cautious
        self.left_out &= other.left_out


def compare(answers: Answers, runs: Runs) -> Findings:
    """Test each of the answers that a run can show."""
    return _Comparison(answers, runs).compare()


class _Comparison:
    """The findings so far, and the run that others are compared with."""

    def __init__(self, answers: Answers, runs: Runs):
        self._answers = answers
        self._runs = runs
        self._findings = Findings()
        self._base = runs.run()
        self._operands = {
            each.operand: each
            for each in runs.program.given
            if each.operand is not None and is_tensor(each.value)
        }

    def compare(self) -> Findings:
        """All comparisons."""
        for operand in self._answers.tensors:
            if operand in self._answers.copied:
                self._findings.left_out[
                    "the body would overwrite what it reads: the operand is copied"
                ] += 1
                continue
            self._check_write(operand)
            self._check_read(operand)
            for result in self._answers.results:
                self._check_alias(operand, result)
        self._check_around(self._base)
        for first, second in combinations(self._answers.results, 2):
            self._check_pair(first, second)
        for result in self._answers.results:
            self._check_result(result)
            self._check_captured(result)
        for read, write in sorted(self._answers.in_step):
            self._check_in_step(read, write)
        if self._answers.part is not None:
            self._check_part(self._answers.part)
        return self._findings

    def _note(self, problem: str) -> None:
        if problem not in self._findings.problems:
            self._findings.problems.append(problem)

    # Reads and writes.

    def _check_write(self, operand: int) -> None:
        which = self._operands[operand]
        before = self._runs.buffers[which].values
        is_changed = bool((self._base.elements[which] != before).any())
        if operand in self._answers.written:
            self._findings.cautious["written"] += not is_changed
            return
        self._findings.checked["not written"] += 1
        if is_changed:
            self._note(
                f"operand #{operand} is said not to be written, but its elements change"
            )

    def _check_around(self, run: Run) -> None:
        self._findings.checked["nothing written around buffers"] += 1
        for which in run.changed_around:
            self._note(
                f"something is written outside of the elements of {_name(which)}"
            )

    def _check_read(self, operand: int) -> None:
        which = self._operands[operand]
        is_said = operand in self._answers.read
        if not self._runs.buffers[which].values.size:
            self._findings.left_out["a tensor without elements"] += 1
            return
        if is_said:
            return
        self._findings.checked["not read"] += 1
        is_written = operand in self._answers.written
        for changed in self._other_fills(which):
            run = self._runs.run({which: changed})
            self._check_around(run)
            for what in self._differences(run, which, may_pass=not is_written):
                self._note(
                    f"operand #{operand} is said not to be read, but {what} with it"
                )

    def _other_fills(self, which: Given, mask: Mask | None = None) -> Iterator[Bytes]:
        buffer = self._runs.buffers[which]
        for seed in range(_FILLS):
            fill = other_bits(buffer.values, is_bit=_is_bit(which), seed=seed)
            if mask is not None:
                fill = np.where(mask.reshape(-1, 1), fill, buffer.values)
            yield fill

    def _differ(self, elements: Bytes, which: Argument) -> bool:
        return bool((elements != self._base.elements[which]).any())

    def _differences(
        self,
        run: Run,
        changed: Given,
        *,
        may_pass: bool = False,
        passed: Mask | None = None,
    ) -> Iterator[str]:
        """What a run has other than the first one, because of `changed`.

        With `may_pass`, results may have elements that are in the buffer of `changed`
        and are not computed: all of them, or those in `passed`.
        """
        for which in run.elements:
            if which is not changed and self._differ(run.elements[which], which):
                yield f"{_name(which)} changes"
        for number, found in run.results.items():
            first = self._base.results[number]
            if found.shape != first.shape:
                yield f"the shape of result #{number} changes"
                continue
            differs = (found.contents != first.contents).any(axis=1)
            if may_pass:
                differs &= ~self._are_in(changed, found.addresses, passed)
                if self._may_be_copy(changed, number):
                    continue
            if differs.any():
                yield f"result #{number} changes"

    def _may_be_copy(self, which: Given, result: int) -> bool:
        """Whether a result may be a copy of a buffer, as its layout does not fit."""
        return self._answers.may_move and any(
            (each.operand, each.result) == (which.operand, result)
            for each in self._answers.of_results
        )

    def _are_in(
        self, which: Given, addresses: NDArray[np.int64], mask: Mask | None
    ) -> Mask:
        """Which addresses are those of elements of a buffer, perhaps of some only."""
        buffer = self._runs.buffers[which]
        if mask is None:
            return buffer.holds(addresses)
        return np.isin(addresses, buffer.addresses[mask.reshape(-1)])

    # Where results are.

    def _check_alias(self, operand: int, result: int) -> None:
        if self._base.results[result].addresses.size == 0:
            self._findings.left_out["a result without elements"] += 1
            return
        for answers, text in (
            (
                self._answers.of_operands,
                f"operand #{operand} is said not to alias result #{result}",
            ),
            (
                self._answers.of_results,
                f"result #{result} is said not to alias operand #{operand}",
            ),
        ):
            said = [
                each
                for each in answers
                if (each.operand, each.result) == (operand, result)
            ]
            if said:
                self._check_relation(said[0])
                continue
            self._findings.checked["no alias"] += 1
            if self._overlaps(operand, result):
                self._note(f"{text}, but the result is in its buffer")

    def _overlaps(self, operand: int, result: int) -> bool:
        buffer = self._runs.buffers[self._operands[operand]]
        return bool(buffer.holds(self._base.results[result].addresses).any())

    def _check_relation(self, said: Alias) -> None:
        """An alias that is there: whether it is what it is said to be."""
        if self._answers.may_move:
            self._findings.left_out["the model may copy what is in place"] += 1
            return
        is_there = self._overlaps(said.operand, said.result)
        names = f"result #{said.result} is said to {{}} operand #{said.operand}"
        if said.is_definite:
            self._findings.checked["definite alias"] += 1
            if not is_there:
                self._note(f"{names.format('always alias')}, but is elsewhere")
                return
        elif not is_there:
            self._findings.cautious["alias"] += 1
        if said.is_equivalent and is_there:
            self._findings.checked["equivalent"] += 1
            buffer = self._runs.buffers[self._operands[said.operand]]
            found = self._base.results[said.result].addresses
            if not np.array_equal(found, buffer.addresses):
                self._note(
                    f"{names.format('be the buffer of')}, but has other elements or "
                    "another order"
                )

    def _check_pair(self, first: int, second: int) -> None:
        """Two results that are not said to come from one tensor are two buffers."""
        answers = self._answers
        if answers.origins[first] & answers.origins[second] or any(
            {first, second} <= group for group in answers.shared
        ):
            return
        self._findings.checked["results apart"] += 1
        found = self._base.results
        if np.isin(found[first].addresses, found[second].addresses).any():
            self._note(
                f"result #{first} and result #{second} are in one buffer, but are "
                "not said to alias one tensor"
            )

    def _check_captured(self, result: int) -> None:
        """A result is in what its regions use only if they are said to pass that on."""
        found = self._base.results[result].addresses
        for which, buffer in self._runs.buffers.items():
            if not isinstance(which, Given) or which.operand is not None:
                continue
            if which.value in self._answers.origins[result] or not found.size:
                continue
            self._findings.checked["no alias of what regions use"] += 1
            if buffer.holds(found).any():
                self._note(
                    f"result #{result} is in the buffer of {_name(which)}, but is said "
                    "not to alias it"
                )

    def _check_result(self, result: int) -> None:
        found = self._base.results[result]
        if not found.addresses.size:
            return
        if result in self._answers.new:
            self._findings.checked["new buffer"] += 1
            if not found.is_from_heap:
                self._note(f"result #{result} is said to be a new buffer, but is none")
        holders = [
            operand for operand in self._operands if self._overlaps(operand, result)
        ]
        if result in self._answers.writable and not holders:
            self._findings.checked["writable"] += 1
            if not found.is_from_heap and not self._is_in_memory(found):
                self._note(
                    f"result #{result} is said to be writable, but each run has the "
                    "same buffer: a constant"
                )
        if result not in self._answers.defined:
            self._findings.checked["no new contents"] += 1
            self._check_undefined(result, found, holders)

    def _is_in_memory(self, found: FoundBuffer) -> bool:
        return any(
            buffer.holds(found.addresses).any()
            for buffer in self._runs.buffers.values()
        )

    def _check_undefined(
        self, result: int, found: FoundBuffer, holders: list[int]
    ) -> None:
        """What has no new contents has the old ones, or those of fresh memory."""
        is_defined = any(
            (self._base.elements[which] != self._runs.buffers[which].values).any()
            for which in (self._operands[each] for each in holders)
        )
        if not self._is_in_memory(found):
            is_defined |= not self._has_old_contents(result, found)
        if is_defined:
            self._note(
                f"result #{result} is said to have no new contents, but it has some"
            )

    def _has_old_contents(self, result: int, found: FoundBuffer) -> bool:
        old = {bytes([FRESH_BYTE]) * found.contents.shape[1]}
        for which in self._operands.values():
            if self._may_be_copy(which, result):
                old.update(map(bytes, self._runs.buffers[which].values))
        return all(bytes(each) in old for each in found.contents)

    # Two operands in one buffer.

    def _check_in_step(self, read: int, write: int) -> None:
        """What is read and written in step may be one buffer."""
        reads, writes = self._operands[read], self._operands[write]
        values = self._runs.buffers[reads].values
        if values.shape != self._runs.buffers[writes].values.shape:
            self._findings.left_out["operands of different sizes"] += 1
            return
        self._findings.checked["in step"] += 1
        apart = self._runs.run({writes: values})
        shared = self._runs.run({writes: values}, {reads: writes})
        same = [
            np.array_equal(apart.results[n].contents, shared.results[n].contents)
            for n in apart.results
        ]
        same += [
            np.array_equal(apart.elements[each], shared.elements[each])
            for each in apart.elements
            if each is not reads
        ]
        if not all(same):
            self._note(
                f"operand #{read} and operand #{write} are said to be accessed in "
                "step, but in one buffer the results are others"
            )

    # Parts of tensors.

    def _check_part(self, part: Part) -> None:
        which = self._operands.get(part.operand)
        if which is None or part.operand in self._answers.copied:
            return
        shape = self._runs.buffers[which].shape
        if part.is_whole:
            self._check_overwritten(part, which, np.ones(shape, np.bool_))
        if part.box is None:
            self._findings.left_out["no box is known"] += 1
            return
        mask = mask_of(part.box, shape, self._number_of)
        if mask is None:
            self._findings.left_out["the size of the box is not known"] += 1
            return
        self._check_outside(part, which, mask)
        if part.is_overwritten:
            self._check_overwritten(part, which, mask)
        if part.is_extraction:
            self._check_extraction(part, which, mask)

    def _check_outside(self, part: Part, which: Given, mask: Mask) -> None:
        """Outside of the part nothing is read or written."""
        self._findings.checked["nothing outside of the part"] += 1
        after, before = self._base.elements[which], self._runs.buffers[which].values
        outside = ~mask.reshape(-1)
        if (after[outside] != before[outside]).any():
            self._note(
                f"the op is said to work on a part of operand #{part.operand}, but "
                "elements outside of the part change"
            )
        for fill in self._other_fills(which, ~mask):
            run = self._runs.run({which: fill})
            for what in self._differences(run, which, may_pass=True, passed=~mask):
                self._note(
                    f"the op is said to work on a part of operand #{part.operand}, "
                    f"but {what} with elements outside of the part"
                )

    def _check_overwritten(self, part: Part, which: Given, mask: Mask) -> None:
        """What the part was before does not matter."""
        self._findings.checked["the part is overwritten"] += 1
        for fill in self._other_fills(which, mask):
            run = self._runs.run({which: fill})
            differences = [*self._differences(run, which)]
            if differences or self._differ(run.elements[which], which):
                self._note(
                    f"the part of operand #{part.operand} is said to be overwritten, "
                    "but what it was before shows"
                )

    def _check_extraction(self, part: Part, which: Given, mask: Mask) -> None:
        """The result is the part, where it is in that buffer."""
        buffer = self._runs.buffers[which]
        for number, found in self._base.results.items():
            if not buffer.holds(found.addresses).any():
                continue
            self._findings.checked["the result is the part"] += 1
            if {*found.addresses.tolist()} != {
                *buffer.addresses[mask.reshape(-1)].tolist()
            }:
                self._note(
                    f"result #{number} is said to be a part of operand "
                    f"#{part.operand}, but has other elements"
                )

    def _number_of(self, value: SSAValue) -> int | None:
        constant = constant_integer(value)
        if constant is not None:
            return constant
        return self._numbers.get(value)

    @cached_property
    def _numbers(self) -> Mapping[SSAValue, int]:
        return {
            given.value: int(self._runs.buffers[given].values.view(np.int64)[0, 0])
            for given in self._runs.program.given
            if self._runs.buffers[given].itemsize == np.dtype(np.int64).itemsize
            and not given.type.get_shape()
        }


def _name(which: Argument) -> str:
    if not isinstance(which, Given):
        return f"result #{which.result}"
    if which.operand is None:
        return "a tensor that the body uses"
    return f"operand #{which.operand}"


def _is_bit(which: Given) -> bool:
    return str(which.type.element_type) == "i1"
