package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"parley.example/parley"
	"parley.example/parley/api"
)

func (t *tool) watchCampaigns() *cobra.Command {
	return &cobra.Command{
		Use:   "watch [CAMPAIGN...]",
		Short: "Watch campaigns until they end; those that run now, if none is named",
		RunE: t.run(func(ctx context.Context, client *parley.Client, args []string) error {
			found, err := ids(ctx, client, args, campaignID)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				if found, err = running(ctx, client); err != nil {
					return err
				}
			}
			if len(found) == 0 {
				return notFound("no campaign runs now: name one")
			}
			return t.watch(ctx, client, found)
		}),
	}
}

func running(ctx context.Context, client *parley.Client) ([]api.Id, error) {
	var found []api.Id
	for raw, err := range records(ctx, client, "/api/campaigns", url.Values{"status": {"Running"}}) {
		if err != nil {
			return nil, err
		}
		var campaign api.Campaign
		if err := json.Unmarshal(raw, &campaign); err != nil {
			return nil, err
		}
		found = append(found, campaign.UniqueId)
	}
	return found, nil
}

// watched is a campaign as it was last seen.
type watched struct {
	id     api.Id
	answer parley.Answer
	raw    json.RawMessage
	api.Campaign
}

// refresh asks for what is new, and says whether anything is.
func (w *watched) refresh(ctx context.Context, client *parley.Client) (bool, error) {
	params := api.GetCampaignParams{IfNoneMatch: w.answer.ETag()}
	response, err := client.Raw.GetCampaign(parley.WithAnswer(ctx, &w.answer), w.id, &params)
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotModified {
		return false, nil
	}
	var answer json.RawMessage
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return false, err
	}
	w.raw = resource(answer)
	return true, json.Unmarshal(w.raw, &w.Campaign)
}

func (w *watched) isOver() bool {
	return w.Status == api.CampaignStatusFinished || w.Status == api.CampaignStatusCancelled
}

const watchPause = time.Second

func (t *tool) watch(ctx context.Context, client *parley.Client, found []api.Id) error {
	var all []*watched
	for _, id := range found {
		all = append(all, &watched{id: id})
	}
	view := view{t: t}
	for {
		over := 0
		for _, one := range all {
			changed, err := one.refresh(ctx, client)
			if err != nil {
				return err
			}
			if changed {
				if err := view.changed(one); err != nil {
					return err
				}
			}
			if one.isOver() {
				over++
			}
		}
		view.draw(all)
		if err := t.out.Flush(); err != nil {
			return err
		}
		if over == len(all) {
			return verdict(all)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(watchPause):
		}
	}
}

func verdict(all []*watched) error {
	var bad []error
	for _, one := range all {
		if one.Status == api.CampaignStatusCancelled {
			bad = append(bad, fmt.Errorf("%s was cancelled", clean(one.Name)))
		} else if one.Progress.Failed > 0 {
			bad = append(bad, fmt.Errorf("%s: %d of %d messages failed", clean(one.Name), one.Progress.Failed, one.Progress.Recipients))
		}
	}
	if err := errors.Join(bad...); err != nil {
		return endedBadly(err.Error())
	}
	return nil
}

// view shows campaigns: on a terminal a table that is drawn again, elsewhere a line for each change.
type view struct {
	t     *tool
	lines int
}

func (v *view) changed(w *watched) error {
	if v.t.json {
		return v.t.line(w.raw)
	}
	if v.t.out.width == 0 {
		p := w.Progress
		fmt.Fprintf(v.t.out, "%s %s %s: %d recipients, %d pending, %d sent, %d delivered, %d read, %d failed, %d skipped\n",
			time.Now().Format(time.TimeOnly), clean(w.Name), w.Status, p.Recipients, p.Pending, p.Sent, p.Delivered, p.Read, p.Failed, p.Skipped)
	}
	return nil
}

var watchHead = []string{"NAME", "STATUS", "DONE", "LEFT", "RECIPIENTS", "PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED", "A SECOND"}

func (v *view) draw(all []*watched) {
	if v.t.json || v.t.out.width == 0 {
		return
	}
	if v.lines > 0 {
		fmt.Fprintf(v.t.out, "\x1b[%dA\x1b[J", v.lines)
	}
	v.t.out.width, v.lines = widthNow(v.t.out.width), len(all)+1
	table := table{out: v.t.out, head: watchHead}
	for _, one := range all {
		p := one.Progress
		done, left := "", ""
		if p.Recipients > 0 {
			done = fmt.Sprintf("%d %%", 100*(p.Recipients-p.Pending)/p.Recipients)
		}
		if p.SecondsLeft != nil {
			left = (time.Duration(*p.SecondsLeft) * time.Second).String()
		}
		row := append([]string{fit(one.Name, nameColumns), string(one.Status), done, left},
			counts(p.Recipients, p.Pending, p.Sent, p.Delivered, p.Read, p.Failed, p.Skipped)...)
		table.add(append(row, strings.TrimSuffix(fmt.Sprintf("%.1f", p.Rate), ".0")))
	}
	table.end()
}

// widthNow is the terminal's, which may have changed.
func widthNow(before int) int {
	if width, _, err := term.GetSize(1); err == nil && width > 0 {
		return width
	}
	return before
}
