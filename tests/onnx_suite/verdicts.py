"""What becomes of a case: equal, refused or wrong; an error of another kind is a crash."""

# ONNX is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import numpy as np
from onnx.backend.test.runner import Runner

from onnx_suite.cases import Case
from torch_suite.op_workers import Record
from xdsl_bufferization import jit
from xdsl_bufferization.frontends.onnx.errors import UnsupportedModelError
from xdsl_bufferization.runtime.errors import ProgramError


def verdict_of(case: Case) -> Record:
    """Compile a case, call it, and compare."""
    try:
        function = jit(case.model)
        for inputs, expected in case.data:
            results = function(*inputs)
            outputs = results if isinstance(results, tuple) else (results,)
            Runner.assert_similar_outputs(expected, outputs, _rtol(case), case.atol)
    except UnsupportedModelError as error:
        return {"verdict": "refused", "reason": str(error)}
    except ProgramError as error:
        # A check of the compiled code has stopped it.
        return {"verdict": "refused", "reason": f"at run time: {error}"}
    except AssertionError as error:
        return {"verdict": "wrong", "reason": " ".join(str(error).split())[:300]}
    return {"verdict": "equal", "reason": ""}


def _rtol(case: Case) -> float:
    """As ONNX has it; two of the last digits of float16, as it has for bfloat16."""
    halves = any(
        getattr(each, "dtype", None) == np.float16
        for _, outputs in case.data
        for each in outputs
    )
    return max(case.rtol, 2**-9) if halves else case.rtol
