"""Deallocations that are made wrong, executed, and looked at by the proof.

    PYTHONPATH=tests/pytest python -m harness.volume.deallocation_mutants --programs 500

Random programs are deallocated. Then one free of each is removed, done twice, moved up,
or done under the opposite condition. `memory_machine` runs the mutant with several
seeds, and sees each use of freed memory, each second free, and each leak. A mutant that
is wrong in a run must be found to be wrong. The program without a change must not.

With `--more-seeds 500`, mutants with an alarm that no run confirms are run so often
again, each function of them. Alarms that are left after that are listed.
"""

import argparse
import gc
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from xdsl.builder import Builder
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from harness.programs.buffer_programs import ARGUMENTS
from harness.programs.volume_programs import program
from harness.running.memory_machine import EndlessError, MemoryFaultError, run
from harness.volume.deallocation_volume import STRATEGIES
from xdsl_bufferization.bufferization.analyses.deallocation_proof.findings import Fault
from xdsl_bufferization.bufferization.analyses.deallocation_proof.functions import (
    prove_deallocation,
)
from xdsl_bufferization.bufferization.deallocation import (
    ownership_based_buffer_deallocation as ownership,
)
from xdsl_bufferization.bufferization.deallocation.expand_realloc import expand_reallocs
from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.support.errors import OperationError

SEEDS = 12
"""How often a mutant runs."""


def _conditional(module: ModuleOp) -> None:
    """By `bufferization.dealloc`, which is not lowered."""
    expand_reallocs(module, emit_deallocs=False)
    ownership.deallocate_by_ownership(module)


FORMS: dict[str, Callable[[ModuleOp], None]] = {
    "pipeline": STRATEGIES["ownership"],
    "conditional": _conditional,
    **{name: STRATEGIES[name] for name in ("dynamic", "early", "clone")},
}
"""How programs are deallocated before they are made wrong."""


# --- mutants -------------------------------------------------------------------------


def _remove(free: Operation, _: random.Random) -> bool:
    if any(result.uses for result in free.results):
        return False
    free.detach()
    free.erase()
    return True


def _double(free: Operation, _: random.Random) -> bool:
    if isinstance(free, DeallocOp) and not free.memrefs:
        return False
    block = free.parent
    assert block is not None
    block.insert_op_after(free.clone(), free)
    return True


def _move_up(free: Operation, rng: random.Random) -> bool:
    """Free before some op that comes earlier, but after what the free needs."""
    block = free.parent
    assert block is not None
    needed = {value.owner for value in free.operands}
    places: list[Operation] = []
    op = free.prev_op
    while op is not None and op not in needed:
        places.append(op)
        op = op.prev_op
    if not places:
        return False
    place = rng.choice(places)
    free.detach()
    block.insert_op_before(free, place)
    return True


def _negate(free: Operation, rng: random.Random) -> bool:
    if isinstance(free, DeallocOp):
        count = len(free.memrefs)
        if not count:
            return False
        return _negate_operand(free, count + rng.randrange(count))
    around = free.parent_op()
    if isinstance(around, scf.IfOp):
        return _negate_operand(around, 0)
    return _guard(free)


def _negate_operand(op: Operation, number: int) -> bool:
    builder = Builder(InsertPoint.before(op))
    yes = builder.insert(arith.ConstantOp(IntegerAttr.from_bool(True))).result
    op.operands[number] = builder.insert(arith.XOrIOp(op.operands[number], yes)).result
    return True


def _guard(free: Operation) -> bool:
    """Free under a condition of the same block, if there is one."""
    condition: SSAValue | None = None
    op = free.prev_op
    while op is not None and condition is None:
        found = [each for each in op.results if str(each.type) == "i1"]
        condition = found[0] if found else None
        op = op.prev_op
    if condition is None:
        return False
    block = free.parent
    assert block is not None
    guarded = scf.IfOp(condition, [], [free.clone(), scf.YieldOp()])
    block.insert_op_before(guarded, free)
    free.detach()
    free.erase()
    return True


MUTATIONS: dict[str, Callable[[Operation, random.Random], bool]] = {
    "removed": _remove,
    "doubled": _double,
    "moved up": _move_up,
    "negated": _negate,
}


def mutants(module: ModuleOp, rng: random.Random) -> Iterator[tuple[str, ModuleOp]]:
    """One of each kind, if the program has a free that it fits."""
    count = len(_frees(module))
    for name, mutate in MUTATIONS.items():
        for number in rng.sample(range(count), min(count, 3)):
            mutant = module.clone()
            if mutate(_frees(mutant)[number], rng):
                yield name, mutant
                break


