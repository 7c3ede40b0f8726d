"""Run `docs/bufferize_your_op.md`: its code works, and prints what it says."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).parents[3] / "docs" / "bufferize_your_op.md"
BLOCK = re.compile(r"^```(python|output)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_blocks_run_and_print_what_the_document_says() -> None:
    text = DOCUMENT.read_text()
    namespace: dict[str, Any] = {"__name__": "bufferize_your_op"}
    printed = ""
    compared = 0
    for found in BLOCK.finditer(text):
        kind, block = found.groups()
        if kind == "output":
            assert printed == block
            printed, compared = "", compared + 1
            continue
        assert not printed, "the document does not show what this block prints"
        # So that an error names the line of the document.
        line = text.count("\n", 0, found.start(2))
        code = compile("\n" * line + block, str(DOCUMENT), "exec")
        output = io.StringIO()
        with redirect_stdout(output):
            exec(code, namespace)
        printed = output.getvalue()
    assert not printed
    assert compared == 4


def test_model_is_as_short_as_the_document_says() -> None:
    (model,) = re.findall(
        r"^class ScaleRowsModel.*?^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL
    )
    assert len(model.splitlines()) <= 15
