package main

import (
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
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
			pages := manual(c.App)
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
					p.markdown(&b)
				}
			} else {
				chosen[0].troff(&b, pages)
			}
			_, err = io.WriteString(e.stdout, b.String())
			return err
		},
	}
}

// A page of the manual says what --help says, from the same tables.
type page struct {
	command     string // empty: slimsvm itself
	summary     string
	arguments   string
	description []string // paragraphs
	options     []option
	commands    []topic // of slimsvm itself
	methods     []topic // that the command trains by
}

// A topic is a word and what it means.
type topic struct{ name, meaning string }

// An option is a flag as --help prints it.
type option struct {
	flag  cli.Flag
	names string // with dashes, and the name of the value
	topic        // name: the option's first name, without dashes
}

// manual returns the page of the app, then the commands'.
func manual(app *cli.App) []page {
	pages := []page{{
		summary: app.Usage, arguments: "COMMAND [options] [arguments]",
		description: paragraphs(app.Description), options: options(append(app.VisibleFlags(), cli.HelpFlag, cli.VersionFlag)),
	}}
	for _, c := range app.VisibleCommands() {
		pages[0].commands = append(pages[0].commands, topic{c.Name, c.Usage})
		pages = append(pages, pageOf(c))
	}
	return pages
}

// pageOf returns the page of a command.
func pageOf(c *cli.Command) page {
	p := page{
		command: c.Name, summary: c.Usage, arguments: "[options] " + c.ArgsUsage,
		description: paragraphs(c.Description), options: options(append(c.VisibleFlags(), cli.HelpFlag)),
	}
	if slices.Contains(trainingCommands, c.Name) {
		for _, m := range catalog.Methods {
			p.methods = append(p.methods, topic{m.Name, m.Doc})
		}
	}
	return p
}

func findPage(pages []page, command string) []page {
	for i, p := range pages {
		if p.command == command {
			return pages[i : i+1]
		}
	}
	return nil
}

// options returns flags as --help prints them. Those that the library adds when it
// runs may be among them twice.
func options(flags []cli.Flag) []option {
	var all []option
	seen := map[string]bool{}
	for _, f := range flags {
		if name := f.Names()[0]; !seen[name] {
			seen[name] = true
			names, meaning, _ := strings.Cut(f.String(), "\t")
			names, _, _ = strings.Cut(names, " [ ") // it may be repeated, as its meaning says
			names = strings.ReplaceAll(names, " value", " "+kindOf(f))
			meaning = strings.TrimSpace(strings.TrimSuffix(meaning, "(default: false)"))
			meaning = quotedDefault.ReplaceAllString(meaning, "(default: $1)")
			all = append(all, option{f, names, topic{name, meaning}})
		}
	}
	return all
}

// quotedDefault is a default that cli has in quotes.
var quotedDefault = regexp.MustCompile(`\(default: "([a-z0-9.-]+)"\)$`)

// kindOf returns what the value of a flag is called that has no name for it.
func kindOf(f cli.Flag) string {
	if kind, ok := f.(interface{ Kind() string }); ok {
		return kind.Kind()
	}
	return "VALUE"
}

// name returns what the page is called.
func (p *page) name() string {
	if p.command == "" {
		return "slimsvm"
	}
	return "slimsvm-" + p.command
}

// call returns how the command is called.
func (p *page) call() string {
	return strings.TrimSpace(strings.TrimSuffix("slimsvm "+p.command, " ") + " " + p.arguments)
}

// paragraphs splits a description at empty lines.
func paragraphs(text string) []string {
	var all []string
	for p := range strings.SplitSeq(text, "\n\n") {
		if strings.TrimSpace(p) != "" {
			all = append(all, strings.Trim(p, "\n"))
		}
	}
	return all
}

// statuses are the exit statuses.
var statuses = []topic{
	{"0", "done"},
	{"1", "failed: a message on standard error says why"},
	{"2", "wrong usage"},
	{"128+N", "ended by signal N, as shells report it: 130 for an interrupt, 141 if whoever read standard output went away, 143 for SIGTERM, 152 for the limit of processor time"},
}
