package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parley.example/parley"
	"parley.example/parley/api"
)

type importFlags struct {
	list, onConflict, mapping, country string
	raw, noWait                        bool
}

func (t *tool) importContacts() *cobra.Command {
	var flags importFlags
	command := &cobra.Command{
		Use:   "import FILE",
		Short: "Import contacts from a CSV file, - for standard input",
		Long: `Sends a CSV file, waits until it is worked off, and prints the rows that failed.

The first line names the columns: name, phone, tags, attributes.KEY; others become attributes. --mapping says otherwise:
  parley contacts import people.csv --mapping 'name:Full Name,phone:Mobile,attributes.city:Town,-:Notes'`,
		Args: cobra.ExactArgs(1),
	}
	command.Flags().StringVar(&flags.list, "list", "", "the list that the contacts join, by its id or name")
	command.Flags().StringVar(&flags.onConflict, "on-conflict", "", "what becomes of a row whose phone a contact has already: skip (the default) or update")
	command.Flags().StringVar(&flags.mapping, "mapping", "", "what the columns are")
	command.Flags().StringVar(&flags.country, "country", "", "whose national numbers are those without a calling code, such as DE")
	command.Flags().BoolVar(&flags.raw, "raw", false, "cells are as they are, not made safe for spreadsheets")
	command.Flags().BoolVar(&flags.noWait, "no-wait", false, "do not wait until it is worked off")
	_ = command.RegisterFlagCompletionFunc("on-conflict", cobra.FixedCompletions([]string{"skip", "update"}, cobra.ShellCompDirectiveNoFileComp))
	command.RunE = t.run(func(ctx context.Context, client *parley.Client, args []string) error {
		params, err := flags.params(ctx, client)
		if err != nil {
			return err
		}
		begun, err := t.sendFile(ctx, client, params, args[0])
		if err != nil {
			return err
		}
		path := "/api/contacts/imports/" + begun.UniqueId.String()
		if flags.noWait {
			return t.show(ctx, client, path)
		}
		done, err := t.awaitImport(ctx, client, begun)
		if err != nil {
			return err
		}
		if t.json {
			err = t.show(ctx, client, path)
		} else {
			t.printImport(done)
		}
		if err == nil && (done.Status != api.ImportStatusFinished || done.Failed > 0) {
			err = endedBadly(importVerdict(done))
		}
		return err
	})
	return command
}

func (f importFlags) params(ctx context.Context, client *parley.Client) (*api.ImportContactsParams, error) {
	var params api.ImportContactsParams
	if f.list != "" {
		list, err := ids(ctx, client, []string{f.list}, listID)
		if err != nil {
			return nil, err
		}
		params.ListId = &list[0]
	}
	params.OnConflict, params.Mapping, params.Country = given(api.OnConflict(f.onConflict)), given(f.mapping), given(f.country)
	if f.raw {
		params.Format = parley.Ptr(api.ImportContactsParamsFormat("csv-raw"))
	}
	return &params, nil
}

func (t *tool) sendFile(ctx context.Context, client *parley.Client, params *api.ImportContactsParams, path string) (api.Import, error) {
	file := os.Stdin
	if path != "-" {
		var err error
		if file, err = os.Open(path); err != nil {
			return api.Import{}, err
		}
		defer file.Close()
	}
	bar := t.progress("sending")
	defer bar.end()
	answer, err := client.ImportContacts(ctx, params, bar.file(file))
	return answer.Import, err
}

// awaitImport shows how far it is. An interruption ends the wait alone.
func (t *tool) awaitImport(ctx context.Context, client *parley.Client, begun api.Import) (api.Import, error) {
	bar := t.progress("importing")
	done, err := client.WaitForImport(ctx, begun.UniqueId, func(i api.Import) {
		bar.set(float64(i.Percent)/100, fmt.Sprintf("%d rows, %d failed", i.RowsRead, i.Failed))
	})
	bar.end()
	if ctx.Err() != nil {
		fmt.Fprintf(t.err, "the import goes on; to cancel it: parley api POST /api/contacts/imports/%s/cancel\n", begun.UniqueId)
	}
	return done, err
}

func (t *tool) printImport(i api.Import) {
	fmt.Fprintf(t.out, "%s: %d rows: %d new, %d updated, %d skipped, %d failed\n",
		strings.ToLower(string(i.Status)), i.RowsRead, i.Imported, i.Updated, i.Skipped, i.Failed)
	table := table{out: t.out, head: []string{"LINE", "COLUMN", "WHY"}}
	for _, fault := range i.Errors {
		table.add([]string{fmt.Sprint(fault.Line), fault.Column, fault.Detail})
	}
	table.end()
	if more := i.Failed - int64(len(i.Errors)); more > 0 && len(i.Errors) > 0 {
		fmt.Fprintf(t.out, "and %d more\n", more)
	}
}

func importVerdict(i api.Import) string {
	if i.Status != api.ImportStatusFinished {
		return strings.TrimSuffix(fmt.Sprintf("the import is %s: %s", i.Status, i.Failure), ": ")
	}
	return fmt.Sprintf("%d of %d rows failed", i.Failed, i.RowsRead)
}
