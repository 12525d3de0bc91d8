//go:build system

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Of a system that runs: see ../../system_test.go.

// ok runs parley and gives the lines that it printed.
func ok(t *testing.T, args ...string) []string {
	t.Helper()
	got := run(t, nil, args...)
	if got.code != 0 {
		t.Fatalf("parley %s: %+v", strings.Join(args, " "), got)
	}
	return strings.Split(strings.TrimSuffix(got.out, "\n"), "\n")
}

func field(t *testing.T, line, name string) string {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(line), &object); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return fmt.Sprint(object[name])
}

func TestSystemACampaignFromTheShell(t *testing.T) {
	now := time.Now().UnixNano()
	name := fmt.Sprint("cli ", now)
	list := field(t, ok(t, "lists", "create", name, "--json")[0], "uniqueId")
	path := filepath.Join(t.TempDir(), "people.csv")
	csv := "Full Name,Mobile\n"
	for i := range 3 {
		csv += fmt.Sprintf("Person %d,+4478%08d\n", i, (now/1000+int64(i))%100_000_000)
	}
	if err := os.WriteFile(path, []byte(csv+"Nobody,none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := run(t, nil, "contacts", "import", path, "--list", name, "--mapping", "name:Full Name,phone:Mobile", "--on-conflict", "update")
	if got.code != exitEndedBadly || !strings.Contains(got.out, "4 rows: 3 new, 0 updated, 0 skipped, 1 failed\n") || !strings.Contains(got.out, "\n5     Mobile") {
		t.Fatalf("%+v", got)
	}
	if lines := ok(t, "contacts", "list", "--list", name, "--json"); len(lines) != 3 || field(t, lines[2], "name") != "Person 0" {
		t.Fatal(lines)
	}
	if lines := ok(t, "contacts", "export", "--list", list); len(lines) != 4 {
		t.Fatal(lines)
	}
	campaign := ok(t, "campaigns", "create", "--name", name, "--list", name, "--text", "Hello {{name}}", "--json")[0]
	if field(t, campaign, "status") != "Draft" {
		t.Fatal(campaign)
	}
	lines := ok(t, "campaigns", "start", name, "--watch", "--json")
	if last := lines[len(lines)-1]; field(t, last, "status") != "Finished" || field(t, last, "uniqueId") != field(t, campaign, "uniqueId") {
		t.Fatal(lines)
	}
	if lines := ok(t, "campaigns", "recipients", name); len(lines) != 4 {
		t.Fatal(lines)
	}
	if got := run(t, nil, "campaigns", "pause", name); got.code != exitConflict {
		t.Fatalf("%+v", got)
	}
	if got := run(t, nil, "lists", "get", name+" x"); got.code != exitNotFound {
		t.Fatalf("%+v", got)
	}
	ok(t, "lists", "delete", name)
}

func TestSystemAnyCall(t *testing.T) {
	if lines := ok(t, "api", "GET", "/api/tags", "-q", "per_page=1", "--json"); len(lines) != 1 || !strings.HasPrefix(lines[0], `{"tags":[`) {
		t.Fatal(lines)
	}
	if lines := ok(t, "api", "GET", "/api/campaigns", "--pages", "-q", "per_page=1"); len(lines) < 2 || field(t, lines[1], "uniqueId") == "" {
		t.Fatal(lines)
	}
	command := command(t, nil, "api", "POST", "/api/tags", "-")
	command.Stdin = strings.NewReader(fmt.Sprintf(`{"label":"cli %d"}`, time.Now().UnixNano()))
	if out, err := command.Output(); err != nil || !strings.Contains(string(out), `"label": "cli `) {
		t.Fatal(string(out), err)
	}
}

func TestSystemTailEndsByAnInterrupt(t *testing.T) {
	command := command(t, nil, "events", "tail", "--json", "--type", "campaign", "--after", "of-another-stream")
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 4096)
	n, err := out.Read(line) // the reset
	if err != nil || field(t, string(line[:n]), "type") != "reset" || field(t, string(line[:n]), "id") == "" {
		t.Fatal(string(line[:n]), err)
	}
	if err := command.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, out)
	_ = command.Wait()
	if code := command.ProcessState.ExitCode(); code != exitInterrupted {
		t.Fatal(code)
	}
}
