package main

import (
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/usagetext"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/manual"
)

func manCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "man",
		Usage:     "print a manual page",
		ArgsUsage: "[COMMAND]",
		Description: "Prints the manual page of slimsvm, of one of its commands, or of svm-train,\n" +
			"svm-predict or svm-scale, in troff:\n\n" +
			"  slimsvm man train | man -l -",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "markdown", Usage: "print Markdown instead of troff; without COMMAND, all pages"},
		},
		Action: func(c *cli.Context) error {
			args, err := words(c, 0, 1, "at most the name of a command")
			if err != nil {
				return err
			}
			chosen := manualPages(c.App)
			if len(args) == 1 {
				i := slices.IndexFunc(chosen, func(p manualPage) bool { return p.command == args[0] })
				if i < 0 {
					return noCommand(c.App, args[0])
				}
				chosen = chosen[i : i+1]
			} else if !c.Bool("markdown") {
				chosen = chosen[:1]
			}
			var b strings.Builder
			for _, p := range chosen {
				if c.Bool("markdown") {
					p.markdown(&b)
				} else {
					p.troff(&b)
				}
			}
			_, err = io.WriteString(e.stdout, b.String())
			return err
		},
	}
}

// A manualPage is a page of the manual: of slimsvm, one of its commands, or one of LIBSVM's.
type manualPage struct {
	command         string // empty: slimsvm
	name            string
	troff, markdown func(w io.Writer)
}

// manualPages returns the pages of the manual in their order.
func manualPages(app *cli.App) []manualPage {
	var all []manualPage
	pages := book.Pages(app)
	for i := range pages {
		p := &pages[i]
		all = append(all, manualPage{p.Command, p.Name(), func(w io.Writer) { p.Troff(w, pages) }, p.Markdown})
	}
	for i := range commandsOfLIBSVM {
		u := &commandsOfLIBSVM[i]
		all = append(all, manualPage{u.Name, u.Name, u.Troff, u.Markdown})
	}
	return all
}

// commandsOfLIBSVM are LIBSVM's commands, which are programs of their own.
var commandsOfLIBSVM = []manual.Usage{
	{
		Name: "svm-train", Summary: "train a support vector machine", Text: usagetext.Train,
		Statuses: usageStatuses, Others: []string{"svm-predict", "svm-scale", "slimsvm"},
	},
	{
		Name: "svm-predict", Summary: "predict with a support vector machine", Text: usagetext.Predict,
		Statuses: usageStatuses, Others: []string{"svm-train", "svm-scale", "slimsvm"},
	},
	{
		Name: "svm-scale", Summary: "scale features to an interval", Text: usagetext.Scale,
		Statuses: append(usageStatuses[:2:2], manual.Topic{Name: "255", Meaning: "a label or the range file cannot be read"}),
		Others:   []string{"svm-train", "svm-predict", "slimsvm"},
	},
}

// usageStatuses are exit statuses of LIBSVM's commands.
var usageStatuses = []manual.Topic{
	{Name: "0", Meaning: "done"},
	{Name: "1", Meaning: "failed, or wrong usage: a message on standard error says why"},
}

// isOfLIBSVM reports whether a word is the name of one of LIBSVM's commands.
func isOfLIBSVM(word string) bool {
	return slices.ContainsFunc(commandsOfLIBSVM, func(u manual.Usage) bool { return u.Name == word })
}
