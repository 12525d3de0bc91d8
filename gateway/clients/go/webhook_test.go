package parley

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const (
	secret      = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	otherSecret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	body        = `{"type":"webhook.test","timestamp":"2026-01-31T12:34:56.789Z","data":{}}`
	stamp       = "1769862896"
)

func signed(secret, text string) string {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	code := hmac.New(sha256.New, key)
	code.Write([]byte(text))
	return "v1," + base64.StdEncoding.EncodeToString(code.Sum(nil))
}

func TestWebhook(t *testing.T) {
	right := signed(secret, "e1."+stamp+"."+body)
	for name, c := range map[string]struct {
		id, stamp, signature, body string
		seconds                    int64
		want                       error
	}{
		"right":                     {"e1", stamp, right, body, 0, nil},
		"the second of two":         {"e1", stamp, signed(otherSecret, "x") + " " + right, body, 0, nil},
		"another version before it": {"e1", stamp, "v1a,AAAA " + right, body, 0, nil},
		"another body":              {"e1", stamp, right, body + " ", 0, ErrSignature},
		"another id":                {"e2", stamp, right, body, 0, ErrSignature},
		"another time":              {"e1", "1769862897", right, body, 0, ErrSignature},
		"another secret":            {"e1", stamp, signed(otherSecret, "e1."+stamp+"."+body), body, 0, ErrSignature},
		"no signature":              {"e1", stamp, "", body, 0, ErrSignature},
		"no base64":                 {"e1", stamp, "v1,***", body, 0, ErrSignature},
		"no id":                     {"", stamp, right, body, 0, ErrSignature},
		"no time":                   {"e1", "now", right, body, 0, ErrSignature},
		"five minutes late":         {"e1", stamp, right, body, 300, nil},
		"later":                     {"e1", stamp, right, body, 301, ErrTimestamp},
		"of the future":             {"e1", stamp, right, body, -301, ErrTimestamp},
	} {
		t.Run(name, func(t *testing.T) {
			webhook, err := NewWebhook(secret)
			if err != nil {
				t.Fatal(err)
			}
			webhook.now = func() time.Time { return time.Unix(1769862896+c.seconds, 0) }
			request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body))
			request.Header.Set("webhook-id", c.id)
			request.Header.Set("webhook-timestamp", c.stamp)
			request.Header.Set("webhook-signature", c.signature)
			event, err := webhook.Event(request)
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Fatal(err)
			}
			if err == nil && (event.ID != "e1" || event.Type != "webhook.test") {
				t.Fatal(event)
			}
		})
	}
	for _, bad := range [][]string{nil, {""}, {"whsec_"}, {"whsec_***"}} {
		if _, err := NewWebhook(bad...); err == nil {
			t.Error(bad)
		}
	}
}
