package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parley.example/parley"
	"parley.example/parley/api"
)

var campaignStatuses = []string{"Draft", "Scheduled", "Running", "Paused", "Cancelled", "Finished"}

func (t *tool) campaigns() *cobra.Command {
	change := func(verb, short string) *cobra.Command {
		return t.byID(verb+" CAMPAIGN", short, http.MethodPost, "/api/campaigns/%s/"+verb, campaignID)
	}
	return group("campaigns", "Campaigns", []string{"campaign"},
		listCommand(t, listing[api.Campaign]{
			use: "list", short: "List campaigns", path: at("/api/campaigns"),
			filters: []filter{searchFilter, listFilter, tagFilter, sortFilter, orderFilter,
				{name: "status", help: strings.Join(campaignStatuses, ", "), values: campaignStatuses}},
			head: campaignHead, row: campaignRow,
		}),
		t.byID("get CAMPAIGN", "Show a campaign", http.MethodGet, "/api/campaigns/%s", campaignID),
		t.createCampaign(),
		t.startCampaign(),
		t.watchCampaigns(),
		change("unschedule", "Make a draft again of a campaign that has not begun"),
		change("duplicate", "Copy a campaign, as a draft"),
		change("pause", "Hold a campaign up"),
		change("resume", "Go on with a campaign"),
		change("cancel", "Cancel a campaign for good"),
		t.byID("delete CAMPAIGN", "Delete a campaign", http.MethodDelete, "/api/campaigns/%s", campaignID),
		listCommand(t, listing[api.Recipient]{
			use: "recipients CAMPAIGN", short: "List whom a campaign was for, and what became of it", args: cobra.ExactArgs(1),
			path: func(ctx context.Context, client *parley.Client, args []string) (string, error) {
				id, err := campaignID(ctx, client, args[0])
				return "/api/campaigns/" + id + "/recipients", err
			},
			filters: []filter{{name: "state", help: "only in this state"}, {name: "variant", help: "only with this variant"}, {name: "reason", help: "only for this reason"}},
			head:    []string{"CONTACT", "PHONE", "STATE", "REASON"},
			row: func(r api.Recipient) []string {
				reason := ""
				if r.Reason != nil {
					reason = *r.Reason
				}
				return []string{r.ContactId.String(), r.Phone, string(r.State), reason}
			},
		}),
	)
}

var campaignHead = []string{"ID", "STATUS", "NAME", "RECIPIENTS", "PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"}

func campaignRow(c api.Campaign) []string {
	p := c.Progress
	return append([]string{c.UniqueId.String(), string(c.Status), fit(c.Name, nameColumns)},
		counts(p.Recipients, p.Pending, p.Sent, p.Delivered, p.Read, p.Failed, p.Skipped)...)
}

const nameColumns = 28 // of a name that has other columns behind it

type campaignFlags struct {
	name, description, text, template, language, file, at, timezone string
	lists, exclude, tags, parameters                                []string
	rate                                                            int
}

func (t *tool) createCampaign() *cobra.Command {
	var flags campaignFlags
	command := &cobra.Command{
		Use:   "create",
		Short: "Create a campaign, as a draft or, with --at, scheduled",
		Long: `Creates a campaign.

  parley campaigns create --name 'Spring sale' --list Newsletter --text 'Hello {{name|there}}, all is on sale'
  parley campaigns create --name 'Spring sale' --list Newsletter --template spring --language en_US --param '1={{name|you}}' --rate 20
  parley campaigns create --file campaign.json      (- for standard input: see CreateCampaignBody in the API's documentation)`,
		Args: cobra.NoArgs,
	}
	f := command.Flags()
	f.StringVar(&flags.name, "name", "", "the name")
	f.StringVar(&flags.description, "description", "", "what it is for")
	f.StringArrayVar(&flags.lists, "list", nil, "the list that it is for, by its id or name; may be repeated")
	f.StringArrayVar(&flags.exclude, "exclude", nil, "a list that it is not for; may be repeated")
	f.StringArrayVar(&flags.tags, "tag", nil, "a label; may be repeated")
	f.StringVar(&flags.text, "text", "", "its message, a text")
	f.StringVar(&flags.template, "template", "", "its message, a template")
	f.StringVar(&flags.language, "language", "en_US", "the template's language")
	f.StringArrayVar(&flags.parameters, "param", nil, "a text for a variable of the template, NAME=TEXT; may be repeated")
	f.StringVar(&flags.at, "at", "", "when it begins, such as 2030-03-01T09:00")
	f.StringVar(&flags.timezone, "timezone", "", "the time zone of --at, such as Europe/Berlin (UTC)")
	f.IntVar(&flags.rate, "rate", 0, "messages a second at most (0: as fast as the phone number may)")
	f.StringVar(&flags.file, "file", "", "a file with all of it, as JSON")
	command.MarkFlagsMutuallyExclusive("text", "template", "file")
	command.MarkFlagsOneRequired("text", "template", "file")
	command.MarkFlagsMutuallyExclusive("name", "file")
	command.RunE = t.run(func(ctx context.Context, client *parley.Client, _ []string) error {
		body, err := flags.body(ctx, client)
		if err != nil {
			return err
		}
		return t.send(ctx, client, http.MethodPost, "/api/campaigns", body)
	})
	return command
}

