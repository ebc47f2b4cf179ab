package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// optionsFirst puts a command's options before its other words, which may stand
// in any order; urfave/cli reads options up to the first other word only. Words
// behind -- are no options.
func optionsFirst(app *cli.App, args []string) []string {
	if len(args) == 0 {
		return args
	}
	command := app.Command(args[0])
	if command == nil {
		return args
	}
	options, others := []string{}, []string{}
	for rest := args[1:]; len(rest) > 0; rest = rest[1:] {
		word := rest[0]
		if word == "--" {
			others = append(others, rest[1:]...)
			break
		}
		if len(word) < 2 || word[0] != '-' {
			others = append(others, word)
			continue
		}
		options = append(options, word)
		if !takesValue(command, word) {
			continue
		}
		if len(rest) == 1 {
			// Nothing may follow, or that would be taken for the value.
			return slices.Concat(args[:1], options)
		}
		rest = rest[1:]
		options = append(options, rest[0])
	}
	return slices.Concat(args[:1], options, []string{"--"}, others)
}

// takesValue reports whether the next word belongs to an option.
func takesValue(command *cli.Command, word string) bool {
	name := strings.TrimLeft(word, "-")
	if strings.Contains(name, "=") {
		return false
	}
	for _, f := range command.Flags {
		if slices.Contains(f.Names(), name) {
			_, isBool := f.(*cli.BoolFlag)
			return !isBool
		}
	}
	return false
}
