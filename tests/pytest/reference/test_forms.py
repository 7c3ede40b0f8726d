"""The forms that a second witness runs have every op that the reference knows."""

import re

from harness.cases import complex_numbers, memory
from harness.cases.forms import all_forms

from xdsl_bufferization.dialects.linalg.table import NAMED_OPS
from xdsl_bufferization.reference.evaluator import HANDLERS

_OP = re.compile(r"\b[a-z_]+\.[a-z_0-9.]+\b")

NOT_COMPARED = {
    **dict.fromkeys(
        (
            name
            for name in HANDLERS
            if name.startswith(("check.", "perf.", "tm_tensor."))
        ),
        "MLIR does not have the dialect",
    ),
    **dict.fromkeys(
        (name for name in HANDLERS if name.startswith("ml_program.")),
        "mlir-opt lowers no globals of tensors",
    ),
    "bufferization.dealloc": "its results depend on who owns buffers, not on contents",
    "bufferization.dealloc_tensor": "computes nothing",
    "cf.assert": "ends the process where it fails",
    "complex.constant": "arguments of main, in the text that is run",
    "tensor.bitcast": "no pass of mlir-opt bufferizes the op",
    "tensor.gather": "no pass of mlir-opt lowers the op",
    "tensor.scatter": "no pass of mlir-opt lowers the op",
    "vector.print": "prints",
    "vector.type_cast": "mlir-runner crashes; reference/test_every_op.py",
}
"""Ops that are not compared with MLIR, and why or where they are tested."""


def test_every_op_of_the_reference_is_compared_or_listed():
    texts = [form.text for form in all_forms()]
    texts += [case.program for case in (*complex_numbers.CASES, *memory.CASES)]
    written = {name for text in set(texts) for name in _OP.findall(text)}
    missing = {*HANDLERS, *NAMED_OPS} - written - NOT_COMPARED.keys()
    assert missing <= {"linalg.fill_rng_2d"}, sorted(missing)
