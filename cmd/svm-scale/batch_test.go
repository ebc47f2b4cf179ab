package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// mixedRows are rows of many blocks: with the same features and with others, with
// none, some that are longer than a block, and blocks of ones.
func mixedRows() string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 12000 {
		fmt.Fprint(&b, i%3)
		columns := 5
		if i == 3000 || i == 3001 {
			columns = 10000 + i%2*20000
		}
		for k := range columns {
			switch {
			case i > 3100 && i%7 > 2:
				fmt.Fprintf(&b, " %d:1", k+1)
			case i%7 > 2 || r.IntN(2) == 0 && i <= 3100:
				fmt.Fprintf(&b, " %d:%.*f", k+1, i%6, r.ExpFloat64()*10)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Kept rows, rows that are read again, and those that are too many to keep all come
// out alike.
func TestKeep(t *testing.T) {
	data := mixedRows()
	old := cacheBytes
	t.Cleanup(func() { cacheBytes = old })
	var want []byte
	for k := range 9 {
		most := []int{0, 50_000, 1 << 30}[k%3]
		cacheBytes = most
		defer useGoroutines([]int{1, 3, 2}[k/3])()
		if k/3 == 2 {
			fewBytes = 3 * blockSize // read before others are called
		}
		var stdout, stderr bytes.Buffer
		o, err := parseOptions([]string{"-l", "0", "data"})
		if err != nil {
			t.Fatal(err)
		}
		s := &scaling{options: o, stdout: &stdout, stderr: &stderr, in: sourceOf(strings.NewReader(data))}
		if err := s.scale(context.Background(), nil, nil); err != nil {
			t.Fatal(err)
		}
		if kept := len(s.cache.batches) > 0; kept != (most == 1<<30) {
			t.Errorf("up to %d bytes: kept: %v", most, kept)
		}
		if want == nil {
			want = stdout.Bytes()
		}
		if len(want) < writeAtOnce || !bytes.Equal(stdout.Bytes(), want) {
			t.Errorf("up to %d bytes: %d bytes of output, want %d", most, stdout.Len(), len(want))
		}
	}
}

// Of a file whose rows will not be kept not many are, and it is scaled as if they were.
func TestHopeless(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	text := strings.Repeat(mixedRows(), 1+8*sampleBytes/len(mixedRows()))
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	old := cacheBytes
	t.Cleanup(func() { cacheBytes = old })
	var want []byte
	for k := range 4 {
		most := []int{1 << 30, 4 * sampleBytes}[k%2]
		cacheBytes = most
		defer useGoroutines(1 + k/2*2)()
		var stdout, stderr bytes.Buffer
		s := &scaling{options: &options{x: scale.Limits{Lower: 0, Upper: 1}, data: path}, stdout: &stdout, stderr: &stderr}
		if err := s.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = stdout.Bytes()
		}
		if most > 4*sampleBytes {
			if s.cache.bytes < 5*sampleBytes || !bytes.Equal(stdout.Bytes(), want) {
				t.Errorf("only %d bytes are kept, or %d of output, want %d", s.cache.bytes, stdout.Len(), len(want))
			}
			continue
		}
		if s.cache.bytes > 2*sampleBytes || len(s.cache.batches) > 0 {
			t.Errorf("%d bytes were kept, in %d batches now", s.cache.bytes, len(s.cache.batches))
		}
		if len(want) < sampleBytes || !bytes.Equal(stdout.Bytes(), want) {
			t.Errorf("%d bytes of output, want %d", stdout.Len(), len(want))
		}
	}
}

// Rows are the same with any instructions, plain ones among others.
func TestBatchSimd(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		var text strings.Builder
		odd := r.IntN(40)
		for range 1 + r.IntN(1000) {
			fmt.Fprintf(&text, "%d", r.IntN(5)-2)
			step := 1 + r.IntN(2)*100
			for k := range r.IntN(20) {
				fmt.Fprintf(&text, " %d:%.*f", k*step, r.IntN(9), r.NormFloat64())
			}
			if r.IntN(200) < odd {
				text.WriteString([]string{" ", "  ", "\r", " #", " 123456:1e3", "\t123456:1"}[r.IntN(6)])
			}
			text.WriteByte('\n')
		}
		block := append([]byte(text.String()), make([]byte, textscan.Slack)...)
		want := ""
		for l := simd.Portable; l <= simd.Best(); l++ {
			func() {
				defer simd.Use(simd.Use(l))
				b := new(batch)
				b.reset(r.IntN(2))
				fault := b.parse(bytes.Clone(block)[:text.Len()])
				got := fmt.Sprint(fault, b.labels)
				for i := range b.len() {
					_, x := b.all().Row(i)
					got += fmt.Sprint(x.Index, x.Value)
				}
				if want == "" {
					want = got
				}
				if got != want || fault != nil {
					t.Fatalf("%v: %v, %d rows, of a text of %d bytes", l, fault, b.len(), text.Len())
				}
			}()
		}
	}
}

// Rows have what their lines say, whether or not they share indices.
func TestBatchRows(t *testing.T) {
	text := "\xef\xbb\xbf1 1:2 3:4\n2 1:5 3:6\n3\n4\n5 1:7\n6 1:8 3:9\n7 1:1 3:2"
	b := new(batch)
	b.reset(0)
	b.first = true
	if fault := b.parse([]byte(text)); fault != nil {
		t.Fatal(fault)
	}
	var got []string
	for i := range b.len() {
		y, x := b.all().Row(i)
		got = append(got, fmt.Sprint(y, x.Index, x.Value))
	}
	want := []string{"1 [1 3] [2 4]", "2 [1 3] [5 6]", "3 [] []", "4 [] []", "5 [1] [7]", "6 [1 3] [8 9]", "7 [1 3] [1 2]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(b.index) != 5 {
		t.Errorf("%d indices for three different lists", len(b.index))
	}
}
