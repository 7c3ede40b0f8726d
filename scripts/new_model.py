"""Write the model of an op for one-shot-bufferize, and its file check.

    make new-model OP=math.absf

The op is in a file check of its dialect already, whose operands the new check takes. As
written, a model reads all tensors of the op, and writes none of them. An op without
results stays on buffers. One whose operands and results have the same shape becomes a
loop over elements, with a buffer for the result. For other ops, see
`docs/bufferize_your_op.md`.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import update_filecheck
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation, Region
from xdsl.utils.exceptions import DiagnosticException, ParseError
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.bufferizable import get_model
from xdsl_bufferization.bufferization.interfaces.operands import is_tensor_type
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.dialects.printing import mlir_text

ROOT = Path(__file__).parents[1]
MODELS = ROOT / "xdsl_bufferization" / "bufferization" / "models" / "bufferizable"
CHECKS = ROOT / "tests" / "filecheck"
TESTS = CHECKS / "transforms" / "one-shot-bufferize"

IMPORTS = """\
from typing_extensions import override
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, Operation

from {module} import {op_class}

from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.state import BufferizationState
from ..buffer_code import allocate, buffer_type_of, compute, sizes_of
from .looking_ops import LookingOpBufferization
from .new_tensors import NewTensorBufferization, new_buffer_type
"""

LOOKING = '''\
class {op_class}Bufferization(LookingOpBufferization):
    """`{op}`: reads its tensors, and is the same op on buffers."""


'''

ELEMENTWISE = '''\
class {op_class}Bufferization(NewTensorBufferization):
    """`{op}`: reads its tensors, and computes each element of a new buffer."""

    @override
    def bufferize(self, op: Operation, state: BufferizationState) -> None:
        buffers = [state.get_buffer(value) for value in op.operands]
        sizes = sizes_of(buffers[0], state)
        result = allocate(new_buffer_type(op, state), sizes, state)
        elements = [buffer_type_of(each).element_type for each in (*buffers, result)]
        body = Block(arg_types=elements)
        scalar = type(op).create(
            operands=body.args[:-1],
            result_types=[elements[-1]],
            properties=op.properties,
            attributes=op.attributes,
        )
        body.add_ops([scalar, linalg.YieldOp(scalar.results[0])])
        compute(result, buffers, body, state)
        state.replace_op(op, [result])


'''

TABLE = "MODELS: dict[type[Operation], BufferizableOpInterface] = {\n"

RUN = "// RUN: xbuf opt -p 'one-shot-bufferize{bufferize-function-boundaries}' %s"


class CannotWriteError(Exception):
    """There is no model that could be written, and why."""


def main(arguments: Sequence[str]) -> int:
    """Write the model and the check, and say where."""
    parser = argparse.ArgumentParser(description="Write a model and its file check.")
    parser.add_argument("op", help="the name of the op: math.absf")
    name: str = parser.parse_args(arguments).op
    try:
        for file in write(name):
            sys.stdout.write(f"{file.relative_to(ROOT)}\n")
    except CannotWriteError as error:
        sys.stderr.write(f"new-model: error: {error}\n")
        return 2
    return 0


def write(name: str) -> Iterator[Path]:
    """Write the two files; raises `CannotWriteError`."""
    example = find_example(name, get_context())
    dialect, _, short = name.partition(".")
    file, check = MODELS / f"{dialect}.py", TESTS / f"{dialect}_{short}.mlir"
    before = file.read_text() if file.exists() else _new_module(dialect)
    text = add_model(before, example)
    program = program_of(example)
    file.write_text(text)
    _tidy(file)
    yield file
    check.write_text(f"{RUN} | filecheck %s\n\n{program}")
    update_filecheck.main([str(check)])
    yield check


def find_example(name: str, ctx: Context) -> Operation:
    """An op of that name on tensors, of a file check of its dialect."""
    dialect = name.partition(".")[0]
    if ctx.get_optional_op(name) is None:
        raise CannotWriteError(f"there is no op '{name}'")
    for file in sorted((CHECKS / "dialects" / dialect).glob("**/*.mlir")):
        for part in re.split(r"^// -----.*$", file.read_text(), flags=re.MULTILINE):
            for op in _ops_of(part, ctx) if name in part else ():
                types = [value.type for value in (*op.operands, *op.results)]
                if op.name == name and any(map(is_tensor_type, types)):
                    if get_model(op) is not None:
                        raise CannotWriteError(f"'{name}' has a model")
                    return op
    raise CannotWriteError(
        f"no file of tests/filecheck/dialects/{dialect} has '{name}' on tensors; "
        "write one first"
    )


def _ops_of(text: str, ctx: Context) -> Iterator[Operation]:
    try:
        yield from parse_module(text, "check", ctx).walk()
    except (DiagnosticException, ParseError):
        return  # A part that is wrong on purpose.


def add_model(text: str, op: Operation) -> str:
    """The text of a module of models, with one more."""
    if TABLE not in text:
        raise CannotWriteError(f"'{TABLE.strip()}' is not in the file of the dialect")
    op_type = type(op)
    names = {"op": op.name, "op_class": op_type.__name__, "module": op_type.__module__}
    head, table = text.split(TABLE)
    docstring, _, code = head.partition('"""\n\n')
    model = _form_of(op).format(**names)
    entry = f"    {op_type.__name__}: {op_type.__name__}Bufferization(),\n"
    imports = IMPORTS.format(**names)
    return f'{docstring}"""\n\n{imports}{code}{model}{TABLE}{entry}{table}'


def _form_of(op: Operation) -> str:
    """The model that fits an op."""
    if op.regions:
        raise CannotWriteError(f"'{op.name}' has a region; see docs/op_with_region.md")
    if not op.results:
        return LOOKING
    types = [value.type for value in (*op.operands, *op.results)]
    tensors = [each for each in types if isa(each, TensorType)]
    shapes = {each.get_shape() for each in tensors}
    if len(op.results) == 1 and len(tensors) == len(types) and len(shapes) == 1:
        return ELEMENTWISE
    raise CannotWriteError(
        f"'{op.name}' is not computed element by element; see docs/bufferize_your_op.md"
    )


def _new_module(dialect: str) -> str:
    return f'"""Bufferization of the {dialect} dialect."""\n\n\n{TABLE}}}\n'


def _tidy(file: Path) -> None:
    """Sort the imports, and remove those that the model does not need."""
    ruff = [str(Path(sys.executable).with_name("ruff"))]
    check = ["check", "--quiet", "--select", "I,F401", "--fix", str(file)]
    for arguments in (check, ["format", "--quiet", str(file)]):
        subprocess.run([*ruff, *arguments], check=True)


def program_of(example: Operation) -> str:
    """A function with one op: its operands are arguments, its results are returned."""
    block = Block(arg_types=[value.type for value in example.operands])
    mapper = dict(zip(example.operands, block.args, strict=True))
    op = example.clone(value_mapper={**mapper})
    block.add_ops([op, func.ReturnOp(*op.results)])
    types = ([each.type for each in block.args], [each.type for each in op.results])
    name = example.name.replace(".", "_")
    function = func.FuncOp(name, types, Region(block))
    return f"{mlir_text(function)}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
