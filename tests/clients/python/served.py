"""A server of this process that answers as told. tests/clients/run tries the real system."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Got:
    method: str
    url: str
    headers: Message[str, str]
    body: bytes


@dataclass
class Served:
    url: str
    got: list[Got] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def of(self, header: str) -> list[str | None]:
        return [got.headers[header] for got in self.got]


Reply = Callable[[BaseHTTPRequestHandler, Served], None]


@contextmanager
def served(*replies: Reply) -> Iterator[Served]:
    """Serves the replies one after the other; the last one again and again."""
    waiting = list(replies)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _take(self) -> None:
            length = self.headers["Content-Length"]
            body = self.rfile.read(int(length)) if length else b""
            while self.headers["Transfer-Encoding"]:
                size = int(self.rfile.readline(), 16)
                body += self.rfile.read(size + 2)[:-2]
                if size == 0:
                    break
            state.got.append(Got(self.command, self.path, self.headers, body))
            (waiting.pop(0) if len(waiting) > 1 else waiting[0])(self, state)

        do_GET = do_POST = do_DELETE = _take

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state = Served(f"http://127.0.0.1:{server.server_address[1]}/")
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield state
    finally:
        state.ended.set()
        server.shutdown()
        server.server_close()


def answer(value: Any, status: int = 200, **headers: str) -> Reply:
    def reply(handler: BaseHTTPRequestHandler, _: Served) -> None:
        body = json.dumps(value).encode()
        handler.send_response(status)
        fields = {"Content-Type": "application/json", "X-Request-Id": "r", "Content-Length": str(len(body))}
        for name, text in {**fields, **{name.replace("_", "-"): text for name, text in headers.items()}}.items():
            handler.send_header(name, text)
        handler.end_headers()
        handler.wfile.write(body)

    return reply


def problem(status: int, errors: list[dict[str, str]] | None = None, **headers: str) -> Reply:
    value = {"type": "about:blank", "title": "T", "status": status, "detail": "d", "instance": "/i", "requestId": "q"}
    return answer({**value, "errors": errors or []}, status, **headers)


def cut(handler: BaseHTTPRequestHandler, _: Served | None = None) -> None:
    handler.close_connection = True
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)


def half(handler: BaseHTTPRequestHandler, _: Served) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b"{")
    cut(handler)


def silence(_: BaseHTTPRequestHandler, served: Served) -> None:
    served.ended.wait(10)


def stream(text: str, end: Reply = cut) -> Reply:
    def reply(handler: BaseHTTPRequestHandler, served: Served) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        handler.wfile.write(f"{len(text.encode()):x}\r\n{text}\r\n".encode())
        handler.wfile.flush()
        end(handler, served)

    return reply


def finish(handler: BaseHTTPRequestHandler, _: Served) -> None:
    handler.wfile.write(b"0\r\n\r\n")
