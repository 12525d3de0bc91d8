package parley

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Webhook verifies what Parley posts to a webhook, by Standard Webhooks (https://www.standardwebhooks.com).
type Webhook struct {
	// Tolerance is how far a timestamp may be from now (5 min).
	Tolerance time.Duration
	keys      [][]byte
	now       func() time.Time
}

var (
	// ErrSignature says that none of the signatures is of one of the secrets.
	ErrSignature = errors.New("the webhook's signature is wrong")
	// ErrTimestamp says that the call was signed too long ago, or is from the future: someone may have kept it to send it again.
	ErrTimestamp = errors.New("the webhook's timestamp is too far from now")
)

// NewWebhook takes the webhook's secret, whsec_…, and while it is being rotated the one before, too.
func NewWebhook(secrets ...string) (*Webhook, error) {
	webhook := &Webhook{Tolerance: 5 * time.Minute, now: time.Now}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return nil, errors.New("parley: a webhook's secret is whsec_ and base64")
		}
		webhook.keys = append(webhook.keys, key)
	}
	if len(webhook.keys) == 0 {
		return nil, errors.New("parley: a webhook needs a secret")
	}
	return webhook, nil
}

// Verify says whether Parley signed a call with this header and body, just now.
func (w *Webhook) Verify(header http.Header, body []byte) error {
	id, stamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if id == "" || err != nil {
		return fmt.Errorf("%w: webhook-id or webhook-timestamp is missing", ErrSignature)
	}
	if age := w.now().Sub(time.Unix(seconds, 0)).Abs(); age > w.Tolerance {
		return fmt.Errorf("%w: %s", ErrTimestamp, age.Round(time.Second))
	}
	for _, signature := range strings.Fields(header.Get("Webhook-Signature")) {
		encoded, isVersion1 := strings.CutPrefix(signature, "v1,")
		given, err := base64.StdEncoding.DecodeString(encoded)
		if !isVersion1 || err != nil {
			continue // another version's
		}
		for _, key := range w.keys {
			code := hmac.New(sha256.New, key)
			code.Write([]byte(id + "." + stamp + "."))
			code.Write(body)
			if hmac.Equal(given, code.Sum(nil)) {
				return nil
			}
		}
	}
	return ErrSignature
}

const maxWebhookOctets = 1 << 20

// Event reads a call and verifies it. The answer is the caller's: 2xx, or it is tried again. A call that is repeated has the same
// ID. ErrSignature and ErrTimestamp deserve a 401.
func (w *Webhook) Event(request *http.Request) (Event, error) {
	body, err := io.ReadAll(io.LimitReader(request.Body, maxWebhookOctets+1))
	if err != nil {
		return Event{}, err
	}
	if len(body) > maxWebhookOctets {
		return Event{}, errors.New("the webhook's body is too long")
	}
	if err := w.Verify(request.Header, body); err != nil {
		return Event{}, err
	}
	return eventOf(request.Header.Get("Webhook-Id"), body)
}
