"""Where MLIR's own tests are: in Debian's source package of LLVM, fetched once.

build/mlir_suite/llvm-toolchain-22_22.1.8.orig.tar.xz    197 MB
build/mlir_suite/test                                    mlir/test of it
"""

import hashlib
import os
import shutil
import tarfile
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]

VERSION = "22.1.8"
ARCHIVE = f"llvm-toolchain-22_{VERSION}.orig.tar.xz"
URL = f"http://deb.debian.org/debian/pool/main/l/llvm-toolchain-22/{ARCHIVE}"
SHA256 = "b49b9277aef97616320b2da259e1f8174c65b0ce2fbe2e8629644a97693402fe"

FOLDER = f"llvm-toolchain-22_{VERSION}/mlir/test/"
"""The part of the archive that is unpacked."""

VARIABLE = "MLIR_TESTS"
"""The environment variable that names a folder with the tests, instead."""


def tests() -> Path:
    """Return the folder with MLIR's tests; fetches and unpacks them if need be."""
    if given := os.environ.get(VARIABLE):
        return Path(given)
    folder = ROOT / "build" / "mlir_suite"
    unpacked = folder / "test"
    if not unpacked.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _unpack(_fetch(folder), unpacked)
    return unpacked


def _fetch(folder: Path) -> Path:
    archive = folder / ARCHIVE
    if not archive.exists():
        part = archive.with_suffix(".part")
        # The address is a constant, and the checksum is compared.
        with urllib.request.urlopen(URL) as response, part.open("wb") as file:
            shutil.copyfileobj(response, file)
        part.rename(archive)
    with archive.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        archive.unlink()
        raise SystemExit(f"{URL} has the SHA-256 {found}, and not {SHA256}")
    return archive


def _unpack(archive: Path, unpacked: Path) -> None:
    part = unpacked.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    with tarfile.open(archive) as file:
        members = (each for each in file if each.name.startswith(FOLDER))
        file.extractall(part, members, filter="data")
    (part / FOLDER).rename(unpacked)
    shutil.rmtree(part)
