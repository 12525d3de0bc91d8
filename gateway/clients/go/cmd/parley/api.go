package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parley.example/parley"
)

type apiFlags struct {
	query, header []string
	contentType   string
	head, pages   bool
}

func (t *tool) api() *cobra.Command {
	var flags apiFlags
	command := &cobra.Command{
		Use:   "api METHOD PATH [BODY]",
		Short: "Call any operation of the API",
		Long: `Calls any operation. BODY is JSON, @FILE, or - for standard input.

  parley api GET '/api/organization/audit?per_page=5'
  parley api POST /api/auth/api-keys '{"name":"Another key","expiresAt":"2099-01-01"}'
  parley api GET /api/organization/members --pages --json     (one record a line)`,
		Args: cobra.RangeArgs(2, 3),
	}
	command.Flags().StringArrayVarP(&flags.query, "query", "q", nil, "a query parameter, NAME=VALUE; may be repeated")
	command.Flags().StringArrayVarP(&flags.header, "header", "H", nil, "a header, 'NAME: VALUE'; may be repeated")
	command.Flags().StringVar(&flags.contentType, "content-type", "application/json", "the body's")
	command.Flags().BoolVarP(&flags.head, "include", "i", false, "print the status and the headers, too")
	command.Flags().BoolVar(&flags.pages, "pages", false, "print the records of all pages, one a line")
	methods := []string{"GET", "POST", "DELETE", "HEAD"}
	command.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return methods, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
	command.RunE = t.run(func(ctx context.Context, client *parley.Client, args []string) error {
		query, err := flags.values()
		if err != nil {
			return err
		}
		path, inPath, err := split(args[1])
		if err != nil {
			return err
		}
		for name, values := range inPath {
			query[name] = append(query[name], values...)
		}
		if flags.pages {
			return t.printPages(ctx, client, path, query)
		}
		return t.callAny(ctx, client, flags, args, path, query)
	})
	return command
}

func split(target string) (string, url.Values, error) {
	parsed, err := url.Parse(target)
	if err != nil || parsed.Host != "" {
		return "", nil, usageError{fmt.Errorf("PATH is one such as /api/lists, not %s", target), "parley api"}
	}
	query, err := url.ParseQuery(parsed.RawQuery)
	if err != nil {
		return "", nil, usageError{fmt.Errorf("PATH %s: %w", target, err), "parley api"}
	}
	return parsed.EscapedPath(), query, nil
}

func (f apiFlags) values() (url.Values, error) {
	query := url.Values{}
	for _, one := range f.query {
		name, value, ok := strings.Cut(one, "=")
		if !ok {
			return nil, usageError{fmt.Errorf("--query %s is not NAME=VALUE", one), "parley api"}
		}
		query.Add(name, value)
	}
	return query, nil
}

func (t *tool) printPages(ctx context.Context, client *parley.Client, path string, query url.Values) error {
	for raw, err := range records(ctx, client, path, query) {
		if err != nil {
			return err
		}
		if err := t.line(raw); err != nil {
			return err
		}
	}
	return nil
}

func (t *tool) callAny(ctx context.Context, client *parley.Client, flags apiFlags, args []string, path string, query url.Values) error {
	method := strings.ToUpper(args[0])
	var body io.Reader
	contentType := ""
	if len(args) == 3 {
		opened, err := open(args[2])
		if err != nil {
			return err
		}
		defer opened.Close()
		body, contentType = opened.Reader, flags.contentType
	}
	headers := http.Header{}
	for _, header := range flags.header {
		name, value, ok := strings.Cut(header, ":")
		if !ok {
			return usageError{fmt.Errorf("--header %s is not 'NAME: VALUE'", header), "parley api"}
		}
		headers.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	response, err := client.Call(parley.WithHeader(ctx, headers), method, path, query, contentType, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if flags.head {
		fmt.Fprintf(t.out, "%s %s\n", response.Proto, response.Status)
		_ = response.Header.Write(t.out)
		fmt.Fprintln(t.out)
	}
	return t.printBody(response)
}

type opened struct {
	io.Reader
	io.Closer
}

func open(body string) (opened, error) {
	if path, ok := strings.CutPrefix(body, "@"); ok {
		file, err := os.Open(path)
		return opened{file, file}, err
	}
	if body == "-" {
		return opened{os.Stdin, io.NopCloser(nil)}, nil
	}
	return opened{strings.NewReader(body), io.NopCloser(nil)}, nil
}

// printBody prints JSON in a line with --json, else indented; all other bodies as they come.
func (t *tool) printBody(response *http.Response) error {
	media, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if media != "application/json" {
		return t.stream(response.Body)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil || len(text) == 0 {
		return err
	}
	if t.json {
		return t.line(text)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "%s\n", indented.Bytes())
	return err
}

// stream prints each piece at once.
func (t *tool) stream(body io.Reader) error {
	piece := make([]byte, 32<<10)
	for {
		n, err := body.Read(piece)
		if _, failed := t.out.Write(piece[:n]); failed != nil {
			return failed
		}
		if failed := t.out.Flush(); failed != nil {
			return failed
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
