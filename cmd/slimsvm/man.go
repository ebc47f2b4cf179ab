package main

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/manual"
)

func manCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "man",
		Usage:     "print a manual page",
		ArgsUsage: "[COMMAND]",
		Description: "Prints the manual page of slimsvm, or of one of its commands, in troff:\n\n" +
			"  slimsvm man train | man -l -",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "markdown", Usage: "print Markdown instead of troff; without COMMAND, the pages of all commands"},
		},
		Action: func(c *cli.Context) error {
			args, err := words(c, 0, 1, "at most the name of a command")
			if err != nil {
				return err
			}
			pages := book.Pages(c.App)
			chosen := pages[:1]
			if len(args) == 1 {
				if chosen = findPage(pages, args[0]); chosen == nil {
					return noCommand(c.App, args[0])
				}
			} else if c.Bool("markdown") {
				chosen = pages
			}
			var b strings.Builder
			if c.Bool("markdown") {
				for _, p := range chosen {
					p.Markdown(&b)
				}
			} else {
				chosen[0].Troff(&b, pages)
			}
			_, err = io.WriteString(e.stdout, b.String())
			return err
		},
	}
}

func findPage(pages []manual.Page, command string) []manual.Page {
	for i, p := range pages {
		if p.Command == command {
			return pages[i : i+1]
		}
	}
	return nil
}
