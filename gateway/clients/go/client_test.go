package parley_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley.example/parley"
	"parley.example/parley/api"
)

// These are of what a server does that works: it is lost, overloaded, behind a proxy. system_test.go has the rest.

// serve answers the requests of a client one after the other.
func serve(t *testing.T, options []parley.Option, answers ...http.HandlerFunc) (*parley.Client, *atomic.Int32) {
	t.Helper()
	var count atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(count.Add(1))
		if n > len(answers) {
			t.Errorf("request %d, of which there should be %d", n, len(answers))
			w.WriteHeader(http.StatusTeapot)
			return
		}
		answers[n-1](w, r)
	}))
	t.Cleanup(server.Close)
	client, err := parley.New(server.URL, "key", options...)
	if err != nil {
		t.Fatal(err)
	}
	return client, &count
}

func problem(status int, head ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(head); i += 2 {
			w.Header().Set(head[i], head[i+1])
		}
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"type":"about:blank","title":"T","status":%d,"detail":"d","instance":"/","requestId":"r-1","errors":[{"pointer":"/label","detail":"is taken"}]}`, status)
	}
}

func tag(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	io.WriteString(w, tagText)
}

const tagText = `{"tag":{"uniqueId":"01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f04","label":"x"}}`

func lost(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }

func broken(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "1000")
	io.WriteString(w, tagText[:20])
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

func TestRetriesOfAPostHaveOneKeyAndOneBody(t *testing.T) {
	var keys, bodies []string
	see := func(next http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			keys, bodies = append(keys, r.Header.Get("Idempotency-Key")), append(bodies, string(body))
			next(w, r)
		}
	}
	for _, answers := range [][]http.HandlerFunc{
		{see(lost), see(broken), see(problem(502)), see(tag)},
		{see(problem(504)), see(problem(429, "Retry-After", "0")), see(problem(503)), see(tag)},
		{see(problem(409, "Retry-After", "1")), see(tag)}, // the first is still in progress
	} {
		keys, bodies = nil, nil
		client, _ := serve(t, nil, answers...)
		var answer parley.Answer
		created, err := client.CreateTag(parley.WithAnswer(t.Context(), &answer), nil, api.CreateTagBody{Label: "x"})
		if err != nil || created.Tag.Label != "x" || answer.Attempts != len(answers) {
			t.Fatal(created, err, answer.Attempts)
		}
		for i := range keys {
			if keys[i] == "" || keys[i] != keys[0] || bodies[i] != `{"label":"x"}` {
				t.Errorf("attempt %d: key %q, body %q", i+1, keys[i], bodies[i])
			}
		}
	}
}

func TestWhatIsRefusedIsNotSentAgain(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 409, 412, 422, 500} {
		client, _ := serve(t, nil, problem(status))
		_, err := client.CreateTag(t.Context(), nil, api.CreateTagBody{Label: "x"})
		got, ok := parley.AsProblem(err)
		if !ok || got.Status != status || got.RequestId != "r-1" || got.Errors[0].Pointer != "/label" {
			t.Errorf("%d: %v", status, err)
		}
		if text := err.Error(); !strings.Contains(text, "/label: is taken") || !strings.Contains(text, "r-1") {
			t.Error(text)
		}
	}
}

func TestALongerWaitThanAllowedIsTheCallers(t *testing.T) {
	client, _ := serve(t, []parley.Option{parley.WithRetries(3, time.Second)}, problem(429, "Retry-After", "30"))
	_, err := client.GetUser(t.Context(), nil)
	if got, ok := parley.AsProblem(err); !ok || got.RetryAfter != 30*time.Second {
		t.Fatal(err)
	}
}

func TestADeadlineEndsTheWaitForAnotherAttempt(t *testing.T) {
	client, count := serve(t, nil, problem(503, "Retry-After", "20"))
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if _, err := client.GetUser(ctx, nil); !errors.Is(err, context.DeadlineExceeded) || count.Load() != 1 {
		t.Fatal(err, count.Load())
	}
}

func TestAnAnswerOfAProxyIsAProblemToo(t *testing.T) {
	client, _ := serve(t, []parley.Option{parley.WithRetries(0, 0)}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		io.WriteString(w, "<html>")
	})
	_, err := client.GetUser(t.Context(), nil)
	if got, ok := parley.AsProblem(err); !ok || got.Status != 502 || got.Title != "Bad Gateway" {
		t.Fatal(err)
	}
}

func TestASilentConnectionIsGivenUp(t *testing.T) {
	silent := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	half := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"tag":`)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	client, count := serve(t, []parley.Option{parley.WithRetries(1, time.Minute), parley.WithIdleTimeout(100 * time.Millisecond)}, silent, half)
	if _, err := client.GetUser(t.Context(), nil); !errors.Is(err, parley.ErrIdle) || count.Load() != 2 {
		t.Fatal(err, count.Load())
	}
}

func TestNoRedirectTakesTheKeyElsewhere(t *testing.T) {
	redirect := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
	}
	client, _ := serve(t, nil, redirect, redirect, redirect)
	_, user := client.GetUser(t.Context(), nil)
	var file bytes.Buffer
	_, export := client.ExportContacts(t.Context(), nil, &file)
	_, position := client.EventsPosition(t.Context())
	for _, err := range []error{user, export, position} {
		if got, ok := parley.AsProblem(err); !ok || got.Status != http.StatusFound {
			t.Error(err)
		}
	}
	if file.Len() > 0 {
		t.Error(file.String())
	}
}

