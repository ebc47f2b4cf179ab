package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
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

// TestPlot: a picture is well-formed, with a region for each answer, a dot for each row, a star for
// each vector, and a circle for each row that the margin touches. The legend has one more of each
// for a class, or one.
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
	if regions != 2+2 || dots != 5+2 || circles != 2+1 {
		t.Errorf("%d regions, %d dots, %d circles", regions, dots, circles)
	}
	if got := strings.Count(svg, "l16 0M"); got != 2+1 {
		t.Errorf("%d stars", got)
	}
	for _, text := range []string{"feature 3", "feature 7", "-1", "vector", "not beyond margin"} {
		if strings.Count(svg, ">"+text+"</text>") != 1 {
			t.Errorf("%q is not there once:\n%s", text, svg)
		}
	}
}

// TestPlotClasses: the summary tells of a margin only where one is drawn.
func TestPlotClasses(t *testing.T) {
	svg, log := plotted(t, "1 1:0 2:0\n1 1:1 2:0.5\n2 1:4 2:0\n2 1:5 2:1\n3 1:9\n3 1:9 2:1\n")
	if strings.Contains(svg, "<circle") || !strings.HasSuffix(log, "p.svg: 6 rows, 6 vectors\n") {
		t.Errorf("summary %q", log)
	}
}

// TestPlotColumns: features of declared columns have their names and the data's numbers on the axes, scaled or not, and
// can be chosen by name; classes have their texts.
func TestPlotColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	const data = "@relation r\n@attribute 'wide & high' numeric\n@attribute kind {a,b}\n@attribute long numeric\n@attribute class {'<no>',yes}\n@data\n" +
		"1000,a,5,'<no>'\n2000,b,6,'<no>'\n3000,a,7,yes\n4000,b,9,yes\n"
	if err := os.WriteFile("d.arff", []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, scale := range []string{"none", "normalize", "standardize"} {
		for _, line := range []string{"train -q --scale " + scale + " d.arff m", "plot -q --features long,1 m d.arff p.svg"} {
			if status, _, stderr := spaced(t, line); status != 0 {
				t.Fatal(stderr)
			}
		}
		svg := read(t, "p.svg")
		for _, text := range []string{"wide &amp; high", "long", "&lt;no&gt;", "yes", "1000", "4000", "5", "9", "all other features are at their means"} {
			if strings.Count(svg, ">"+text+"</text>") != 1 {
				t.Errorf("%s: %q is not there once", scale, text)
			}
		}
		// the range of the rows, and a fortieth of it to both sides, is as wide as the frame
		const atFive = 66 + 500.0/42
		if x := fmt.Sprintf("%.1f", atFive); !strings.Contains(svg, `<text x="`+x+`" y="542" text-anchor="middle">5</text>`) {
			t.Errorf("%s: 5 is not at %s", scale, x)
		}
	}
	for chosen, want := range map[string]string{
		"long,high": `slimsvm: --features "long,high": "high" is not the name or number of a feature` + "\nhint: the features are \"wide & high\", \"kind=b\", \"long\"\nslimsvm plot",
		"long,4":    "slimsvm: d.arff: feature 4 has no range",
		"long,3":    `slimsvm: --features "long,3": expected two different features`,
		"long":      `slimsvm: --features "long": expected two features with a comma between them`,
	} {
		if status, _, stderr := spaced(t, "plot -q --features "+chosen+" m d.arff p.svg"); status == 0 || !strings.HasPrefix(stderr, want) {
			t.Errorf("%s: status %d, %s", chosen, status, stderr)
		}
	}
}

// TestLegend: of more classes than there are lines, the first are listed, and it says how many are not.
func TestLegend(t *testing.T) {
	var rows strings.Builder
	for k := 1; k <= 40; k++ {
		fmt.Fprintf(&rows, "%d 1:%d 2:%d\n", k, k%7, k/7)
	}
	svg, _ := plotted(t, rows.String())
	for text, want := range map[string]int{">24</text>": 1, ">25</text>": 0, ">and 16 more</text>": 1, ">vector</text>": 1} {
		if got := strings.Count(svg, text); got != want {
			t.Errorf("%q is there %d times", text, got)
		}
	}
}

