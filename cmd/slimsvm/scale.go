package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/scaling"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/scale"
)

func scaleCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "scale",
		Usage:     "scale features to an interval, like svm-scale, in any format",
		ArgsUsage: "IN OUT",
		Description: "Maps every feature linearly from its range in IN to an interval, [-1,1] by\n" +
			"default, and writes the result to OUT. For training and test data:\n\n" +
			"  slimsvm scale --save ranges train.arff train.scaled.arff\n" +
			"  slimsvm scale --restore ranges test.arff test.scaled.arff\n\n" +
			"A feature that has the same value in all rows becomes 0. In ARFF and CSV, numeric\n" +
			"columns are scaled; nominal columns, dates, text and missing values stay as they\n" +
			"are. --restore finds columns by name, features of LIBSVM files by number. Range\n" +
			"files have svm-scale's format. IN is read twice.",
		Flags: append(append(columnFlags(), weightColumnFlag(", which is not scaled"),
			flags.Float{Float64Flag: &cli.Float64Flag{Name: "lower", Value: -1, Usage: "lower end of the target interval"}},
			flags.Float{Float64Flag: &cli.Float64Flag{Name: "upper", Value: 1, Usage: "upper end of the target interval"}},
			flags.Float{Float64Flag: &cli.Float64Flag{Name: "y-lower", Usage: "also scale numeric labels: lower end of their interval", DefaultText: "labels are not scaled"}},
			flags.Float{Float64Flag: &cli.Float64Flag{Name: "y-upper", Usage: "also scale numeric labels: upper end of their interval", DefaultText: "labels are not scaled"}},
			&cli.StringFlag{Name: "save", Usage: "write the ranges of the features to `FILE`"},
			&cli.StringFlag{Name: "restore", Usage: "scale by the ranges and the interval in `FILE`, which --save or svm-scale -s wrote"},
			&cli.StringFlag{Name: "to", Usage: "`FORMAT` of OUT: " + strings.Join(outFormatNames(), ", "), DefaultText: "by its name, else that of IN"},
		), talkFlags()...),
		Action: func(c *cli.Context) error {
			args, err := words(c, 2, 2, "a data file and the file to write")
			if err != nil {
				return err
			}
			if err := e.notBothToStdout(c, args[1], "OUT"); err != nil {
				return err
			}
			if err := e.notBothToStdout(c, c.String("save"), "the ranges"); err != nil {
				return err
			}
			return e.scale(c, args[0], args[1])
		},
	}
}

// inOrder returns wrong usage if no interval has the limits that two options name.
func inOrder(c *cli.Context, l scale.Limits, lower, upper string) error {
	switch {
	case l.Validate() == nil:
		return nil
	case isSet(c, lower) && isSet(c, upper):
		return usagef("--%s %s and --%s %s: expected the lower one first", lower, flags.Typed(c, lower), upper, flags.Typed(c, upper))
	case isSet(c, lower):
		return usagef("--%s %s: expected a number below --%s, which is %s", lower, flags.Typed(c, lower), upper, flags.Typed(c, upper))
	}
	return usagef("--%s %s: expected a number above --%s, which is %s", upper, flags.Typed(c, upper), lower, flags.Typed(c, lower))
}

// limits returns the intervals that the options name; y is nil if labels stay.
func limits(c *cli.Context) (x scale.Limits, y *scale.Limits, err error) {
	for _, name := range []string{"lower", "upper", "y-lower", "y-upper"} {
		if err := inRange(c, name, finite); err != nil {
			return x, nil, err
		}
	}
	x = scale.Limits{Lower: c.Float64("lower"), Upper: c.Float64("upper")}
	if err := inOrder(c, x, "lower", "upper"); err != nil {
		return x, nil, err
	}
	if isSet(c, "y-lower") != isSet(c, "y-upper") {
		return x, nil, usagef("--y-lower and --y-upper go together")
	}
	if isSet(c, "y-lower") {
		y = &scale.Limits{Lower: c.Float64("y-lower"), Upper: c.Float64("y-upper")}
		if err := inOrder(c, *y, "y-lower", "y-upper"); err != nil {
			return x, nil, err
		}
	}
	if isSet(c, "save") && isSet(c, "restore") {
		return x, nil, usagef("--save and --restore do not go together")
	}
	if isSet(c, "restore") && (isSet(c, "lower") || isSet(c, "upper")) {
		return x, nil, usagef("--restore takes the interval from its file: leave out --lower and --upper")
	}
	return x, y, nil
}

