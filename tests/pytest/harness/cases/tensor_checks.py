"""Programs on tensors with an op that demands something, in the line `// here`."""

import numpy as np

from harness.cases.checks import Demand

_F32 = np.arange(1, 33, dtype=np.float32)
_ROWS = _F32.reshape(8, 4)
_ANY = "tensor<?xf32>"
_GRID = "tensor<?x?xf32>"


def _on_tensor(type_: str, body: str, result: str) -> str:
    return (
        f"func.func @f(%t: {type_}, %i: index, %n: index) -> {result} {{\n"
        "  %c0 = arith.constant 0 : index\n"
        "  %x = arith.constant 2.0 : f32\n"
        f"{body}"
        f"  return %r : {result}\n"
        "}\n"
    )


def _one(type_: str, op: str, result: str) -> str:
    return _on_tensor(type_, f"  %r = {op}  // here\n", result)


def _on_numbers(op: str) -> str:
    return (
        "func.func @f(%a: index, %b: index) -> index {\n"
        f"  %r = {op}  // here\n"
        "  return %r : index\n"
        "}\n"
    )


_FILLED = f"  %r = linalg.fill ins(%x : f32) outs(%e : {_ANY}) -> {_ANY}\n"
_PARALLEL = (
    f"  %r = scf.forall (%k) in (1) shared_outs(%o = %t) -> ({_ANY}) {{\n"
    "    %e = tensor.empty(%n) : tensor<?xf32>\n"
    "    %s = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>\n"
    "    scf.forall.in_parallel {\n"
    "      tensor.parallel_insert_slice %s into %o[%i] [4] [1] : tensor<?xf32> into "
    f"{_ANY}  // here\n"
    "    }\n"
    "  }\n"
)
_PACK = (
    "  %rows = tensor.dim %t, %c0 : tensor<?x4xf32>\n"
    "  %e = tensor.empty(%n) : tensor<?x2x2x2xf32>\n"
    "  %r = linalg.pack %t {}inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : "
    "tensor<?x4xf32> -> tensor<?x2x2x2xf32>  // here\n"
)
_UNPACK = (
    "  %e = tensor.empty(%n) : tensor<?x4xf32>\n"
    "  %r = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : "
    "tensor<?x2x2x2xf32> -> tensor<?x4xf32>  // here\n"
)
_LOOP = (
    "  %r = affine.for %k = 0 to affine_map<()[s0, s1] -> ({})>()[%a, %b] "
    "iter_args(%s = %a) -> (index) {{  // here\n"
    "    affine.yield %k : index\n"
    "  }}\n"
)

