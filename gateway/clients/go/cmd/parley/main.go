// The command line parley calls Parley's API. parley --help tells all of it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// version is the contract's, set when it is built.
var version = "unknown"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends it at once
	t := newTool()
	err := t.command().ExecuteContext(ctx)
	if ended := t.out.close(); err == nil {
		err = ended
	}
	if err != nil && ctx.Err() != nil {
		if t.live {
			fmt.Fprintln(t.err) // behind the terminal's ^C
		}
		os.Exit(exitInterrupted)
	}
	os.Exit(t.report(err))
}

const long = `parley calls the API of a Parley server.

It reads the server's address from PARLEY_URL and the API key from PARLEY_API_KEY, in this order:
  --credentials FILE   lines NAME=VALUE, such as build/local/credentials.env of deploy/local/up
  --profile NAME       the same, of ~/.config/parley/NAME.env
  the environment
  ~/.config/parley/default.env

With --json the answer is one JSON object a line, as the API gives it, and an error one on standard error. Lists and tags may be
named by their id or their name, contacts by their id or their telephone number.

Exit codes: 0 done; 1 the server, the network or a file failed; 2 wrong usage; 3 refused as malformed (400, 422); 4 not allowed
(401, 403); 5 not found; 6 does not fit what is there (409, 412); 7 too many requests; 8 what was waited for did not end well,
such as an import with failed rows; 130 interrupted.`

func (t *tool) command() *cobra.Command {
	root := group("parley", "Contacts, conversations and campaigns of a Parley server", nil, t.contacts(), t.lists(), t.tags(),
		t.conversations(), t.messages(), t.campaigns(), t.events(), t.webhooks(), t.api())
	root.Version = version
	root.Long, root.SilenceErrors, root.SilenceUsage = long, true, true
	flags := root.PersistentFlags()
	flags.BoolVar(&t.json, "json", false, "print JSON, one object a line")
	flags.StringVar(&t.profile, "profile", "", "read ~/.config/parley/NAME.env")
	flags.StringVar(&t.credentials, "credentials", "", "read this file of lines NAME=VALUE")
	flags.StringVar(&t.organization, "organization", "", "act in this organization instead of the key's own")
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.SetFlagErrorFunc(func(command *cobra.Command, err error) error {
		return usageError{err, command.CommandPath()}
	})
	markUsage(root)
	return root
}

type usageError struct {
	error
	command string
}

// markUsage has wrong arguments, and commands that are not there, reported as wrong usage.
func markUsage(command *cobra.Command) {
	if check := command.Args; check != nil {
		command.Args = func(command *cobra.Command, args []string) error {
			if check(command, args) != nil {
				return usageError{errors.New("usage: " + command.UseLine()), command.CommandPath()}
			}
			return nil
		}
	}
	for _, child := range command.Commands() {
		markUsage(child)
	}
}

// group is a command that has only others.
func group(use, short string, aliases []string, commands ...*cobra.Command) *cobra.Command {
	command := &cobra.Command{
		Use:     use,
		Short:   short,
		Aliases: aliases,
		Args:    cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Help()
			}
			var names []string
			for _, child := range command.Commands() {
				if child.IsAvailableCommand() {
					names = append(names, child.Name())
				}
			}
			text := fmt.Sprintf("there is no command %s %s: there are %s", command.CommandPath(), args[0], strings.Join(names, ", "))
			return usageError{errors.New(text), command.CommandPath()}
		},
	}
	command.AddCommand(commands...)
	return command
}
