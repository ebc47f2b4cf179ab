// Package manual prints what there is to know of commands and options: as help, as manual pages in troff and Markdown, and
// as scripts with which shells complete them.
package manual

import (
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"
)

// A Page of the manual says what --help says, from the same tables.
type Page struct {
	Command   string // empty: slimsvm itself
	Summary   string
	Arguments string
	Options   []Option
	Commands  []Topic  // of slimsvm itself
	Words     []string // that arguments may be; nil: they are files

	description []string // paragraphs
	methods     []Topic  // that the command trains by
	guide       *Guide
}

// A Guide says of pages what an app does not tell.
type Guide struct {
	// Headings are those of a page's options, in their order.
	Headings []string
	// Heading returns the one under which a command's option stands.
	Heading func(command, option string) string
	// Methods returns the methods that a command trains by.
	Methods func(command string) []Topic
	// Values returns the words that may follow an option of a command. Where there are none, files are completed.
	Values func(command, option string) []string
	// Arguments returns the words that may be arguments of a command, nil where they are files. commands are all.
	Arguments func(command string, commands []string) []string
}

// A Topic is a word and what it means.
type Topic struct{ Name, Meaning string }

// An Option is a flag as --help prints it.
type Option struct {
	Flag  cli.Flag
	Names string // with dashes, and the name of the value
	Topic        // Name: the option's first name, without dashes

	Values []string // words that it may have; nil: it has another text, or names a file
}

// Pages returns the page of an app, then the commands'.
func (g *Guide) Pages(app *cli.App) []Page {
	pages := []Page{{
		Summary: app.Usage, Arguments: "COMMAND [options] [arguments]", guide: g,
		description: paragraphs(app.Description), Options: Options(append(app.VisibleFlags(), cli.HelpFlag, cli.VersionFlag)),
	}}
	var commands []string
	for _, c := range app.VisibleCommands() {
		commands = append(commands, c.Name)
		pages[0].Commands = append(pages[0].Commands, Topic{c.Name, c.Usage})
		pages = append(pages, g.Page(c))
	}
	for i := range pages {
		p := &pages[i]
		p.Words = g.Arguments(p.Command, commands)
		for k := range p.Options {
			p.Options[k].Values = g.Values(p.Command, p.Options[k].Name)
		}
	}
	return pages
}

// Page returns the page of a command as help shows it, without words to complete.
func (g *Guide) Page(c *cli.Command) Page {
	return Page{
		Command: c.Name, Summary: c.Usage, Arguments: "[options] " + c.ArgsUsage, guide: g,
		description: paragraphs(c.Description), Options: Options(append(c.VisibleFlags(), cli.HelpFlag)),
		methods: g.Methods(c.Name),
	}
}

// Options returns flags as --help prints them. Those that cli adds when it
// runs may be among them twice.
func Options(flags []cli.Flag) []Option {
	var all []Option
	seen := map[string]bool{}
	for _, f := range flags {
		if name := f.Names()[0]; !seen[name] {
			seen[name] = true
			names, meaning, _ := strings.Cut(f.String(), "\t")
			names, _, _ = strings.Cut(names, " [ ") // it may be repeated, as its meaning says
			names = strings.ReplaceAll(names, " value", " "+kindOf(f))
			meaning = strings.TrimSpace(strings.TrimSuffix(meaning, "(default: false)"))
			meaning = quotedDefault.ReplaceAllString(meaning, "(default: $1)")
			all = append(all, Option{Flag: f, Names: names, Topic: Topic{name, meaning}})
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

// Name returns what the page is called.
func (p *Page) Name() string {
	if p.Command == "" {
		return "slimsvm"
	}
	return "slimsvm-" + p.Command
}

// call returns how the command is called.
func (p *Page) call() string {
	return strings.TrimSpace(strings.TrimSuffix("slimsvm "+p.Command, " ") + " " + p.Arguments)
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
var statuses = []Topic{
	{"0", "done"},
	{"1", "failed: a message on standard error says why"},
	{"2", "wrong usage"},
	endedBySignal,
}

// endedBySignal is the exit status of a command that a signal ended.
var endedBySignal = Topic{"128+N", "ended by signal N, as shells report it: 130 for an interrupt, 141 if whoever read standard output went away, 143 for SIGTERM, 152 for the limit of processor time"}
