"""What Parley posts to webhooks is signed as Standard Webhooks 1.0 has it (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import cast

from . import types
from .problems import ParleyError

MOST_SIGNATURES = 16


class WebhookVerificationError(ParleyError):
    """The request is not a webhook that was signed with the secret just now: answer it with a 401, and do nothing."""


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> types.EventPayload:
    """Verifies a request that claims to be a webhook of Parley's, and returns the event.

    `body`: as it came, not parsed and made again: the signature is of its octets. `secrets`: the webhook's secret (`whsec_…`),
    or while it is rotated both; one must match one of the signatures. `tolerance`: how many seconds `webhook-timestamp` may be
    from `now` (time.time()), either way. Raises WebhookVerificationError.

    The header `webhook-id` is the same each time that a delivery is tried: by it a receiver knows what it had before.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        identifier, timestamp, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as error:
        raise WebhookVerificationError(f"the header {error.args[0]} is missing") from None
    _check_time(timestamp, tolerance, time.time() if now is None else now)
    octets = body.encode() if isinstance(body, str) else body
    signed = f"{identifier}.{timestamp}.".encode() + octets
    found = False
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = base64.b64encode(hmac.digest(_key(secret), signed, hashlib.sha256))
        for signature in signatures.split(" ")[:MOST_SIGNATURES]:
            found |= hmac.compare_digest(b"v1," + expected, signature.encode())
    if not found:
        raise WebhookVerificationError("no signature matches")
    return cast(types.EventPayload, json.loads(octets))


def _check_time(timestamp: str, tolerance: float, now: float) -> None:
    if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= 12):
        raise WebhookVerificationError("webhook-timestamp is not a number of seconds")
    age = now - int(timestamp)
    if abs(age) > tolerance:
        raise WebhookVerificationError(f"webhook-timestamp is more than {tolerance:g} s {'old' if age > 0 else 'ahead'}")


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError("a webhook's secret is whsec_ and base64")
    return key
