#!/usr/bin/env python3
"""A proxy before a gateway that breaks connections: proxy.py URL. Prints its own address, and runs until it is stopped.

- The first answer to each POST and DELETE (by its Idempotency-Key) is lost: the request has taken effect.
- The first connection for each other path breaks before the request is passed on.
- A stream of events breaks behind each event.
"""

from __future__ import annotations

import asyncio
import re
import sys
from urllib.parse import urlsplit

PIECE = 64 * 1024


class Proxy:
    def __init__(self, url: str) -> None:
        self.target = urlsplit(url)
        self.seen: set[str] = set()

    def is_new(self, what: str) -> bool:
        if what in self.seen:
            return False
        self.seen.add(what)
        return True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(120):
                await self.exchange(reader, writer)
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            pass  # the client is gone
        finally:
            writer.transport.abort()

    async def exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"^content-length: *(\d+)", head, re.I | re.M)
        body = await reader.readexactly(int(length[1])) if length else b""
        method, path, _ = head.split(" ", 2)
        key = re.search(r"^idempotency-key: *(\S+)", head, re.I | re.M)
        is_stream = path.split("?")[0] == "/api/events" and "wait=" not in path
        if key is None and not is_stream and self.is_new(path):
            return
        head = re.sub(r"^(host|connection):.*\r\n", "", head, flags=re.I | re.M)
        head = head.replace("\r\n", f"\r\nHost: {self.target.netloc}\r\nConnection: close\r\n", 1)
        gateway, out = await asyncio.open_connection(self.target.hostname, self.target.port)
        try:
            out.write(head.encode() + body)
            answer = b""
            while piece := await gateway.read(PIECE):
                answer += piece
                if not is_stream:
                    continue
                writer.write(piece)
                await writer.drain()
                if re.search(rb"\ndata: [^\n]*\n\n", answer):
                    return
            if key is None or not self.is_new(key[1]):
                writer.write(answer)
                await writer.drain()
                writer.close()
                await writer.wait_closed()
        finally:
            out.transport.abort()


async def main() -> None:
    proxy = Proxy(sys.argv[1])
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, limit=PIECE)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