def _frees(module: ModuleOp) -> list[Operation]:
    return [op for op in module.walk() if isinstance(op, memref.DeallocOp | DeallocOp)]


# --- execution -----------------------------------------------------------------------


def fault_in_a_run(module: ModuleOp) -> str | None:
    """What goes wrong in one of some runs of `@main`."""
    return _fault_in(module, "main", ARGUMENTS, range(SEEDS))


def _fault_in_many_runs(module: ModuleOp, seeds: int) -> str | None:
    """What goes wrong in one of many runs of any function, also if nobody calls it."""
    for function in module.ops:
        if isinstance(function, func.FuncOp) and not function.is_declaration:
            name = function.sym_name.data
            arguments = len(function.body.blocks[0].args)
            fault = _fault_in(module, name, arguments, range(seeds))
            if fault is not None:
                return fault
    return None


def _fault_in(
    module: ModuleOp, entry: str, arguments: int, seeds: Iterable[int]
) -> str | None:
    for seed in seeds:
        with suppress(EndlessError):
            try:
                outcome = run(module, entry, seed, arguments)
            except MemoryFaultError as error:
                return str(error)
            if outcome.leaked:
                return f"leaked: {outcome.leaked[0]}"
    return None


@dataclass
class Tally:
    """What became of programs and of their mutants."""

    programs: int = 0
    undecided: Counter[str] = field(default_factory=Counter[str])
    wrong: Counter[str] = field(default_factory=Counter[str])
    """By mutation: mutants that were wrong in a run, and found."""

    unconfirmed: int = 0
    """Mutants that were found to be wrong, and were right in all runs."""

    confirmed_later: int = 0
    """Those of them that were wrong in one of many more runs."""

    notes: list[str] = field(default_factory=list[str])
    """The other ones."""

    right: int = 0
    failures: list[str] = field(default_factory=list[str])

    def check(self, number: int, form: str, *, more_seeds: int = 0) -> None:
        """Look at one program in one form, and at its mutants."""
        module = program(number).module
        try:
            FORMS[form](module)
        except OperationError:
            return
        found = prove_deallocation(module)
        self.programs += 1
        if found.faults:
            message = found.faults[0].message
            self.failures.append(f"program {number}, {form}: false alarm: {message}")
        for undecided in found.undecided[:1]:
            self.undecided[undecided.why] += 1
        if number % 10 and not found.faults:
            for name, mutant in mutants(module, random.Random(number)):
                title = f"program {number}, {form}, {name}"
                self._check_mutant(title, name, mutant, more_seeds)

    def _check_mutant(
        self, title: str, name: str, mutant: ModuleOp, more_seeds: int
    ) -> None:
        found = prove_deallocation(mutant)
        fault = fault_in_a_run(mutant)
        if fault is None:
            self.unconfirmed += bool(found.faults)
            self.right += not found.faults
            if found.faults and more_seeds:
                self._run_more(title, mutant, found.faults[0], more_seeds)
        elif found.faults:
            self.wrong[name] += 1
        elif found.undecided:
            self.undecided[found.undecided[0].why] += 1
        else:
            self.failures.append(f"{title}: missed: {fault}")

    def _run_more(
        self, title: str, mutant: ModuleOp, alarm: Fault, more_seeds: int
    ) -> None:
        if _fault_in_many_runs(mutant, more_seeds) is None:
            self.notes.append(f"{title}: {alarm.message}")
        else:
            self.confirmed_later += 1


def main(arguments: Sequence[str]) -> int:
    """Check as many programs as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of a program")
    parser.add_argument("--form", action="append", choices=FORMS, help="default: all")
    parser.add_argument("--more-seeds", type=int, default=0, help="see above")
    options = parser.parse_args(arguments)
    tally = Tally()
    gc.disable()
    started = time.process_time()
    for number in range(options.first, options.first + options.programs):
        for form in options.form or FORMS:
            tally.check(number, form, more_seeds=options.more_seeds)
        if number % 20 == 19:
            gc.collect()
    sys.stdout.write("".join(f"{each}\n" for each in (*tally.notes, *tally.failures)))
    sys.stdout.write(
        f"{tally.programs} programs, {tally.wrong.total()} wrong mutants found "
        f"({dict(tally.wrong)}), {tally.unconfirmed} alarms that no run confirms "
        f"({tally.confirmed_later} confirmed by more runs), "
        f"{tally.right} mutants right, {dict(tally.undecided)} not decided, "
        f"{len(tally.failures)} failures, {time.process_time() - started:.0f} s\n"
    )
    return int(bool(tally.failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
