"""The names of `xbuf run --init-type`, apart from what makes the numbers.

`xbuf --help` lists the names, and should not import NumPy for that.
"""

from typing import Final

CONST: Final = "const"
SIMPLE: Final = "simple"
CONT: Final = "cont"
RANDOM: Final = "random"
NORMAL: Final = "normal"

INIT_TYPES: Final = (CONST, SIMPLE, CONT, RANDOM, NORMAL)
