"""What is tried again and when, pages, files and streams; with threads and with coroutines."""

import asyncio
import io
import tempfile
import time
import unittest
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from parley_client import (
    AsyncParley,
    BadRequest,
    Conflict,
    ConnectionFailed,
    DeadlineExceeded,
    NotModified,
    Parley,
    ProblemError,
    Unauthorized,
)
from parley_client.events import EventParser
from served import Served, answer, cut, finish, half, problem, served, silence, stream

LIST = answer({"list": {"uniqueId": "1", "name": "n"}}, 201, ETag='"1-a"', Parley_Degraded="contacts, channel")


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


def both(state: Served, use: Callable[[Any], Any], **options: Any) -> list[Any]:
    """What `use` of a client returns, with threads and with coroutines; exceptions as they are."""

    async def use_async() -> Any:
        async with AsyncParley(state.url, lambda: "secret", **options) as parley:
            return await use(parley)

    results: list[Any] = []
    with Parley(state.url, lambda: "secret", **options) as parley:
        ways: list[Callable[[], Any]] = [lambda: use(parley), lambda: run(use_async())]
        for way in ways:
            try:
                results.append(way())
            except Exception as error:
                results.append(error)
    return results


def create(parley: Any) -> Any:
    return parley.create_list({"name": "n"})


