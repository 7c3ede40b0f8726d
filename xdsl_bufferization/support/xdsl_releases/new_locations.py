"""The place of an op in a file, of parts that were checked already.

loc("a.mlir":1:8)      # for each op that is read
"""

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from .private_name import PrivateName

FIELDS = PrivateName(
    "xdsl.dialects.builtin",
    "FileLineColLoc",
    "__dict__",
    reason="Each op that is read gets a location, and xDSL checks the fields of each. "
    "The check takes several times as long as the location.",
    without="xDSL checks each location.",
    wish="A way to make an attribute of parts that need no check.",
)


def _unchecked(file: StringAttr, line: IntAttr, column: IntAttr) -> FileLineColLoc:
    """The location of a line and a column."""
    location = FileLineColLoc.__new__(FileLineColLoc)
    vars(location).update(filename=file, line=line, column=column)
    return location


def _works() -> bool:
    """Whether what is made so is what xDSL makes."""
    parts = StringAttr("a"), IntAttr(1), IntAttr(2)
    return FIELDS.is_there() and _unchecked(*parts) == FileLineColLoc(*parts)


new_location = _unchecked if _works() else FileLineColLoc
