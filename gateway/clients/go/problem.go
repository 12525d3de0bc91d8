package parley

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parley.example/parley/api"
)

// A Problem is an answer that is an error (RFC 9457). One that did not come from Parley, but from a proxy before it, has a Status
// and a Title only.
type Problem struct {
	api.Problem
	Method     string
	Path       string
	RetryAfter time.Duration // 0: the answer does not say
	Header     http.Header
}

// Error says which request failed, why, where in the body or the query, and the id that finds it in the logs.
func (p *Problem) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s: %d %s", p.Method, p.Path, p.Status, p.Title)
	if p.Detail != "" {
		text.WriteString(": " + p.Detail)
	}
	for _, fault := range p.Errors {
		text.WriteString("; ")
		if fault.Pointer != "" {
			text.WriteString(fault.Pointer + ": ")
		}
		text.WriteString(fault.Detail)
	}
	if p.RequestId != "" {
		fmt.Fprintf(&text, " (request %s)", p.RequestId)
	}
	return text.String()
}

const maxProblemOctets = 1 << 20

// problemOf reads an answer that is an error.
func problemOf(response *http.Response) *Problem {
	problem := &Problem{
		Method:     response.Request.Method,
		Path:       response.Request.URL.Path,
		RetryAfter: retryAfter(response.Header),
		Header:     response.Header,
	}
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxProblemOctets))
	media, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if media != "application/problem+json" || json.Unmarshal(body, &problem.Problem) != nil || problem.Status == 0 {
		problem.Problem = api.Problem{Type: "about:blank", Title: http.StatusText(response.StatusCode)}
	}
	problem.Status = response.StatusCode
	if problem.RequestId == "" {
		problem.RequestId = response.Header.Get("X-Request-Id")
	}
	return problem
}

func retryAfter(header http.Header) time.Duration {
	value := header.Get("Retry-After")
	if value == "" {
		return 0
	}
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(max(seconds, 0)) * time.Second
	}
	if moment, err := http.ParseTime(value); err == nil { // a proxy's
		return max(time.Until(moment), 0)
	}
	return 0
}
