"""A host of static files, as those are that documentation stands on.

with static_host(folder) as host:
    browser.goto(f"{host.address}/index.html")
host.sent          bytes of each file that was asked for, compressed as hosts do
"""

import gzip
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from typing_extensions import override

TYPES = {
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
PACKED = frozenset({".zip"})
"""Files that no host compresses again."""


@dataclass
class Host:
    """What was asked for."""

    address: str
    sent: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """The bytes of each answer, by path."""
    raw: int = 0
    """The bytes of all answers as files."""

    @property
    def total(self) -> int:
        """All bytes of all answers."""
        return sum(map(sum, self.sent.values()))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, folder: Path, hosts: list[Host]) -> None:
        self._folder = folder
        self._hosts = hosts
        super().__init__(*args)

    def do_GET(self) -> None:
        path = self.path.partition("?")[0].partition("#")[0]
        file = self._folder / path.lstrip("/")
        if not file.is_file():
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        content = _content(file)
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", TYPES.get(file.suffix, "text/plain"))
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "max-age=600")
        if file.suffix not in PACKED:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(content)
        self._hosts[0].sent.setdefault(path, []).append(len(content))
        self._hosts[0].raw += file.stat().st_size

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Tests are silent."""


@lru_cache(maxsize=64)
def _content(file: Path) -> bytes:
    content = file.read_bytes()
    return content if file.suffix in PACKED else gzip.compress(content, 6)


@contextmanager
def static_host(folder: Path) -> Generator[Host]:
    """A host of the files of a folder, on this machine."""
    hosts: list[Host] = []
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(_Handler, folder=folder, hosts=hosts)
    )
    host = Host(f"http://127.0.0.1:{server.server_port}")
    hosts.append(host)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
