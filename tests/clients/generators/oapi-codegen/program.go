// program.py of the folder above, through what oapi-codegen makes of the contract: the package parley.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"program/parley"
)

const people = 120

var first = 10_000_000 + rand.IntN(10_000_000)

func phone(n int) string { return fmt.Sprintf("+4915%09d", first*10+n) }

func check(isRight bool, what ...any) {
	if !isRight {
		log.Fatalln(append([]any{"wrong:"}, what...)...)
	}
}

func main() {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	url, name := os.Getenv("PARLEY_URL"), "Program "+uuid.NewString()[:8]
	credential := func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", os.Getenv("PARLEY_API_KEY"))
		return nil
	}
	client, err := parley.NewClientWithResponses(url, parley.WithRequestEditorFn(credential))
	check(err == nil, err)

	// A list and a contact, and an import of the list's contacts, which are read page after page.
	made, err := client.CreateListWithResponse(ctx, nil, parley.CreateListBody{Name: name})
	check(err == nil && made.JSON201 != nil, err, made)
	list := made.JSON201.List.UniqueId
	var body parley.CreateContactsBody
	check(body.FromCreateContactBody(parley.CreateContactBody{Name: name, Phone: phone(people)}) == nil)
	created, err := client.CreateContactsWithResponse(ctx, nil, body)
	check(err == nil && created.JSON201 != nil, err, created)
	one, err := created.JSON201.AsContactResponse()
	check(err == nil && one.Contact.Phone == phone(people), err, one)
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	file, err := writer.CreateFormFile("file", "people.csv")
	check(err == nil, err)
	fmt.Fprintln(file, "name,phone")
	for n := range people {
		fmt.Fprintf(file, "Person %d,%s\n", n, phone(n))
	}
	check(writer.Close() == nil)
	params := &parley.ImportContactsParams{ListId: &list}
	begun, err := client.ImportContactsWithBodyWithResponse(ctx, params, writer.FormDataContentType(), &form)
	check(err == nil && begun.JSON202 != nil, err, begun)
	job := begun.JSON202.Import
	for job.Status == parley.ImportStatusQueued || job.Status == parley.ImportStatusRunning {
		time.Sleep(100 * time.Millisecond)
		now, err := client.GetImportWithResponse(ctx, job.UniqueId, nil)
		check(err == nil && now.JSON200 != nil, err, now)
		job = now.JSON200.Import
	}
	check(job.Status == parley.ImportStatusFinished && job.Imported == people, job)
	contacts, perPage := map[parley.Id]bool{}, 50
	for query := (parley.ListContactsParams{ListId: &list, PerPage: &perPage}); ; {
		page, err := client.ListContactsWithResponse(ctx, &query)
		check(err == nil && page.JSON200 != nil, err, page)
		for _, contact := range page.JSON200.Contacts {
			contacts[contact.UniqueId] = true
		}
		if query.Cursor = page.JSON200.PaginationMeta.NextCursor; query.Cursor == nil {
			break
		}
	}
	check(len(contacts) == people, len(contacts), "contacts")

	// A campaign for the list, and what is told of it until it has ended: StreamEvents gives the plain response.
	var message parley.CampaignMessage
	text := parley.CampaignTextMessage{Type: parley.CampaignTextMessageTypeText, Text: "Hello {{name|there}}"}
	check(message.FromCampaignTextMessage(text) == nil)
	planned, err := client.CreateCampaignWithResponse(ctx, nil,
		parley.CreateCampaignBody{Name: name, Message: message, ListIds: &[]parley.Id{list}})
	check(err == nil && planned.JSON201 != nil, err, planned)
	campaign := planned.JSON201.Campaign.UniqueId
	stream, err := client.StreamEvents(ctx, nil)
	check(err == nil && stream.StatusCode == http.StatusOK, err)
	defer stream.Body.Close()
	started, err := client.StartCampaignWithResponse(ctx, campaign, nil)
	check(err == nil && started.JSON200 != nil, err, started)
	finished := false
	for lines := bufio.NewScanner(stream.Body); !finished && lines.Scan(); {
		if data, isData := strings.CutPrefix(lines.Text(), "data:"); isData {
			var event parley.EventPayload
			check(json.Unmarshal([]byte(data), &event) == nil, data)
			if value, err := event.ValueByDiscriminator(); err == nil { // else one of a type that came later
				status, isStatus := value.(parley.CampaignStatusEvent)
				finished = isStatus && status.Data.CampaignId == campaign && status.Data.To == parley.CampaignStatusFinished
			}
		}
	}
	check(finished, "the stream ended before the campaign")
	ended, err := client.GetCampaignWithResponse(ctx, campaign, nil)
	check(err == nil && ended.JSON200 != nil, err, ended)
	progress := ended.JSON200.Campaign.Progress
	check(progress.Sent+progress.Delivered+progress.Read == people, progress)

	// What goes wrong: 409, 412, 422, 429.
	tag := func(label string, params *parley.CreateTagParams) *parley.CreateTagResponse {
		answer, err := client.CreateTagWithResponse(ctx, params, parley.CreateTagBody{Label: label})
		check(err == nil, err)
		return answer
	}
	check(tag(name+" tag", nil).JSON201 != nil)
	conflict := tag(name+" tag", nil).ApplicationproblemJSON409
	check(conflict != nil && len(conflict.Errors) == 1 && conflict.Errors[0].Pointer == "/label", conflict)
	read, err := client.GetListWithResponse(ctx, list, nil)
	check(err == nil && read.JSON200 != nil, err, read)
	etag := read.HTTPResponse.Header.Get("ETag")
	update := func(description string) *parley.UpdateListResponse {
		answer, err := client.UpdateListWithResponse(ctx, list, &parley.UpdateListParams{IfMatch: &etag}, parley.UpdateListBody{Description: &description})
		check(err == nil, err)
		return answer
	}
	check(update("Changed").JSON200 != nil)
	check(update("Again").ApplicationproblemJSON412 != nil, "what was changed meanwhile was overwritten")
	key := &parley.CreateTagParams{IdempotencyKey: &name}
	check(tag(name+" other", key).JSON201 != nil)
	check(tag(name+" another", key).ApplicationproblemJSON422 != nil, "a key was taken for two things")
	stranger, err := parley.NewClientWithResponses(url)
	check(err == nil, err)
	limited := false
	for range 20 {
		answer, err := stranger.LoginWithResponse(ctx, nil, parley.LoginBody{Email: list.String() + "@example.com", Password: "wrong password"})
		check(err == nil, err)
		if answer.StatusCode() != http.StatusUnauthorized {
			seconds, err := strconv.Atoi(answer.HTTPResponse.Header.Get("Retry-After"))
			check(err == nil && seconds > 0 && answer.ApplicationproblemJSON429 != nil, err, answer)
			limited = true
			break
		}
	}
	check(limited, "20 sign-ins failed, and none was a 429")
	deleted, err := client.DeleteListWithResponse(ctx, list, nil)
	check(err == nil && deleted.StatusCode() == http.StatusNoContent, err, deleted)
}
