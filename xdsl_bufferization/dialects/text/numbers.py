"""How MLIR writes floats, where xDSL writes them otherwise.

    dense<[0x7F800000, 3.40282347E+38]>      # xDSL 0.74: 0x7f800000, 3.40282347e+38

Both forms mean the same and parse here and there; but text that differs from MLIR's for
no reason is hard to compare.
"""

import math

from xdsl.dialects.builtin import AnyFloat, Float32Type, Float64Type


def _wide_float_text(value: float) -> str:
    """A float whose type xDSL has no bits of."""
    mantissa, exponent = f"{value:.5e}".split("e")
    text = f"{mantissa}0e{exponent}"
    if math.isfinite(value) and float(text) != value:
        mantissa, e, exponent = f"{value:.17g}".partition("e")
        mantissa += "" if "." in mantissa else ".0"
        return f"{mantissa}E{int(exponent):+d}" if e else mantissa
    return text


def float_text(value: float, type_: AnyFloat) -> str:
    """A float with six digits if that says it all, else with more, else its bits."""
    try:
        type_.pack((value,))
    except NotImplementedError:
        return _wide_float_text(value)
    bits = f"0x{type_.pack((value,))[::-1].hex().upper()}"
    if math.isnan(value) or math.isinf(value):
        return bits
    mantissa, exponent = f"{value:.5e}".split("e")
    text = f"{mantissa}0e{exponent}"
    if type_.unpack(type_.pack((float(text),)), 1)[0] == value:
        return text
    text = repr(value)
    if isinstance(type_, Float32Type | Float64Type):
        text = f"{value:.9g}" if isinstance(type_, Float32Type) else f"{value:.17g}"
    mantissa, e, exponent = text.partition("e")
    if "." not in mantissa:
        return bits
    return f"{mantissa}E{int(exponent):+d}" if e else mantissa
