package main

import (
	"context"
	"errors"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/rsvm"
)

// gammaOf returns what --gamma says for data with the given number of features, as far as
// that does not depend on their values.
func gammaOf(c *cli.Context, features int) (float64, error) {
	gamma := 0.0
	switch text := c.String("gamma"); text {
	case "", flags.GammaAuto, flags.GammaScale:
	default:
		gamma, _ = flags.Number(text) // the option has seen to it that it is one
	}
	if gamma == 0 && features > 0 {
		gamma = 1 / float64(features)
	}
	if gamma < 0 || math.IsNaN(gamma) || math.IsInf(gamma, 0) {
		return 0, usagef("--gamma %s: expected a finite number above 0, 0 for the default, %s or %s", c.String("gamma"), flags.GammaScale, flags.GammaAuto)
	}
	return gamma, nil
}

// freeGamma reports whether no option says what gamma is to be.
func freeGamma(c *cli.Context) bool {
	switch text := c.String("gamma"); text {
	case "":
		return true
	case flags.GammaAuto, flags.GammaScale:
		return false
	default:
		gamma, _ := flags.Number(text)
		return gamma == 0
	}
}

// scaled returns kernel k with what the words of --gamma say for rows of the given number of
// features, if one is given and k has a gamma. A feature 0 is one more.
func scaled(c *cli.Context, k kernel.Kernel, rows rsvm.Rows, features int) (kernel.Kernel, error) {
	word := c.String("gamma")
	if word != flags.GammaScale && word != flags.GammaAuto || !hasGamma(k) {
		return k, nil
	}
	v, err := tallyOf(rows, max(0, features))
	switch {
	case err != nil:
		return nil, err
	case word == flags.GammaScale:
		gamma, err := v.gamma(rows)
		if err != nil {
			return nil, err
		}
		return withGamma(k, gamma), nil
	case v.features > 0:
		return withGamma(k, 1/float64(v.features)), nil
	}
	return k, nil
}

// A valueTally is what a first pass over rows tells of all their values, zeros included.
type valueTally struct {
	features int64 // with a feature 0 one more than an int of 32 bits may hold
	n, sum   float64
}

// tallyOf counts and adds up the values of rows with features from 1 to the given number,
// and a feature 0 if some row has it.
func tallyOf(rows rsvm.Rows, features int) (valueTally, error) {
	v, zero := valueTally{features: int64(features)}, int64(0)
	for row, err := range rows {
		if err != nil {
			return v, err
		}
		v.n++
		if len(row.X.Index) > 0 && row.X.Index[0] == 0 {
			zero = 1
		}
		for _, x := range row.X.Value {
			v.sum += x
		}
	}
	v.features += zero
	v.n *= float64(v.features)
	return v, nil
}

// gamma returns 1 / (features * variance), where the variance is that of all values of
// the rows, zeros included; 1 where they are all the same. This is scikit-learn's.
func (v valueTally) gamma(rows rsvm.Rows) (float64, error) {
	if v.n == 0 {
		return 1, nil
	}
	mean, squares, listed := v.sum/v.n, 0.0, 0.0
	for row, err := range rows {
		if err != nil {
			return 0, err
		}
		listed += float64(len(row.X.Value))
		for _, x := range row.X.Value {
			squares += float64((x - mean) * (x - mean))
		}
	}
	squares += float64((v.n - listed) * float64(mean*mean))
	if squares == 0 {
		return 1, nil
	}
	gamma := 1 / float64(float64(v.features)*(squares/v.n))
	if !(gamma > 0 && gamma <= math.MaxFloat64) {
		return 0, errors.New("the variance of the features is beyond what --gamma scale can divide by")
	}
	return gamma, nil
}

// columnsOf returns the number of features that encoded rows have columns for, the label's
// place not among them; of rows that are not encoded it is features.
func columnsOf(e *encode.Encoding, features int) int {
	if e == nil {
		return features
	}
	columns := e.Features()
	if e.Class < len(e.Columns)-1 {
		columns-- // the label's place is one of these
	}
	return columns
}

// instancesOf gives the rows of a data set.
func instancesOf(ctx context.Context, d *format.Dataset) rsvm.Rows {
	return func(yield func(format.Instance, error) bool) {
		for i := range d.Len() {
			if i&1023 == 0 && ctx.Err() != nil {
				yield(format.Instance{}, ctx.Err())
				return
			}
			if !yield(format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: weightOf(d, i)}, nil) {
				return
			}
		}
	}
}
