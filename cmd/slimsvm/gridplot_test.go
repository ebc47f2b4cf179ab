package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// chartOf returns a chart of two axes with nx and ny values, or of one if ny is 0.
func chartOf(m *measure, nx, ny int, score func(i, j int) float64) *chart {
	d := &chart{measure: *m, title: [2]string{"first", "second"}}
	for k, n := range []int{nx, ny} {
		if n > 0 {
			a := axis{name: []string{"cost", "gamma"}[k], exponents: make([]float64, n)}
			for i := range n {
				a.exponents[i] = float64(i - n/2)
			}
			a.values = powersOf(a.exponents)
			d.axes = append(d.axes, a)
		}
	}
	best := math.NaN()
	for i := range nx {
		for j := range max(1, ny) {
			v := m.shown(score(i, j))
			d.score, d.deviation = append(d.score, v), append(d.deviation, v/10)
			if m.better(v, best) {
				best, d.best = v, [2]int{i, j}
			}
		}
	}
	return d
}

func measureOf(t testing.TB, name string) *measure {
	at := slices.IndexFunc(measures, func(m measure) bool { return m.name == name })
	if at < 0 {
		t.Fatalf("no measure %s", name)
	}
	return &measures[at]
}

// A shape is one that a test finds in SVG: a filled area or a line, or discs.
type shape struct {
	fill, stroke string
	width        float64
	paths        [][][2]float64
}

var (
	pathTag    = regexp.MustCompile(`<path (?:fill="(#\w+|none)" )?(?:stroke="(#\w+)" stroke-width="([0-9.]+)" (?:stroke-linejoin|stroke-linecap)="round" )?d="([^"]*)"/>`)
	pathNumber = regexp.MustCompile(`-?[0-9.]+`)
)

// shapesOf reads the paths of a picture.
func shapesOf(t testing.TB, svg string) (all []shape) {
	t.Helper()
	tags := pathTag.FindAllStringSubmatch(svg, -1)
	if len(tags) != strings.Count(svg, "<path") {
		t.Fatalf("%d of %d paths are read", len(tags), strings.Count(svg, "<path"))
	}
	for _, tag := range tags {
		s := shape{fill: tag[1], stroke: tag[2]}
		s.width, _ = strconv.ParseFloat(tag[3], 64)
		for _, text := range strings.Split(tag[4], "M")[1:] {
			var path [][2]float64
			numbers := pathNumber.FindAllString(strings.ReplaceAll(text, "h0", ""), -1)
			for k := 0; k < len(numbers); k += 2 {
				x, _ := strconv.ParseFloat(numbers[k], 64)
				y, _ := strconv.ParseFloat(numbers[k+1], 64)
				if n := len(path); n > 0 {
					x, y = x+path[n-1][0], y+path[n-1][1]
				}
				path = append(path, [2]float64{x, y})
			}
			s.paths = append(s.paths, path)
		}
		all = append(all, s)
	}
	return all
}

// near returns how far a place is from a line.
func near(path [][2]float64, x, y float64) float64 {
	least := math.Inf(1)
	for i, p := range path {
		q := path[max(0, i-1)]
		dx, dy := p[0]-q[0], p[1]-q[1]
		along := 0.0
		if long := dx*dx + dy*dy; long > 0 {
			along = max(0, min(1, ((x-q[0])*dx+(y-q[1])*dy)/long))
		}
		least = min(least, math.Hypot(x-q[0]-along*dx, y-q[1]-along*dy))
	}
	return least
}

// holds reports whether a place is in a polygon.
func holds(path [][2]float64, x, y float64) (in bool) {
	for i, p := range path {
		q := path[(i+1)%len(path)]
		if (p[1] <= y) != (q[1] <= y) && x < p[0]+(y-p[1])*(q[0]-p[0])/(q[1]-p[1]) {
			in = !in
		}
	}
	return in
}

// colourAt returns the colour that a place has in SVG, "" where it is near a line, a border or a disc.
func colourAt(shapes []shape, x, y float64) string {
	colour := "#ffffff"
	for _, s := range shapes {
		for _, path := range s.paths {
			if near(path, x, y) < 1+s.width/2 || s.stroke == "" && near(append(path, path[0]), x, y) < 1 {
				return ""
			}
			if s.fill != "none" && s.fill != "" && holds(path, x, y) {
				colour = s.fill
			}
		}
	}
	return colour
}

