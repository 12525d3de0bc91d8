package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The test is its own parley: so it has a process's exit code, standard output and standard error.
func TestMain(m *testing.M) {
	if os.Getenv("PARLEY_TEST_MAIN") != "" {
		main()
	}
	os.Exit(m.Run())
}

type result struct {
	code     int
	out, err string
}

func command(t *testing.T, environment []string, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], args...)
	command.Env = append(append(os.Environ(), "PARLEY_TEST_MAIN=1", "XDG_CONFIG_HOME="+t.TempDir()), environment...)
	return command
}

func run(t *testing.T, environment []string, args ...string) result {
	t.Helper()
	command := command(t, environment, args...)
	var out, err bytes.Buffer
	command.Stdout, command.Stderr = &out, &err
	_ = command.Run() // the exit code is looked at
	return result{command.ProcessState.ExitCode(), out.String(), err.String()}
}

func server(t *testing.T, status int, body string) []string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		if status < 400 {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return []string{"PARLEY_URL=" + server.URL, "PARLEY_API_KEY=key"}
}

func TestExitCodes(t *testing.T) {
	for status, code := range map[int]int{400: 3, 422: 3, 401: 4, 403: 4, 404: 5, 409: 6, 412: 6, 302: 1, 500: 1} {
		settings := server(t, status, `{"type":"about:blank","title":"T","status":0,"detail":"D","instance":"/","requestId":"R","errors":[{"pointer":"/P","detail":"F"}]}`)
		if got := run(t, settings, "tags", "create", "x"); got.code != code {
			t.Errorf("%d: %+v", status, got)
		}
	}
	for _, args := range [][]string{{"nope"}, {"tags", "nope"}, {"tags", "create"}, {"tags", "--nope"}, {"contacts", "create"}, {"tags", "list"},
		{"api", "GET"}, {"--credentials", "/nowhere", "tags", "list"}} {
		if got := run(t, []string{"PARLEY_URL=", "PARLEY_API_KEY="}, args...); got.code != 2 || got.err == "" || got.out != "" {
			t.Errorf("%v: %+v", args, got)
		}
	}
	settings := []string{"PARLEY_URL=http://127.0.0.1:1", "PARLEY_API_KEY=key"} // what is wrong is said before the server is asked
	for _, args := range [][]string{{"webhooks", "get", "x"}, {"api", "GET", "/api/tags?search=%zz"}, {"api", "GET", "/api/tags", "-q", "x"}} {
		if got := run(t, settings, args...); got.code != 2 || !strings.Contains(got.err, args[len(args)-1]) || got.out != "" {
			t.Errorf("%v: %+v", args, got)
		}
	}
	if got := run(t, nil, "--help"); got.code != 0 || !strings.Contains(got.out, "campaigns") {
		t.Errorf("%+v", got)
	}
}

const problemText1 = `{"type":"about:blank","title":"Conflict","status":409,"detail":"D","instance":"/api/tags","requestId":"R-1","errors":[{"pointer":"/label","detail":"is taken"}]}`

func TestErrorsQuoteTheProblem(t *testing.T) {
	settings := server(t, 409, problemText1)
	got := run(t, settings, "tags", "create", "x")
	for _, part := range []string{"409 Conflict", "/label: is taken", "R-1"} {
		if !strings.Contains(got.err, part) {
			t.Errorf("no %q in %q", part, got.err)
		}
	}
	var problem map[string]any
	got = run(t, settings, "tags", "create", "x", "--json")
	if err := json.Unmarshal([]byte(got.err), &problem); err != nil || problem["requestId"] != "R-1" || strings.Count(got.err, "\n") != 1 {
		t.Errorf("%v: %q", err, got.err)
	}
}

func TestAFaultOfTheWholeBodyHasAPlaceToo(t *testing.T) {
	settings := server(t, 400, `{"type":"about:blank","title":"Bad Request","status":400,"detail":"D","instance":"/","requestId":"R","errors":[{"pointer":"","detail":"line 1: F"}]}`)
	if got := run(t, settings, "tags", "create", "x"); got.code != exitMalformed || !strings.Contains(got.err, "\n  the body: line 1: F\n") {
		t.Errorf("%d: %q", got.code, got.err)
	}
}

