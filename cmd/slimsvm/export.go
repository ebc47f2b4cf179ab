package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
	"github.com/slimsvm/slimsvm/models/javasource"
	"github.com/slimsvm/slimsvm/models/pysource"
)

func exportCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write a model for LIBSVM, or as C, Java or Python source",
		ArgsUsage: "MODEL OUT",
		Description: "Writes MODEL in another format, as one option says:\n\n" +
			"  slimsvm export --plain small.model libsvm.model\n" +
			"  slimsvm export -c iris.model iris.c\n\n" +
			"--plain writes LIBSVM's own model format. Labels and the decision values of\n" +
			"one-vs-one models stay the same. Labels of one-vs-rest models can differ where\n" +
			"decision values agree to their last digits. A vector that several machines share\n" +
			"is written once for each class but the last, or once for each class whose\n" +
			"one-vs-rest machine has it. LIBSVM's format has no ensembles, and no\n" +
			"probabilities of one-vs-rest models.\n\n" +
			"-c, --java and --python write source code that gives the same labels, decision\n" +
			"values and probabilities as the model, and needs only the standard library of\n" +
			"the language. If the model has declared columns, the code also turns them into\n" +
			"features. If the rows were scaled before training, name the ranges by --ranges.",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "plain", Usage: "write LIBSVM's model format"},
			&cli.BoolFlag{Name: "c", Usage: "write C source (C99)"},
			&cli.BoolFlag{Name: "java", Usage: "write a Java class (Java 8 or later)"},
			&cli.BoolFlag{Name: "python", Usage: "write a Python module (Python 3.8 or later)"},
			&cli.StringFlag{Name: "name", Usage: "prefix of all names in C; name of the class in Java, packages included (com.example.Iris); name of the module in Python", DefaultText: "the name of OUT, up to the first dot"},
			&cli.StringFlag{Name: "ranges", Usage: "with -c, --java, --python: `FILE` of ranges (svm-scale -s, slimsvm scale --save) by which the training rows were scaled; the written code then scales rows itself"},
		}, talkFlags()...),
		Action: func(c *cli.Context) error {
			args, err := words(c, 2, 2, "a model file and the file to write")
			if err != nil {
				return err
			}
			if err := e.notBothToStdout(c, args[1], "OUT"); err != nil {
				return err
			}
			var chosen *language
			formats := 0
			if c.Bool("plain") {
				formats++
			}
			for i := range languages {
				if c.Bool(languages[i].flag) {
					chosen = &languages[i]
					formats++
				}
			}
			switch {
			case formats != 1:
				return usagef("export takes exactly one of --plain (LIBSVM's format), --c, --java and --python")
			case isSet(c, "name") && chosen == nil:
				return usagef("--name is for names in source files, and --plain writes none")
			case isSet(c, "ranges") && chosen == nil:
				return usagef("--ranges is for scaling in source files, and --plain writes none")
			case chosen != nil:
				return e.exportSource(c, chosen, args[0], args[1])
			}
			return e.export(c, args[0], args[1])
		},
	}
}

// A language is one that models are written in as source files.
type language struct {
	flag        string
	checkName   func(name string) error
	write       func(w io.Writer, m *models.Model, name string) error
	writeScaled func(w io.Writer, m *models.Model, name string, r *scale.Ranges) error
	// named says what has the name, in a file.
	named func(name, file string) string
}

var languages = []language{
	{"c", csource.CheckName, csource.Write, csource.WriteScaled, func(name, _ string) string { return "names begin with " + name + "_" }},
	{"java", javasource.CheckName, javasource.Write, javasource.WriteScaled, func(name, file string) string {
		return "class " + name + misnamed(name[strings.LastIndexByte(name, '.')+1:]+".java", file)
	}},
	{"python", pysource.CheckName, pysource.Write, pysource.WriteScaled, func(name, file string) string {
		return "module " + name + misnamed(name+".py", file)
	}},
}

// misnamed says how a file has to be named that has another name than its language wants.
func misnamed(wants, file string) string {
	if file == "-" || filepath.Base(file) == wants {
		return ""
	}
	return ", which belongs in a file " + wants
}

// exported is what --json says of a model.
type exported struct {
	Model   string `json:"model"`
	Vectors int    `json:"vectors"`
	Was     int    `json:"was"` // the vectors of the model that was read
}

