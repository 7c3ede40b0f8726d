"""Numbers as tpp-run has them; the random ones are what libstdc++ was seen to draw."""

from pathlib import Path

import numpy as np
import pytest

from xdsl_bufferization.tools.run.initial_numbers import InitialNumbers
from xdsl_bufferization.tools.xbuf import main

UNIFORM = {
    1: [7.82590359e-06, 0.131537795, 0.75560534, 0.458650142, 0.532767236],
    123: [0.000962642953, 0.179147944, 0.939454615, 0.413966238, 0.530370176],
}
NORMAL = {
    1: [0, 0.320318431, 0, 0.0349535123, 0.0238528084, 0, 0.091636233, 0.0377969109],
    123: [0, 0.130352005, 0.151291341, 0.0106364777, 0.000375300588, 0.298505753],
}
INTEGERS = {
    1: [0, 33, 193, 117, 136, 56, 12, 173, 173, 239, 98, 132],
    123: [0, 45, 240, 105, 135, 238, 201, 128, 141, 247, 43, 227],
}


@pytest.mark.parametrize("seed", [1, 123])
def test_random_numbers_are_those_of_libstdcxx(seed: int):
    uniform = InitialNumbers("random", seed).floats(5, "f32")
    np.testing.assert_array_equal(uniform, np.array(UNIFORM[seed], np.float32))
    normal = InitialNumbers("normal", seed).floats(len(NORMAL[seed]), "f32")
    np.testing.assert_allclose(normal, NORMAL[seed], rtol=2e-7)
    integers = InitialNumbers("random", seed).integers(12, "i8")
    np.testing.assert_array_equal(integers, INTEGERS[seed])


def test_a_stream_goes_on():
    whole = InitialNumbers("normal", 5).floats(3000, "f32")
    parts = InitialNumbers("normal", 5)
    found = [parts.floats(size, "f32") for size in (1, 0, 2, 1024, 7, 1966)]
    np.testing.assert_array_equal(np.concatenate(found), whole)
    # Each type of elements has a stream of its own.
    np.testing.assert_array_equal(parts.floats(3000, "f64"), whole)


def test_the_other_types_repeat_or_grow():
    simple = InitialNumbers("simple").floats(4, "f32")
    np.testing.assert_allclose(simple, [0.3, 0.6, 0.9, 0.3], rtol=1e-7)
    np.testing.assert_array_equal(InitialNumbers("const").integers(2, "i8"), [1, 1])
    np.testing.assert_array_equal(InitialNumbers("cont").floats(4, "f32") * 4, range(4))
    growing = InitialNumbers("cont").integers(5, "i32")
    np.testing.assert_array_equal(growing, [0, 51, 102, 153, 204])


@pytest.fixture(autouse=True)
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sum.mlir").write_text("""
    func.func @entry(%a: tensor<2x3xTYPE>) -> tensor<2x3xTYPE> {
      %ones = arith.constant dense<ONE> : tensor<2x3xTYPE>
      %zeros = arith.constant dense<ZERO> : tensor<2x3xTYPE>
      %e = tensor.empty() : tensor<2x3xTYPE>
      %0 = linalg.add ins(%a, %ones : tensor<2x3xTYPE>, tensor<2x3xTYPE>)
                      outs(%e : tensor<2x3xTYPE>) -> tensor<2x3xTYPE>
      %1 = linalg.add ins(%0, %zeros : tensor<2x3xTYPE>, tensor<2x3xTYPE>)
                      outs(%e : tensor<2x3xTYPE>) -> tensor<2x3xTYPE>
      return %1 : tensor<2x3xTYPE>
    }""")


def write_program(type_: str, one: str, zero: str) -> None:
    text = Path("sum.mlir").read_text()
    for name, value in ("TYPE", type_), ("ONE", one), ("ZERO", zero):
        text = text.replace(name, value)
    Path("sum.mlir").write_text(text)


def rows_of(capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    assert main(["run", "sum.mlir", "-e", "entry", "-print", *options]) == 0
    return [
        line for line in capsys.readouterr().out.splitlines() if line.startswith("( ")
    ]


@pytest.mark.volume(sample=1)
@pytest.mark.parametrize("type_", ["f32", "bf16", "f64"])
def test_arguments_and_splats(capsys: pytest.CaptureFixture[str], type_: str):
    write_program(type_, "1.0", "0.0")
    assert rows_of(capsys, "-init-type=const") == ["( 2, 2, 2 )"] * 2
    random = rows_of(
        capsys, "-init-type=random", "-seed", "3", "-splat-to-random", "--check"
    )
    assert len({number for row in random for number in row.split()}) > 5


def test_splats_of_integers_are_random(capsys: pytest.CaptureFixture[str]):
    write_program("i32", "1", "0")
    stream = InitialNumbers("random", 9)
    # Constants come first, and zeros stay.
    constant, argument = stream.integers(6, "i32"), stream.integers(6, "i32")
    expected = (constant + argument).reshape(2, 3).tolist()
    assert rows_of(capsys, "-init-type=random", "-seed", "9", "-splat-to-random") == [
        f"( {', '.join(map(str, row))} )" for row in expected
    ]


def test_normal_integers_lie_around_the_middle():
    integers = InitialNumbers("normal", 7).integers(1000, "i32")
    assert 85 < integers.min() < 120 < integers.mean() < 135 < integers.max() < 170


def test_what_has_no_numbers_is_refused(capsys: pytest.CaptureFixture[str]):
    write_program("i32", "1", "0")
    assert main(["run", "sum.mlir", "-init-type=random"]) == 2
    message = "--init-type random needs a seed that is not 0"
    assert message in capsys.readouterr().err
    assert main(["run", "sum.mlir", "-splat-to-random"]) == 2
    assert "--init-type normal needs a seed" in capsys.readouterr().err
