package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley.example/parley"
	"parley.example/parley/api"
)

func (t *tool) lists() *cobra.Command {
	return group("lists", "Lists of contacts", []string{"list"},
		listCommand(t, listing[api.ContactList]{
			use: "list", short: "List lists", path: at("/api/lists"),
			filters: []filter{searchFilter, tagFilter, sortFilter, orderFilter},
			head:    []string{"ID", "CONTACTS", "NAME", "TAGS"},
			row: func(l api.ContactList) []string {
				return []string{l.UniqueId.String(), fmt.Sprint(l.NumberOfContacts), l.Name, tagLabels(l.Tags)}
			},
		}),
		t.byID("get LIST", "Show a list", http.MethodGet, "/api/lists/%s", listID),
		t.createList(),
		t.byID("delete LIST", "Delete a list; its contacts stay", http.MethodDelete, "/api/lists/%s", listID),
		t.changeList("add LIST CONTACT...", "Add contacts to a list", func(ids *[]api.Id) api.UpdateListContactsBody {
			return api.UpdateListContactsBody{Add: ids}
		}),
		t.changeList("remove LIST CONTACT...", "Remove contacts from a list", func(ids *[]api.Id) api.UpdateListContactsBody {
			return api.UpdateListContactsBody{Remove: ids}
		}),
	)
}

func (t *tool) createList() *cobra.Command {
	var description string
	var tags []string
	command := &cobra.Command{Use: "create NAME", Short: "Create a list", Args: cobra.ExactArgs(1)}
	command.Flags().StringVar(&description, "description", "", "what it is for")
	command.Flags().StringArrayVar(&tags, "tag", nil, "a label; may be repeated")
	command.RunE = t.run(func(ctx context.Context, client *parley.Client, args []string) error {
		body := api.CreateListBody{Name: args[0], Description: given(description), Tags: optional(tags)}
		return t.send(ctx, client, http.MethodPost, "/api/lists", body)
	})
	return command
}

func (t *tool) changeList(use, short string, bodyOf func(*[]api.Id) api.UpdateListContactsBody) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.MinimumNArgs(2),
		RunE: t.run(func(ctx context.Context, client *parley.Client, args []string) error {
			list, err := listID(ctx, client, args[0])
			if err != nil {
				return err
			}
			contacts, err := ids(ctx, client, args[1:], contactID)
			if err != nil {
				return err
			}
			return t.send(ctx, client, http.MethodPost, "/api/lists/"+list+"/contacts", bodyOf(&contacts))
		}),
	}
}

func (t *tool) tags() *cobra.Command {
	return group("tags", "Tags", []string{"tag"},
		listCommand(t, listing[api.Tag]{
			use: "list", short: "List tags", path: at("/api/tags"),
			filters: []filter{searchFilter, sortFilter, orderFilter},
			head:    []string{"ID", "LABEL"},
			row:     func(tag api.Tag) []string { return []string{tag.UniqueId.String(), tag.Label} },
		}),
		t.byID("get TAG", "Show a tag", http.MethodGet, "/api/tags/%s", tagID),
		&cobra.Command{
			Use: "create LABEL", Short: "Create a tag", Args: cobra.ExactArgs(1),
			RunE: t.run(func(ctx context.Context, client *parley.Client, args []string) error {
				return t.send(ctx, client, http.MethodPost, "/api/tags", api.CreateTagBody{Label: args[0]})
			}),
		},
		t.byID("delete TAG", "Delete a tag", http.MethodDelete, "/api/tags/%s", tagID),
	)
}

func tagLabels(tags []api.Tag) string {
	var out []string
	for _, tag := range tags {
		out = append(out, tag.Label)
	}
	return strings.Join(out, ", ")
}

// moment is a time as people here read it.
func moment(at time.Time) string { return at.Local().Format("2006-01-02 15:04:05") }

func counts(all ...int64) []string {
	var out []string
	for _, one := range all {
		out = append(out, fmt.Sprint(one))
	}
	return out
}
