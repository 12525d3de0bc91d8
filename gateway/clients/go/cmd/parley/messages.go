package main

import (
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"parley.example/parley"
	"parley.example/parley/api"
)

var (
	conversationStatuses = []string{"Active", "Closed", "Deleted"}
	initiators           = []string{"Contact", "Campaign", "Member"}
	messageStatuses      = []string{"Queued", "Sent", "Delivered", "Read", "Failed", "UnDelivered", "Unread"}
)

func (t *tool) conversations() *cobra.Command {
	return group("conversations", "Conversations with contacts", []string{"conversation"},
		listCommand(t, listing[api.Conversation]{
			use: "list", short: "List conversations", path: at("/api/conversations"),
			filters: []filter{searchFilter, listFilter, sortFilter, orderFilter,
				{name: "status", help: strings.Join(conversationStatuses, ", "), values: conversationStatuses},
				{name: "contact", query: "contact_id", help: "only of this contact, by its id or telephone number", resolve: contactID},
				{name: "campaign", query: "campaign_id", help: "only of this campaign, by its id or name", resolve: campaignID},
				{name: "assigned-to", query: "assigned_to", help: "only of this member"},
				{name: "unread", help: "true: only with unread messages", values: []string{"true", "false"}},
				{name: "awaiting", help: "true: only those that await an answer", values: []string{"true", "false"}},
				{name: "has-inbound", query: "has_inbound", help: "true: only those in which the contact has written; false: only the others", values: []string{"true", "false"}},
				{name: "initiated-by", query: "initiated_by", help: "only those begun by: " + strings.Join(initiators, ", "), values: initiators}},
			head: []string{"ID", "PHONE", "CONTACT", "STATUS", "UNREAD", "MESSAGES"},
			row: func(c api.Conversation) []string {
				phone, name := "", ""
				if c.Contact != nil {
					phone, name = c.Contact.Phone, c.Contact.Name
				}
				return []string{c.UniqueId.String(), phone, fit(name, nameColumns), string(c.Status), fmt.Sprint(c.NumberOfUnreadMessages), fmt.Sprint(c.TotalMessages)}
			},
		}),
		t.byID("get CONVERSATION", "Show a conversation", http.MethodGet, "/api/conversation/%s", nil),
		listCommand(t, listing[messageRow]{
			use: "messages CONVERSATION", short: "List the messages of a conversation", args: cobra.ExactArgs(1),
			path: func(_ context.Context, _ *parley.Client, args []string) (string, error) {
				return "/api/conversation/" + url.PathEscape(args[0]) + "/messages", nil
			},
			filters: []filter{orderFilter}, head: messageHead, row: messageRow.cells,
		}),
		t.byID("read CONVERSATION", "Mark the messages of a conversation as read", http.MethodPost, "/api/conversation/%s/read", nil),
		t.byID("delete CONVERSATION", "Delete a conversation", http.MethodDelete, "/api/conversation/%s", nil),
	)
}

// messageRow is what a table shows of a message of any type.
type messageRow struct {
	UniqueId    uuid.UUID       `json:"uniqueId"`
	CreatedAt   time.Time       `json:"createdAt"`
	Direction   string          `json:"direction"`
	Status      string          `json:"status"`
	MessageType string          `json:"messageType"`
	MessageData json.RawMessage `json:"messageData"`
	ErrorText   *string         `json:"errorText"`
}

var messageHead = []string{"ID", "AT", "WAY", "STATUS", "TYPE", "TEXT"}

func (m messageRow) cells() []string {
	way := map[string]string{"InBound": "in", "OutBound": "out"}[m.Direction]
	return []string{m.UniqueId.String(), moment(m.CreatedAt), way, m.Status, m.MessageType, m.text()}
}

func (m messageRow) text() string {
	var data struct {
		Text     string `json:"text"`
		Caption  string `json:"caption"`
		FileName string `json:"fileName"`
		Name     string `json:"name"`
		Emoji    string `json:"emoji"`
	}
	_ = json.Unmarshal(m.MessageData, &data) // types that have none of these show none
	for _, text := range []string{data.Text, data.Caption, data.FileName, data.Name, data.Emoji} {
		if text != "" {
			return text
		}
	}
	if m.ErrorText != nil {
		return *m.ErrorText
	}
	return ""
}

func (t *tool) messages() *cobra.Command {
	return group("messages", "Messages", []string{"message"},
		listCommand(t, listing[messageRow]{
			use: "list", short: "List messages", path: at("/api/messages"),
			filters: []filter{orderFilter,
				{name: "conversation", query: "conversation_id", help: "only of this conversation"},
				{name: "contact", query: "contact_id", help: "only of this contact, by its id or telephone number", resolve: contactID},
				{name: "campaign", query: "campaign_id", help: "only of this campaign, by its id or name", resolve: campaignID},
				{name: "direction", help: "InBound or OutBound", values: []string{"InBound", "OutBound"}},
				{name: "status", help: strings.Join(messageStatuses, ", "), values: messageStatuses},
				{name: "type", query: "messageType", help: "Text, Image, Template, …"},
				{name: "from", help: "only of this time or later"}, {name: "to", help: "only of before this time"}},
			head: messageHead, row: messageRow.cells,
		}),
		t.byID("get MESSAGE", "Show a message", http.MethodGet, "/api/messages/%s", nil),
		t.sendMessage(),
		t.downloadMedia(),
	)
}

type sendFlags struct {
	template, language, file, data, replyTo string
}

