package main

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"testing"
)

// TestGlyphs: every sign of a text that a picture may have can be drawn, is no larger than a sign may be, and is like no other.
func TestGlyphs(t *testing.T) {
	texts := []string{curveTitle(1234567890), "vectors", "log2(cost)", "log2(gamma)", "log2(epsilon)", "at cost 2 (2^-1.5), epsilon 3e+06", "; the map is of ", ", %", fmt.Sprint(math.NaN())}
	for _, m := range measures {
		for _, asked := range []bool{false, true} {
			texts = append(texts, fmt.Sprintf("%s 1.5%%, the %s of %s, %s", m.text, (&chosenBy{m, asked}).superlative(), count(2, "point"), count(1, "point")))
		}
	}
	for _, text := range texts {
		for _, sign := range text {
			if _, ok := glyphs[sign]; !ok {
				t.Errorf("%q: there is no %q", text, sign)
			}
		}
	}
	seen := map[string]rune{}
	for sign, rows := range glyphs {
		if len(rows) > glyphRise+2 {
			t.Errorf("%q has %d rows", sign, len(rows))
		}
		for _, row := range rows {
			if len(row) > glyphWidth {
				t.Errorf("%q has a row of %d dots", sign, len(row))
			}
		}
		dots := fmt.Sprintf("%q", rows)
		if other, was := seen[dots]; was {
			t.Errorf("%q is %q", sign, other)
		}
		seen[dots] = sign
	}
}

// TestCurveTexts: a curve in PNG has a text below its axis and one above it.
func TestCurveTexts(t *testing.T) {
	p, err := png.Decode(bytes.NewReader(curveText("x.png", []sized{{1, 0.5}, {10, 0.125}}, 0.1, 40)))
	if err != nil {
		t.Fatal(err)
	}
	for what, rows := range map[string][2]int{"vectors": {plotHeight - 20, plotHeight - 10}, "error": {plotEdge - 14, plotEdge - 6}} {
		dark := 0
		for y := pictureScale * rows[0]; y < pictureScale*rows[1]; y++ {
			for x := range p.Bounds().Dx() {
				if r, _, _, _ := p.At(x, y).RGBA(); r == 0 {
					dark++
				}
			}
		}
		if dark < 100 {
			t.Errorf("%s: %d dark dots", what, dark)
		}
	}
}
