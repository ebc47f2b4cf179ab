package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// optionsFirst puts a command's options before its other words, which may stand in any order;
// urfave/cli reads options up to the first other word only. Words behind -- are no options. A value
// that is called as one of the options stands behind =.
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
		if len(rest) == 1 || optionOf(command, rest[1]) != nil {
			// The value is missing. Nothing may follow, or that would be taken for it.
			return slices.Concat(args[:1], options)
		}
		rest = rest[1:]
		options = append(options, rest[0])
	}
	return slices.Concat(args[:1], options, []string{"--"}, others)
}

// takesValue reports whether the next word belongs to an option.
func takesValue(command *cli.Command, word string) bool {
	f := optionOf(command, word)
	_, isBool := f.(*cli.BoolFlag)
	return f != nil && !isBool && !strings.Contains(word, "=")
}

// optionOf returns the option of a command that a word gives, nil if it is none.
func optionOf(command *cli.Command, word string) cli.Flag {
	name, is := strings.CutPrefix(word, "-")
	if !is {
		return nil
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	for _, f := range command.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}