func TestATerminalObeysNoTextOfOthers(t *testing.T) {
	settings := server(t, 200, `{"tags":[{"uniqueId":"01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f04","label":"a\u001b]0;b\u0007\nc"}],"paginationMeta":{"nextCursor":null}}`)
	got := run(t, settings, "tags", "list")
	if got.code != 0 || strings.ContainsAny(got.out, "\x1b\x07") || strings.Count(got.out, "\n") != 2 {
		t.Errorf("%q", got.out)
	}
	evil := `"a\u001b]0;b\u0007\nc"`
	settings = server(t, 409, `{"type":"about:blank","title":`+evil+`,"status":409,"detail":`+evil+`,"instance":"/","requestId":`+evil+`}`)
	if got := run(t, settings, "tags", "create", "x"); got.code != exitConflict || strings.ContainsAny(got.err, "\x1b\x07") || strings.Count(got.err, "\n") != 3 {
		t.Errorf("%q", got.err)
	}
	campaign := `{"campaign":{"uniqueId":"01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f04","name":` + evil + `,"status":"Cancelled"}}`
	got = run(t, server(t, 200, campaign), "campaigns", "watch", "01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f04")
	if got.code != exitEndedBadly || strings.ContainsAny(got.out+got.err, "\x1b\x07") || strings.Count(got.err, "\n") != 1 {
		t.Errorf("%+v", got)
	}
}

func TestAllPagesBehindOneThatIsNamed(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.RawQuery)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"tags":[{"label":"x"}],"paginationMeta":{"nextCursor":`+[]string{`"c"`, "null"}[len(asked)-1]+`}}`)
	}))
	defer server.Close()
	got := run(t, []string{"PARLEY_URL=" + server.URL, "PARLEY_API_KEY=key"}, "api", "GET", "/api/tags?page=2", "--pages", "-q", "per_page=1")
	if want := []string{"page=2&per_page=1", "cursor=c&per_page=1"}; got.code != 0 || !slices.Equal(asked, want) || strings.Count(got.out, "\n") != 2 {
		t.Errorf("%v: %+v", asked, got)
	}
}

func TestADeprecatedCallIsSaidToBe(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Deprecation", "@1769862896")
		w.Header().Set("Sunset", "Fri, 31 Jul 2026 00:00:00 GMT")
		_, _ = io.WriteString(w, `{"tag":{"label":"x"}}`)
	}))
	defer server.Close()
	got := run(t, []string{"PARLEY_URL=" + server.URL, "PARLEY_API_KEY=key"}, "tags", "create", "x", "--json")
	if got.code != 0 || got.err != "parley: POST /api/tags is deprecated and ends on Fri, 31 Jul 2026 00:00:00 GMT\n" || got.out != "{\"label\":\"x\"}\n" {
		t.Errorf("%+v", got)
	}
}

func TestProfiles(t *testing.T) {
	settings := server(t, 200, `{"tag":{"label":"x"}}`)
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "parley"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "# mine\nexport " + settings[0] + "\n" + strings.Replace(settings[1], "=", "='", 1) + "'\n"
	for _, name := range []string{"default", "work"} {
		if err := os.WriteFile(filepath.Join(home, "parley", name+".env"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	environment := []string{"PARLEY_URL=", "PARLEY_API_KEY=", "XDG_CONFIG_HOME=" + home}
	for _, args := range [][]string{{"tags", "create", "x"}, {"tags", "create", "x", "--profile", "work"},
		{"tags", "create", "x", "--credentials", filepath.Join(home, "parley", "work.env")}} {
		if got := run(t, environment, args...); got.code != 0 {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := run(t, nil, "completion", shell); got.code != 0 || got.out == "" {
			t.Errorf("%s: %+v", shell, got)
		}
	}
	if got := run(t, nil, "__complete", "contacts", "list", "--status", ""); !strings.Contains(got.out, "OptedOut") {
		t.Errorf("%+v", got)
	}
}

// enumOf is what the contract lists as a schema's values.
func enumOf(t *testing.T, contract, schema string) []string {
	t.Helper()
	found := regexp.MustCompile(`(?s)\n    ` + schema + `:\n.*?\n      enum: \[(.*?)\]`).FindStringSubmatch(contract)
	if found == nil {
		t.Fatalf("%s has no values", schema)
	}
	return strings.FieldsFunc(found[1], func(r rune) bool { return strings.ContainsRune(", \n", r) })
}

func TestWordsAreThoseOfTheContract(t *testing.T) {
	contract, err := os.ReadFile("../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for schema, words := range map[string][]string{"WebhookEvent": eventTypes, "ContactStatus": contactStatuses, "MessageStatus": messageStatuses,
		"ConversationStatus": conversationStatuses, "CampaignStatus": campaignStatuses} {
		want := enumOf(t, string(contract), schema)
		got := slices.Clone(words)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", schema, got, want)
		}
	}
}

func TestWidths(t *testing.T) {
	for text, want := range map[string]int{"abc": 3, "陈洋": 4, "e\u0301": 1, "": 0} {
		if got := columns(text); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
	if got := fit("陈洋abc", 5); got != "陈洋…" {
		t.Error(got)
	}
}
