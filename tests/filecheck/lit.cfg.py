"""How lit runs the tests of this directory: `lit tests/filecheck`.

The tools come from the environment whose Python runs lit, whatever else is on `PATH`.
A test that says `// REQUIRES: mlir-opt-22` is left out where that is not installed,
unless the environment variable `CI` is set. `%custom-opt` is `xdsl-opt` with a dialect
that is not of this package.

Commands run in forks of one process, which takes a fifth of the time. With
`--param new-processes` each command is a new process, as a user would start it.
"""

import os
import shutil
import sys
from pathlib import Path

from lit.formats import ShTest
from lit.util import killProcessAndChildrenIsSupported

TOOLS = ("filecheck", "xbuf", "xdsl-opt")
ORACLE = "mlir-opt-22"
# Ends a test that hangs. The slowest takes seconds, but machines stall for a minute.
SECONDS_PER_TEST = 600

here = Path(__file__).parent
tools = Path(sys.executable).parent

config.name = "xdsl-bufferization"
config.test_format = ShTest(execute_external=False)
config.test_source_root = str(here)
config.test_exec_root = str(here.parents[1] / "build" / "filecheck")
config.suffixes = [".mlir"]

for tool in TOOLS:
    if shutil.which(tool, path=str(tools)) is None:
        lit_config.fatal(f"{tool} is not installed next to {sys.executable}")
path = [str(tools), os.environ["PATH"]]
if "new-processes" not in lit_config.params:
    sys.path.append(str(here))
    from command_server import start

    os.environ["XBUF_TESTS_WITHOUT"] = lit_config.params.get("without", "")

    path.insert(0, str(start(TOOLS)))
config.environment["PATH"] = os.pathsep.join(path)
config.environment["PYTHONWARNINGS"] = "error"
config.environment["XBUF_CACHE"] = "off"

custom_opt = f"{sys.executable} -m harness.dialects.custom_dialect"
helpers = here.parent / "pytest"
config.substitutions.append(("%custom-opt", f"env PYTHONPATH={helpers} {custom_opt}"))

if shutil.which(ORACLE) is not None:
    config.available_features.add(ORACLE)
elif os.environ.get("CI"):
    lit_config.fatal(f"{ORACLE} is not installed (Debian's package mlir-22-tools)")

if killProcessAndChildrenIsSupported()[0]:
    config.maxIndividualTestTime = SECONDS_PER_TEST
