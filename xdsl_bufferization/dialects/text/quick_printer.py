"""A printer that writes text directly, and knows the text of what it has printed.

    %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
    %1 = tensor.insert %x into %0[%i] : tensor<4xf32>      // the type's text is known

xDSL 0.74 takes a type apart each time that it prints the type. The text is the same.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from io import StringIO
from types import TracebackType
from typing import Final, cast

from typing_extensions import override
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    DictionaryAttr,
    LocationAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.printer import Printer

_LONGEST: Final = 400
"""Longer texts are made each time."""

_MOST: Final = 1 << 14
"""So many texts are kept."""

_EACH_TIME: Final = (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    DictionaryAttr,
    LocationAttr,
)
"""What is large, or has another text inside of a location."""

_MOST_ELEMENTS: Final = 16


class _Delimited:
    """Text around what is printed inside; nothing is printed behind an error."""

    __slots__ = ("_end", "_print", "_start")

    def __init__(self, print_: Callable[[str], None], start: str, end: str) -> None:
        self._print = print_
        self._start = start
        self._end = end

    def __enter__(self) -> None:
        self._print(self._start)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            self._print(self._end)


class QuickPrinter(Printer):
    """xDSL's printer, with less work for each piece of text."""

    _texts: dict[int, tuple[Attribute, str]] | None = None
    """The texts of attributes by identity, with the attributes, which are kept."""

    _names: dict[SSAValue, str] | None = None

    @property
    def names(self) -> dict[SSAValue, str]:
        """The names of values in the text, with the percent sign.

        A value gets a name when it is printed, unless it has one here already.
        """
        if self._names is None:
            self._names = {}
        return self._names

    @override
    def print_string(self, text: str, *, indent: int | None = None) -> None:
        stream = self.stream
        # Only messages below ops are about the columns that xDSL counts. A printer of
        # xDSL 0.74 may have no stream.
        if not stream or "\n" in text or self.diagnostic.op_messages:
            super().print_string(text, indent=indent)
        else:
            stream.write(text)

    @override
    def delimited(self, start: str, end: str) -> AbstractContextManager[None]:  # pyright: ignore[reportIncompatibleMethodOverride], as the one with the decorator
        return _Delimited(self.print_string, start, end)

    @override
    def print_ssa_value(self, value: SSAValue) -> str:
        names = self._names
        if names is None:
            names = self.names
        name = names.get(value)
        if name is not None:
            self.print_string(name)
            return name[1:]
        new = super().print_ssa_value(value)
        names[value] = f"%{new}"
        return new

    @override
    def print_attribute(self, attribute: Attribute) -> None:
        texts = self._texts
        if texts is None:
            texts = self._texts = {}
        known = texts.get(id(attribute))
        if known is not None:
            self.print_string(known[1])
        elif _is_printed_each_time(attribute):
            self._print_attribute(attribute)
        else:
            text = self._text_of(attribute)
            if len(text) <= _LONGEST and "\n" not in text:
                if len(texts) >= _MOST:
                    texts.clear()
                texts[id(attribute)] = attribute, text
            self.print_string(text, indent=0)

    def _print_attribute(self, attribute: Attribute) -> None:
        """Print an attribute whose text is not known."""
        super().print_attribute(attribute)

    def _text_of(self, attribute: Attribute) -> str:
        stream, self.stream = self.stream, StringIO()
        try:
            self._print_attribute(attribute)
            return self.stream.getvalue()
        finally:
            self.stream = stream


def _is_printed_each_time(attribute: Attribute) -> bool:
    if isinstance(attribute, ArrayAttr):
        return len(cast("ArrayAttr[Attribute]", attribute).data) > _MOST_ELEMENTS
    return isinstance(attribute, _EACH_TIME)
