package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
	"github.com/slimsvm/slimsvm/models/javasource"
	"github.com/slimsvm/slimsvm/models/pysource"
)

func exportCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write a model for other programs",
		ArgsUsage: "MODEL OUT",
		Description: "With --plain OUT is the same classifier in LIBSVM's own model format: a vector that\n" +
			"several machines share stands once for each class but the last, or once for each\n" +
			"class whose one-vs-rest machine has it. The labels are the same, but where values\n" +
			"of one-vs-rest machines are equal to their last digits; so are the values of\n" +
			"one-vs-one machines.\n" +
			"With --c OUT is a C source file with functions that answer as the model does, and\n" +
			"that need nothing but the C library: the same labels, values and probabilities;\n" +
			"with --java it is a Java class, which needs Java 8 or later and nothing else, with\n" +
			"--python a Python module, which needs Python 3.8 or later and nothing else.\n" +
			"Of a model with declared columns it makes features of these, too; rows that were\n" +
			"scaled before training it scales by --ranges.\n" +
			"LIBSVM's format cannot say ensembles, and no probabilities of one-vs-rest machines.",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "plain", Usage: "in LIBSVM's model format"},
			&cli.BoolFlag{Name: "c", Usage: "in C (C99)"},
			&cli.BoolFlag{Name: "java", Usage: "in Java (8 or later)"},
			&cli.BoolFlag{Name: "python", Usage: "in Python (3.8 or later)"},
			&cli.StringFlag{Name: "name", Usage: "what names in C begin with; the name of the class in Java, after those of its packages, as com.example.Iris; of the module in Python", DefaultText: "the name of OUT, up to the first dot"},
			&cli.StringFlag{Name: "ranges", Usage: "with --c, --java, --python: `FILE` of the ranges by which the rows were scaled, that of svm-scale -s; what is written then scales as well"},
		}, talkFlags()...),
		Action: func(c *cli.Context) error {
			args, err := words(c, 2, 2, "a model file and the file to write")
			if err != nil {
				return err
			}
			if err := e.notBoth(c, args[1], "OUT"); err != nil {
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
				return usagef("export needs to know the one format: --plain is LIBSVM's, --c is C, --java Java, --python Python")
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
	if err := e.writeModel(c, out, plain); err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(e.stdout, exported{Model: out, Vectors: plain.Vectors.Len(), Was: m.Vectors.Len()})
	}
	if !c.Bool("quiet") {
		e.say("%s: %s, were %d", out, count(plain.Vectors.Len(), "vector"), m.Vectors.Len())
	}
	return nil
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
	if err := e.notTwice(place{"the model", model}, place{"the ranges", path}); err != nil {
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
		return printJSON(e.stdout, exported{Model: out, Vectors: n, Was: n})
	}
	if !c.Bool("quiet") {
		e.say("%s: %s, %s; %s", out, count(n, "vector"), count(len(p.Model().Machines), "machine"), l.named(name, out))
	}
	return nil
}

// wideRow is how many numbers a scaled row has from which on its memory is told of: a gigabyte.
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
