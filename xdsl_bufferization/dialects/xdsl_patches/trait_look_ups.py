"""A trait of a class of ops is searched for once.

    op.has_trait(IsTerminator)

xDSL 0.74 goes through all traits of the class for each op. The set of traits is another
object as soon as a trait is added, so that an answer is kept for a set.
"""

from collections.abc import Callable
from typing import Any, Final

from xdsl.ir import Operation
from xdsl.traits import OpTrait

from .first_use import prepare

_Key = tuple[int, Any]

_MOST: Final = 1 << 14
"""So many answers are kept."""


def find_once(in_xdsl: Any) -> Any:
    """`Operation.get_trait`, which keeps the answer for a set of traits."""
    find: Callable[[type[Operation], Any], OpTrait | None] = in_xdsl.__func__
    known: dict[_Key, tuple[frozenset[OpTrait], OpTrait | None]] = {}

    def get_trait(
        cls: type[Operation], trait: type[OpTrait] | OpTrait
    ) -> OpTrait | None:
        prepare(cls)
        traits = cls.traits.traits
        key = id(traits), trait
        entry = known.get(key)
        if entry is None:
            if len(known) >= _MOST:
                known.clear()
            entry = known[key] = traits, find(cls, trait)
        return entry[1]

    return classmethod(get_trait)


def find_all_once(in_xdsl: Any) -> Any:
    """`Operation.get_traits_of_type`, which keeps the answer for a set of traits."""
    find: Callable[[type[Operation], Any], list[OpTrait]] = in_xdsl.__func__
    known: dict[_Key, tuple[frozenset[OpTrait], tuple[OpTrait, ...]]] = {}

    def get_traits_of_type(
        cls: type[Operation], trait_type: type[OpTrait]
    ) -> list[OpTrait]:
        prepare(cls)
        traits = cls.traits.traits
        key = id(traits), trait_type
        entry = known.get(key)
        if entry is None:
            if len(known) >= _MOST:
                known.clear()
            entry = known[key] = traits, tuple(find(cls, trait_type))
        return [*entry[1]]

    return classmethod(get_traits_of_type)
