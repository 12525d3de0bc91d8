#!/usr/bin/env python3
"""A day of a company of five, through the API alone, with the simulator as the channel and its customers.

Ada signs the company up and secures it; Grace plans a campaign, which Ada starts; Joan and Mary answer who writes back, with
notes, quick replies, files and a hand-over; Alan looks at the figures. PARLEY_URL and PARLEY_SIMULATOR_URL say where; the
simulator reports to the gateway there. Fails at the first answer that is not as a company would expect it.
"""

import base64
import hashlib
import hmac
import json
import os
import struct
import time
import urllib.error
import urllib.request
from uuid import uuid4

PARLEY, SIMULATOR = os.environ["PARLEY_URL"], os.environ["PARLEY_SIMULATOR_URL"]
DAY = uuid4().hex[:8]
ACCOUNT, NUMBER = str(uuid4().int)[:15], str(uuid4().int)[:15]
PASSWORD = "correct horse battery"
PATIENCE = 60  # seconds for what happens in the background
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def check(is_right, what):
    if not is_right:
        raise SystemExit(f"wrong: {what}")


def send(url, method, body=None, headers=None):
    """Returns the status, the octets and the headers of the answer."""
    request = urllib.request.Request(url, method=method, data=body, headers=headers or {})
    try:
        with opener.open(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read(), refusal.headers


class Person:
    """Who calls the API, with a session of their own."""

    def __init__(self, name, token=""):
        self.name, self.token, self.member = name, token, ""
        self.email = f"{name.lower()}-{DAY}@company.example"

    def ask(self, method, path, body=None, kind="application/json", **headers):
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            given["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            given["Content-Type"] = kind
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        return send(PARLEY + path, method, body, given)

    def call(self, method, path, body=None, status=(200, 201, 202, 204), **more):
        """The answer's JSON, if any; another status than those is the end."""
        got, octets, _ = self.ask(method, path, body, **more)
        check(
            got in (status if isinstance(status, tuple) else (status,)),
            f"{self.name}: {method} {path}: {got} {octets[:600]!r}",
        )
        return json.loads(octets) if octets else None

    def get(self, path):
        return self.call("GET", path)

    def post(self, path, body=None, **more):
        return self.call("POST", path, {} if body is None else body, **more)

    def refused(self, method, path, body=None):
        self.call(method, path, body, status=403)


def simulate(control, body, method="POST"):
    got, octets, _ = send(
        f"{SIMULATOR}/simulator/{control}", method, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    check(got < 300, f"the simulator: {control}: {got} {octets[:600]!r}")
    return json.loads(octets) if octets else None


def customer(phone, **message):
    simulate("inbound", {"phoneNumberId": NUMBER, "from": phone, "profileName": f"Customer {phone[-2:]}", **message})


def comes_to(what, look):
    """What `look` finds, once it finds something."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        check(time.monotonic() < end, f"it never came to this: {what}")
        time.sleep(0.05)
    return found


def code_of(secret, steps=0):
    """The code of RFC 6238, of this half minute or one after it."""
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", int(time.time()) // 30 + steps), hashlib.sha1)
    at = digest[-1] & 15
    return f"{(int.from_bytes(digest[at : at + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06d}"


# --- eight o'clock: the company signs up, secures itself, and takes its people in ---


def found_company():
    ada = Person("Ada")
    signed_up = ada.post(
        "/api/auth/register", {"name": "Ada", "email": ada.email, "password": PASSWORD, "organizationName": f"Company {DAY}"}
    )
    ada.token, organization = signed_up["session"]["token"], signed_up["organizations"][0]
    ada.organization, ada.member = organization["uniqueId"], organization["memberId"]
    secure(ada)
    ada.post(f"/api/organization/{ada.organization}", {"requiresSecondFactor": True})
    return ada


def secure(person):
    """Switches on a second factor, and signs in with it."""
    secret = person.post("/api/user/second-factor", {"password": PASSWORD})["secondFactor"]["secret"]
    codes = person.post("/api/user/second-factor/confirm", {"code": code_of(secret)})["recoveryCodes"]
    check(len(codes) == 10, codes)
    credentials = {"email": person.email, "password": PASSWORD}
    check(
        Person("a thief").call("POST", "/api/auth/login", credentials, status=401)["type"] == "/docs/sign-in#code-needed",
        "no code is asked for",
    )
    person.token = Person(person.name).post("/api/auth/login", {**credentials, "code": code_of(secret, 1)})["session"]["token"]


def take_in(ada, name, *permissions):
    role = ada.post("/api/rbac/roles", {"name": f"{name}'s work", "description": "", "permissions": list(permissions)})["role"]
    person = Person(name)
    invite = ada.post(
        "/api/organization/invites", {"email": person.email, "accessLevel": "Member", "roles": [role["uniqueId"]]}
    )
    person.member = person.post("/api/auth/join-organization", {"token": invite["token"], "name": name, "password": PASSWORD})[
        "member"
    ]["uniqueId"]
    person.token = person.post("/api/auth/login", {"email": person.email, "password": PASSWORD})["session"]["token"]
    person.refused("GET", "/api/contacts?per_page=1")  # before the second factor that the company requires
    secure(person)
    return person


def connect(ada):
    simulate("accounts", {"businessAccountId": ACCOUNT, "phoneNumbers": [{"id": NUMBER, "displayPhoneNumber": "+1 555 0100"}]})
    ada.post(
        "/api/organization/messagingBusinessAccount",
        {"businessAccountId": ACCOUNT, "code": f"code-{DAY}", "phoneNumberId": NUMBER},
    )


# --- nine o'clock: contacts come in, and those of interest are a segment ---

PHONES = [f"+447700900{n:03d}" for n in range(100, 200)]
REGULARS = PHONES[::2]


def import_contacts(grace):
    rows = [f"Customer {phone[-2:]},{phone},{'gold' if phone in REGULARS else 'none'},{int(phone[-2:])}" for phone in PHONES]
    text = "\n".join(["name,phone,plan,visits", *rows, "Nobody,not a number,gold,1"]) + "\n"
    job = grace.post("/api/contacts/imports?on_conflict=update", text.encode(), kind="text/csv")["import"]["uniqueId"]
    done = comes_to(
        "an import",
        lambda: (it := grace.get(f"/api/contacts/imports/{job}")["import"])["status"] not in ("Queued", "Running") and it,
    )
    check((done["status"], done["imported"], done["failed"]) == ("Finished", len(PHONES), 1), done)
    _, failed, _ = grace.ask("GET", f"/api/contacts/imports/{job}/failed-rows")
    check(failed.count(b"\n") == 2 and b"Nobody" in failed, failed)


def make_segment(grace):
    plan = {"type": "text", "attribute": "plan", "operator": "is", "values": ["gold"]}
    made = grace.post(
        "/api/segments",
        {
            "name": f"Regulars {DAY}",
            "filter": {
                "type": "all",
                "conditions": [plan, {"type": "not", "condition": {"type": "number", "attribute": "visits", "atLeast": 90}}],
            },
        },
    )
    segment = made["segment"]["uniqueId"]
    expected = [phone for phone in REGULARS if int(phone[-2:]) < 90]
    found = grace.get(f"/api/contacts?segment_id={segment}&per_page=100")["contacts"]
    check(sorted(each["phone"] for each in found) == expected, found)
    return segment, expected


def tag_segment(grace, segment, expected):
    wanted = {"contacts": {"segmentId": segment}, "action": {"type": "addTags", "tags": [f"regular {DAY}"]}}
    grace.call("POST", "/api/contacts/bulk-changes", {**wanted, "expected": len(expected) + 1}, status=409)
    job = grace.post("/api/contacts/bulk-changes", {**wanted, "expected": len(expected)})["bulkChange"]["uniqueId"]
    done = comes_to(
        "the end of a bulk change",
        lambda: (
            (it := grace.get(f"/api/contacts/bulk-changes/{job}")["bulkChange"])["status"] not in ("Queued", "Running") and it
        ),
    )
    check((done["status"], done["changed"]) == ("Finished", len(expected)), done)


# --- ten o'clock: a campaign in two variants ---


def message_of(words):
    return {
        "type": "Template",
        "template": {"name": f"spring_{DAY}", "language": "en", "parameters": {"1": "{{name|there}}", "2": words}},
    }


def approve_template(ada):
    text = "Hello {{1}}, {{2}}. Answer STOP to hear no more."
    body = {"type": "BODY", "text": text, "example": {"body_text": [["Ada", "all is on sale"]]}}
    draft = {"name": f"spring_{DAY}", "language": "en", "category": "MARKETING", "components": [body]}
    wrong = {**draft, "components": [{**body, "text": "{{1}}, {{3}}"}]}
    got = ada.call("POST", "/api/organization/templates", wrong, status=400)
    check(all(fault["pointer"].startswith("/components/0") for fault in got["errors"]), got)
    template = ada.post("/api/organization/templates", draft)["messageTemplate"]["id"]
    status = lambda: ada.get(f"/api/organization/templates/{template}")["messageTemplate"]["status"]
    check(status() == "PENDING", "a template that nobody has reviewed")
    simulate("templates", {"id": template, "status": "APPROVED"})
    comes_to("a template that is approved", lambda: status() == "APPROVED")


def run_campaign(grace, ada, segment, expected):
    simulate("behaviour", {"statuses": ["sent", "delivered"]})
    variants = [{"name": "Short", "share": 50, "message": message_of("come in")}]
    campaign = grace.post(
        "/api/campaigns",
        {"name": f"Spring {DAY}", "message": message_of("all is on sale"), "variants": variants, "segmentIds": [segment]},
    )["campaign"]["uniqueId"]
    audience = grace.get(f"/api/campaigns/{campaign}/audience")["audience"]
    check(audience["recipients"] == len(expected), audience)
    grace.refused("POST", f"/api/campaigns/{campaign}/start", {})
    ada.post(
        f"/api/campaigns/{campaign}/experiment", {"share": 50, "rule": "Replied", "minimum": 1, "decideAfterSeconds": 3600}
    )
    ada.post(f"/api/campaigns/{campaign}/start", {"delaySeconds": 60})
    check(ada.post(f"/api/campaigns/{campaign}/unschedule")["campaign"]["status"] == "Draft", "a start is not taken back")
    ada.post(f"/api/campaigns/{campaign}/start")
    comes_to(
        "the end of the test",
        lambda: ada.get(f"/api/campaigns/{campaign}/experiment")["experiment"]["state"] == "Waiting",
    )
    tested = ada.get(f"/api/campaigns/{campaign}/figures")["figures"]["total"]
    check(0 < tested["sent"] + tested["delivered"] < len(expected), tested)
    ada.post(f"/api/campaigns/{campaign}/experiment/winner", {"variant": 1})
    finished = comes_to(
        "the end of a campaign",
        lambda: (
            (it := ada.get(f"/api/campaigns/{campaign}")["campaign"])["status"] == "Finished"
            and it["progress"]["delivered"] == len(expected)
            and it
        ),
    )
    check(finished["progress"]["recipients"] == len(expected), finished["progress"])
    recipients = ada.get(f"/api/campaigns/{campaign}/recipients?per_page=100")["recipients"]
    check(len({each["variant"] for each in recipients}) == 2, recipients)
    check(ada.get("/api/conversations?awaiting=true")["conversations"] == [], "what only a campaign wrote fills the inbox")
    return campaign


# --- noon: customers write back; Joan answers, and hands over to Mary ---


def talk_of(person, phone):
    found = person.get(f"/api/contacts?search={phone[1:]}")["contacts"]
    return found[0]["conversations"][0]["uniqueId"] if found and found[0]["conversations"] else None


def messages_in(person, talk):
    return person.get(f"/api/conversation/{talk}/messages?per_page=50")["messages"]


def answer_customers(ada, joan, mary, expected):
    first, second = expected[:2]
    customer(first, text="Do you have it in blue?")
    customer(second, text="How much is the delivery?")
    comes_to("two who wait for an answer", lambda: joan.get("/api/conversations/counts")["counts"]["awaiting"] == 2)
    talk = talk_of(joan, first)
    joan.post(f"/api/conversation/{talk}/assign", {"memberId": joan.member})
    joan.post(f"/api/conversation/{talk}/presence", {"state": "typing"})
    reply = ada.post(
        "/api/quick-replies", {"shortcut": f"hours{DAY}", "text": "Hello {{name|there}}, we are open from nine to six."}
    )["quickReply"]["uniqueId"]
    contact = joan.get(f"/api/conversation/{talk}")["conversation"]["contactId"]
    text = joan.get(f"/api/quick-replies/{reply}/preview?contact_id={contact}")["preview"]["messageData"]["text"]
    check(text == f"Hello Customer {first[-2:]}, we are open from nine to six.", text)
    sent = joan.post(f"/api/conversation/{talk}/messages", {"messageType": "Text", "messageData": {"text": text}})["message"]
    check(sent["sentBy"]["memberId"] == joan.member, sent)
    comes_to(
        "an answer that is delivered",
        lambda: joan.get(f"/api/messages/{sent['uniqueId']}")["message"]["status"] == "Delivered",
    )
    check(joan.get("/api/conversations/counts")["counts"]["awaiting"] == 1, "an answer does not end the wait for it")

    joan.post(f"/api/conversation/{talk}/notes", {"text": "Wants it in blue. Can you take over?", "mentions": [mary.member]})
    joan.post(f"/api/conversation/{talk}/assign", {"memberId": mary.member})
    check(mary.get("/api/conversations/counts")["counts"]["assignedToMe"] == 1, "Mary has nothing")
    check(mary.get(f"/api/conversation/{talk}/notes")["notes"][0]["mentions"] == [mary.member], "Mary is not mentioned")
    check(all("take over" not in json.dumps(each) for each in messages_in(mary, talk)), "a note is among the messages")
    found = mary.get("/api/messages/search?search=bl&direction=InBound")["matches"]
    check(len(found) == 1 and found[0]["message"]["conversationId"] == talk, found)
    check({"text": "blue", "matched": True} in found[0]["highlights"][0]["pieces"], found)
    return talk, first


# --- three o'clock: files go both ways ---


def exchange_files(mary, talk, phone):
    picture = b"\xff\xd8\xff\xe0" + os.urandom(50_000)
    media = mary.post("/api/messages/media", picture, kind="image/jpeg")["media"]["id"]
    sent = mary.post(
        f"/api/conversation/{talk}/messages", {"messageType": "Image", "messageData": {"id": media, "caption": "In blue"}}
    )["message"]
    comes_to(
        "a picture that is delivered",
        lambda: mary.get(f"/api/messages/{sent['uniqueId']}")["message"]["status"] == "Delivered",
    )
    got, octets, _ = send(f"{SIMULATOR}/simulator/media", "POST", picture[::-1], {"Content-Type": "image/jpeg"})
    check(got == 200, octets)
    theirs = json.loads(octets)["id"]
    customer(phone, messages=[{"type": "image", "image": {"id": theirs, "caption": "Like this?"}}])
    came = comes_to(
        "the customer's picture",
        lambda: [
            each for each in messages_in(mary, talk) if each["direction"] == "InBound" and each["messageType"] == "Image"
        ],
    )[0]
    file = f"/api/messages/{came['uniqueId']}/media"
    comes_to("a copy of the picture", lambda: mary.ask("GET", file)[2]["ETag"])
    simulate(f"media?id={theirs}", None, "DELETE")  # as the channel does after days
    status, octets, headers = mary.ask("GET", file)
    check(status == 200 and octets == picture[::-1], f"the picture: {status}, {len(octets)} octets")
    check(headers["X-Content-Type-Options"] == "nosniff", headers)
    status, octets, _ = mary.ask("GET", file, Range="bytes=-10")
    check(status == 206 and octets == picture[9::-1], f"the end of the picture: {status}, {octets!r}")


def close(mary, talk, phone):
    customer(phone, text="STOP")
    comes_to(
        "somebody who wants no more",
        lambda: mary.get(f"/api/conversation/{talk}")["conversation"]["contact"]["status"] != "Active",
    )
    mary.post(f"/api/conversation/{talk}/read")
    check(
        mary.post(f"/api/conversation/{talk}", {"status": "Closed"})["conversation"]["status"] == "Closed",
        "a conversation that stays open",
    )


# --- six o'clock: figures, and the record of the day ---


def look_back(ada, alan, campaign, expected):
    figures = alan.get(f"/api/campaigns/{campaign}/figures")["figures"]
    parts = [*figures["byVariant"], figures["remainder"]]
    check(sum(each["recipients"] for each in parts) == len(expected) and all(each["recipients"] for each in parts), figures)
    check(figures["total"]["replied"] == 2 and figures["byHour"], figures)
    progress = alan.get(f"/api/campaigns/{campaign}")["campaign"]["progress"]
    check(progress["delivered"] + progress["read"] == len(expected), progress)
    comes_to(
        "figures of the day",
        lambda: alan.get(f"/api/analytics/campaign/{campaign}")["analytics"]["totalRecipients"] == len(expected),
    )
    alan.refused("POST", f"/api/campaigns/{campaign}/duplicate", {})
    actions = {each["action"] for each in ada.get("/api/organization/audit?per_page=100")["entries"]}
    wanted = "InviteCreated RoleCreated OrganizationUpdated SignedIn ContactsImported ContactsChanged TemplateCreated CampaignCreated"
    check({*wanted.split(), "CampaignStarted", "CampaignUnscheduled", "CampaignWinnerPicked"} <= actions, actions)
    usage = {each["name"]: each["used"] for each in ada.get("/api/organization/usage")["usage"]}
    check((usage["contacts"], usage["members"], usage["media-mib"]) == (len(PHONES), 5, 1), usage)
    check(len(ada.get("/api/auth/sessions")["sessions"]) == 2, "Ada has two sessions: one of the sign-up, one with her code")


def main():
    ada = found_company()
    connect(ada)
    grace = take_in(
        ada,
        "Grace",
        "Get:Contact",
        "BulkImport:Contacts",
        "Create:Contact",
        "Update:Contact",
        "Get:Campaign",
        "Create:Campaign",
        "Get:Tag",
        "Create:Tag",
        "Get:List",
        "Create:List",
        "Update:List",
    )
    joan, mary = (
        take_in(
            ada,
            name,
            "Get:Contact",
            "Get:Conversation",
            "Create:Conversation",
            "Update:Conversation",
            "Assign:Conversation",
            "Get:Message",
            "Create:Message",
        )
        for name in ("Joan", "Mary")
    )
    alan = take_in(ada, "Alan", "Get:Campaign", "Get:CampaignAnalytics", "Get:PrimaryAnalytics")
    import_contacts(grace)
    segment, expected = make_segment(grace)
    tag_segment(grace, segment, expected)
    approve_template(ada)
    campaign = run_campaign(grace, ada, segment, expected)
    talk, phone = answer_customers(ada, joan, mary, expected)
    exchange_files(mary, talk, phone)
    close(mary, talk, phone)
    look_back(ada, alan, campaign, expected)
    for person in (ada, grace, joan, mary, alan):
        person.post("/api/auth/logout")
        person.call("GET", "/api/user", status=401)


main()