// A rescaling is the work of the command on one file.
type rescaling struct {
	*warner
	c       *cli.Context
	x       scale.Limits
	y       *scale.Limits
	in      *input
	columns *scaling.Columns // nil: the data declare none
	ranges  *scale.Ranges
	scaler  *scale.Scaler
	pairs   [2]int64 // listed values, before and after
	out     format.Instance
}

func (e *env) scale(c *cli.Context, from, to string) error {
	s := &rescaling{c: c, warner: &warner{env: e, quiet: c.Bool("quiet")}}
	var err error
	if s.x, s.y, err = limits(c); err != nil {
		return err
	}
	if err := e.scalesApart(c, from, to); err != nil {
		return err
	}
	t, in, err := e.openRereadable(c, from)
	if err != nil {
		return err
	}
	defer t.close()
	s.warnInput(in)
	if err := s.warnComments(c, in, from, to); err != nil {
		return err
	}
	codec, how, err := scaledTarget(c, in, to)
	if err != nil {
		return err
	}
	s.in = in
	if err := s.measure(); err != nil {
		return err
	}
	if s.in, err = t.reopen(); err != nil {
		return err
	}
	out, err := e.create(c.Context, to)
	if err != nil {
		return err
	}
	defer out.Abort()
	dst := codec.NewWriter(out)
	if s.columns != nil && !s.columns.ScalesLabel() { // a label's digits are all it is
		copyDigits(s.in, dst, &warner{env: e, quiet: c.Bool("quiet")}, s.columns.Label())
	}
	rows, err := format.Copy(rowWriter{dst, s.in}, &laidOut{Reader: s, layout: how})
	if err != nil {
		return in.at(err)
	}
	did := written{Rows: rows, From: in.Codec.Name, To: codec.Name, Out: to, Features: len(s.ranges.X.Ranges)}
	if err := s.finish(out, from, to, &did); err != nil {
		return err
	}
	if s.columns == nil && s.pairs[1] > s.pairs[0] {
		s.warn("%d values became %d, since zeros did not stay zeros: --lower 0 keeps them where no value is negative", s.pairs[0], s.pairs[1])
	}
	if !c.Bool("json") {
		return nil
	}
	return jsonline.Print(e.stdout, did)
}

// scalesApart returns wrong usage if files that are written are one, or one that is
// read. The data may be replaced by what becomes of them.
func (e *env) scalesApart(c *cli.Context, from, to string) error {
	if err := e.notBothFromStdin(place{"the data", from}, place{"the ranges", c.String("restore")}); err != nil {
		return err
	}
	out, ranges := place{"OUT", to}, place{"--save", c.String("save")}
	if err := e.distinct(out, ranges, place{"the file of names", namesOfOutput(to)}); err != nil {
		return err
	}
	in, names := place{"IN", from}, place{"the file of names", namesOfInput(from)}
	if err := e.apart(ranges, in, names); err != nil {
		return err
	}
	return e.apart(out, append(replaced(out, in), names, place{"--restore", c.String("restore")})...)
}

// scaledTarget returns the format to write: by --to, the name, or that of the input.
func scaledTarget(c *cli.Context, in *input, to string) (format.Codec, layout, error) {
	codec, how, err := target(c, to)
	if err != nil && c.String("to") == "" {
		codec, err = in.Codec, nil
	}
	if err == nil && datafile.Declares(codec) != in.declared() {
		err = usagef("scaling %s into %s takes slimsvm convert as well: only one of the two declares columns", in.Codec.Name, codec.Name)
	}
	return codec, how, err
}

// measure reads all rows and finds how they are scaled.
func (s *rescaling) measure() error {
	m := new(scale.Measure)
	if s.in.declared() {
		class, err := encode.FindClass(s.in.header, s.c.String("class"))
		if err != nil {
			return s.in.at(err)
		}
		if s.columns, err = scaling.New(s.in.header, class, s.in.WeightColumn(), s.y != nil); err != nil {
			return s.in.at(err)
		}
	}
	for {
		row, err := s.in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return s.in.at(err)
		}
		s.pairs[0] += int64(len(row.X.Index))
		if s.columns == nil {
			m.Add(row.Y, row.X)
		} else if err := s.columns.Measure(row.X); err != nil {
			return s.in.here(err)
		}
	}
	own := m.Ranges(s.x, s.y)
	if s.columns != nil {
		own = s.columns.Ranges(s.x, s.y)
	}
	s.ranges = own
	if path := s.c.String("restore"); path != "" {
		if err := s.restore(path, own); err != nil {
			return err
		}
	}
	s.scaler = scale.NewScaler(s.ranges)
	return nil
}

