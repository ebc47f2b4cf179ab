package manual

import (
	"fmt"
	"io"
	"strings"
)

// Troff writes the page in troff's man macros. pages are all pages of the manual.
func (p *Page) Troff(w io.Writer, pages []Page) {
	fmt.Fprintf(w, ".TH %s 1 \"\" slimsvm \"slimsvm manual\"\n", escape(strings.ToUpper(p.Name())))
	fmt.Fprintf(w, ".SH NAME\n%s \\- %s\n", escape(p.Name()), escape(p.Summary))
	call := strings.Fields(p.call())
	bold := 2
	if p.Command == "" {
		bold = 1
	}
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B %s\n%s\n", escape(strings.Join(call[:bold], " ")), escape(strings.Join(call[bold:], " ")))
	if len(p.description) > 0 {
		fmt.Fprint(w, ".SH DESCRIPTION\n")
		for i, text := range p.description {
			if i > 0 {
				fmt.Fprint(w, ".PP\n")
			}
			troffParagraph(w, text)
		}
	}
	if len(p.Commands) > 0 {
		fmt.Fprint(w, ".SH COMMANDS\n")
		troffTopics(w, p.Commands)
	}
	if len(p.methods) > 0 {
		fmt.Fprint(w, ".SH METHODS\n")
		troffTopics(w, p.methods)
	}
	for _, s := range p.sections() {
		fmt.Fprintf(w, ".SH %s\n", strings.ToUpper(s.heading))
		for _, o := range s.options {
			fmt.Fprintf(w, ".TP\n.B %s\n%s\n", escape(o.Names), escape(o.Meaning))
		}
	}
	fmt.Fprint(w, ".SH EXIT STATUS\n")
	troffTopics(w, statuses)
	var others []string
	for i := range pages {
		if (p.Command == "") != (pages[i].Command == "") {
			others = append(others, fmt.Sprintf("\\fB%s\\fP(1)", escape(pages[i].Name())))
		}
	}
	fmt.Fprintf(w, ".SH SEE ALSO\n%s\n", strings.Join(others, ",\n"))
}

func troffTopics(w io.Writer, topics []Topic) {
	for _, t := range topics {
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", escape(t.Name), escape(t.Meaning))
	}
}

// troffParagraph writes a paragraph; indented lines stay as they are.
func troffParagraph(w io.Writer, text string) {
	literal := false
	for line := range strings.SplitSeq(text, "\n") {
		if indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"); indented != literal {
			literal = indented
			fmt.Fprintln(w, map[bool]string{true: ".nf", false: ".fi"}[literal])
		}
		fmt.Fprintln(w, escape(line))
	}
	if literal {
		fmt.Fprintln(w, ".fi")
	}
}

var troffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ")

// escape returns text as troff prints it: with plain hyphens, and not as a request.
func escape(text string) string {
	text = troffEscapes.Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
