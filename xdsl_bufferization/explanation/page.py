"""An explanation as one HTML file that refers to no other: program, copies and memory.

The page is `page.html` beside this file, with these in place of its marks:

    <!-- title -->     the name of the program
    <!-- data -->      what `page_data.py` makes, as JSON
"""

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path

from xdsl_bufferization.support.escaping import in_html_script

from .page_data import make_page_data
from .report import Explanation

_NOTEBOOK_HEIGHT = "46rem"
_NOTEBOOK_BYTES = 500_000
"""How large a page may be that a notebook stores."""


def render(explanation: Explanation) -> str:
    """The whole page."""
    template = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
    data = json.dumps(make_page_data(explanation), separators=(",", ":"))
    title = escape(explanation.file or "program")
    return template.replace("<!-- title -->", title).replace(
        "<!-- data -->", in_html_script(data)
    )


def render_for_notebook(explanation: Explanation) -> str:
    """The page as an element of another one, which it leaves alone."""
    page = escape(render(explanation))
    return (
        f'<iframe srcdoc="{page}" title="Copies and memory" '
        f'style="width:100%;height:{_NOTEBOOK_HEIGHT};border:0"></iframe>'
    )


@dataclass(frozen=True, repr=False)
class ShownExplanation(Explanation):
    """An explanation that a notebook shows as its page, in a frame.

    A notebook stores what it shows. Of a page that is too large, it shows a summary.
    """

    def page(self) -> str:
        """The page, as `xbuf explain --html` writes it."""
        return render(self)

    def _repr_html_(self) -> str:
        frame = render_for_notebook(self)
        if len(frame) <= _NOTEBOOK_BYTES:
            return frame
        return (
            f"<pre>{escape(repr(self))}\n\nThe page has {len(frame):,} bytes. Write it "
            "to a file: Path('page.html').write_text(explanation.page())</pre>"
        )
