package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/cmd/internal/overflow"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// partsModel returns a model of some kind, with probabilities unless it is of one class.
func partsModel(rng *rand.Rand, task models.Task, features int) *models.Model {
	m := &models.Model{Task: task, Kernel: kernel.RBF{Gamma: 0.25}}
	coefs := make([]float64, 40)
	for i := range coefs {
		var v vec.Vector
		for k := range features {
			v.Index, v.Value = append(v.Index, int32(k+1)), append(v.Value, rng.NormFloat64())
		}
		m.Vectors.Append(v)
		coefs[i] = rng.NormFloat64()
	}
	machine := models.Machine{Coef: coefs}
	if task.Classifies() {
		m.Labels, m.Group, m.Probability = []int{3, -1}, []int{20, 20}, true
		machine.Pos, machine.Neg, machine.Sigmoid = 0, 1, &models.Sigmoid{A: -1.5, B: 0.25}
	}
	m.Machines = []models.Machine{machine}
	return m
}

// partsText is rows of many forms, with what is appended in the middle of them.
func partsText(rng *rand.Rand, rows, features int, middle string) string {
	var b strings.Builder
	if rng.IntN(4) == 0 {
		b.WriteString("\ufeff")
	}
	end := []string{"\n", "\r\n"}[rng.IntN(2)]
	for i := range rows {
		if i == rows/2 {
			b.WriteString(middle)
		}
		fmt.Fprintf(&b, "%d", []int{3, -1}[rng.IntN(2)])
		for k := range features {
			switch rng.IntN(4) {
			case 0:
			case 1:
				fmt.Fprintf(&b, " %d:%.3f", k+1, rng.NormFloat64())
			case 2:
				fmt.Fprintf(&b, "\t%d:%v ", k+1, rng.NormFloat64())
			case 3:
				fmt.Fprintf(&b, " %d:1", k+1)
			}
		}
		b.WriteString(end)
	}
	text := b.String()
	if rng.IntN(3) == 0 {
		text = strings.TrimSuffix(text, end)
	}
	return text
}

// told is all that a source's rows become.
type told struct {
	lines, talk string
	scores      predict.Scores
	err         error
}

func tellAll(ctx context.Context, p *predict.Predictor, probabilities bool, s source, workers int) told {
	var lines, talk bytes.Buffer
	a := &answers{p: p, overflow: overflow.New(p, "model"), out: &lines, talk: &talk, probabilities: probabilities}
	err := s.answer(ctx, a, workers)
	if a.fault != nil && !errors.Is(err, a.fault) || err != nil && a.fault == nil && ctx.Err() == nil {
		err = fmt.Errorf("%w, and as a fault %w", err, a.fault)
	}
	return told{lines.String(), talk.String(), a.scores, err}
}

// Parts of a text are answered as its rows are one after the other, by any number of workers, whatever stands
// in the text.
func TestParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	rng := rand.New(rand.NewPCG(4, 11))
	broken := errors.New("broken")
	faults, manyParts := 0, 0
	for _, task := range []models.Task{models.CSVC, models.EpsilonSVR, models.OneClass} {
		for _, middle := range []string{"", "3 1:x\n", "\n", "3 2:1 1:1\n", "-1 1:1e300 2:1e300\n", "-1 1:1e300 2:1e300\n3 1:x\n", "3 1:nan\n", "\ufeff3 1:1\n", "read error"} {
			for _, rows := range []int{0, 1, 2 * predict.BatchRows, 900} {
				features := 1 + rng.IntN(9)
				m := partsModel(rng, task, features)
				if strings.HasPrefix(middle, "-1 1:1e300") {
					m.Kernel = kernel.Poly{Degree: 9, Gamma: 1} // which overflows
				}
				p, err := predict.New(m)
				if err != nil {
					t.Fatal(err)
				}
				text := partsText(rng, rows, features, strings.TrimPrefix(middle, "read error"))
				read := func() io.Reader {
					if middle == "read error" {
						return io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
					}
					return strings.NewReader(text)
				}
				for _, probabilities := range []bool{false, task.Classifies()} {
					want := tellAll(t.Context(), p, probabilities, watched{plain{libsvmfmt.NewReader(read())}, format.Watch{}}, 1)
					if want.err != nil {
						faults++
					}
					for _, workers := range []int{1, 3} {
						for _, row := range []int{1, mostBytes / fewRows / 2, longPart} {
							s := &parts{text: read(), row: job{bytes: row, terms: 1 + rng.IntN(partTerms), exact: rng.IntN(2) > 0}}
							if got := tellAll(t.Context(), p, probabilities, s, workers); fmt.Sprint(got.err) != fmt.Sprint(want.err) || got.lines != want.lines || got.talk != want.talk || got.scores != want.scores {
								t.Fatalf("%v, %d rows with %q, %d workers, rows of %d bytes, probabilities %v: %d bytes of lines, %v, %v\nwant %d, %v, %v", task, rows, middle, workers, row, probabilities, len(got.lines), got.err, got.scores, len(want.lines), want.err, want.scores)
							}
							if got := len(text) / s.row.bytes; got > 4*s.lines(workers) {
								manyParts++
							}
						}
					}
				}
			}
		}
	}
	if t.Logf("%d texts with faults, %d of many parts", faults, manyParts); faults == 0 || manyParts == 0 {
		t.Errorf("%d texts with faults, %d of many parts", faults, manyParts)
	}
}

