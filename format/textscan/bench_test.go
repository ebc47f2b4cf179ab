package textscan_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
)

func BenchmarkFloat(b *testing.B) {
	kinds := []struct {
		name string
		make func(tokens) []byte
	}{
		{"one", func(t tokens) []byte { return []byte(t.pick("1", "-1", "0.5", "3")) }},
		{"short", func(t tokens) []byte { return []byte(t.digits(1) + "." + t.digits(2)) }},
		{"digits6", func(t tokens) []byte { return textscan.AppendG(nil, 2*t.Float64()-1, 6) }},
		{"digits8", func(t tokens) []byte { return textscan.AppendG(nil, 2*t.Float64()-1, 8) }},
		{"digits17", func(t tokens) []byte { return textscan.AppendG(nil, 2*t.Float64()-1, 17) }},
		{"digits17small", func(t tokens) []byte { return textscan.AppendG(nil, t.Float64()*1e-3, 17) }},
		{"exponent", func(t tokens) []byte { return textscan.AppendG(nil, t.Float64()*1e-6, 6) }},
		{"anybits17", func(t tokens) []byte { return textscan.AppendG(nil, t.double(), 17) }},
		{"hex", func(t tokens) []byte { return []byte("0x1.8a5c3p-3") }},
	}
	for _, kind := range kinds {
		b.Run(kind.name, func(b *testing.B) {
			// the numbers stand in a text, so other text follows them
			const numbers = 1000
			source := newTokens(1)
			var text []byte
			for range numbers {
				text = append(append(text, kind.make(source)...), " 12:"...)
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for rest := text; len(rest) > 0; {
					_, n, _ := textscan.Float(rest)
					rest = rest[n+4:]
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/numbers, "ns/number")
		})
	}
}

func BenchmarkFloatLong(b *testing.B) {
	for name, text := range map[string][]byte{
		"half768": []byte(exactDecimal(1<<54-1, 1076)),
		"mega":    bytes.Repeat([]byte("7"), 1<<20),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				textscan.Float(text)
			}
		})
	}
}

func BenchmarkInt(b *testing.B) {
	text := []byte("7 42 123 4567 ")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for rest := text; len(rest) > 0; {
			_, n, _ := textscan.Int(rest)
			rest = rest[n+1:]
		}
	}
}

func BenchmarkLines(b *testing.B) {
	for name, length := range map[string]int{"short": 20, "medium": 200, "long": 1 << 20} {
		text := bytes.Repeat(append(bytes.Repeat([]byte("x"), length-1), '\n'), 1<<22/length)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				l := textscan.NewLines(bytes.NewReader(text))
				for {
					if _, err := l.Next(); err == io.EOF {
						break
					}
				}
			}
		})
	}
}

// BenchmarkRows is a whole pass over LIBSVM text: lines, indices, values.
func BenchmarkRows(b *testing.B) {
	for name, prec := range map[string]int{"digits6": 6, "digits17": 17} {
		source := newTokens(1)
		var text []byte
		for range 5000 {
			text = append(text, "+1"...)
			for i := range 13 {
				text = append(text, ' ')
				text = textscan.AppendG(text, float64(i*7+1), 6)
				text = append(text, ':')
				text = textscan.AppendG(text, 2*source.Float64()-1, prec)
			}
			text = append(text, '\n')
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				l := textscan.NewLines(bytes.NewReader(text))
				sum := 0.0
				for {
					line, err := l.Next()
					if err != nil {
						break
					}
					_, at, _ := textscan.Float(line)
					for at < len(line) {
						_, n, _ := textscan.Int(line[at:])
						at += n + 1
						v, n, _ := textscan.Float(line[at:])
						at += n
						sum += v
					}
				}
			}
		})
	}
}

func BenchmarkAppendG(b *testing.B) {
	for _, prec := range []int{6, 8, 17} {
		for _, kind := range []struct {
			name string
			make func(tokens) float64
		}{
			{"unit", func(t tokens) float64 { return 2*t.Float64() - 1 }},
			{"integer", func(t tokens) float64 { return float64(t.IntN(5000)) }},
			{"cents", func(t tokens) float64 { return float64(t.IntN(50_000)) / 100 }},
			{"small", func(t tokens) float64 { return t.Float64() * 1e-5 }},
			{"anybits", func(t tokens) float64 { return t.double() }},
		} {
			b.Run(fmt.Sprintf("%s/%d", kind.name, prec), func(b *testing.B) {
				source := newTokens(1)
				x := make([]float64, 1000)
				for i := range x {
					x[i] = kind.make(source)
				}
				var text []byte
				for b.Loop() {
					text = text[:0]
					for _, v := range x {
						text = textscan.AppendG(text, v, prec)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/number")
			})
		}
	}
}

func BenchmarkAppendInt(b *testing.B) {
	var text []byte
	for b.Loop() {
		text = text[:0]
		for i := range int64(1000) {
			text = textscan.AppendInt(text, i*7)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/number")
}