func (t *tool) sendMessage() *cobra.Command {
	var flags sendFlags
	command := &cobra.Command{
		Use:   "send CONVERSATION|PHONE [TEXT]",
		Short: "Send a message",
		Long: `Sends a message in a conversation, or to the contact with a telephone number: in its Active conversation, or, with --template,
in a new one.

  parley messages send +447700900321 'We open at nine.'
  parley messages send +447700900321 'The plan' --file plan.pdf
  parley messages send +447700900321 --template hello_world --language en_US
  parley messages send CONVERSATION --data '{"messageType":"Location","messageData":{"latitude":51.5,"longitude":-0.1}}'`,
		Args: cobra.RangeArgs(1, 2),
	}
	command.Flags().StringVar(&flags.template, "template", "", "send this template")
	command.Flags().StringVar(&flags.language, "language", "en_US", "the template's language")
	command.Flags().StringVar(&flags.file, "file", "", "send this file; TEXT is its caption")
	command.Flags().StringVar(&flags.data, "data", "", "the message as JSON: see SendMessageBody in the API's documentation")
	command.Flags().StringVar(&flags.replyTo, "reply-to", "", "the message that it answers")
	command.MarkFlagsMutuallyExclusive("template", "file", "data")
	command.RunE = t.run(func(ctx context.Context, client *parley.Client, args []string) error {
		text := ""
		if len(args) == 2 {
			text = args[1]
		}
		conversation, contact, err := target(ctx, client, args[0])
		if err != nil {
			return err
		}
		if conversation == "" && flags.template == "" {
			return notFound(args[0] + " has no Active conversation: only a --template can begin one")
		}
		body, err := t.messageBody(ctx, client, flags, text)
		if err != nil {
			return err
		}
		if conversation == "" {
			return t.send(ctx, client, http.MethodPost, "/api/conversation", map[string]any{"contactId": contact, "message": body})
		}
		return t.send(ctx, client, http.MethodPost, "/api/conversation/"+conversation+"/messages", body)
	})
	return command
}

// target is a conversation, or the contact without an Active one.
func target(ctx context.Context, client *parley.Client, given string) (conversation, contact string, err error) {
	if _, err := uuid.Parse(given); err == nil {
		return given, "", nil
	}
	if contact, err = contactID(ctx, client, given); err != nil {
		return "", "", err
	}
	query := url.Values{"contact_id": {contact}, "status": {"Active"}, "per_page": {"1"}}
	for raw, err := range records(ctx, client, "/api/conversations", query) {
		if err != nil {
			return "", "", err
		}
		var found api.Conversation
		if err := json.Unmarshal(raw, &found); err != nil {
			return "", "", err
		}
		return found.UniqueId.String(), contact, nil
	}
	return "", contact, nil
}

func (t *tool) messageBody(ctx context.Context, client *parley.Client, flags sendFlags, text string) (map[string]any, error) {
	body := map[string]any{}
	switch {
	case flags.data != "":
		if err := json.Unmarshal([]byte(flags.data), &body); err != nil {
			return nil, usageError{fmt.Errorf("--data: %w", err), "parley messages send"}
		}
	case flags.template != "":
		body["messageType"] = "Template"
		body["messageData"] = map[string]any{"name": flags.template, "language": flags.language}
	case flags.file != "":
		kind, data, err := t.uploadMedia(ctx, client, flags.file, text)
		if err != nil {
			return nil, err
		}
		body["messageType"], body["messageData"] = kind, data
	case text != "":
		body["messageType"], body["messageData"] = "Text", map[string]any{"text": text}
	default:
		return nil, usageError{fmt.Errorf("a message needs a TEXT, --template, --file or --data"), "parley messages send"}
	}
	if flags.replyTo != "" {
		body["replyToMessageId"] = flags.replyTo
	}
	return body, nil
}

func (t *tool) uploadMedia(ctx context.Context, client *parley.Client, path, caption string) (kind string, data map[string]any, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	contentType, _, _ := mime.ParseMediaType(mime.TypeByExtension(filepath.Ext(path)))
	if contentType == "" {
		return "", nil, usageError{fmt.Errorf("%s: what kind of file that is does not show in its name", path), "parley messages send"}
	}
	bar := t.progress("sending")
	defer bar.end()
	media, err := client.UploadMedia(ctx, nil, contentType, bar.file(file))
	if err != nil {
		return "", nil, err
	}
	data = map[string]any{"id": media.Media.Id}
	family, _, _ := strings.Cut(contentType, "/")
	kind = map[string]string{"image": "Image", "video": "Video", "audio": "Audio"}[family]
	switch {
	case contentType == "image/webp":
		return "Sticker", data, nil
	case kind == "":
		kind, data["fileName"] = "Document", filepath.Base(path)
	}
	if caption != "" && kind != "Audio" {
		data["caption"] = caption
	}
	return kind, data, nil
}

func (t *tool) downloadMedia() *cobra.Command {
	return &cobra.Command{
		Use: "download MESSAGE FILE", Short: "Write the file of a message", Args: cobra.ExactArgs(2),
		RunE: t.run(func(ctx context.Context, client *parley.Client, args []string) error {
			response, err := client.Call(ctx, http.MethodGet, "/api/messages/"+url.PathEscape(args[0])+"/media", nil, "", nil)
			if err != nil {
				return err
			}
			defer response.Body.Close()
			return t.exportTo(args[1], response.Body)
		}),
	}
}
