"""What becomes of a case: equal, refused or wrong; any other error is a crash."""

# ONNX is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

from collections.abc import Sequence
from typing import Any

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
            _compare(expected, outputs, case)
    except UnsupportedModelError as error:
        return {"verdict": "refused", "reason": str(error)}
    except ProgramError as error:
        # A check of the compiled code has stopped it.
        return {"verdict": "refused", "reason": f"at run time: {error}"}
    except AssertionError as error:
        return {"verdict": "wrong", "reason": " ".join(str(error).split())[:300]}
    return {"verdict": "equal", "reason": ""}


def _compare(expected: Sequence[Any], outputs: Sequence[Any], case: Case) -> None:
    """As ONNX does, with two differences.

    Of float16, two of the last digits may differ, as ONNX lets those of bfloat16 do. A
    number may be off by the last digit of the largest in its tensor: what is 0 for one
    order of additions is not for another.
    """
    if len(expected) != len(outputs):
        raise AssertionError(f"{len(outputs)} outputs, not {len(expected)}")
    for one, other in zip(expected, outputs, strict=True):
        rtol, atol = case.rtol, case.atol
        if getattr(one, "dtype", None) in (np.float16, np.float32, np.float64):
            finite = np.abs(one[np.isfinite(one)])
            atol = max(atol, float(np.finfo(one.dtype).eps * finite.max(initial=0)))
            rtol = max(rtol, 2**-9) if one.dtype == np.float16 else rtol
        Runner.assert_similar_outputs([one], [other], rtol, atol)
