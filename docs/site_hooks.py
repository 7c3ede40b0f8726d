"""What mkdocs is taught for this site; `mkdocs.yml` names this file.

    [Source](../benchmarks/README.md)   ->   source/benchmarks/README.md.html

Links from a document to a file of the project work where the documents are read in the
repository. On the site they lead to a page that shows the file, or lists the folder.

    ![Two tensors](assets/tensors.svg)           ->   <svg ...> in the page

Pictures become part of the page, so that their colours follow the switch for dark mode.
Long names in tables may break after a dot, and numbers stay with their units.

Where `make playground` has built the playground, it becomes a part of the site. Below
each program is a link that opens the program there.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import mlir_lexer
import programs
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

ROOT = Path(__file__).parents[1]
PLAYGROUND = ROOT / "build" / "playground"
OUTSIDE = re.compile(r"(?<=\]\()\.\./([^)#]+)")
"""The target of a link that leads out of `docs`."""

PICTURE = re.compile(r'<img alt="[^"]*" src="(assets/\w+\.svg)" ?/?>')
"""A picture in the HTML of a page."""

LONG_NAME = re.compile(r"(?<=<td><code>)[\w.]{50,}(?=</code></td>)")
"""A name that would take more than half of a table's width."""

CELL = re.compile(r"<td>[^<]*</td>")
"""A cell of a table that is plain text."""

UNIT = re.compile(r"(?<=\d) (?=(?:s|ms|us|ns|kB|MB|MiB|GiB)\b)")
"""What is between a number and its unit."""

LANGUAGES = {".py": "python", ".mlir": "mlir", ".md": "markdown", ".toml": "toml"}
HIDDEN_FROM_SEARCH = "---\nsearch:\n  exclude: true\n---\n"

mlir_lexer.register()


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each file or folder that a document links to."""
    for target in sorted(_linked(files)):
        page = File.generated(
            config,
            _page(target),
            content=HIDDEN_FROM_SEARCH + show(target),
            inclusion=InclusionLevel.NOT_IN_NAV,
        )
        files.append(page)
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Let links out of `docs` lead to those pages, and programs to the playground."""
    if has_playground():
        markdown = programs.add_links(markdown)
    return OUTSIDE.sub(_redirect, markdown)


def on_page_content(html: str, **_: object) -> str:
    """Put pictures with colours for both schemes into the page; break tables well."""
    return CELL.sub(_keep_units, LONG_NAME.sub(_break, PICTURE.sub(_draw, html)))


def on_post_build(config: MkDocsConfig) -> None:
    """Put the playground beside the pages."""
    if has_playground():
        target = Path(config.site_dir) / Path(programs.PAGE).parent
        ours = shutil.ignore_patterns("lock", "stamp.txt")
        shutil.copytree(PLAYGROUND, target, ignore=ours, dirs_exist_ok=True)


def has_playground() -> bool:
    """Whether the playground has been built."""
    return (PLAYGROUND / "stamp.txt").exists()


def _draw(found: re.Match[str]) -> str:
    picture = (ROOT / "docs" / found[1]).read_text()
    return picture if 'class="picture"' in picture else found[0]


def _break(found: re.Match[str]) -> str:
    return found[0].replace(".", ".<wbr>")


def _keep_units(found: re.Match[str]) -> str:
    return UNIT.sub("&nbsp;", found[0])


def _linked(files: Files) -> set[str]:
    """The targets, as long as they exist; mkdocs complains about the others."""
    return {
        target.rstrip("/")
        for file in files.documentation_pages()
        for target in OUTSIDE.findall(file.content_string)
        if (ROOT / target).exists()
    }


def _redirect(found: re.Match[str]) -> str:
    target = found[1]
    return _page(target.rstrip("/")) if (ROOT / target).exists() else found[0]


def _page(target: str) -> str:
    return f"source/{target}.md"


def show(target: str) -> str:
    """The page of a file or a folder of the project."""
    path = ROOT / target
    text = "\n".join(_listing(path)) if path.is_dir() else _block(path)
    return f"# {target}\n\n{text}\n"


def _listing(folder: Path) -> Iterator[str]:
    for each in sorted(folder.iterdir()):
        if not each.name.startswith(("_", ".")):
            yield f"- `{each.name}{'/' if each.is_dir() else ''}`"


def _block(file: Path) -> str:
    # A file may have fences of its own.
    fence = "~" * 8
    language = LANGUAGES.get(file.suffix, "text")
    return f"{fence}{language}\n{file.read_text()}\n{fence}"
