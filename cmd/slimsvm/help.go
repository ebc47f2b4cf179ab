package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
)

func init() { cli.HelpPrinter = printHelp }

// printHelp prints what --help says: the page of the app, or of a command.
func printHelp(w io.Writer, _ string, data any) {
	switch of := data.(type) {
	case *cli.App:
		p := manual(of)[0]
		p.text(w, of.Version)
	case *cli.Command:
		p := pageOf(of)
		p.text(w, "")
	}
}

// helpWidth is the number of columns of a terminal that --help fits into.
const helpWidth = 80

// text writes the page as --help prints it.
func (p *page) text(w io.Writer, version string) {
	name, _, _ := strings.Cut(p.call(), " [")
	fmt.Fprintf(w, "NAME:\n%s\nUSAGE:\n   %s\n", wrapped(strings.TrimSuffix(name, " COMMAND")+" - "+p.summary, 3), p.call())
	if version != "" {
		fmt.Fprintf(w, "\nVERSION:\n   %s\n", version)
	}
	if len(p.description) > 0 {
		fmt.Fprint(w, "\nDESCRIPTION:\n")
	}
	for i, paragraph := range p.description {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if strings.HasPrefix(paragraph, " ") {
			fmt.Fprintf(w, "   %s\n", strings.ReplaceAll(paragraph, "\n", "\n   "))
		} else {
			fmt.Fprint(w, wrapped(paragraph, 3))
		}
	}
	if len(p.commands) > 0 {
		fmt.Fprint(w, "\nCOMMANDS:\n")
		for _, c := range p.commands {
			fmt.Fprintf(w, "   %-12s%s\n", c.name, c.meaning)
		}
	}
	if len(p.methods) > 0 {
		fmt.Fprint(w, "\nMETHODS:\n")
		for _, m := range p.methods {
			fmt.Fprintf(w, "   %-12s%s", m.name, strings.TrimLeft(wrapped(m.meaning, 15), " "))
		}
	}
	for _, s := range p.sections() {
		fmt.Fprintf(w, "\n%s:\n", strings.ToUpper(s.heading))
		for _, o := range s.options {
			fmt.Fprintf(w, "   %s\n%s", o.names, wrapped(o.meaning, 10))
		}
	}
}

// wrapped returns the words of a text in lines that are indented and fit into the width.
func wrapped(text string, indent int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case column == 0:
			b.WriteString(strings.Repeat(" ", indent))
			column = indent
		case column+1+n > helpWidth:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	b.WriteByte('\n')
	return b.String()
}

// A section of a page are options that belong together.
type section struct {
	heading string
	options []option
}

// The headings of sections, in their order.
const (
	optionsHeading = "Options"
	trainHeading   = "Options for training"
	readingHeading = "Options for reading data"
	featureHeading = "Options for features"
	methodsHeading = "Options of single methods"
	othersHeading  = "Other options"
)

// headingOf returns the heading under which a command's option stands.
func headingOf(command, name string) string {
	has := func(flags []cli.Flag) bool {
		return slices.ContainsFunc(flags, func(f cli.Flag) bool { return f.Names()[0] == name })
	}
	switch {
	case command == "":
		return optionsHeading
	case slices.Contains([]string{"help", "quiet", "json", "threads"}, name):
		return othersHeading
	case slices.Contains(trainingCommands, command) && slices.ContainsFunc(catalog.Options(), func(o catalog.Option) bool { return o.Name == name }):
		return methodsHeading
	case slices.Contains(trainingCommands, command) && has(encodeFlags()):
		return featureHeading
	case has(columnFlags()), has(weightFlags()), has(foldGroupFlags()):
		return readingHeading
	case slices.Contains(trainingCommands, command) && command != "train" && has(trainFlags()):
		return trainHeading
	}
	return optionsHeading
}

// sections returns the options of the page, those of the command itself first.
func (p *page) sections() (all []section) {
	for _, heading := range []string{optionsHeading, trainHeading, featureHeading, readingHeading, methodsHeading, othersHeading} {
		s := section{heading: heading}
		for _, o := range p.options {
			if headingOf(p.command, o.name) == heading {
				s.options = append(s.options, o)
			}
		}
		if len(s.options) > 0 {
			all = append(all, s)
		}
	}
	return all
}
