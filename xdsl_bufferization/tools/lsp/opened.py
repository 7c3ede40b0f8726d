"""A document that is open in an editor, with all that is known about it.

Everything here is in terms of the protocol; `editing` knows the rest. This module is
imported after the server has answered `initialize`.
"""

from collections.abc import Sequence
from typing import Final

from lsprotocol import types

from xdsl_bufferization.editing.completion import ItemKind, complete, describe_pass
from xdsl_bufferization.editing.decisions import Decisions, Question
from xdsl_bufferization.editing.document import Document, Fault, Settings
from xdsl_bufferization.editing.highlight import Colour, highlight
from xdsl_bufferization.editing.hints import (
    HintsShown,
    describe_decisions_at,
    list_hints,
    list_lenses,
    list_problems,
)
from xdsl_bufferization.editing.hover import hover
from xdsl_bufferization.editing.names import (
    Edit,
    find_definitions,
    find_names,
    look_at,
    rename,
)
from xdsl_bufferization.editing.outline import (
    Symbol,
    SymbolKind,
    list_folds,
    list_symbols,
)
from xdsl_bufferization.editing.places import Lines, Range
from xdsl_bufferization.editing.remedies import list_remedies
from xdsl_bufferization.editing.results import format_pieces

from .early import COMMANDS
from .options import LspOptions
from .positions import Positions

SOURCE: Final = "xbuf"

_SYMBOL_KINDS: Final = {
    SymbolKind.FUNCTION: types.SymbolKind.Function,
    SymbolKind.GLOBAL: types.SymbolKind.Constant,
    SymbolKind.MODULE: types.SymbolKind.Module,
    SymbolKind.OTHER: types.SymbolKind.Object,
}
_ITEM_KINDS: Final = {
    ItemKind.VALUE: types.CompletionItemKind.Variable,
    ItemKind.SYMBOL: types.CompletionItemKind.Function,
    ItemKind.BLOCK: types.CompletionItemKind.Reference,
    ItemKind.OP: types.CompletionItemKind.Method,
    ItemKind.DIALECT: types.CompletionItemKind.Module,
    ItemKind.ATTRIBUTE: types.CompletionItemKind.Property,
    ItemKind.TYPE: types.CompletionItemKind.Class,
    ItemKind.PASS: types.CompletionItemKind.Function,
    ItemKind.OPTION: types.CompletionItemKind.Property,
}
_COLOURS: Final = {colour: number for number, colour in enumerate(Colour)}
_LENSES: Final = ("explain", "show buffers", "show after pass ...")
"""What stands behind the figures over a function: the first of `COMMANDS`."""


