package manual

import (
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
	"pgregory.net/rapid"
)

// TestTroffOfAnything: whatever names and texts are, they are no requests of
// troff's, and every option is on the page.
func TestTroffOfAnything(t *testing.T) {
	requests := []string{".TH ", ".SH ", ".TP", ".B ", ".PP", ".nf", ".fi"}
	rapid.Check(t, func(t *rapid.T) {
		all := (&guideOfTests).Pages(drawApp(t))
		for i := range all {
			var b, m strings.Builder
			all[i].Troff(&b, all)
			all[i].Markdown(&m)
			for line := range strings.SplitSeq(b.String(), "\n") {
				if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") &&
					!slices.ContainsFunc(requests, func(r string) bool { return strings.HasPrefix(line, r) }) {
					t.Fatalf("the line %q is a request", line)
				}
			}
			for _, o := range all[i].Options {
				if !strings.Contains(b.String(), "\n.B "+escape(o.Names)+"\n") || !strings.Contains(m.String(), "\n| `"+cell(o.Names)) {
					t.Fatalf("%s: no option %s in\n%s\n%s", all[i].Name(), o.Names, b.String(), m.String())
				}
			}
		}
	})
}

// guideOfTests gives pages headings, methods and words.
var guideOfTests = Guide{
	Headings:  []string{"Options", "Other options"},
	Heading:   func(_, option string) string { return []string{"Options", "Other options"}[len(option)%2] },
	Methods:   func(command string) []Topic { return []Topic{{command, "a | method"}}[:len(command)%2] },
	Values:    func(_, option string) []string { return []string{"a", option}[:len(option)%3] },
	Arguments: func(command string, commands []string) []string { return commands[:len(command)%2] },
}

// drawApp draws an app with hostile texts.
func drawApp(t *rapid.T) *cli.App {
	text := rapid.OneOf(
		rapid.SampledFrom([]string{"", "x", ".TH x", "'", "it's \"$HOME\" `id` $(id)", `\fB\e`, "a\n.so /etc/passwd", "[a:b]", "a|b", "!x", "%s", "é", "-x"}),
		rapid.StringOf(rapid.RuneFrom([]rune("ab .'\"\\$`[]:|-\n%(){}*?#&;<>"))),
	)
	name := rapid.StringMatching(`[a-z][a-z0-9-]{1,8}`)
	app := &cli.App{Name: "slimsvm", Usage: text.Draw(t, "usage")}
	for _, command := range rapid.SliceOfNDistinct(name, 1, 4, rapid.ID[string]).Draw(t, "commands") {
		c := &cli.Command{Name: command, Usage: text.Draw(t, "usage"), ArgsUsage: text.Draw(t, "arguments"), Description: text.Draw(t, "description")}
		for i, flag := range rapid.SliceOfNDistinct(name, 0, 4, rapid.ID[string]).Draw(t, "flags") {
			switch i % 4 {
			case 0:
				c.Flags = append(c.Flags, &cli.StringFlag{Name: flag, Usage: text.Draw(t, "usage"), DefaultText: text.Draw(t, "default")})
			case 1:
				c.Flags = append(c.Flags, &cli.BoolFlag{Name: flag, Usage: text.Draw(t, "usage"), Aliases: []string{"z"}})
			case 2:
				c.Flags = append(c.Flags, &cli.StringSliceFlag{Name: flag, Usage: text.Draw(t, "usage")})
			case 3:
				c.Flags = append(c.Flags, &cli.Float64Flag{Name: flag, Usage: text.Draw(t, "usage"), Value: 0.1})
			}
		}
		app.Commands = append(app.Commands, c)
	}
	return app
}
