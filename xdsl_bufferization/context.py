"""A `Context` that knows xDSL's dialects and ours, with every model attached.

ctx = get_context()
module = Parser(ctx, text).parse_module()
"""

from xdsl.context import Context
from xdsl.universe import Universe

from xdsl_bufferization.dialects import extend
from xdsl_bufferization.models import attach_all


def get_context() -> Context:
    """A new `Context` with all dialects installed here, each loaded when first used."""
    attach_all()
    ctx = Context()
    factories = dict(Universe.get_multiverse().all_dialects)
    extend.extend_factories(factories)
    for name, factory in factories.items():
        ctx.register_dialect(name, factory)
    return ctx


def register(ctx: Context) -> None:
    """Make our ops known to `ctx`, and attach every model.

    `ctx` may be new, or have xDSL's dialects registered or loaded. Raises a
    `ValueError` if it has loaded another op under the name of one of ours.
    """
    attach_all()
    extend.extend_context(ctx)
