package manual

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Width is the number of columns of a terminal that --help fits into.
const Width = 80

// Help writes the page as --help prints it. version is that of the app, "" on the page of a command.
func (p *Page) Help(w io.Writer, version string) {
	name, _, _ := strings.Cut(p.call(), " [")
	fmt.Fprintf(w, "NAME:\n%s\nUSAGE:\n   %s\n", Wrapped(strings.TrimSuffix(name, " COMMAND")+" - "+p.Summary, 3), p.call())
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
			fmt.Fprint(w, Wrapped(paragraph, 3))
		}
	}
	if len(p.Commands) > 0 {
		fmt.Fprint(w, "\nCOMMANDS:\n")
		for _, c := range p.Commands {
			fmt.Fprintf(w, "   %-12s%s\n", c.Name, c.Meaning)
		}
	}
	if len(p.methods) > 0 {
		fmt.Fprint(w, "\nMETHODS:\n")
		for _, m := range p.methods {
			fmt.Fprintf(w, "   %-12s%s", m.Name, strings.TrimLeft(Wrapped(m.Meaning, 15), " "))
		}
	}
	for _, s := range p.sections() {
		fmt.Fprintf(w, "\n%s:\n", strings.ToUpper(s.heading))
		for _, o := range s.options {
			fmt.Fprintf(w, "   %s\n%s", o.Names, Wrapped(o.Meaning, 10))
		}
	}
}

// Wrapped returns the words of a text in lines that are indented and fit into the width.
func Wrapped(text string, indent int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case column == 0:
			b.WriteString(strings.Repeat(" ", indent))
			column = indent
		case column+1+n > Width:
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
	options []Option
}

// sections returns the options of the page, those of the command itself first.
func (p *Page) sections() (all []section) {
	for _, heading := range p.guide.Headings {
		s := section{heading: heading}
		for _, o := range p.Options {
			if p.guide.Heading(p.Command, o.Name) == heading {
				s.options = append(s.options, o)
			}
		}
		if len(s.options) > 0 {
			all = append(all, s)
		}
	}
	return all
}
