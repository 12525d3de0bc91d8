#!/usr/bin/env python3
"""What a program does with the API, against deploy/local/up; program.ts is the same. Fails where an answer is wrong."""

import os
import time
from uuid import uuid4

from parley_client import Conflict, Parley, PreconditionFailed, TooManyRequests, Unauthorized, UnprocessableContent

NAME = f"Program {uuid4().hex[:8]}"
PEOPLE = 120


def check(is_right: bool, what: object) -> None:
    if not is_right:
        raise SystemExit(f"wrong: {what}")


def wait_for_import(parley: Parley, identifier: str) -> None:
    deadline = time.monotonic() + 60
    while (job := parley.get_import(identifier).data["import"])["status"] in ("Queued", "Running"):
        check(time.monotonic() < deadline, job)
        time.sleep(0.1)
    check(job["status"] == "Finished" and job["imported"] + job["updated"] == PEOPLE, job)


with Parley(os.environ["PARLEY_URL"], os.environ["PARLEY_API_KEY"], timeout=30) as parley:
    # A list, and an import of its contacts, which are read page after page.
    made = parley.create_list({"name": NAME, "description": "Made by a program"}).data["list"]
    check([each["uniqueId"] for each in parley.iter_lists(search=NAME)] == [made["uniqueId"]], "the list is not found once")
    first = int.from_bytes(os.urandom(3), "big") % 10**7 + 10**7
    rows = [f"Person {n},+4915{first * 10 + n:09d},{NAME}\n" for n in range(PEOPLE)]
    job = parley.import_contacts("name,phone,tags\n" + "".join(rows), list_id=made["uniqueId"], on_conflict="update")
    wait_for_import(parley, job.data["import"]["uniqueId"])
    people = list(parley.iter_contacts(list_id=made["uniqueId"], per_page=50))
    check(len({person["uniqueId"] for person in people}) == len(people) == PEOPLE, f"{len(people)} contacts")
    one = parley.create_contacts({"name": NAME, "phone": f"+4915{first * 10 + PEOPLE:09d}"}).data["contact"]
    check(parley.get_contact(one["uniqueId"]).data["contact"] == one, one)

    # A campaign for the list, and what is told of it until it has ended.
    campaign = parley.create_campaign(
        {"name": NAME, "message": {"type": "Text", "text": "Hello {{name|there}}"}, "listIds": [made["uniqueId"]]}
    ).data["campaign"]
    with parley.events() as events:
        parley.start_campaign(campaign["uniqueId"])
        for event in events:
            check(event["type"] != "reset", event)
            if event["type"] == "campaign.status" and event["data"]["campaignId"] == campaign["uniqueId"]:
                if event["data"]["to"] == "Finished":
                    break
    recipients = list(parley.iter_campaign_recipients(campaign["uniqueId"], per_page=50))
    check(len(recipients) == PEOPLE, f"{len(recipients)} recipients")
    check(all(each["state"] in ("Sent", "Delivered", "Read") for each in recipients), recipients)
    with parley.list_campaign_recipients_csv(campaign["uniqueId"]) as file:
        check(file.read().count(b"\n") == PEOPLE + 1, "the recipients as CSV")

    # What goes wrong: 409, 412, 422, 429.
    parley.create_tag({"label": f"{NAME} tag"})
    try:
        parley.create_tag({"label": f"{NAME} tag"})
        check(False, "a label was taken twice")
    except Conflict as error:
        check([fault["pointer"] for fault in error.errors] == ["/label"] and error.request_id != "", error)
    etag = parley.get_list(made["uniqueId"]).etag
    parley.update_list(made["uniqueId"], {"description": "Changed"}, if_match=etag)
    try:
        parley.update_list(made["uniqueId"], {"description": "Changed again"}, if_match=etag)
        check(False, "what was changed meanwhile was overwritten")
    except PreconditionFailed as error:
        check(error.status == 412, error)
    parley.create_tag({"label": f"{NAME} other"}, idempotency_key=NAME)
    try:
        parley.create_tag({"label": f"{NAME} another"}, idempotency_key=NAME)
        check(False, "a key was taken for two things")
    except UnprocessableContent as error:
        check(error.status == 422, error)
    impatient = parley.with_options(retries=0)
    for _ in range(20):
        try:
            impatient.login({"email": f"{made['uniqueId']}@example.com", "password": "wrong password"})
        except Unauthorized:
            continue
        except TooManyRequests as error:
            check(error.retry_after is not None and error.retry_after > 0, error)
            break
    else:
        check(False, "20 sign-ins failed, and none was a 429")
    parley.delete_list(made["uniqueId"])
    check([*parley.iter_lists(search=NAME)] == [], "the list is still there")
