package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"parley.example/parley"
	"parley.example/parley/api"
)

func (t *tool) webhooks() *cobra.Command {
	return group("webhooks", "Webhooks, which tell programs what happens", []string{"webhook"},
		listCommand(t, listing[api.Webhook]{
			use: "list", short: "List webhooks", path: at("/api/webhooks"),
			head: []string{"ID", "ACTIVE", "URL", "EVENTS"},
			row: func(w api.Webhook) []string {
				var events []string
				for _, event := range w.Events {
					events = append(events, string(event))
				}
				return []string{w.UniqueId.String(), fmt.Sprint(w.Active), w.Url, strings.Join(events, ", ")}
			},
		}),
		t.byID("get WEBHOOK", "Show a webhook", http.MethodGet, "/api/webhooks/%s", nil),
		t.createWebhook(),
		t.byID("delete WEBHOOK", "Delete a webhook", http.MethodDelete, "/api/webhooks/%s", nil),
		t.byID("test WEBHOOK", "Send a test to a webhook", http.MethodPost, "/api/webhooks/%s/test", nil),
		t.byID("rotate-secret WEBHOOK", "Replace a webhook's secret; the one before is good for a while", http.MethodPost, "/api/webhooks/%s/rotate-secret", nil),
		listCommand(t, listing[api.WebhookDelivery]{
			use: "deliveries WEBHOOK", short: "List the calls of a webhook", args: cobra.ExactArgs(1),
			path: func(_ context.Context, _ *parley.Client, args []string) (string, error) {
				return "/api/webhooks/" + url.PathEscape(args[0]) + "/deliveries", nil
			},
			filters: []filter{{name: "state", help: "Pending, Delivered or Failed", values: []string{"Pending", "Delivered", "Failed"}}},
			head:    []string{"ID", "AT", "EVENT", "STATE", "ATTEMPTS", "ANSWER"},
			row: func(d api.WebhookDelivery) []string {
				answer := d.Error
				if d.ResponseStatus != nil {
					answer = fmt.Sprint(*d.ResponseStatus)
				}
				return []string{d.UniqueId.String(), moment(d.CreatedAt), d.EventType, string(d.State), fmt.Sprint(d.Attempts), answer}
			},
		}),
		&cobra.Command{
			Use: "replay WEBHOOK DELIVERY", Short: "Make a call again", Args: cobra.ExactArgs(2),
			RunE: t.run(func(ctx context.Context, client *parley.Client, args []string) error {
				return t.send(ctx, client, http.MethodPost, "/api/webhooks/"+url.PathEscape(args[0])+"/deliveries/"+url.PathEscape(args[1])+"/replay", nil)
			}),
		},
	)
}

func (t *tool) createWebhook() *cobra.Command {
	var types []string
	var description string
	command := &cobra.Command{
		Use:   "create URL --event TYPE...",
		Short: "Create a webhook; its secret, which the receiver verifies calls by, is shown this once",
		Args:  cobra.ExactArgs(1),
	}
	command.Flags().StringArrayVar(&types, "event", nil, "a type, such as message.created; may be repeated")
	command.Flags().StringVar(&description, "description", "", "what it is for")
	_ = command.RegisterFlagCompletionFunc("event", cobra.FixedCompletions(eventTypes, cobra.ShellCompDirectiveNoFileComp))
	require(command, "event")
	command.RunE = t.run(func(ctx context.Context, client *parley.Client, args []string) error {
		body := api.CreateWebhookBody{Url: args[0], Description: given(description)}
		for _, kind := range types {
			body.Events = append(body.Events, api.WebhookEvent(kind))
		}
		return t.send(ctx, client, http.MethodPost, "/api/webhooks", body)
	})
	return command
}
