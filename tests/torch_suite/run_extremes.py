"""Extreme numbers through PyTorch's element-wise ops, and the score.

    python tests/torch_suite/run_extremes.py [--dtypes float32 int8] [--filter REGEX]

The ops are those of `op_db` of the installed PyTorch, unary and binary ones and all
others that are element-wise. `op_extremes.py` says with which numbers. Each op goes
through `torch.compile(..., backend="xbuf")`, forwards, and backwards for floats. Each
element is compared by itself with PyTorch's. The options are those of `run_ops.py`.
"""

# pyright: basic, reportMissingImports=false

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from torch_suite.run_ops import main

TYPES = (
    *("float32", "float64", "float16", "bfloat16"),
    *("int8", "uint8", "int16", "int32", "int64", "bool"),
)

if __name__ == "__main__":
    sys.exit(
        main(["--extremes", "--samples", "100", "--dtypes", *TYPES, *sys.argv[1:]])
    )
