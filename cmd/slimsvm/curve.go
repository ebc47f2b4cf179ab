package main

import (
	"bytes"
	"fmt"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/chart"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
)

// A curvePoint is the size of a model and its error.
type curvePoint struct {
	Vectors int             `json:"vectors"`
	Error   jsonline.Number `json:"error"`
}

// curveText returns the errors of models by size, with that of the model that is reduced at the end: a
// table with tabs, or if the file's name says so with commas, or a plot.
func curveText(path string, sizes []curvePoint, parent float64, parentVectors int) []byte {
	if kind, _ := pictureOf("--curve", path); kind != picture.None {
		points := make([]chart.Size, len(sizes))
		for i, s := range sizes {
			points[i] = chart.Size{Vectors: s.Vectors, Error: float64(s.Error)}
		}
		return chart.Sizes(kind, points, parent, parentVectors)
	}
	between := "\t"
	if extension(path) == ".csv" {
		between = ","
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "vectors%serror\n", between)
	for _, s := range sizes {
		fmt.Fprintf(&b, "%d%s%.6g\n", s.Vectors, between, float64(s.Error))
	}
	if own := (curvePoint{parentVectors, jsonline.Number(parent)}); len(sizes) == 0 || sizes[len(sizes)-1] != own {
		fmt.Fprintf(&b, "%d%s%.6g\n", own.Vectors, between, parent)
	}
	return b.Bytes()
}
