"""Programs of the documents, as links to the playground and in its menu."""

import base64
import re
import zlib
from urllib.parse import parse_qs

from programs import Program, add_links, link_to, list_programs

PROGRAM = "func.func @f() {\n  return\n}\n"
PAGE = f"""\
# A page

```mlir title="f.mlir"
{PROGRAM}```

```console
xbuf explain f.mlir
```

## `cse`

With `cse,canonicalize`:

```mlir
{PROGRAM}```

becomes

```mlir
{PROGRAM}```

<!-- not run: a part of a program -->
```mlir
{PROGRAM}```

```mlir
%0 = tensor.empty() : tensor<4xf32>
```
"""


def read(link: str) -> Program:
    """The program that a link holds."""
    parts = parse_qs(link.partition("#")[2].replace("&amp;", "&"))
    packed = parts["program"][0]
    content = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    return Program(
        "",
        "",
        zlib.decompress(content, -15).decode(),
        parts.get("passes", [""])[0],
        parts.get("tab", [""])[0],
    )


def test_each_whole_program_has_a_link_below() -> None:
    found = re.findall(r"```\n\n<p.*?<a href=\"([^\"]+)\">", add_links(PAGE))
    assert list(map(read, found)) == [
        Program("", "", PROGRAM),
        Program("", "", PROGRAM, "cse,canonicalize", "deallocation"),
        Program("", "", PROGRAM),
    ]


def test_the_rest_of_the_page_stays() -> None:
    text = re.sub(r"\n\n<p class=.*</p>\n", "", add_links(PAGE))
    assert text == PAGE


def test_a_link_to_the_source_of_the_page_leads_to_the_page() -> None:
    text = add_links("See [the playground](../playground/index.html).")
    assert text == 'See <a href="playground/index.html">the playground</a>.'


def test_all_programs_have_different_names() -> None:
    names = [(each.group, each.title) for each in list_programs()]
    assert len(names) > 200
    assert len({*names}) == len(names)
    assert names[0] == ("From tensors to buffers to running code", "scale.mlir")


def test_a_link_is_short() -> None:
    assert len(link_to(next(list_programs()))) < 500
