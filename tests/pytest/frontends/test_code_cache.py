"""Compiled programs that stay: a second start of Python compiles nothing."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import xdsl_bufferization as xbuf
from xdsl_bufferization.dialects.xdsl_patches import attach
from xdsl_bufferization.frontends import code_cache, compilation
from xdsl_bufferization.runtime import EngineError, ProgramError
from xdsl_bufferization.runtime.disk_cache import folder
from xdsl_bufferization.runtime.processors.processor import Processor
from xdsl_bufferization.runtime.processors.vector_unit import VectorUnit
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

DOUBLE = """
func.func @double(%x: tensor<?xf32>) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %twice = arith.addf %x, %x : tensor<?xf32>
  %first = tensor.extract %x[%c0] : tensor<?xf32>
  return %twice, %first : tensor<?xf32>, f32
}
"""
COUNTER = """
memref.global "private" @numbers : memref<2000xf32> = dense<"0xHEX">
func.func @count() -> f32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %m = memref.get_global @numbers : memref<2000xf32>
  %old = memref.load %m[%c0] : memref<2000xf32>
  %new = arith.addf %old, %one : f32
  memref.store %new, %m[%c0] : memref<2000xf32>
  return %new : f32
}
""".replace("HEX", np.arange(2000, dtype="<f4").tobytes().hex())
CHECKED = """
func.func @at(%x: tensor<4xf32>, %i: index) -> f32 {
  %y = tensor.extract %x[%i] : tensor<4xf32>
  return %y : f32
}
"""
PRINTS = """
func.func @show(%x: f32) {
  vector.print %x : f32
  return
}
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the cache, in a process without models of others."""
    monkeypatch.setenv("XBUF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(attach, "_guests", set[str]())
    return tmp_path / "cache"


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The programs that are compiled from now on."""
    programs: list[object] = []
    build = compilation.build

    def note(program: Any, *options: Any) -> Any:
        programs.append(program)
        return build(program, *options)

    monkeypatch.setattr(compilation, "build", note)
    return programs


def always(answer: object) -> Callable[..., object]:
    def function(*_: object, **__: object) -> object:
        return answer

    return function


def call(program: Any = DOUBLE, **options: Any) -> Any:
    """A call of a new function, as in a new process."""
    return xbuf.jit(cast(str, program), **options)(np.ones(3, np.float32))


def test_a_second_start_compiles_nothing(cache: Path, built: list[object]):
    first, second = call(), call()
    assert len(built) == 1
    for results in (first, second):
        assert results.twice.tolist() == [2, 2, 2]
        assert results.first == 1
    assert len(list(cache.glob("*.xbufobj"))) >= 1


def test_a_second_process_needs_neither_compiler_nor_xdsl(tmp_path: Path):
    file = tmp_path / "double.mlir"
    file.write_text(DOUBLE)
    script = f"""
import sys
import numpy as np
import xdsl_bufferization as xbuf
print(xbuf.jit({str(file)!r})(np.ones(3, np.float32)).twice.tolist())
print(any(name.split(".")[0] == "xdsl" for name in sys.modules))
"""
    environment = {**os.environ, "XBUF_CACHE": str(tmp_path / "cache")}
    outputs = [
        subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split("\n")[:2]
        for _ in range(2)
    ]
    assert outputs == [["[2.0, 2.0, 2.0]", "True"], ["[2.0, 2.0, 2.0]", "False"]]


def test_what_makes_another_function_is_compiled(
    cache: Path, built: list[object], tmp_path: Path
):
    call()
    call(f"{DOUBLE}\n// Another place for nothing.")
    call(optimize=False)
    call(checked=True)
    call(threads=1)
    call(threads=2)
    call(entry="double")
    files = [tmp_path / name for name in ("a.mlir", "b.mlir")]
    for file in files:
        file.write_text(DOUBLE)
        call(file)  # Its name is in messages of the program.
    assert len(built) == 9
    for _ in range(2):
        call(checked=True)
        call(files[0])
        call(donate="x")  # The code is the same.
    assert len(built) == 9
    files[0].write_text(DOUBLE.replace("addf", "mulf"))
    assert call(files[0]).twice.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("owner", "name", "other"),
    [
        (code_cache, "stamp_of", always("another processor")),
        (code_cache, "sources", always("other files")),
        (code_cache, "versions", always(["another NumPy"])),
        (code_cache, "stack_bytes", always(1)),
        (Processor, "vector_unit_here", VectorUnit(4, 16)),
    ],
)
def test_code_for_another_machine_or_version_is_not_used(
    cache: Path,
    built: list[object],
    monkeypatch: pytest.MonkeyPatch,
    owner: Any,
    name: str,
    other: object,
):
    call()
    monkeypatch.setattr(owner, name, other)
    call()
    assert len(built) == 2