// TestPictureOf: what the name of a file says of a picture.
func TestPictureOf(t *testing.T) {
	for path, want := range map[string]picture.Kind{
		"p.png": picture.PNG, "P.PNG": picture.PNG, "p.Png.gz": picture.PNG, "p.svg": picture.SVG, "a.png.SVG.zst": picture.SVG,
		"p": picture.None, "-": picture.None, "": picture.None, "png": picture.None, "fig1.2": picture.None, "p.gz": picture.None, "sizes.tsv": picture.None,
	} {
		if kind, err := pictureOf("OUT", path); kind != want || err != nil {
			t.Errorf("%s: %v, %v; want %v", path, kind, err, want)
		}
	}
	for path, want := range map[string]string{
		"p.jpg": "OUT, p.jpg: pictures are SVG and PNG, not jpg", "p.PDF.gz": "OUT, p.PDF.gz: pictures are SVG and PNG, not pdf",
	} {
		if _, err := pictureOf("OUT", path); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
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

// TestPlotFar: of vectors far from the rows that are drawn no place in the picture is a number, and
// they are not drawn.
func TestPlotFar(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"far":   "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n1e-300 1:1e308 2:1\n-1e-300 1:-1e308 2:0.5\n",
		"given": "svm_type c_svc\nkernel_type precomputed\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n1 0:1\n-1 0:2\n",
		"rows":  "1 1:1e-3 2:1\n-1 1:2e-3 2:2\n",
		"none":  "",
	} {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plot := func(args ...string) (status int, log string) {
		var stderr strings.Builder
		status = run(t.Context(), append([]string{"plot"}, args...), nil, io.Discard, &stderr)
		return status, stderr.String()
	}
	if status, log := plot(at("far"), at("rows"), at("p.svg")); status != 0 {
		t.Fatal(log)
	}
	svg, err := os.ReadFile(at("p.svg"))
	if err != nil || strings.Contains(string(svg), "Inf") || strings.Contains(string(svg), "NaN") || strings.Count(string(svg), "l16 0M") > 1 {
		t.Errorf("%v\n%s", err, svg)
	}
	if status, log := plot(at("far"), at("rows"), at("p.png")); status != 0 {
		t.Error(log)
	}
	// a little beyond the rows, a pixel or the picture's side are no numbers
	for rows, want := range map[string]string{
		"1 1:8.8e307 2:1\n-1 1:-8.8e307 2:2\n":    "feature 1 has no range that can be drawn: -8.8e+307 to 8.8e+307\n",
		"1 1:1 2:-1.79e308\n-1 1:2 2:-1e307\n":    "feature 2 has no range that can be drawn: -1.79e+308 to -1e+307\n",
		"1 1:1 2:1.79e308\n-1 1:2 2:1e307\n":      "feature 2 has no range that can be drawn: 1e+307 to 1.79e+308\n",
		"1 1:0x1p-1074 2:1\n-1 1:0x1p-1073 2:2\n": "feature 1 has no range that can be drawn: 5e-324 to 1e-323\n",
	} {
		if err := os.WriteFile(at("wide"), []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, log := plot(at("far"), at("wide"), at("q.svg")); status != 1 || log != "slimsvm: "+at("wide")+": "+want {
			t.Errorf("%q: status %d, %s", rows, status, log)
		}
	}
	for want, args := range map[string][]string{
		at("given") + ": a precomputed kernel has kernel values in place of features, which span no plane\n": {"--features", "1,2", at("given"), at("rows"), at("q.svg")},
		at("none") + ": the data set has no rows\n":                                                          {"--from", "libsvm", at("far"), at("none"), at("q.svg")},
	} {
		if status, log := plot(args...); status != 1 || log != "slimsvm: "+want {
			t.Errorf("%v: status %d, %s", args, status, log)
		}
	}
}

// TestPlotWide: that a row has more than two features is reported when the third is met, not when each of all others was
// looked for among those before it.
func TestPlotWide(t *testing.T) {
	var row strings.Builder
	row.WriteString("1")
	for j := 1; j <= 400_000; j++ {
		fmt.Fprintf(&row, " %d:1", j)
	}
	if _, log := plotted(t, row.String()+"\n-1 1:2\n", "--kernel", "linear"); !strings.Contains(log, "more than two features: 1, 2, 3") {
		t.Error(log)
	}
}

// TestPlotUnknownLabels: rows of numbered features with a label that the model does not know are not drawn, as those of declared
// columns: they were circles about no dot, and counted as inside of the margin.
func TestPlotUnknownLabels(t *testing.T) {
	t.Chdir(t.TempDir())
	own := "1 1:1 2:1\n-1 1:2 2:3\n1 1:1 2:2\n-1 1:3 2:3\n"
	for name, text := range map[string]string{"own": own, "strange": own + "9 1:2 2:2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"train -q own m", "plot -q m own want.svg"} {
		if status, _, stderr := spaced(t, line); status != 0 {
			t.Fatal(stderr)
		}
	}
	status, _, stderr := spaced(t, "plot m strange got.svg")
	const want = "warning: strange: 1 row has a label that the model does not know, such as 9, and is left out\n"
	if status != 0 || !strings.HasPrefix(stderr, want) || read(t, "got.svg") != read(t, "want.svg") {
		t.Errorf("status %d, %q, want %q, and the same picture", status, stderr, want)
	}
}

// TestPlotRegressionFaults: what is asked for, and what cannot be drawn; targets are the data's own, scaled or not.
func TestPlotRegressionFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"wide":  "1 1:1 2:2 3:3\n2 1:2 2:1 3:5\n3 1:4\n",
		"far":   "svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1e308 1:1e308\n",
		"t.csv": "size,kind,price\n1,a,1000\n2,b,3000\n3,a,2000\n4,b,5000\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"train -q --method epsilon-svr wide m", "train -q --as weka-smo t.csv c"} {
		if status, _, stderr := spaced(t, line); status != 0 {
			t.Fatal(stderr)
		}
	}
	for line, want := range map[string]string{
		"m wide p.svg":                  "wide: there are more than two features: 1, 2, 3\nhint: choose one or two with --features A or A,B\n",
		"--features 1,2,3 m wide p.svg": `--features "1,2,3": expected two features with a comma between them, or one`,
		"far wide p.svg --features 1":   "far: the model's predictions are not finite",
		"--features 1 far wide p.svg":   "far: the model's predictions are not finite",
		"--features 1,2 far wide p.png": "far: the model's predictions are not finite",
	} {
		if status, _, stderr := spaced(t, "plot "+line); status == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s", line, status, stderr)
		}
	}
	if _, err := os.Stat("p.svg"); err == nil {
		t.Error("a picture in spite of the error")
	}
	if status, _, stderr := spaced(t, "plot --features size c t.csv p.svg"); status != 0 || stderr != "p.svg: 4 rows, 4 vectors\n" {
		t.Errorf("status %d, %s", status, stderr)
	}
	for _, text := range []string{"size", "price", "1000", "5000", "all other features are at their means"} {
		if !strings.Contains(read(t, "p.svg"), ">"+text+"</text>") {
			t.Errorf("no %q", text)
		}
	}
}

