package libsvmfmt_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/libsvmfmt"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// benchTexts are texts of about 4 MB each.
var benchTexts = []struct {
	name   string
	of, nz int // features, and how many a row lists
	value  func(*rand.Rand) float64
	digits int
}{
	{"dense6", 50, 50, (*rand.Rand).NormFloat64, 6},
	{"dense17", 50, 50, (*rand.Rand).NormFloat64, 17},
	{"sparse6", 10_000, 50, (*rand.Rand).Float64, 6},
	{"sparse17", 10_000, 50, (*rand.Rand).Float64, 17},
	{"binary", 123, 14, func(*rand.Rand) float64 { return 1 }, 6},
	{"binary10000", 10_000, 50, func(*rand.Rand) float64 { return 1 }, 6},
	{"integer", 22, 22, func(r *rand.Rand) float64 { return float64(r.IntN(2000)) }, 6},
}

func benchText(k int) []byte {
	kind := benchTexts[k]
	r := rand.New(rand.NewPCG(1, uint64(k)))
	var b []byte
	for len(b) < 4<<20 {
		b = append(b, []string{"+1", "-1"}[r.IntN(2)]...)
		index := r.Perm(kind.of)[:kind.nz]
		slices.Sort(index)
		for _, i := range index {
			b = append(textscan.AppendInt(append(b, ' '), int64(i)+1), ':')
			b = textscan.AppendG(b, kind.value(r), kind.digits)
		}
		b = append(b, '\n')
	}
	return b
}

func BenchmarkReader(b *testing.B) {
	for k, kind := range benchTexts {
		b.Run(kind.name, func(b *testing.B) {
			text := benchText(k)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r := libsvmfmt.NewReader(bytes.NewReader(text))
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

func BenchmarkReadAll(b *testing.B) {
	for k, kind := range benchTexts {
		b.Run(kind.name, func(b *testing.B) {
			text := benchText(k)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := format.ReadAll(context.Background(), libsvmfmt.NewReader(bytes.NewReader(text))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParse is one thread's work with GOMAXPROCS=1.
func BenchmarkParse(b *testing.B) {
	for k, kind := range benchTexts {
		b.Run(kind.name, func(b *testing.B) {
			text := benchText(k)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := libsvmfmt.Parse(context.Background(), bytes.NewReader(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWriter(b *testing.B) {
	for k, kind := range benchTexts {
		b.Run(kind.name, func(b *testing.B) {
			text := benchText(k)
			d, err := libsvmfmt.Parse(context.Background(), bytes.NewReader(text))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				w := libsvmfmt.NewWriter(io.Discard)
				for i, y := range d.Y {
					if err := w.Write(format.Instance{X: d.X.Row(i), Y: y, Weight: 1}); err != nil {
						b.Fatal(err)
					}
				}
				w.Flush()
			}
		})
	}
}