// restore replaces the data's own ranges by those of a file.
func (s *rescaling) restore(path string, own *scale.Ranges) error {
	file, names, err := s.readRanges(path)
	if err != nil {
		return err
	}
	if file.Y != nil && s.y != nil {
		return usagef("--restore takes the intervals from its file, and %s has one for labels: leave out --y-lower and --y-upper", inputName(path))
	}
	if s.columns != nil && file.X != nil && s.c.String("class") == "" {
		s.columns.Relabel(file, names)
		own = s.columns.Ranges(s.x, s.y)
	}
	if s.columns != nil && file.X != nil {
		if err := s.columns.SetRanges(file, names); err != nil {
			return hinted{format.WithPath(err, inputName(path)),
				"are these the ranges of other data? Those that slimsvm scale --save keeps of declared columns are found by name"}
		}
	}
	var unseen []int32
	s.ranges, unseen = scale.Restore(file, own)
	for _, i := range unseen {
		what := fmt.Sprintf("feature %d", i)
		if s.columns != nil {
			what = fmt.Sprintf("column %q", s.in.header.Attributes[i-1].Name)
		}
		s.warn("%s: %s has no range in %s and becomes 0: save the ranges of data that have it", s.in.path, what, inputName(path))
	}
	switch {
	case s.columns == nil || s.ranges.Y == nil && s.y == nil:
	case s.columns.Label() >= 0:
		if err := s.columns.ScaleLabel(); err != nil {
			return s.in.at(err)
		}
	case s.y != nil:
		s.warn("%s: all columns are features by %s, and none the label, where %s", s.in.path, inputName(path), noEffect([]string{"--y-lower", "--y-upper"}))
	}
	return nil
}

// Header returns the header of the data.
func (s *rescaling) Header() (*format.Header, error) {
	if s.columns == nil {
		return s.in.Header()
	}
	h := *s.in.header
	h.Class = s.columns.Label()
	return &h, nil
}

// Read returns the next row, scaled.
func (s *rescaling) Read() (format.Instance, error) {
	row, err := s.in.Read()
	if err != nil {
		return row, err
	}
	x := s.out.X
	s.out = row
	s.out.X = x
	if s.columns != nil {
		err = s.columns.Row(&s.out.X, row.X, s.scaler)
	} else if s.out.Y, err = s.scaler.Label(row.Y); err == nil {
		err = s.scaler.RowTo(&s.out.X, row.X)
	}
	s.pairs[1] += int64(len(s.out.X.Index))
	return s.out, s.in.here(err)
}

// finish ends the file, and writes the ranges and names that go with it.
func (s *rescaling) finish(out *format.Output, from, to string, did *written) error {
	o := &dataOutput{Output: out, warner: s.warner, path: to}
	if save := s.c.String("save"); save != "" {
		ranges, err := s.create(s.c.Context, save)
		if err != nil {
			return err
		}
		defer ranges.Abort()
		if err := rangeFile(s.ranges, s.in.header, s.columns).Write(ranges); err != nil {
			return err
		}
		o.also = append(o.also, ranges)
	}
	if s.columns != nil {
		return format.CloseAll(append(o.also, out)...)
	}
	var err error
	if o.file = namesOfOutput(to); o.file != "" {
		if o.kept, err = s.names(from); err != nil {
			return err
		}
	}
	did.Names, err = o.finish(s.c)
	return err
}

// names returns the names beside the data, which say so where scaled numbers are not
// the columns' own values any more: features of labels, and labels.
func (s *rescaling) names(from string) (*names, error) {
	n, err := s.carried(from)
	if n == nil {
		return nil, err
	}
	n.scaled, n.as = n.scaled || n.encoded, ""
	for i, a := range n.header.Attributes {
		if i != n.header.Class || s.ranges.Y != nil {
			n.scaled = n.scaled || a.Type != format.Numeric
		}
	}
	return n, nil
}
