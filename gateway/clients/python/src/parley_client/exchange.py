"""A call and its answer, and what is tried again when. Nothing here sends: transport.py does, with threads or without."""

from __future__ import annotations

import json
import os
import random
import re
import time
import uuid
import warnings
from collections.abc import AsyncIterable, AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Generic, TypeAlias, TypeVar
from urllib.parse import quote, urlencode

import anyio.to_thread
import httpx

from .problems import ConnectionFailed, DeadlineExceeded, NotModified, ProblemError, problem_of

T = TypeVar("T")
FileBody: TypeAlias = "bytes | str | os.PathLike[str] | BinaryIO | Iterable[bytes]"
"""A file: its octets or its text, where it lies, or what gives it piece by piece. Where it can be read again it is sent again
when a connection breaks: all but pieces and files that cannot seek."""
AsyncFileBody: TypeAlias = "FileBody | AsyncIterable[bytes]"
Credential: TypeAlias = "str | Callable[[], str] | None"

FIRST_PAUSE = 0.25  # seconds, as all times here
LONGEST_PAUSE = 8.0
CONNECT_TIMEOUT = 10.0
FILE_TIMEOUT = 900.0
PIECE = 64 * 1024
UNSAFE_GETS = {"/api/auth/api-keys/regenerate"}
"""GETs that make something: sent twice, they make two."""


@dataclass(frozen=True)
class Settings:
    base_url: str
    credential: Credential
    organization_id: str | None
    retries: int
    timeout: float


@dataclass(frozen=True)
class Call:
    method: str
    template: str
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    file: AsyncFileBody | None = None
    content_type: str | None = None
    accept: str = "application/json"
    idempotency_key: str | None = None
    if_match: str | None = None
    if_none_match: str | None = None
    byte_range: str | None = None
    if_range: str | None = None
    last_event_id: str | None = None
    timeout: float | None = None

    @property
    def is_safe(self) -> bool:
        """Whether it takes effect once, however often it is sent."""
        return self.method != "GET" or self.template not in UNSAFE_GETS


@dataclass(frozen=True)
class Answer(Generic[T]):
    data: T
    status: int
    headers: httpx.Headers

    @property
    def etag(self) -> str | None:
        """The resource's version, for `if_match` and `if_none_match`. None where a part of the answer is missing (`degraded`)."""
        return _text(self.headers, "etag")

    @property
    def request_id(self) -> str:
        return _text(self.headers, "x-request-id") or ""

    @property
    def replayed(self) -> bool:
        """An earlier request with the same Idempotency-Key got this answer: nothing was done now."""
        return _text(self.headers, "idempotency-replayed") == "true"

    @property
    def degraded(self) -> list[str]:
        """The parts of the system that could not be reached: what comes from them is empty."""
        return [part.strip() for part in (_text(self.headers, "parley-degraded") or "").split(",") if part.strip()]


def _text(headers: httpx.Headers, name: str) -> str | None:
    value: str | None = headers.get(name)
    return value


@dataclass(frozen=True)
class Reply:
    """An HTTP response; of a download it is open, and `body` empty."""

    response: httpx.Response
    body: bytes


@dataclass(frozen=True)
class Attempt:
    """Send this, and read the answer until the deadline, a moment of time.monotonic()."""

    method: str
    url: str
    headers: dict[str, str]
    content: bytes | Upload | None
    deadline: float

    @property
    def left(self) -> float:
        return max(0.001, self.deadline - time.monotonic())

    @property
    def timeout(self) -> httpx.Timeout:
        return httpx.Timeout(self.left, connect=min(CONNECT_TIMEOUT, self.left))


@dataclass(frozen=True)
class Pause:
    seconds: float


class Upload:
    """A file that is sent: its pieces, from its begin each time."""

    def __init__(self, file: AsyncFileBody) -> None:
        self._file = file
        self._start = 0
        self.size: int | None = None
        self.is_repeatable = True
        if isinstance(file, os.PathLike):
            self.size = os.stat(file).st_size
        elif not isinstance(file, (list, tuple)):
            self.is_repeatable = self._measure(file)

    def _measure(self, file: Any) -> bool:
        if not (hasattr(file, "read") and hasattr(file, "seekable") and file.seekable()):
            return False
        self._start = file.tell()
        self.size = file.seek(0, os.SEEK_END) - self._start
        file.seek(self._start)
        return True

    def pieces(self) -> Iterator[bytes]:
        if isinstance(self._file, AsyncIterable):
            raise TypeError("a file that is read by coroutines needs AsyncParley")
        return self._pieces()

    def _pieces(self) -> Iterator[bytes]:
        file: Any = self._file
        if isinstance(file, os.PathLike):
            with open(file, "rb") as opened:
                yield from iter(lambda: opened.read(PIECE), b"")
        elif hasattr(file, "read"):
            if self.is_repeatable:
                file.seek(self._start)
            yield from iter(lambda: file.read(PIECE), b"")
        else:
            yield from file

    async def pieces_async(self) -> AsyncIterator[bytes]:
        if isinstance(self._file, AsyncIterable):
            async for piece in self._file:
                yield piece
            return
        pieces = self.pieces()
        while (following := await anyio.to_thread.run_sync(lambda: next(pieces, None))) is not None:
            yield following