// A long text is answered up to where its context ends, and an answer that can't be written ends it, too.
func TestPartsEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 12))
	p, err := predict.New(partsModel(rng, models.CSVC, 3))
	if err != nil {
		t.Fatal(err)
	}
	row := partsText(rng, 1, 3, "")
	endless := func() io.Reader {
		return &repeated{text: strings.TrimPrefix(strings.TrimRight(row, "\r\n"), "\ufeff") + "\n"}
	}
	full := errors.New("full")
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancelCause(t.Context())
		out := &limited{most: 10000, at: func() { cancel(full) }}
		a := &answers{p: p, out: out, talk: io.Discard, overflow: overflow.New(p, "model")}
		if err := (&parts{text: endless(), row: job{bytes: 30, terms: 100}}).answer(ctx, a, workers); err != context.Canceled || a.fault != nil || a.err != nil {
			t.Errorf("%d workers, cancelled: %v, %v, %v", workers, err, a.fault, a.err)
		}
		out = &limited{most: 10000, err: full}
		a = &answers{p: p, out: out, talk: io.Discard, overflow: overflow.New(p, "model")}
		if err := (&parts{text: endless(), row: job{bytes: 30, terms: 100}}).answer(t.Context(), a, workers); err != full || a.fault != nil || a.err != full {
			t.Errorf("%d workers, full: %v, %v, %v", workers, err, a.fault, a.err)
		}
	}
}

// Rows of files are read in parts; those of pipes, and long ones, one after the other.
func TestSourceOfText(t *testing.T) {
	name := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	pipe, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	defer write.Close()
	rng := rand.New(rand.NewPCG(4, 13))
	for _, c := range []struct {
		in       io.Reader
		features int
		parts    bool
	}{{file, 3, true}, {file, longRow - 1, true}, {file, longRow, false}, {pipe, 3, false}} {
		m := partsModel(rng, models.CSVC, c.features)
		s := sourceOfText(c.in, m, format.NewWatch(c.in), jobOf(m, false))
		if _, is := s.(*parts); is != c.parts {
			t.Errorf("%d features, a pipe %v: parts %v, want %v", c.features, c.in == pipe, is, c.parts)
		}
	}
}

// repeated is a text again and again.
type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], r.text[r.at:])
		n, r.at = n+k, (r.at+k)%len(r.text)
	}
	return n, nil
}

// limited calls at, or fails, after so many bytes.
type limited struct {
	most int
	at   func()
	err  error
}

func (l *limited) Write(p []byte) (int, error) {
	if l.most -= len(p); l.most > 0 {
		return len(p), nil
	}
	if l.at != nil {
		l.at()
	}
	return len(p), l.err
}

// Parts are of whole groups of rows, and of few bytes where rows are long.
func TestPartLines(t *testing.T) {
	for _, c := range []struct {
		row  job
		want int
	}{
		{job{bytes: 30, terms: 1 << 30}, predict.BatchRows},
		{job{bytes: 30, terms: partTerms / 2 / predict.BatchRows}, 2 * predict.BatchRows},
		{job{bytes: 1, terms: 1}, partBytes},
		{job{bytes: mostBytes / predict.BatchRows, terms: 1 << 30}, predict.BatchRows},
		{job{bytes: mostBytes/predict.BatchRows + 1, terms: 1 << 30}, predict.BatchRows / fewRows * fewRows / 2},
		{job{bytes: mostBytes / fewRows, terms: 1 << 10}, fewRows},
		{job{bytes: mostBytes, terms: 1 << 10}, fewRows},
		{job{bytes: exactBytes / predict.BatchRows, terms: 1 << 30, exact: true}, predict.BatchRows},
		{job{bytes: exactBytes/predict.BatchRows + 1, terms: 1 << 30, exact: true}, predict.BatchRows / fewRows * fewRows / 2},
		{job{bytes: exactBytes, terms: 1 << 10, exact: true}, fewRows},
	} {
		if got := (&parts{row: c.row}).lines(2); got != c.want || got%fewRows != 0 {
			t.Errorf("%+v: %d lines, want %d", c.row, got, c.want)
		}
	}
	if got := (&parts{row: job{bytes: 1, terms: 1}}).lines(1); got != predict.BatchRows {
		t.Errorf("one worker has parts of %d lines", got)
	}
	long := strings.Repeat("1 1:1"+strings.Repeat(" ", longPart/3)+"\n", 7)
	b := textscan.NewBlocks(strings.NewReader(long))
	text, err := b.NextLines(nil, 64, 100, longPart)
	if n := bytes.Count(text, []byte{'\n'}); n != 3 || err != nil {
		t.Errorf("%d long lines in a part, %v", n, err)
	}
}
