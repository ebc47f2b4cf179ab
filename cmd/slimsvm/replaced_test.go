package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// swapper replaces a file when it is first written to, as between two passes over it.
type swapper struct {
	bytes.Buffer
	swap func()
}

func (s *swapper) Write(p []byte) (int, error) {
	if s.swap != nil {
		s.swap()
		s.swap = nil
	}
	return s.Buffer.Write(p)
}

// TestReplacedFile: a file that another takes the place of between two passes is reported, also
// where that has as many rows of each class; and no model is written.
func TestReplacedFile(t *testing.T) {
	rows := func(n int, class func(i int) int) []byte {
		var b bytes.Buffer
		for i := range n {
			fmt.Fprintf(&b, "%d 1:%d 2:%d\n", class(i), i%7, i%5)
		}
		return b.Bytes()
	}
	two := func(i int) int { return 1 + i%2 }
	for name, other := range map[string][]byte{
		"one class": rows(300, func(int) int { return 1 }), "other rows": rows(300, func(i int) int { return 2 - i%2 }), "fewer": rows(200, two),
	} {
		for _, args := range []string{"--draw kmeans --vectors 4", "--vectors 4"} {
			dir := t.TempDir()
			data, model := filepath.Join(dir, "live"), filepath.Join(dir, "model")
			if err := os.WriteFile(data, rows(300, two), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(data+".new", other, 0o666); err != nil {
				t.Fatal(err)
			}
			var failed error
			stderr := &swapper{swap: func() { failed = os.Rename(data+".new", data) }}
			// the warning of a weight comes behind the first pass
			words := append(strings.Fields("train --method rsvm --stream --gamma 1 --weight 7=2 "+args), data, model)
			code := run(context.Background(), words, strings.NewReader(""), new(bytes.Buffer), stderr)
			if failed != nil {
				t.Skip(failed) // some systems do not replace what is open
			}
			if said := stderr.String(); code != 1 || !strings.Contains(said, "the file changed while it was read") {
				t.Errorf("%s, %s: exit %d, %s", name, args, code, said)
			}
			if _, err := os.Stat(model); err == nil {
				t.Errorf("%s, %s: a model", name, args)
			}
		}
	}
}
