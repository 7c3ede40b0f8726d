"""An .npz file that may come from anybody: nothing of it is believed or executed.

    with Archive("in.npz") as archive:
        archive.header("arg0")      float32, (4, 8), and no number was read yet
        archive.read("arg0")

An .npz file is a zip file of .npy files, each a header and numbers. NumPy's `load`
takes a member that is no array as bytes, and fails in many ways. Here each failure is a
`UserError` with the name of the file. Python objects are never loaded.
"""

import math
import zipfile
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from ..common.diagnostics import UserError

Array = NDArray[Any]

_SUFFIX: Final = ".npy"

_NO_ARCHIVE: Final = "this is not an .npz file of arrays"

_LARGEST: Final = (1 << 63) - 1
"""No array has more elements, even if a further size is 0."""


@dataclass(frozen=True)
class ArrayHeader:
    """What an array says of itself before its numbers."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]


class Archive:
    """The arrays of an .npz file, read one by one; a context manager."""

    def __init__(self, file: str) -> None:
        self.file = file
        with self._reading(_NO_ARCHIVE):
            # Zip files are read from their end, which pipes and devices may not have.
            if not Path(file).is_file():
                Path(file).stat()
                raise UserError(file, "this is no regular file")
            self._stream = Path(file).open("rb")  # noqa: SIM115, `__exit__` closes it.
        try:
            with self._reading(_NO_ARCHIVE):
                self._zip = zipfile.ZipFile(self._stream)
        except BaseException:
            self._stream.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()
        self._stream.close()

    @property
    def names(self) -> list[str]:
        """What the arrays are called; no name is there twice."""
        names = Counter(
            each.filename.removesuffix(_SUFFIX) for each in self._zip.infolist()
        )
        for name, count in names.items():
            if count > 1:
                raise UserError(self.file, f"there are {count} arrays '{name}'")
        return list(names)

    def header(self, name: str) -> ArrayHeader:
        """Read a header, whose size must be that of the numbers behind it."""
        with self._reading(f"'{name}' is not an array"):
            member = self._zip.getinfo(f"{name}{_SUFFIX}")
            with self._zip.open(member) as stream:
                header = _read_header(stream)
                behind = member.file_size - stream.tell()
        if header.dtype.hasobject:
            raise UserError(
                self.file, f"'{name}' has Python objects, which are never loaded"
            )
        size = math.prod(header.shape) * header.dtype.itemsize
        if size != behind or not all(0 <= each <= _LARGEST for each in header.shape):
            shape = "x".join([*map(str, header.shape), header.dtype.name])
            raise UserError(
                self.file,
                f"'{name}' is not an array: it says that it is {shape}, and has "
                f"{behind} bytes",
            )
        return header

    def read(self, name: str) -> Array:
        """Read an array whose header was read, and has a size that is expected."""
        member = f"{name}{_SUFFIX}"
        with self._reading(f"'{name}' cannot be read"), self._zip.open(member) as file:
            return np.lib.format.read_array(file, allow_pickle=False)

    @contextmanager
    def _reading(self, problem: str) -> Generator[None, None, None]:
        """What fails inside is the fault of the file.

        NumPy and Python raise almost every error that there is for files.
        """
        try:
            yield
        except (MemoryError, UserError):
            raise
        except Exception as error:
            # Whatever it is, as said above.
            reason = getattr(error, "strerror", None)
            raise UserError(self.file, reason or f"{problem}: {error}") from error


def _read_header(stream: IO[bytes]) -> ArrayHeader:
    read: dict[tuple[int, int], Any] = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    version = np.lib.format.read_magic(stream)
    if version not in read:
        raise ValueError(f"its format {version[0]}.{version[1]} is not known")
    shape, _, dtype = read[version](stream)
    return ArrayHeader(dtype, tuple(map(int, shape)))
