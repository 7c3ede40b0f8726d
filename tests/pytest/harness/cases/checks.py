"""Programs with an op that demands something, and calls that give it and do not.

The op is in the line with `// here`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

_F32 = np.arange(1, 33, dtype=np.float32)


@dataclass(frozen=True)
class Demand:
    """A program, and calls of its function `f`."""

    text: str
    right: tuple[Any, ...]
    wrong: tuple[Any, ...]
    reason: str
    """What a checked program says of the wrong call."""


def _on_buffer(type_: str, body: str, result: str = "f32") -> str:
    return (
        f"func.func @f(%m: {type_}, %i: index, %n: index) -> {result} {{\n"
        "  %c0 = arith.constant 0 : index\n"
        "  %c1 = arith.constant 1 : index\n"
        f"{body}"
        f"  return %r : {result}\n"
        "}\n"
    )


def _on_integers(body: str, type_: str = "i32") -> str:
    return (
        f"func.func @f(%a: {type_}, %b: {type_}) -> {type_} {{\n"
        f"  {body}  // here\n"
        f"  return %r : {type_}\n"
        "}\n"
    )


_ROWS = _F32.reshape(8, 4)
_LOAD_OF_ROWS = "  %r = memref.load %v[%c0, %c0] : {}\n"
_STRIDED = "memref<?x4xf32, strided<[4, 1], offset: ?>>"
_VECTOR = "vector<4xf32>"
_SUM = f"  %r = vector.reduction <add>, %x : {_VECTOR} into f32\n"
_MASK = (
    "  %mask = vector.create_mask %n : vector<4xi1>\n"
    "  %zero = arith.constant dense<0.0> : vector<4xf32>\n"
)
_ANY = "memref<?xf32>"
_STEPS = (
    "  %z = arith.constant 0.0 : f32\n"
    "  %r = scf.for %k = %c0 to %c1 step %n iter_args(%s = %z) -> f32 {  // here\n"
    "    scf.yield %s : f32\n"
    "  }\n"
)

DEMANDS = {
    "load": Demand(
        _on_buffer(_ANY, f"  %r = memref.load %m[%i] : {_ANY}  // here\n"),
        (_F32, 31, 0),
        (_F32, 32, 0),
        "'memref.load': index 32 is out of bounds: dimension 0 has size 32",
    ),
    "negative index": Demand(
        _on_buffer(_ANY, f"  %r = memref.load %m[%i] : {_ANY}  // here\n"),
        (_F32, 0, 0),
        (_F32, -1, 0),
        "'memref.load': index -1 is out of bounds: dimension 0 has size 32",
    ),
    "store": Demand(
        _on_buffer(
            "memref<?x4xf32>",
            "  %r = arith.constant 2.0 : f32\n"
            "  memref.store %r, %m[%i, %n] : memref<?x4xf32>  // here\n",
        ),
        (_ROWS.copy(), 7, 3),
        (_ROWS.copy(), 7, 4),
        "'memref.store': index 4 is out of bounds: dimension 1 has size 4",
    ),
    "atomic": Demand(
        _on_buffer(
            _ANY,
            "  %x = arith.constant 2.0 : f32\n"
            f"  %r = memref.atomic_rmw addf %x, %m[%i] : (f32, {_ANY}) -> f32"
            "  // here\n",
        ),
        (_F32.copy(), 31, 0),
        (_F32.copy(), 32, 0),
        "'memref.atomic_rmw': index 32 is out of bounds: dimension 0 has size 32",
    ),
    "generic atomic": Demand(
        _on_buffer(
            _ANY,
            f"  %r = memref.generic_atomic_rmw %m[%i] : {_ANY} {{  // here\n"
            "  ^bb0(%x: f32):\n"
            "    %y = arith.addf %x, %x : f32\n"
            "    memref.atomic_yield %y : f32\n"
            "  }\n",
        ),
        (_F32.copy(), 31, 0),
        (_F32.copy(), 32, 0),
        "'memref.generic_atomic_rmw': index 32 is out of bounds",
    ),
    "affine load": Demand(
        _on_buffer(_ANY, f"  %r = affine.load %m[%i + 2] : {_ANY}  // here\n"),
        (_F32, 29, 0),
        (_F32, 30, 0),
        "'affine.load': index 32 is out of bounds: dimension 0 has size 32",
    ),
    "vector load": Demand(
        _on_buffer(
            _ANY, f"  %x = vector.load %m[%i] : {_ANY}, {_VECTOR}  // here\n{_SUM}"
        ),
        (_F32, 28, 0),
        (_F32, 29, 0),
        "'vector.load': the elements from 29 to 29 + 3 are out of bounds: dimension 0 "
        "has size 32",
    ),
    "transfer in bounds": Demand(
        _on_buffer(
            _ANY,
            "  %z = arith.constant 0.0 : f32\n"
            f"  %x = vector.transfer_read %m[%i], %z {{in_bounds = [true]}} : {_ANY}, "
            f"{_VECTOR}  // here\n{_SUM}",
        ),
        (_F32, 28, 0),
        (_F32, 29, 0),
        "'vector.transfer_read': the elements from 29 to 29 + 3 are out of bounds",
    ),
    "transfer out of bounds": Demand(
        _on_buffer(
            _ANY,
            "  %z = arith.constant 0.0 : f32\n"
            f"  %x = vector.transfer_read %m[%i], %z : {_ANY}, {_VECTOR}  // here\n"
            f"{_SUM}",
        ),
        (_F32, 31, 0),
        (_F32, -1, 0),
        "'vector.transfer_read': index -1 is negative",
    ),
    "masked load": Demand(
        _on_buffer(
            _ANY,
            f"{_MASK}"
            f"  %x = vector.maskedload %m[%i], %mask, %zero : {_ANY}, vector<4xi1>, "
            f"{_VECTOR} into {_VECTOR}  // here\n{_SUM}",
        ),
        (_F32, 30, 2),
        (_F32, 30, 3),
        "'vector.maskedload': an element of the mask, which begins at 30, is out of "
        "bounds: the dimension has size 32",
    ),
    "gather": Demand(
        _on_buffer(
            _ANY,
            f"{_MASK}"
            "  %at = arith.constant dense<[0, 1, 2, 9]> : vector<4xi32>\n"
            f"  %x = vector.gather %m[%i] [%at], %mask, %zero : {_ANY}, vector<4xi32>, "
            f"vector<4xi1>, {_VECTOR} into {_VECTOR}  // here\n{_SUM}",
        ),
        (_F32, 29, 3),
        (_F32, 29, 4),
        "'vector.gather': a position from 29 on is out of bounds: the dimension has "
        "size 32",
    ),
    "expand load": Demand(
        _on_buffer(
            _ANY,
            f"{_MASK}"
            f"  %x = vector.expandload %m[%i], %mask, %zero : {_ANY}, vector<4xi1>, "
            f"{_VECTOR} into {_VECTOR}  // here\n{_SUM}",
        ),
        (_F32, 30, 2),
        (_F32, 30, 3),
        "'vector.expandload': the 3 elements from 30 on are out of bounds: the "
        "dimension has size 32",
    ),
    "extract": Demand(
        _on_buffer(
            _ANY,
            f"  %x = vector.load %m[%c0] : {_ANY}, {_VECTOR}\n"
            f"  %r = vector.extract %x[%i] : f32 from {_VECTOR}  // here\n",
        ),
        (_F32, 3, 0),
        (_F32, 4, 0),
        "'vector.extract': index 4 is out of bounds: dimension 0 has size 4",
    ),
    "subview": Demand(
        _on_buffer(
            "memref<?x4xf32>",
            "  %v = memref.subview %m[%i, 0] [%n, 4] [1, 1] : memref<?x4xf32> to "
            f"{_STRIDED}  // here\n"
            "  %s = memref.dim %v, %c0 : memref<?x4xf32, strided<[4, 1], offset: ?>>\n"
            "  %t = arith.index_cast %s : index to i32\n"
            "  %r = arith.sitofp %t : i32 to f32\n",
        ),
        (_ROWS, 8, 0),
        (_ROWS, 6, 3),
        "'memref.subview': the slice of 3 elements from 6 on is out of bounds: "
        "dimension 0 has size 8",
    ),
    "negative size of a subview": Demand(
        _on_buffer(
            "memref<?x4xf32>",
            "  %v = memref.subview %m[%i, 0] [%n, 4] [1, 1] : memref<?x4xf32> to "
            f"{_STRIDED}  // here\n{_LOAD_OF_ROWS.format(_STRIDED)}",
        ),
        (_ROWS, 1, 2),
        (_ROWS, 1, -2),
        "'memref.subview': the size -2 of dimension 0 is negative",
    ),
    "steps of a subview": Demand(
        _on_buffer(
            _ANY,
            "  %v = memref.subview %m[%i] [4] [%n] : memref<?xf32> to "
            "memref<4xf32, strided<[?], offset: ?>>  // here\n"
            "  %r = memref.load %v[%c1] : memref<4xf32, strided<[?], offset: ?>>\n",
        ),
        (_F32, 1, 10),
        (_F32, 2, 10),
        "'memref.subview': the slice of 4 elements from 2 on is out of bounds: "
        "dimension 0 has size 32",
    ),
    "cast": Demand(
        _on_buffer(
            _ANY,
            "  %v = memref.cast %m : memref<?xf32> to memref<32xf32>  // here\n"
            "  %r = memref.load %v[%c1] : memref<32xf32>\n",
        ),
        (_F32, 0, 0),
        (_F32[:8].copy(), 0, 0),
        "'memref.cast': size 8 of dimension 0 is not 32",
    ),
    "cast of strides": Demand(
        _on_buffer(
            "memref<?xf32, strided<[?]>>",
            "  %v = memref.cast %m : memref<?xf32, strided<[?]>> to memref<?xf32>"
            "  // here\n"
            "  %r = memref.load %v[%c1] : memref<?xf32>\n",
        ),
        (_F32, 0, 0),
        (_F32[::2], 0, 0),
        "'memref.cast': stride 2 of dimension 0 is not 1",
    ),
    "cast of a rank": Demand(
        _on_buffer(
            "memref<?x4xf32>",
            "  %u = memref.cast %m : memref<?x4xf32> to memref<*xf32>\n"
            "  %v = memref.cast %u : memref<*xf32> to memref<8x4xf32>  // here\n"
            "  %r = memref.load %v[%c1, %c0] : memref<8x4xf32>\n",
        ),
        (_ROWS, 0, 0),
        (_ROWS[:7].copy(), 0, 0),
        "'memref.cast': size 7 of dimension 0 is not 8",
    ),
    "reinterpret cast": Demand(
        "func.func @f(%i: index, %n: index) -> index {\n"
        "  %m = memref.alloc() : memref<32xf32>\n"
        "  %v = memref.reinterpret_cast %m to offset: [%i], sizes: [%n], strides: [1]"
        " : memref<32xf32> to memref<?xf32, strided<[1], offset: ?>>  // here\n"
        "  %c0 = arith.constant 0 : index\n"
        "  %s = memref.dim %v, %c0 : memref<?xf32, strided<[1], offset: ?>>\n"
        "  memref.dealloc %m : memref<32xf32>\n"
        "  return %s : index\n"
        "}\n",
        (30, 2),
        (30, 3),
        "'memref.reinterpret_cast': the elements from 30 to 32 are out of bounds: the "
        "buffer has 32",
    ),
    "expand shape": Demand(
        _on_buffer(
            _ANY,
            "  %v = memref.expand_shape %m [[0, 1]] output_shape [%n, 4] : "
            "memref<?xf32> into memref<?x4xf32>  // here\n"
            f"{_LOAD_OF_ROWS.format('memref<?x4xf32>')}",
        ),
        (_F32, 0, 8),
        (_F32, 0, 9),
        "'memref.expand_shape': dimension 0 has 32 elements, which become 36",
    ),
    "collapse shape": Demand(
        _on_buffer(
            "memref<?x4xf32, strided<[?, 1]>>",
            "  %v = memref.collapse_shape %m [[0, 1]] : memref<?x4xf32, "
            "strided<[?, 1]>> into memref<?xf32, strided<[1]>>  // here\n"
            "  %r = memref.load %v[%i] : memref<?xf32, strided<[1]>>\n",
        ),
        (_ROWS, 9, 0),
        (_ROWS[::2], 9, 0),
        "'memref.collapse_shape': there are gaps between the elements of dimension 0: "
        "its stride is 8, but must be 4",
    ),
    "reshape": Demand(
        _on_buffer(
            _ANY,
            "  %s = memref.alloc() : memref<1xindex>\n"
            "  memref.store %n, %s[%c0] : memref<1xindex>\n"
            "  %v = memref.reshape %m(%s) : (memref<?xf32>, memref<1xindex>) -> "
            "memref<?xf32>  // here\n"
            "  %r = memref.load %v[%c0] : memref<?xf32>\n"
            "  memref.dealloc %s : memref<1xindex>\n",
        ),
        (_F32, 0, 32),
        (_F32, 0, 33),
        "'memref.reshape': 32 elements become 33",
    ),
    "view": Demand(
        "func.func @f(%i: index, %n: index) -> index {\n"
        "  %m = memref.alloc() : memref<64xi8>\n"
        "  %v = memref.view %m[%i][%n] : memref<64xi8> to memref<?xf32>  // here\n"
        "  %c0 = arith.constant 0 : index\n"
        "  %s = memref.dim %v, %c0 : memref<?xf32>\n"
        "  memref.dealloc %m : memref<64xi8>\n"
        "  return %s : index\n"
        "}\n",
        (4, 15),
        (4, 16),
        "'memref.view': 64 bytes from 4 on are out of bounds: the buffer has 64",
    ),
    "copy": Demand(
        _on_buffer(
            _ANY,
            "  %v = memref.alloc(%n) : memref<?xf32>\n"
            "  memref.copy %m, %v : memref<?xf32> to memref<?xf32>  // here\n"
            "  %r = memref.load %v[%c0] : memref<?xf32>\n"
            "  memref.dealloc %v : memref<?xf32>\n",
        ),
        (_F32, 0, 32),
        (_F32, 0, 8),
        "'memref.copy': sizes 32 and 8 of dimension 0 are not the same",
    ),
    "alloc": Demand(
        "func.func @f(%n: index) -> index {\n"
        "  %m = memref.alloc(%n) : memref<?xf32>  // here\n"
        "  memref.dealloc %m : memref<?xf32>\n"
        "  return %n : index\n"
        "}\n",
        (0,),
        (-1,),
        "'memref.alloc': size -1 of dimension 0 is negative",
    ),
    "dim": Demand(
        _on_buffer(
            "memref<?x4xf32>",
            "  %r = memref.dim %m, %i : memref<?x4xf32>  // here\n",
            "index",
        ),
        (_ROWS, 1, 0),
        (_ROWS, 2, 0),
        "'memref.dim': there is no dimension 2: the rank is 2",
    ),
    "alignment": Demand(
        "func.func @f(%i: index) -> index {\n"
        "  %m = memref.alloc() {alignment = 1024 : i64} : memref<512xf32>\n"
        "  %v = memref.subview %m[%i] [4] [1] : memref<512xf32> to "
        "memref<4xf32, strided<[1], offset: ?>>\n"
        "  %u = memref.assume_alignment %v, 1024 : "
        "memref<4xf32, strided<[1], offset: ?>>  // here\n"
        "  memref.dealloc %m : memref<512xf32>\n"
        "  return %i : index\n"
        "}\n",
        (256,),
        (257,),
        "'memref.assume_alignment': the address is 4 bytes behind a multiple of 1024",
    ),
    "dealloc": Demand(
        "func.func @f(%is_twice: i1) -> i1 {\n"
        "  %m = memref.alloc() : memref<4xf32>\n"
        "  memref.dealloc %m : memref<4xf32>\n"
        "  scf.if %is_twice {\n"
        "    memref.dealloc %m : memref<4xf32>  // here\n"
        "  }\n"
        "  return %is_twice : i1\n"
        "}\n",
        (False,),
        (True,),
        "'memref.dealloc': this call did not allocate the buffer, or has freed it",
    ),
    "linalg": Demand(
        "func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>,\n"
        "    %c: memref<?x?xf32>) {\n"
        "  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) "
        "outs(%c : memref<?x?xf32>)  // here\n"
        "  return\n"
        "}\n",
        (_ROWS, _ROWS[:4].copy(), np.zeros((8, 4), np.float32)),
        (_ROWS, _ROWS[:3].copy(), np.zeros((8, 4), np.float32)),
        "'linalg.matmul': size 4 of dimension 1 of operand 0 is not the 3 of loop 2",
    ),
    "window": Demand(
        "func.func @f(%x: memref<?xf32>, %w: memref<3xf32>, %y: memref<?xf32>) {\n"
        "  linalg.conv_1d ins(%x, %w : memref<?xf32>, memref<3xf32>) "
        "outs(%y : memref<?xf32>)  // here\n"
        "  return\n"
        "}\n",
        (_F32, _F32[:3].copy(), np.zeros(30, np.float32)),
        (_F32, _F32[:3].copy(), np.zeros(31, np.float32)),
        "'linalg.conv_1d': the indices from 0 to 32 are out of bounds: dimension 0 of "
        "operand 0 has size 32",
    ),
    "step": Demand(
        _on_buffer(_ANY, _STEPS),
        (_F32, 0, 1),
        (_F32, 0, 0),
        "'scf.for': step 0 is not positive",
    ),
    "divsi": Demand(
        _on_integers("%r = arith.divsi %a, %b : i32"),
        (7, 2),
        (7, 0),
        "'arith.divsi': division by zero",
    ),
    "overflow of a division": Demand(
        _on_integers("%r = arith.remsi %a, %b : i8", "i8"),
        (-127, -1),
        (-128, -1),
        "'arith.remsi': -128 divided by -1 does not fit i8",
    ),
    "remui": Demand(
        _on_integers("%r = arith.remui %a, %b : i64", "i64"),
        (7, 2),
        (7, 0),
        "'arith.remui': division by zero",
    ),
    "floordivsi": Demand(
        _on_integers("%r = arith.floordivsi %a, %b : index", "index"),
        (-7, 2),
        (-7, 0),
        "'arith.floordivsi': division by zero",
    ),
    "index": Demand(
        _on_integers("%r = index.divs %a, %b", "index"),
        (-7, 2),
        (-7, 0),
        "'index.divs': division by zero",
    ),
    "shift": Demand(
        _on_integers("%r = arith.shli %a, %b : i32"),
        (7, 31),
        (7, 32),
        "'arith.shli': a shift by 32 of a number of 32 bits",
    ),
    "fptosi": Demand(
        "func.func @f(%x: f32) -> i8 {\n"
        "  %r = arith.fptosi %x : f32 to i8  // here\n"
        "  return %r : i8\n"
        "}\n",
        (-128.75,),
        (-129.0,),
        "'arith.fptosi': a number is NaN or does not fit a signed i8",
    ),
    "fptoui": Demand(
        "func.func @f(%x: f64) -> i32 {\n"
        "  %r = arith.fptoui %x : f64 to i32  // here\n"
        "  return %r : i32\n"
        "}\n",
        (4294967295.5,),
        (float("nan"),),
        "'arith.fptoui': a number is NaN or does not fit an unsigned i32",
    ),
    "elements of vectors": Demand(
        "func.func @f(%m: memref<4xi32>) -> i32 {\n"
        "  %c0 = arith.constant 0 : index\n"
        "  %x = vector.load %m[%c0] : memref<4xi32>, vector<4xi32>\n"
        "  %y = arith.divsi %x, %x : vector<4xi32>  // here\n"
        "  %r = vector.reduction <add>, %y : vector<4xi32> into i32\n"
        "  return %r : i32\n"
        "}\n",
        (np.arange(1, 5, dtype=np.int32),),
        (np.arange(4, dtype=np.int32),),
        "'arith.divsi': division by zero",
    ),
    "assert": Demand(
        "func.func @f(%c: i1) -> i1 {\n"
        '  cf.assert %c, "must {hold}"  // here\n'
        "  return %c : i1\n"
        "}\n",
        (True,),
        (False,),
        "'cf.assert': must {hold}",
    ),
    "tensor.extract": Demand(
        "func.func @f(%t: tensor<?xf32>, %i: index) -> f32 {\n"
        "  %r = tensor.extract %t[%i] : tensor<?xf32>  // here\n"
        "  return %r : f32\n"
        "}\n",
        (_F32, 31),
        (_F32, 32),
        "'memref.load': index 32 is out of bounds: dimension 0 has size 32",
    ),
    "tensor.insert_slice": Demand(
        "func.func @f(%t: tensor<?xf32>, %s: tensor<4xf32>, %i: index)\n"
        "    -> tensor<?xf32> {\n"
        "  %r = tensor.insert_slice %s into %t[%i] [4] [1]\n"
        "      : tensor<4xf32> into tensor<?xf32>\n"
        "  return %r : tensor<?xf32>\n"
        "}\n".replace("into %t[%i] [4] [1]\n", "into %t[%i] [4] [1]  // here\n"),
        (_F32, _F32[:4].copy(), 28),
        (_F32, _F32[:4].copy(), 29),
        "'memref.subview': the slice of 4 elements from 29 on is out of bounds: "
        "dimension 0 has size 32",
    ),
    "stack": Demand(
        "func.func @f(%n: index) -> index {\n"
        "  %c0 = arith.constant 0 : index\n"
        "  %m = memref.alloca(%n) : memref<?xindex>  // here\n"
        "  memref.store %n, %m[%c0] : memref<?xindex>\n"
        "  %r = memref.load %m[%c0] : memref<?xindex>\n"
        "  return %r : index\n"
        "}\n",
        (1000,),
        (1 << 30,),
        "'memref.alloca': the stack has no room for 8589934592 bytes more",
    ),
    "recursion": Demand(
        "func.func @f(%n: index) -> index {  // here\n"
        "  %c0 = arith.constant 0 : index\n"
        "  %c1 = arith.constant 1 : index\n"
        "  %is_last = arith.cmpi eq, %n, %c0 : index\n"
        "  %r = scf.if %is_last -> index {\n"
        "    scf.yield %c1 : index\n"
        "  } else {\n"
        "    %less = arith.subi %n, %c1 : index\n"
        "    %s = func.call @f(%less) : (index) -> index\n"
        "    %t = arith.divui %n, %s : index\n"
        "    scf.yield %t : index\n"
        "  }\n"
        "  return %r : index\n"
        "}\n",
        (10,),
        (100_000_000,),
        "'func.func': the stack has no room for another call",
    ),
}
