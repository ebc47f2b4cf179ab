package main

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/rsvm"
)

// streamFlag is the option of methods that stream.
func streamFlag() cli.Flag {
	return &cli.BoolFlag{Name: "stream", Usage: "read the rows again for every step, instead of keeping them in memory (" + strings.Join(streaming(), ", ") + ")"}
}

// checkStream returns wrong usage of --stream, with a method that needs the rows in memory
// or with what does.
func checkStream(c *cli.Context, m catalog.Method) error {
	if !m.Streams {
		return usagef("method %s needs the rows in memory; --stream is for %s", m.Name, strings.Join(streaming(), ", "))
	}
	if c.Bool("probability") {
		return usagef("--probability needs the rows in memory, for its cross-validation, and --stream does not keep them")
	}
	return nil
}

// A streamer is a trainer that reads the rows as often as it wants them.
type streamer interface {
	TrainStream(ctx context.Context, rows rsvm.Rows) (*models.Model, error)
}

// passes read a data file as often as wanted.
type passes struct {
	*env
	*source
	c      *cli.Context
	preset string
	whole  bool          // a pass went to the end
	rows   int           // of the first pass
	place  int           // of the present row
	ranges scale.Measure // of the features

	low, high float64 // of the labels or targets

	numbering *datafile.Numbering // of all rows of the first pass
	taught    int                 // rows of it to train on
	weight    float64             // of these
}

// open begins a pass. The first one has to go to the end.
func (s *passes) open() (*input, error) {
	text, err := s.text()
	if err != nil {
		return nil, err
	}
	in, err := s.openRaw(s.c, s.path, text, s.rows)
	if err != nil {
		return nil, err
	}
	if err = s.checkSame(in); err == nil {
		err = in.readHeader()
	}
	if err == nil {
		err = in.dropsDeclared(s.c.StringSlice(drop))
	}
	if err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

// each is a pass over the rows as they stand in the file.
func (s *passes) each(yield func(format.Instance, error) bool) {
	in, err := s.open()
	if err != nil {
		yield(format.Instance{}, err)
		return
	}
	defer in.close()
	s.rest(in, yield)
}

// rest gives the rows of an open file.
func (s *passes) rest(in *input, yield func(format.Instance, error) bool) {
	teaches := false
	for {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			yield(row, in.at(err))
			return
		}
		if !s.whole {
			s.numbering.Add(row.X)
		}
		if s.preset == wekaLibSVM {
			row.Weight = 1
		}
		if err := train.CheckWeight(row.Weight); err != nil {
			yield(row, in.here(err))
			return
		}
		if row.Weight == 0 {
			continue
		}
		if teaches, s.place = true, in.place(); !s.whole {
			s.taught, s.weight = s.taught+1, s.weight+row.Weight
		}
		if !yield(row, nil) {
			return
		}
	}
	if s.whole && in.rows != s.rows {
		yield(format.Instance{}, in.at(format.ErrChanged))
		return
	}
	if s.whole, s.rows = true, in.rows; !teaches && in.rows > 0 {
		yield(format.Instance{}, in.at(train.ErrWeightless))
	}
}

// fault puts the file's name into an error of learning an encoding, and the place of the
// row if it is of one: the last that was read.
func (s *passes) fault(in *input, err error) error {
	row := (*encode.RowError)(nil)
	if !errors.As(err, &row) {
		return in.at(in.columnFault(err))
	}
	last := in.newPlaces()
	last.Add(s.place)
	return last.fault(in.path, &encode.RowError{Err: row.Err})
}

// encoded is a pass over rows as an encoding turns them into numbers. Those without a
// label are left out.
func (s *passes) encoded(e *encode.Encoding, h *format.Header) rsvm.Rows {
	return func(yield func(format.Instance, error) bool) {
		mapper, err := e.Mapper(h)
		if err != nil {
			yield(format.Instance{}, format.WithPath(err, inputName(s.path)))
			return
		}
		var out format.Instance
		for row, err := range s.each {
			if err == nil {
				if out.Y, out.Weight = mapper.Row(&out.X, row.X), row.Weight; math.IsNaN(out.Y) {
					continue
				}
			}
			if !yield(out, err) {
				return
			}
		}
	}
}