// TestPlotPNG: a picture in PNG, of two features of three.
func TestPlotPNG(t *testing.T) {
	dir := t.TempDir()
	data, model, out := filepath.Join(dir, "d"), filepath.Join(dir, "m"), filepath.Join(dir, "p.png")
	if err := os.WriteFile(data, []byte("1 1:0 2:1 3:0\n1 1:1 2:2 3:1\n-1 1:8 2:3 3:0\n-1 1:9 2:1 3:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"train", "-q", "--method", "psvm", "--cost", "10", data, model},
		{"plot", "--features", "1,2", model, data, out},
	} {
		var log strings.Builder
		if status := run(t.Context(), args, nil, io.Discard, &log); status != 0 {
			t.Fatal(log.String())
		}
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	p, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if b := p.Bounds(); b.Dx() != 2*(66+500+16+160) || b.Dy() != 2*(24+500+50) {
		t.Errorf("size %v", b)
	}
	at := func(x, y int) string {
		r, g, b, _ := p.At(picture.Scale*x, picture.Scale*y).RGBA()
		return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
	}
	const middle = 24 + 500/2
	if left, right := at(picture.MarginLeft+5, middle), at(picture.MarginLeft+500-5, middle); left != "#dbe9f9" || right != "#fbe3d0" {
		t.Errorf("%v on the left and %v on the right", left, right)
	}
	for _, wrong := range []string{"1", "1,1", "1,x", ",2"} {
		var log strings.Builder
		if status := run(t.Context(), []string{"plot", "--features", wrong, model, data, out}, nil, io.Discard, &log); status != 2 {
			t.Errorf("--features %s: status %d, %s", wrong, status, log.String())
		}
	}
}
