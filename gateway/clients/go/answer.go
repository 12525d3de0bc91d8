package parley

import (
	"context"
	"net/http"
	"strings"
)

// An Answer is what came beside the body of an operation's answer: see WithAnswer.
type Answer struct {
	Status   int
	Header   http.Header
	Attempts int // how often the request was sent
}

type answerKey struct{}

// WithAnswer has the operations that get this context write to answer, for one operation at a time:
//
//	var answer parley.Answer
//	list, err := client.GetList(parley.WithAnswer(ctx, &answer), id, nil)
//	_, err = client.UpdateList(ctx, id, &api.UpdateListParams{IfMatch: answer.ETag()}, body)
func WithAnswer(ctx context.Context, answer *Answer) context.Context {
	return context.WithValue(ctx, answerKey{}, answer)
}

// ETag is what IfMatch and IfNoneMatch take; nil if the answer has none.
func (a *Answer) ETag() *string {
	if tag := a.Header.Get("ETag"); tag != "" {
		return &tag
	}
	return nil
}

// RequestID finds the request in the server's logs.
func (a *Answer) RequestID() string { return a.Header.Get("X-Request-Id") }

// Replayed says that nothing was done now: this is the answer that the first request with its Idempotency-Key got.
func (a *Answer) Replayed() bool { return a.Header.Get("Idempotency-Replayed") != "" }

// Degraded names the parts of the system that could not be reached, so that what comes from them is empty in the answer.
func (a *Answer) Degraded() []string {
	return strings.FieldsFunc(a.Header.Get("Parley-Degraded"), func(r rune) bool { return r == ',' || r == ' ' })
}

type headerKey struct{}

// WithHeader has the requests that get this context carry these headers, too.
func WithHeader(ctx context.Context, header http.Header) context.Context {
	return context.WithValue(ctx, headerKey{}, header)
}
