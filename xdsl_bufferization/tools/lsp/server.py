"""The language server: what an editor may ask, and when what is published.

    initialize  ->  an answer, which `early` has given already
    didOpen     ->  of a long text the errors of syntax that are found first, then all
    didChange   ->  the errors of the new text
                ->  questions about functions that changed, which the child answers
    an answer   ->  new hints, lenses and warnings
    a command   ->  a file with what the child answers, which nobody may write to

All runs in one thread, in which nothing takes long: the child has what does. A long
text is read bit by bit, and whoever asks about it waits for its end.
"""

import asyncio
import gc
import time
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from typing_extensions import override

import xdsl_bufferization
from xdsl_bufferization.support.garbage import without_garbage_collection

from .asking import Asking, TooLongError
from .early import COLOURS, COMMANDS, MODIFIERS, TRIGGERS, Streams, command_suffix
from .options import LspOptions
from .views import View, Views

if TYPE_CHECKING:
    from xdsl_bufferization.editing.decisions import Question

    from .opened import Opened

_PATIENCE: Final = 1.0
"""So long a question that nobody needs any more may still be worked on, in seconds."""

_AT_ONCE: Final = 0.05
"""So long the server works on a text before it looks for other messages, in seconds."""

_EACH: Final = 0.3
"""After so long, errors of a long text that is still read are published, in seconds."""

_LONG: Final = 4000
"""The errors of a text of so many lines are published before it is read to its end."""

_At = types.TextDocumentPositionParams


class ForgettingProtocol(LanguageServerProtocol):
    """The protocol; what has been done is forgotten.

    pygls 2.1 keeps a future for each notification that it handles by a generator, such
    as a change of a document.
    """

    @override
    def _execute_handler(self, msg_id: Any, *args: Any, **kwargs: Any) -> None:
        super()._execute_handler(msg_id, *args, **kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))


