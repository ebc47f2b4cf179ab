package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// longOption finds an option of two dashes in a page.
var longOption = regexp.MustCompile("[\\s`(](--[a-z][a-z0-9-]*)")

// TestOptionsInText: the options that pages name anywhere are options of some command, and those of
// an indented line that begins with slimsvm are its command's.
func TestOptionsInText(t *testing.T) {
	of := map[string][]string{}
	var all []string
	for _, p := range pages(t) {
		for _, o := range p.Options {
			of[p.Command] = append(of[p.Command], o.Dashed()...)
		}
		all = append(all, of[p.Command]...)
	}
	named, lines := 0, 0
	for _, page := range []string{
		"../../README.md", "../../examples/README.md", "../../docs/compatibility.md", "../../docs/json.md",
		"../../docs/libsvm.md", "../../docs/model-format.md", "../../docs/scikit-learn.md", "../../docs/weka.md",
	} {
		for line := range strings.Lines(readPage(t, page)) {
			known, who := all, "any command"
			if command, ok := strings.CutPrefix(line, "    slimsvm "); ok {
				lines++
				name, _, _ := strings.Cut(command, " ")
				known, who = of[name], name
			}
			for _, m := range longOption.FindAllStringSubmatch(line, -1) {
				named++
				if m[1] != "--uninstall" && !slices.Contains(known, m[1]) { // of install.sh
					t.Errorf("%s: %s is no option of %s", page, m[1], who)
				}
			}
		}
	}
	if named < 150 || lines < 10 {
		t.Errorf("%d options, %d command lines", named, lines)
	}
}
