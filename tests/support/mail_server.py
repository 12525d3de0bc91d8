"""A real SMTP server for tests, by Debian's python3-aiosmtpd: see mail_server.hpp. Its argument is a JSON object.

Appends each mail that it takes to the file `mails` in its directory, a JSON object a line.
"""
import asyncio
import email
import email.policy
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

options = json.loads(sys.argv[1])


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if options["recipient"]:
            return options["recipient"]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        mail = {
            "sender": envelope.mail_from,
            "recipients": envelope.rcpt_tos,
            "headers": [[name, str(value)] for name, value in message.items()],
            "text": message.get_content(),
            "octets": envelope.content.decode("latin-1"),
            "encrypted": session.ssl is not None or options["tls"] == "implicit",
            "user": session.auth_data and session.auth_data.login.decode(),
        }
        with open("mails", "a", encoding="utf-8") as file:
            file.write(json.dumps(mail) + "\n")
        if options["silent"]:
            await asyncio.sleep(3600)
        return options["text"] or "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    right = [data.login.decode(), data.password.decode()] == [options["user"], options["password"]]
    return AuthResult(success=right, handled=False, auth_data=data)


def make():
    wants_user = bool(options["user"])
    starttls = options["tls"] == "starttls"
    return SMTP(
        Handler(),
        hostname="mail.test",
        tls_context=context if starttls else None,
        require_starttls=starttls,
        authenticator=authenticate,
        auth_required=wants_user,
        auth_require_tls=False,
        auth_exclude_mechanism=() if wants_user else ("LOGIN", "PLAIN"),
    )


context = None
if options["tls"]:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(options["certificate"], options["key"])
loop = asyncio.new_event_loop()
implicit = context if options["tls"] == "implicit" else None
loop.run_until_complete(loop.create_server(make, "127.0.0.1", options["port"], ssl=implicit))
loop.run_forever()
