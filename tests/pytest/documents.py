"""Documents that are tested: their Python runs, or a script writes them."""

import io
import re
from contextlib import redirect_stdout
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"

BLOCK = re.compile(r"^```(python|output)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_document(document: Path) -> int:
    """Run all blocks, one after the other; how many of output were compared."""
    text = document.read_text()
    namespace: dict[str, Any] = {"__name__": document.stem}
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
        code = compile("\n" * line + block, str(document), "exec")
        output = io.StringIO()
        with redirect_stdout(output):
            exec(code, namespace)
        printed = output.getvalue()
    assert not printed
    return compared


def load_generator(name: str) -> ModuleType:
    """The script `docs/<name>.py`, which writes a document."""
    spec = spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