func pixelAt(p image.Image, x, y float64) string {
	r, g, b, _ := p.At(int(pictureScale*x), int(pictureScale*y)).RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func pngOf(t testing.TB, d *chart) image.Image {
	t.Helper()
	p, err := png.Decode(bytes.NewReader(d.draw(pictureOfDots)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestMapPlaces: colours and contours are where the points are, and the best point is marked.
func TestMapPlaces(t *testing.T) {
	const nx, ny, bi, bj = 6, 5, 4, 1
	d := chartOf(measureOf(t, "accuracy"), nx, ny, func(i, j int) float64 {
		return 0.9 - 0.1*math.Abs(float64(i-bi)) - 0.1*math.Abs(float64(j-bj))
	})
	shapes := shapesOf(t, string(d.draw(pictureOfLines)))
	x := func(i float64) float64 { return chartLeft + i*float64(d.width)/(nx-1) }
	y := func(j float64) float64 {
		return chartHeight - chartBottom - j*(chartHeight-chartBottom-chartTop)/(ny-1)
	}
	marked := 0
	for _, s := range shapes {
		if s.stroke == dotColours[1] && len(s.paths) == 1 && near(s.paths[0], x(bi), y(bj)) < 0.1 {
			marked++
		}
	}
	if marked != 1 {
		t.Errorf("the best point is marked %d times", marked)
	}
	dots := 0
	for _, s := range shapes {
		if s.stroke == inkOfPoint {
			dots += len(s.paths)
			for k, path := range s.paths {
				if near(path, x(float64(k/ny)), y(float64(k%ny))) > 0.1 {
					t.Errorf("point %d is at %v", k, path)
				}
			}
		}
	}
	if dots != nx*ny {
		t.Errorf("%d dots", dots)
	}
	steps := levels(d.score)
	var borders [][][2]float64
	for _, s := range shapes {
		if s.stroke == inkOfBorder {
			borders = s.paths
		}
	}
	for _, at := range []struct{ i, j float64 }{{0.5, 1}, {1.5, 1}, {2.5, 1}, {4, 2.5}, {4, 3.5}, {3.5, 1}, {4, 1.5}, {1, 2}, {2, 3}, {4.5, 3}} {
		v := 90 - 10*math.Abs(at.i-bi) - 10*math.Abs(at.j-bj)
		k := 0
		for k < len(steps) && steps[k] <= v {
			k++
		}
		dx, dy := x(at.i), y(at.j)
		onBorder := slices.ContainsFunc(borders, func(p [][2]float64) bool { return near(p, dx, dy) < 0.2 })
		if isLevel := slices.Contains(steps, v); isLevel != onBorder {
			t.Errorf("%v: score %v of levels %v: a border is there: %t", at, v, steps, onBorder)
		}
		if got := colourAt(shapes, dx+3, dy+3); got != "" && !slices.Contains(steps, v) && got != levelColour(k, len(steps)) {
			t.Errorf("%v: score %v of levels %v: %s, want %s", at, v, steps, got, levelColour(k, len(steps)))
		}
	}
}

// TestMapBlank: where there is no score nothing is drawn, in no picture; all else is there.
func TestMapBlank(t *testing.T) {
	for _, odd := range []float64{math.NaN(), math.Inf(1)} {
		d := chartOf(measureOf(t, "mse"), 5, 5, func(i, j int) float64 {
			if i == 2 && j == 2 || i >= 3 && j >= 3 {
				return odd
			}
			return float64(1 + i + j)
		})
		shapes, picture := shapesOf(t, string(d.draw(pictureOfLines))), pngOf(t, d)
		for _, c := range []struct {
			i, j  float64
			blank bool
		}{{2, 2, true}, {2.2, 2.1, true}, {1.8, 2.1, true}, {3.5, 3.5, true}, {3.9, 3.2, true}, {2.7, 2.7, true}, {1.3, 1.3, false}, {0.1, 3.9, false}, {3.4, 0.4, false}} {
			x := chartLeft + c.i*float64(d.width)/4
			y := chartHeight - chartBottom - c.j*(chartHeight-chartBottom-chartTop)/4
			if got := colourAt(shapes, x, y); got == "" || (got == "#ffffff") != c.blank || pixelAt(picture, x, y) != got {
				t.Errorf("%v: %q in SVG, %q in PNG", c, got, pixelAt(picture, x, y))
			}
		}
	}
}

// TestPicturesAgree: PNG has the colours of SVG.
func TestPicturesAgree(t *testing.T) {
	for _, d := range []*chart{
		chartOf(measureOf(t, "f1"), 5, 4, func(i, j int) float64 { return math.Sin(float64(2*i + 3*j)) }),
		chartOf(measureOf(t, "mae"), 3, 7, func(i, j int) float64 { return 1 + float64(i*i+j)*0.37 }),
		chartOf(measureOf(t, "accuracy"), 4, 0, func(i, j int) float64 { return 0.2 * float64(i) }),
	} {
		shapes, picture := shapesOf(t, string(d.draw(pictureOfLines))), pngOf(t, d)
		compared := map[string]int{}
		for x := chartLeft + 1.25; x < units(d.right()); x += 13.5 {
			for y := chartTop + 1.25; y < chartHeight-chartBottom; y += 0.5 {
				if want := colourAt(shapes, x, y); want != "" {
					compared[want]++
					if got := pixelAt(picture, x, y); got != want {
						t.Fatalf("%v,%v: %s in PNG, %s in SVG", x, y, got, want)
					}
				}
			}
		}
		if len(d.axes) == 2 && len(compared) < 4 || len(d.axes) == 1 && compared["#ffffff"] < 1000 {
			t.Errorf("compared: %v", compared)
		}
		for _, s := range shapes {
			if s.stroke != "" && len(s.paths) > 0 {
				p := s.paths[len(s.paths)-1][0]
				if got := pixelAt(picture, p[0], p[1]); s.stroke == dotColours[1] && got != s.stroke {
					t.Errorf("the mark is %s", got)
				}
			}
		}
	}
}

// TestLargeMaps: a picture of a million points is small, be they however they are.
func TestLargeMaps(t *testing.T) {
	for name, c := range map[string]struct {
		score func(i, j int) float64
		most  int
	}{
		"smooth": {func(i, j int) float64 { return 1 / (1 + float64((i-700)*(i-700)+(j-200)*(j-200))/1e5) }, 60_000},
		"noise":  {func(i, j int) float64 { return float64(uint32(i*7919+j*104729)*2654435761>>8) / (1 << 24) }, 900_000},
	} {
		d := chartOf(measureOf(t, "accuracy"), mostValues, mostValues, c.score)
		if svg := d.draw(pictureOfLines); len(svg) > c.most || len(svg) < 5000 {
			t.Errorf("%s: %d bytes of SVG", name, len(svg))
		}
		if dots := d.draw(pictureOfDots); len(dots) > 200_000 {
			t.Errorf("%s: %d bytes of PNG", name, len(dots))
		}
	}
	d := chartOf(measureOf(t, "accuracy"), mostValues, 0, func(i, _ int) float64 { return float64(i%7) / 7 })
	if svg := d.draw(pictureOfLines); len(svg) > 200_000 {
		t.Errorf("line: %d bytes of SVG", len(svg))
	}
}

// TestOddCharts: whatever scores are, of however many points, a picture has numbers only, and its places are in it.
func TestOddCharts(t *testing.T) {
	odd := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 5e-324, 1e-300, 0.5, 0.5 + 1e-16, 1, 1e10, -3, 1e300}
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		m := rapid.SampledFrom(measures).Draw(r, "measure")
		nx, ny := rapid.IntRange(1, 5).Draw(r, "nx"), rapid.IntRange(0, 4).Draw(r, "ny")
		if ny == 1 { // is not drawn
			ny = 2
		}
		some := rapid.OneOf(rapid.SampledFrom(odd), rapid.Float64(), rapid.Float64Range(0, 1))
		d := chartOf(&m, nx, ny, func(int, int) float64 { return some.Draw(r, "score") })
		svg := string(d.draw(pictureOfLines))
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			r.Fatalf("%s", svg)
		}
		for _, s := range shapesOf(t, svg) {
			for _, path := range s.paths {
				for _, p := range path {
					if p[0] < 0 || p[1] < 0 || p[0] > chartWidth || p[1] > chartHeight {
						r.Fatalf("a place at %v in %s", p, svg)
					}
				}
			}
		}
		if n++; n <= 20 {
			d.draw(pictureOfDots)
		}
	})
}

