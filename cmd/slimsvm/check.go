package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

func checkCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "list the faults of data files, with file, line and column",
		ArgsUsage: "FILE...",
		Description: "Lists the faults of data files, as FILE:LINE:COLUMN: and what is wrong there:\n\n" +
			"  slimsvm check *.arff\n\n" +
			"Only the first fault of a line is listed. A line \"hint:\" follows a fault that has\n" +
			"a known remedy, once for each remedy. The exit status is 1 if there is a fault.\n" +
			"With --json, each fault is a JSON object on its own line.",
		Flags: append(append(columnFlags(), weightColumnFlag(", which are checked too"),
			flags.Int{IntFlag: &cli.IntFlag{Name: "max", Value: 100, Usage: "stop reading a file after this many faults, which of CSV need not be the first ones; 0: no limit"}},
		), talkFlags()...),
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return usagef("check takes one data file or more")
			}
			if err := inRange(c, "max", catalog.FromZero); err != nil {
				return err
			}
			for _, path := range c.Args().Slice() { // before a fault of another is printed there
				if err := e.notOutput(path); err != nil {
					return err
				}
			}
			faults, files, least := 0, 0, ""
			for _, path := range c.Args().Slice() {
				k := &checker{env: e, c: c, path: path}
				if err := k.file(); err != nil {
					return err
				}
				if faults += k.faults; k.faults > 0 {
					files++
				}
				if k.more {
					least = "at least "
				}
			}
			if faults > 0 {
				return fmt.Errorf("%s%s in %d of %s", least, phrase.Count(faults, "fault"), files, phrase.Count(c.NArg(), "file"))
			}
			return nil
		},
	}
}

