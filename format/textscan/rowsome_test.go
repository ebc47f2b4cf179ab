package textscan_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestAppendPlainRows: rows that are appended are lines that Next no longer returns, whatever is in
// memory of them.
func TestAppendPlainRows(t *testing.T) {
	defer simd.Use(simd.Best())
	source := newTokens(43)
	for l := simd.Portable; l <= simd.Best(); l++ {
		simd.Use(l)
		read := 0
		for range 300 {
			var b strings.Builder
			n := source.IntN(500)
			for i := range n {
				fmt.Fprint(&b, i, source.pick(" 1:2\n", "\n", " 1:2 3:4\n", " # odd\n", " 5:"+strings.Repeat("0", source.IntN(40))+"\n"))
			}
			lines := textscan.NewLines(&some{strings.NewReader(b.String()), source})
			for next := 0; ; next++ {
				if source.IntN(2) == 0 {
					var rows textscan.PlainRows
					rows.Reset()
					lines.AppendPlainRows(&rows, source.IntN(300))
					n := rows.Len()
					if len(rows.Starts) != n+1 || len(rows.Index) != len(rows.Value) || int(rows.Starts[n]) != len(rows.Value) {
						t.Fatalf("%d labels, %d starts, %d indices, %d values", n, len(rows.Starts), len(rows.Index), len(rows.Value))
					}
					for i := range n {
						if y, index, value := rows.Row(i); y != float64(next) || len(index) != len(value) || len(value) > 0 && (index[0] != 1 && index[0] != 5 || cap(value) > len(value)) {
							t.Fatalf("row %v, %v, %v, want %d", y, index, value, next)
						}
						next++
					}
					read += n
				}
				line, err := lines.Next()
				if err == io.EOF && next == n {
					break
				}
				if word := strings.Fields(string(line)); err != nil || len(word) == 0 || word[0] != fmt.Sprint(next) || lines.Number() != next+1 {
					t.Fatalf("%q, %v, number %d, want line %d", line, err, lines.Number(), next+1)
				}
			}
		}
		if simd.Text() && read < 1000 {
			t.Errorf("%v: only %d rows were appended", l, read)
		}
	}
}

// some gives a part of what there is.
type some struct {
	io.Reader
	source tokens
}

func (s *some) Read(p []byte) (int, error) {
	return s.Reader.Read(p[:min(len(p), 1+s.source.IntN(4000))])
}
