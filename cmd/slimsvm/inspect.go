package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/facts"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
)

func inspectCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "describe a data file or a model",
		ArgsUsage: "FILE",
		Description: "Describes FILE. For data: format, rows, columns or features, labels. For a model:\n" +
			"method, kernel, classes, vectors.\n\n" +
			"  slimsvm inspect iris.arff\n" +
			"  slimsvm inspect iris.model",
		Flags: append(slices.Concat(columnFlags(), weightFlags()),
			&cli.BoolFlag{Name: "json", Usage: "print the description as a JSON object"},
			&cli.BoolFlag{Name: "rows", Usage: "with --json: print the columns and all rows of a data file"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print no warnings or progress"},
		),
		Action: func(c *cli.Context) error {
			args, err := words(c, 1, 1, "a data file or a model")
			if err != nil {
				return err
			}
			if c.Bool("rows") && !c.Bool("json") {
				return usagef("--rows goes with --json")
			}
			return e.inspect(c, args[0])
		},
	}
}

func (e *env) inspect(c *cli.Context, path string) error {
	file, err := e.openInput(path)
	if err != nil {
		return err
	}
	defer file.Close()
	watch := format.NewWatch(file)
	r := bufio.NewReader(file)
	head, _ := r.Peek(64) // an error comes again
	if models.Sniff(head) && c.String("from") == "" {
		m, err := models.Read(r)
		if err = watch.Check(err); err != nil {
			return format.WithPath(err, inputName(path))
		}
		if c.Bool("rows") {
			return usagef("%s is a model, which has no rows", inputName(path))
		}
		w := &warner{env: e, quiet: c.Bool("quiet")}
		w.warnModel(c, inputName(path))
		return e.inspectModel(c, path, m)
	}
	var text io.Reader
	if isStream(path) { // which is not to be had again
		text = r
	}
	in, err := e.openText(c, path, text)
	if err != nil {
		return err
	}
	defer in.close()
	w := &warner{env: e, quiet: c.Bool("quiet")}
	w.warnInput(in)
	if c.Bool("rows") {
		if err := w.passClass(c, in, "columns are printed as they are"); err != nil {
			return err
		}
	}
	class := c.String("class")
	if column := c.String(weightColumn); column != "" {
		if err := in.without(class, []string{column}); err != nil {
			return err
		}
		class = "" // it is the header's own
	}
	if c.Bool("rows") {
		return facts.Dump(e.lines(), in.header, in.readAt)
	}
	found, err := gather(in, class)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return jsonline.Print(e.stdout, found)
	}
	return found.Print(e.stdout)
}

// modelFacts are what there is to say of a model.
type modelFacts struct {
	File        string      `json:"file"`
	Task        string      `json:"task"`
	Kernel      kernelFacts `json:"kernel"`
	Classes     []string    `json:"classes,omitempty"`
	Vectors     int         `json:"vectors"`
	PerClass    []int       `json:"vectors_per_class,omitempty"`
	Machines    int         `json:"machines"`
	Numbers     int         `json:"numbers"` // features and coefficients
	Bytes       int64       `json:"bytes,omitempty"`
	Probability bool        `json:"probability"`
	Multiclass  string      `json:"multiclass,omitempty"` // one_vs_one, one_vs_rest or ensemble
	Method      string      `json:"method,omitempty"`     // this and the next three: of a model that says how it was made
	Seed        *uint64     `json:"seed,omitempty"`
	Parent      int         `json:"parent_vectors,omitempty"`
	Parameters  []string    `json:"parameters,omitempty"` // name=value
	Columns     []string    `json:"columns,omitempty"`    // of the training data, the label's too
	Class       string      `json:"class,omitempty"`      // the label's
}

func (e *env) inspectModel(c *cli.Context, path string, m *models.Model) error {
	f := modelFacts{
		File: path, Task: m.Task.String(), Kernel: kernelOf(m.Kernel), Vectors: m.Vectors.Len(), PerClass: m.Group,
		Machines: machineCount(m), Numbers: m.Vectors.NNZ(), Probability: m.Probability,
	}
	for i := range m.Machines {
		f.Numbers += len(m.Machines[i].Coef)
	}
	if info, err := os.Stat(path); err == nil && !isStream(path) {
		f.Bytes = info.Size()
	}
	if len(m.Labels) > 2 {
		f.Multiclass = m.Vote.String()
	}
	if p := m.Provenance; p != nil {
		f.Method, f.Seed, f.Parent = p.Method, &p.Seed, p.Parent
		for _, a := range p.Parameters {
			f.Parameters = append(f.Parameters, a.Name+"="+a.Value)
		}
	}
	for _, label := range m.Labels {
		f.Classes = append(f.Classes, fmt.Sprint(label))
	}
	inputs, err := inputsOf(m)
	if err != nil {
		return format.WithPath(err, inputName(path))
	}
	if inputs != nil {
		for i := range inputs.Columns {
			f.Columns = append(f.Columns, inputs.Columns[i].Name)
		}
		f.Class = inputs.ClassColumn().Name
	}
	if inputs != nil && inputs.Nominal() {
		for i, label := range m.Labels {
			f.Classes[i] = inputs.LabelText(float64(label))
		}
	}
	if c.Bool("json") {
		return jsonline.Print(e.stdout, f)
	}
	return f.print(e.stdout)
}

func (f *modelFacts) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(what, format string, args ...any) { fmt.Fprintf(t, what+"\t"+format+"\n", args...) }
	line("model", "%s, kernel %v", f.Task, f.Kernel)
	if len(f.Classes) > 0 {
		var classes []string
		for i, label := range f.Classes {
			text := phrase.Word(label)
			if i < len(f.PerClass) {
				text += fmt.Sprintf(" (%s)", phrase.Count(f.PerClass[i], "vector"))
			}
			if classes = append(classes, text); len(classes) == tally.MostShown && len(f.Classes) > tally.MostShown {
				classes = append(classes, "...")
				break
			}
		}
		line("classes", "%d: %s", len(f.Classes), strings.Join(classes, ", "))
	}
	if f.Method != "" {
		by := []string{f.Method, fmt.Sprintf("seed=%d", *f.Seed)}
		for _, p := range f.Parameters {
			by = append(by, firstOf(p))
		}
		line("made by", "%s", strings.Join(by, " "))
	}
	of := ""
	if f.Parent > 0 {
		of = fmt.Sprintf(", of a model with %d", f.Parent)
	}
	line("vectors", "%d%s", f.Vectors, of)
	how := ""
	if f.Multiclass != "" {
		how = ", " + strings.ReplaceAll(f.Multiclass, "_", " ")
	}
	line("machines", "%d%s", f.Machines, how)
	size := ""
	if f.Bytes > 0 {
		size = fmt.Sprintf(", %d bytes", f.Bytes)
	}
	line("size", "%d numbers%s", f.Numbers, size)
	line("probabilities", "%s", map[bool]string{true: "yes", false: "no"}[f.Probability])
	if len(f.Columns) > 0 {
		line("columns", "%d, of which %q is the label's", len(f.Columns), f.Class)
	}
	return t.Flush()
}

// firstOf returns the text of a parameter, and of a list, such as cs's costs of errors of each machine, only the
// first values.
func firstOf(parameter string) string {
	values := strings.SplitN(parameter, ",", tally.MostShown+1)
	if len(values) <= tally.MostShown {
		return parameter
	}
	return strings.Join(values[:tally.MostShown], ",") + ",..."
}
