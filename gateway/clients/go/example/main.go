// Lists, creates, imports, follows events, sends a campaign, and meets the errors that a program must know.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"parley.example/parley"
	"parley.example/parley/api"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	name := fmt.Sprintf("Go %d", time.Now().UnixNano())
	client := must(parley.New(os.Getenv("PARLEY_URL"), os.Getenv("PARLEY_API_KEY")))

	tag := must(client.CreateTag(ctx, nil, api.CreateTagBody{Label: name})).Tag
	list := must(client.CreateList(ctx, nil, api.CreateListBody{Name: name, Tags: &[]string{tag.Label}})).List
	file := strings.NewReader("name,phone\nAda,+447700900" + name[len(name)-3:] + "\nGrace,unknown\n")
	begun := must(client.ImportContacts(ctx, &api.ImportContactsParams{ListId: &list.UniqueId, OnConflict: parley.Ptr(api.OnConflictUpdate)}, file))
	done := must(client.WaitForImport(ctx, begun.Import.UniqueId, nil))
	fmt.Println("import:", done.Status, done.Imported+done.Updated, "taken, line", done.Errors[0].Line, "not:", done.Errors[0].Detail)
	for contact, err := range client.ListContactsAll(ctx, &api.ListContactsParams{ListId: &list.UniqueId, PerPage: parley.Ptr(1)}) {
		fmt.Println("contact:", must(contact, err).Name)
	}

	var message api.CampaignMessage
	must(0, message.FromCampaignTextMessage(api.CampaignTextMessage{Type: api.CampaignTextMessageTypeText, Text: "Hello {{name|there}}"}))
	campaign := must(client.CreateCampaign(ctx, nil, api.CreateCampaignBody{Name: name, Message: message, ListIds: &[]api.Id{list.UniqueId}})).Campaign
	place := must(client.EventsPosition(ctx))
	must(client.StartCampaign(ctx, campaign.UniqueId, nil, api.StartCampaignBody{}))
	for event, err := range client.Events(ctx, api.StreamEventsParams{LastEventID: &place}) {
		fmt.Println("event:", must(event, err).Type)
		if change, ok := must(event.Value()).(api.CampaignStatusEvent); ok && change.Data.CampaignId == campaign.UniqueId && change.Data.To == api.CampaignStatusFinished {
			break
		}
	}

	report := func(_ any, err error) {
		problem, ok := parley.AsProblem(err)
		if !ok {
			log.Fatalf("a problem should have come, not %v", err)
		}
		fmt.Println("problem:", problem.Status, problem.Detail)
	}
	report(client.CreateTag(ctx, nil, api.CreateTagBody{Label: tag.Label}))                                                          // 409: it is there
	report(client.UpdateTag(ctx, tag.UniqueId, &api.UpdateTagParams{IfMatch: parley.Ptr(`"1-0"`)}, api.UpdateTagBody{Label: &name})) // 412: it has changed
	key := &api.CreateTagParams{IdempotencyKey: &name}
	must(client.CreateTag(ctx, key, api.CreateTagBody{Label: name + " a"}))
	report(client.CreateTag(ctx, key, api.CreateTagBody{Label: name + " b"})) // 422: the key is another request's
	hasty := must(parley.New(os.Getenv("PARLEY_URL"), "", parley.WithRetries(0, 0)))
	for range 5 {
		hasty.Login(ctx, nil, api.LoginBody{Email: "nobody@example.com", Password: name})
	}
	report(hasty.Login(ctx, nil, api.LoginBody{Email: "nobody@example.com", Password: name})) // 429: too many sign-ins failed
}
