package chart

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// MinFeatures returns the smallest number of features of a picture of a model.
func MinFeatures(m *models.Model) int {
	if m.Task.Classifies() {
		return 2
	}
	return 1
}

// A Drawing is a picture of a model by two features, or of a regression by one. Places are in units from the left
// and from the top of its frame.
type Drawing struct {
	p          *predict.Predictor
	rows       *format.Dataset
	features   []int32            // one or two
	low, scale [2]float64         // units of the picture from them: (v - low) scale
	others     vec.Vector         // the other features, at their means
	plane      *predict.Predictor // answers as p does, for points with third as their third feature; nil: p itself does
	third      float64
	margin     int              // rows at or inside the margin
	encoding   *encode.Encoding // nil: features have numbers only
	picture.Frame
}

// NewDrawing returns the drawing of a model and of rows by the chosen features, the others at their
// means, or if chosen is nil by all. encoding may be nil. The error is a *TooManyFeaturesError if
// there are too many features and none is chosen; others say that there are too few, or no rows, or
// that features have no range to draw.
func NewDrawing(p *predict.Predictor, encoding *encode.Encoding, rows *format.Dataset, chosen []int32) (*Drawing, error) {
	if rows.Len() == 0 {
		return nil, train.ErrNoData
	}
	d := &Drawing{p: p, rows: rows, encoding: encoding}
	used := chosen
	if chosen == nil {
		var err error
		if used, err = d.used(); err != nil {
			return nil, err
		}
	} else {
		d.setOthers(chosen)
	}
	d.features = used
	for k, f := range used {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range rows.Len() {
			v := rows.X.Row(i).At(f)
			low, high = min(low, v), max(high, v)
		}
		width := high - low
		d.low[k], d.scale[k] = low-width/40, drawingSide/(width*1.05)
		if end := d.low[k] + drawingSide/d.scale[k]; !(width > 0) || math.IsInf(d.scale[k], 0) || math.IsInf(d.low[k], 0) || math.IsInf(end, 0) {
			return nil, fmt.Errorf("feature %d has no range that can be drawn: %v to %v", f, low, high)
		}
	}
	d.setPlane()
	return d, nil
}

// A TooManyFeaturesError says that there are more features than a picture has axes, and some have
// to be chosen.
type TooManyFeaturesError struct{ features [3]int32 }

// Error implements error.
func (e *TooManyFeaturesError) Error() string {
	return fmt.Sprintf("there are more than two features: %d, %d, %d", e.features[0], e.features[1], e.features[2])
}

// used returns all features, if they can be drawn.
func (d *Drawing) used() ([]int32, error) {
	p, rows := d.p, d.rows
	var used []int32
	for _, m := range []*vec.Matrix{&rows.X, &p.Model().Vectors} {
		for i := range m.Len() {
			for _, f := range m.Row(i).Index {
				if !slices.Contains(used, f) {
					used = append(used, f)
				}
				if len(used) > 2 { // at once, since a row may have very many
					return nil, &TooManyFeaturesError{[3]int32(used)}
				}
			}
		}
	}
	if least := MinFeatures(p.Model()); len(used) < least {
		return nil, fmt.Errorf("%s: a picture needs %s", phrase.Count(len(used), "feature"), [...]string{1: "one", 2: "two"}[least])
	}
	slices.Sort(used)
	return used, nil
}

// at returns the vector drawn at a place.
func (d *Drawing) at(x, y float64) vec.Vector { return d.with(d.values(x, y)) }

// values returns the values of the features at a place; of one feature, the second has no meaning.
func (d *Drawing) values(x, y float64) (a, b float64) {
	a = d.low[0] + x/d.scale[0]
	if len(d.features) > 1 {
		b = d.low[1] + (drawingSide-y)/d.scale[1]
	}
	return a, b
}

// place returns the place where a vector is drawn in the plane of two features.
func (d *Drawing) place(v vec.Vector) (x, y float64) {
	return (v.At(d.features[0]) - d.low[0]) * d.scale[0], drawingSide - float64((v.At(d.features[1])-d.low[1])*d.scale[1])
}

// onMargin is how far beyond the margin a row may be that counts as on it.
const onMargin = 1e-6

// HasMargin reports whether there is one machine of two classes, which has a margin.
func (d *Drawing) HasMargin() bool {
	m := d.p.Model()
	return len(m.Labels) == 2 && len(m.Machines) == 1 && m.Vote != models.Ensemble
}

// Margin returns how many rows of two classes are at or inside the margin. The picture has to be drawn before.
func (d *Drawing) Margin() int { return d.margin }

// inMargin returns the rows of two classes that are not beyond the margin, and counts
// them.
func (d *Drawing) inMargin(ctx context.Context) (rows []int) {
	m := d.p.Model()
	if !d.HasMargin() {
		return nil
	}
	value, every := make([]float64, 1), make([]int, d.rows.Len())
	for i := range every {
		every[i] = i
	}
	if err := train.Decide(ctx, d.p, &d.rows.X, every, func(b *predict.Batch, at, i int) {
		b.Decisions(value, at)
		if int(d.rows.Y[i]) != m.Labels[0] {
			value[0] = -value[0]
		}
		if value[0] <= 1+onMargin {
			rows = append(rows, i)
		}
	}); err != nil {
		return nil
	}
	d.margin = len(rows)
	return rows
}
