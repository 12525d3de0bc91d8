package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"parley.example/parley"
)

// tool is what all commands share.
type tool struct {
	json                               bool
	profile, credentials, organization string
	client                             *parley.Client
	out                                *output
	err                                io.Writer
	live                               bool // standard error is a terminal: progress may be drawn there
	warned                             bool // that a call is deprecated
	ran                                bool // a command's flags and arguments were as they should be
}

func newTool() *tool {
	return &tool{
		out:  newOutput(os.Stdout),
		err:  os.Stderr,
		live: term.IsTerminal(int(os.Stderr.Fd())),
	}
}

type action func(ctx context.Context, client *parley.Client, args []string) error

// run is a command's RunE.
func (t *tool) run(act action) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error {
		t.ran = true
		client, err := t.connect()
		if err != nil {
			return err
		}
		return act(command.Context(), client, args)
	}
}

const (
	exitFailed      = 1
	exitUsage       = 2
	exitMalformed   = 3
	exitNotAllowed  = 4
	exitNotFound    = 5
	exitConflict    = 6
	exitTooMany     = 7
	exitEndedBadly  = 8
	exitInterrupted = 130
)

// endedBadly is of work that was waited for; what is wrong has been printed.
type endedBadly string

func (e endedBadly) Error() string { return string(e) }

// notFound is of a name that is no list's, tag's or contact's.
type notFound string

func (e notFound) Error() string { return string(e) }

// report prints the error, and says what to exit with.
func (t *tool) report(err error) int {
	if err == nil {
		return 0
	}
	problem, isProblem := parley.AsProblem(err)
	var usage usageError
	var ended endedBadly
	var missing notFound
	code := exitFailed
	switch {
	case isProblem:
		code = exitOf(problem.Status)
	case errors.As(err, &usage), !t.ran:
		code = exitUsage
	case errors.As(err, &ended):
		code = exitEndedBadly
	case errors.As(err, &missing):
		code = exitNotFound
	}
	switch {
	case t.json && isProblem:
		text, _ := json.Marshal(problem.Problem)
		fmt.Fprintf(t.err, "%s\n", text)
	case t.json:
		text, _ := json.Marshal(map[string]any{"title": "Failed", "detail": err.Error(), "exit": code})
		fmt.Fprintf(t.err, "%s\n", text)
	case isProblem:
		fmt.Fprint(t.err, problemText(problem))
	default:
		fmt.Fprintf(t.err, "parley: %s\n", strings.TrimPrefix(err.Error(), "parley: "))
	}
	if usage.command != "" && !t.json {
		fmt.Fprintf(t.err, "%s --help tells more\n", usage.command)
	}
	return code
}

func exitOf(status int) int {
	switch status {
	case 401, 403:
		return exitNotAllowed
	case 404:
		return exitNotFound
	case 409, 412:
		return exitConflict
	case 429:
		return exitTooMany
	}
	if status >= 400 && status < 500 {
		return exitMalformed
	}
	return exitFailed
}

func problemText(p *parley.Problem) string {
	var text strings.Builder
	fmt.Fprintf(&text, "parley: %s %s: %d %s\n", p.Method, p.Path, p.Status, clean(p.Title))
	if len(p.Errors) == 0 && p.Detail != "" {
		fmt.Fprintf(&text, "  %s\n", clean(p.Detail))
	}
	for _, fault := range p.Errors {
		place := fault.Pointer
		if place == "" {
			place = "the body"
		}
		fmt.Fprintf(&text, "  %s: %s\n", clean(place), clean(fault.Detail))
	}
	if p.RetryAfter > 0 {
		fmt.Fprintf(&text, "  again in %s\n", p.RetryAfter)
	}
	if p.Status == 401 {
		text.WriteString("  PARLEY_API_KEY is not the key of this server, or was revoked\n")
	}
	if p.RequestId != "" {
		fmt.Fprintf(&text, "  request %s\n", clean(p.RequestId))
	}
	return text.String()
}

// tellRetry says why nothing happens for a while.
func (t *tool) tellRetry(notice parley.RetryNotice) {
	if !t.live || notice.Wait < time.Second {
		return
	}
	reason := notice.Err.Error()
	if problem, ok := parley.AsProblem(notice.Err); ok {
		reason = fmt.Sprintf("%d %s", problem.Status, problem.Title)
	}
	fmt.Fprintf(t.err, "\r\x1b[Kparley: %s; again in %s\n", clean(reason), notice.Wait.Round(100*time.Millisecond))
}

// tellDeprecation warns once: scripts should know before the call is gone.
func (t *tool) tellDeprecation(request *http.Request, header http.Header) {
	if t.warned {
		return
	}
	t.warned = true
	text := fmt.Sprintf("parley: %s %s is deprecated", request.Method, request.URL.Path)
	if end := header.Get("Sunset"); end != "" {
		text += " and ends on " + end
	}
	fmt.Fprintln(t.err, clean(text))
}
