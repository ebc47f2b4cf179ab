// Package scale maps features and labels linearly to a chosen interval, as LIBSVM's svm-scale does,
// and keeps the ranges for later data sets.
//
// Measure the training rows with [MeasureAll], or with [Measure.Add] where a program has them in
// memory, get their [Ranges] with [Measure.Ranges], and scale rows with a [Scaler]: see the package
// example. [Read] and [Write] exchange the ranges with svm-scale through its range file.
//
// For rows x_1..x_n, in which a feature that is not listed is 0, the range of feature j is [min_i
// x_ij, max_i x_ij]. Scaling to the limits [l, u] maps
//
//	x_ij -> l + (u-l)*(x_ij-min_j)/(max_j-min_j)
//
// and drops features with min_j = max_j. Labels are scaled in the same way, or stay. Ranges
// measured on training data scale test data too, without clipping.
//
// Index 0, which LIBSVM accepts with a warning, is scaled in rows that list it and not added to
// others. Its range ignores rows that do not list it.
//
// [Printer], [Packer] and [Interner] serve svm-scale itself, which scales large files fast.
package scale

import (
	"errors"
	"fmt"
	"math"
)

// Limits is the interval that a range is scaled to.
type Limits struct {
	Lower, Upper float64 // of the interval
}

// ErrLimits reports limits that are not an interval.
var ErrLimits = errors.New("the lower limit is not below the upper limit")

// Validate returns an error unless both limits are finite and Lower < Upper. It wraps [ErrLimits]
// if neither is infinite.
func (l Limits) Validate() error {
	switch {
	case math.IsInf(l.Lower, 0) || math.IsInf(l.Upper, 0):
		return fmt.Errorf("the limits %g and %g are not finite", l.Lower, l.Upper)
	case !(l.Lower < l.Upper):
		return fmt.Errorf("%w: %g and %g", ErrLimits, l.Lower, l.Upper)
	}
	return nil
}

// A Range is the interval in which values were found.
type Range struct {
	Min, Max float64
}

// Validate returns an error unless both ends are finite and Min <= Max.
func (r Range) Validate() error {
	switch {
	case math.IsInf(r.Min, 0) || math.IsInf(r.Max, 0):
		return fmt.Errorf("the minimum %g and the maximum %g are not finite", r.Min, r.Max)
	case !(r.Min <= r.Max):
		return fmt.Errorf("the minimum %g is above the maximum %g", r.Min, r.Max)
	}
	return nil
}

// Constant reports whether the range is a single value.
func (r Range) Constant() bool { return r.Min == r.Max }

// include widens r to hold v. Of zeros of either sign the later one stays, as in
// LIBSVM, which shows in a range file: "-0".
func (r *Range) include(v float64) {
	if !(r.Max > v) {
		r.Max = v
	}
	if !(r.Min < v) {
		r.Min = v
	}
}

// A Feature is a feature with its range.
type Feature struct {
	Index int32
	Range
}

// Features says how features are scaled. Ranges ascend by index.
type Features struct {
	Limits
	Ranges []Feature
}

// Labels says how labels are scaled.
type Labels struct {
	Limits
	Range
}

// Ranges says how a data set is scaled. It is what a range file holds.
type Ranges struct {
	Y *Labels   // nil: labels stay as they are
	X *Features // nil: features stay as they are; for files without features see Restore
}

// Validate returns an error unless all limits and ranges are valid and the features' indices are
// not negative and ascend.
func (r *Ranges) Validate() error {
	if r == nil {
		return errors.New("no ranges")
	}
	if r.Y != nil {
		if err := errors.Join(r.Y.Limits.Validate(), r.Y.Range.Validate()); err != nil {
			return err
		}
	}
	if r.X == nil {
		return nil
	}
	if err := r.X.Limits.Validate(); err != nil {
		return err
	}
	last := int32(-1)
	for _, f := range r.X.Ranges {
		if f.Index <= last {
			return fmt.Errorf("feature index %d does not follow %d: indices must increase from 0", f.Index, last)
		}
		if err := f.Range.Validate(); err != nil {
			return fmt.Errorf("feature %d: %w", f.Index, err)
		}
		last = f.Index
	}
	return nil
}
