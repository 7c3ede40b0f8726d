"""`Resize` along one dimension after the other, by weights that are constants.

    y = Resize(x, mode=nearest)    ->    Gather(Gather(x, rows), columns)
    y = Resize(x, mode=linear)     ->    W_rows @ x @ W_columns

The formulas are those of ONNX's documentation of `Resize`.
"""

from collections.abc import Sequence

import numpy as np

from .rule import Rewriting
from .types import Numbers


def write_resize(r: Rewriting) -> Sequence[str] | None:
    """A gather, or a product with weights, for each dimension."""
    shape = r.shape(0)
    mode = r.attribute("coordinate_transformation_mode", b"half_pixel").decode()
    if shape is None or 0 in shape or mode == "tf_crop_and_resize":
        return None
    found = _scales(r, shape)
    if found is None:
        return None
    x, b = r.operand(0), r.build
    for axis, (scale, size) in found.items():
        if size == shape[axis] and scale == 1:
            continue
        places = _coordinates(mode, scale, shape[axis], size)
        if r.attribute("mode", b"nearest") == b"nearest":
            nearest = _rounded(r, places).clip(0, shape[axis] - 1).astype(np.int64)
            x = b.add("Gather", [x, b.constant(nearest)], axis=axis)
            continue
        if r.type(0).dtype not in ("float32", "float64", "float16", "bfloat16"):
            return None
        weights = _weights(r, places, scale, shape[axis])
        order = [*range(len(shape))]
        order[axis], order[-1] = order[-1], order[axis]
        last = b.add("Transpose", [x], perm=order)
        product = b.add("MatMul", [last, b.constant(weights.T, r.type(0).dtype)])
        x = b.add("Transpose", [product], perm=order)
    return [x]


def _scales(r: Rewriting, shape: Sequence[int]) -> dict[int, tuple[float, int]] | None:
    """The scale and the new size of each dimension that is resized."""
    axes: list[int] = [n % len(shape) for n in r.attribute("axes", range(len(shape)))]
    scales, sizes = r.value(2), r.value(3)
    if sizes is not None and sizes.size:
        wanted = [int(size) for size in sizes]
        factors = [n / shape[axis] for n, axis in zip(wanted, axes, strict=True)]
        policy = r.attribute("keep_aspect_ratio_policy", b"stretch")
        if policy != b"stretch":
            one = min(factors) if policy == b"not_larger" else max(factors)
            factors = [one] * len(axes)
            wanted = [int(np.floor(shape[axis] * one + 0.5)) for axis in axes]
    elif scales is not None and scales.size:
        factors = [float(scale) for scale in scales]
        wanted = [
            int(np.floor(shape[axis] * scale))
            for axis, scale in zip(axes, factors, strict=True)
        ]
    else:
        return None
    return dict(zip(axes, zip(factors, wanted, strict=True), strict=True))


def _coordinates(mode: str, scale: float, size: int, wanted: int) -> Numbers:
    """Where each new element is among the old ones."""
    new = np.arange(wanted, dtype=np.float64)
    length = scale * size
    if mode == "align_corners":
        return np.zeros(wanted) if length == 1 else new * (size - 1) / (length - 1)
    if mode == "asymmetric":
        return new / scale
    if mode == "pytorch_half_pixel" and length <= 1:
        return np.zeros(wanted)
    places = (new + 0.5) / scale - 0.5
    if mode == "half_pixel_symmetric":
        return places + size / 2 * (1 - wanted / length)
    return places


def _rounded(r: Rewriting, places: Numbers) -> Numbers:
    """The nearest old element."""
    match r.attribute("nearest_mode", b"round_prefer_floor"):
        case b"round_prefer_ceil":
            return np.floor(places + 0.5)
        case b"floor":
            return np.floor(places)
        case b"ceil":
            return np.ceil(places)
        case _:
            return np.ceil(places - 0.5)


def _weights(r: Rewriting, places: Numbers, scale: float, size: int) -> Numbers:
    """How much of each old element is in each new one."""
    is_cubic = r.attribute("mode") == b"cubic"
    stretch = min(scale, 1.0) if r.attribute("antialias", 0) else 1.0
    reach = int(np.ceil((2 if is_cubic else 1) / stretch))
    first = np.floor(places).astype(np.int64)
    near = first[:, None] + np.arange(-reach, reach + 2)
    distances = np.abs(near - places[:, None]) * stretch
    factor = r.attribute("cubic_coeff_a", -0.75)
    values = _cubic(distances, factor) if is_cubic else np.maximum(1 - distances, 0)
    if r.attribute("exclude_outside", 0):
        values = np.where((near >= 0) & (near < size), values, 0)
    values = values / values.sum(1, keepdims=True)
    weights = np.zeros((len(places), size))
    rows = np.broadcast_to(np.arange(len(places))[:, None], near.shape)
    np.add.at(weights, (rows, near.clip(0, size - 1)), values)
    return weights


def _cubic(distances: Numbers, a: float) -> Numbers:
    """The weights of a cubic convolution, by Keys (1981)."""
    near = ((a + 2) * distances - (a + 3)) * distances**2 + 1
    far = ((a * distances - 5 * a) * distances + 8 * a) * distances - 4 * a
    return np.where(distances <= 1, near, np.where(distances < 2, far, 0))
