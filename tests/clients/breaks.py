#!/usr/bin/env python3
"""Through proxy.py, which breaks connections: what is sent again takes effect once, and no event is missed or told twice.
Webhooks of the real system are verified. breaks.ts is the same."""

import asyncio
import os
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from uuid import uuid4

import httpx

from parley_client import AsyncParley, Parley, WebhookVerificationError, types, verify_webhook

NAME = f"Breaks {uuid4().hex[:8]}"
KEY = os.environ["PARLEY_API_KEY"]
MESSAGES = 3
got: queue.Queue[tuple[bytes, dict[str, str]]] = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        got.put((self.rfile.read(int(self.headers["Content-Length"])), dict(self.headers)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None: ...


def check(is_right: bool, what: object) -> None:
    if not is_right:
        raise SystemExit(f"wrong: {what}")


def write(text: str) -> None:
    """A user writes, by the simulator."""
    told = {"from": "+447700900321", "text": text}
    httpx.post(f"{os.environ['PARLEY_SIMULATOR_URL']}/simulator/inbound", json=told).raise_for_status()


def wait_for(text: str) -> None:
    """Until the message is there."""
    deadline = time.monotonic() + 30
    with Parley(os.environ["PARLEY_URL"], KEY) as parley:
        while not any(text in str(each) for each in parley.list_messages(direction="InBound").data["messages"]):
            check(time.monotonic() < deadline, f"{text} does not come")
            time.sleep(0.1)


def text_of(event: types.EventPayload) -> str | None:
    if event["type"] != "message.created":
        check(event["type"] != "reset", event)
        return None
    message = event["data"]["message"]
    return message["messageData"]["text"] if message is not None and message["messageType"] == "Text" else None


async def follow(expected: list[str]) -> list[str]:
    """The texts that are told; each is written when the one before was, while the stream is broken."""
    texts: list[str] = []
    async with AsyncParley(os.environ["PARLEY_BREAKING_URL"], KEY) as parley, parley.events() as events:
        await asyncio.to_thread(write, expected[0])
        await asyncio.to_thread(wait_for, expected[0])  # it is over before the loop begins
        async for event in events:
            text = text_of(event)
            if text is not None and text.startswith(NAME):
                texts.append(text)
                if len(texts) == len(expected):
                    break
                await asyncio.to_thread(write, expected[len(texts)])
    return texts


with Parley(os.environ["PARLEY_BREAKING_URL"], KEY) as broken, Parley(os.environ["PARLEY_URL"], KEY) as whole:
    made = broken.create_list({"name": NAME})
    check(made.replayed, "the answer to a request that was sent again is not the first one's")
    check([each["uniqueId"] for each in whole.iter_lists(search=NAME)] == [made.data["list"]["uniqueId"]], "not one list")
    check(len(list(broken.iter_lists(search=NAME))) == 1, "a GET is not sent again")
    broken.delete_list(made.data["list"]["uniqueId"])

    expected = [f"{NAME} {n}" for n in range(MESSAGES)]
    texts: list[str] = []
    with broken.events() as events:
        write(expected[0])
        wait_for(expected[0])
        while len(texts) < MESSAGES:
            text = text_of(next(events))
            if text is not None and text.startswith(NAME):
                texts.append(text)
                if len(texts) < MESSAGES:
                    write(expected[len(texts)])
    check(texts == expected, texts)
    expected = [f"{NAME} async {n}" for n in range(MESSAGES)]
    texts = asyncio.run(follow(expected))
    check(texts == expected, texts)

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hook = whole.create_webhook({"url": f"http://127.0.0.1:{server.server_port}/", "events": ["message.created"]}).data
    identifier, secrets = hook["webhook"]["uniqueId"], [hook["secret"]]
    try:
        whole.test_webhook(identifier)
        body, headers = got.get(timeout=30)
        event = verify_webhook(body, headers, secrets)
        check(event["type"] == "webhook.test" and event["data"]["webhookId"] == identifier, event)
        try:
            verify_webhook(body + b" ", headers, secrets)
            check(False, "a webhook that was changed is taken")
        except WebhookVerificationError:
            pass
        secrets.append(whole.rotate_webhook_secret(identifier).data["secret"])
        whole.test_webhook(identifier)
        body, headers = got.get(timeout=30)
        for secret in secrets:
            check(verify_webhook(body, headers, secret)["type"] == "webhook.test", "a secret of a rotation does not verify")
    finally:
        whole.delete_webhook(identifier)