func TestAFileIsSentAgainAndAPipeIsNot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "contacts.csv")
	text := "phone\n" + strings.Repeat("+447700900321\n", 10_000)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	take := func(next http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if string(body) != text || r.ContentLength != int64(len(text)) {
				t.Errorf("%d octets of %d", len(body), r.ContentLength)
			}
			next(w, r)
		}
	}
	done := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"import":{"uniqueId":"01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f04","status":"Queued"}}`)
	}
	client, _ := serve(t, nil, take(problem(503)), take(lost), take(done))
	if _, err := client.ImportContacts(t.Context(), nil, file); err != nil {
		t.Fatal(err)
	}
	client, _ = serve(t, nil, problem(503))
	if _, err := client.ImportContacts(t.Context(), nil, io.MultiReader(bytes.NewReader([]byte(text)))); err == nil {
		t.Fatal("what cannot be read again was sent again")
	}
}

func event(id, text string) string {
	return fmt.Sprintf(": comment\nid: %s\nevent: x\ndata: {\"type\":%q,\ndata: \"timestamp\":\"2026-01-31T12:34:56.789Z\",\"data\":{}}\n\n", id, text)
}

func TestEventsGoOnWhereTheyWere(t *testing.T) {
	var asked []string
	say := func(text string, cut bool) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.Header.Get("Last-Event-ID"))
			if r.URL.RawQuery != "types=a%2Cb" && r.URL.RawQuery != "types=a,b" {
				t.Error(r.URL.RawQuery)
			}
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, text)
			w.(http.Flusher).Flush()
			if cut {
				panic(http.ErrAbortHandler)
			}
		}
	}
	client, _ := serve(t, []parley.Option{parley.WithRetries(0, 0)},
		say("retry: 1\nid: 0\n\n", false),                         // it ends before anything happened
		say(event("1", "a")+event("2", "b"), false),               // as after wait
		say(event("3", "c")+"id: 4\ndata: {\"type\":\"d\"", true), // within an event
		problem(503, "Retry-After", "0"),
		say("id: 5\r\ndata: {\"type\":\"reset\"}\r\n\r\n"+event("6", "e"), true),
		problem(401))
	var heard []string
	var failure error
	for event, err := range client.Events(t.Context(), api.StreamEventsParams{Types: parley.Ptr("a,b")}) {
		if err != nil {
			failure = err
			break
		}
		heard = append(heard, event.ID+event.Type)
	}
	if got := strings.Join(heard, " "); got != "1a 2b 3c 5reset 6e" {
		t.Error(got)
	}
	if got := strings.Join(asked, " "); got != " 0 2 3" {
		t.Errorf("%q", got)
	}
	if got, ok := parley.AsProblem(failure); !ok || got.Status != 401 {
		t.Error(failure)
	}
}

func TestNoEventIsLeftOutThatCannotBeRead(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":  "id: 2\ndata: <html>\n\n",
		"a line":   "id: 2\ndata: " + strings.Repeat("x", 8<<20) + "\n\n",
		"of lines": "id: 2\n" + strings.Repeat("data: "+strings.Repeat("x", 1<<20)+"\n", 9) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := serve(t, nil, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				io.WriteString(w, event("1", "a")+text+event("3", "c"))
			})
			var heard []string
			var failure error
			for event, err := range client.Events(t.Context(), api.StreamEventsParams{}) {
				if failure = err; err == nil {
					heard = append(heard, event.ID)
				}
			}
			if got := strings.Join(heard, " "); got != "1" || !errors.Is(failure, parley.ErrEvent) {
				t.Fatal(got, failure)
			}
		})
	}
}

func TestEventsThatCannotBeginAreAnError(t *testing.T) {
	client, err := parley.New("http://127.0.0.1:1", "key", parley.WithRetries(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range client.Events(t.Context(), api.StreamEventsParams{}) {
		if err == nil {
			t.Fatal("an event")
		}
		return
	}
	t.Fatal("no error")
}

func TestAnUnknownTypeOfEventHasNoValue(t *testing.T) {
	value, err := parley.Event{Type: "moon.risen", Raw: []byte(`{"type":"moon.risen","data":{}}`)}.Value()
	if value != nil || err != nil {
		t.Fatal(value, err)
	}
	value, err = parley.Event{Raw: []byte(`{"type":"reset","timestamp":"2026-01-31T12:34:56.789Z","data":{}}`)}.Value()
	if _, ok := value.(api.ResetEvent); !ok || err != nil {
		t.Fatal(value, err)
	}
}

func TestPagesEndAtTheFirstError(t *testing.T) {
	page := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"tags":[{"label":"a"},{"label":"b"}],"paginationMeta":{"page":1,"per_page":2,"total":4,"nextCursor":"c"}}`)
	}
	client, _ := serve(t, nil, page, problem(400))
	count := 0
	var failure error
	for _, err := range client.ListTagsAll(t.Context(), &api.ListTagsParams{Skip: parley.Ptr(0)}) {
		if err != nil {
			failure = err
		} else {
			count++
		}
	}
	if _, ok := parley.AsProblem(failure); !ok || count != 2 {
		t.Fatal(count, failure)
	}
}