def test_a_damaged_file_is_replaced(cache: Path, built: list[object]):
    call()
    for file in cache.glob("*.xbufobj"):
        data = bytearray(file.read_bytes())
        data[-1] ^= 1
        file.write_bytes(data)
    call()
    call()
    assert len(built) == 2


def test_nothing_is_kept_where_others_have_a_say(
    cache: Path, built: list[object], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(attach, "_guests", {"rows.models.ScaleModel"})
    call()
    call()
    monkeypatch.setattr(attach, "_guests", set[str]())
    with monkeypatch.context() as context:
        theirs = [SimpleNamespace(value="rows.universe:ROWS")]
        context.setattr(code_cache, "entry_points", always(theirs))
        call()
    with monkeypatch.context() as context:
        context.setattr(
            code_cache, "are_unchanged", always(False)
        )  # Since the key was made.
        call()
    monkeypatch.setattr(code_cache, "sources", always(None))  # Edited while this runs.
    call()
    call(xbuf.parse(DOUBLE))
    monkeypatch.setenv("XBUF_CACHE", "off")
    call()
    assert len(built) == 7


def test_a_pipe_is_read_once(cache: Path, built: list[object], tmp_path: Path):
    pipe = tmp_path / "pipe.mlir"
    os.mkfifo(pipe)
    writer = subprocess.Popen(["cp", "/dev/stdin", str(pipe)], stdin=subprocess.PIPE)
    assert writer.stdin is not None
    writer.stdin.write(DOUBLE.encode())
    writer.stdin.close()
    assert call(pipe).twice.tolist() == [2, 2, 2]
    assert writer.wait(10) == 0
    assert len(built) == 1


def test_a_global_begins_anew_in_each_process(cache: Path, built: list[object]):
    counts = [xbuf.jit(COUNTER) for _ in range(3)]
    assert [count() for count in counts] == [1, 1, 1]
    assert [count() for count in counts] == [2, 2, 2]
    assert len(built) == 1


def test_a_program_keeps_its_weights_whatever_becomes_of_the_files(
    cache: Path, built: list[object], tmp_path: Path
):
    saved = tmp_path / "count.xbufobj"
    xbuf.jit(COUNTER).save(saved)
    counts = [xbuf.jit(COUNTER), xbuf.load(saved)]
    for count in counts:
        count()
    for file in (saved, *cache.glob("*.xbufobj")):
        os.truncate(file, 10)
        file.write_bytes(b"else" * 100_000)
    assert [count() for count in counts] == [2, 2]
    assert len(built) == 1


def test_kernels_and_weights_stay(cache: Path, built: list[object]):
    text = mlp(MlpOptions(layers=(64, 64, 32), batch=32, seed=3))
    x = np.random.default_rng(0).normal(size=(32, 64)).astype(np.float32)
    first, second = xbuf.jit(text)(x), xbuf.jit(text)(x)
    assert first.tobytes() == second.tobytes()
    assert len(built) == 1


def test_a_failure_is_told_by_code_that_stayed(cache: Path, built: list[object]):
    for _ in range(2):
        at = xbuf.jit(CHECKED, checked=True)
        x = np.arange(4, dtype=np.float32)
        assert at(x, 2) == 2
        with pytest.raises(ProgramError, match=r"<string>:3:8: 'tensor\.extract'"):
            at(x, 4)
    assert len(built) == 1


def test_code_that_stayed_prints(
    cache: Path, built: list[object], capsys: pytest.CaptureFixture[str]
):
    for _ in range(2):
        xbuf.jit(PRINTS)(1.5)
    assert capsys.readouterr().out == "1.5\n1.5\n"
    assert len(built) == 1


def test_an_error_is_the_same_with_a_cache(cache: Path):
    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            call(cache / "missing.mlir")
        with pytest.raises(Exception, match="expected"):
            call("func.func @f(")


def test_a_folder_of_others_gives_one_warning(
    cache: Path, built: list[object], monkeypatch: pytest.MonkeyPatch
):
    cache.mkdir()
    cache.chmod(0o777)
    monkeypatch.setattr(folder, "_told", set[Path]())
    with pytest.warns(UserWarning, match="compiled code is not cached") as warned:
        call()
        call()
    assert len(warned) == 1
    assert len(built) == 2


# Files of their own.


def double_of(x: object) -> str:
    return DOUBLE.replace("tensor<?xf32>", str(x))


def test_a_saved_function_is_loaded_without_its_program(
    tmp_path: Path, built: list[object]
):
    file = tmp_path / "double.xbufobj"
    xbuf.jit(DOUBLE).save(file)
    double = xbuf.load(file)
    results = double(x=np.ones(3, np.float32))
    assert (results.twice.tolist(), results.first) == ([2, 2, 2], 1)
    assert repr(double).startswith("<loaded function double(x: f32[?]")
    assert len(built) == 1
    file.unlink()
    assert double(np.ones(1, np.float32)).twice.tolist() == [2]


def test_a_saved_function_keeps_what_is_donated(tmp_path: Path):
    text = """
    func.func @zero(%x: tensor<4xf32>) -> tensor<4xf32> {
      %c = arith.constant 0.0 : f32
      %y = linalg.fill ins(%c : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
    """
    xbuf.jit(text, donate="x").save(tmp_path / "zero")
    x = np.ones(4, np.float32)
    xbuf.load(tmp_path / "zero")(x)
    assert x.tolist() == [0] * 4


def test_what_is_saved_while_sources_are_edited_fits_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(code_cache, "sources", always(None))
    xbuf.jit(DOUBLE).save(tmp_path / "double")
    assert xbuf.load(tmp_path / "double")(np.ones(1, np.float32)).first == 1
    monkeypatch.setattr(code_cache, "_own_sources", always("another process"))
    with pytest.raises(EngineError, match="the hash of the sources of this code is"):
        xbuf.load(tmp_path / "double")


def test_a_builder_is_saved_for_types(tmp_path: Path):
    double = xbuf.jit(double_of)
    double.save(tmp_path / "double", np.ones(3, np.float32))
    loaded = xbuf.load(tmp_path / "double")
    assert isinstance(loaded, xbuf.LoadedFunction)
    assert loaded(np.ones(3, np.float32)).twice.tolist() == [2, 2, 2]
    assert str(loaded.signature) == "double(f32[3]) -> (f32[3], f32)"


def test_what_cannot_be_loaded_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "double"
    with pytest.raises(FileNotFoundError):
        xbuf.load(file)
    for data in (b"", b"func.func", bytes(100)):
        file.write_bytes(data)
        with pytest.raises(EngineError, match="save the function again"):
            xbuf.load(file)
    os.mkfifo(tmp_path / "pipe")
    for place in ("pipe", "."):
        with pytest.raises(OSError, match="this is no regular file"):
            xbuf.load(tmp_path / place)
    xbuf.jit(DOUBLE).save(file)
    right = file.read_bytes()
    file.write_bytes(right[:-1] + bytes([right[-1] ^ 1]))
    with pytest.raises(EngineError, match=r"double: the checksum does not match"):
        xbuf.load(file)
    file.write_bytes(right)
    monkeypatch.setattr(code_cache, "version", always("9.9"))
    with pytest.raises(EngineError, match=r"the version of this code is .*, and here"):
        xbuf.load(file)


def test_a_file_of_the_cache_is_no_saved_function(cache: Path):
    call()
    for file in cache.glob("*.xbufobj"):
        with pytest.raises(EngineError, match="save the function again"):
            xbuf.load(file)
