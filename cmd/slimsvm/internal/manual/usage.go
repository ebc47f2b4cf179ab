package manual

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// A Usage is the page of a command that is not slimsvm's and whose usage text says all there is to
// say.
type Usage struct {
	Name, Summary string
	// Text has blocks between empty lines. One begins with "usage:". Those with lines that begin
	// with two blanks and a dash list options, under a heading if their first line is not
	// indented. Others are paragraphs, but for one that begins with the name and a colon.
	Text     string
	Statuses []Topic // exit statuses
	Others   []string
}

// usageOption is the first line of an option: its letter and values, and what it means.
var usageOption = regexp.MustCompile(`^  (-\S+(?: \S+)*)   *(\S.*)$`)

// columnsOfUsage stand between the columns of a line.
var columnsOfUsage = regexp.MustCompile(`   *`)

// Troff writes the page in troff's man macros.
func (u *Usage) Troff(w io.Writer) {
	name := escape(u.Name)
	fmt.Fprintf(w, ".TH %s 1 \"\" slimsvm \"slimsvm manual\"\n.SH NAME\n%s \\- %s\n", strings.ToUpper(name), name, escape(u.Summary))
	synopsis, description, options := u.parts()
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B %s\n%s\n.SH DESCRIPTION\n", name, escape(synopsis))
	for i, text := range description {
		if i > 0 {
			fmt.Fprint(w, ".PP\n")
		}
		troffParagraph(w, text)
	}
	fmt.Fprint(w, ".SH OPTIONS\n")
	for _, text := range options {
		troffUsageOptions(w, text)
	}
	fmt.Fprint(w, ".SH ENVIRONMENT\n")
	troffTopics(w, []Topic{{"GOMAXPROCS", "the number of threads that compute, by default what OMP_NUM_THREADS says, else one for each processor that the process may use, which is also the most. The output does not depend on it."}})
	fmt.Fprint(w, ".SH EXIT STATUS\n")
	troffTopics(w, append(u.Statuses[:len(u.Statuses):len(u.Statuses)], endedBySignal))
	var others []string
	for _, o := range u.Others {
		others = append(others, fmt.Sprintf("\\fB%s\\fP(1)", escape(o)))
	}
	fmt.Fprintf(w, ".SH SEE ALSO\n%s\n", strings.Join(others, ",\n"))
}

// Markdown writes the page as Markdown.
func (u *Usage) Markdown(w io.Writer) {
	fmt.Fprintf(w, "\n## %s\n\nLIBSVM's command: %s.\n\n```\n%s```\n", u.Name, u.Summary, u.Text)
}

// parts returns what the text says of how the command is called, its paragraphs, and its blocks of
// options.
func (u *Usage) parts() (synopsis string, description, options []string) {
	for _, block := range paragraphs(u.Text) {
		_, call, isSynopsis := strings.Cut(block, "sage: "+u.Name+" ")
		switch {
		case strings.HasPrefix(block, u.Name+": "):
		case isSynopsis:
			synopsis = call
		case strings.Contains("\n"+block, "\n  -"):
			options = append(options, block)
		default:
			description = append(description, block)
		}
	}
	return synopsis, description, options
}

// troffUsageOptions writes a block of options. The lines of an option's meaning stay lines.
func troffUsageOptions(w io.Writer, block string) {
	for line := range strings.SplitSeq(block, "\n") {
		if o := usageOption.FindStringSubmatch(line); o != nil {
			fmt.Fprintf(w, ".TP\n.B %s\n%s\n", escape(o[1]), meaningOfUsage(o[2]))
		} else if text := strings.TrimLeft(line, " "); text == line {
			fmt.Fprintf(w, ".SS %s\n", escape(line))
		} else {
			fmt.Fprintf(w, ".br\n%s\n", meaningOfUsage(text))
		}
	}
}

// meaningOfUsage returns a line of an option's meaning with its columns set apart by semicolons.
func meaningOfUsage(line string) string {
	return escape(columnsOfUsage.ReplaceAllString(line, "; "))
}
