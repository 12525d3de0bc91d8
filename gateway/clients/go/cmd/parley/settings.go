package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley.example/parley"
)

// connect makes the client of the settings that main.go's long text explains.
func (t *tool) connect() (*parley.Client, error) {
	if t.client != nil {
		return t.client, nil
	}
	settings, err := t.settings()
	if err != nil {
		return nil, usageError{err, "parley"}
	}
	options := []parley.Option{
		parley.WithUserAgent("parley-cli/" + version),
		parley.WithOrganization(t.organization),
		parley.WithRetryNotice(t.tellRetry),
		parley.WithDeprecationNotice(t.tellDeprecation),
	}
	t.client, err = parley.New(settings["PARLEY_URL"], settings["PARLEY_API_KEY"], options...)
	if err != nil {
		return nil, usageError{err, "parley"}
	}
	return t.client, nil
}

func (t *tool) settings() (map[string]string, error) {
	environment := map[string]string{"PARLEY_URL": os.Getenv("PARLEY_URL"), "PARLEY_API_KEY": os.Getenv("PARLEY_API_KEY")}
	var file string
	switch {
	case t.credentials != "":
		file = t.credentials
	case t.profile != "":
		file = profile(t.profile)
	case environment["PARLEY_URL"] != "" && environment["PARLEY_API_KEY"] != "":
		return environment, nil
	default:
		file = profile("default")
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("set PARLEY_URL and PARLEY_API_KEY, or name a file that has them by --credentials, or write %s", file)
		}
	}
	settings, err := readSettings(file)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"PARLEY_URL", "PARLEY_API_KEY"} {
		if settings[name] == "" {
			return nil, fmt.Errorf("%s has no line %s=…", file, name)
		}
	}
	return settings, nil
}

func profile(name string) string {
	directory, err := os.UserConfigDir()
	if err != nil {
		directory = "."
	}
	return filepath.Join(directory, "parley", name+".env")
}

func readSettings(path string) (map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	settings := map[string]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(lines.Text()), "export "))
		name, value, ok := strings.Cut(line, "=")
		if ok && !strings.HasPrefix(line, "#") {
			settings[strings.TrimSpace(name)] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return settings, lines.Err()
}