// A fault is what is wrong in a file.
type fault struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`   // from 1
	Column  int    `json:"column,omitempty"` // in bytes, from 1
	Message string `json:"message"`
	Quoted  string `json:"quoted,omitempty"` // the text in question
	Hint    string `json:"hint,omitempty"`
}

// A checker lists the faults of one file.
type checker struct {
	*env
	c      *cli.Context
	path   string
	faults int
	more   bool            // there are more faults than are listed
	hints  map[string]bool // printed already
}

// errEnough ends a file that has too many faults.
var errEnough = errors.New("too many faults")

// file lists the faults. An error that is no fault of the text, a file that cannot
// be opened for one, counts as one.
func (k *checker) file() error {
	err := k.pass()
	if err != errEnough {
		return err
	}
	k.more = true
	const more = "%s: more faults are not listed, see --max"
	if k.c.Bool("json") { // there each line is a fault
		(&warner{env: k.env, quiet: k.c.Bool("quiet")}).warn(more, k.name())
		return nil
	}
	_, err = fmt.Fprintln(k.lines(), phrase.Escaped(fmt.Sprintf(more, k.name())))
	return err
}

// name returns what messages call the file.
func (k *checker) name() string {
	if k.path == "-" {
		return "standard input"
	}
	return k.path
}

// pass reads the file and lists its faults. Where the reader cannot go on behind
// a fault, the file is read again.
func (k *checker) pass() error {
	t, in, err := k.openRereadableRaw(k.c, k.path)
	if wrong := (usageError{}); errors.As(err, &wrong) {
		return err
	}
	if err != nil {
		return k.report(err)
	}
	defer t.close()
	if in, err = k.withColumns(t, in); err != nil {
		return err
	}
	weights := k.weights(in)
	for {
		err := readAll(in)
		s, skips := in.Reader.(skipper)
		switch unsure := err != io.EOF && in.Compressed() && !in.ContinueOnFault; {
		case unsure && k.c.Context.Err() == nil && lineOf(err) == 0:
			return k.report(in.at(err)) // what else is wrong comes from it, if the data are damaged
		case unsure && k.c.Context.Err() == nil && skips: // the data were read to their end, and are not damaged
			if in, err = t.restart(in); err != nil {
				return k.report(err)
			}
			in.ContinueOnFault, weights = true, k.weights(in)
			continue
		}
		if err == io.EOF || skips {
			if err := k.reportAll(in, weights()); err != nil {
				return err
			}
		}
		if err == io.EOF {
			if in.header, err = in.Header(); err != nil {
				return nil // a fault, which is listed
			}
			(&warner{env: k.env, quiet: k.c.Bool("quiet")}).warnInput(in)
			return nil
		}
		if ctx := k.c.Context.Err(); ctx != nil {
			return ctx
		}
		if !skips {
			return k.mask(t, in)
		}
		if err := k.report(in.at(err)); err != nil {
			return err
		}
		if lineOf(err) == 0 || !s.Skip() {
			return nil
		}
	}
}

// weights makes the file be read on behind faults of weights, in a column or the rows' own. It returns what
// gives those that were found since it was called last, and no more than tell that there are too many.
func (k *checker) weights(in *input) func() []error {
	var found []error
	in.weights.invalid = func(fault error) {
		if !k.enough(len(found)) {
			found = append(found, fault)
		}
	}
	in.OnWeight(in.weights.invalid)
	return func() []error {
		last := found
		found = nil
		return last
	}
}

// enough reports whether so many faults are more than are to be listed.
func (k *checker) enough(n int) bool {
	most := k.c.Int("max")
	return most != 0 && n > most
}

// reportAll prints faults of a file.
func (k *checker) reportAll(in *input, faults []error) error {
	for _, err := range faults {
		if err := k.report(in.at(err)); err != nil {
			return err
		}
	}
	return nil
}

// withColumns returns the file of in without heed of columns that --class, --nominal and
// --weight-column name and that it has not: each is a fault, behind which the lines have theirs.
func (k *checker) withColumns(t *rereader, in *input) (*input, error) {
	columns := k.c.StringSlice(nominal)
	if class := k.c.String("class"); class != "" {
		columns = append([]string{class}, columns...)
	}
	if weights := k.c.String(weightColumn); weights != "" {
		columns = append(slices.Clone(columns), weights)
	}
	if len(columns) == 0 || !datafile.Declares(in.Codec) {
		return in, nil
	}
	h, err := in.Header()
	again := err != nil
	if again && (lineOf(err) > 0 || in.Texts() == nil) {
		return in, nil // the fault is found again
	}
	if again { // CSV looks for the columns itself
		t.ignored = columns
		if in, err = t.restart(in); err != nil {
			return nil, err
		}
		if h, err = in.Header(); err != nil {
			return in, nil
		}
	}
	t.ignored = nil
	find := encode.ColumnFinder(h)
	for _, column := range columns {
		if _, err := find(column); err != nil {
			if err := k.report(in.at(err)); err != nil {
				return nil, err
			}
			t.ignored = append(t.ignored, column)
		}
	}
	if again {
		return t.restart(in)
	}
	return in, nil
}

// skipper is a reader that can go on behind a fault.
type skipper interface{ Skip() bool }

// readAll reads a file, from where it stands, to the first error or io.EOF.
func readAll(in *input) error {
	if _, err := in.Header(); err != nil {
		return err
	}
	for {
		row, err := in.Read()
		if err != nil {
			return err
		}
		if wrong := format.CheckWeight(row.Weight); wrong != nil && in.weights.invalid != nil { // of the row's own
			in.weights.invalid(in.here(wrong))
		}
	}
}

// report prints a fault.
func (k *checker) report(err error) error {
	if max := k.c.Int("max"); max != 0 && k.faults == max {
		return errEnough
	}
	k.faults++
	f := faultOf(err, k.c.Command)
	if f.File == "" {
		f.File = k.name()
	}
	if k.c.Bool("json") {
		if err := jsonline.Print(k.lines(), f); err != nil {
			return err
		}
	} else {
		if _, err := fmt.Fprintln(k.lines(), phrase.Escaped(err.Error())); err != nil {
			return err
		}
		if f.Hint != "" && !k.hints[f.Hint] {
			if k.hints == nil {
				k.hints = map[string]bool{}
			}
			k.hints[f.Hint] = true
			if _, err := fmt.Fprintf(k.lines(), "hint: %s\n", f.Hint); err != nil {
				return err
			}
		}
	}
	return nil
}

// faultOf takes apart an error that a command found.
func faultOf(err error, command *cli.Command) fault {
	f := fault{Message: err.Error(), Hint: hintFor(err, command)}
	if at := (*format.Error)(nil); errors.As(err, &at) {
		f.File, f.Line, f.Column, f.Message = at.Path, at.Line, at.Column, at.Err.Error()
	}
	f.Quoted = quotedIn(f.Message)
	return f
}

// quotedIn returns the text in question of a message, "" where it quotes none: what was
// found or, if the message does not tell that, its last text in quotes. A text that is
// quoted in part ends in three dots.
func quotedIn(message string) string {
	const found = "found "
	last := ""
	for plain := ""; ; plain = "" {
		quoted, err := "", error(nil)
		for quoted == "" { // behind a quote that is none, such as an apostrophe
			i := strings.IndexAny(message, "\"'")
			if i < 0 {
				if strings.Contains(plain+message, found) {
					return ""
				}
				return last
			}
			plain += message[:i]
			if quoted, err = strconv.QuotedPrefix(message[i:]); err != nil {
				plain, i = plain+message[i:i+1], i+1
			}
			message = message[i:]
		}
		message = message[len(quoted):]
		text, _ := strconv.Unquote(quoted)
		switch {
		case strings.HasSuffix(plain, found):
			return text
		case strings.Contains(plain, found):
			return ""
		case quoted[0] == '"':
			last = text
		}
	}
}
