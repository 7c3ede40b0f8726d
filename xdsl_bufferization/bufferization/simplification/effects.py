"""What ops do to memory, asked of each class once where that is enough.

    arith.addf          // does nothing, as all ops of its class
    linalg.generic      // depends on its operands

xDSL 0.74 makes a set of effects of each op whenever one is asked for, and of all ops
inside of it. The answers are xDSL's.
"""

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue
from xdsl.traits import (
    EffectInstance,
    IsolatedFromAbove,
    IsTerminator,
    MemoryEffect,
    MemoryEffectKind,
    NoMemoryEffect,
    RecursiveMemoryEffect,
    SymbolOpInterface,
)


class _Kind(NamedTuple):
    """What is the same for all ops of a class."""

    is_terminator: bool
    is_symbol: bool
    is_isolated: bool
    effects: tuple[MemoryEffect, ...] | None
    """What says what an op does to memory; None if nothing does."""
    is_recursive: bool
    """Whether an op also does what the ops inside do."""


def _kind_of(cls: type[Operation]) -> _Kind:
    effects = cls.get_traits_of_type(MemoryEffect)
    return _Kind(
        cls.has_trait(IsTerminator, value_if_unregistered=False),
        cls.has_trait(SymbolOpInterface, value_if_unregistered=False),
        cls.has_trait(IsolatedFromAbove, value_if_unregistered=True),
        tuple(
            each
            for each in effects
            if not _answers_as(each, NoMemoryEffect)
            and not _answers_as(each, RecursiveMemoryEffect)
        )
        if effects
        else None,
        any(_answers_as(each, RecursiveMemoryEffect) for each in effects),
    )


def _answers_as(effect: MemoryEffect, trait: type[MemoryEffect]) -> bool:
    answer = getattr(effect.get_effects, "__func__", None)
    return answer is getattr(trait.get_effects, "__func__", None)


class Kinds(dict[type[Operation], _Kind]):
    """What is known of each class, found when it is asked for."""

    def __missing__(self, cls: type[Operation]) -> _Kind:
        kind = self[cls] = _kind_of(cls)
        return kind

    def is_dead(self, op: Operation) -> bool:
        """As `is_trivially_dead`."""
        return all(result.first_use is None for result in op.results) and self.may_go(
            op
        )

    def may_go(self, op: Operation) -> bool:
        """As `would_be_trivially_dead`: whether an op without users goes."""
        kind = self[type(op)]
        if kind.is_terminator or kind.is_symbol:
            return False
        return all(
            effect is not None and _is_kept_inside(effect, op)
            for effect in self._effects(op)
        )

    def is_free(self, op: Operation) -> bool:
        """As `is_side_effect_free`."""
        return next(self._effects(op), _NOTHING) is _NOTHING

    def only_reads(self, op: Operation) -> bool:
        """As `only_has_effect` of reads."""
        return all(
            effect is not None and effect.kind is MemoryEffectKind.READ
            for effect in self._effects(op)
        )

    def _effects(self, op: Operation) -> Iterator[EffectInstance | None]:
        """The effects of an op, one by one; None for one that is not known."""
        kind = self[type(op)]
        if kind.effects is None:
            yield None
            return
        for effect in kind.effects:
            found = effect.get_effects(op)
            if found is None:
                yield None
                return
            yield from found
        if kind.is_recursive:
            for region in op.regions:
                for block in region.blocks:
                    for each in block.ops:
                        yield from self._effects(each)


_NOTHING = object()


def _is_kept_inside(effect: EffectInstance, root: Operation) -> bool:
    """Whether nobody outside of `root` sees an effect but for the results of `root`."""
    if effect.kind is MemoryEffectKind.ALLOC and isinstance(effect.value, SSAValue):
        return root.is_ancestor(effect.value.owner)
    return effect.kind is MemoryEffectKind.READ
