"""What to say of an op that nobody has defined: what is missing, or what was meant."""

from collections.abc import Iterable
from difflib import get_close_matches

from xdsl.context import Context

from .definitions import OWN_DIALECTS, load_extension
from .left_out import why_left_out

_SIMILARITY = 0.75
"""How much of two names must be equal, from 0 to 1, before one is offered."""

_LONGEST_NAME = 200
"""In characters. Comparing two names takes time that is quadratic in their length."""


def why_unknown(ctx: Context, name: str) -> str:
    """A sentence on the op `name`, which `ctx` does not know.

    Operation arith.adi is not registered: dialect 'arith' has no such op; did you
    mean arith.addi?
    """
    if (reason := why_left_out(name)) is not None:
        return f"'{name}' is not supported: {reason}"
    dialect, dot, rest = name.partition(".")
    known = {*ctx.registered_dialect_names, *OWN_DIALECTS}
    if not dot:
        reason = "the name of an op begins with its dialect, as in arith.addi"
    elif dialect in known:
        ops = {op.name for op in ctx.loaded_ops} | set(
            load_extension(dialect).operations
        )
        prefix = f"{dialect}."
        rests = (op.removeprefix(prefix) for op in ops if op.startswith(prefix))
        reason = f"dialect '{dialect}' has no such op{_close(rest, rests, prefix)}"
    else:
        reason = (
            f"dialect '{dialect}' is not known{_close(dialect, known)}; install the "
            "package that has it, or load it into the context"
        )
    return f"Operation {name} is not registered: {reason}"


def _close(name: str, names: Iterable[str], prefix: str = "") -> str:
    if len(name) > _LONGEST_NAME:
        return ""
    close = get_close_matches(name, sorted(names), n=1, cutoff=_SIMILARITY)
    return f"; did you mean {prefix}{close[0]}?" if close else ""
