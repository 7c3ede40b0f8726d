"""The text of ResNet-18 with random weights: 46 MB of them, which are 94 MB of text.

    python benchmarks/resnet.py resnet18.mlir
    python benchmarks/resnet.py resnet18.mlir --arguments     weights are arguments

The layers and sizes are those of He et al., "Deep Residual Learning for Image
Recognition" (2015), table 1. Batch normalisation is folded into weights and biases.
"""

import sys
from pathlib import Path

import numpy as np

_WIDTHS = (64, 128, 256, 512)
_BLOCKS = 2
_CLASSES = 1000
_PARALLEL = ", ".join(['"parallel"'] * 4)


class Resnet:
    """The text of a network, while it is written."""

    def __init__(
        self, size: int = 224, *, seed: int = 0, holds_weights: bool = True
    ) -> None:
        self.arguments = [f"%image: tensor<1x3x{size}x{size}xf32>"]
        self._holds_weights = holds_weights
        self.lines: list[str] = []
        self.data: list[str] = []
        self._random = np.random.default_rng(seed)
        self._size = size
        self._names = 0

    def text(self) -> str:
        """The whole program: `@main` from an image to scores of classes."""
        value, shape = self._stem(f"1x3x{self._size}x{self._size}")
        for stage, width in enumerate(_WIDTHS):
            for block in range(_BLOCKS):
                stride = 2 if stage and not block else 1
                value, shape = self._block(value, shape, width, stride)
        value = self._head(value, shape)
        body = "\n".join(f"  {line}" for line in self.lines)
        data = ",\n".join(self.data)
        return f"""#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
func.func @main({", ".join(self.arguments)})
    -> tensor<1x{_CLASSES}xf32> {{
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
{body}
  return {value} : tensor<1x{_CLASSES}xf32>
}}
{{-# dialect_resources: {{ builtin: {{
{data}
}} }} #-}}
"""

    def _new(self) -> str:
        self._names += 1
        return f"%v{self._names}"

    def _weights(self, shape: str) -> str:
        if not self._holds_weights:
            self.arguments.append(f"%w{len(self.arguments)}: tensor<{shape}xf32>")
            return f"%w{len(self.arguments) - 1}"
        sizes = [int(size) for size in shape.split("x")]
        scale = np.sqrt(2 / max(1, np.prod(sizes[1:])))
        numbers = self._random.normal(0, scale, sizes).astype("<f4")
        name, value = f"w{len(self.data)}", self._new()
        self.data.append(f'{name}: "0x04000000{numbers.tobytes().hex().upper()}"')
        self.lines.append(
            f"{value} = arith.constant dense_resource<{name}> : tensor<{shape}xf32>"
        )
        return value

    def _stem(self, shape: str) -> tuple[str, str]:
        value, shape = self._convolution("%image", shape, 64, 7, 2)
        value = self._relu(value, shape)
        value, padded = self._pad(value, shape, 1, "%lowest")
        half = str(self._size // 4)
        out = f"1x64x{half}x{half}"
        filled, pooled = self._filled(out, "%lowest"), self._new()
        window = self._new()
        self.lines += [
            f"{window} = tensor.empty() : tensor<3x3xf32>",
            f"{pooled} = linalg.pooling_nchw_max {{dilations = dense<1> : "
            "vector<2xi64>, strides = dense<2> : vector<2xi64>} "
            f"ins({value}, {window} : tensor<{padded}xf32>, tensor<3x3xf32>) "
            f"outs({filled} : tensor<{out}xf32>) -> tensor<{out}xf32>",
        ]
        return pooled, out

    def _block(
        self, value: str, shape: str, width: int, stride: int
    ) -> tuple[str, str]:
        left, half = self._convolution(value, shape, width, 3, stride)
        left, out = self._convolution(self._relu(left, half), half, width, 3, 1)
        if out != shape:
            value, _ = self._convolution(value, shape, width, 1, stride)
        empty, total = self._new(), self._new()
        self.lines += [
            f"{empty} = tensor.empty() : tensor<{out}xf32>",
            f"{total} = linalg.add ins({left}, {value} : tensor<{out}xf32>, "
            f"tensor<{out}xf32>) outs({empty} : tensor<{out}xf32>) "
            f"-> tensor<{out}xf32>",
        ]
        return self._relu(total, out), out

    def _convolution(
        self, value: str, shape: str, width: int, kernel: int, stride: int
    ) -> tuple[str, str]:
        _, channels, height, _ = shape.split("x")
        size = int(height) // stride
        out = f"1x{width}x{size}x{size}"
        weights = f"{width}x{channels}x{kernel}x{kernel}"
        w, bias = self._weights(weights), self._weights(str(width))
        if kernel > 1:
            value, shape = self._pad(value, shape, kernel // 2, "%zero")
        empty, start, result = self._new(), self._new(), self._new()
        self.lines += [
            f"{empty} = tensor.empty() : tensor<{out}xf32>",
            f"{start} = linalg.broadcast ins({bias} : tensor<{width}xf32>) "
            f"outs({empty} : tensor<{out}xf32>) dimensions = [0, 2, 3]",
            f"{result} = linalg.conv_2d_nchw_fchw {{dilations = dense<1> : "
            f"vector<2xi64>, strides = dense<{stride}> : vector<2xi64>}} "
            f"ins({value}, {w} : tensor<{shape}xf32>, tensor<{weights}xf32>) "
            f"outs({start} : tensor<{out}xf32>) -> tensor<{out}xf32>",
        ]
        return result, out

    def _pad(self, value: str, shape: str, by: int, number: str) -> tuple[str, str]:
        n, c, h, w = map(int, shape.split("x"))
        out, padded = f"{n}x{c}x{h + 2 * by}x{w + 2 * by}", self._new()
        self.lines += [
            f"{padded} = tensor.pad {value} low[0, 0, {by}, {by}] "
            f"high[0, 0, {by}, {by}] {{",
            "^bb0(%a: index, %b: index, %c: index, %d: index):",
            f"  tensor.yield {number} : f32",
            f"}} : tensor<{shape}xf32> to tensor<{out}xf32>",
        ]
        return padded, out

    def _filled(self, shape: str, number: str) -> str:
        empty, filled = self._new(), self._new()
        self.lines += [
            f"{empty} = tensor.empty() : tensor<{shape}xf32>",
            f"{filled} = linalg.fill ins({number} : f32) "
            f"outs({empty} : tensor<{shape}xf32>) -> tensor<{shape}xf32>",
        ]
        return filled

    def _relu(self, value: str, shape: str) -> str:
        empty, result = self._new(), self._new()
        self.lines += [
            f"{empty} = tensor.empty() : tensor<{shape}xf32>",
            f"{result} = linalg.generic {{indexing_maps = [#all, #all], "
            f"iterator_types = [{_PARALLEL}]}} ins({value} : tensor<{shape}xf32>) "
            f"outs({empty} : tensor<{shape}xf32>) {{",
            "^bb0(%a: f32, %b: f32):",
            "  %r = arith.maximumf %a, %zero : f32",
            "  linalg.yield %r : f32",
            f"}} -> tensor<{shape}xf32>",
        ]
        return result

    def _head(self, value: str, shape: str) -> str:
        """The mean of each channel, and a matrix product."""
        _, channels, h, w = shape.split("x")
        count = int(h) * int(w)
        total, mean = self._new(), self._new()
        row, empty, result = self._new(), self._new(), self._new()
        start = self._filled(channels, "%zero")
        weights = self._weights(f"{channels}x{_CLASSES}")
        bias = self._weights(f"1x{_CLASSES}")
        self.lines += [
            f"{total} = linalg.reduce ins({value} : tensor<{shape}xf32>) "
            f"outs({start} : tensor<{channels}xf32>) dimensions = [0, 2, 3]",
            "  (%in: f32, %acc: f32) {",
            "    %s = arith.addf %in, %acc : f32",
            "    linalg.yield %s : f32",
            "  }",
            f"%count = arith.constant dense<{count}.0> : tensor<{channels}xf32>",
            f"{empty} = tensor.empty() : tensor<{channels}xf32>",
            f"{mean} = linalg.div ins({total}, %count : tensor<{channels}xf32>, "
            f"tensor<{channels}xf32>) outs({empty} : tensor<{channels}xf32>) "
            f"-> tensor<{channels}xf32>",
            f"{row} = tensor.expand_shape {mean} [[0, 1]] output_shape "
            f"[1, {channels}] : tensor<{channels}xf32> into tensor<1x{channels}xf32>",
            f"{result} = linalg.matmul ins({row}, {weights} : "
            f"tensor<1x{channels}xf32>, tensor<{channels}x{_CLASSES}xf32>) "
            f"outs({bias} : tensor<1x{_CLASSES}xf32>) -> tensor<1x{_CLASSES}xf32>",
        ]
        return result


if __name__ == "__main__":
    program = Resnet(holds_weights="--arguments" not in sys.argv)
    Path(sys.argv[1]).write_text(program.text())