// trainStream trains without keeping the rows.
func (e *env) trainStream(c *cli.Context, data, model string) error {
	start := time.Now()
	from, err := e.source(c.Context, data)
	if err != nil {
		return err
	}
	defer from.close()
	s := &passes{env: e, source: from, c: c, preset: c.String("as"), low: math.Inf(1), high: math.Inf(-1)}
	in, err := s.open()
	if err != nil {
		return err
	}
	defer in.close()
	(&warner{env: e, quiet: c.Bool("quiet")}).warnTraining(in)
	p, err := problemOf(c, in)
	if err != nil {
		return err
	}
	if err := p.chooseMethod(c, c.String("method")); err != nil {
		return err
	}
	w := &watcher{warner: warner{env: e, quiet: c.Bool("quiet")}}
	w.warnScaling(c, p.encode)
	w.warnIdle(c, p.method)
	p.watchClasses(&w.warner)
	s.numbering = in.Numbering(in.header, p.method.Task.Regresses(), mostNumbers)
	rows, encoding, features, n, err := s.first(p, &w.warner)
	if err != nil {
		return err
	}
	w.warnLittle(p, s.taught, s.weight)
	w.warnRowNumbers(p, s.numbering)
	w.encoding = encoding
	var labels []string
	if encoding != nil {
		labels = encoding.ClassColumn().Labels
	}
	parameters, err := parameters(c, p.method, features)
	if err != nil {
		return err
	}
	if err := weigh(c, p.method, &parameters, labels, rows); err != nil {
		return err
	}
	if parameters.Kernel, err = scaled(c, parameters.Kernel, rows, columnsOf(encoding, features)); err != nil {
		return p.in.at(err)
	}
	parameters.Kernel = kernelOfPreset(c, parameters.Kernel)
	w.warnRanges(p, encoding, &s.ranges, parameters.Kernel)
	parameters.Solver.Report, parameters.Solver.Threads = w.report, threads(c)
	trainer, err := p.method.New(parameters)
	if err != nil {
		return usageError{err}
	}
	m, err := trainer.(streamer).TrainStream(c.Context, rows)
	if err != nil {
		return p.place(err, encoding)
	}
	if err := w.warnSameAnswerStream(c, p, s, rows, parameters.Kernel, features, m); err != nil {
		return err
	}
	if err := e.saveTrained(c, model, m, encoding); err != nil {
		return err
	}
	sum := summary{
		Method: p.method.Name, Kernel: kernelOf(m.Kernel), Rows: n,
		Features: max(0, features), Classes: len(m.Labels), Vectors: m.Vectors.Len(),
		Machines: len(m.Machines), Iterations: w.iterations(), Objective: jsonline.Number(w.objective),
		Seconds: jsonline.Number(time.Since(start).Seconds()), Seed: c.Uint64("seed"), Model: model,
	}
	return sum.print(e, c)
}

// streaming returns the methods that can read the rows again for every step.
func streaming() []string {
	var names []string
	for _, m := range catalog.Methods {
		if m.Streams {
			names = append(names, m.Name)
		}
	}
	return names
}

// measure takes the values of a row of the first pass.
func (s *passes) measure(row format.Instance) {
	s.ranges.Add(0, row.X)
	s.low, s.high = min(s.low, row.Y), max(s.high, row.Y)
}

// first reads the open file to its end, for the first time, and learns the encoding
// and the ranges and number of features and the number of rows.
func (s *passes) first(p *problem, w *warner) (rows rsvm.Rows, e *encode.Encoding, features, n int, err error) {
	open := p.in // whose rows are the first pass
	raw := func(yield func(format.Instance, error) bool) {
		if in := open; in != nil {
			open = nil
			s.rest(in, yield)
			return
		}
		s.each(yield)
	}
	p.places = p.in.newPlaces()
	if !p.in.declared() {
		features = -1
		var labels numberLabels
		for row, err := range raw {
			if err != nil {
				return nil, nil, 0, 0, err
			}
			if k := len(row.X.Index); k > 0 {
				features = max(features, int(row.X.Index[k-1]))
			}
			s.measure(row)
			p.places.Add(s.place)
			labels.add(n, row.Y)
			n++
		}
		labels.warn(w, p)
		return s.each, nil, features, n, nil
	}
	if e, err = encode.FitRows(s.c.Context, p.in.header, raw, p.encode); err != nil {
		return nil, nil, 0, 0, s.fault(p.in, err)
	}
	rows = s.encoded(e, p.in.header)
	for row, err := range rows {
		if err != nil {
			return nil, nil, 0, 0, err
		}
		if k := len(row.X.Index); k > 0 {
			features = max(features, int(row.X.Index[k-1]))
		}
		s.measure(row)
		p.places.Add(s.place)
		n++
	}
	return rows, e, features, n, nil
}
