"""What goes wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from time import time

import httpx

from . import types


class ParleyError(Exception):
    """Anything that the client raises about a call."""


class ConnectionFailed(ParleyError):
    """No answer came: the connection could not be made, or broke."""


class DeadlineExceeded(ParleyError, TimeoutError):
    """No answer came within the call's `timeout`."""


class NotModified(ParleyError):
    """The resource is still as it was with the `if_none_match` that was given."""


class ProblemError(ParleyError):
    """An answer that is an error (RFC 9457)."""

    status: int
    type: str
    title: str
    detail: str
    instance: str
    request_id: str
    """Quote it when you report a fault. Empty where the answer has none."""
    errors: Sequence[types.Fault]
    """Each fault that has a place: a JSON pointer into the body, or `?` and the name of a query parameter."""
    retry_after: float | None
    """Seconds after which it may be tried again, where the answer says so."""
    headers: httpx.Headers

    def __init__(self, status: int, headers: httpx.Headers, body: bytes) -> None:
        try:
            given = json.loads(body)
        except ValueError:
            given = None
        problem = given if isinstance(given, dict) else {}
        errors = problem.get("errors")  # a proxy's may have another shape
        self.status = status
        self.type = str(problem.get("type", "about:blank"))
        self.title = str(problem.get("title", httpx.codes.get_reason_phrase(status)))
        self.detail = str(problem.get("detail", ""))
        self.instance = str(problem.get("instance", ""))
        self.request_id = str(problem.get("requestId", headers.get("x-request-id", "")))
        self.errors = [each for each in errors if is_fault(each)] if isinstance(errors, list) else []
        self.retry_after = retry_after(headers)
        self.headers = headers
        faults = [f"{fault['pointer']} {fault['detail']}" for fault in self.errors]
        super().__init__(": ".join(part for part in [f"{status} {self.title}", self.detail, *faults] if part))


class BadRequest(ProblemError): ...


class Unauthorized(ProblemError): ...


class Forbidden(ProblemError): ...


class NotFound(ProblemError): ...


class Conflict(ProblemError): ...


class PreconditionFailed(ProblemError): ...


class UnprocessableContent(ProblemError): ...


class TooManyRequests(ProblemError): ...


_BY_STATUS: dict[int, type[ProblemError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: PreconditionFailed,
    422: UnprocessableContent,
    429: TooManyRequests,
}


def is_fault(value: object) -> bool:
    return isinstance(value, dict) and "pointer" in value and "detail" in value


def problem_of(status: int, headers: httpx.Headers, body: bytes) -> ProblemError:
    return _BY_STATUS.get(status, ProblemError)(status, headers, body)


def retry_after(headers: httpx.Headers) -> float | None:
    """Seconds of Retry-After (RFC 9110, 10.2.3): a number, or a date."""
    value = headers.get("retry-after", "")
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except ValueError:
        return None
