"""Typed client of Parley's API.

>>> from parley_client import Parley
>>> with Parley("https://parley.example", "API KEY") as parley:
...     for contact in parley.iter_contacts(tag="customer"):
...         print(contact["name"])
"""

from . import types
from .client import AsyncParley, Parley
from .events import AsyncEventStream, EventStream
from .exchange import Answer
from .problems import (
    BadRequest,
    Conflict,
    ConnectionFailed,
    DeadlineExceeded,
    Forbidden,
    NotFound,
    NotModified,
    ParleyError,
    PreconditionFailed,
    ProblemError,
    TooManyRequests,
    Unauthorized,
    UnprocessableContent,
)
from .transport import AsyncDownload, Download
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "Answer",
    "AsyncDownload",
    "AsyncEventStream",
    "AsyncParley",
    "BadRequest",
    "Conflict",
    "ConnectionFailed",
    "DeadlineExceeded",
    "Download",
    "EventStream",
    "Forbidden",
    "NotFound",
    "NotModified",
    "Parley",
    "ParleyError",
    "PreconditionFailed",
    "ProblemError",
    "TooManyRequests",
    "Unauthorized",
    "UnprocessableContent",
    "WebhookVerificationError",
    "types",
    "verify_webhook",
]
