// program.py of the folder above, through what openapi-generator's go makes of the contract: the package parley.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

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

// done gives what a call answered.
func done[T any](answer T, _ *http.Response, err error) T {
	check(err == nil, err)
	return answer
}

// refused gives the problem that a call met.
func refused[T any](status int, _ T, response *http.Response, err error) parley.Problem {
	var failure *parley.GenericOpenAPIError
	check(errors.As(err, &failure), err)
	problem, isProblem := failure.Model().(parley.Problem)
	check(isProblem && response.StatusCode == status && problem.Status == int32(status), err)
	return problem
}

func main() {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	url, name := os.Getenv("PARLEY_URL"), fmt.Sprintf("Program %08x", rand.Uint32())
	configuration := parley.NewConfiguration()
	configuration.Servers = parley.ServerConfigurations{{URL: url}}
	client := parley.NewAPIClient(configuration)
	stranger := ctx
	ctx = context.WithValue(ctx, parley.ContextAccessToken, os.Getenv("PARLEY_API_KEY"))
	contacts, campaigns := client.ContactsAPI, client.CampaignsAPI

	// A list and a contact, and an import of the list's contacts, which are read page after page.
	list := done(contacts.CreateList(ctx).CreateListBody(*parley.NewCreateListBody(name)).Execute()).List.UniqueId
	body := parley.CreateContactBodyAsCreateContactsBody(parley.NewCreateContactBody(name, phone(people)))
	one := done(contacts.CreateContacts(ctx).CreateContactsBody(body).Execute()).ContactResponse
	check(one != nil && one.Contact.Phone == phone(people), one)
	directory, err := os.MkdirTemp("", "program")
	check(err == nil, err)
	file, err := os.Create(filepath.Join(directory, "people.csv"))
	check(err == nil && os.RemoveAll(directory) == nil, err) // what is open can be read on
	fmt.Fprintln(file, "name,phone")
	for n := range people {
		fmt.Fprintf(file, "Person %d,%s\n", n, phone(n))
	}
	_, err = file.Seek(0, 0)
	check(err == nil, err)
	job := done(contacts.ImportContacts(ctx).File(file).ListId(list).Execute()).Import
	for job.Status == parley.IMPORTSTATUS_QUEUED || job.Status == parley.IMPORTSTATUS_RUNNING {
		time.Sleep(100 * time.Millisecond)
		job = done(contacts.GetImport(ctx, job.UniqueId).Execute()).Import
	}
	check(job.Status == parley.IMPORTSTATUS_FINISHED && job.Imported == people, job)
	seen := map[string]bool{}
	for query := contacts.ListContacts(ctx).ListId(list).PerPage(50); ; {
		page := done(query.Execute())
		for _, contact := range page.Contacts {
			seen[contact.UniqueId] = true
		}
		cursor := page.PaginationMeta.NextCursor.Get()
		if cursor == nil {
			break
		}
		query = query.Cursor(*cursor)
	}
	check(len(seen) == people, len(seen), "contacts")

	// A campaign for the list, and what is told of it until it has ended. StreamEvents would wait for the end of the stream:
	// net/http reads it as it comes.
	message := parley.CampaignTextMessageAsCampaignMessage(parley.NewCampaignTextMessage("Hello {{name|there}}", "Text"))
	plan := parley.NewCreateCampaignBody(name, message)
	plan.ListIds = []string{list}
	campaign := done(campaigns.CreateCampaign(ctx).CreateCampaignBody(*plan).Execute()).Campaign.UniqueId
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/api/events", nil)
	check(err == nil, err)
	request.Header.Set("X-API-Key", os.Getenv("PARLEY_API_KEY"))
	stream, err := http.DefaultClient.Do(request)
	check(err == nil && stream.StatusCode == http.StatusOK, err)
	defer stream.Body.Close()
	done(campaigns.StartCampaign(ctx, campaign).Execute())
	finished := false
	for lines := bufio.NewScanner(stream.Body); !finished && lines.Scan(); {
		if data, isData := strings.CutPrefix(lines.Text(), "data:"); isData {
			var event parley.EventPayload
			check(json.Unmarshal([]byte(data), &event) == nil, data)
			status := event.CampaignStatusEvent
			finished = status != nil && status.Data.CampaignId == campaign && status.Data.To == parley.CAMPAIGNSTATUS_FINISHED
		}
	}
	check(finished, "the stream ended before the campaign")
	progress := done(campaigns.GetCampaign(ctx, campaign).Execute()).Campaign.Progress
	check(progress.Sent+progress.Delivered+progress.Read == people, progress)

	// What goes wrong: 409, 412, 422, 429.
	tag := func(label string) parley.ApiCreateTagRequest {
		return contacts.CreateTag(ctx).CreateTagBody(*parley.NewCreateTagBody(name + label))
	}
	done(tag(" tag").Execute())
	again, response, err := tag(" tag").Execute()
	conflict := refused(http.StatusConflict, again, response, err)
	check(len(conflict.Errors) == 1 && conflict.Errors[0].Pointer == "/label", conflict)
	_, response, err = contacts.GetList(ctx, list).Execute()
	check(err == nil, err)
	changed := parley.NewUpdateListBody()
	changed.SetDescription("Changed")
	update := contacts.UpdateList(ctx, list).IfMatch(response.Header.Get("ETag")).UpdateListBody(*changed)
	done(update.Execute())
	updated, response, err := update.Execute()
	refused(http.StatusPreconditionFailed, updated, response, err)
	done(tag(" other").IdempotencyKey(name).Execute())
	another, response, err := tag(" another").IdempotencyKey(name).Execute()
	refused(http.StatusUnprocessableEntity, another, response, err)
	login := client.AccessAPI.Login(stranger).LoginBody(*parley.NewLoginBody(list+"@example.com", "wrong password"))
	session, response, err := login.Execute()
	for attempt := 1; attempt < 20 && response != nil && response.StatusCode == http.StatusUnauthorized; attempt++ {
		session, response, err = login.Execute()
	}
	refused(http.StatusTooManyRequests, session, response, err)
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	check(err == nil && seconds > 0, "a 429 without Retry-After")
	response, err = contacts.DeleteList(ctx, list).Execute()
	check(err == nil && response.StatusCode == http.StatusNoContent, err)
}
