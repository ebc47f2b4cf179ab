package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/slimsvm/slimsvm/cmd/internal/argv"
	"github.com/slimsvm/slimsvm/cmd/internal/usagetext"
	"github.com/slimsvm/slimsvm/format/scale"
)

// options is a command line.
type options struct {
	x             scale.Limits
	y             *scale.Limits // nil: labels stay
	save, restore *string       // nil: not given
	data          string
	values        argv.Numbers // which limits were not the numbers that they are read as
}

// errUsage reports a command line with no or too many file names.
var errUsage = errors.New("one data file is expected")

// parseOptions reads the command line. Faults come in LIBSVM's order.
func parseOptions(args []string) (*options, error) {
	o := &options{x: scale.Limits{Lower: -1, Upper: 1}}
	rest, err := argv.Parse(args, arity, o.set)
	if err != nil {
		return nil, err
	}
	if !(o.x.Upper > o.x.Lower) || o.y != nil && !(o.y.Upper > o.y.Lower) {
		return nil, o.values.Because(scale.ErrLimits)
	}
	if o.restore != nil && o.save != nil {
		return nil, errors.New("cannot use -r and -s simultaneously")
	}
	if len(rest) != 1 {
		return nil, errUsage
	}
	limits := []float64{o.x.Lower, o.x.Upper}
	if o.y != nil {
		limits = append(limits, o.y.Lower, o.y.Upper)
	}
	for _, l := range limits {
		if math.IsInf(l, 0) {
			return nil, fmt.Errorf("%w: limits must be finite", scale.ErrLimits)
		}
	}
	o.data = rest[0]
	return o, nil
}

func arity(letter byte) int {
	switch letter {
	case 'l', 'u', 's', 'r':
		return 1
	case 'y':
		return 2
	}
	return -1
}

func (o *options) set(opt argv.Option) error {
	switch v := opt.Values; opt.Letter {
	case 'l':
		o.x.Lower = o.values.Real(opt.Word, v[0])
	case 'u':
		o.x.Upper = o.values.Real(opt.Word, v[0])
	case 'y':
		o.y = &scale.Limits{Lower: o.values.Real(opt.Word, v[0]), Upper: o.values.Real(opt.Word, v[1])}
	case 's':
		o.save = &v[0]
	case 'r':
		o.restore = &v[0]
	}
	return nil
}

// reportOptions tells the user what is wrong with the command line.
func reportOptions(err error, stdout, stderr io.Writer) {
	var unknown *argv.UnknownError
	switch {
	case errors.As(err, &unknown):
		fmt.Fprintln(stderr, "unknown option")
	case errors.Is(err, scale.ErrLimits):
		reason := strings.TrimPrefix(err.Error(), scale.ErrLimits.Error())
		fmt.Fprintln(stderr, "inconsistent lower/upper specification"+reason)
		return
	case errors.Is(err, errUsage):
	default:
		fmt.Fprintln(stderr, err)
		var missing *argv.MissingError
		if !errors.As(err, &missing) {
			return
		}
	}
	io.WriteString(stdout, usagetext.Scale)
}
