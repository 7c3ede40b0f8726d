"""A name that is nearly known is completed to the known one."""

import pytest

from xdsl_bufferization.support.suggestions import hint


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("canonicalise", "; do you mean 'canonicalize'?"),
        ("zzz", ""),
        ("", ""),
        ("zzz" * 100_000, ""),
    ],
)
def test_what_is_meant(name: str, expected: str) -> None:
    assert hint(name, ["canonicalize", "cse"]) == expected
