package textscan_test

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// AppendNamed writes what AppendInt and AppendG do, with and without vector
// instructions, from every number to every other, up to one that has no text or no name.
func TestAppendNamed(t *testing.T) {
	source := newTokens(22)
	best := simd.Best()
	defer simd.Use(best)
	stops, zeros := 0, 0
	for round := range 60 {
		var texts []string
		var names []textscan.Name
		for range 1 + source.IntN(100) {
			text := strconv.Itoa(source.IntN(int(math.Pow10(1+source.IntN(6))))) + ":"
			if round%3 == 0 && source.IntN(20) == 0 {
				text = "12345678:"
			}
			texts, names = append(texts, text), append(names, textscan.NewName([]byte(text)))
		}
		var x [textscan.SixDigitsLen]float64
		var named [textscan.SixDigitsLen]textscan.Name
		var slots [textscan.SixDigitsLen]int
		for i := range x {
			slots[i] = source.IntN(len(names))
			named[i] = names[slots[i]]
			x[i] = source.NormFloat64() * []float64{1, 1, 10, 1000}[source.IntN(4)]
			switch source.IntN(10 + 30*(round%2)) {
			case 0:
				x[i] = math.Copysign(0, x[i])
			case 1:
				x[i] *= []float64{1e-6, math.Inf(1)}[source.IntN(2)]
			case 2:
				x[i] = math.Round(x[i])
			}
		}
		for k := range x {
			for end := k; end <= len(x); end += 1 + source.IntN(5) {
				want, stop, pairs := []byte("before "), k, 0
				all := bytes.Repeat([]byte("abcdefghijklmnopqrstuvwxyz\n"), 20)
				var between []textscan.Insertion
				for i := k; i <= end && round%2 == 0; i++ {
					for source.IntN(4) == 0 {
						b := textscan.Insertion{Place: i, From: source.IntN(200), Size: source.IntN(10)}
						if source.IntN(9) == 0 {
							b.Size = source.IntN(200)
						}
						between = append(between, b)
					}
				}
				room := bytes.Repeat([]byte{'#'}, 7+64*24+40+8)
				rest, left := between, between
				for ; ; stop++ {
					for ; len(rest) > 0 && rest[0].Place == stop; rest = rest[1:] {
						want = append(want, all[rest[0].From:rest[0].From+rest[0].Size]...)
						room = append(room, bytes.Repeat([]byte{'#'}, rest[0].Size)...)
					}
					left = rest
					if stop == end {
						break
					}
					if x[stop] == 0 {
						zeros++
						continue
					}
					text := textscan.AppendG(nil, x[stop], 6)
					if len(texts[slots[stop]]) > 7 || math.IsInf(x[stop], 0) {
						stops++
						break
					}
					want = append(append(append(want, texts[slots[stop]]...), text...), ' ')
					pairs++
				}
				for l := simd.Portable; l <= best; l++ {
					simd.Use(l)
					var s textscan.SixDigits
					s.Set(&x, len(x))
					room := slices.Clone(room) // enough, and words behind
					for _, b := range rest {
						room = append(room, bytes.Repeat([]byte{'#'}, b.Size)...)
					}
					copy(room, "before ")
					got, at, n, rest := s.AppendNamed(room[:7:len(room)-8], &x, &named, k, end, slices.Clone(between), all[:500])
					if string(got) != string(want) || at != stop || n != pairs || !slices.Equal(rest, left) {
						t.Fatalf("%v, numbers %d to %d, %v: %q, stop %d, %d pairs, %v; want %q, %d, %d, %v", l, k, end, between, got, at, n, rest, want, stop, pairs, left)
					}
					if string(room[len(room)-8:]) != "########" {
						t.Fatalf("%v, numbers %d to %d: bytes behind the room are written", l, k, end)
					}
				}
			}
		}
	}
	if stops < 100 || zeros < 100 {
		t.Errorf("only %d stops and %d zeros", stops, zeros)
	}
}

func TestNewName(t *testing.T) {
	for text, want := range map[string]textscan.Name{"": 0, "1:": 0x02000000_00003a31, "123456:": 0x073a363534333231, "1234567:": 0} {
		if got := textscan.NewName([]byte(text)); got != want {
			t.Errorf("%q: %#x, want %#x", text, got, want)
		}
	}
}

func BenchmarkAppendNamed(b *testing.B) {
	source := newTokens(1)
	var x [textscan.SixDigitsLen]float64
	var names [textscan.SixDigitsLen]textscan.Name
	for i := range x {
		x[i] = 2*source.Float64() - 1
		names[i] = textscan.NewName([]byte(strconv.Itoa(i+1) + ":"))
	}
	var s textscan.SixDigits
	s.Set(&x, len(x))
	defer simd.Use(simd.Best())
	for l := simd.Portable; l <= simd.Best(); l++ {
		b.Run(l.String(), func(b *testing.B) {
			simd.Use(l)
			var text []byte
			for b.Loop() {
				text, _, _, _ = s.AppendNamed(text[:0], &x, &names, 0, len(x), nil, nil)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/number")
		})
	}
}
