"""What compiled code prints: the texts of MLIR's runtime, on Python's output."""

import math
import random
import struct
from collections.abc import Callable

import pytest
from harness.oracles.mlir_runner import output_of_main
from harness.oracles.mlir_text import nested_list
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.llvm.module import lower_to_llvm
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.support.errors import OperationError

Parse = Callable[[str], ModuleOp]

LOWERING = (
    "--convert-vector-to-scf",
    "--convert-scf-to-cf",
    "--convert-vector-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-cf-to-llvm",
    "--convert-func-to-llvm",
    "--reconcile-unrealized-casts",
)


def main_of(*ops: str) -> str:
    body = "\n".join(f"  {op}" for op in ops)
    return f"func.func @main() {{\n{body}\n  return\n}}\n"


CASES = {
    "vector": (
        (
            "%v = arith.constant dense<[[1.5, 2.0], [3.25, -4.0]]> : vector<2x2xf32>",
            "vector.print %v : vector<2x2xf32>",
        ),
        "( ( 1.5, 2 ), ( 3.25, -4 ) )\n",
    ),
    "one element": (
        (
            "%v = arith.constant dense<7> : vector<i32>",
            "vector.print %v : vector<i32>",
        ),
        "( 7 )\n",
    ),
    "truth": (
        (
            "%v = arith.constant dense<[true, false]> : vector<2xi1>",
            "vector.print %v : vector<2xi1>",
        ),
        "( 1, 0 )\n",
    ),
    "integers": (
        (
            "%a = arith.constant -5 : i8",
            "%b = arith.constant -5 : index",
            "%c = arith.constant -5 : i64",
            "vector.print %a : i8",
            "vector.print %b : index",
            "vector.print %c : i64",
        ),
        "-5\n18446744073709551611\n-5\n",
    ),
    "floats": (
        (
            "%a = arith.constant 1.0e-7 : f32",
            "%b = arith.constant 1.5 : f16",
            "%c = arith.constant -2.5 : bf16",
            "%d = arith.constant 123456789.0 : f64",
            *(
                f"vector.print %{value} : {type_}"
                for value, type_ in zip(
                    "abcd", ("f32", "f16", "bf16", "f64"), strict=True
                )
            ),
        ),
        "1e-07\n1.5\n-2.5\n1.23457e+08\n",
    ),
    "no numbers": (
        (
            "%v = arith.constant dense<"
            "[0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000]> : vector<4xf32>",
            "vector.print %v : vector<4xf32>",
        ),
        "( inf, -inf, nan, -nan )\n",
    ),
    "text and punctuation": (
        (
            "%a = arith.constant 1 : i32",
            'vector.print str "a ="',
            "vector.print punctuation <open>",
            "vector.print %a : i32 punctuation <comma>",
            "vector.print %a : i32 punctuation <close>",
            "vector.print punctuation <newline>",
        ),
        "a =( 1, 1 )\n",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_texts(case: str, parse: Parse, capsys: pytest.CaptureFixture[str]) -> None:
    ops, expected = CASES[case]
    compile_module(parse(main_of(*ops)))["main"]()
    assert capsys.readouterr().out == expected


def test_what_cannot_be_printed(parse: Parse) -> None:
    module = parse(
        "func.func @main(%x: i128) {\n  vector.print %x : i128\n  return\n}\n"
    )
    with pytest.raises(OperationError, match="values of type i128 cannot be printed"):
        lower_to_llvm(module)


def random_main(seed: int) -> str:
    """Prints vectors of all kinds with any bits in them."""
    rng = random.Random(seed)
    ops: list[str] = []
    for number in range(40):
        type_ = rng.choice(("f32", "f64", "i1", "i8", "i32", "i64", "index"))
        shape = [rng.randint(1, 3) for _ in range(rng.randint(0, 3))]
        whole = f"vector<{''.join(f'{size}x' for size in shape)}{type_}>"
        values = [_random_value(rng, type_) for _ in range(math.prod(shape))]
        ops.append(
            f"%{number} = arith.constant dense<{nested_list(values, shape)}> : {whole}"
        )
        ops.append(f"vector.print %{number} : {whole}")
    return main_of(*ops)


def _random_value(rng: random.Random, type_: str) -> str:
    match type_:
        case "f32" | "f64":
            width, code = (32, "f") if type_ == "f32" else (64, "d")
            bits = rng.getrandbits(width)
            (value,) = struct.unpack(code, bits.to_bytes(width // 8, "little"))
            if math.isnan(value):
                return "1.0"
            return (
                repr(round(value, 3))
                if rng.random() < 0.2
                else f"0x{bits:0{width // 4}X}"
            )
        case "i1":
            return rng.choice(("true", "false"))
        case "index":
            return str(rng.getrandbits(63))
        case _:
            width = int(type_[1:])
            return str(rng.getrandbits(width) - (1 << (width - 1)))


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(5))
def test_same_texts_as_through_mlir(
    seed: int,
    parse: Parse,
    mlir_opt: Callable[..., str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = random_main(seed)
    theirs = output_of_main(text, LOWERING)
    compile_module(parse(text))["main"]()
    assert capsys.readouterr().out == theirs
