"""Sends calls: Transport with threads that wait, AsyncTransport with coroutines. The rules are in exchange.py."""

from __future__ import annotations

import copy
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from os import PathLike
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack

import anyio
import httpx

from .events import AsyncEventStream, EventStream, place_in
from .exchange import (
    Answer,
    Attempt,
    Call,
    Credential,
    Pause,
    Reply,
    Settings,
    Upload,
    answer_of,
    attempt_of,
    exchange,
    pages,
    stream_of,
)
from .problems import ProblemError


PLACE = Call("GET", "/api/events", query={"wait": 0}, accept="text/event-stream")


class EventChoice(TypedDict, total=False):
    """What a stream of events tells. Statuses of the messages of campaigns only with `campaign_messages` or a `campaign_id`,
    contacts of imports only with `imported_contacts`."""

    types: Iterable[str]
    conversation_id: str
    campaign_id: str
    campaign_messages: bool
    imported_contacts: bool


def query_of(choice: EventChoice) -> dict[str, Any]:
    query: dict[str, Any] = dict(choice)
    if "types" in choice:
        query["types"] = ",".join(choice["types"])
    return query


class _Client:
    _settings: Settings

    def with_options(
        self,
        *,
        organization_id: str | None = None,
        retries: int | None = None,
        timeout: float | None = None,
    ) -> Self:
        """The same client, with the same connections, but for what is given."""
        given = {"organization_id": organization_id, "retries": retries, "timeout": timeout}
        other = copy.copy(self)
        other._settings = replace(self._settings, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
        return other

    def _stream_attempt(self, query: Mapping[str, Any], last_event_id: str | None, idle_timeout: float) -> Attempt:
        call = Call("GET", "/api/events", query=query, accept="text/event-stream", last_event_id=last_event_id)
        return attempt_of(call, self._settings, None, None, time.monotonic() + idle_timeout)


class Transport(_Client):
    def __init__(
        self,
        base_url: str,
        credential: Credential = None,
        *,
        organization_id: str | None = None,
        retries: int = 4,
        timeout: float = 60.0,
        http: httpx.Client | None = None,
    ) -> None:
        """`credential`: an API key, a session token, or what gives the present one. `retries`: how often a request is sent
        again, at most. `timeout`: seconds until an answer must be there, with all attempts and pauses (of files: 900)."""
        self._settings = Settings(base_url, credential, organization_id, retries, timeout)
        self._http = http or httpx.Client()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def events(
        self, *, last_event_id: str | None = None, idle_timeout: float = 45.0, **choice: Unpack[EventChoice]
    ) -> EventStream:
        """What happens in the organization, as it happens; see EventStream and EventChoice."""
        query = query_of(choice)
        return EventStream(self._place, lambda place: self._open_stream(query, place, idle_timeout), last_event_id)

    def _ask(self, call: Call) -> Answer[Any]:
        return answer_of(self._exchange(call))

    def _all(self, records: str, call: Call) -> Iterator[Any]:
        flow = pages(call)
        wanted = next(flow)
        while True:
            answer: Answer[Any] | ProblemError
            try:
                answer = self._ask(wanted)
            except ProblemError as error:
                answer = error
            else:
                yield from answer.data[records]
            try:
                wanted = flow.send(answer)
            except StopIteration:
                return

    def _download(self, call: Call) -> Download:
        return Download(lambda: self._exchange(call, is_open=True).response)

    def _exchange(self, call: Call, is_open: bool = False) -> Reply:
        flow = exchange(call, self._settings)
        action = next(flow)
        while True:
            result: Reply | httpx.TransportError | None = None
            try:
                if isinstance(action, Pause):
                    time.sleep(action.seconds)
                else:
                    result = self._attempt(action, is_open)
            except httpx.TransportError as error:
                result = error
            try:
                action = flow.send(result)
            except StopIteration as end:
                reply: Reply = end.value
                return reply

    def _attempt(self, attempt: Attempt, is_open: bool) -> Reply:
        content = attempt.content.pieces() if isinstance(attempt.content, Upload) else attempt.content
        request = self._http.build_request(
            attempt.method, attempt.url, headers=attempt.headers, content=content, timeout=attempt.timeout
        )
        response = self._http.send(request, stream=True, follow_redirects=False)
        if is_open and response.is_success:
            return Reply(response, b"")
        try:
            body = bytearray()
            for piece in response.iter_bytes():
                body += piece
                if time.monotonic() > attempt.deadline:
                    raise httpx.ReadTimeout("the answer is too slow", request=request)
            return Reply(response, bytes(body))
        finally:
            response.close()

    def _place(self) -> str | None:
        return place_in(self._exchange(PLACE).body)

    def _open_stream(self, query: Mapping[str, Any], last_event_id: str | None, idle_timeout: float) -> httpx.Response:
        return stream_of(self._attempt(self._stream_attempt(query, last_event_id, idle_timeout), is_open=True))


class AsyncTransport(_Client):
    def __init__(
        self,
        base_url: str,
        credential: Credential = None,
        *,
        organization_id: str | None = None,
        retries: int = 4,
        timeout: float = 60.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """As Transport's."""
        self._settings = Settings(base_url, credential, organization_id, retries, timeout)
        self._http = http or httpx.AsyncClient()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._http.aclose()

    def events(
        self, *, last_event_id: str | None = None, idle_timeout: float = 45.0, **choice: Unpack[EventChoice]
    ) -> AsyncEventStream:
        """As Transport's; see AsyncEventStream."""
        query = query_of(choice)
        return AsyncEventStream(self._place, lambda place: self._open_stream(query, place, idle_timeout), last_event_id)

    async def _ask(self, call: Call) -> Answer[Any]:
        return answer_of(await self._exchange(call))

    async def _all(self, records: str, call: Call) -> AsyncIterator[Any]:
        flow = pages(call)
        wanted = next(flow)
        while True:
            answer: Answer[Any] | ProblemError
            try:
                answer = await self._ask(wanted)
            except ProblemError as error:
                answer = error
            else:
                for record in answer.data[records]:
                    yield record
            try:
                wanted = flow.send(answer)
            except StopIteration:
                return

    def _download(self, call: Call) -> AsyncDownload:
        async def begin() -> httpx.Response:
            return (await self._exchange(call, is_open=True)).response

        return AsyncDownload(begin)

    async def _exchange(self, call: Call, is_open: bool = False) -> Reply:
        flow = exchange(call, self._settings)
        action = next(flow)
        while True:
            result: Reply | httpx.TransportError | None = None
            try:
                if isinstance(action, Pause):
                    await anyio.sleep(action.seconds)
                else:
                    with anyio.fail_after(action.left):
                        result = await self._attempt(action, is_open)
            except httpx.TransportError as error:
                result = error
            except TimeoutError:
                result = httpx.ReadTimeout("the answer is too slow")
            try:
                action = flow.send(result)
            except StopIteration as end:
                reply: Reply = end.value
                return reply

    async def _attempt(self, attempt: Attempt, is_open: bool) -> Reply:
        content = attempt.content.pieces_async() if isinstance(attempt.content, Upload) else attempt.content
        request = self._http.build_request(
            attempt.method, attempt.url, headers=attempt.headers, content=content, timeout=attempt.timeout
        )
        response = await self._http.send(request, stream=True, follow_redirects=False)
        if is_open and response.is_success:
            return Reply(response, b"")
        try:
            return Reply(response, await response.aread())
        finally:
            await response.aclose()

    async def _place(self) -> str | None:
        return place_in((await self._exchange(PLACE)).body)

    async def _open_stream(
        self, query: Mapping[str, Any], last_event_id: str | None, idle_timeout: float
    ) -> httpx.Response:
        return stream_of(await self._attempt(self._stream_attempt(query, last_event_id, idle_timeout), is_open=True))


class Download:
    """A file: `with client.export_contacts() as file:`, then `read`, `iter_bytes` or `save`."""

    headers: httpx.Headers

    def __init__(self, begin: Callable[[], httpx.Response]) -> None:
        self._begin = begin

    def __enter__(self) -> Self:
        self._response = self._begin()
        self.headers = self._response.headers
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._response.close()

    def read(self) -> bytes:
        return self._response.read()

    def iter_bytes(self) -> Iterator[bytes]:
        return self._response.iter_bytes()

    def save(self, path: str | PathLike[str]) -> None:
        with open(path, "wb") as file:
            for piece in self.iter_bytes():
                file.write(piece)


class AsyncDownload:
    """A file: `async with client.export_contacts() as file:`, then `read`, `iter_bytes` or `save`."""

    headers: httpx.Headers

    def __init__(self, begin: Callable[[], Any]) -> None:
        self._begin = begin

    async def __aenter__(self) -> Self:
        self._response: httpx.Response = await self._begin()
        self.headers = self._response.headers
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._response.aclose()

    async def read(self) -> bytes:
        return await self._response.aread()

    def iter_bytes(self) -> AsyncIterator[bytes]:
        return self._response.aiter_bytes()

    async def save(self, path: str | PathLike[str]) -> None:
        async with await anyio.open_file(path, "wb") as file:
            async for piece in self.iter_bytes():
                await file.write(piece)
