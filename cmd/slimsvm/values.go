package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
)

// checkValues looks at what a command's options say before any file is opened: a slip of
// the pen is told at once, not behind the reading of large data or a file that is missing.
// What depends on the data is looked at when they are read.
func checkValues(c *cli.Context) error {
	if err := checkEmpty(c); err != nil {
		return err
	}
	has := func(option string) bool {
		return slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return f.Names()[0] == option })
	}
	if has("from") {
		if _, err := dataOptions(c); err != nil {
			return err
		}
	}
	if has("to") && c.String("to") != "" {
		if _, _, err := target(c, ""); err != nil {
			return err
		}
	}
	if has("as") {
		if _, err := encodeOptions(c); err != nil {
			return err
		}
	}
	if has("weight") {
		for _, text := range c.StringSlice("weight") {
			switch training := has("kernel"); {
			case training && text == balanced:
				continue
			case training && !strings.Contains(text, "="):
				return usagef("--weight %q: expected LABEL=W, or %s", text, balanced)
			}
			if _, _, err := cutWeight(text); err != nil {
				return err
			}
		}
	}
	if has("kernel") {
		return checkTraining(c, has)
	}
	return nil
}

// checkTraining looks at the options of training. Where no method is named, it depends on
// the data which is taken: then it looks at those options that both have.
func checkTraining(c *cli.Context, has func(option string) bool) error {
	var others []catalog.Method // of which one may be taken in the place of m
	name := c.String("method")
	if name == "" {
		name = catalog.Methods[0].Name
		other, err := findMethod(forNumbers)
		if err != nil {
			return err
		}
		others = append(others, other)
	}
	m, err := findMethod(name)
	if err != nil {
		return err
	}
	if err := checkUses(c, m, others...); err != nil {
		return err
	}
	p, err := parameters(c, m, 1)
	if err != nil {
		return err
	}
	if _, err := m.New(p); err != nil {
		return ofWords(err)
	}
	if c.String(catalog.Extra) == "-" {
		return usagef("--%s reads a file, not standard input", catalog.Extra)
	}
	if has("stream") && c.Bool("stream") {
		if err := checkStream(c, m); err != nil {
			return err
		}
	}
	if has("noise") && c.Float64("noise") > 0 {
		if err := takesNoise(m); err != nil {
			return err
		}
	}
	if has("log2c") {
		return checkGrid(c, p, m, others...)
	}
	return nil
}

// checkGrid looks at the options of a grid, as far as they do not depend on the data.
func checkGrid(c *cli.Context, p catalog.Parameters, m catalog.Method, others ...catalog.Method) error {
	for _, option := range []string{"log2c", "log2g", "log2p"} {
		if err := checkPowers(c, option); err != nil {
			return err
		}
	}
	if _, err := chosenByOf(c, m, others...); err != nil {
		return err
	}
	if isSet(c, "log2p") && len(others) > 0 { // for numbers then
		m = others[0]
	}
	_, err := axes(c, m, kernelOfPreset(c, p.Kernel))
	return err
}

// findMethod returns the training method of a name.
func findMethod(name string) (catalog.Method, error) {
	m, err := catalog.FindMethod(name)
	if err != nil {
		return m, ofWords(catalog.CheckWord("method", name, methodNames()))
	}
	return m, nil
}

// methodNames are the names of the training methods.
func methodNames() []string {
	var names []string
	for _, m := range catalog.Methods {
		names = append(names, m.Name)
	}
	return names
}
