package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// TestFirstComment: the line of a comment is found, also behind a row, and quoted marks are none.
func TestFirstComment(t *testing.T) {
	const head = "@relation r\n@attribute a {x,'y % z'}\n"
	for _, c := range []struct {
		codec format.Codec
		text  string
		want  int
	}{
		{arff.Codec, head + "@data\nx\n'y % z'\n", 0},
		{arff.Codec, "% about\n" + head, 1},
		{arff.Codec, head + "@data\nx % why\n", 4},
		{arff.Codec, head + "@attribute 'it\\'s %' numeric\n@data\n\"%\",%", 5},
		{arff.Codec, head + "@data\n'y\n% not in quotes, which end with the line\n", 5},
		{arff.Codec, head + "@data\n'y\\\n% here neither\n", 5},
		{arff.Codec, "@relation r\r@attribute a numeric\r\n@data\r% third\r", 4},
		{arff.Codec, head + "@data\n# 1\n", 0},
		{libsvmfmt.Codec, "1 1:2\n-1 1:3 # why\n", 2},
		{libsvmfmt.Codec, "1 1:2\r\n-1 1:3 '# why\n", 2},
		{libsvmfmt.Codec, "1 1:2 %\n", 0},
		{libsvmfmt.SVMLight, "# about\n1 1:2\n", 1},
		{csvfmt.Codec, "a,b # %\n1,2\n", 0},
		{libsvmfmt.Codec, strings.Repeat("1 1:2\n", 50_000) + "1 1:2\r2 # why\n", 50_001},
		{libsvmfmt.Codec, strings.Repeat(strings.Repeat("1 1:2 ", 20_000)+"\n", 3) + "#", 4},
		{libsvmfmt.Codec, strings.Repeat("1 1:2\n", 50_000), 0},
		{arff.Codec, strings.Repeat("'y\r\nx\r", 50_000) + "'%'\n'\r% why\n", 100_003},
		{arff.Codec, strings.Repeat("'y % z'\n'\"\n", 50_000) + "%", 100_001},
	} {
		if got, err := firstComment(t.Context(), strings.NewReader(c.text), c.codec); got != c.want || err != nil {
			t.Errorf("%s, %.50q: line %d, %v, want %d", c.codec.Name, c.text, got, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := firstComment(ctx, strings.NewReader(strings.Repeat("1 1:2\n", 5000)), libsvmfmt.Codec); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
