package libsvmfmt_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// TestSkip: behind each line with a fault reading goes on, with the lines' numbers as they are; at
// the end and behind errors of the input it does not.
func TestSkip(t *testing.T) {
	rows := strings.Repeat("1 1:1 2:0.5\n", 40) // as many as are read at a time
	text := "1 1:x\n" + rows + "1 2:1 1:1\n\ufeff1 1:1\n" + rows + "x\n1 1:1"
	const faults, last = "1:5 42:7 43:1 84:1", 85
	for name, newReader := range map[string]func(io.Reader) format.Reader{"libsvm": libsvmfmt.Codec.NewReader, "svmlight": libsvmfmt.SVMLight.NewReader} {
		failure := errors.New("failure")
		for _, end := range []error{io.EOF, failure} {
			in := io.Reader(strings.NewReader(text))
			if end == failure {
				in = io.MultiReader(strings.NewReader(text+"\n"), failing{failure})
			}
			r := newReader(in)
			var got []string
			count := 0
			for {
				_, err := r.Read()
				if err == nil {
					count++
					continue
				}
				if _, again := r.Read(); again != err {
					t.Errorf("%s: %v, and then %v", name, err, again)
				}
				if !r.(interface{ Skip() bool }).Skip() {
					if err != end {
						t.Errorf("%s: ends with %v, want %v", name, err, end)
					}
					break
				}
				if at := (*format.Error)(nil); errors.As(err, &at) {
					got = append(got, fmt.Sprintf("%d:%d", at.Line, at.Column))
				}
			}
			if line := r.(interface{ Line() int }).Line(); strings.Join(got, " ") != faults || count != 81 || line != last {
				t.Errorf("%s: faults %v, want %s; %d rows, the last in line %d", name, got, faults, count, line)
			}
		}
	}
}

// failing is an input that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
