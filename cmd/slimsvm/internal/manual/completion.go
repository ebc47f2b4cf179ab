package manual

import (
	"io"
	"slices"

	"github.com/urfave/cli/v2"
)

// Shells are those for which there are completions.
var Shells = []string{"bash", "zsh", "fish"}

// Completion returns what writes the completion for a shell of Shells; nil: it is none of them.
func Completion(shell string) func(w io.Writer, pages []Page) {
	switch shell {
	case "bash":
		return completeBash
	case "zsh":
		return completeZsh
	case "fish":
		return completeFish
	}
	return nil
}

// completed are the pages of the words that others may follow: of commands, and one of help, which
// is followed by a command.
func completed(pages []Page) []Page {
	help := Page{Command: "help"}
	for _, c := range pages[0].Commands {
		help.Words = append(help.Words, c.Name)
	}
	return append(pages[:len(pages):len(pages)], help)
}

// takes reports whether an option has a value.
func (o Option) takes() bool {
	f, ok := o.Flag.(cli.DocGenerationFlag)
	return ok && f.TakesValue()
}

// repeats reports whether an option may be given several times.
func (o Option) repeats() bool {
	f, ok := o.Flag.(cli.DocGenerationSliceFlag)
	return ok && f.IsSliceFlag()
}

// Dashed returns the option's names with their dashes.
func (o Option) Dashed() []string {
	var names []string
	for _, name := range o.Flag.Names() {
		names = append(names, Dashed(name))
	}
	return names
}

// dashedNames returns all names of some options, sorted.
func dashedNames(options []Option) []string {
	var names []string
	for _, o := range options {
		names = append(names, o.Dashed()...)
	}
	slices.Sort(names)
	return names
}

// Dashed returns the name of an option with its dashes.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
