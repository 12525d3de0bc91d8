"""program.py of the folder above, through what openapi-python-client makes of the contract: the package `parley`."""

import io
import json
import os
import time
from random import randrange
from typing import TypeVar
from uuid import uuid4

import httpx
from parley.api.access import login
from parley.api.campaigns import create_campaign, get_campaign, start_campaign
from parley.api.contacts import create_contacts, create_list, create_tag, delete_list, get_import, get_list, import_contacts
from parley.api.contacts import list_contacts, update_list
from parley.client import AuthenticatedClient, Client
from parley.models import (
    CampaignStatus,
    CampaignStatusEvent,
    CampaignTextMessage,
    CampaignTextMessageType,
    ContactResponse,
    CreateCampaignBody,
    CreateContactBody,
    CreateListBody,
    CreateTagBody,
    ImportContactsFilesBody,
    ImportStatus,
    LoginBody,
    Problem,
    UpdateListBody,
)
from parley.types import UNSET, File

NAME = f"Program {uuid4().hex[:8]}"
PEOPLE = 120
FIRST = randrange(10**7, 2 * 10**7)
T = TypeVar("T")


def check(is_right: bool, what: object) -> None:
    if not is_right:
        raise SystemExit(f"wrong: {what}")


def done(answer: T | Problem | None) -> T:
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(f"wrong: {answer}")
    return answer


def refused(answer: object, status: int) -> Problem:
    if not isinstance(answer, Problem) or answer.status != status:
        raise SystemExit(f"wrong: {answer} and not a {status}")
    return answer


def phone(n: int) -> str:
    return f"+4915{FIRST * 10 + n:09d}"


url = os.environ["PARLEY_URL"]
with AuthenticatedClient(url, os.environ["PARLEY_API_KEY"], timeout=httpx.Timeout(30)) as client:
    # A list and a contact, and an import of the list's contacts, which are read page after page.
    made = done(create_list.sync(client=client, body=CreateListBody(NAME))).list_.unique_id
    one = create_contacts.sync(client=client, body=CreateContactBody(NAME, phone(PEOPLE)))
    check(isinstance(one, ContactResponse) and one.contact.phone == phone(PEOPLE), one)
    rows = "".join(f"Person {n},{phone(n)}\n" for n in range(PEOPLE))
    file = ImportContactsFilesBody(File(io.BytesIO(b"name,phone\n" + rows.encode()), "people.csv", "text/csv"))
    job = done(import_contacts.sync(client=client, body=file, list_id=made)).import_
    deadline = time.monotonic() + 60
    while job.status in (ImportStatus.QUEUED, ImportStatus.RUNNING):
        check(time.monotonic() < deadline, job)
        time.sleep(0.1)
        job = done(get_import.sync(job.unique_id, client=client)).import_
    check(job.status == ImportStatus.FINISHED and job.imported == PEOPLE, job)
    people: set[object] = set()
    cursor: str | None = ""
    while cursor is not None:
        page = done(list_contacts.sync(client=client, list_id=made, per_page=50, cursor=cursor or UNSET))
        people.update(contact.unique_id for contact in page.contacts)
        cursor = page.pagination_meta.next_cursor
    check(len(people) == PEOPLE, f"{len(people)} contacts")

    # A campaign for the list, and what is told of it until it has ended. The functions wait for the whole answer: the stream
    # is read by the client's own httpx.Client.
    message = CampaignTextMessage("Hello {{name|there}}", CampaignTextMessageType.TEXT)
    body = CreateCampaignBody(NAME, message, list_ids=[made])
    campaign = done(create_campaign.sync(client=client, body=body)).campaign.unique_id
    finished = False
    with client.get_httpx_client().stream("GET", "/api/events", params={"wait": 60}) as stream:
        check(stream.status_code == 200, stream)
        done(start_campaign.sync(campaign, client=client))
        for line in stream.iter_lines():
            if line.startswith("data:") and (payload := json.loads(line[5:]))["type"] == "campaign.status":
                event = CampaignStatusEvent.from_dict(payload)
                finished = event.data.campaign_id == campaign and event.data.to == CampaignStatus.FINISHED
                if finished:
                    break
    check(finished, "the stream ended before the campaign")
    progress = done(get_campaign.sync(campaign, client=client)).campaign.progress
    check(progress.sent + progress.delivered + progress.read == PEOPLE, progress)

    # What goes wrong: 409, 412, 422, 429.
    tag = CreateTagBody(f"{NAME} tag")
    done(create_tag.sync(client=client, body=tag))
    conflict = refused(create_tag.sync(client=client, body=tag), 409)
    check([fault.pointer for fault in conflict.errors] == ["/label"], conflict)
    etag = get_list.sync_detailed(made, client=client).headers["ETag"]
    done(update_list.sync(made, client=client, body=UpdateListBody(description="Changed"), if_match=etag))
    refused(update_list.sync(made, client=client, body=UpdateListBody(description="Again"), if_match=etag), 412)
    done(create_tag.sync(client=client, body=CreateTagBody(f"{NAME} other"), idempotency_key=NAME))
    refused(create_tag.sync(client=client, body=CreateTagBody(f"{NAME} another"), idempotency_key=NAME), 422)
    with Client(url, timeout=httpx.Timeout(30)) as stranger:
        for _ in range(20):
            answer = login.sync_detailed(client=stranger, body=LoginBody(f"{made}@example.com", "wrong password"))
            if answer.status_code != 401:
                break
        refused(answer.parsed, 429)
        check(int(answer.headers["Retry-After"]) > 0, answer)
    check(delete_list.sync_detailed(made, client=client).status_code == 204, "the list is not deleted")
