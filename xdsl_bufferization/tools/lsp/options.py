"""What a language server shows, and how it reads programs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LspOptions:
    """What is shown, and how programs are read."""

    pipeline: str | None = None
    """The passes whose decisions are shown; None for those of `xbuf explain`."""
    hints: str = "all"
    """`all`, `copies` or `none`."""
    text: str = "mlir"
    """`mlir`, or `xdsl` for text of xDSL as well."""
    unregistered: str = "error"
    """What ops of unknown dialects are: `error`, `warning` or `allowed`."""
