"""What ops do whose classes in xDSL have no docstring, in a sentence each.

Source: https://mlir.llvm.org/docs/Dialects/
"""

from typing import Final

SUMMARIES: Final = {
    "affine.yield": "Passes values to the op around it.",
    "arith.addf": "The sum of two numbers.",
    "arith.addi": "The sum of two integers; what does not fit is cut off.",
    "arith.andi": "The bits that are set in both integers.",
    "arith.ceildivsi": "The quotient of two signed integers, rounded up.",
    "arith.ceildivui": "The quotient of two unsigned integers, rounded up.",
    "arith.divf": "The quotient of two numbers.",
    "arith.maxsi": "The larger of two signed integers.",
    "arith.maxui": "The larger of two unsigned integers.",
    "arith.minsi": "The smaller of two signed integers.",
    "arith.minui": "The smaller of two unsigned integers.",
    "arith.mulf": "The product of two numbers.",
    "arith.muli": "The product of two integers; what does not fit is cut off.",
    "arith.negf": "The number with the other sign.",
    "arith.ori": "The bits that are set in one of two integers, or in both.",
    "arith.remsi": "The remainder of a division of signed integers.",
    "arith.subf": "The difference of two numbers.",
    "arith.subi": "The difference of two integers; what does not fit is cut off.",
    "arith.xori": "The bits that are set in exactly one of two integers.",
    "builtin.module": "Holds functions, globals and other symbols.",
    "builtin.unrealized_conversion_cast": "Stands between types for a while.",
    "func.return": "Ends a function, and returns values to its caller.",
    "scf.condition": "Says whether an scf.while goes on, and with what.",
    "vector.fma": "The product of two vectors, plus a third.",
}
