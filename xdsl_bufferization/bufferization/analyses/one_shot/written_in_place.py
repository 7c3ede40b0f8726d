"""Which insertions of a slice have nothing to do, as the slice is in its place already.

    %0 = tensor.extract_slice %t[0][4][1]          // a view of the buffer of %t
    %1 = linalg.fill ins(%f) outs(%0)              // in place: fills the view
    %2 = tensor.insert_slice %1 into %t[0][4][1]   // nothing left to do

The source of such an insertion is equivalent to a view, and the view was extracted from
the same part of an equivalent buffer. Cost: linear in the extractions that are
equivalent to the source.
"""

from collections.abc import Hashable, Iterator

from xdsl.ir import Operation, SSAValue

from ...interfaces.operands import is_tensor
from ...interfaces.subset import WHOLE
from ..tensor_facts.subsets import Subsets
from .decisions import Decisions


class InsertionsInPlace:
    """Knows the extractions in place behind every class of equivalent values."""

    def __init__(self, decisions: Decisions, subsets: Subsets):
        self._decisions = decisions
        self._models = decisions.facts.models
        self._views: dict[Hashable, list[Operation]] = {}
        self._moved = {decisions.class_of(value) for value in decisions.maybe_moved}
        for op, model in subsets.extractions:
            if decisions.is_in_place(model.get_container(op)):
                root = decisions.class_of(op.results[0])
                self._views.setdefault(root, []).append(op)

    def is_written_in_place(self, insertion: Operation) -> bool:
        """Whether the source is the view of the destination that it is put into."""
        model = self._models.insertions[type(insertion)]
        if model is None:
            return False
        source, container = model.get_source(insertion), model.get_container(insertion)
        if not is_tensor(container.value):
            return False  # What becomes part of a buffer is copied there.
        decisions = self._decisions
        if not (decisions.is_in_place(source) and decisions.is_in_place(container)):
            return False
        root = decisions.class_of(source.value)
        if root in self._moved:
            # Some of the class may lie elsewhere, copied for the sake of its layout.
            return False
        if model.get_subset(insertion) == WHOLE:
            return decisions.are_equivalent_buffers(source.value, container.value)
        return any(True for _ in self.views_of(insertion))

    def views_of(self, insertion: Operation) -> Iterator[Operation]:
        """The extractions in place of what an insertion overwrites.

        The source is one buffer with each of them.
        """
        model = self._models.insertions[type(insertion)]
        if model is None or not is_tensor(model.get_container(insertion).value):
            return
        container = model.get_container(insertion).value
        root = self._decisions.class_of(model.get_source(insertion).value)
        for view in self._views.get(root, ()):
            if model.operates_on_equivalent_subset(
                insertion, view
            ) and self._has_container(view, container):
                yield view

    def _has_container(self, view: Operation, container: SSAValue) -> bool:
        model = self._models.extractions[type(view)]
        return model is not None and self._decisions.are_equivalent_buffers(
            model.get_container(view).value, container
        )
