package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

const preface = `# Results beside the papers

Written by ` + "`go run ./cmd/papertables`" + ` from the runs in [results.jsonl](results.jsonl).
A cell is the mean over splits or seeds ± their standard deviation; in brackets the
paper's figure and our mean minus it. Tables of protocol *paper* choose parameters as
the paper did, those of protocol *honest* from training data alone. A cell without a
figure was not run yet, or its data are absent.
`

// render makes the document of what is in the store. absent names what a job lacks
// to run.
func render(tables []table, s *store, absent func(*job) string) string {
	var w strings.Builder
	w.WriteString(preface)
	for i := range tables {
		fmt.Fprintf(&w, "\n## %s\n\n%s", tables[i].title, tables[i].render(s, absent))
	}
	return w.String()
}

// gathered are the values of a table's cells by split, and what they cost.
type gathered struct {
	values map[cell]map[int]float64
	cpu    float64
	runs   int
}

func (t *table) gather(s *store) gathered {
	g := gathered{values: map[cell]map[int]float64{}}
	for i := range t.jobs {
		for split := 1; split <= t.splits; split++ {
			r, ok := s.lookup(t.name, t.jobs[i].name, split, t.version)
			if !ok {
				continue
			}
			g.cpu += r.CPU
			g.runs++
			for _, f := range r.Figures {
				c := cell{f.Row, f.Column}
				if g.values[c] == nil {
					g.values[c] = map[int]float64{}
				}
				g.values[c][split] = f.Value
			}
		}
	}
	return g
}

// render makes a table's text below its heading.
func (t *table) render(s *store, absent func(*job) string) string {
	g := t.gather(s)
	source := "Protocol " + string(t.protocol) + "."
	if t.source != "" {
		source = t.source + ". " + source
	}
	var w strings.Builder
	fmt.Fprintf(&w, "%s `--run %s`\n\n%s\n\n", source, t.name, strings.TrimSpace(t.about))
	w.WriteString(t.grid(g, absent))
	if lines := t.differences(g); lines != "" {
		w.WriteString("\n" + lines)
	}
	if t.summary != nil && g.runs > 0 {
		w.WriteString("\n" + t.summary(t, g))
	}
	if g.runs > 0 {
		fmt.Fprintf(&w, "\n%d runs, %.0f s of CPU.\n", g.runs, g.cpu)
	}
	return w.String()
}

// grid makes the rows and columns.
func (t *table) grid(g gathered, absent func(*job) string) string {
	var w strings.Builder
	several := t.splits > 1
	head := append([]string{t.corner}, t.columns...)
	if several {
		head = append(head, "splits")
	}
	fmt.Fprintf(&w, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, row := range t.rows {
		fmt.Fprintf(&w, "| %s |", row)
		least, most := math.MaxInt, 0
		for _, column := range t.columns {
			c := cell{row, column}
			fmt.Fprintf(&w, " %s |", t.cellText(c, g.values[c], absent))
			if n := len(g.values[c]); n > 0 {
				least, most = min(least, n), max(most, n)
			}
		}
		switch {
		case !several:
		case most == 0:
			w.WriteString(" 0 |")
		case least == most:
			fmt.Fprintf(&w, " %d |", most)
		default:
			fmt.Fprintf(&w, " %d to %d |", least, most)
		}
		w.WriteString("\n")
	}
	return w.String()
}

// cellText makes the text of one cell.
func (t *table) cellText(c cell, values map[int]float64, absent func(*job) string) string {
	theirs, known := t.paper[c]
	digits := t.digitsOf(c)
	if len(values) == 0 {
		text := t.missing(c, absent)
		if known {
			text += fmt.Sprintf(" (%.*f)", digits, theirs)
		}
		return strings.TrimSpace(text)
	}
	mean, deviation := moments(values)
	text := fmt.Sprintf("%.*f", digits, mean)
	if len(values) > 1 {
		text += fmt.Sprintf(" ± %.*f", digits, deviation)
	}
	if known {
		text += fmt.Sprintf(" (%.*f, %+.*f)", digits, theirs, digits, mean-theirs)
	}
	return text
}

func (t *table) digitsOf(c cell) int {
	if n, ok := t.digits[c.column]; ok {
		return n
	}
	if n, ok := t.digits[c.row]; ok {
		return n
	}
	return 1
}

// missing says why a cell has no figure, where that is known.
func (t *table) missing(c cell, absent func(*job) string) string {
	for i := range t.jobs {
		j := &t.jobs[i]
		if slices.Contains(j.rows, c.row) && (j.columns == nil || slices.Contains(j.columns, c.column)) && absent(j) != "" {
			return "absent"
		}
	}
	return ""
}

// differences makes a line for each pair of columns to compare, over all rows and
// splits that both have.
func (t *table) differences(g gathered) string {
	var w strings.Builder
	for _, pair := range t.compare {
		var parts []string
		for _, row := range t.rows {
			a, b := g.values[cell{row, pair[0]}], g.values[cell{row, pair[1]}]
			d := map[int]float64{}
			for split, v := range a {
				if u, ok := b[split]; ok {
					d[split] = v - u
				}
			}
			if len(d) > 1 {
				mean, deviation := moments(d)
				parts = append(parts, fmt.Sprintf("%s %+.2f ± %.2f", row, mean, deviation/math.Sqrt(float64(len(d)))))
			}
		}
		if len(parts) > 0 {
			fmt.Fprintf(&w, "%s minus %s on the same splits, mean ± standard error: %s.\n", pair[0], pair[1], strings.Join(parts, "; "))
		}
	}
	return w.String()
}

// moments returns the mean and the standard deviation (n-1) of the values, summed
// in the order of splits.
func moments(values map[int]float64) (mean, deviation float64) {
	splits := make([]int, 0, len(values))
	for split := range values {
		splits = append(splits, split)
	}
	slices.Sort(splits)
	for _, split := range splits {
		mean += values[split] / float64(len(values))
	}
	for _, split := range splits {
		deviation += float64((values[split] - mean) * (values[split] - mean))
	}
	return mean, math.Sqrt(deviation / float64(max(len(values)-1, 1)))
}
