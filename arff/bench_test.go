package arff

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// denseText returns rows of 50 numbers and a label, in all about size bytes.
func denseText(size int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString("@relation dense\n")
	for i := range 50 {
		fmt.Fprintf(&b, "@attribute x%d numeric\n", i)
	}
	b.WriteString("@attribute class {no,yes}\n@data\n")
	for b.Len() < size {
		for range 50 {
			fmt.Fprintf(&b, "%.6f,", r.NormFloat64())
		}
		b.WriteString([]string{"no\n", "yes\n"}[r.IntN(2)])
	}
	return b.Bytes()
}

// sparseText returns rows of 50 numbers among 10,000 columns.
func sparseText(size int) []byte {
	r := rand.New(rand.NewPCG(3, 4))
	var b bytes.Buffer
	b.WriteString("@relation sparse\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "@attribute x%d numeric\n", i)
	}
	b.WriteString("@attribute class {no,yes}\n@data\n")
	for b.Len() < size {
		var index []int
		for range 50 {
			index = append(index, r.IntN(10_000))
		}
		slices.Sort(index)
		b.WriteByte('{')
		for _, i := range slices.Compact(index) {
			fmt.Fprintf(&b, "%d %.5g, ", i, r.Float64())
		}
		b.WriteString([]string{"10000 no}\n", "10000 yes}\n"}[r.IntN(2)])
	}
	return b.Bytes()
}

func stringText(size int) []byte {
	const row = "'some text, with a comma and an \\'escape\\'',word,2001-02-03,no,1.5\n"
	return []byte("@relation r\n@attribute s string\n@attribute t string\n@attribute d date yyyy-MM-dd\n@attribute c {yes,no}\n@attribute n numeric\n@data\n" +
		strings.Repeat(row, size/len(row)))
}

const benchmarkSize = 8 << 20

var benchmarkTexts = []struct {
	name string
	text func(size int) []byte
}{{"dense", denseText}, {"sparse", sparseText}, {"strings and dates", stringText}}

func BenchmarkRead(b *testing.B) {
	for _, bb := range benchmarkTexts {
		b.Run(bb.name, func(b *testing.B) {
			text := bb.text(benchmarkSize)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r := NewReader(bytes.NewReader(text))
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

func BenchmarkWrite(b *testing.B) {
	for _, bb := range benchmarkTexts {
		b.Run(bb.name, func(b *testing.B) {
			text := bb.text(benchmarkSize)
			r := NewReader(bytes.NewReader(text))
			h, err := r.Header()
			if err != nil {
				b.Fatal(err)
			}
			var rows []format.Instance
			for {
				in, err := r.Read()
				if err == io.EOF {
					break
				}
				if err != nil {
					b.Fatal(err)
				}
				in.X = vec.Vector{Index: slices.Clone(in.X.Index), Value: slices.Clone(in.X.Value)}
				in.Strings = slices.Clone(in.Strings)
				rows = append(rows, in)
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				w := NewWriter(io.Discard)
				if err := w.WriteHeader(h); err != nil {
					b.Fatal(err)
				}
				for _, in := range rows {
					if err := w.Write(in); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.Flush(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
