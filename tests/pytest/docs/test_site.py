"""What the site adds to the documents: colours for MLIR, and pages for sources.

That the site as a whole is built without a warning is part of `make check`.
"""

import re
from pathlib import Path
from types import ModuleType

import pytest
from harness.pages.documents import DOCS, ROOT, load_script, need_extra
from mlir_lexer import MlirLexer
from pygments.token import Comment, Keyword, Name, Number, Operator


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    need_extra("mkdocs")
    return load_script(DOCS / "site_hooks.py")


def test_link_to_a_file_leads_to_a_page_of_it(hooks: ModuleType) -> None:
    text = hooks.on_page_markdown("[a](../Makefile), [b](one_shot.md#options)")
    assert text == "[a](source/Makefile.md), [b](one_shot.md#options)"


def test_link_to_nothing_is_left_for_mkdocs_to_find(hooks: ModuleType) -> None:
    text = "[a](../missing.py)"
    assert hooks.on_page_markdown(text) == text


def test_page_of_a_file_shows_it(hooks: ModuleType) -> None:
    page = hooks.show("Makefile")
    assert page.startswith("# Makefile\n")
    assert "\nvenv:" in page


def test_page_of_a_folder_lists_it(hooks: ModuleType) -> None:
    assert "- `buffer_deallocation.py`" in hooks.show(
        "xdsl_bufferization/bufferization/deallocation"
    )


def build_site(text: str, folder: Path) -> str:
    """The one page of a site with the settings of ours."""
    need_extra("mkdocs")
    from mkdocs.commands.build import build
    from mkdocs.config import (
        load_config,  # pyright: ignore[reportUnknownVariableType]: mkdocs has gaps
    )

    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text(text)
    config = load_config(
        str(ROOT / "mkdocs.yml"),
        docs_dir=str(folder / "docs"),
        site_dir=str(folder / "site"),
        nav=[{"Start": "index.md"}],
    )
    build(config)
    return (folder / "site" / "index.html").read_text()


@pytest.mark.parametrize("text", ["[x](#a)", "[x](gone.md)", "[x](../gone.py)"])
def test_broken_link_stops_the_build(text: str, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="1 warnings in strict mode"):
        build_site(text, tmp_path)


def test_pages_load_nothing_from_elsewhere(tmp_path: Path) -> None:
    page = build_site("# A\n\n[x](#a), [y](../Makefile)", tmp_path)
    loaded = re.findall(r"<(?:script|img|link)[^>]+(?:src|href)=\"([^\"]+)", page)
    assert "assets/iframe-worker.js" in loaded
    assert [each for each in loaded if "//" in each] == []


def test_long_name_in_a_table_breaks_after_a_dot(hooks: ModuleType) -> None:
    name = "a" * 50
    row = f"<td><code>{name}.b</code></td><td><code>c.d</code></td>"
    expected = f"<td><code>{name}.<wbr>b</code></td><td><code>c.d</code></td>"
    assert hooks.on_page_content(row) == expected


def test_number_in_a_table_stays_with_its_unit(hooks: ModuleType) -> None:
    row = "<td>mlir-opt: 57 s</td><td>26 s, 1.4 GiB</td><td>4 seconds</td>"
    assert hooks.on_page_content(row) == (
        "<td>mlir-opt: 57&nbsp;s</td><td>26&nbsp;s, 1.4&nbsp;GiB</td><td>4 seconds</td>"
    )


def test_parts_of_mlir_have_colours() -> None:
    text = "%0 = memref.alloc() : memref<4x?xf32> // @f"
    tokens = [pair for pair in MlirLexer().get_tokens(text) if pair[1].strip()]
    assert tokens == [
        (Name.Variable, "%0"),
        (Operator, "="),
        (Name.Builtin, "memref.alloc"),
        (Operator, "("),
        (Operator, ")"),
        (Operator, ":"),
        (Keyword.Type, "memref"),
        (Operator, "<"),
        (Number, "4x?x"),
        (Keyword.Type, "f32"),
        (Operator, ">"),
        (Comment.Single, "// @f"),
    ]
