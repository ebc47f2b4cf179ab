package picture

import (
	"bytes"
	"encoding/xml"
	"image"
	imagepng "image/png"
	"io"
	"math"
	"strings"
	"testing"
)

// decoded ends a canvas of PNG.
func decoded(t *testing.T, c Canvas) image.Image {
	t.Helper()
	p, err := imagepng.Decode(bytes.NewReader(c.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func colourAt(p image.Image, x, y int) Colour {
	r, g, b, _ := p.At(x, y).RGBA()
	return Colour(r>>8<<16 | g>>8<<8 | b>>8)
}

// dark returns the black pixels' bounds, and how many there are.
func dark(p image.Image) (box image.Rectangle, n int) {
	for y := range p.Bounds().Dy() {
		for x := range p.Bounds().Dx() {
			if colourAt(p, x, y) == Black {
				box = box.Union(image.Rect(x, y, x+1, y+1))
				n++
			}
		}
	}
	return box, n
}

// TestShapes: what is drawn has its colour at the pixels of its place, and is in SVG in these units.
func TestShapes(t *testing.T) {
	const red, blue, green Colour = 0xff0000, 0x0000ff, 0x00ff00
	draw := func(c Canvas) {
		c.Fill(red, [][]Point{Box(100, 100, 200, 150), {{300, 100}, {340, 140}, {300, 140}}})
		c.Stroke(blue, 10, [][]Point{{{100, 300}, {200, 300}, {200, 350}}})
		c.Discs(green, 25, []Point{{300, 300}})
		c.Circles(Black, 60, []Point{{400, 200}})
	}
	dots := New(PNG, 50, 40)
	draw(dots)
	p := decoded(t, dots)
	if got := p.Bounds(); got != image.Rect(0, 0, 100, 80) {
		t.Fatalf("bounds %v", got)
	}
	for at, want := range map[[2]int]Colour{
		{20, 20}: red, {39, 29}: red, {19, 20}: White, {40, 29}: White, {39, 30}: White, // the box
		{61, 26}: red, {66, 22}: White, {60, 27}: red, // the triangle
		{30, 60}: blue, {40, 65}: blue, {30, 63}: White, {40, 72}: White, // the line
		{60, 60}: green, {64, 60}: green, {66, 60}: White, {64, 64}: White, // the disc
		{80, 40}: White, {92, 40}: Black, {80, 28}: Black, {89, 40}: White, {94, 40}: White, // the circle
	} {
		if got := colourAt(p, at[0], at[1]); got != want {
			t.Errorf("pixel %v is %v, want %v", at, got, want)
		}
	}
	lines := New(SVG, 50, 40)
	draw(lines)
	text := string(lines.Bytes())
	for _, want := range []string{
		`<path fill="#ff0000" d="M10 10l10 0 0 5-10 0zM30 10l4 4-4 0z"/>`,
		`<path fill="none" stroke="#0000ff" stroke-width="1" stroke-linejoin="round" d="M10 30l10 0 0 5"/>`,
		`<path stroke="#00ff00" stroke-width="5" stroke-linecap="round" d="M30 30h0"/>`,
		`<circle cx="40" cy="20" r="6"/>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestText: a text is at its point, in both directions, whatever its characters are.
func TestText(t *testing.T) {
	for _, c := range []struct {
		part   Anchor
		upward bool
		low    image.Rectangle // of units where the text is
	}{
		{Start, false, image.Rect(50, 38, 71, 53)}, {Middle, false, image.Rect(39, 38, 61, 53)}, {End, false, image.Rect(29, 38, 50, 53)},
		{Start, true, image.Rect(38, 29, 53, 50)}, {Middle, true, image.Rect(38, 39, 53, 61)}, {End, true, image.Rect(38, 50, 53, 71)},
	} {
		canvas := New(PNG, 100, 100)
		canvas.Text("Hxy", At(50, 50), c.part, c.upward)
		box, n := dark(decoded(t, canvas))
		want := image.Rect(Scale*c.low.Min.X, Scale*c.low.Min.Y, Scale*c.low.Max.X, Scale*c.low.Max.Y).Inset(-2 * Scale)
		if n < 100 || !box.In(want) || box.Dx() < 14 || box.Dy() < 14 {
			t.Errorf("%v, upward %t: %d black pixels in %v, want them in %v", c.part, c.upward, n, box, want)
		}
	}
	for _, text := range []string{"", "a<b & \"c\"", "Grüße, 你好", "bad \xff\x00 bytes", strings.Repeat("long ", 1000)} {
		c, dots := New(SVG, 10, 10), New(PNG, 10, 10)
		c.Text(text, At(1, 1), Start, true)
		dots.Text(text, At(1, 1), Start, false)
		decoded(t, dots)
		var got string
		for d := xml.NewDecoder(bytes.NewReader(c.Bytes())); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if chars, ok := token.(xml.CharData); ok {
				got += string(chars)
			}
		}
		if want := strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd"); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

// TestColours: the ends and the middle of the way from one colour to another.
func TestColours(t *testing.T) {
	const from, to Colour = 0x204060, 0x408020
	for _, c := range []struct {
		k, n int
		want Colour
	}{{0, 4, from}, {4, 4, to}, {1, 2, 0x306040}, {3, 0, from}} {
		if got := from.Blend(to, c.k, c.n); got != c.want {
			t.Errorf("%d of %d: %v, want %v", c.k, c.n, got, c.want)
		}
	}
}

// TestFrame: ticks and their numbers are at their places on the axes.
func TestFrame(t *testing.T) {
	f := Frame{Canvas: New(SVG, 300, 200), Left: 660, Right: 2660, Top: 100, Bottom: 1500}
	f.Border()
	f.Axis(false, "across", []float64{0, 2.5}, func(v float64) int { return AxisPosition(f.Left, f.Right, v, 0, 5) })
	f.Axis(true, "upward", []float64{-1, 1}, func(v float64) int { return AxisPosition(f.Bottom, f.Top, v, -1, 1) })
	text := string(f.Bytes())
	for _, want := range []string{
		`d="M66 10l200 0 0 140-200 0 0-140"/>`, `d="M66 150l0 5M166 150l0 5"/>`, `d="M66 150l-5 0M66 10l-5 0"/>`,
		`<text x="166" y="168" text-anchor="middle">2.5</text>`, `<text x="57" y="14" text-anchor="end">1</text>`,
		`<text x="166" y="188" text-anchor="middle">across</text>`, `transform="rotate(-90 16 80)">upward</text>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if got := AxisPosition(0, 10, 7, 3, 3); got != 5 {
		t.Errorf("on an axis of one number it is at %d", got)
	}
	if got := Interpolate(0, 10, 1, 4); got != 3 {
		t.Errorf("a quarter of 10 is %d", got)
	}
}

// TestMesh: the area where a plane is at least level ends at a straight line, a cell with a missing corner is half there.
func TestMesh(t *testing.T) {
	m := Mesh{X: []int{0, 100, 200}, Y: []int{0, 100}, At: func(i, j int) float64 {
		if i == 2 && j == 1 {
			return math.NaN()
		}
		return float64(i)
	}}
	area := func(polygons [][]Point) (sum float64) {
		for _, list := range polygons {
			twice := 0
			for i, p := range list {
				q := list[(i+1)%len(list)]
				twice += p.X*q.Y - q.X*p.Y
			}
			sum += math.Abs(float64(twice)) / 2
		}
		return sum
	}
	for _, c := range []struct{ level, want float64 }{{math.Inf(-1), 15_000}, {0.5, 10_000}, {1, 5_000}, {1.5, 1_250}, {3, 0}} {
		polygons, border := m.Above(c.level)
		if got := area(polygons); math.Abs(got-c.want) > 1 {
			t.Errorf("level %v: area %v, want %v", c.level, got, c.want)
		}
		for _, line := range border {
			for _, p := range line {
				if want := int(100 * c.level); p.X != want {
					t.Errorf("level %v: the border is at %v", c.level, p)
				}
			}
		}
	}
}
