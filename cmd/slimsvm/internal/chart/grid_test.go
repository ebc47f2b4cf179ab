package chart

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
)

// gridOf returns a chart of two axes with nx and ny values, or of one if ny is 0.
func gridOf(m *tally.Measure, nx, ny int, score func(i, j int) float64) *Grid {
	d := &Grid{Measure: *m, Title: [2]string{"first", "second"}}
	for k, n := range []int{nx, ny} {
		if n > 0 {
			a := Axis{[]string{"cost", "gamma"}[k], make([]float64, n)}
			for i := range n {
				a.Exponents[i] = float64(i - n/2)
			}
			d.Axes = append(d.Axes, a)
		}
	}
	best := math.NaN()
	for i := range nx {
		for j := range max(1, ny) {
			v := Displayed(m, score(i, j))
			d.Score, d.Deviation = append(d.Score, v), append(d.Deviation, v/10)
			if m.Better(v, best) {
				best, d.Best = v, [2]int{i, j}
			}
		}
	}
	return d
}

func measureOf(t testing.TB, name string) *tally.Measure {
	at := slices.IndexFunc(tally.Measures, func(m tally.Measure) bool { return m.Name == name })
	if at < 0 {
		t.Fatalf("no measure %s", name)
	}
	return &tally.Measures[at]
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

// wide returns the width of a chart's frame in units.
func wide(d *Grid) float64 { return float64(d.Right-d.Left) / picture.Unit }

func pixelAt(p image.Image, x, y float64) string {
	r, g, b, _ := p.At(int(picture.Scale*x), int(picture.Scale*y)).RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func pngOf(t testing.TB, d *Grid) image.Image {
	t.Helper()
	p, err := png.Decode(bytes.NewReader(d.Draw(picture.PNG)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestMapPlaces: colours and contours are where the points are, and the best point is marked.
func TestMapPlaces(t *testing.T) {
	const nx, ny, bi, bj = 6, 5, 4, 1
	d := gridOf(measureOf(t, "accuracy"), nx, ny, func(i, j int) float64 {
		return 0.9 - 0.1*math.Abs(float64(i-bi)) - 0.1*math.Abs(float64(j-bj))
	})
	shapes := shapesOf(t, string(d.Draw(picture.SVG)))
	x := func(i float64) float64 { return picture.MarginLeft + i*wide(d)/(nx-1) }
	y := func(j float64) float64 {
		return gridHeight - picture.MarginBottom - j*(gridHeight-picture.MarginBottom-gridTop)/(ny-1)
	}
	marked := 0
	for _, s := range shapes {
		if s.stroke == dotColours[1].String() && len(s.paths) == 1 && near(s.paths[0], x(bi), y(bj)) < 0.1 {
			marked++
		}
	}
	if marked != 1 {
		t.Errorf("the best point is marked %d times", marked)
	}
	dots := 0
	for _, s := range shapes {
		if s.stroke == inkOfPoint.String() {
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
	steps := picture.Levels(d.Score)
	var borders [][][2]float64
	for _, s := range shapes {
		if s.stroke == inkOfBorder.String() {
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
		if got := colourAt(shapes, dx+3, dy+3); got != "" && !slices.Contains(steps, v) && got != levelColour(k, len(steps)).String() {
			t.Errorf("%v: score %v of levels %v: %s, want %v", at, v, steps, got, levelColour(k, len(steps)))
		}
	}
}

// TestMapBlank: where there is no score nothing is drawn, in no picture; all else is there.
func TestMapBlank(t *testing.T) {
	for _, odd := range []float64{math.NaN(), math.Inf(1)} {
		d := gridOf(measureOf(t, "mse"), 5, 5, func(i, j int) float64 {
			if i == 2 && j == 2 || i >= 3 && j >= 3 {
				return odd
			}
			return float64(1 + i + j)
		})
		shapes, image := shapesOf(t, string(d.Draw(picture.SVG))), pngOf(t, d)
		for _, c := range []struct {
			i, j  float64
			blank bool
		}{{2, 2, true}, {2.2, 2.1, true}, {1.8, 2.1, true}, {3.5, 3.5, true}, {3.9, 3.2, true}, {2.7, 2.7, true}, {1.3, 1.3, false}, {0.1, 3.9, false}, {3.4, 0.4, false}} {
			x := picture.MarginLeft + c.i*wide(d)/4
			y := gridHeight - picture.MarginBottom - c.j*(gridHeight-picture.MarginBottom-gridTop)/4
			if got := colourAt(shapes, x, y); got == "" || (got == "#ffffff") != c.blank || pixelAt(image, x, y) != got {
				t.Errorf("%v: %q in SVG, %q in PNG", c, got, pixelAt(image, x, y))
			}
		}
	}
}

// TestPicturesAgree: PNG has the colours of SVG.
func TestPicturesAgree(t *testing.T) {
	for _, d := range []*Grid{
		gridOf(measureOf(t, "f1"), 5, 4, func(i, j int) float64 { return math.Sin(float64(2*i + 3*j)) }),
		gridOf(measureOf(t, "mae"), 3, 7, func(i, j int) float64 { return 1 + float64(i*i+j)*0.37 }),
		gridOf(measureOf(t, "accuracy"), 4, 0, func(i, j int) float64 { return 0.2 * float64(i) }),
	} {
		shapes, image := shapesOf(t, string(d.Draw(picture.SVG))), pngOf(t, d)
		compared := map[string]int{}
		for x := picture.MarginLeft + 1.25; x < picture.MarginLeft+wide(d); x += 13.5 {
			for y := gridTop + 1.25; y < gridHeight-picture.MarginBottom; y += 0.5 {
				if want := colourAt(shapes, x, y); want != "" {
					compared[want]++
					if got := pixelAt(image, x, y); got != want {
						t.Fatalf("%v,%v: %s in PNG, %s in SVG", x, y, got, want)
					}
				}
			}
		}
		if len(d.Axes) == 2 && len(compared) < 4 || len(d.Axes) == 1 && compared["#ffffff"] < 1000 {
			t.Errorf("compared: %v", compared)
		}
		for _, s := range shapes {
			if s.stroke != "" && len(s.paths) > 0 {
				p := s.paths[len(s.paths)-1][0]
				if got := pixelAt(image, p[0], p[1]); s.stroke == dotColours[1].String() && got != s.stroke {
					t.Errorf("the mark is %s", got)
				}
			}
		}
	}
}

// manyValues is the number of values of the longest axis.
const manyValues = 1000

// TestLargeMaps: a picture of a million points is small, be they however they are.
func TestLargeMaps(t *testing.T) {
	for name, c := range map[string]struct {
		score func(i, j int) float64
		most  int
	}{
		"smooth": {func(i, j int) float64 { return 1 / (1 + float64((i-700)*(i-700)+(j-200)*(j-200))/1e5) }, 60_000},
		"noise":  {func(i, j int) float64 { return float64(uint32(i*7919+j*104729)*2654435761>>8) / (1 << 24) }, 900_000},
	} {
		d := gridOf(measureOf(t, "accuracy"), manyValues, manyValues, c.score)
		if svg := d.Draw(picture.SVG); len(svg) > c.most || len(svg) < 5000 {
			t.Errorf("%s: %d bytes of SVG", name, len(svg))
		}
		if dots := d.Draw(picture.PNG); len(dots) > 200_000 {
			t.Errorf("%s: %d bytes of PNG", name, len(dots))
		}
	}
	d := gridOf(measureOf(t, "accuracy"), manyValues, 0, func(i, _ int) float64 { return float64(i%7) / 7 })
	if svg := d.Draw(picture.SVG); len(svg) > 200_000 {
		t.Errorf("line: %d bytes of SVG", len(svg))
	}
}

// TestOddCharts: whatever scores are, of however many points, a picture has numbers only, and its places are in it.
func TestOddCharts(t *testing.T) {
	odd := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 5e-324, 1e-300, 0.5, 0.5 + 1e-16, 1, 1e10, -3, 1e300}
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		m := rapid.SampledFrom(tally.Measures).Draw(r, "measure")
		nx, ny := rapid.IntRange(1, 5).Draw(r, "nx"), rapid.IntRange(0, 4).Draw(r, "ny")
		if ny == 1 { // is not drawn
			ny = 2
		}
		some := rapid.OneOf(rapid.SampledFrom(odd), rapid.Float64(), rapid.Float64Range(0, 1))
		d := gridOf(&m, nx, ny, func(int, int) float64 { return some.Draw(r, "score") })
		svg := string(d.Draw(picture.SVG))
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			r.Fatalf("%s", svg)
		}
		for _, s := range shapesOf(t, svg) {
			for _, path := range s.paths {
				for _, p := range path {
					if p[0] < 0 || p[1] < 0 || p[0] > gridWidth || p[1] > gridHeight {
						r.Fatalf("a place at %v in %s", p, svg)
					}
				}
			}
		}
		if n++; n <= 20 {
			d.Draw(picture.PNG)
		}
	})
}

// TestEvenMap: points that are all equally good have one colour, and its number.
func TestEvenMap(t *testing.T) {
	d := gridOf(measureOf(t, "accuracy"), 3, 3, func(int, int) float64 { return 0.57 })
	svg := string(d.Draw(picture.SVG))
	if !strings.Contains(svg, ">57%</text>") || strings.Contains(svg, levelColour(1, 2).String()) || strings.Count(svg, regionColours[0].String()) != 2 {
		t.Errorf("%s", svg)
	}
}
