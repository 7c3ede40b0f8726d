"""What plain xDSL loses of programs when it prints and reads them.

    python tests/pytest/harness/guest/round_trips.py < programs.json

The input is a list of programs in generic form. xDSL prints each one in its custom form
and reads the text again. The output says, as JSON, which programs are others then.
"""

import json
import sys
from io import StringIO

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer


def _parse(text: str) -> ModuleOp:
    ctx = Context(allow_unregistered=True)
    for name, factory in get_all_dialects().items():
        ctx.register_dialect(name, factory)
    return Parser(ctx, text).parse_module()


def _generic(module: ModuleOp) -> str:
    output = StringIO()
    Printer(output, print_generic_format=True).print_op(module)
    return output.getvalue()


def is_lost(program: str) -> bool:
    """Whether a program is another one after it was printed and read."""
    module = _parse(program)
    try:
        return _generic(_parse(str(module))) != _generic(module)
    except Exception:
        # xDSL's parser raises anything at text that it cannot read.
        return True


if __name__ == "__main__":
    assert not any(name.startswith("xdsl_bufferization") for name in sys.modules)
    json.dump([is_lost(program) for program in json.load(sys.stdin)], sys.stdout)
