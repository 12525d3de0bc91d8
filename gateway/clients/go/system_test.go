//go:build system

package parley_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oapi-codegen/nullable"

	"parley.example/parley"
	"parley.example/parley/api"
)

// These are of a system that runs, with the simulator: PARLEY_URL, PARLEY_API_KEY and PARLEY_SIMULATOR_URL, as
// build/local/credentials.env of deploy/local/up has them.

func setting(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set", name)
	}
	return value
}

func system(t *testing.T, options ...parley.Option) *parley.Client {
	t.Helper()
	client, err := parley.New(setting(t, "PARLEY_URL"), setting(t, "PARLEY_API_KEY"), options...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func unique() string { return fmt.Sprintf("go %d", time.Now().UnixNano()) }

// phone is a number that is nobody's yet.
func phone() string { return fmt.Sprintf("+4477%08d", time.Now().UnixNano()/1000%100_000_000) }

func within(t *testing.T) context.Context {
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(stop)
	return ctx
}

func TestSystemPages(t *testing.T) {
	ctx, client, name := within(t), system(t), unique()
	for i := range 5 {
		if _, err := client.CreateTag(ctx, nil, api.CreateTagBody{Label: fmt.Sprint(name, " ", i)}); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[api.Id]bool{}
	for tag, err := range client.ListTagsAll(ctx, &api.ListTagsParams{Search: &name, PerPage: parley.Ptr(2), Page: parley.Ptr(1)}) {
		if err != nil {
			t.Fatal(err)
		}
		seen[tag.UniqueId] = true
	}
	if len(seen) != 5 {
		t.Fatal(len(seen))
	}
	for range client.ListTagsAll(ctx, nil) {
		return // who stops early asks for no more
	}
}

func TestSystemVersionsAndKeys(t *testing.T) {
	ctx, client, name := within(t), system(t), unique()
	var answer parley.Answer
	meta := parley.WithAnswer(ctx, &answer)
	key := &api.CreateTagParams{IdempotencyKey: parley.Ptr(name)}
	created, err := client.CreateTag(meta, key, api.CreateTagBody{Label: name})
	if err != nil || answer.Replayed() || answer.RequestID() == "" {
		t.Fatal(err)
	}
	again, err := client.CreateTag(meta, key, api.CreateTagBody{Label: name})
	if err != nil || again != created || !answer.Replayed() {
		t.Fatal(again, err)
	}
	id := created.Tag.UniqueId
	if _, err := client.GetTag(meta, id, nil); err != nil {
		t.Fatal(err)
	}
	first := answer.ETag()
	if _, err := client.GetTag(ctx, id, &api.GetTagParams{IfNoneMatch: first}); !errors.Is(err, parley.ErrNotModified) {
		t.Fatal(err)
	}
	renamed := name + " b"
	if _, err := client.UpdateTag(ctx, id, &api.UpdateTagParams{IfMatch: first}, api.UpdateTagBody{Label: &renamed}); err != nil {
		t.Fatal(err)
	}
	err = client.DeleteTag(ctx, id, &api.DeleteTagParams{IfMatch: first})
	if problem, ok := parley.AsProblem(err); !ok || problem.Status != http.StatusPreconditionFailed {
		t.Fatal(err)
	}
	if err := client.DeleteTag(ctx, id, nil); err != nil {
		t.Fatal(err)
	}
}

func TestSystemNullTakesAway(t *testing.T) {
	ctx, client := within(t), system(t)
	var message api.CampaignMessage
	if err := message.FromCampaignTextMessage(api.CampaignTextMessage{Type: api.CampaignTextMessageTypeText, Text: "Hello"}); err != nil {
		t.Fatal(err)
	}
	created, err := client.CreateCampaign(ctx, nil, api.CreateCampaignBody{Name: unique(), Message: message, MessagesPerSecond: parley.Ptr(5)})
	if err != nil || *created.Campaign.MessagesPerSecond != 5 {
		t.Fatal(err)
	}
	id := created.Campaign.UniqueId
	for _, body := range []api.UpdateCampaignBody{{Name: parley.Ptr(unique())}, {MessagesPerSecond: nullable.NewNullNullable[int]()}} {
		updated, err := client.UpdateCampaign(ctx, id, nil, body)
		if err != nil || (updated.Campaign.MessagesPerSecond == nil) != (body.Name == nil) {
			t.Fatal(updated, err)
		}
	}
}

func TestSystemFiles(t *testing.T) {
	ctx, client, name := within(t), system(t), unique()
	list, err := client.CreateList(ctx, nil, api.CreateListBody{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	number := phone()
	csv := "name,phone\n" + name + "," + number + "\n" + strings.Repeat("nobody,none\n", 20_000)
	path := filepath.Join(t.TempDir(), "contacts.csv")
	if err := os.WriteFile(path, []byte(csv), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	params := &api.ImportContactsParams{ListId: &list.List.UniqueId}
	for kind, body := range map[string]io.Reader{"a file": file, "a pipe": io.MultiReader(strings.NewReader(csv))} {
		begun, err := client.ImportContacts(ctx, params, body)
		if err != nil {
			t.Fatal(kind, err)
		}
		done, err := client.WaitForImport(ctx, begun.Import.UniqueId, nil)
		if err != nil || done.Status != api.ImportStatusFinished || done.Failed != 20_000 || done.Imported+done.Skipped != 1 {
			t.Fatal(kind, done, err)
		}
	}
	var exported bytes.Buffer
	n, err := client.ExportContacts(ctx, &api.ExportContactsParams{ListId: &list.List.UniqueId}, &exported)
	if err != nil || n != int64(exported.Len()) || !strings.Contains(exported.String(), number) {
		t.Fatal(n, err, exported.String())
	}
	media, err := client.UploadMedia(ctx, nil, "text/plain", strings.NewReader(name))
	if err != nil || media.Media.Size != len(name) {
		t.Fatal(media, err)
	}
}

// inbound has a user of the simulator write.
func inbound(ctx context.Context, address, from, text string) error {
	body, err := json.Marshal(map[string]string{"from": from, "text": text})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/simulator/inbound", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return fmt.Errorf("the simulator: %s", response.Status)
	}
	return nil
}

// cutting is the address of a proxy that cuts each connection after so many octets of the server's.
func cutting(t *testing.T, octets int64) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer near.Close()
				far, err := net.Dial("tcp", strings.TrimPrefix(os.Getenv("PARLEY_URL"), "http://"))
				if err != nil {
					return
				}
				defer far.Close()
				go io.Copy(far, near)
				io.CopyN(near, far, octets)
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

func TestSystemEventsThroughBreaks(t *testing.T) {
	ctx, fail := context.WithCancelCause(within(t))
	defer fail(nil)
	from, simulator := phone(), setting(t, "PARLEY_SIMULATOR_URL")
	setting(t, "PARLEY_URL")
	client, err := parley.New(cutting(t, 2500), setting(t, "PARLEY_API_KEY"))
	if err != nil {
		t.Fatal(err)
	}
	place, err := client.EventsPosition(ctx)
	if err != nil {
		t.Fatal(err)
	}
	const count = 8
	go func() {
		for i := range count {
			if err := inbound(ctx, simulator, from, fmt.Sprint(from, " ", i)); err != nil {
				fail(err)
				return
			}
		}
	}()
	next := 0
	heard := map[string]bool{}
	for event, err := range client.Events(ctx, api.StreamEventsParams{LastEventID: &place}) {
		if err != nil {
			t.Fatalf("after %d messages: %v", next, err)
		}
		if heard[event.ID] {
			t.Fatalf("%s was told twice", event.ID)
		}
		heard[event.ID] = true
		value, err := event.Value()
		if err != nil {
			t.Fatal(event.Type, err)
		}
		created, ok := value.(api.MessageCreatedEvent)
		if !ok || !strings.Contains(string(event.Raw), from) {
			continue
		}
		if head, err := parley.HeadOf(*created.Data.Message); err != nil || head.MessageType != api.MessageTypeText {
			t.Fatal(head, err)
		}
		if next++; next == count {
			return
		}
	}
}

func TestSystemReset(t *testing.T) {
	for event, err := range system(t).Events(within(t), api.StreamEventsParams{LastEventID: parley.Ptr("of-another-stream")}) {
		if err != nil || event.Type != parley.EventReset {
			t.Fatal(event, err)
		}
		return
	}
}

func TestSystemWebhooks(t *testing.T) {
	ctx, client, from := within(t), system(t), phone()
	verify := make(chan *parley.Webhook, 1)
	type call struct {
		event      parley.Event
		err        error
		signatures int
	}
	calls := make(chan call, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		webhook := <-verify
		verify <- webhook
		event, err := webhook.Event(r)
		calls <- call{event, err, len(strings.Fields(r.Header.Get("Webhook-Signature")))}
	}))
	defer receiver.Close()
	created, err := client.CreateWebhook(ctx, nil, api.CreateWebhookBody{Url: receiver.URL, Events: []api.WebhookEvent{api.WebhookEventMessageCreated}})
	if err != nil {
		t.Fatal(err)
	}
	id := created.Webhook.UniqueId
	defer client.DeleteWebhook(context.WithoutCancel(ctx), id, nil)
	webhook, err := parley.NewWebhook(created.Secret)
	if err != nil {
		t.Fatal(err)
	}
	verify <- webhook
	await := func(contains string, signatures int) {
		t.Helper()
		for {
			select {
			case got := <-calls:
				if got.err != nil {
					t.Fatal(got.err)
				}
				if strings.Contains(string(got.event.Raw), contains) {
					if got.signatures != signatures {
						t.Fatalf("%d signatures", got.signatures)
					}
					return
				}
			case <-ctx.Done():
				t.Fatal(ctx.Err())
			}
		}
	}
	if err := inbound(ctx, setting(t, "PARLEY_SIMULATOR_URL"), from, from); err != nil {
		t.Fatal(err)
	}
	await(from, 1)
	rotated, err := client.RotateWebhookSecret(ctx, id, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{created.Secret, rotated.Secret} { // both are good for now
		<-verify
		webhook, err := parley.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		verify <- webhook
		if _, err := client.TestWebhook(ctx, id, nil); err != nil {
			t.Fatal(err)
		}
		await("webhook.test", 2)
	}
}

func TestSystemOrganization(t *testing.T) {
	_, err := system(t, parley.WithOrganization("01949c3a-01aa-7e10-9b3c-4f6d8a2e5c71")).GetUser(within(t), nil)
	if problem, ok := parley.AsProblem(err); !ok || problem.Status != http.StatusForbidden {
		t.Fatal(err)
	}
}
