"""A package index shows the README, without the files that are beside it.

`tests/pytest/docs/test_documents.py` checks that the links lead to files that exist.
"""

import re

from harness.guest.environments import ROOT

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(
    r"\]\(([^)\s]+)|^\[[^]]+\]: (\S+)|\b(?:src|href)=[\"']?([^\"'\s>]+)", re.MULTILINE
)
IMAGE = re.compile(r"!\[[^]]*\]\(([^)\s]+)|\bsrc=[\"']?([^\"'\s>]+)")

FILES = "https://raw.githubusercontent.com/xdsl-bufferization/xdsl-bufferization/main/"


def addresses(pattern: re.Pattern[str], text: str) -> list[str]:
    """The addresses in a text in Markdown, but for those in its code."""
    return ["".join(found) for found in pattern.findall(FENCED.sub("", text))]


def test_links_and_images_are_found() -> None:
    text = (
        "[![a](b.png)](c)\n```\n[d](e)\n```\n[f]: g\n<a href='h'><img src=i>[j\nk](l)"
    )
    assert addresses(LINK, text) == ["b.png", "c", "g", "h", "i", "l"]
    assert addresses(IMAGE, text) == ["b.png", "i"]


def test_readme_links_work_on_a_package_index() -> None:
    text = (ROOT / "README.md").read_text()
    links, images = addresses(LINK, text), addresses(IMAGE, text)
    assert links
    assert [link for link in links if not link.startswith("https://")] == []
    # The page of a file in the repository is no image.
    assert images
    assert [image for image in images if not image.startswith(FILES)] == []
