"""Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) of GET /api/events."""

from __future__ import annotations

import codecs
import json
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from types import TracebackType
from typing import Self, cast

import anyio
import httpx

from . import types
from .exchange import is_temporary, pause_before_next
from .problems import ConnectionFailed, ProblemError

MOST_IN_EVENT = 16 * 1024 * 1024  # characters
LONGEST_PAUSE = 60.0


class EventParser:
    """Takes a stream's octets in pieces of any size."""

    def __init__(self, last_event_id: str | None) -> None:
        self.last_event_id = self._id = last_event_id
        self.retry: float | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._data: list[str] = []
        self._size = 0  # of the lines in _data

    def feed(self, octets: bytes) -> Iterator[str]:
        """The data of each whole event. `last_event_id` is that of the one that came last."""
        # A CR at the end may be half of a CRLF: it waits for what follows.
        *lines, self._rest = re.split(r"\r\n|\n|\r(?!\Z)", self._rest + self._decoder.decode(octets))
        for line in lines:
            if line:
                self._field(line)
                continue
            self._size = 0
            self.last_event_id = self._id
            if self._data:
                data, self._data = "\n".join(self._data), []
                yield data
        if self._size + len(self._rest) > MOST_IN_EVENT:
            raise ConnectionFailed("an event of the stream is too long")

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
            self._size += len(line)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isdecimal():
            self.retry = min(int(value) / 1000, LONGEST_PAUSE)


def place_in(octets: bytes) -> str | None:
    """The id in the answer of a stream that ended at once: where another goes on."""
    parser = EventParser(None)
    for _ in parser.feed(octets):
        pass
    return parser.last_event_id


class _Stream:
    """Where a stream is, and how long it waits before it goes on."""

    def __init__(self, last_event_id: str | None) -> None:
        self.last_event_id = last_event_id
        """The id of the event that was got last, or the place where the stream began: for another stream, later."""
        self._retry = 2.0
        self._failures = 0

    def _took(self, parser: EventParser) -> None:
        self._failures = 0
        self.last_event_id = parser.last_event_id
        self._retry = parser.retry if parser.retry is not None else self._retry

    def _pause(self, error: Exception | None) -> float:
        """Seconds, as many as the server asks for, and more after failures in a row. Raises an error that will not end."""
        if isinstance(error, ProblemError) and not is_temporary(error, True):
            raise error
        self._failures += error is not None
        longer = pause_before_next(self._failures, None) if self._failures > 1 else 0.0
        asked = error.retry_after if isinstance(error, ProblemError) else None
        return max(min(self._retry + longer, LONGEST_PAUSE), asked or 0.0)


def _event(data: str) -> types.EventPayload:
    return cast(types.EventPayload, json.loads(data))


class EventStream(_Stream):
    """What happens in the organization, as it happens: `for event in client.events():`. It goes on behind the last event
    whenever the connection ends or breaks; nothing is missed and nothing told twice. After more than ten minutes without a
    connection the first event may be `reset`: load anew what you show. It begins with the loop, or with `with` before. It ends
    when it is closed (by `with`, or `close`), and by a ProblemError when the credential may not go on. Events of types that
    are not in `EventPayload` may come: pass over them.
    """

    def __init__(
        self,
        begin: Callable[[], str | None],
        connect: Callable[[str | None], httpx.Response],
        last_event_id: str | None,
    ) -> None:
        super().__init__(last_event_id)
        self._begin = begin
        self._connect = connect
        self._events = self._follow()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> types.EventPayload:
        return next(self._events)

    def __enter__(self) -> Self:
        self.last_event_id = self.last_event_id or self._begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._events.close()

    def _follow(self) -> Generator[types.EventPayload, None, None]:
        while True:
            error: Exception | None = None
            try:
                yield from self._read()
            except (httpx.TransportError, ConnectionFailed, ProblemError) as caught:
                error = caught
            time.sleep(self._pause(error))

    def _read(self) -> Generator[types.EventPayload, None, None]:
        parser = EventParser(self.last_event_id)
        response = self._connect(self.last_event_id)
        try:
            for octets in response.iter_bytes():
                for data in parser.feed(octets):
                    self._took(parser)
                    yield _event(data)
                self._took(parser)
        finally:
            response.close()


class AsyncEventStream(_Stream):
    """As EventStream: `async for event in client.events():`, closed by `async with` or `aclose`."""

    def __init__(
        self,
        begin: Callable[[], Awaitable[str | None]],
        connect: Callable[[str | None], Awaitable[httpx.Response]],
        last_event_id: str | None,
    ) -> None:
        super().__init__(last_event_id)
        self._begin = begin
        self._connect = connect
        self._events = self._follow()

    def __aiter__(self) -> AsyncIterator[types.EventPayload]:
        return self

    async def __anext__(self) -> types.EventPayload:
        try:
            return await anext(self._events)
        except anyio.get_cancelled_exc_class():
            self._events = self._follow()  # a generator that was cancelled has ended; the stream has not
            raise

    async def __aenter__(self) -> Self:
        self.last_event_id = self.last_event_id or await self._begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._events.aclose()

    async def _follow(self) -> AsyncGenerator[types.EventPayload, None]:
        while True:
            error: Exception | None = None
            try:
                parser = EventParser(self.last_event_id)
                response = await self._connect(self.last_event_id)
                try:
                    async for octets in response.aiter_bytes():
                        for data in parser.feed(octets):
                            self._took(parser)
                            yield _event(data)
                        self._took(parser)
                finally:
                    await response.aclose()
            except (httpx.TransportError, ConnectionFailed, ProblemError) as caught:
                error = caught
            await anyio.sleep(self._pause(error))
