"""Windows whose steps nobody wrote: strides and dilations are 1."""

import numpy as np
import pytest

import xdsl_bufferization as xbuf
from xdsl_bufferization.pipelines.linalg_to_loops import write_default_windows
from xdsl_bufferization.tools.common.program import parse_passes, run_passes

CONVOLUTION = """
func.func @f(%x: tensor<1x2x3x3xf32>, %w: tensor<2x2x2x2xf32>,
             %o: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %0 = linalg.conv_2d_nchw_fchw SIZES
      ins(%x, %w : tensor<1x2x3x3xf32>, tensor<2x2x2x2xf32>)
      outs(%o : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}
"""

WRITTEN = "{strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}"


@pytest.mark.parametrize("written", ["", WRITTEN])
def test_loops_are_those_of_mlir(written: str):
    module = xbuf.parse(CONVOLUTION.replace("SIZES", written))
    run_passes(
        module,
        parse_passes(
            "default-tpp-passes{linalg-to-loops modify-public-functions=false}"
        ),
    )
    x = np.arange(18, dtype=np.float32).reshape(1, 2, 3, 3)
    weights = np.ones((2, 2, 2, 2), np.float32)
    out = np.zeros((1, 2, 2, 2), np.float32)
    found = xbuf.compile(module, opt_level=0)["f"](x, weights, out)
    sums = sum(
        x[0, c, i : i + 2, j : j + 2] for c in (0, 1) for i in (0, 1) for j in (0, 1)
    )
    np.testing.assert_array_equal(np.asarray(found), np.stack([sums, sums])[None])


def test_what_is_written_stays():
    other = WRITTEN.replace("dense<1>", "dense<2>")
    text = CONVOLUTION.replace("SIZES", other).replace("3x3", "5x5")
    module = xbuf.parse(text)
    before = str(module)
    write_default_windows(module)
    assert str(module) == before