def attempt_of(call: Call, settings: Settings, content: bytes | Upload | None, key: str | None, deadline: float) -> Attempt:
    credential = settings.credential() if callable(settings.credential) else settings.credential
    fields = {
        "Accept": call.accept,
        "Authorization": credential and f"Bearer {credential}",
        "Content-Type": call.content_type or ("application/json" if call.body is not None else None),
        "Content-Length": str(content.size) if isinstance(content, Upload) and content.size is not None else None,
        "Idempotency-Key": key,
        "If-Match": call.if_match,
        "If-None-Match": call.if_none_match,
        "Range": call.byte_range,
        "If-Range": call.if_range,
        "Last-Event-ID": call.last_event_id,
        "X-Organization-Id": settings.organization_id,
    }
    headers = {name: value for name, value in fields.items() if value is not None}
    return Attempt(call.method, url_of(call, settings), headers, content, deadline)


def url_of(call: Call, settings: Settings) -> str:
    def fill(found: re.Match[str]) -> str:
        value = str(call.path[found[1]])
        if not value:
            raise ValueError(f"{call.template}: {found[1]} is empty")
        return quote(value, safe="")

    pairs: list[tuple[str, str]] = []
    for name, value in call.query.items():
        if isinstance(value, Mapping):
            pairs += [(f"{name}[{key}]", text_of(each)) for key, each in value.items()]
        elif value is not None:
            pairs.append((name, text_of(value)))
    query = f"?{urlencode(pairs)}" if pairs else ""
    return settings.base_url.rstrip("/") + re.sub(r"\{(\w+)\}", fill, call.template) + query


def text_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def content_of(call: Call) -> bytes | Upload | None:
    if isinstance(call.file, (bytes, bytearray, memoryview)):
        return bytes(call.file)
    if isinstance(call.file, str):
        return call.file.encode()
    if call.file is not None:
        return Upload(call.file)
    return None if call.body is None else json.dumps(call.body, ensure_ascii=False).encode()


def exchange(call: Call, settings: Settings) -> Generator[Attempt | Pause, Reply | httpx.TransportError | None, Reply]:
    """Tells what to do next, gets what came of it, and returns the reply to keep. Raises what is wrong with the last one."""
    content = content_of(call)
    key = None if call.method == "GET" else call.idempotency_key or str(uuid.uuid4())
    limit = call.timeout or (settings.timeout if call.file is None else FILE_TIMEOUT)
    deadline = time.monotonic() + limit
    retries = settings.retries if not isinstance(content, Upload) or content.is_repeatable else 0
    for attempt in range(1, retries + 2):
        result = yield attempt_of(call, settings, content, key, deadline)
        error: ProblemError | ConnectionFailed
        if isinstance(result, Reply):
            status = result.response.status_code
            if status == 304:
                raise NotModified(call.template)
            if 200 <= status < 300:
                warn_if_deprecated(call, result.response.headers)
                return result
            error = problem_of(status, result.response.headers, result.body)
        else:
            if time.monotonic() >= deadline:
                raise DeadlineExceeded(f"{call.method} {call.template}: no answer within {limit:g} s") from result
            error = ConnectionFailed(f"{call.method} {call.template}: {result!r}")
            error.__cause__ = result
        wait = pause_before_next(attempt, error.retry_after if isinstance(error, ProblemError) else None)
        if attempt > retries or not is_temporary(error, call.is_safe) or time.monotonic() + wait >= deadline:
            raise error
        yield Pause(wait)
    raise AssertionError("the last attempt returns or raises")


def warn_if_deprecated(call: Call, headers: httpx.Headers) -> None:
    if "deprecation" in headers:
        ends = headers.get("sunset", "on a day to be told")
        warnings.warn(f"{call.method} {call.template} is deprecated: it ends {ends}", DeprecationWarning, stacklevel=6)


def is_temporary(error: ProblemError | ConnectionFailed, is_safe: bool) -> bool:
    """Whether it invites to send the same again."""
    if isinstance(error, ConnectionFailed):
        return is_safe
    if error.status in (429, 503):
        return True
    # A 409 with Retry-After: an earlier attempt with the same key is in progress.
    return is_safe and (error.status in (502, 504) or (error.status == 409 and error.retry_after is not None))


def pause_before_next(attempt: int, retry_after: float | None) -> float:
    chosen = random.uniform(0, min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1)))
    return chosen if retry_after is None else retry_after + min(chosen, 0.25)


def answer_of(reply: Reply) -> Answer[Any]:
    data = json.loads(reply.body) if reply.body else None
    return Answer(data, reply.response.status_code, reply.response.headers)


def stream_of(reply: Reply) -> httpx.Response:
    if not reply.response.is_success:
        raise problem_of(reply.response.status_code, reply.response.headers, reply.body)
    return reply.response


def is_too_long(error: ProblemError) -> bool:
    """A page that is not behind a cursor is refused where it would be too long."""
    return error.status == 400 and any(fault["pointer"] == "?per_page" for fault in error.errors)


def pages(call: Call) -> Generator[Call, Answer[Any] | ProblemError, None]:
    """The calls for the pages of a list; gets the answer of each, or its error if it was too long."""
    query = {**call.query, "per_page": call.query.get("per_page") or 100}
    while True:
        answer = yield Call(**{**vars(call), "query": query})
        if isinstance(answer, ProblemError):
            if not is_too_long(answer) or query["per_page"] < 2:
                raise answer
            query["per_page"] //= 2
            continue
        query["cursor"] = answer.data["paginationMeta"]["nextCursor"]
        if query["cursor"] is None:
            return
