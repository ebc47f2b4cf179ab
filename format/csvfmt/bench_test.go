package csvfmt_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// benchText returns some megabytes of rows of 50 numbers with so many digits,
// and a label.
func benchText(digits int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b []byte
	for k := range 50 {
		b = append(b, "column"...)
		b = append(b, byte('a'+k%26), byte('a'+k/26), ',')
	}
	b = append(b, "class\n"...)
	for len(b) < 8<<20 {
		for range 50 {
			b = textscan.AppendG(b, rng.NormFloat64()*10, digits)
			b = append(b, ',')
		}
		b = append(b, []string{"yes\n", "no\n", "perhaps\n"}[rng.IntN(3)]...)
	}
	return b
}

// The reading of numbers, from an input that can be read again; bytes are those
// of the text, which is read twice.
func BenchmarkReader(b *testing.B) {
	for _, c := range []struct {
		name   string
		digits int
	}{{"6 digits", 6}, {"17 digits", 17}} {
		text := benchText(c.digits)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r := csvfmt.NewReader(bytes.NewReader(text))
				for {
					if _, err := r.Read(); err == io.EOF {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	text := benchText(6)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := csvfmt.Parse(context.Background(), bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriter(b *testing.B) {
	text := benchText(6)
	d, err := csvfmt.Parse(context.Background(), bytes.NewReader(text))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		w := csvfmt.NewWriter(io.Discard)
		if err := w.WriteHeader(d.Header); err != nil {
			b.Fatal(err)
		}
		for i := range d.Len() {
			if err := w.Write(format.Instance{X: d.X.Row(i), Weight: 1}); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			b.Fatal(err)
		}
	}
}
