"""Webhooks are verified, against the vector of Standard Webhooks' libraries: tests/unit/webhooks_signing.cpp has the same of
the service's own signing."""

import unittest
from collections.abc import Sequence

from parley_client import WebhookVerificationError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
BODY = b'{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
NOW = 1614265330
HEADERS = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": str(NOW),
    "webhook-signature": SIGNATURE,
}


class Webhooks(unittest.TestCase):
    def test_a_signed_webhook_is_its_event(self) -> None:
        self.assertEqual(verify_webhook(BODY, HEADERS, SECRET, now=NOW), {"test": 2432232314})
        capitals = {name.upper(): value for name, value in HEADERS.items()}
        self.assertTrue(verify_webhook(BODY.decode(), capitals, SECRET, now=NOW))

    def test_one_of_two_signatures_and_one_of_two_secrets_is_enough(self) -> None:
        two = {**HEADERS, "webhook-signature": f"v1,AAAA v1a,what v1,\xe9 {SIGNATURE}"}
        self.assertTrue(verify_webhook(BODY, two, SECRET, now=NOW))
        self.assertTrue(verify_webhook(BODY, two, [OTHER, SECRET], now=NOW))

    def test_what_is_not_signed_so_is_refused(self) -> None:
        def refused(
            body: bytes = BODY, secrets: str | Sequence[str] = SECRET, now: float = NOW, without: str = "", **headers: str
        ) -> None:
            fields = {**HEADERS, **{f"webhook-{name}": value for name, value in headers.items()}}
            fields.pop(without, None)
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(body, fields, secrets, now=now)

        refused(body=BODY + b" ")
        refused(secrets=OTHER)
        refused(secrets=[])
        refused(id="msg_other")
        refused(signature=SIGNATURE.replace("g0", "g1"))
        refused(signature=SIGNATURE[:20])
        refused(signature="")
        refused(timestamp="soon")
        refused(now=NOW + 301)
        refused(now=NOW - 301)
        for name in HEADERS:
            refused(without=name)
        self.assertTrue(verify_webhook(BODY, HEADERS, SECRET, now=NOW + 299))
        self.assertTrue(verify_webhook(BODY, HEADERS, SECRET, now=NOW + 900, tolerance=1000))
        with self.assertRaises(ValueError):
            verify_webhook(BODY, HEADERS, "whsec_!", now=NOW)


if __name__ == "__main__":
    unittest.main()