func (e *env) export(c *cli.Context, model, out string) error {
	to := place{"OUT", out}
	if err := e.apart(to, replaced(to, place{"MODEL", model})...); err != nil {
		return err
	}
	p, _, err := e.loadModel(model)
	if err != nil {
		return err
	}
	model = inputName(model)
	m := p.Model()
	plain, err := models.Lower(m)
	if errors.Is(err, models.ErrProbability) {
		err = hinted{err, "train without --probability"}
	}
	if err != nil {
		return format.WithPath(err, model)
	}
	if err := e.writeModel(c, out, withDigits(plain)); err != nil {
		return err
	}
	if c.Bool("json") {
		return jsonline.Print(e.stdout, exported{Model: out, Vectors: plain.Vectors.Len(), Was: m.Vectors.Len()})
	}
	if !c.Bool("quiet") {
		e.say("%s: %s, were %d", out, phrase.Count(plain.Vectors.Len(), "vector"), m.Vectors.Len())
	}
	return nil
}

// withDigits returns a model to be written with all digits of its vectors. A file in LIBSVM's format may have more than
// the eight that LIBSVM writes, such as one that was written here.
func withDigits(m *models.Model) *models.Model {
	if m.Origin != nil || m.Extended() {
		return m
	}
	all := *m
	all.Origin = make([]int, m.Vectors.Len()) // 0, of a synthetic vector, is for all digits
	var text []byte
	for i := range all.Origin {
		if !slices.ContainsFunc(m.Vectors.Row(i).Value, func(v float64) bool {
			text = textscan.AppendG(text[:0], v, 8)
			read, _, _ := textscan.Float(text)
			return read != v
		}) {
			all.Origin[i] = i + 1
		}
	}
	return &all
}

// exportSource writes a model as a source file.
func (e *env) exportSource(c *cli.Context, l *language, model, out string) error {
	name := c.String("name")
	if !isSet(c, "name") {
		base := "model"
		if out != "-" {
			base, _, _ = strings.Cut(filepath.Base(out), ".")
		}
		name = csource.Name(base)
	}
	if err := l.checkName(name); err != nil {
		return usageError{fmt.Errorf("--name: %w", err)}
	}
	path := c.String("ranges")
	if err := e.notBothFromStdin(place{"the model", model}, place{"the ranges", path}); err != nil {
		return err
	}
	if err := e.apart(place{"OUT", out}, place{"MODEL", model}, place{"--ranges", path}); err != nil {
		return err
	}
	p, _, err := e.loadModel(model)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return l.write(w, p.Model(), name) }
	var scaled *scale.Ranges
	if isSet(c, "ranges") {
		ranges, columns, err := e.readRanges(path)
		if err != nil {
			return err
		}
		scaled = ranges
		if columns != nil {
			return format.WithPath(errors.New("the ranges are of declared columns, and --ranges takes those of features"), inputName(path))
		}
		write = func(w io.Writer) error {
			err := l.writeScaled(w, p.Model(), name, ranges)
			if errors.Is(err, csource.ErrRanges) { // every language's
				return format.WithPath(err, inputName(path))
			}
			return err
		}
	}
	f, err := e.create(c.Context, out)
	if err != nil {
		return err
	}
	defer f.Abort()
	(&warner{env: e, quiet: c.Bool("quiet")}).warnWide(out, p.Model(), scaled)
	if err := write(f); err != nil {
		return err
	}
	if err := format.CloseAll(f); err != nil {
		return err
	}
	n := p.Model().Vectors.Len()
	if c.Bool("json") {
		return jsonline.Print(e.stdout, exported{Model: out, Vectors: n, Was: n})
	}
	if !c.Bool("quiet") {
		e.say("%s: %s, %s; %s", out, phrase.Count(n, "vector"), phrase.Count(len(p.Model().Machines), "machine"), l.named(name, out))
	}
	return nil
}

// wideRow is how many numbers a scaled row has from which on there is a warning of its memory: a gigabyte.
const wideRow = 1 << 27

// warnWide tells of ranges with features so far behind the model's that scaled rows, which have all of
// them, need much memory.
func (w *warner) warnWide(out string, m *models.Model, r *scale.Ranges) {
	if r == nil || r.X == nil {
		return
	}
	last := int32(0)
	for _, f := range r.X.Ranges {
		if !f.Constant() {
			last = f.Index
		}
	}
	if last >= wideRow {
		w.warn("%s: the ranges have a feature %d, and each row that is scaled takes %.3g GB: it has all features up to that one, of which the model's vectors have %d",
			out, last, float64(last)*8/1e9, m.Vectors.MaxIndex())
	}
}
