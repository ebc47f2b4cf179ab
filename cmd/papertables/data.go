package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// A set is a data set: files of LIBSVM's format, packed or not, in the data folder,
// or generated.
type set struct {
	name       string
	file, test string // without .libsvm.zst; test "": one file
	generated  string // a set of format/generate in place of files, with its number of rows
	inputs     int    // what the stand-in of --quick is like
	classes    int    // 0: a regression
	rows       int    // of the stand-in; 0: 40 a class
}

// data are the rows of a set. Rows from cut on are those of its test file.
type data struct {
	*format.Dataset
	cut int
}

func (b *bench) path(file string) string {
	return filepath.Join(b.data, filepath.FromSlash(file)+".libsvm.zst")
}

// present reports whether a set's files are there.
func (b *bench) present(s *set) bool {
	for _, file := range []string{s.file, s.test} {
		if b.quick || s.generated != "" || file == "" {
			continue
		}
		if _, err := os.Stat(b.path(file)); err != nil {
			return false
		}
	}
	return true
}

// generatedSeed is the seed of generated sets, which are of one size and one sample
// as files are.
const generatedSeed = 1

// load returns the rows of a set, which must not be changed.
func (b *bench) load(ctx context.Context, s *set) (*data, error) {
	if d, ok := b.loaded[s.name]; ok {
		return d, nil
	}
	d, err := b.read(ctx, s)
	if err != nil {
		return nil, err
	}
	if b.loaded == nil {
		b.loaded = map[string]*data{}
	}
	b.loaded[s.name] = d
	return d, nil
}

func (b *bench) read(ctx context.Context, s *set) (*data, error) {
	switch {
	case b.quick:
		return s.standIn(), nil
	case s.generated != "":
		g, ok := generate.Lookup(s.generated)
		if !ok {
			return nil, fmt.Errorf("there is no generated set %q", s.generated)
		}
		all := g.Generate(g.Rows, generatedSeed)
		return &data{all, all.Len()}, nil
	}
	all, err := b.parse(ctx, s.file)
	if err != nil {
		return nil, err
	}
	d := &data{all, all.Len()}
	if s.test == "" {
		return d, nil
	}
	test, err := b.parse(ctx, s.test)
	if err != nil {
		return nil, err
	}
	for i, y := range test.Y {
		d.Append(format.Instance{X: test.X.Row(i), Y: y, Weight: 1})
	}
	return d, nil
}

func (b *bench) parse(ctx context.Context, file string) (*format.Dataset, error) {
	in, err := format.Open(b.path(file))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	d, err := libsvmfmt.Parse(ctx, in)
	return d, format.WithPath(err, b.path(file))
}

// standIn returns generated rows of the set's classes and inputs.
func (s *set) standIn() *data {
	classes := max(s.classes, 2)
	rows := s.rows
	if rows == 0 {
		rows = 40 * classes
	}
	all := generate.Gaussians(classes, s.inputs, 4).Generate(rows, generatedSeed)
	if s.classes == 0 {
		for i := range all.Y {
			all.Y[i] += all.X.Row(i).At(1)
		}
	}
	return &data{all, rows * 2 / 3}
}

// files returns the rows of the two files.
func (d *data) files() (train, test *format.Dataset) {
	return d.pick(order(0, d.cut)), d.pick(order(d.cut, d.Len()))
}

func order(from, to int) []int {
	rows := make([]int, to-from)
	for i := range rows {
		rows[i] = from + i
	}
	return rows
}

// pick returns copies of rows.
func (d *data) pick(rows []int) *format.Dataset {
	p := &format.Dataset{X: d.X.Select(rows), Y: make([]float64, len(rows))}
	for k, i := range rows {
		p.Y[k] = d.Y[i]
	}
	return p
}

// split returns n rows drawn by the seed, at most two thirds, and the others. Every
// method sees the same splits.
func (d *data) split(n, seed int) (train, test *format.Dataset) {
	return d.draw(min(n, d.Len()*2/3), seed)
}

// draw returns n rows drawn by the seed, or all if there are no more, and the others.
func (d *data) draw(n, seed int) (some, others *format.Dataset) {
	rows := rand.New(rand.NewPCG(uint64(seed), 0)).Perm(d.Len())
	n = min(n, len(rows))
	return d.pick(rows[:n]), d.pick(rows[n:])
}

// standardise returns both sets with every feature's mean and deviation in train
// taken out. Features that are constant there are dropped.
func standardise(train, test *format.Dataset) (*format.Dataset, *format.Dataset) {
	d := max(train.X.MaxIndex(), test.X.MaxIndex()) + 1
	mean, square, varies := make([]float64, d), make([]float64, d), make([]bool, d)
	first := dense(train.X.Row(0), d)
	for i := range train.Len() {
		for k, v := range dense(train.X.Row(i), d) {
			mean[k] += v / float64(train.Len())
			varies[k] = varies[k] || v != first[k] // deviations may be but rounding
		}
	}
	for i := range train.Len() {
		for k, v := range dense(train.X.Row(i), d) {
			square[k] += (v - mean[k]) * (v - mean[k]) / float64(train.Len())
		}
	}
	scaled := func(of *format.Dataset) *format.Dataset {
		return mapRows(of, func(x vec.Vector) vec.Vector {
			var z vec.Vector
			for k, v := range dense(x, d) {
				if varies[k] && square[k] > 0 {
					z.Index = append(z.Index, int32(k))
					z.Value = append(z.Value, (v-mean[k])/math.Sqrt(square[k]))
				}
			}
			return z
		})
	}
	return scaled(train), scaled(test)
}

// dense returns the features 0..d-1 of x.
func dense(x vec.Vector, d int) []float64 {
	z := make([]float64, d)
	for k, f := range x.Index {
		z[f] = x.Value[k]
	}
	return z
}

// mapRows returns a data set of the rows' images.
func mapRows(d *format.Dataset, image func(vec.Vector) vec.Vector) *format.Dataset {
	m := &format.Dataset{Y: d.Y}
	for i := range d.Len() {
		m.X.Append(image(d.X.Row(i)))
	}
	return m
}
