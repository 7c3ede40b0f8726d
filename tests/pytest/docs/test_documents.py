"""Code in the documents runs, and prints what they say; their links lead somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from harness.pages.documents import (
    DOCS,
    GENERATED,
    ROOT,
    blocks,
    documents,
    run_document,
)

ALL = [*documents(), *(DOCS / name for name in GENERATED)]
NAMES = {str(each.relative_to(ROOT)): each for each in ALL}
WRITTEN = {name: each for name, each in NAMES.items() if each.name not in GENERATED}

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

PUBLISHED = re.compile(
    r"https://(github\.com|raw\.githubusercontent\.com)"
    r"/xdsl-bufferization/xdsl-bufferization/((blob|tree)/)?main/"
)
"""How the addresses of our files begin, where others see them."""


ABOUT_THE_PROCESS = ("docs/kernels.md",)
"""These say what all code of their process did, tests that ran before included."""


@pytest.mark.volume(sample=8)
@pytest.mark.parametrize(
    "name", [each for each in WRITTEN if each not in ABOUT_THE_PROCESS]
)
def test_code_runs_and_prints_what_the_document_says(name: str) -> None:
    run_document(WRITTEN[name])


@pytest.mark.parametrize("name", ABOUT_THE_PROCESS)
def test_code_of_a_document_runs_in_a_process_of_its_own(name: str) -> None:
    run = (
        "import sys; from pathlib import Path;"
        "from harness.pages.documents import run_document;"
        "print('compared:', run_document(Path(sys.argv[1])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", run, WRITTEN[name]],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"compared: [1-9]", done.stdout)


def test_a_document_begins_in_an_empty_folder(tmp_path: Path) -> None:
    document = tmp_path / "a.md"
    code = "from pathlib import Path\nprint(list(Path().iterdir()))\n"
    document.write_text(f"```python\n{code}```\n\n```output\n[]\n```\n")
    assert run_document(document) == 1


@pytest.mark.parametrize("name", WRITTEN)
def test_code_is_in_fences_so_that_it_is_run(name: str) -> None:
    text = FENCED.sub("", WRITTEN[name].read_text())
    assert "```" not in text
    indented = re.findall(r"^(?: {4}|\t).*$", text, re.MULTILINE)
    assert indented == []


@pytest.mark.parametrize("name", WRITTEN)
def test_what_does_not_run_says_why(name: str) -> None:
    reasons = [each.reason for each in blocks(WRITTEN[name]) if each.reason is not None]
    assert all(len(reason.split()) > 2 for reason in reasons), reasons


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    document = NAMES[name]
    broken = [link for link in links(document) if not leads_somewhere(document, link)]
    assert broken == []


def links(document: Path) -> list[str]:
    return LINK.findall(FENCED.sub("", document.read_text()))


def leads_somewhere(document: Path, link: str) -> bool:
    """Whether the file is there, and the heading in it; other sites are not asked.

    What is said to be in our repository has to be here.
    """
    path, _, anchor = link.partition("#")
    if published := PUBLISHED.match(path):
        target = ROOT / path[published.end() :]
    elif "://" in link:
        return True
    else:
        target = document.parent / path if path else document
    if not target.exists():
        return False
    return not anchor or anchor in anchors(target)


def anchors(document: Path) -> set[str]:
    """What GitHub calls the headings of a document."""
    found: dict[str, int] = {}
    for heading in HEADING.findall(FENCED.sub("", document.read_text())):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        found[slug] = found.get(slug, -1) + 1
    numbered = {
        f"{slug}-{n}" for slug, last in found.items() for n in range(1, last + 1)
    }
    return numbered | set(found)


def test_broken_links_are_found(tmp_path: Path) -> None:
    document = tmp_path / "a.md"
    document.write_text("# One `two`-three\n\n[a](#one-two-three), `[b](c)`")
    assert leads_somewhere(document, "#one-two-three")
    assert not leads_somewhere(document, "#one")
    assert not leads_somewhere(document, "b.md")
    published = "https://github.com/xdsl-bufferization/xdsl-bufferization/blob/main"
    assert leads_somewhere(document, f"{published}/docs/glossary.md#value")
    assert not leads_somewhere(document, f"{published}/docs/glossary.md#no-term")
    assert not leads_somewhere(document, f"{published}/docs/no_page.md")


def test_every_document_is_on_the_site() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text()
    listed = re.findall(r": (\S+\.md)$", navigation, re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in DOCS.glob("*.md"))
