"""A program and its passes in one file, so that a failure can be shown to others.

    xbuf opt -p cse,my-pass in.mlir --mlir-pass-pipeline-crash-reproducer=failure.mlir
    xbuf opt --run-reproducer failure.mlir

The file has the program as it was written, and the pipeline in a resource, as those of
mlir-opt do:

    {-# external_resources: { mlir_reproducer: { pipeline: "builtin.module(cse)" } } #-}
"""

import json
import re
from collections.abc import Sequence

from xdsl_bufferization.support.whole_files import write_text

from ..common.diagnostics import UserError
from .pass_calls import parse_pipeline
from .passes import Available, PassStep, make_steps, one_line

_PIPELINE = re.compile(
    r'\bmlir_reproducer\s*:\s*\{[^}]*?\bpipeline\s*:\s*("(?:[^"\\]|\\.)*")', re.DOTALL
)

_RESOURCE = """
{{-#
  external_resources: {{
    mlir_reproducer: {{
      pipeline: {pipeline},
      disable_threading: true,
      verify_each: true
    }}
  }}
#-}}
"""


def write_reproducer(file: str, text: str, steps: Sequence[PassStep]) -> None:
    """Write a program and its passes to a file. Raises `OSError`."""
    pipeline = json.dumps(one_line(steps))
    write_text(file, text.rstrip() + "\n" + _RESOURCE.format(pipeline=pipeline))


def steps_of(file: str, text: str, available: Available) -> tuple[PassStep, ...]:
    """The passes that a reproducer names. Raises `UserError` if it names none."""
    found = _PIPELINE.search(text)
    if found is None:
        raise UserError(
            file,
            "there is no pipeline in this file; write it by "
            "--mlir-pass-pipeline-crash-reproducer",
        )
    return make_steps(parse_pipeline(json.loads(found[1])), available)