// TestEvenMap: points that are all as good have one colour, and its number.
func TestEvenMap(t *testing.T) {
	d := chartOf(measureOf(t, "accuracy"), 3, 3, func(int, int) float64 { return 0.57 })
	svg := string(d.draw(pictureOfLines))
	if !strings.Contains(svg, ">57%</text>") || strings.Contains(svg, levelColour(1, 2)) || strings.Count(svg, regionColours[0]) != 2 {
		t.Errorf("%s", svg)
	}
}

func TestLevels(t *testing.T) {
	for _, c := range []struct{ values, want []float64 }{
		{nil, nil},
		{[]float64{57}, nil},
		{[]float64{57, 57 + 1e-13}, nil},
		{[]float64{48, 48, 48, 50, 60, 98.6667}, []float64{60, 80}},
		{[]float64{99, 99, 99, 100, 20}, []float64{99, 99.5}},
		{[]float64{-0.5, -0.1, -0.012}, []float64{-0.1, -0.04}},
		{[]float64{40, 50, 61, 85, 91, 96.5, 97.2, 98.2, 98.6667}, []float64{90, 96, 97, 98, 98.4}},
	} {
		if got := levels(c.values); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(-1e300, 1e300), rapid.Float64Range(1e9, 1e9+1)), 1, 9).Draw(r, "values")
		for i := range values {
			if math.Abs(values[i]) < 1e-290 {
				values[i] = 0
			}
		}
		list := levels(values)
		if !slices.IsSorted(list) || len(list) != len(slices.Compact(slices.Clone(list))) {
			r.Errorf("%v", list)
		}
		if low, high := slices.Min(values), slices.Max(values); spreadOut(low, high) && len(list) == 0 || len(list) > 0 && (list[0] <= low || list[len(list)-1] >= high) {
			r.Errorf("%v of %v", list, values)
		}
	})
}

