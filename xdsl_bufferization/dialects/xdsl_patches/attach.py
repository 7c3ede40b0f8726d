"""Adding traits to operation classes that exist already.

An op of ours names its traits in `traits_def`. Ops of xDSL, and of anybody else, get
theirs here: `attach` is the only place of this package that changes the traits of an
operation class.

    attach(arith.SelectOp, SelectOpBufferization())
    select_op.get_trait(BufferizableOpInterface)  # the answers of SelectOpBufferization
"""

from collections.abc import Iterable, Iterator

from typing_extensions import override
from xdsl.ir import Operation, OpTraits
from xdsl.irdl import IRDLOperation
from xdsl.traits import (
    ConditionallySpeculatable,
    HasCanonicalizationPatternsTrait,
    MemoryEffect,
    OpTrait,
    ReturnLike,
)

from xdsl_bufferization.support.locks import fork_safe_lock
from xdsl_bufferization.support.xdsl_releases.contents import same_contents

from .first_use import prepare

_LOCK = fork_safe_lock()


class _OwnTraits(OpTraits):
    """The traits of exactly one operation class: what it had, and what was attached.

    In xDSL, sibling classes that inherit their traits share one `OpTraits` object
    (`memref.collapse_shape` and `memref.expand_shape`, for example): a trait added to
    it would reach all of them.
    """

    owner: type[Operation]
    attached: list[OpTrait]
    corrected: dict[type[OpTrait], OpTrait]
    """What takes the place of inherited traits, by their class."""

    def __init__(self, owner: type[Operation], inherited: OpTraits):
        self.owner = owner
        self.inherited = inherited
        self.attached = []
        self.corrected = {}
        self._begin()

    def _begin(self) -> None:
        self._in_order: tuple[OpTrait, ...] | None = None
        self._all: frozenset[OpTrait] | None = None
        super().__init__(
            lambda: (*map(self._correct, self.inherited.traits), *self.attached)
        )

    def _correct(self, trait: OpTrait) -> OpTrait:
        found = (new for kind, new in self.corrected.items() if isinstance(trait, kind))
        return next(found, trait)

    def correct(self, kind: type[OpTrait], trait: OpTrait) -> None:
        """Let `trait` take the place of the inherited trait of a class."""
        self.corrected[kind] = trait
        self._begin()

    @property
    @override
    def traits(self) -> frozenset[OpTrait]:
        if self._all is None:
            self._all = frozenset(self.gen_traits())
        return self._all

    @override
    def __iter__(self) -> Iterator[OpTrait]:
        # The order of a set is another one in each process, and patterns are tried in
        # the order of the traits that have them: ours first, then those of xDSL.
        if self._in_order is None:
            known = self.traits
            first = [trait for trait in self.attached if trait in known]
            self._in_order = tuple(
                dict.fromkeys((*first, *sorted(known, key=_describe)))
            )
        return iter(self._in_order)

    @override
    def add_trait(self, trait: OpTrait) -> None:
        # Remembered for the first use of traits that are declared lazily.
        self.attached.append(trait)
        self._in_order = None
        if self._all is not None:
            self._all |= {trait}

    def known(self) -> Iterator[OpTrait]:
        """All traits, or those attached if the declared ones cannot be known yet."""
        try:
            return iter(self.traits)
        except (NameError, ImportError):
            # Traits declared lazily, in a module that is still being imported, may
            # name classes that come later in it.
            return iter(self.attached)


def attach(op_type: type[Operation], *traits: OpTrait) -> None:
    """Add `traits` to `op_type`, and to no other operation class.

    Attaching an equal trait again does nothing. Attaching a second model of one
    interface raises a `ValueError`: which of two models answers would depend on the
    order of a set. Nothing is attached then.
    """
    prepare(op_type)
    with _LOCK:
        _guests.update(filter(_is_guest, map(_describe, traits)))
        own = _own_traits(op_type)
        present = list(own.known())
        for trait in traits:
            if not _is_among(present, trait, op_type):
                present.append(trait)
        for trait in traits:
            own.add_trait(trait)


_guests: set[str] = set()
"""The traits that somebody else has attached."""


def has_guests() -> bool:
    """Whether anybody has attached traits of another package than this one."""
    return bool(_guests)


def _is_guest(description: str) -> bool:
    return description.partition(".")[0] not in ("xdsl", __name__.partition(".")[0])


def correct(op_type: type[Operation], kind: type[OpTrait], trait: OpTrait) -> None:
    """Let `trait` take the place of the trait of class `kind` that xDSL gave an op."""
    with _LOCK:
        _own_traits(op_type).correct(kind, trait)


_KNOWLEDGE = (
    ConditionallySpeculatable,
    HasCanonicalizationPatternsTrait,
    MemoryEffect,
    ReturnLike,
)
"""Traits that say more of an op, and never that it is invalid."""


def attach_knowledge(op_type: type[Operation], *traits: OpTrait) -> None:
    """Add what MLIR knows of an op of xDSL: effects, speculation, canonicalization.

    Other traits among `traits` would refuse programs that xDSL accepts; they are left
    out. What the class has already stays, as do canonicalization patterns of xDSL.
    """
    more = [trait for trait in traits if isinstance(trait, _KNOWLEDGE)]
    if not more:
        return
    with _LOCK:
        own = _own_traits(op_type)
        for trait in more:
            own.add_trait(trait)


def interfaces_of(trait_type: type[OpTrait]) -> tuple[type[OpTrait], ...]:
    """The interfaces that a trait answers: its base classes directly below `OpTrait`.

    An op has one model of each. xDSL's memory effects are no such interface: it takes
    the union of all that an op has.
    """
    return tuple(
        base
        for base in trait_type.__mro__
        if OpTrait in base.__bases__ and base is not MemoryEffect
    )


def _own_traits(op_type: type[Operation]) -> _OwnTraits:
    """The traits of `op_type` in an object that it shares with no other class."""
    traits = op_type.traits
    # A class may have those of a class that it derives from.
    if isinstance(traits, _OwnTraits) and traits.owner is op_type:
        return traits
    own = _OwnTraits(op_type, traits)
    op_type.traits = own
    if issubclass(op_type, IRDLOperation) and _has_own_definition(op_type):
        # Where xDSL looks for the traits whose `verify` it runs.
        op_type.get_irdl_definition().traits = own
    return own


def _has_own_definition(op_type: type[IRDLOperation]) -> bool:
    """Whether a class has a definition of its own, and no inherited one."""
    getter = op_type.get_irdl_definition.__func__
    bases = (base for base in op_type.__mro__[1:] if issubclass(base, IRDLOperation))
    return all(base.get_irdl_definition.__func__ is not getter for base in bases)


def _is_among(
    present: Iterable[OpTrait], trait: OpTrait, op_type: type[Operation]
) -> bool:
    """Whether an equal trait is `present`; a `ValueError` if a rival of it is."""
    interfaces = set(interfaces_of(type(trait)))
    for other in present:
        if other == trait and same_contents(other, trait):
            return True
        for interface in interfaces_of(type(other)):
            if interface in interfaces:
                raise ValueError(
                    f"'{op_type.name}' already answers {interface.__name__} with "
                    f"{_describe(other)}, so {_describe(trait)} cannot be attached; "
                    "keep one of the two models"
                )
    return False


def _describe(trait: OpTrait) -> str:
    return f"{type(trait).__module__}.{type(trait).__qualname__}"
