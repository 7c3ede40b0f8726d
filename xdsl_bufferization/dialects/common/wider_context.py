"""A context that also finds what xDSL's dialects lack.

    WiderContext(ctx).get_op("memref.reshape")    # xDSL has no such op

All else is asked of the context that is given. If that one knows an op, attribute or
type by a name, it is found: what xDSL or another package has comes first. What is found
here is loaded into the given context, so that passes find by name what a program has.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Self, TypeVar

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute

from .definitions import OWN_DIALECTS, Extension, load_extension

_Found = TypeVar("_Found")


@lru_cache(maxsize=1 << 10)
def _unregistered_op(name: str) -> type[Operation]:
    """The class for ops that nobody knows by a name.

    No context remembers it. xDSL's would, and then find it where the name is short for
    another one, as `return` is inside of a function.
    """
    return UnregisteredOp.with_name(name)


class WiderContext(Context):
    """A context that knows what `given` knows, and what xDSL lacks."""

    given: Context

    def __init__(self, given: Context) -> None:
        # A context without tables of its own: xDSL's constructor would make some.
        self.given = given

    @classmethod
    def of(cls, ctx: Context) -> Self:
        """`ctx` as one of these: itself if it is one, and wrapped once if not."""
        if isinstance(ctx, cls):
            return ctx
        return cls(ctx.given if isinstance(ctx, WiderContext) else ctx)

    # What is found beside what the given context knows.

    @override
    def get_optional_op(
        self, name: str, *, dialect_stack: Sequence[str] = ()
    ) -> type[Operation] | None:
        def look_up() -> type[Operation] | None:
            return self.given.get_optional_op(name, dialect_stack=dialect_stack)

        found = self._known(look_up)
        if found is not None:
            return found
        names = (name, *(f"{dialect}.{name}" for dialect in reversed(dialect_stack)))
        for each in names:
            ours = self._find(each, lambda extension: extension.operations)
            if ours is not None:
                self.given.load_op(ours)
                return ours
        return _unregistered_op(name) if self.given.allow_unregistered else None

    @override
    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        return self._get_optional(name, self.given.get_optional_attr, is_type=False)

    @override
    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        return self._get_optional(name, self.given.get_optional_type, is_type=True)

    def _get_optional(
        self, name: str, look_up: Callable[[str], _Found | None], *, is_type: bool
    ) -> _Found | None:
        found = self._known(lambda: look_up(name))
        if found is not None:
            return found
        ours = self._find(name, lambda extension: extension.attributes)
        if ours is not None and issubclass(ours, TypeAttribute) == is_type:
            self.given.load_attr_or_type(ours)
        return look_up(name)

    def _known(self, look_up: Callable[[], _Found]) -> _Found:
        """What a look-up finds that does not make up unregistered things."""
        if not self.given.allow_unregistered:
            return look_up()
        self.given.allow_unregistered = False
        try:
            return look_up()
        finally:
            self.given.allow_unregistered = True

    def _find(self, name: str, kind: Callable[[Extension], Any]) -> type[Any] | None:
        dialect, dot, _ = name.partition(".")
        if not dot or not self._has_room_for(dialect):
            return None
        return kind(load_extension(dialect)).get(name)

    def _has_room_for(self, dialect: str) -> bool:
        """Whether our part of a dialect is for that context.

        What somebody else calls `shape`, say, is not what we call so.
        """
        is_registered = dialect in self.given.registered_dialect_names
        return is_registered != (dialect in OWN_DIALECTS)

    # What the given context is asked for.

    @property
    @override
    def allow_unregistered(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride], a field that the given context has
        """Whether names that nobody knows are accepted."""
        return self.given.allow_unregistered

    @allow_unregistered.setter
    @override
    def allow_unregistered(self, allow: bool) -> None:  # pyright: ignore[reportIncompatibleVariableOverride], as above
        self.given.allow_unregistered = allow

    @override
    def clone(self) -> "WiderContext":
        return type(self)(self.given.clone())

    @property
    @override
    def loaded_ops(self) -> Iterable[type[Operation]]:
        return self.given.loaded_ops

    @property
    @override
    def loaded_attrs(self) -> Iterable[type[Attribute]]:
        return self.given.loaded_attrs

    @property
    @override
    def loaded_types(self) -> Iterable[type[TypeAttribute]]:
        return self.given.loaded_types

    @property
    @override
    def loaded_dialects(self) -> Iterable[Dialect]:
        return self.given.loaded_dialects

    @property
    @override
    def registered_dialect_names(self) -> Iterable[str]:
        return self.given.registered_dialect_names

    @override
    def register_dialect(
        self, name: str, dialect_factory: Callable[[], Dialect]
    ) -> None:
        self.given.register_dialect(name, dialect_factory)

    @override
    def load_registered_dialect(self, name: str) -> None:
        self.given.load_registered_dialect(name)

    @override
    def load_dialect(self, dialect: Dialect) -> None:
        self.given.load_dialect(dialect)

    @override
    def load_op(self, op: type[Operation]) -> None:
        self.given.load_op(op)

    @override
    def load_attr_or_type(self, attr: type[Attribute]) -> None:
        self.given.load_attr_or_type(attr)

    @override
    def get_optional_dialect(self, name: str) -> Dialect | None:
        return self.given.get_optional_dialect(name)

    def __getattr__(self, name: str) -> Any:
        # What a context of somebody's own class has. A copy begins without `given`.
        if name == "given":
            raise AttributeError(name)
        return getattr(self.given, name)

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, WiderContext) and self.given == other.given

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.given!r})"
