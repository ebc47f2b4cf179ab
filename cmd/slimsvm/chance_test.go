package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChance: a classifier that is no better than its most frequent label is warned of, on rows held out or on training
// rows, but not with costs of classes, which it then heeds.
func TestChance(t *testing.T) {
	dir := newFolder(t)
	write := func(name string, row func(i int) string, n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(row(i) + "\n")
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// each row has a feature of its own, and a third or none of the others says something of the label
	wide := write("wide", func(i int) string { return fmt.Sprintf("%d 1:%d %d:1", 1+i%3%2, i%2, 2+i) }, 90)
	few := write("few", func(i int) string { return fmt.Sprintf("%d 1:%d %d:1", 1+i%3%2, i%2, 2+i) }, 60)
	noise := write("noise", func(i int) string { return fmt.Sprintf("%d 1:%d 2:%d", 1+(2-i%3)/2*(1+i%2), i/3%3, i*i%5) }, 54)
	plain := write("plain", func(i int) string { return fmt.Sprintf("%d 1:%d 2:%d", i%2, i%2, i%7) }, 40)
	// 3000 rows, of which 1000 are asked about, of labels that take turns
	turns := write("turns", func(i int) string { return fmt.Sprintf("%d 1:%d 2:%d", i%3, i%3, i%7) }, 3000)
	vain := write("vain", func(i int) string { return fmt.Sprintf("%d 1:%d 2:%d", 1+i%5/4, i%7, i%3) }, 3000)
	for _, c := range []struct {
		options, data, tells string
	}{
		{"esvm", wide, "% of held-out rows correctly, which is no better than label 1 for all rows, as 66.67% of the rows have it\n"},
		{"esvm --validation-share 0", wide, ""},
		{"esvm", few, ""}, // of which 15 are held out
		{"esvm --validation-share 0", noise, " predicts 64.81% of training rows correctly, which is no better than label 1 for all rows, as 66.67% of the rows have it\n"},
		{"esvm --validation-share 0 -q", noise, ""},
		{"csvc --weight 2=4", noise, ""},
		{"esvm", plain, ""},
		{"csvc", plain, ""},
		{"csvc --gamma 0.001 --cost 0.1", turns, ""},
		{"nusvc --nu 0.2", vain, "% of 1000 of the training rows correctly, which is no better than label 1 for all rows, as 78.2% of these rows have it\n"},
	} {
		status, _, stderr := slimsvm(t, "train --method "+c.options+" "+c.data+" "+filepath.Join(dir, "m"))
		if is := strings.Contains(stderr, "no better than"); status != 0 || is != (c.tells != "") || !strings.Contains(stderr, c.tells) {
			t.Errorf("%s %s: status %d: %s", c.options, c.data, status, stderr)
		}
	}
}