func (f campaignFlags) body(ctx context.Context, client *parley.Client) (any, error) {
	if f.file != "" {
		return jsonFile(f.file)
	}
	lists, err := ids(ctx, client, f.lists, listID)
	if err != nil {
		return nil, err
	}
	exclude, err := ids(ctx, client, f.exclude, listID)
	if err != nil {
		return nil, err
	}
	body := api.CreateCampaignBody{Name: f.name, ListIds: optional(lists), ExcludedListIds: optional(exclude), Tags: optional(f.tags)}
	body.Description, body.ScheduledAt, body.Timezone = given(f.description), given(f.at), given(f.timezone)
	body.MessagesPerSecond = given(f.rate)
	if f.text != "" {
		return body, body.Message.FromCampaignTextMessage(api.CampaignTextMessage{Type: api.CampaignTextMessageTypeText, Text: f.text})
	}
	parameters := map[string]string{}
	for _, parameter := range f.parameters {
		name, text, ok := strings.Cut(parameter, "=")
		if !ok {
			return nil, usageError{fmt.Errorf("--param %s is not NAME=TEXT", parameter), "parley campaigns create"}
		}
		parameters[name] = text
	}
	template := api.CampaignTemplate{Name: f.template, Language: f.language, Parameters: &parameters}
	return body, body.Message.FromCampaignTemplateMessage(api.CampaignTemplateMessage{Type: api.CampaignTemplateMessageTypeTemplate, Template: template})
}

// given is nil for what was not.
func given[T comparable](value T) *T {
	var none T
	if value == none {
		return nil
	}
	return &value
}

func jsonFile(path string) (json.RawMessage, error) {
	read := func() ([]byte, error) { return os.ReadFile(path) }
	if path == "-" {
		read = func() ([]byte, error) { return io.ReadAll(os.Stdin) }
	}
	text, err := read()
	if err != nil {
		return nil, err
	}
	var value json.RawMessage
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", path, err), "parley"}
	}
	return value, nil
}

func (t *tool) startCampaign() *cobra.Command {
	watch, delay := false, 0
	command := &cobra.Command{Use: "start CAMPAIGN", Short: "Start a campaign", Args: cobra.ExactArgs(1)}
	command.Flags().BoolVar(&watch, "watch", false, "watch it until it ends")
	command.Flags().IntVar(&delay, "delay", 0, "for so many seconds, 60 at most, it can be taken back by unschedule")
	command.RunE = t.run(func(ctx context.Context, client *parley.Client, args []string) error {
		found, err := ids(ctx, client, args, campaignID)
		if err != nil {
			return err
		}
		body := api.StartCampaignBody{DelaySeconds: given(delay)}
		if !watch {
			return t.send(ctx, client, http.MethodPost, "/api/campaigns/"+found[0].String()+"/start", body)
		}
		if _, err := client.StartCampaign(ctx, found[0], nil, body); err != nil {
			return err
		}
		return t.watch(ctx, client, found)
	})
	return command
}
