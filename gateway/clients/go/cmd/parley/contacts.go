package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"parley.example/parley"
	"parley.example/parley/api"
)

var (
	contactStatuses = []string{"Active", "Inactive", "Blocked", "OptedOut"}
	contactFilters  = []filter{searchFilter, listFilter, tagFilter, {name: "status", help: strings.Join(contactStatuses, ", "), values: contactStatuses}}
)

func (t *tool) contacts() *cobra.Command {
	return group("contacts", "Contacts, their import and export", []string{"contact"},
		listCommand(t, listing[api.Contact]{
			use: "list", short: "List contacts", path: at("/api/contacts"), attributes: true,
			filters: append(contactFilters[:len(contactFilters):len(contactFilters)], sortFilter, orderFilter),
			head:    []string{"ID", "PHONE", "NAME", "STATUS", "TAGS"},
			row: func(c api.Contact) []string {
				return []string{c.UniqueId.String(), c.Phone, c.Name, string(c.Status), tagLabels(c.Tags)}
			},
		}),
		t.byID("get CONTACT", "Show a contact, by its id or telephone number", http.MethodGet, "/api/contacts/%s", contactID),
		t.createContact(),
		t.byID("delete CONTACT", "Delete a contact", http.MethodDelete, "/api/contacts/%s", contactID),
		t.importContacts(),
		t.exportContacts(),
		listCommand(t, listing[api.ImportSummary]{
			use: "imports", short: "List imports", path: at("/api/contacts/imports"),
			head: []string{"ID", "BEGUN", "STATUS", "ROWS", "NEW", "UPDATED", "SKIPPED", "FAILED"},
			row: func(i api.ImportSummary) []string {
				return append([]string{i.UniqueId.String(), moment(i.CreatedAt), string(i.Status)},
					counts(i.RowsRead, i.Imported, i.Updated, i.Skipped, i.Failed)...)
			},
		}),
	)
}

// byID is a command for one resource, which may have a name beside its id.
func (t *tool) byID(use, short, method, path string, find func(context.Context, *parley.Client, string) (string, error)) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: t.run(func(ctx context.Context, client *parley.Client, args []string) error {
			id := args[0]
			if find != nil {
				var err error
				if id, err = find(ctx, client, id); err != nil {
					return err
				}
			} else if _, err := uuid.Parse(id); err != nil {
				return usageError{fmt.Errorf("%s is not an id", id), "parley"}
			}
			if method == http.MethodGet {
				return t.show(ctx, client, fmt.Sprintf(path, id))
			}
			return t.send(ctx, client, method, fmt.Sprintf(path, id), nil)
		}),
	}
}

func (t *tool) createContact() *cobra.Command {
	var body api.CreateContactBody
	var tags, lists, attributes []string
	command := &cobra.Command{Use: "create", Short: "Create a contact", Args: cobra.NoArgs}
	command.Flags().StringVar(&body.Name, "name", "", "the name")
	command.Flags().StringVar(&body.Phone, "phone", "", "the telephone number, such as +442071838750")
	command.Flags().StringArrayVar(&tags, "tag", nil, "a label; may be repeated")
	command.Flags().StringArrayVar(&lists, "list", nil, "a list, by its id or name; may be repeated")
	command.Flags().StringArrayVar(&attributes, "attribute", nil, "NAME=VALUE; may be repeated")
	require(command, "name", "phone")
	command.RunE = t.run(func(ctx context.Context, client *parley.Client, _ []string) error {
		body.Tags = optional(tags)
		ids, err := ids(ctx, client, lists, listID)
		if err != nil {
			return err
		}
		body.Lists = optional(ids)
		if len(attributes) > 0 {
			body.Attributes = &api.Attributes{}
		}
		for _, attribute := range attributes {
			name, value, ok := strings.Cut(attribute, "=")
			if !ok {
				return usageError{fmt.Errorf("--attribute %s is not NAME=VALUE", attribute), command.CommandPath()}
			}
			(*body.Attributes)[name] = value
		}
		return t.send(ctx, client, http.MethodPost, "/api/contacts", body)
	})
	return command
}

func require(command *cobra.Command, names ...string) {
	for _, name := range names {
		_ = command.MarkFlagRequired(name)
	}
}

func optional[T any](values []T) *[]T {
	if len(values) == 0 {
		return nil
	}
	return &values
}

func ids(ctx context.Context, client *parley.Client, given []string, find func(context.Context, *parley.Client, string) (string, error)) ([]api.Id, error) {
	var out []api.Id
	for _, one := range given {
		text, err := find(ctx, client, one)
		if err != nil {
			return nil, err
		}
		id, err := uuid.Parse(text)
		if err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, nil
}

func (t *tool) exportContacts() *cobra.Command {
	var attributes []string
	raw := false
	command := &cobra.Command{
		Use: "export [FILE]", Short: "Write contacts as CSV, to standard output or a file", Args: cobra.MaximumNArgs(1),
	}
	addFilters(command, contactFilters)
	command.Flags().StringArrayVar(&attributes, "attribute", nil, "only with this attribute, NAME=VALUE; may be repeated")
	command.Flags().BoolVar(&raw, "raw", false, "cells as they are, not made safe for spreadsheets")
	command.RunE = t.run(func(ctx context.Context, client *parley.Client, args []string) error {
		query, err := queryOf(ctx, client, command, contactFilters)
		if err != nil {
			return err
		}
		if err := addAttributes(query, attributes); err != nil {
			return err
		}
		if raw {
			query.Set("format", "csv-raw")
		}
		response, err := client.Call(ctx, http.MethodGet, "/api/contacts/export", query, "", nil)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if len(args) == 0 || args[0] == "-" {
			_, err = io.Copy(t.out, response.Body)
			return err
		}
		return t.exportTo(args[0], response.Body)
	})
	return command
}

// exportTo leaves a whole file, or the one that was there before.
func (t *tool) exportTo(path string, body io.Reader) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(file.Name())
		}
	}()
	bar := t.progress("exported")
	n, err := io.Copy(file, bar.reader(body))
	bar.end()
	if err != nil {
		return err
	}
	if err = file.Close(); err != nil {
		return err
	}
	if err = os.Rename(file.Name(), path); err != nil {
		return err
	}
	if t.live {
		fmt.Fprintf(t.err, "%s: %s\n", path, octets(n))
	}
	return nil
}
