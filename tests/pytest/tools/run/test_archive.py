"""Archives from anybody: each is read, or refused in one line, in little memory."""

import io
import os
import struct
import tracemalloc
import zipfile
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from harness.running.command_line import PROGRAM, line_of_failure
from typing_extensions import override

from xdsl_bufferization.tools.common.diagnostics import UserError
from xdsl_bufferization.tools.run.archive import Archive
from xdsl_bufferization.tools.xbuf import main

Members = Iterable[tuple[str, bytes]]


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ok.mlir").write_text(PROGRAM)


def saved(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(array), allow_pickle=True)
    return stream.getvalue()


def headed(
    shape: str,
    type_: str = "'<f4'",
    version: tuple[int, int] = (1, 0),
    data: bytes = b"",
) -> bytes:
    """A member with any header."""
    header = f"{{'descr': {type_}, 'fortran_order': False, 'shape': {shape}, }}\n"
    size = struct.pack("<H", len(header))
    return b"\x93NUMPY" + bytes(version) + size + header.encode() + data


FOUR, ONE = saved(np.zeros(4, np.float32)), saved(np.float32(1))


def archive(members: Members, method: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile("in.npz", "w", method) as file:
        for name, data in members:
            file.writestr(name, data)


def failure(capsys: pytest.CaptureFixture[str]) -> str:
    return line_of_failure(capsys, ["run", "ok.mlir", "--inputs", "in.npz"])


@pytest.mark.parametrize(
    ("member", "message"),
    [
        (b"", "is not an array: EOF"),
        (b"hello", "is not an array: EOF"),
        (b"hello, hello", "is not an array: the magic string is not correct"),
        (headed(str((2**70,))), "it says that it is 1180591620717411303424xfloat32"),
        (headed(f"(0, {2**70})"), "it says that it is 0x1180591620717411303424xflo"),
        (headed(f"({2**33}, {2**33})"), "8589934592x8589934592xfloat32, and has 0"),
        (headed("(-1,)"), "it says that it is -1xfloat32, and has 0 bytes"),
        (headed("('a',)"), "is not an array: shape is not valid"),
        (headed("(4,)", "'<zz'"), "is not an array: descr is not a valid dtype"),
        (headed("(4,)" + "(" * 200), "is not an array: "),
        (
            headed("(4,)", version=(9, 9)),
            "is not an array: its format 9.9 is not known",
        ),
        (FOUR[:-1], "it says that it is 4xfloat32, and has 15 bytes"),
        (FOUR + b"x", "it says that it is 4xfloat32, and has 17 bytes"),
        (saved([None]), "has Python objects, which are never loaded"),
    ],
)
def test_a_member_that_is_no_array(
    member: bytes, message: str, capsys: pytest.CaptureFixture[str]
):
    archive([("arg0.npy", member), ("arg1.npy", ONE)])
    line = failure(capsys)
    assert line.startswith("in.npz: error: 'arg0' ")
    assert message in line


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(4, np.float16),
        np.array(["a"] * 4),
        np.array(["2020-01-01"] * 4, "M8[D]"),
        np.zeros(4, "V4"),
        np.zeros(4, [("a", "f4")]),
        np.zeros(4, complex),
        np.zeros((4, 1), np.float32),
    ],
)
def test_an_array_of_another_type(array: Any, capsys: pytest.CaptureFixture[str]):
    archive([("arg0.npy", saved(array)), ("arg1.npy", ONE)])
    line = failure(capsys)
    assert line.startswith("ok.mlir:1:1: error: argument 0 (%t) of @entry, tensor<4xf")


def test_bytes_in_another_order_are_the_same_numbers():
    numbers = saved(np.arange(4, dtype=">f4"))
    archive([("arg0.npy", numbers), ("arg1.npy", ONE)])
    arguments = ["--inputs", "in.npz", "--outputs", "out.npz"]
    assert main(["run", "ok.mlir", *arguments]) == 0
    assert np.load("out.npz")["result0"].tolist() == [1, 1, 2, 3]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([("arg0", b"hello")], "'arg0' is not an array: "),
        ([("arg0.npy", FOUR), ("arg0", b"x")], "there are 2 arrays 'arg0'"),
        ([("arg0.npy/", b"")], "'arg0.npy/' is no argument of @entry"),
        ([("\x1b[31mred.npy", FOUR)], r"'\x1b[31mred' is no argument of @entry"),
        ([("a\nb.npy", FOUR)], "'a b' is no argument of @entry"),
        ([], "there is no 'arg0'"),
    ],
)
def test_members_that_are_not_the_arguments(
    members: list[tuple[str, bytes]], message: str, capsys: pytest.CaptureFixture[str]
):
    archive([*members, ("arg1.npy", ONE)])
    assert failure(capsys).startswith(f"in.npz: error: {message}")


