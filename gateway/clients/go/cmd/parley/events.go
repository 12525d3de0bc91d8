package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parley.example/parley"
	"parley.example/parley/api"
)

var eventTypes = []string{
	"contact.created", "contact.updated", "contact.deleted", "contact.merged", "contact.opted_out", "contact.opted_in", "message.created", "message.changed", "message.status", "conversation.created",
	"conversation.changed", "conversation.status", "note.created", "note.changed", "note.deleted", "campaign.status", "campaign.progress", "campaign.reply", "campaign.click",
	"account.notice", "template.changed", "quota.reached", "import.status", "import.progress",
}

// Those that webhooks do not have.
var streamedTypes = append([]string{"conversation.presence", "webhook.health"}, eventTypes...)

func (t *tool) events() *cobra.Command {
	var types []string
	var after string
	campaignMessages, importedContacts := false, false
	limit := 0
	tail := &cobra.Command{
		Use:   "tail",
		Short: "Print what happens, as it happens, until Ctrl-C",
		Long: `Prints events as they happen. After a break it goes on where it was; a reset says that some were missed.

With --json each line has the event's id besides, for --after.`,
		Args: cobra.NoArgs,
	}
	tail.Flags().StringArrayVar(&types, "type", nil, "only of this type, such as message.status, or message for all of them; may be repeated")
	tail.Flags().BoolVar(&campaignMessages, "campaign-messages", false, "also the statuses of the messages of campaigns")
	tail.Flags().BoolVar(&importedContacts, "imported-contacts", false, "also contacts that imports make and change")
	tail.Flags().StringVar(&after, "after", "", "begin behind the event with this id")
	tail.Flags().IntVar(&limit, "limit", 0, "end after so many (0: never)")
	_ = tail.RegisterFlagCompletionFunc("type", cobra.FixedCompletions(streamedTypes, cobra.ShellCompDirectiveNoFileComp))
	tail.RunE = t.run(func(ctx context.Context, client *parley.Client, _ []string) error {
		printed := 0
		params := api.StreamEventsParams{CampaignMessages: &campaignMessages, ImportedContacts: &importedContacts}
		if after != "" {
			params.LastEventID = &after
		}
		for event, err := range client.Events(ctx, params) {
			if err != nil {
				return err
			}
			if event.Type != parley.EventReset && !isWanted(event.Type, types) {
				continue
			}
			if err := t.printEvent(event); err != nil {
				return err
			}
			if printed++; printed == limit {
				return nil
			}
		}
		return nil
	})
	return group("events", "What happens in the organization", []string{"event"}, tail)
}

func isWanted(kind string, types []string) bool {
	for _, wanted := range types {
		wanted = strings.TrimSuffix(strings.TrimSuffix(wanted, "*"), ".")
		if kind == wanted || strings.HasPrefix(kind, wanted+".") {
			return true
		}
	}
	return len(types) == 0
}

func (t *tool) printEvent(event parley.Event) error {
	if t.json {
		id, err := json.Marshal(event.ID)
		if err != nil {
			return err
		}
		if err := t.line(json.RawMessage(`{"id":` + string(id) + "," + strings.TrimPrefix(string(event.Raw), "{"))); err != nil {
			return err
		}
	} else if event.Type == parley.EventReset {
		fmt.Fprintf(t.out, "%s  %-20s some events were missed\n", moment(event.Timestamp), event.Type)
	} else {
		fmt.Fprintf(t.out, "%s  %-20s %s\n", moment(event.Timestamp), clean(event.Type), eventText(event.Raw))
	}
	return t.out.Flush()
}

// eventText is what an event says, in a line.
func eventText(raw json.RawMessage) string {
	var event struct {
		Data struct {
			From, To, Direction           string
			Reason, ErrorText             *string
			CampaignId                    *string
			ConversationId, ContactId     string
			MessageId, NoteId             string
			MemberId, State               string // of who looks at a conversation
			Note                          *struct{ Text string }
			ContactIds                    []string
			Message                       *messageRow
			Progress                      *struct{ Recipients, Pending, Sent, Delivered, Read, Failed, Skipped int64 }
			Url                           string
			Kind, Event, Severity, Detail string // of an account's notice
			PhoneNumber                   *string
			Status, Failure               string // of an import
			RowsRead                      int64
		}
	}
	if err := json.Unmarshal(raw, &event); err != nil {
		return clean(string(raw))
	}
	d := event.Data
	var words []string
	add := func(label, value string) {
		if value != "" {
			words = append(words, strings.TrimSpace(label+" "+value))
		}
	}
	for _, word := range []string{d.Severity, d.Kind, d.Event, d.Detail} {
		add("", word)
	}
	if d.PhoneNumber != nil {
		add("", *d.PhoneNumber)
	}
	if d.From != "" || d.To != "" {
		add("", d.From+" → "+d.To)
	}
	add("", map[string]string{"InBound": "in", "OutBound": "out"}[d.Direction])
	if d.Status != "" {
		add("", strings.TrimSpace(fmt.Sprintf("%s, %d rows %s", d.Status, d.RowsRead, d.Failure)))
	}
	if p := d.Progress; p != nil {
		add("", fmt.Sprintf("%d pending, %d sent, %d delivered, %d read, %d failed", p.Pending, p.Sent, p.Delivered, p.Read, p.Failed))
	}
	if d.Message != nil && d.Direction != "" {
		if said := d.Message.text(); said != "" {
			add("", fmt.Sprintf("%q", said))
		}
	}
	add("", d.State)
	add("member", d.MemberId)
	if d.Note != nil {
		add("", fmt.Sprintf("%q", d.Note.Text))
	}
	for _, why := range []*string{d.Reason, d.ErrorText} {
		if why != nil {
			add("", *why)
		}
	}
	if d.CampaignId != nil {
		add("campaign", *d.CampaignId)
	}
	add("message", d.MessageId)
	add("note", d.NoteId)
	add("conversation", d.ConversationId)
	if d.MessageId == "" {
		add("contact", d.ContactId)
	}
	add("contacts", strings.Join(d.ContactIds, ", "))
	add("", d.Url)
	return clean(strings.Join(words, "  "))
}
