"""The models of operations, each looked up once for a type of op.

    models = KnownModels(options)
    models.bufferizable[type(op)]     # None if these ops are not to be bufferized
    models.insertions.of(ops)         # the subset insertions among them, with models

Ops are many and types few: a look-up here is that of a dictionary, where xDSL's goes
through all traits of the op. Models that are attached later are not seen.
"""

from collections.abc import Callable, Collection
from typing import TypeVar

from xdsl.ir import Operation
from xdsl.traits import OpTrait

from .bufferizable import BufferizableOpInterface, has_own_answer
from .options import BufferizationOptions
from .region_branch import RegionBranchOpInterface
from .subset import (
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
    SubsetOpInterface,
)

_Model = TypeVar("_Model", bound=OpTrait)


class ModelsByType(dict[type[Operation], _Model | None]):
    """The models of one interface; None for a type of op that has none."""

    def __init__(self, find: Callable[[type[Operation]], _Model | None]):
        super().__init__()
        self._find = find

    def __missing__(self, op_type: type[Operation]) -> _Model | None:
        model = self[op_type] = self._find(op_type)
        return model

    def of(self, ops: Collection[Operation]) -> list[tuple[Operation, _Model]]:
        """Those of `ops` that have a model, in order, with it."""
        found = {
            op_type: model
            for op_type in set(map(type, ops))
            if (model := self[op_type]) is not None
        }
        if not found:
            return []
        return [(op, found[type(op)]) for op in ops if type(op) in found]


def models_of(interface: type[_Model]) -> ModelsByType[_Model]:
    """The models that types of ops have of an interface, whatever the options say."""
    return ModelsByType(lambda op_type: op_type.get_trait(interface))


def allowed_models(
    options: BufferizationOptions,
) -> ModelsByType[BufferizableOpInterface]:
    """The models of the ops that may be bufferized."""
    return ModelsByType(
        lambda op_type: (
            op_type.get_trait(BufferizableOpInterface)
            if options.is_op_allowed(op_type)
            else None
        )
    )


class KnownModels:
    """The models that the analysis of tensors asks, under some options."""

    def __init__(self, options: BufferizationOptions):
        self.bufferizable = allowed_models(options)
        self.region_branches = models_of(RegionBranchOpInterface)
        self.subsets = models_of(SubsetOpInterface)
        self.insertions = models_of(SubsetInsertionOpInterface)
        self.extractions = models_of(SubsetExtractionOpInterface)
        self.forcing = self._with_own_answer("must_bufferize_in_place")
        self.copying = self._with_own_answer("may_copy_in_place")
        self.resolving = self._with_own_answer("resolve_conflicts")
        self.carrying = self._with_own_answer("carried_values")
        self.excusing = self._with_own_answer("is_not_conflicting")

    def _with_own_answer(self, question: str) -> ModelsByType[BufferizableOpInterface]:
        """The models that do not leave a question to the default."""
        return ModelsByType(
            lambda op_type: (
                model
                if (model := self.bufferizable[op_type]) is not None
                and has_own_answer(model, question)
                else None
            )
        )