class Opened:
    """One document."""

    def __init__(
        self,
        uri: str,
        text: str,
        version: int,
        options: LspOptions,
        encoding: str,
        command_suffix: str,
    ) -> None:
        self.uri = uri
        self.version = version
        self.options = options
        self._encoding = encoding
        self._command_suffix = command_suffix
        settings = Settings(options.text == "mlir", options.unregistered)
        self.document = Document(text, settings)
        self.decisions = Decisions(options.pipeline or None)
        self.positions = Positions(self.document.lines, encoding)
        self.is_known = False
        """Whether all errors of some version have been published."""

    @property
    def near(self) -> int:
        """Where somebody writes, or looks: this is read and explained first."""
        return self.document.near

    def questions(self) -> list[Question]:
        """What the child has to be asked."""
        return list(self.decisions.questions(self.document, self.near))

    def change(
        self, changes: Sequence[types.TextDocumentContentChangeEvent], version: int
    ) -> None:
        """Apply changes, to be read once."""
        text = self.document.text
        positions = self.positions
        for number, change in enumerate(changes):
            if isinstance(change, types.TextDocumentContentChangeWholeDocument):
                text = change.text
            else:
                if number:
                    positions = Positions(Lines(text), self._encoding)
                at = positions.from_range(change.range)
                text = text[: at.start] + change.text + text[at.end :]
                self.document.near = at.start
        self.document.set_text(text)
        self.version = version
        self.positions = Positions(self.document.lines, self._encoding)

    # Diagnostics.

    def diagnostics(self) -> list[types.Diagnostic]:
        """All faults, and what keeps functions from being bufferized."""
        faults = [*self.document.faults()]
        faults += list_problems(self.document, self.decisions)
        return [self._diagnostic(fault) for fault in faults]

    def diagnostics_so_far(self) -> list[types.Diagnostic]:
        """The errors of syntax in what has been read."""
        return [self._diagnostic(fault) for fault in self.document.faults_so_far()]

    def _diagnostic(self, fault: Fault) -> types.Diagnostic:
        related = [
            types.DiagnosticRelatedInformation(
                types.Location(self.uri, self.positions.range(note.range)), note.text
            )
            for note in fault.notes
        ]
        return types.Diagnostic(
            self.positions.range(fault.range),
            fault.text,
            severity=types.DiagnosticSeverity(fault.severity),
            source=SOURCE,
            related_information=related or None,
        )

    # What is at a place.

    def hover(self, position: types.Position) -> types.Hover | None:
        """What is said about a word, and what is decided about an operand or an op."""
        at = self.positions.from_protocol(position)
        found = hover(self.document, at)
        decided = describe_decisions_at(self.document, self.decisions, at)
        texts = [text for text in (decided, found and found.text) if text]
        if not texts:
            return None
        return types.Hover(
            types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(texts)),
            None if found is None else self.positions.range(found.range),
        )

    def definitions(self, position: types.Position) -> list[types.Location]:
        """Where a name is defined."""
        at = self.positions.from_protocol(position)
        return [
            types.Location(self.uri, self.positions.range(range))
            for range in find_definitions(self.document, at)
        ]

    def references(
        self, position: types.Position, *, with_definition: bool
    ) -> list[types.Location]:
        """Where a name is used."""
        at = self.positions.from_protocol(position)
        return [
            types.Location(self.uri, self.positions.range(name.range))
            for name in find_names(self.document, at)
            if with_definition or not name.is_definition
        ]

    def highlights(self, position: types.Position) -> list[types.DocumentHighlight]:
        """All places of a name."""
        at = self.positions.from_protocol(position)
        kinds = types.DocumentHighlightKind
        return [
            types.DocumentHighlight(
                self.positions.range(name.range),
                kinds.Write if name.is_definition else kinds.Read,
            )
            for name in find_names(self.document, at)
        ]

    def name_at(self, position: types.Position) -> types.Range | None:
        """The name that would be changed at a place."""
        at = self.positions.from_protocol(position)
        names = find_names(self.document, at)
        if not any(name.is_definition for name in names):
            return None
        word = look_at(self.document, at)
        if word is None:
            return None
        inside = (
            name.range
            for name in names
            if word.range.start <= name.range.start <= word.range.end
        )
        return next(map(self.positions.range, inside), None)

    def rename(self, position: types.Position, name: str) -> types.WorkspaceEdit:
        """Edits that give something another name; raises a `RenameError`."""
        at = self.positions.from_protocol(position)
        return self._workspace_edit(rename(self.document, at, name))

    def _workspace_edit(self, edits: Sequence[Edit]) -> types.WorkspaceEdit:
        return types.WorkspaceEdit(
            {self.uri: [self._text_edit(each) for each in edits]}
        )

    def _text_edit(self, edit: Edit) -> types.TextEdit:
        return types.TextEdit(self.positions.range(edit.range), edit.text)

    def complete(self, position: types.Position) -> list[types.CompletionItem]:
        """What may be written at a place."""
        at = self.positions.from_protocol(position)
        return [
            types.CompletionItem(
                item.label,
                kind=_ITEM_KINDS[item.kind],
                detail=item.detail or None,
                documentation=item.text or None,
                # What is offered later, with other characters, is filtered again.
                filter_text=item.label,
                text_edit=types.TextEdit(self.positions.range(item.range), item.label),
                data=item.label if item.kind is ItemKind.PASS else None,
            )
            for item in complete(self.document, at)
        ]

    # The whole document, or a part of it.

    def symbols(self) -> list[types.DocumentSymbol]:
        """The symbols with what is in them."""
        return [self._symbol(each) for each in list_symbols(self.document)]

    def _symbol(self, symbol: Symbol) -> types.DocumentSymbol:
        at = symbol.range
        named = Range(
            max(at.start, symbol.name_range.start), min(at.end, symbol.name_range.end)
        )
        return types.DocumentSymbol(
            symbol.name or "?",
            _SYMBOL_KINDS[symbol.kind],
            self.positions.range(at),
            self.positions.range(named),
            detail=symbol.detail,
            children=[self._symbol(each) for each in symbol.children],
        )

    def workspace_symbols(self, query: str) -> list[types.WorkspaceSymbol]:
        """The symbols whose names have the letters of a query in them."""
        found: list[types.WorkspaceSymbol] = []
        waiting = list_symbols(self.document)
        while waiting:
            symbol = waiting.pop()
            waiting += symbol.children
            if query.lower() in symbol.name.lower():
                at = self.positions.range(symbol.name_range)
                location = types.Location(self.uri, at)
                kind = _SYMBOL_KINDS[symbol.kind]
                found.append(types.WorkspaceSymbol(location, symbol.name, kind))
        return found

    def folds(self) -> list[types.FoldingRange]:
        """What can be folded."""
        comment, lines = types.FoldingRangeKind.Comment, self.document.lines
        line_of = self.positions.line_of
        return [
            types.FoldingRange(
                line_of(lines.start_of(fold.first_line)),
                line_of(lines.end_of(fold.last_line)),
                kind=comment if fold.is_comment else None,
            )
            for fold in list_folds(self.document)
        ]

    def tokens(self, range: types.Range | None = None) -> types.SemanticTokens:
        """The colours of words: differences of places, five numbers each."""
        at = Range(0, len(self.document.text))
        if range is not None:
            at = self.positions.from_range(range)
        data: list[int] = []
        line = column = 0
        for each in highlight(self.document, at.start, at.end):
            start = self.positions.to_protocol(each.range.start)
            end = self.positions.to_protocol(each.range.end)
            data += (
                start.line - line,
                start.character - (column if start.line == line else 0),
                end.character - start.character,
                _COLOURS[each.colour],
                int(each.is_definition),
            )
            line, column = start.line, start.character
        return types.SemanticTokens(data)

    def is_explained(self, range: types.Range | None) -> bool:
        """Whether the functions of a part of the document are, or all with None."""
        at = Range(0, len(self.document.text))
        if range is not None:
            at = self.positions.from_range(range)
        return self.decisions.are_known(self.document, at.start, at.end)

    def hints(self, range: types.Range) -> list[types.InlayHint]:
        """The hints of a part of the document."""
        at = self.positions.from_range(range)
        self.document.near = at.start or self.near
        shown = HintsShown(self.options.hints)
        found = list_hints(self.document, self.decisions, at.start, at.end, shown)
        return [
            types.InlayHint(
                self.positions.to_protocol(hint.position),
                hint.label,
                tooltip=types.MarkupContent(types.MarkupKind.Markdown, hint.text),
                padding_left=True,
                padding_right=True,
            )
            for hint in found
        ]

    def lenses(self) -> list[types.CodeLens]:
        """Figures over each function, and what can be shown of it."""
        found: list[types.CodeLens] = []
        for lens in list_lenses(self.document, self.decisions):
            at = self.positions.range(lens.range)
            commands = [(lens.title, COMMANDS[0])]
            commands += zip(_LENSES, COMMANDS[: len(_LENSES)], strict=True)
            arguments = [self.uri, lens.name]
            for title, name in commands:
                name += self._command_suffix
                command = types.Command(title, name, None, arguments)
                found.append(types.CodeLens(at, command))
        return found

    def actions(self, range: types.Range) -> list[types.CodeAction]:
        """What avoids the copies of some lines."""
        at = self.positions.from_range(range)
        found = list_remedies(self.document, self.decisions, at.start, at.end)
        return [
            types.CodeAction(
                remedy.title,
                types.CodeActionKind.RefactorRewrite,
                edit=self._workspace_edit(remedy.edits),
            )
            for remedy in found
        ]

    def format(self) -> list[types.TextEdit]:
        """Each op at the top as it is printed, where no comment is lost."""
        return [self._text_edit(each) for each in format_pieces(self.document)]


def describe_item(item: types.CompletionItem) -> types.CompletionItem:
    """An item with what is slow to find out: what a pass does."""
    if isinstance(item.data, str):
        text = describe_pass(item.data)
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
    return item
