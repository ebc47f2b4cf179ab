package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
)

func inspectCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "say what a data file or a model holds",
		ArgsUsage: "FILE",
		Flags: append(dataFlags(),
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
			&cli.BoolFlag{Name: "rows", Usage: "with --json: print columns and all rows"},
		),
		Action: func(c *cli.Context) error {
			args, err := words(c, 1, 1, "a data file or a model")
			if err != nil {
				return err
			}
			if c.Bool("rows") && !c.Bool("json") {
				return usagef("--rows goes with --json")
			}
			if m := e.asModel(args[0]); m != nil {
				return e.inspectModel(c, m)
			}
			in, err := e.open(c, args[0])
			if err != nil {
				return err
			}
			defer in.close()
			if c.Bool("rows") {
				return e.dump(in)
			}
			return e.inspectData(c, in)
		},
	}
}

// asModel returns the model in a file that begins as one, or nil.
func (e *env) asModel(path string) *models.Model {
	if path == "-" {
		return nil
	}
	f, err := format.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	m, err := models.Read(f)
	if err != nil {
		return nil
	}
	return m
}

func (e *env) inspectModel(c *cli.Context, m *models.Model) error {
	facts := struct {
		Task        string `json:"task"`
		Kernel      string `json:"kernel"`
		Labels      []int  `json:"labels,omitempty"`
		Vectors     int    `json:"vectors"`
		Machines    int    `json:"machines"`
		Numbers     int    `json:"numbers"` // features and coefficients
		Probability bool   `json:"probability"`
		Inputs      bool   `json:"inputs"`
	}{
		Task: m.Task.String(), Kernel: fmt.Sprintf("%T%+v", m.Kernel, m.Kernel), Labels: m.Labels,
		Vectors: m.Vectors.Len(), Machines: len(m.Machines), Numbers: m.Vectors.NNZ(),
		Probability: m.Probability, Inputs: m.Inputs != nil,
	}
	facts.Kernel = strings.TrimPrefix(facts.Kernel, "kernel.")
	for i := range m.Machines {
		facts.Numbers += len(m.Machines[i].Coef)
	}
	if c.Bool("json") {
		return json.NewEncoder(e.stdout).Encode(facts)
	}
	_, err := fmt.Fprintf(e.stdout, "model: %s, kernel %s\n%d classes, %d machines, %d vectors, %d numbers\nprobabilities: %v, columns kept with it: %v\n",
		facts.Task, facts.Kernel, len(m.Labels), facts.Machines, facts.Vectors, facts.Numbers, facts.Probability, facts.Inputs)
	return err
}

// A column is what inspect finds of one.
type column struct {
	Name    string  `json:"name"`
	Type    string  `json:"type"`
	Min     float64 `json:"min"`
	Max     float64 `json:"max"`
	Nonzero int     `json:"nonzero"`
	Missing int     `json:"missing"`
	Labels  int     `json:"labels,omitempty"`
}

func (e *env) inspectData(c *cli.Context, in *input) error {
	var columns []column
	for _, a := range in.header.Attributes {
		columns = append(columns, column{Name: a.Name, Type: typeName(a.Type), Labels: len(a.Labels)})
	}
	rows, listed, features := 0, 0, map[int32]bool{}
	labels := map[float64]int{}
	for {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return in.at(err)
		}
		if rows++; rows&1023 == 0 && c.Context.Err() != nil {
			return c.Context.Err()
		}
		for k, i := range row.X.Index {
			v := row.X.Value[k]
			if v != 0 {
				listed++
			}
			if !in.declared() {
				features[i] = true
				continue
			}
			columns[i].take(v)
		}
		if !in.declared() && len(labels) <= 1000 {
			labels[row.Y]++
		}
	}
	for i := range columns {
		if columns[i].Nonzero+columns[i].Missing < rows { // rows with 0, listed or not
			columns[i].Min, columns[i].Max = min(columns[i].Min, 0), max(columns[i].Max, 0)
		}
	}
	n := len(columns)
	if !in.declared() {
		n = len(features)
	}
	density := 0.0
	if rows > 0 && n > 0 {
		density = float64(listed) / float64(rows) / float64(n)
	}
	if c.Bool("json") {
		return json.NewEncoder(e.stdout).Encode(map[string]any{
			"relation": in.header.Relation, "rows": rows, "columns": columns, "features": n, "density": density, "labels": len(labels),
		})
	}
	fmt.Fprintf(e.stdout, "%d rows, %d columns, %.4g%% not zero\n", rows, n, 100*density)
	if !in.declared() {
		return e.listLabels(labels, rows)
	}
	t := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "column\tname\ttype\tmissing\tvalues")
	for i, k := range columns {
		values := fmt.Sprintf("%g to %g", k.Min, k.Max)
		switch {
		case k.Type == "nominal":
			values = fmt.Sprintf("%d labels", k.Labels)
		case k.Type != "numeric" && k.Type != "date":
			values = ""
		}
		fmt.Fprintf(t, "%d\t%q\t%s\t%d\t%s\n", i+1, k.Name, k.Type, k.Missing, values)
	}
	return t.Flush()
}

func (k *column) take(v float64) {
	switch {
	case math.IsNaN(v):
		k.Missing++
	case v != 0:
		if k.Nonzero == 0 {
			k.Min, k.Max = v, v
		}
		k.Nonzero++
		k.Min, k.Max = min(k.Min, v), max(k.Max, v)
	}
}

// labelsShown is the number of labels up to which inspect counts rows of each.
const labelsShown = 30

func (e *env) listLabels(labels map[float64]int, rows int) error {
	if len(labels) > labelsShown {
		_, err := fmt.Fprintf(e.stdout, "more than %d different labels: targets of a regression?\n", labelsShown)
		return err
	}
	var sorted []float64
	for y := range labels {
		sorted = append(sorted, y)
	}
	slices.Sort(sorted)
	for _, y := range sorted {
		if _, err := fmt.Fprintf(e.stdout, "label %g: %d rows\n", y, labels[y]); err != nil {
			return err
		}
	}
	return nil
}

func typeName(t format.Type) string {
	return [...]string{"numeric", "nominal", "string", "date", "relational"}[t]
}
