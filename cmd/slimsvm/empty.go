package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
)

// hintOfEmpty tells what may be behind an empty word.
const hintOfEmpty = "is a shell variable unset?"

// checkEmpty returns wrong usage if a file or the text of an option is empty, as from a
// variable of the shell that is not set. It must not pass for one that is not given: then
// test data would be scaled by ranges of their own, or a model trained but not kept. An empty
// --missing is a word: that of empty cells in quotes.
func checkEmpty(c *cli.Context) error {
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		if !isSet(c, name) {
			continue
		}
		if list, ok := f.(flags.List); ok {
			f = list.StringFlag
		}
		if f, ok := f.(*cli.StringFlag); ok && c.String(name) == "" {
			return hinted{usagef("--%s \"\": expected %s", name, valueOf(f.Usage)), hintOfEmpty}
		}
		if known, only := choices(c.Command.Name, name); only {
			if err := checkWord(c, name, known); err != nil {
				return err
			}
		}
	}
	for i, word := range c.Args().Slice() {
		if what := fileWord(c.Command.ArgsUsage, i); word == "" && what != "" {
			return hinted{usagef("%s \"\": expected a file", what), hintOfEmpty}
		}
	}
	return nil
}

// valueOf says what an option wants, by what stands in its usage for the value.
func valueOf(usage string) string {
	_, rest, _ := strings.Cut(usage, "`")
	switch what, _, _ := strings.Cut(rest, "`"); what {
	case "FILE":
		return "a file"
	case "MODEL":
		return "a model"
	}
	return "a value"
}

// fileWords are the words of a command line that are files.
var fileWords = []string{"DATA", "MODEL", "IN", "OUT", "FIRST", "REST", "FILE"}

// fileWord returns what the i-th of a command's words is called, "" if it is no file. The
// last may stand for several.
func fileWord(usage string, i int) string {
	names := strings.Fields(usage)
	if n := len(names); i >= n && n > 0 && strings.HasSuffix(names[n-1], "...") {
		i = n - 1
	}
	if i >= len(names) {
		return ""
	}
	if name := strings.Trim(names[i], "[]."); slices.Contains(fileWords, name) {
		return name
	}
	return ""
}
