package main

import (
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/manual"
)

func init() { cli.HelpPrinter = printHelp }

// printHelp prints what --help says: the page of the app, or of a command.
func printHelp(w io.Writer, _ string, data any) {
	switch of := data.(type) {
	case *cli.App:
		p := book.Pages(of)[0]
		p.Help(w, of.Version)
	case *cli.Command:
		p := book.Page(of)
		p.Help(w, "")
	}
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

// book is what slimsvm's pages have that its commands and options do not tell.
var book = &manual.Guide{
	Headings:  []string{optionsHeading, trainHeading, featureHeading, readingHeading, methodsHeading, othersHeading},
	Heading:   headingOf,
	Methods:   methodsOf,
	Values:    valuesOf,
	Arguments: argumentsOf,
}

// methodsOf returns the methods that a command trains by.
func methodsOf(command string) (all []manual.Topic) {
	if slices.Contains(trainingCommands, command) {
		for _, m := range catalog.Methods {
			all = append(all, manual.Topic{Name: m.Name, Meaning: m.Doc})
		}
	}
	return all
}
