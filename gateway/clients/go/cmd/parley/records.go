package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"parley.example/parley"
)

// records iterates over those of all pages of a path, each as the API gives it.
func records(ctx context.Context, client *parley.Client, path string, query url.Values) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		query := maps.Clone(query)
		for {
			var page map[string]json.RawMessage
			if err := get(ctx, client, path, query, &page); err != nil {
				yield(nil, err)
				return
			}
			list, next, err := pageOf(page)
			if err != nil {
				yield(nil, fmt.Errorf("%s: %w", path, err))
				return
			}
			for _, record := range list {
				if !yield(record, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			query.Set("cursor", next) // and skip would count again from it
			query.Del("page")
			query.Del("skip")
		}
	}
}

// pageOf is the array in an answer, and the cursor of the next page.
func pageOf(page map[string]json.RawMessage) (list []json.RawMessage, next string, err error) {
	for name, value := range page {
		if name == "paginationMeta" {
			var meta struct {
				NextCursor *string `json:"nextCursor"`
			}
			if err := json.Unmarshal(value, &meta); err != nil {
				return nil, "", err
			}
			if meta.NextCursor != nil {
				next = *meta.NextCursor
			}
		} else if err := json.Unmarshal(value, &list); err != nil {
			return nil, "", fmt.Errorf("the answer has no list: %w", err)
		}
	}
	return list, next, nil
}

func get(ctx context.Context, client *parley.Client, path string, query url.Values, into any) error {
	return decode(into)(client.Call(ctx, http.MethodGet, path, query, "", nil))
}

func decode(into any) func(*http.Response, error) error {
	return func(response *http.Response, err error) error {
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode == http.StatusNoContent {
			return nil
		}
		return json.NewDecoder(response.Body).Decode(into)
	}
}

// send posts a body, or nothing where it is nil, and prints the resource of the answer.
func (t *tool) send(ctx context.Context, client *parley.Client, method, path string, body any) error {
	var reader io.Reader
	contentType := ""
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		reader, contentType = strings.NewReader(string(text)), "application/json"
	} else if method == http.MethodPost {
		reader, contentType = strings.NewReader("{}"), "application/json"
	}
	var answer json.RawMessage
	if err := decode(&answer)(client.Call(ctx, method, path, nil, contentType, reader)); err != nil || answer == nil {
		return err
	}
	return t.object(resource(answer))
}

// show prints the resource at a path.
func (t *tool) show(ctx context.Context, client *parley.Client, path string) error {
	var answer json.RawMessage
	if err := get(ctx, client, path, nil, &answer); err != nil {
		return err
	}
	return t.object(resource(answer))
}

// resource is what an answer such as {"contact":{…}} is about.
func resource(answer json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(answer, &fields) == nil && len(fields) == 1 {
		for _, value := range fields {
			if len(value) > 0 && value[0] == '{' {
				return value
			}
		}
	}
	return answer
}

// filter is a flag that is a query parameter.
type filter struct {
	name, query, help string
	values            []string // that it may have, for the shell to complete
	resolve           func(ctx context.Context, client *parley.Client, value string) (string, error)
}

var (
	searchFilter = filter{name: "search", help: "only with this text in them"}
	sortFilter   = filter{name: "sort", query: "sort_by", help: "sort by this field"}
	orderFilter  = filter{name: "order", help: "asc or desc", values: []string{"asc", "desc"}}
	listFilter   = filter{name: "list", query: "list_id", help: "only of this list, an id or a name", resolve: listID}
	tagFilter    = filter{name: "tag", help: "only with this tag"}
)

func addFilters(command *cobra.Command, filters []filter) {
	for _, f := range filters {
		command.Flags().String(f.name, "", f.help)
		if f.values != nil {
			_ = command.RegisterFlagCompletionFunc(f.name, cobra.FixedCompletions(f.values, cobra.ShellCompDirectiveNoFileComp))
		}
	}
}

func queryOf(ctx context.Context, client *parley.Client, command *cobra.Command, filters []filter) (url.Values, error) {
	query := url.Values{}
	for _, f := range filters {
		value, _ := command.Flags().GetString(f.name)
		if !command.Flags().Changed(f.name) {
			continue
		}
		if f.resolve != nil {
			var err error
			if value, err = f.resolve(ctx, client, value); err != nil {
				return nil, err
			}
		}
		name := f.query
		if name == "" {
			name = f.name
		}
		query.Set(name, value)
	}
	return query, nil
}