class XbufServer(LanguageServer):
    """Keeps the documents that are open."""

    def __init__(self, options: LspOptions) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType], pygls leaves some types out
            "xbuf", xdsl_bufferization.__version__, protocol_cls=ForgettingProtocol
        )
        self.options = options
        self.asking = Asking()
        self.views = Views()
        self.command_suffix = ""
        """What stands behind the names of all commands."""

        self._opened: dict[str, Opened] = {}
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._readings: dict[str, asyncio.Task[None]] = {}
        self._questions: dict[str, list[Question]] = {}
        self._current: tuple[str, Question] | None = None
        self._worker: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        """Set for a moment when a document changes, and when the child answers."""

    # Documents.

    def open(self, document: types.TextDocumentItem) -> None:
        """Read a document."""
        from .opened import Opened

        encoding = self.workspace.position_encoding or "utf-16"
        self._opened[document.uri] = Opened(
            document.uri,
            document.text,
            document.version,
            self.options,
            encoding,
            self.command_suffix,
        )
        self._refresh(document.uri)

    def get(self, uri: str) -> "Opened":
        """A document that is open."""
        found = self._opened.get(uri)
        if found is None:
            raise JsonRpcInvalidParams(f"{uri} is not open")
        return found

    async def whole(self, uri: str) -> "Opened":
        """A document that is open, once it is read to its end."""
        found = self.get(uri)
        if (handle := self._waiting.get(uri)) is not None:
            # The child works on what has changed while this is answered.
            handle.cancel()
            self._refresh(uri)
            await self.asking.has_question()
            found = self.get(uri)
        while (reading := self._readings.get(uri)) is not None:
            await asyncio.wait([reading])
            found = self.get(uri)
        return found

    async def explained(
        self, uri: str, around: types.Range | None, *, asks_again: bool
    ) -> "Opened":
        """A document that is open, once its functions in a range are explained.

        An editor that `asks_again` when it is told to has what is known now. Others
        wait, but for no longer than the text stays as it is.
        """
        opened = await self.whole(uri)
        version = opened.version
        while (
            not asks_again
            and opened.version == version
            and self._works_on(uri)
            and not opened.is_explained(around)
        ):
            await self._news.wait()
            opened = await self.whole(uri)
        return opened

    def _works_on(self, uri: str) -> bool:
        """Whether more will be known of a document as it is now."""
        is_asked_about = self._current is not None and self._current[0] == uri
        return uri in self._waiting or bool(self._questions.get(uri)) or is_asked_about

    def _tell_news(self) -> None:
        self._news.set()
        self._news.clear()

    async def all(self) -> list["Opened"]:
        """All documents that are open."""
        return [await self.whole(uri) for uri in [*self._opened]]

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply changes now, and say what they mean once no more of them wait."""
        uri = params.text_document.uri
        self.get(uri).change(params.content_changes, params.text_document.version)
        handle = self._waiting.pop(uri, None)
        if handle is not None:
            handle.cancel()
        loop = asyncio.get_running_loop()
        self._waiting[uri] = loop.call_later(0.002, self._refresh, uri)
        self._tell_news()

    def close(self, uri: str) -> None:
        """Forget a document."""
        self._opened.pop(uri, None)
        self._questions.pop(uri, None)
        self._publish(uri, [])
        self._tell_news()

    def _refresh(self, uri: str) -> None:
        self._waiting.pop(uri, None)
        opened = self._opened.get(uri)
        if opened is None:
            return
        if uri in self._readings:  # This goes on with the new text.
            return
        question = opened.decisions.question_ahead(opened.document, _AT_ONCE)
        if question is not None:
            self._questions[uri] = [question]
            self._drop_what_is_old(uri)
            self.work()
            self._readings[uri] = asyncio.ensure_future(self._read(uri))
        elif opened.document.work_for(_AT_ONCE):
            self._say_all(opened)
        else:
            self._readings[uri] = asyncio.ensure_future(self._read(uri))

    async def _read(self, uri: str) -> None:
        """Read a document bit by bit, also if it changes meanwhile."""
        try:
            await self.asking.has_question()  # The child begins meanwhile.
            with without_garbage_collection():
                opened = await self._read_bit_by_bit(uri)
        finally:
            del self._readings[uri]
        if opened is not None and uri not in self._waiting:
            self._say_all(opened)

    async def _read_bit_by_bit(self, uri: str) -> "Opened | None":
        """The document once it is read; None if it was closed."""
        last, said = time.monotonic(), list[types.Diagnostic]()
        while (opened := self._opened.get(uri)) is not None:
            if opened.document.work_for(_AT_ONCE):
                break
            # What was said of an older version is not taken back by less.
            is_first = not opened.is_known and len(opened.document.lines) >= _LONG
            if is_first and time.monotonic() - last >= _EACH:
                found = opened.diagnostics_so_far()
                if found != said:
                    self._publish(uri, found, opened.version)
                last, said = time.monotonic(), found
            # A long text is read for seconds: a hover in between is answered now.
            await asyncio.sleep(0)
        return opened

    def _say_all(self, opened: "Opened") -> None:
        """Publish what is known now, and ask the child for the rest."""
        uri = opened.uri
        opened.is_known = True
        self._publish(uri, opened.diagnostics(), opened.version)
        self._questions[uri] = opened.questions()
        self._drop_what_is_old(uri)
        for view in self.views.of(uri):
            view.is_old = True
        self.work()
        self._tell_news()

    def _publish(
        self,
        uri: str,
        diagnostics: list[types.Diagnostic],
        version: int | None = None,
    ) -> None:
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, diagnostics, version)
        )

    # Questions.

    def _drop_what_is_old(self, uri: str) -> None:
        """Stop the child if it works for long on what has changed since."""
        if self._current is None or self._current[0] != uri:
            return
        _, question = self._current
        if question in self._questions[uri]:
            # A child that is dying does not answer: the question is asked once more.
            if not self.asking.is_dropping:
                self._questions[uri].remove(question)
            return
        self._drop(uri, question)

    def _drop(self, uri: str, question: "Question") -> None:
        """Kill the child once it has worked for long on what nobody needs any more."""
        if self._current is None or self._current[1] is not question:
            return
        opened = self._opened.get(uri)
        # An edit may have been undone: then the answer is wanted again.
        if opened is not None and opened.decisions.waits_for(question):
            return
        wait = _PATIENCE - self.asking.busy_for()
        if wait <= 0:
            self.asking.drop()
            return
        loop = asyncio.get_running_loop()
        loop.call_later(wait, self._drop, uri, question)

    def work(self) -> None:
        """Let somebody ask what there is to be asked."""
        if self._worker is None or self._worker.done():
            self._worker = asyncio.ensure_future(self._ask_all())

    async def _ask_all(self) -> None:
        while True:
            uri = next((uri for uri, each in self._questions.items() if each), None)
            if uri is None:
                old = self.views.next_old()
                if old is None:
                    return
                await self._renew(old)
                continue
            question = self._questions[uri].pop(0)
            await self._ask(uri, question)

    async def _ask(self, uri: str, question: "Question") -> None:
        from xdsl_bufferization.editing.decisions import Answer, Problem

        self._current = uri, question
        try:
            hear = partial(self._hear_early, uri, question)
            found = await self.asking.ask(question, hear)
        except TooLongError:
            found = Answer(problem=Problem("explaining this takes too long", None, 1))
        finally:
            self._current = None
        opened = self._opened.get(uri)
        if opened is None or not isinstance(found, Answer):
            self._tell_news()
            return
        more = opened.decisions.take(question, found)
        self._questions.setdefault(uri, [])[:0] = more
        if uri not in self._waiting and uri not in self._readings:
            self._publish(uri, opened.diagnostics(), opened.version)
        self._tell_news()
        self._refresh_hints()
        if self.asks_for_lenses_again:
            self.workspace_code_lens_refresh(None)

    def _hear_early(self, uri: str, question: "Question", found: object) -> None:
        """Show what is decided already, while the child finds out the rest."""
        from xdsl_bufferization.editing.decisions import Answer

        opened = self._opened.get(uri)
        if (
            opened is not None
            and isinstance(found, Answer)
            and opened.decisions.take_early(question, found)
        ):
            self._refresh_hints()

    def _refresh_hints(self) -> None:
        if self.asks_for_hints_again:
            self.workspace_inlay_hint_refresh(None)

    @property
    def asks_for_hints_again(self) -> bool:
        """Whether the editor asks for hints again when it is told to."""
        workspace = self.client_capabilities.workspace
        hints = None if workspace is None else workspace.inlay_hint
        return hints is not None and bool(hints.refresh_support)

    @property
    def asks_for_lenses_again(self) -> bool:
        """Whether the editor asks for lenses again when it is told to."""
        workspace = self.client_capabilities.workspace
        lenses = None if workspace is None else workspace.code_lens
        return lenses is not None and bool(lenses.refresh_support)

    # Views.

    async def show(self, view: View) -> dict[str, str]:
        """Write a view, and ask the editor to show it, or say where it is."""
        await self._renew(view)
        window = self.client_capabilities.window
        shown = None if window is None else window.show_document
        if shown is not None and shown.support:
            # Nobody waits for what the editor says of it: the path is answered as well.
            self.window_show_document(
                types.ShowDocumentParams(view.file.as_uri(), take_focus=False)
            )
        else:
            self.window_show_message(
                types.ShowMessageParams(types.MessageType.Info, f"see {view.file}")
            )
        return {"uri": view.file.as_uri()}

    async def _renew(self, view: View) -> None:
        from xdsl_bufferization.editing.results import Result

        view.is_old = False
        opened = self._opened.get(view.uri)
        question = None if opened is None else view.question(opened)
        if question is None:
            return
        try:
            found = await self.asking.ask(question)
        except TooLongError:
            found = Result("this takes too long", is_error=True)
        if isinstance(found, Result):
            view.write(found)


def start(options: LspOptions, streams: Streams) -> None:
    """Serve over two streams until the editor ends it."""
    make_server(options).start_io(streams.reads, streams.writes)


def make_server(options: LspOptions) -> XbufServer:
    """A server with all that it can do."""
    server = XbufServer(options)
    _add_documents(server)
    _add_places(server)
    _add_whole_documents(server)
    return server


def _options_from(given: Any, options: LspOptions) -> LspOptions:
    """Options that the editor sends when it starts the server count more."""
    if not isinstance(given, dict):
        return options
    known = {name: getattr(options, name) for name in LspOptions.__annotations__}
    known |= {name: value for name, value in given.items() if name in known}  # pyright: ignore[reportUnknownVariableType]
    return LspOptions(**known)


def _suffix_for(capabilities: types.ClientCapabilities) -> str:
    workspace = capabilities.workspace
    commands = None if workspace is None else workspace.execute_command
    is_one_set = commands is not None and commands.dynamic_registration is True
    return command_suffix(is_one_set=is_one_set)


def _add_documents(server: XbufServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.options = _options_from(params.initialization_options, server.options)
        _add_commands(server, _suffix_for(params.capabilities))

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        # The editor has its answer: now what reads documents may be imported.
        import_module(".opened", __package__)
        gc.freeze()  # All of this stays, and is no garbage.
        # Edits leave garbage. By default all of it is sought once in a hundred edits.
        gc.set_threshold(*gc.get_threshold()[:2], 1)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.open(params.text_document)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        server.change(params)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    # Many editors send these to all servers, and pygls warns about what is not handled.
    for method in (
        types.WORKSPACE_DID_CHANGE_CONFIGURATION,
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
    ):

        @server.feature(method)
        def ignore(_: Any) -> None:  # pygls hands the server to an `object`.
            pass

    @server.feature(types.SHUTDOWN)
    async def shutdown(*_: object) -> None:
        server.views.remove()
        await server.asking.close()


def _add_places(server: XbufServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: _At) -> types.Hover | None:
        opened = await server.whole(params.text_document.uri)
        return opened.hover(params.position)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: _At) -> list[types.Location]:
        opened = await server.whole(params.text_document.uri)
        return opened.definitions(params.position)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(params: types.ReferenceParams) -> list[types.Location]:
        opened = await server.whole(params.text_document.uri)
        with_definition = params.context.include_declaration
        return opened.references(params.position, with_definition=with_definition)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: _At) -> list[types.DocumentHighlight]:
        opened = await server.whole(params.text_document.uri)
        return opened.highlights(params.position)

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(params: _At) -> types.Range | None:
        opened = await server.whole(params.text_document.uri)
        return opened.name_at(params.position)

    @server.feature(
        types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True)
    )
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit:
        from xdsl_bufferization.editing.names import RenameError

        opened = await server.whole(params.text_document.uri)
        try:
            return opened.rename(params.position, params.new_name)
        except RenameError as error:
            raise JsonRpcInvalidParams(str(error)) from error

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=TRIGGERS, resolve_provider=True),
    )
    async def complete(params: types.CompletionParams) -> list[types.CompletionItem]:
        opened = await server.whole(params.text_document.uri)
        return opened.complete(params.position)

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve(item: types.CompletionItem) -> types.CompletionItem:
        from .opened import describe_item

        return describe_item(item)


def _add_whole_documents(server: XbufServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        opened = await server.whole(params.text_document.uri)
        return opened.symbols()

    @server.feature(types.WORKSPACE_SYMBOL)
    async def all_symbols(
        params: types.WorkspaceSymbolParams,
    ) -> list[types.WorkspaceSymbol]:
        found = (each.workspace_symbols(params.query) for each in await server.all())
        return [symbol for symbols in found for symbol in symbols]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folds(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        opened = await server.whole(params.text_document.uri)
        return opened.folds()

    legend = types.SemanticTokensLegend(COLOURS, MODIFIERS)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    async def tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        opened = await server.whole(params.text_document.uri)
        return opened.tokens()

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)
    async def some_tokens(
        params: types.SemanticTokensRangeParams,
    ) -> types.SemanticTokens:
        opened = await server.whole(params.text_document.uri)
        return opened.tokens(params.range)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        uri, asks_again = params.text_document.uri, server.asks_for_hints_again
        opened = await server.explained(uri, params.range, asks_again=asks_again)
        return opened.hints(params.range)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri, asks_again = params.text_document.uri, server.asks_for_lenses_again
        opened = await server.explained(uri, None, asks_again=asks_again)
        return opened.lenses()

    kinds = [types.CodeActionKind.RefactorRewrite]

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=kinds),
    )
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        opened = await server.whole(params.text_document.uri)
        return opened.actions(params.range)

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def format_all(
        params: types.DocumentFormattingParams,
    ) -> list[types.TextEdit]:
        opened = await server.whole(params.text_document.uri)
        return opened.format()


def _add_commands(server: XbufServer, suffix: str) -> None:
    server.command_suffix = suffix
    explains, shows_buffers, shows_after, runs = (each + suffix for each in COMMANDS)

    @server.command(explains)
    async def explain(uri: str, name: str) -> dict[str, str]:
        return await server.show(server.views.explanation(uri, name))

    @server.command(shows_buffers)
    async def show_buffers(uri: str, name: str) -> dict[str, str]:
        pipeline = (await server.whole(uri)).decisions.pipeline
        return await server.show(server.views.result(uri, name, pipeline, "buffers"))

    @server.command(shows_after)
    async def show_after(
        uri: str, name: str, step: str | None = None
    ) -> dict[str, str] | None:
        from xdsl_bufferization.editing.results import list_steps

        steps = list_steps((await server.whole(uri)).decisions.pipeline)
        if step is None:
            step = await _choose(server, steps)
        names = [each.partition("{")[0] for each in steps]
        if step is None or step not in names:
            return None
        pipeline = ",".join(steps[: names.index(step) + 1])
        return await server.show(server.views.result(uri, name, pipeline, step))

    @server.command(runs)
    async def run_pipeline(uri: str, pipeline: str) -> dict[str, str]:
        return await server.show(server.views.result(uri, None, pipeline, "result"))


async def _choose(server: XbufServer, steps: list[str]) -> str | None:
    """The pass that somebody chooses."""
    actions = [types.MessageActionItem(each.partition("{")[0]) for each in steps]
    message = "Show the function after which pass?"
    found = await server.window_show_message_request_async(
        types.ShowMessageRequestParams(types.MessageType.Info, message, actions)
    )
    return None if found is None else found.title
