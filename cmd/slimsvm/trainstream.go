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
	whole  bool // a pass went to the end
	rows   int  // of the first pass
	place  int  // of the present row

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

// alike reports whether training ignores the weights of rows: see problem.asWeighted.
func (s *passes) alike() bool { return s.preset == wekaLibSVM }

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
		if err := train.CheckWeight(row.Weight); err != nil {
			yield(row, in.here(err))
			return
		}
		if row.Weight == 0 && !s.alike() {
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
				if s.alike() {
					out.Weight = 1
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
	s := &passes{env: e, source: from, c: c, preset: c.String("as")}
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
	d, err := s.first(p, &w.warner)
	if err != nil {
		return err
	}
	w.warnWithout(p.in.path, s.taught-d.count)
	w.warnSmallWeights(p, s.taught, s.weight)
	w.warnRowNumbers(p, s.numbering)
	w.encoding = d.encoding
	var labels []string
	if d.encoding != nil {
		labels = d.encoding.ClassColumn().Labels
	}
	parameters, err := parameters(c, p.method, d.features)
	if err != nil {
		return err
	}
	if err := weigh(c, p.method, &parameters, labels, d.rows); err != nil {
		return err
	}
	if parameters.Kernel, err = scaled(c, parameters.Kernel, d.rows, columnsOf(d.encoding, d.features)); err != nil {
		return p.in.at(err)
	}
	parameters.Kernel = kernelOfPreset(c, parameters.Kernel)
	w.warnRanges(p, d.encoding, &d.ranges, parameters.Kernel)
	parameters.Solver.Report, parameters.Solver.Threads = w.report, threads(c)
	trainer, err := p.method.New(parameters)
	if err != nil {
		return usageError{err}
	}
	m, err := trainer.(streamer).TrainStream(c.Context, d.rows)
	if err != nil {
		return p.place(err, d.encoding)
	}
	if err := w.warnSameAnswerStream(c, p, d, parameters.Kernel, m); err != nil {
		return err
	}
	if err := e.saveTrained(c, model, m, d.encoding); err != nil {
		return err
	}
	sum := summary{
		Method: p.method.Name, Kernel: kernelOf(m.Kernel), Rows: d.count,
		Features: max(0, d.features), Classes: len(m.Labels), Vectors: m.Vectors.Len(),
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

// streamed are the rows of a file, as they are trained on, which are not kept, and what the first pass over them shows.
type streamed struct {
	rows      rsvm.Rows
	encoding  *encode.Encoding // nil: the data declare no columns
	count     int
	features  int           // the largest index, -1: there is none
	ranges    scale.Measure // of the features
	low, high float64       // of the labels or targets
}

// measure takes the next row of the first pass.
func (d *streamed) measure(row format.Instance) {
	if k := len(row.X.Index); k > 0 {
		d.features = max(d.features, int(row.X.Index[k-1]))
	}
	d.ranges.Add(0, row.X)
	d.low, d.high = min(d.low, row.Y), max(d.high, row.Y)
	d.count++
}

// first reads the open file to its end, for the first time, and learns the encoding.
func (s *passes) first(p *problem, w *warner) (*streamed, error) {
	d := &streamed{low: math.Inf(1), high: math.Inf(-1)}
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
		d.rows, d.features = s.each, -1
		var labels numberLabels
		for row, err := range raw {
			if err != nil {
				return nil, err
			}
			labels.add(d.count, row.Y)
			d.measure(row)
			p.places.Add(s.place)
		}
		labels.warn(w, p)
		return d, nil
	}
	var err error
	if d.encoding, err = fitRows(s.c.Context, s.preset, p.in.header, raw, p.encode); err != nil {
		return nil, s.fault(p.in, err)
	}
	d.rows = s.encoded(d.encoding, p.in.header)
	for row, err := range d.rows {
		if err != nil {
			return nil, err
		}
		d.measure(row)
		p.places.Add(s.place)
	}
	if d.count == 0 && s.taught > 0 {
		return nil, p.in.at(datafile.ErrUnlabelled)
	}
	return d, nil
}