class Client(unittest.TestCase):
    def test_a_post_is_sent_again_with_its_key_until_its_answer_comes(self) -> None:
        rounds = [cut, half, problem(502), problem(504), LIST]
        with served(*rounds, *rounds) as state:
            for result in both(state, create):
                self.assertEqual(result.data["list"]["name"], "n")
                self.assertEqual(result.etag, '"1-a"')
                self.assertEqual(result.degraded, ["contacts", "channel"])
            keys = state.of("Idempotency-Key")
            self.assertEqual([len(set(keys[:5])), len(set(keys[5:])), len(set(keys))], [1, 1, 2])
            self.assertEqual(set(state.of("Authorization")), {"Bearer secret"})
            self.assertEqual({got.body for got in state.got}, {b'{"name": "n"}'})

    def test_a_429_a_503_and_a_key_in_progress_are_waited_for(self) -> None:
        rounds = [problem(429, Retry_After="1"), problem(503, Retry_After="1"), problem(409, Retry_After="1"), LIST]
        with served(*rounds, *rounds) as state:
            begun = time.monotonic()
            for result in both(state, create):
                self.assertEqual(result.status, 201)
            self.assertGreaterEqual(time.monotonic() - begun, 6)
            self.assertEqual(len(state.got), 8)

    def test_what_asking_again_does_not_help_is_told_at_once(self) -> None:
        for status in (400, 401, 403, 404, 409, 412, 422, 500):
            with served(problem(status, [{"pointer": "/name", "detail": "is taken"}])) as state:
                for error in both(state, create):
                    self.assertIsInstance(error, ProblemError)
                    self.assertEqual((error.status, error.request_id), (status, "q"))
                    self.assertEqual(error.errors, [{"pointer": "/name", "detail": "is taken"}])
                    self.assertTrue(str(error).endswith("d: /name is taken"), str(error))
                self.assertEqual(len(state.got), 2)
        for body in ("<html>", {"errors": "many"}, {"errors": [{"code": 1, "message": "m"}, None, "e"]}):
            with served(answer(body, 413)) as state:
                self.assertEqual([(error.status, error.errors) for error in both(state, create)], [(413, [])] * 2)
        with served(problem(409)) as state:
            self.assertIsInstance(both(state, create)[0], Conflict)

    def test_what_must_not_or_cannot_be_sent_again_is_not(self) -> None:
        with served(cut) as state:
            results = both(state, lambda parley: parley.regenerate_api_key())
            results += both(state, lambda parley: parley.import_contacts(iter([b"phone"])))
            self.assertEqual([type(result) for result in results], [ConnectionFailed] * 4)
            self.assertEqual(len(state.got), 4)

    def test_retries_and_deadlines_end_it(self) -> None:
        with served(problem(503, Retry_After="1")) as state:
            results = both(state, lambda parley: parley.get_user(), retries=1)
            results += both(state, lambda parley: parley.get_user(timeout=0.5))  # not waited for in vain
            self.assertEqual([result.status for result in results], [503] * 4)
            self.assertEqual(len(state.got), 6)
        with served(silence) as state:
            results = both(state, lambda parley: parley.with_options(timeout=0.3).get_user())
            self.assertEqual([type(result) for result in results], [DeadlineExceeded] * 2)

    def test_a_file_goes_as_it_is(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory, "contacts.csv")
            path.write_bytes(b"phone\n")

            async def pieces() -> Any:
                yield b"phone\n"

            files: list[tuple[Callable[[], Any], str | None]] = [
                (lambda: b"phone\n", "6"),
                (lambda: "phone\n", "6"),
                (lambda: path, "6"),
                (lambda: io.BytesIO(b"phone\n"), "6"),
                (lambda: iter([b"pho", b"", b"ne\n"]), None),
            ]
            for make, size in files:

                def send(parley: Any, make: Callable[[], Any] = make) -> Any:
                    return parley.import_contacts(make(), country="DE")

                with served(answer({"import": {}}, 202)) as state:
                    for result in both(state, send):
                        self.assertEqual(result.status, 202)
                    self.assertEqual({got.body for got in state.got}, {b"phone\n"})
                    self.assertEqual(set(state.of("Content-Length")), {size})
                    self.assertEqual(set(state.of("Content-Type")), {"text/csv"})
                    self.assertEqual(state.got[0].url, "/api/contacts/imports?country=DE")
            with served(cut, answer({"import": {}}, 202)) as state:
                with Parley(state.url) as parley, path.open("rb") as file:
                    parley.import_contacts(file)
                self.assertEqual([got.body for got in state.got], [b"phone\n"] * 2)
            with served(answer({"import": {}}, 202)) as state:
                refused, taken = both(state, lambda parley: parley.import_contacts(pieces()))
                self.assertIsInstance(refused, TypeError)
                self.assertEqual(taken.status, 202)

    def test_parameters_are_written_as_the_contract_has_it(self) -> None:
        with served(answer({})) as state, Parley(state.url, organization_id="o") as parley:
            parley.list_contacts(attributes={"a b": "c&d"}, search="ü", tag="x")
            parley.get_contact("a/b")
            parley.list_conversations(unread=True)
            parley.list_messages(from_="2026-01-01")
            parley.with_options(organization_id="p").delete_list("1", if_match='"1"', idempotency_key="mine")
            self.assertEqual(
                [got.url for got in state.got],
                [
                    "/api/contacts?search=%C3%BC&tag=x&attributes%5Ba+b%5D=c%26d",
                    "/api/contacts/a%2Fb",
                    "/api/conversations?unread=true",
                    "/api/messages?from=2026-01-01",
                    "/api/lists/1",
                ],
            )
            self.assertEqual(state.of("X-Organization-Id"), ["o"] * 4 + ["p"])
            self.assertEqual((state.of("If-Match")[4], state.of("Idempotency-Key")[4]), ('"1"', "mine"))

    def test_a_call_of_what_is_to_go_warns(self) -> None:
        with served(answer({}, Deprecation="@1735689600", Sunset="Sat, 01 Jan 2028 00:00:00 GMT")) as state:
            with Parley(state.url) as parley, self.assertWarnsRegex(DeprecationWarning, "GET /api/user .* 2028") as caught:
                parley.get_user()
            self.assertEqual(caught.filename, __file__)

    def test_what_is_as_it_was_is_not_sent(self) -> None:
        with served(answer(None, 304)) as state:
            for error in both(state, lambda parley: parley.get_list("1", if_none_match='"1"'), retries=0):
                self.assertIsInstance(error, NotModified)

    def test_a_list_is_read_page_after_page(self) -> None:
        def page(labels: str, cursor: str | None) -> Any:
            tags = [{"label": label} for label in labels]
            return answer({"ofALaterRelease": [1], "tags": tags, "paginationMeta": {"nextCursor": cursor}})

        too_long = problem(400, [{"pointer": "?per_page", "detail": "at most 60 fit"}])
        rounds = [too_long, page("ab", "c1"), page("", "c2"), page("c", None)]
        urls = [
            "/api/tags?per_page=100&order=asc",
            "/api/tags?per_page=50&order=asc",
            "/api/tags?per_page=50&order=asc&cursor=c1",
            "/api/tags?per_page=50&order=asc&cursor=c2",
        ]

        async def read(url: str) -> list[str]:
            async with AsyncParley(url) as parley:
                return [tag["label"] async for tag in parley.iter_tags(order="asc")]

        with served(*rounds, *rounds) as state:
            with Parley(state.url) as parley:
                self.assertEqual([tag["label"] for tag in parley.iter_tags(order="asc")], ["a", "b", "c"])
            self.assertEqual(run(read(state.url)), ["a", "b", "c"])
            self.assertEqual([sorted(got.url) for got in state.got], [sorted(url) for url in urls + urls])
        with served(problem(400)) as state, Parley(state.url) as parley, self.assertRaises(BadRequest):
            next(parley.iter_tags())

    def test_a_file_is_read_piece_by_piece(self) -> None:
        async def read(url: str) -> bytes:
            async with AsyncParley(url) as parley, parley.export_contacts() as file:
                return b"".join([piece async for piece in file.iter_bytes()])

        with served(answer("x" * 200_000)) as state:
            with Parley(state.url) as parley, parley.export_contacts(tag="a") as file:
                self.assertEqual(len(file.read()), 200_002)
            self.assertEqual(len(run(read(state.url))), 200_002)
            self.assertEqual(state.of("Accept"), ["text/csv"] * 2)

        async def save(url: str, path: Path) -> None:
            async with AsyncParley(url) as parley, parley.export_contacts() as file:
                await file.save(path)

        with served(answer("x" * 200_000)) as state, tempfile.TemporaryDirectory() as folder:
            with Parley(state.url) as parley, parley.export_contacts() as file:
                file.save(Path(folder, "a"))
            run(save(state.url, Path(folder, "b")))
            self.assertEqual([Path(folder, name).stat().st_size for name in ("a", "b")], [200_002] * 2)
        with served(problem(401)) as state, Parley(state.url) as parley:
            with self.assertRaises(Unauthorized), parley.export_contacts():
                pass


