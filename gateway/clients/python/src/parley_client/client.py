"""Parley's API: its operations are in operations.py, which is made from the OpenAPI document."""

from __future__ import annotations

from .operations import AsyncOperations, Operations


class Parley(Operations):
    """Parley's API. One client may be used by several threads. A method is an operation of the OpenAPI document: what is in
    the path comes first, then the body; parameters have names. An `Answer` has the JSON in `data`, typed; `iter_…` goes
    through all records of a list. POSTs and DELETEs take effect once, however often they are sent: an Idempotency-Key is
    made where none is given. An error is a ProblemError; no answer at all is ConnectionFailed or DeadlineExceeded.
    """


class AsyncParley(AsyncOperations):
    """As Parley, with coroutines, under asyncio or trio."""