// TestTitles: the longest lines above a picture are no wider than it.
func TestTitles(t *testing.T) {
	s := &search{chosenBy: &chosenBy{*measureOf(t, "rmse"), true}}
	x := []float64{-14.99, -13.99}
	for _, name := range []string{"cost", "gamma", "epsilon"} {
		s.axes = append(s.axes, axis{name, "", powersOf(x), x})
	}
	s.points = points(s.axes)
	for range s.points {
		s.tried = append(s.tried, &tried{score: -1.23456e-10})
	}
	d := s.chart(&searched{Points: make([]gridPoint, mostPoints)}, s.points[3])
	want := [2]string{
		"root mean squared error -1.23456e-10, the lowest of 1000000 points; the map is of epsilon 6.14597e-05",
		"at cost 3.07298e-05 (2^-14.99), gamma 6.14597e-05 (2^-13.99), epsilon 6.14597e-05 (2^-13.99)",
	}
	if d.title != want || d.best != [2]int{0, 1} || len(d.score) != 4 {
		t.Errorf("%q of %d points, the best is %v", d.title, len(d.score), d.best)
	}
	for _, line := range d.title {
		if wide := len(line) * glyphStep; wide > chartWidth-2*8 {
			t.Errorf("%q is %d wide", line, wide)
		}
	}
}

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		most      int
		want      []float64
	}{
		{0, 1, 5, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{-15, 3, 10, []float64{-14, -12, -10, -8, -6, -4, -2, 0, 2}},
		{0, 9.99, 10, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{0.1, 0.1, 5, []float64{0.1}},
		{-0.3, 0.3, 6, []float64{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}},
	} {
		if got := marks(c.low, c.high, c.most); !slices.Equal(got, c.want) || slices.ContainsFunc(got, func(v float64) bool { return v == 0 && math.Signbit(v) }) {
			t.Errorf("%v to %v: %v, want %v", c.low, c.high, got, c.want)
		}
	}
}

// TestPageOfGrid: the picture on the page is what the command there draws, on any number of threads.
func TestPageOfGrid(t *testing.T) {
	const page, kept = pageFolder + "/grid.md", pageFolder + "/../pictures/grid.svg"
	path, err := filepath.Abs(kept)
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^\$ slimsvm (generate spirals.*) > spirals.libsvm$|^\$ slimsvm (grid .*--plot search.svg spirals.libsvm)$`).FindAllStringSubmatch(readPage(t, page), -1)
	if len(lines) != 2 {
		t.Fatalf("%s: %q", page, lines)
	}
	want := readPage(t, path)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("spirals.libsvm", []byte(command(t, lines[0][1])), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, threads := range []string{"1", "3"} {
		command(t, lines[1][2]+" --threads "+threads)
		got := readPage(t, "search.svg")
		if *update {
			want = got
			if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got != want || len(got) > 40_000 {
			t.Errorf("%s is not what is drawn on %s threads, %d bytes (go test ./cmd/slimsvm -run PageOfGrid -update writes it again)", kept, threads, len(got))
		}
	}
}
