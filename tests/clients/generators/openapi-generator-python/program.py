"""program.py of the folder above, through what openapi-generator's python makes of the contract: the package `parley`."""

import os
import time
from collections.abc import Callable
from random import randrange
from uuid import uuid4

import parley
from parley.exceptions import ApiException

NAME = f"Program {uuid4().hex[:8]}"
PEOPLE = 120
FIRST = randrange(10**7, 2 * 10**7)


def check(is_right: bool, what: object) -> None:
    if not is_right:
        raise SystemExit(f"wrong: {what}")


def refused(call: Callable[[], object], *statuses: int) -> ApiException:
    try:
        answer = call()
    except ApiException as error:
        check(error.status in statuses, error)
        return error
    raise SystemExit(f"wrong: {answer} and not a {statuses}")


def phone(n: int) -> str:
    return f"+4915{FIRST * 10 + n:09d}"


def tag(label: str) -> parley.CreateTagBody:
    return parley.CreateTagBody(label=f"{NAME} {label}")


url = os.environ["PARLEY_URL"]
with parley.ApiClient(parley.Configuration(host=url, access_token=os.environ["PARLEY_API_KEY"], retries=0)) as client:
    contacts, campaigns = parley.ContactsApi(client), parley.CampaignsApi(client)

    # A list and a contact, and an import of the list's contacts, which are read page after page.
    made = contacts.create_list(parley.CreateListBody(name=NAME)).list.unique_id
    body = parley.CreateContactsBody(parley.CreateContactBody(name=NAME, phone=phone(PEOPLE)))
    one = contacts.create_contacts(body).actual_instance
    check(isinstance(one, parley.ContactResponse) and one.contact.phone == phone(PEOPLE), one)
    rows = "".join(f"Person {n},{phone(n)}\n" for n in range(PEOPLE))
    job = contacts.import_contacts(("people.csv", b"name,phone\n" + rows.encode()), list_id=made).var_import
    deadline = time.monotonic() + 60
    while job.status in (parley.ImportStatus.QUEUED, parley.ImportStatus.RUNNING):
        check(time.monotonic() < deadline, job)
        time.sleep(0.1)
        job = contacts.get_import(job.unique_id).var_import
    check(job.status == parley.ImportStatus.FINISHED and job.imported == PEOPLE, job)
    people: set[object] = set()
    cursor: str | None = None
    while True:
        page = contacts.list_contacts(list_id=made, per_page=50, cursor=cursor)
        people.update(contact.unique_id for contact in page.contacts)
        if (cursor := page.pagination_meta.next_cursor) is None:
            break
    check(len(people) == PEOPLE, f"{len(people)} contacts")

    # A campaign for the list, and what is told of it until it has ended.
    message = parley.CampaignMessage(parley.CampaignTextMessage(type="Text", text="Hello {{name|there}}"))
    campaign = campaigns.create_campaign(parley.CreateCampaignBody(name=NAME, message=message, listIds=[made])).campaign
    finished = False
    stream = parley.ConversationsApi(client).stream_events_without_preload_content(wait=60)
    check(stream.status == 200, stream)
    campaigns.start_campaign(campaign.unique_id)
    for line in stream:
        if line.startswith(b"data:"):
            event = parley.EventPayload.from_json(line[5:].decode()).actual_instance
            if isinstance(event, parley.CampaignStatusEvent) and event.data.campaign_id == campaign.unique_id:
                finished = event.data.to == parley.CampaignStatus.FINISHED
                if finished:
                    break
    check(finished, "the stream ended before the campaign")
    progress = campaigns.get_campaign(campaign.unique_id).campaign.progress
    check(progress.sent + progress.delivered + progress.read == PEOPLE, progress)

    # What goes wrong: 409, 412, 422, 429.
    contacts.create_tag(tag("tag"))
    conflict = refused(lambda: contacts.create_tag(tag("tag")), 409)
    problem = conflict.data
    check(isinstance(problem, parley.Problem) and [fault.pointer for fault in problem.errors] == ["/label"], conflict)
    etag = (contacts.get_list_with_http_info(made).headers or {})["ETag"]
    changed, again = parley.UpdateListBody(description="Changed"), parley.UpdateListBody(description="Again")
    contacts.update_list(made, changed, if_match=etag)
    refused(lambda: contacts.update_list(made, again, if_match=etag), 412)
    contacts.create_tag(tag("other"), idempotency_key=NAME)
    refused(lambda: contacts.create_tag(tag("another"), idempotency_key=NAME), 422)
    contacts.delete_list(made)
with parley.ApiClient(parley.Configuration(host=url, retries=0)) as stranger:
    access = parley.AccessApi(stranger)
    login = parley.LoginBody(email=f"{made}@example.com", password="wrong password")
    for _ in range(20):
        refusal = refused(lambda: access.login(login), 401, 429)
        if refusal.status == 429:
            break
    check(refusal.status == 429 and int((refusal.headers or {})["Retry-After"]) > 0, refusal)
