package manual

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes the page as a chapter.
func (p *Page) Markdown(w io.Writer) {
	if p.Command == "" {
		fmt.Fprintf(w, "# slimsvm\n\n%s\n\n    %s\n", sentence(p.Summary), p.call())
	} else {
		fmt.Fprintf(w, "\n## slimsvm %s\n\n%s\n\n    %s\n", p.Command, sentence(p.Summary), p.call())
	}
	for _, text := range p.description {
		text = "\n" + text + "\n"
		fmt.Fprint(w, strings.ReplaceAll(text, "\n  ", "\n      ")) // indented lines stand as they are
	}
	if len(p.Commands) > 0 {
		fmt.Fprint(w, "\n| command | does |\n|---|---|\n")
		for _, c := range p.Commands {
			fmt.Fprintf(w, "| [`%s`](#slimsvm-%s) | %s |\n", c.Name, c.Name, cell(c.Meaning))
		}
	}
	if len(p.methods) > 0 {
		fmt.Fprint(w, "\n| method | meaning |\n|---|---|\n")
		for _, m := range p.methods {
			fmt.Fprintf(w, "| `%s` | %s |\n", m.Name, cell(m.Meaning))
		}
	}
	for _, s := range p.sections() {
		heading := strings.ToLower(strings.Replace(s.heading, "Options", "Option", 1))
		fmt.Fprintf(w, "\n| %s | meaning |\n|---|---|\n", strings.Replace(heading, "options", "option", 1))
		for _, o := range s.options {
			fmt.Fprintf(w, "| `%s` | %s |\n", cell(o.Names), cell(o.Meaning))
		}
	}
	if p.Command == "" {
		fmt.Fprint(w, "\n| exit status | meaning |\n|---|---|\n")
		for _, s := range statuses {
			fmt.Fprintf(w, "| %s | %s |\n", s.Name, s.Meaning)
		}
	}
}

// cell returns text as a cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "*", `\*`).Replace(text)
}

// sentence returns text with a capital and a full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "."
}
