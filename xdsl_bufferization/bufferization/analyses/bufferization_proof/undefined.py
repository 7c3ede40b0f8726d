"""Tensors whose contents nobody gave: no read of one can miss an element.

    %0 = tensor.empty()              // nobody gave these elements
    %1 = scf.if %c -> (...) {        // nor those of %1
      scf.yield %0
    } else {
      %2 = tensor.empty()
      scf.yield %2
    }
    %3 = tensor.insert %x into %1    // those of %3 matter

The largest such set is found: what a loop passes on counts until something that has
contents is passed on, too.
"""

from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir import Operation, OpResult, SSAValue

from ...interfaces.operands import OpOperand, is_tensor
from ...interfaces.region_branch import get_region_branch
from .questions import Questions


def find_undefined(
    root: Operation,
    questions: Questions,
    passed: Mapping[SSAValue, Sequence[OpOperand]],
) -> set[SSAValue]:
    """The tensors inside of `root` without contents; `passed` is what values get."""
    sources: dict[SSAValue, Sequence[SSAValue]] = {}
    for value in _tensors(root, passed):
        found = _sources(value, questions, passed)
        if found is not None:
            sources[value] = found
    becomes: dict[SSAValue, list[SSAValue]] = {}
    for value, found in sources.items():
        for source in found:
            becomes.setdefault(source, []).append(value)
    todo = [value for value in becomes if value not in sources]
    while todo:
        gone = [value for value in becomes.get(todo.pop(), ()) if value in sources]
        for value in gone:
            sources.pop(value, None)
        todo += gone
    return set(sources)


def _tensors(
    root: Operation, passed: Mapping[SSAValue, Sequence[OpOperand]]
) -> Iterator[SSAValue]:
    yield from passed
    for op in root.walk():
        yield from (r for r in op.results if is_tensor(r) and r not in passed)


def _sources(
    value: SSAValue,
    questions: Questions,
    passed: Mapping[SSAValue, Sequence[OpOperand]],
) -> Sequence[SSAValue] | None:
    """What would have to be without contents too; None if the value surely has some."""
    if value in passed:
        if _is_of_parallel_loop(value):
            return None
        return [operand.value for operand in passed[value]]
    assert isinstance(value, OpResult)
    answers = questions.ask(value.op)
    if answers is None or answers.model.result_bufferizes_to_memory_write(
        value, questions.decisions
    ):
        return None
    links = next(links for result, links in answers.links if result is value)
    if not links:
        return [] if answers.model.bufferizes_to_allocation(value) else None
    written = {use.operand for use in answers.uses if use.writes}
    if any(link.operand in written for link in links):
        return None
    return [link.operand.value for link in links]


def _is_of_parallel_loop(value: SSAValue) -> bool:
    """Whether iterations insert into what results in `value`, and pass on nothing."""
    if not isinstance(value, OpResult):
        return False
    regions = get_region_branch(value.op)
    return regions is not None and any(
        regions.is_parallel_region(value.op, number)
        for number in range(len(value.op.regions))
    )