@pytest.mark.parametrize(
    ("local", "central", "value", "message"),
    [(6, 8, 1, "encrypted"), (8, 10, 77, "compression method is not supported")],
)
def test_a_member_that_zip_files_keep_to_themselves(
    local: int,
    central: int,
    value: int,
    message: str,
    capsys: pytest.CaptureFixture[str],
):
    archive([("arg0.npy", FOUR), ("arg1.npy", ONE)])
    data = bytearray(Path("in.npz").read_bytes())
    for mark, offset in (b"PK\3\4", local), (b"PK\1\2", central):
        at = data.find(mark) + offset
        data[at : at + 2] = struct.pack("<H", value)
    Path("in.npz").write_bytes(data)
    line = failure(capsys)
    assert line.startswith("in.npz: error: 'arg0' is not an array: ")
    assert message in line


@pytest.mark.parametrize("where", ["argument", "result"])
def test_what_is_large_when_it_is_unpacked_is_not_unpacked(
    where: str, capsys: pytest.CaptureFixture[str]
):
    bomb = saved(np.zeros(25_000_000, np.float32))
    members = [("arg0.npy", bomb), ("arg1.npy", ONE)]
    if where == "result":
        members = [("arg0.npy", FOUR), ("arg1.npy", ONE), ("result0.npy", bomb)]
    archive(members, zipfile.ZIP_DEFLATED)
    assert Path("in.npz").stat().st_size < 200_000
    tracemalloc.start()
    try:
        if where == "argument":
            assert "is not a 25000000xfloat32" in failure(capsys)
        else:
            assert main(["run", "ok.mlir", "--inputs", "in.npz"]) == 0
        assert tracemalloc.get_traced_memory()[1] < len(bomb) / 2
    finally:
        tracemalloc.stop()


class _Evil:
    @override
    def __reduce__(self) -> Any:
        return exec, ("raise AssertionError('objects were made of a file')",)


def test_nothing_is_unpickled():
    archive([("arg0.npy", saved(np.array([_Evil()], object)))])
    with Archive("in.npz") as file:
        with pytest.raises(UserError, match="Python objects"):
            file.header("arg0")
        with pytest.raises(UserError, match="allow_pickle=False"):
            file.read("arg0")


def test_pipes_and_devices_are_refused(capsys: pytest.CaptureFixture[str]):
    os.mkfifo("in.npz")
    assert failure(capsys) == "in.npz: error: this is no regular file"
    line = line_of_failure(capsys, ["run", "ok.mlir", "--inputs", "/dev/zero"])
    assert line == "/dev/zero: error: this is no regular file"


@pytest.mark.volume(sample=2)
@pytest.mark.parametrize("seed", range(80))
def test_a_broken_archive_is_read_or_refused(
    seed: int, capsys: pytest.CaptureFixture[str]
):
    random = Random(seed)
    for method in zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2:
        archive([("arg0.npy", FOUR), ("arg1.npy", ONE)], method)
        data = bytearray(Path("in.npz").read_bytes())
        for _ in range(8):
            broken = data.copy()
            for _ in range(random.choice((1, 1, 2, 8))):
                broken[random.randrange(len(data))] = random.randrange(256)
            if random.random() < 0.2:
                del broken[random.randrange(len(data)) :]
            Path("in.npz").write_bytes(broken)
            code = main(["run", "ok.mlir", "--inputs", "in.npz", "--repeat", "1"])
            error = capsys.readouterr().err
            lines = error.splitlines()
            assert code == bool(lines), error
            assert all(line.isprintable() for line in lines)
            assert sum(": error: " in line for line in lines) == code