// listing is a command that prints the records of a path: path gets the arguments.
type listing[T any] struct {
	use, short string
	args       cobra.PositionalArgs
	path       func(ctx context.Context, client *parley.Client, args []string) (string, error)
	filters    []filter
	attributes bool // may be filtered by
	head       []string
	row        func(T) []string
}

func at(path string) func(context.Context, *parley.Client, []string) (string, error) {
	return func(context.Context, *parley.Client, []string) (string, error) { return path, nil }
}

func listCommand[T any](t *tool, l listing[T]) *cobra.Command {
	limit := 0
	command := &cobra.Command{Use: l.use, Short: l.short, Args: l.args, Aliases: []string{"ls"}}
	if l.args == nil {
		command.Args = cobra.NoArgs
	}
	addFilters(command, l.filters)
	command.Flags().IntVar(&limit, "limit", 0, "at most so many (0: all)")
	var attributes *[]string
	if l.attributes {
		attributes = command.Flags().StringArray("attribute", nil, "only with this attribute, NAME=VALUE; may be repeated")
	}
	command.RunE = t.run(func(ctx context.Context, client *parley.Client, args []string) error {
		query, err := queryOf(ctx, client, command, l.filters)
		if err != nil {
			return err
		}
		if attributes != nil {
			if err := addAttributes(query, *attributes); err != nil {
				return err
			}
		}
		path, err := l.path(ctx, client, args)
		if err != nil {
			return err
		}
		query.Set("per_page", "100")
		if limit > 0 && limit < 100 {
			query.Set("per_page", fmt.Sprint(limit))
		}
		return printRecords(t, records(ctx, client, path, query), limit, l.head, l.row)
	})
	return command
}

func addAttributes(query url.Values, attributes []string) error {
	for _, attribute := range attributes {
		name, value, ok := strings.Cut(attribute, "=")
		if !ok {
			return usageError{fmt.Errorf("--attribute %s is not NAME=VALUE", attribute), "parley"}
		}
		query.Set("attributes["+name+"]", value)
	}
	return nil
}

func printRecords[T any](t *tool, all iter.Seq2[json.RawMessage, error], limit int, head []string, row func(T) []string) error {
	table := table{out: t.out, head: head}
	count := 0
	for raw, err := range all {
		if err != nil {
			table.end()
			return err
		}
		if t.json {
			err = t.line(raw)
		} else {
			var record T
			if err = json.Unmarshal(raw, &record); err == nil {
				table.add(row(record))
			}
		}
		if err != nil {
			return err
		}
		if count++; count == limit {
			break
		}
	}
	table.end()
	if count == 0 && !t.json && t.live {
		fmt.Fprintln(t.err, "there are none")
	}
	return nil
}

// listID is the id of a list that is named by it or by its name.
func listID(ctx context.Context, client *parley.Client, given string) (string, error) {
	return resolve(ctx, client, "list", "/api/lists", "name", given)
}

func tagID(ctx context.Context, client *parley.Client, given string) (string, error) {
	return resolve(ctx, client, "tag", "/api/tags", "label", given)
}

func campaignID(ctx context.Context, client *parley.Client, given string) (string, error) {
	return resolve(ctx, client, "campaign", "/api/campaigns", "name", given)
}

func contactID(ctx context.Context, client *parley.Client, given string) (string, error) {
	return resolve(ctx, client, "contact", "/api/contacts", "phone", given)
}

func resolve(ctx context.Context, client *parley.Client, kind, path, field, given string) (string, error) {
	if _, err := uuid.Parse(given); err == nil {
		return given, nil
	}
	var found []string
	query := url.Values{"search": {given}, "per_page": {"100"}}
	for raw, err := range records(ctx, client, path, query) {
		if err != nil {
			return "", err
		}
		var record map[string]json.RawMessage
		if err := json.Unmarshal(raw, &record); err != nil {
			return "", err
		}
		if name := text(record[field]); strings.EqualFold(name, given) || (field == "phone" && name == digits(given)) {
			found = append(found, text(record["uniqueId"]))
		}
	}
	switch len(found) {
	case 0:
		return "", notFound(fmt.Sprintf("there is no %s whose %s is %s", kind, field, given))
	case 1:
		return found[0], nil
	}
	return "", usageError{fmt.Errorf("several %ss are called %s: name one by its id (%s)", kind, given, strings.Join(found, ", ")), "parley"}
}

func text(raw json.RawMessage) string {
	var out string
	_ = json.Unmarshal(raw, &out)
	return out
}

// digits is a number as the API has it, without blanks, dashes and brackets.
func digits(given string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -()/.", r) {
			return -1
		}
		return r
	}, given)
}