EVENT = 'id: {0}\nevent: {1}\ndata: {{"type":"{1}","timestamp":"","data":{{}}}}\n\n'


class Streams(unittest.TestCase):
    def test_its_text_is_read_in_pieces_of_any_size(self) -> None:
        lines = ": hello\nretry: 5\nid: 1\n\nid: 2\r\nevent: x\r\ndata: ä\r\ndata:b\r\n\r\nid: 3\rdata: c\r\rdata: lost"
        text = lines.encode()
        for size in range(1, len(text)):
            parser = EventParser(None)
            got = []
            for at in range(0, len(text), size):
                got += [(data, parser.last_event_id) for data in parser.feed(text[at : at + size])]
            self.assertEqual(got, [("ä\nb", "2"), ("c", "3")])
            self.assertEqual(parser.retry, 0.005)

    def test_an_event_that_does_not_end_is_a_broken_stream(self) -> None:
        mebibyte = b"x" * 1024 * 1024
        for piece in (mebibyte, b"data: " + mebibyte + b"\n"):
            parser = EventParser(None)
            with self.assertRaises(ConnectionFailed):
                for _ in range(18):
                    self.assertEqual(list(parser.feed(piece)), [])
        parser = EventParser(None)
        for _ in range(18):
            self.assertEqual(len(list(parser.feed(b"data: " + mebibyte + b"\n\n"))), 1)

    def test_it_goes_on_behind_the_last_event_whatever_breaks(self) -> None:
        rounds = [
            stream("retry: 10\nid: 0\n\n"),
            stream(EVENT.format(1, "reset") + "id: 2\ndata: {"),
            problem(503, Retry_After="1"),
            stream(EVENT.format(2, "some.later"), finish),
            stream(": nothing\n\n", silence),
            stream(EVENT.format(3, "reset"), silence),
            problem(401),
        ]
        told: list[tuple[str, str | None]] = []

        async def follow(url: str) -> None:
            async with AsyncParley(url) as parley:
                events = parley.events(idle_timeout=0.3)
                async for event in events:
                    told.append((event["type"], events.last_event_id))

        with served(*rounds, *rounds) as state:
            with self.assertRaises(Unauthorized), Parley(state.url) as parley:
                events = parley.events(idle_timeout=0.3)
                for event in events:
                    told.append((event["type"], events.last_event_id))
            with self.assertRaises(Unauthorized):
                run(follow(state.url))
            self.assertEqual(told, [("reset", "1"), ("some.later", "2"), ("reset", "3")] * 2)
            self.assertEqual(state.of("Last-Event-ID"), [None, "0", "1", "1", "2", "2", "3"] * 2)

    def test_it_goes_on_though_waiting_for_an_event_is_cancelled(self) -> None:
        async def follow(url: str) -> str:
            async with asyncio.timeout(30), AsyncParley(url) as parley, parley.events(last_event_id="a") as events:
                waiting = asyncio.create_task(events.__anext__())
                while events.last_event_id != "b":
                    await asyncio.sleep(0.01)
                waiting.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await waiting
                return (await anext(events))["type"]

        with served(stream("id: b\n\n", silence), stream(EVENT.format("c", "reset"), silence)) as state:
            self.assertEqual(run(follow(state.url)), "reset")
            self.assertEqual(state.of("Last-Event-ID"), ["a", "b"])

    def test_it_is_left_and_gone_on_with_and_closed(self) -> None:
        two = stream(EVENT.format(1, "reset") + EVENT.format(2, "reset"), silence)
        with served(stream("retry: 10\nid: 0\n\n", finish), two) as state:
            with Parley(state.url) as parley, parley.events(types=["a", "b"], campaign_id="c") as events:
                self.assertEqual(events.last_event_id, "0")
                for _ in events:
                    break
                self.assertEqual(events.last_event_id, "1")
                next(events)
                self.assertEqual(events.last_event_id, "2")
            self.assertRaises(StopIteration, next, events)
            self.assertEqual(state.of("Last-Event-ID"), [None, "0"])
            self.assertEqual([got.url for got in state.got], ["/api/events?wait=0", "/api/events?types=a%2Cb&campaign_id=c"])


if __name__ == "__main__":
    unittest.main()
