package parley

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"mime"
	"net"
	"net/http"
	"net/url"
	"time"
)

// transport sends a request, if need be again, and makes an error of an answer that is one.
type transport struct {
	client       http.Client
	credential   string
	organization string
	userAgent    string
	retries      int
	maxWait      time.Duration
	idle         time.Duration
	notice       func(RetryNotice)
	deprecated   func(*http.Request, http.Header)
}

// Do is api.HttpRequestDoer's. An answer that is neither a success nor a 304 is a *Problem: a redirection, too, as none is followed.
func (t *transport) Do(request *http.Request) (*http.Response, error) {
	t.complete(request)
	for attempt := 1; ; attempt++ {
		response, err := t.once(request, attempt)
		if err == nil {
			return response, nil
		}
		wait, again := t.another(request, attempt, err)
		if !again {
			return nil, err
		}
		if t.notice != nil {
			t.notice(RetryNotice{Request: request, Err: err, Wait: wait})
		}
		if err := sleep(request.Context(), wait); err != nil {
			return nil, err
		}
		if request.GetBody != nil {
			if request.Body, err = request.GetBody(); err != nil {
				return nil, fmt.Errorf("%s %s: the body, to send it again: %w", request.Method, request.URL.Path, err)
			}
		}
	}
}

func (t *transport) complete(request *http.Request) {
	if more, ok := request.Context().Value(headerKey{}).(http.Header); ok {
		for name, values := range more {
			request.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	set := func(name, value string) {
		if value != "" && request.Header.Get(name) == "" {
			request.Header.Set(name, value)
		}
	}
	if t.credential != "" {
		set("Authorization", "Bearer "+t.credential)
	}
	set("X-Organization-Id", t.organization)
	set("User-Agent", t.userAgent)
	if request.Method == http.MethodPost || request.Method == http.MethodDelete {
		set("Idempotency-Key", rand.Text())
	}
}

// once sends the request and reads the answer: whole where it is JSON, else its head.
func (t *transport) once(request *http.Request, attempt int) (*http.Response, error) {
	idle := t.idle
	if own, ok := request.Context().Value(idleKey{}).(time.Duration); ok {
		idle = own
	}
	ctx, guard := watch(request.Context(), idle)
	sent := request.Clone(ctx)
	if sent.Body != nil && sent.Body != http.NoBody {
		sent.Body = guard.body(sent.Body)
	}
	response, err := t.client.Do(sent)
	if err != nil {
		defer guard.end()
		var wrapped *url.Error // says what is said here
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, fmt.Errorf("%s %s: %w", request.Method, request.URL.Redacted(), guard.cause(err))
	}
	guard.moved()
	response.Body = guard.answer(response.Body)
	if answer, ok := request.Context().Value(answerKey{}).(*Answer); ok {
		*answer = Answer{Status: response.StatusCode, Header: response.Header, Attempts: attempt}
	}
	if t.deprecated != nil && response.Header.Get("Deprecation") != "" {
		t.deprecated(request, response.Header)
	}
	if response.StatusCode >= 300 && response.StatusCode != http.StatusNotModified {
		defer response.Body.Close()
		return nil, problemOf(response)
	}
	if media, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); media == "application/json" {
		defer response.Body.Close()
		// What breaks off here can be asked for again.
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return nil, fmt.Errorf("%s %s: the answer: %w", request.Method, request.URL.Path, guard.cause(err))
		}
		response.Body = io.NopCloser(bytes.NewReader(body))
	}
	return response, nil
}

const (
	firstWait = 250 * time.Millisecond
	lastWait  = 8 * time.Second
)

// another says whether the request may be sent again, and after which wait.
func (t *transport) another(request *http.Request, attempt int, err error) (time.Duration, bool) {
	hasBody := request.Body != nil && request.Body != http.NoBody
	if attempt > t.retries || request.Context().Err() != nil || (hasBody && request.GetBody == nil) {
		return 0, false
	}
	wait := backoff(attempt)
	safe := request.Method == http.MethodGet || request.Method == http.MethodHead || request.Header.Get("Idempotency-Key") != ""
	problem, ok := AsProblem(err)
	if !ok {
		return wait, safe && isTransient(err)
	}
	switch problem.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
	case http.StatusConflict: // a request with this key is in progress, if the answer says when to ask again
		if problem.RetryAfter == 0 {
			return 0, false
		}
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		if !safe {
			return 0, false
		}
	default:
		return 0, false
	}
	if problem.RetryAfter > 0 { // some more, or all who were refused would come back at once
		wait = problem.RetryAfter + time.Duration(mathrand.Int64N(int64(firstWait)))
	}
	return wait, problem.RetryAfter <= t.maxWait
}

// backoff doubles with each attempt; a random half of it is left out.
func backoff(attempt int) time.Duration {
	wait := min(firstWait<<min(attempt-1, 10), lastWait)
	return wait/2 + time.Duration(mathrand.Int64N(int64(wait/2)))
}

// isTransient is false for what will fail again: a name that is not known, a certificate that is not trusted.
func isTransient(err error) bool {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &name):
		return !name.IsNotFound
	case errors.As(err, &certificate), errors.As(err, &authority), errors.As(err, &record):
		return false
	}
	return true
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
