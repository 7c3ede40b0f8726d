"""Random convolutions of both layouts."""

import numpy as np

from harness.programs.packs.relayouts import Program


def random_convolution(rng: np.random.Generator, *, channels_last: bool) -> Program:
    """A function `@f` with one convolution of blocks of 2, 3 or 4 channels."""
    images, height, width, r, s = (int(size) for size in rng.integers(1, 4, 5))
    inputs, outputs = (int(size) for size in rng.choice([12, 24], 2))
    strides = rng.integers(1, 3, 2)
    dilations = rng.integers(1, 3, 2)
    # As many rows and columns as it takes for `height` and `width` of the output.
    rows, columns = (np.array([height, width]) - 1) * strides + 1
    rows, columns = np.array([rows, columns]) + (np.array([r, s]) - 1) * dilations
    if channels_last:
        name = "conv_2d_nhwc_hwcf"
        image, filter_ = (images, rows, columns, inputs), (r, s, inputs, outputs)
        output = (images, height, width, outputs)
    else:
        name = "conv_2d_nchw_fchw"
        image, filter_ = (images, inputs, rows, columns), (outputs, inputs, r, s)
        output = (images, outputs, height, width)
    shapes = [image, filter_, output]
    i, f, o = (f"tensor<{'x'.join(map(str, shape))}xf32>" for shape in shapes)
    window = (
        f"strides = dense<{strides.tolist()}> : tensor<2xi64>, "
        f"dilations = dense<{dilations.tolist()}> : tensor<2xi64>"
    )
    text = f"""
    func.func @f(%i: {i}, %f: {f}, %o: {o}) -> {o} {{
      %0 = linalg.{name} {{{window}}} ins(%i, %f : {i}, {f}) outs(%o : {o}) -> {o}
      return %0 : {o}
    }}
    """
    arguments = [rng.integers(-3, 4, shape).astype(np.float32) for shape in shapes]
    return Program(text, arguments)