TENSOR_DEMANDS = {
    "extract": Demand(
        _one(_ANY, f"tensor.extract %t[%i] : {_ANY}", "f32"),
        (_F32, 31, 0),
        (_F32, 32, 0),
        "'tensor.extract': index 32 is out of bounds: dimension 0 has size 32",
    ),
    "extract that nobody needs": Demand(
        _on_tensor(
            _ANY,
            f"  %y = tensor.extract %t[%i] : {_ANY}  // here\n"
            f"  %r = tensor.dim %t, %c0 : {_ANY}\n",
            "index",
        ),
        (_F32, 31, 0),
        (_F32, -1, 0),
        "'tensor.extract': index -1 is out of bounds: dimension 0 has size 32",
    ),
    "insert": Demand(
        _one(_ANY, f"tensor.insert %x into %t[%i] : {_ANY}", _ANY),
        (_F32, 31, 0),
        (_F32, 32, 0),
        "'tensor.insert': index 32 is out of bounds: dimension 0 has size 32",
    ),
    "dim": Demand(
        _one(_GRID, f"tensor.dim %t, %i : {_GRID}", "index"),
        (_ROWS, 1, 0),
        (_ROWS, 2, 0),
        "'tensor.dim': there is no dimension 2: the rank is 2",
    ),
    "cast": Demand(
        _one(_ANY, f"tensor.cast %t : {_ANY} to tensor<4xf32>", "tensor<4xf32>"),
        (_F32[:4], 0, 0),
        (_F32[:5], 0, 0),
        "'tensor.cast': size 5 of dimension 0 is not 4",
    ),
    "cast there and back": Demand(
        _on_tensor(
            _ANY,
            f"  %s = tensor.cast %t : {_ANY} to tensor<4xf32>  // here\n"
            f"  %r = tensor.cast %s : tensor<4xf32> to {_ANY}\n",
            _ANY,
        ),
        (_F32[:4], 0, 0),
        (_F32[:3], 0, 0),
        "'tensor.cast': size 3 of dimension 0 is not 4",
    ),
    "cast of a rank": Demand(
        _on_tensor(
            _GRID,
            f"  %u = tensor.cast %t : {_GRID} to tensor<*xf32>\n"
            "  %r = tensor.cast %u : tensor<*xf32> to tensor<8x4xf32>  // here\n",
            "tensor<8x4xf32>",
        ),
        (_ROWS, 0, 0),
        (_ROWS[:7], 0, 0),
        "'tensor.cast': size 7 of dimension 0 is not 8",
    ),
    "bitcast": Demand(
        _one(_ANY, f"tensor.bitcast %t : {_ANY} to tensor<4xi32>", "tensor<4xi32>"),
        (_F32[:4], 0, 0),
        (_F32[:5], 0, 0),
        "'tensor.bitcast': size 5 of dimension 0 is not 4",
    ),
    "extract_slice": Demand(
        _one(_ANY, f"tensor.extract_slice %t[%i] [%n] [1] : {_ANY} to {_ANY}", _ANY),
        (_F32, 30, 2),
        (_F32, 30, 3),
        "'tensor.extract_slice': the slice of 3 elements from 30 on is out of bounds",
    ),
    "extract_slice of a negative size": Demand(
        _one(_ANY, f"tensor.extract_slice %t[%i] [%n] [1] : {_ANY} to {_ANY}", _ANY),
        (_F32, 30, 0),
        (_F32, 30, -1),
        "'tensor.extract_slice': the size -1 of dimension 0 is negative",
    ),
    "insert_slice": Demand(
        _one(
            "tensor<4xf32>",
            "tensor.insert_slice %t into %t[%i] [4] [1] : tensor<4xf32> into "
            "tensor<4xf32>",
            "tensor<4xf32>",
        ),
        (_F32[:4], 0, 0),
        (_F32[:4], 1, 0),
        "'tensor.insert_slice': the slice of 4 elements from 1 on is out of bounds",
    ),
    "insert_slice of another size": Demand(
        _one(
            _ANY,
            f"tensor.insert_slice %t into %t[0] [%n] [1] : {_ANY} into {_ANY}",
            _ANY,
        ),
        (_F32, 0, 32),
        (_F32, 0, 31),
        "'tensor.insert_slice': size 32 of dimension 0 is not the 31 of the slice",
    ),
    "parallel_insert_slice": Demand(
        _on_tensor(_ANY, _PARALLEL.replace("[4]", "[%n]"), _ANY),
        (_F32, 28, 4),
        (_F32, 29, 4),
        "'tensor.parallel_insert_slice': the slice of 4 elements from 29 on is out",
    ),
    "expand_shape": Demand(
        _one(
            _ANY,
            f"tensor.expand_shape %t [[0, 1]] output_shape [%n, %i] : {_ANY} into "
            f"{_GRID}",
            _GRID,
        ),
        (_F32, 4, 8),
        (_F32, 4, 7),
        "'tensor.expand_shape': dimension 0 has 32 elements, which become 28",
    ),
    "collapse_shape": Demand(
        _one(
            _GRID,
            f"tensor.collapse_shape %t [[0, 1]] : {_GRID} into tensor<32xf32>",
            "tensor<32xf32>",
        ),
        (_ROWS, 0, 0),
        (_ROWS[:7], 0, 0),
        "'tensor.collapse_shape': size 28 of dimension 0 is not 32",
    ),
    "reshape": Demand(
        _on_tensor(
            _ANY,
            "  %s = tensor.from_elements %i, %n : tensor<2xindex>\n"
            f"  %r = tensor.reshape %t(%s) : ({_ANY}, tensor<2xindex>) -> "
            "tensor<?x4xf32>  // here\n",
            "tensor<?x4xf32>",
        ),
        (_F32, 8, 4),
        (_F32, 7, 4),
        "'tensor.reshape': 32 elements become 28",
    ),
    "reshape to another type": Demand(
        _on_tensor(
            _ANY,
            "  %s = tensor.from_elements %i, %n : tensor<2xindex>\n"
            f"  %r = tensor.reshape %t(%s) : ({_ANY}, tensor<2xindex>) -> "
            "tensor<?x4xf32>  // here\n",
            "tensor<?x4xf32>",
        ),
        (_F32, 8, 4),
        (_F32, 4, 8),
        "'tensor.reshape': size 8 of dimension 1 is not 4",
    ),
    "pad": Demand(
        _one(
            _ANY,
            "tensor.pad %t low[%i] high[%n] {\n"
            "  ^bb0(%k: index):\n"
            "    tensor.yield %x : f32\n"
            f"  }} : {_ANY} to tensor<34xf32>",
            "tensor<34xf32>",
        )
        .replace("{\n  ^bb0", "{  // here\n  ^bb0")
        .replace("xf32>  // here", "xf32>"),
        (_F32, 1, 1),
        (_F32, 1, 2),
        "'tensor.pad': size 35 of dimension 0 is not 34",
    ),
    "negative pad": Demand(
        _one(
            _ANY,
            "tensor.pad %t low[%i] high[%n] {\n"
            "  ^bb0(%k: index):\n"
            "    tensor.yield %x : f32\n"
            f"  }} : {_ANY} to {_ANY}",
            _ANY,
        )
        .replace("{\n  ^bb0", "{  // here\n  ^bb0")
        .replace("xf32>  // here", "xf32>"),
        (_F32, 0, 1),
        (_F32, -1, 2),
        "'tensor.pad': the padding -1 of dimension 0 is negative",
    ),
    "concat to another type": Demand(
        _one(
            _ANY,
            f"tensor.concat dim(0) %t, %t : ({_ANY}, {_ANY}) -> tensor<8xf32>",
            "tensor<8xf32>",
        ),
        (_F32[:4], 0, 0),
        (_F32[:5], 0, 0),
        "'tensor.concat': size 10 of dimension 0 is not 8",
    ),
    "pack": Demand(
        _on_tensor("tensor<?x4xf32>", _PACK.format(""), "tensor<?x2x2x2xf32>"),
        (_ROWS, 0, 4),
        (_ROWS, 0, 3),
        "'linalg.pack': 3 tiles of dimension 0 are not the 4 that it fills",
    ),
    "pack of incomplete tiles": Demand(
        _on_tensor("tensor<?x4xf32>", _PACK.format(""), "tensor<?x2x2x2xf32>"),
        (_ROWS[:6], 0, 3),
        (_ROWS[:5], 0, 3),
        "'linalg.pack': size 5 of dimension 0 is no multiple of the tile 2",
    ),
    "pack with padding": Demand(
        _on_tensor(
            "tensor<?x4xf32>",
            _PACK.format("padding_value(%x : f32) "),
            "tensor<?x2x2x2xf32>",
        ),
        (_ROWS[:5], 0, 3),
        (_ROWS[:5], 0, 2),
        "'linalg.pack': 2 tiles of dimension 0 are not the 3 that it fills",
    ),
    "unpack": Demand(
        _on_tensor("tensor<?x2x2x2xf32>", _UNPACK, "tensor<?x4xf32>"),
        (_F32.reshape(4, 2, 2, 2), 0, 7),
        (_F32.reshape(4, 2, 2, 2), 0, 9),
        "'linalg.unpack': 4 tiles of dimension 0 are not the 5 that it fills",
    ),
    "empty": Demand(
        _on_tensor(_ANY, f"  %e = tensor.empty(%n) : {_ANY}  // here\n{_FILLED}", _ANY),
        (_F32, 0, 0),
        (_F32, 0, -1),
        "'tensor.empty': size -1 of dimension 0 is negative",
    ),
    "alloc_tensor": Demand(
        _on_tensor(
            _ANY,
            f"  %e = bufferization.alloc_tensor(%n) : {_ANY}  // here\n{_FILLED}",
            _ANY,
        ),
        (_F32, 0, 0),
        (_F32, 0, -1),
        "'bufferization.alloc_tensor': size -1 of dimension 0 is negative",
    ),
    "splat": Demand(
        _one(_ANY, f"tensor.splat %x[%n] : {_ANY}", _ANY),
        (_F32, 0, 0),
        (_F32, 0, -1),
        "'tensor.splat': size -1 of dimension 0 is negative",
    ),
    "generate": Demand(
        _one(
            _ANY,
            "tensor.generate %n {\n"
            "  ^bb0(%k: index):\n"
            "    tensor.yield %x : f32\n"
            f"  }} : {_ANY}",
            _ANY,
        )
        .replace("{\n  ^bb0", "{  // here\n  ^bb0")
        .replace("xf32>  // here", "xf32>"),
        (_F32, 0, 0),
        (_F32, 0, -1),
        "'tensor.generate': size -1 of dimension 0 is negative",
    ),
    "index in the body of a generate": Demand(
        _on_tensor(
            _ANY,
            "  %r = tensor.generate %n {\n"
            "  ^bb0(%k: index):\n"
            f"    %y = tensor.extract %t[%k] : {_ANY}  // here\n"
            "    tensor.yield %y : f32\n"
            f"  }} : {_ANY}\n",
            _ANY,
        ),
        (_F32, 0, 32),
        (_F32, 0, 33),
        "index 32 is out of bounds: dimension 0 has size 32",
    ),
    "gather": Demand(
        _on_tensor(
            _GRID,
            "  %s = tensor.from_elements %i : tensor<1x1xindex>\n"
            f"  %r = tensor.gather %t[%s] gather_dims([0]) : ({_GRID}, "
            "tensor<1x1xindex>) -> tensor<1x?xf32>  // here\n",
            "tensor<1x?xf32>",
        ),
        (_ROWS, 7, 0),
        (_ROWS, 8, 0),
        "index 8 is out of bounds: dimension 0 has size 8",
    ),
    "scatter": Demand(
        _on_tensor(
            _GRID,
            "  %s = tensor.from_elements %i : tensor<1x1xindex>\n"
            "  %u = tensor.splat %x[%n] : tensor<1x?xf32>\n"
            f"  %r = tensor.scatter %u into %t[%s] scatter_dims([0]) unique : "
            f"(tensor<1x?xf32>, {_GRID}, tensor<1x1xindex>) -> {_GRID}  // here\n",
            _GRID,
        ),
        (_ROWS, 7, 4),
        (_ROWS, 7, 3),
        "'tensor.scatter': size 3 of dimension 1 of operand 0 is not the 4 of "
        "dimension 1 of operand 1",
    ),
    "index of a scatter": Demand(
        _on_tensor(
            _GRID,
            "  %s = tensor.from_elements %i : tensor<1x1xindex>\n"
            "  %u = tensor.splat %x[%n] : tensor<1x?xf32>\n"
            f"  %r = tensor.scatter %u into %t[%s] scatter_dims([0]) unique : "
            f"(tensor<1x?xf32>, {_GRID}, tensor<1x1xindex>) -> {_GRID}  // here\n",
            _GRID,
        ),
        (_ROWS, 7, 4),
        (_ROWS, 8, 4),
        "index 8 is out of bounds: dimension 0 has size 8",
    ),
    "transfer": Demand(
        _one(
            _ANY,
            f"vector.transfer_read %t[%i], %x {{in_bounds = [true]}} : {_ANY}, "
            "vector<4xf32>",
            "vector<4xf32>",
        )
        .replace(
            "  return %r : vector<4xf32>",
            "  %y = vector.extract %r[0] : f32 from vector<4xf32>\n  return %y : f32",
        )
        .replace("-> vector<4xf32>", "-> f32"),
        (_F32, 28, 0),
        (_F32, 29, 0),
        "'vector.transfer_read': the elements from 29 to 29 + 3 are out of bounds",
    ),
    "sizes of a result": Demand(
        "func.func @f(%t: tensor<?xf16>) -> tensor<4xf32> {\n"
        "  %r = arith.extf %t : tensor<?xf16> to tensor<?xf32>\n"
        "  %s = tensor.cast %r : tensor<?xf32> to tensor<4xf32>  // here\n"
        "  return %s : tensor<4xf32>\n"
        "}\n",
        (np.ones(4, np.float16),),
        (np.ones(5, np.float16),),
        "'tensor.cast': size 5 of dimension 0 is not 4",
    ),
    "floordiv": Demand(
        _on_numbers(
            "affine.apply affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%a, %b]"
        ),
        (7, 2),
        (7, 0),
        "'affine.apply': division by zero",
    ),
    "ceildiv": Demand(
        _on_numbers("affine.apply affine_map<()[s0, s1] -> (s0 ceildiv s1)>()[%a, %b]"),
        (7, 2),
        (7, 0),
        "'affine.apply': division by zero",
    ),
    "quotient that does not fit": Demand(
        _on_numbers(
            "affine.apply affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%a, %b]"
        ),
        (-(1 << 63) + 1, -1),
        (-(1 << 63), -1),
        "'affine.apply': -9223372036854775808 divided by -1 does not fit index",
    ),
    "mod": Demand(
        _on_numbers("affine.apply affine_map<()[s0, s1] -> (s0 mod s1)>()[%a, %b]"),
        (-7, 2),
        (7, -2),
        "'affine.apply': the divisor -2 of mod is not positive",
    ),
    "divisor that is computed": Demand(
        _on_numbers(
            "affine.max affine_map<()[s0, s1] -> (s0, 8 floordiv (s0 - s1))>()[%a, %b]"
        ),
        (7, 2),
        (7, 7),
        "'affine.max': division by zero",
    ),
    "affine.min": Demand(
        _on_numbers("affine.min affine_map<()[s0, s1] -> (s0, s0 mod s1)>()[%a, %b]"),
        (7, 2),
        (7, 0),
        "'affine.min': the divisor 0 of mod is not positive",
    ),
    "affine.for": Demand(
        "func.func @f(%a: index, %b: index) -> index {\n"
        f"{_LOOP.format('s0 floordiv s1')}"
        "  return %r : index\n"
        "}\n",
        (7, 2),
        (7, 0),
        "'affine.for': division by zero",
    ),
    "affine.if": Demand(
        "func.func @f(%a: index, %b: index) -> index {\n"
        "  %r = affine.if affine_set<()[s0, s1] : (s0 mod s1 >= 0)>()[%a, %b] "
        "-> index {  // here\n"
        "    affine.yield %a : index\n"
        "  } else {\n"
        "    affine.yield %b : index\n"
        "  }\n"
        "  return %r : index\n"
        "}\n",
        (7, 2),
        (7, 0),
        "'affine.if': the divisor 0 of mod is not positive",
    ),
    "affine.load": Demand(
        "func.func @f(%m: memref<?xf32>, %a: index, %b: index) -> f32 {\n"
        "  %r = affine.load %m[symbol(%a) floordiv symbol(%b)] : memref<?xf32>"
        "  // here\n"
        "  return %r : f32\n"
        "}\n",
        (_F32, 7, 2),
        (_F32, 7, 0),
        "'affine.load': division by zero",
    ),
    "affine.parallel": Demand(
        "func.func @f(%m: memref<?xf32>, %a: index, %b: index) -> index {\n"
        "  %x = arith.constant 2.0 : f32\n"
        "  affine.parallel (%k) = (0) to (symbol(%a) floordiv symbol(%b)) {  // here\n"
        "    affine.store %x, %m[%k] : memref<?xf32>\n"
        "  }\n"
        "  return %a : index\n"
        "}\n",
        (_F32.copy(), 7, 2),
        (_F32.copy(), 7, 0),
        "'affine.parallel': division by zero",
    ),
    "transfer in a mask": Demand(
        "func.func @f(%m: memref<?xf32>, %i: index, %n: index) -> f32 {\n"
        "  %x = arith.constant 2.0 : f32\n"
        "  %mask = vector.create_mask %n : vector<4xi1>\n"
        "  %r = vector.mask %mask { vector.transfer_read %m[%i], %x "
        "{in_bounds = [true]} : memref<?xf32>, vector<4xf32> } "
        ": vector<4xi1> -> vector<4xf32>  // here\n"
        "  %s = vector.reduction <add>, %r : vector<4xf32> into f32\n"
        "  return %s : f32\n"
        "}\n",
        (_F32, 30, 2),
        (_F32, 30, 3),
        "'vector.transfer_read': an element of the mask, which begins at 30",
    ),
    "delinearize_index": Demand(
        "func.func @f(%a: index, %b: index) -> index {\n"
        "  %r, %s = affine.delinearize_index %a into (4, %b) : index, index  // here\n"
        "  return %s : index\n"
        "}\n",
        (7, 2),
        (7, 0),
        "'affine.delinearize_index': the size 0 of the basis is not positive",
    ),
    "unreachable": Demand(
        "func.func @f(%a: index, %c: i1) -> index {\n"
        "  cf.cond_br %c, ^bb1, ^bb2\n"
        "^bb1:\n"
        "  return %a : index\n"
        "^bb2:\n"
        "  ub.unreachable  // here\n"
        "}\n",
        (7, True),
        (7, False),
        "'ub.unreachable': the program says that no path leads here",
    ),
    "unreachable in a called function": Demand(
        "func.func private @g(%t: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  ub.unreachable  // here\n"
        "}\n"
        "func.func @f(%t: tensor<4xf32>, %c: i1) -> tensor<4xf32> {\n"
        "  cf.cond_br %c, ^bb1, ^bb2\n"
        "^bb1:\n"
        "  %r = func.call @g(%t) : (tensor<4xf32>) -> tensor<4xf32>\n"
        "  return %r : tensor<4xf32>\n"
        "^bb2:\n"
        "  return %t : tensor<4xf32>\n"
        "}\n",
        (_F32[:4], False),
        (_F32[:4], True),
        "'ub.unreachable': the program says that no path leads here",
    ),
}
