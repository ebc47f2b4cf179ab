package plantest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// A Columned is a model with declared columns. In has rows of these columns, as lines of words
// without the model's number. Want has what a program must print for them: the answer, the values,
// and the features.
type Columned struct {
	Model    *models.Model
	In, Want []string
}

// Hostile has labels that could be mistaken for something else in source files or their comments.
var Hostile = []string{
	"plain", "", "l m", `q"?"`, `"""`, "'''", "'", `\`, `\"`, `\u0022`, `\u000a`, `\N{BEL}`, `C:\users`, "*/", "/*", "//", "??/", "#", "%s%d%", "@", "{@code",
	"<b>&amp;", "${x}", "$row", "$arg", "\n", "\r\n", "\t", "\x00", "\x7f", "é", "日本", "𝒳", "\u2028", "\ufeff", "\ufffd", "I", "ı", "1", "NaN", "null", "None", " x", "x ",
}

// Columns returns classifiers and regressions with columns of all types, all ways of scaling, and
// hostile labels.
func Columns(rng *rand.Rand) (all []Columned, err error) {
	for _, scaling := range []encode.Scaling{encode.None, encode.Normalize, encode.Standardize} {
		for _, task := range []models.Task{models.CSVC, models.EpsilonSVR} {
			h := &format.Header{Relation: "r", Class: 8, Attributes: []format.Attribute{
				{Name: `a "*/ b??/ \u0022 </ul>`, Type: format.Numeric},
				{Name: "c\n", Type: format.Nominal, Labels: append(slices.Clone(Hostile), "?")},
				{Name: "k", Type: format.Nominal, Labels: []string{"k"}},
				{Name: "none", Type: format.Nominal, Labels: []string{}},
				{Name: "d", Type: format.Nominal, Labels: []string{"n", `\u`}},
				{Name: "w", Type: format.Date, Pattern: "yyyy"},
				{Name: "f", Type: format.Numeric},
				{Name: "many", Type: format.Nominal},
				{Name: "class", Type: format.Nominal, Labels: []string{`"\u0022é` + "\n", "b", "*/"}},
			}}
			for i := range 40 {
				h.Attributes[7].Labels = append(h.Attributes[7].Labels, strconv.Itoa(i))
			}
			if task.Regresses() {
				h.Attributes[8] = format.Attribute{Name: "y", Type: format.Numeric}
			}
			one, err := columned(rng, h, scaling, task)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// columned makes a model of columns with random rows.
func columned(rng *rand.Rand, h *format.Header, scaling encode.Scaling, task models.Task) (c Columned, err error) {
	d := &format.Dataset{Header: h}
	for range 60 {
		d.X.Append(columnRow(rng, h))
		d.Y = append(d.Y, 0)
	}
	e, err := encode.Fit(context.Background(), d, encode.Options{Scaling: scaling})
	if err != nil {
		return c, err
	}
	density := 0.9
	if scaling == encode.None {
		density = 0.2
	}
	m := Shape{Task: task, Kernel: kernel.RBF{Gamma: 1e-3}, Classes: 3, Vectors: 5, First: 1, Width: e.Features(), Density: density}.Model(rng)
	if task.Regresses() {
		m.Labels = nil
	} else {
		m.Labels = []int{1, 0, 2}
	}
	if m.Inputs, err = e.MarshalText(); err != nil {
		return c, err
	}
	c.Model = m
	p, err := predict.New(m)
	if err != nil {
		return c, err
	}
	// later data have labels that training did not have
	later := &format.Header{Relation: h.Relation, Class: h.Class, Attributes: slices.Clone(h.Attributes)}
	for i := range later.Attributes {
		if a := &later.Attributes[i]; a.Type == format.Nominal && len(a.Labels) > 0 {
			a.Labels = append(slices.Clone(a.Labels), "unknown to training")
		}
	}
	mapper, err := e.Mapper(later)
	if err != nil {
		return c, err
	}
	for range 80 {
		raw := columnRow(rng, later)
		var x vec.Vector
		mapper.Row(&x, raw)
		values := make([]float64, len(m.Machines))
		p.Decisions(values, x)
		var want []string
		if answer := p.Predict(x); task.Regresses() {
			want = append(want, Bits(e.Target(answer)))
		} else {
			want = append(want, Text(e.LabelText(answer)))
		}
		for _, v := range values {
			want = append(want, Bits(v))
		}
		for j := range e.Features() {
			want = append(want, Bits(x.At(int32(j+1))))
		}
		words := [2][]string{{"c"}, {"c"}} // with texts and with numbers
		for i := range later.Attributes {
			a := &later.Attributes[i]
			if i == later.Class {
				continue
			}
			text, number := "-", "n7ff8000000000000"
			switch v := raw.At(int32(i)); {
			case math.IsNaN(v):
				if (a.Type != format.Nominal || a.Name == "d") && rng.IntN(2) == 0 {
					text = Text("?")
				}
			case a.Type == format.Nominal:
				text = Text(a.Labels[int(v)])
				if int(v) == len(h.Attributes[i].Labels) {
					v = -1
				}
				number = "n" + Bits(v)
			default:
				text, number = Text(strconv.FormatFloat(v, 'g', -1, 64)), "n"+Bits(v)
			}
			words[0], words[1] = append(words[0], text), append(words[1], number)
		}
		for i := range words {
			c.In = append(c.In, strings.Join(words[i], " "))
			c.Want = append(c.Want, strings.Join(want, " "))
		}
	}
	return c, nil
}

// columnRow returns a random row with the columns of a header.
func columnRow(rng *rand.Rand, h *format.Header) (x vec.Vector) {
	for i := range h.Attributes {
		a := &h.Attributes[i]
		v := math.Ldexp(rng.NormFloat64(), rng.IntN(8)-4)
		switch {
		case a.Name == "f":
			v = 7
		case a.Type == format.Nominal && len(a.Labels) > 0:
			v = float64(rng.IntN(len(a.Labels)))
		case a.Type == format.Nominal:
			v = math.NaN()
		case a.Type == format.Date:
			v = float64(rng.Int64N(1e12))
		}
		if i != h.Class && rng.IntN(6) == 0 {
			v = math.NaN()
		}
		x.Index, x.Value = append(x.Index, int32(i)), append(x.Value, v)
	}
	return x
}
