"""A `Context` that knows xDSL's dialects and ours, with every model attached.

ctx = get_context()
module = Parser(ctx, text).parse_module()
"""

import sys
from collections.abc import Callable
from functools import lru_cache

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.ir import Dialect
from xdsl.universe import Universe

from xdsl_bufferization.dialects.common.definitions import (
    EXTENDED_DIALECTS,
    OWN_DIALECTS,
    own_factory,
)
from xdsl_bufferization.dialects.common.wider_context import WiderContext

from .models import attach_all


def get_context() -> Context:
    """A new `Context` with all dialects installed here, each loaded when first used."""
    attach_all()
    ctx = WiderContext(Context())
    dialects = _installed_dialects(Universe.get_multiverse, tuple(sys.path))
    # A package that has a dialect of one of these names keeps the name.
    ours = {name: own_factory(name) for name in OWN_DIALECTS}
    for name, factory in (ours | dialects).items():
        ctx.register_dialect(name, factory)
    return ctx


@lru_cache(maxsize=8)
def _installed_dialects(
    find: Callable[[], Universe], path: tuple[str, ...]
) -> dict[str, Callable[[], Dialect]]:
    """The dialects of xDSL and of all packages in `path`, which are searched once."""
    return find().all_dialects


def register(ctx: Context) -> None:
    """Let programs that are read with `ctx` have our ops, and attach every model.

    `ctx` may be new, or have xDSL's dialects registered or loaded. An op that it knows
    under the name of one of ours stays the one that it knows. The others are loaded
    into it when a program has them: `WiderContext(ctx)` finds them by name before that.
    """
    attach_all()
    registered = {*ctx.registered_dialect_names}
    for name, factory in get_all_dialects().items():
        if name in EXTENDED_DIALECTS and name not in registered:
            ctx.register_dialect(name, factory)
