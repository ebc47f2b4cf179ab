package main

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// plotted trains on rows and returns the picture, or what went wrong.
func plotted(t *testing.T, rows string, options ...string) (svg, stderr string) {
	t.Helper()
	dir := t.TempDir()
	data, model, out := filepath.Join(dir, "d.libsvm"), filepath.Join(dir, "m"), filepath.Join(dir, "p.svg")
	if err := os.WriteFile(data, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	args := append(append([]string{"train", "--quiet"}, options...), data, model)
	if status := run(t.Context(), args, nil, io.Discard, &log); status != 0 {
		t.Fatal(log.String())
	}
	if status := run(t.Context(), []string{"plot", model, data, out}, nil, io.Discard, &log); status != 0 {
		if _, err := os.Stat(out); err == nil {
			t.Error("a picture in spite of the error")
		}
		return "", log.String()
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), log.String()
}

// TestPlot: a picture is well-formed, with a region for each answer, a dot for each
// row, a star for each vector, and a circle for each row that the margin touches.
func TestPlot(t *testing.T) {
	svg, log := plotted(t, "1 3:0 7:0\n1 3:1 7:0.5\n-1 3:4 7:0\n-1 3:5 7:1\n-1 3:9\n", "--kernel", "linear", "--cost", "100")
	if !strings.Contains(log, "5 rows, 2 vectors, 2 rows at or inside the margin") {
		t.Errorf("summary %q", log)
	}
	regions, dots, circles := 0, 0, 0
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, is := token.(xml.StartElement)
		if !is {
			continue
		}
		attributes := map[string]string{}
		for _, a := range e.Attr {
			attributes[a.Name.Local] = a.Value
		}
		switch path := attributes["d"]; {
		case e.Name.Local == "circle":
			circles++
		case strings.HasSuffix(path, "z"):
			regions++
		default:
			dots += strings.Count(path, "h0")
		}
	}
	if regions != 2 || dots != 5 || circles != 2 {
		t.Errorf("%d regions, %d dots, %d circles", regions, dots, circles)
	}
	if got := strings.Count(svg, "h16M"); got != 2 {
		t.Errorf("%d stars", got)
	}
}

func TestPlotFaults(t *testing.T) {
	for _, c := range []struct{ rows, want string }{
		{"1 1:1 2:2 3:1\n-1 1:2 2:1 3:0\n", "more than two features: 1, 2, 3"},
		{"1 2:1\n-1 2:2\n", "1 feature: a picture needs two"},
		{"1 1:1 2:1\n-1 1:1 2:2\n", "feature 1 has no range that can be drawn: 1 to 1"},
	} {
		if _, log := plotted(t, c.rows); !strings.Contains(log, c.want) {
			t.Errorf("%q: %q, want %q", c.rows, log, c.want)
		}
	}
}
