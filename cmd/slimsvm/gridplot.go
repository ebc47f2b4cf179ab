package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/chart"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
)

// drawSearch writes a picture of what a search found, if --plot wants one.
func (e *env) drawSearch(c *cli.Context, s *search, r *searched, best point) error {
	path := c.String("plot")
	if path == "" {
		return nil
	}
	kind, err := pictureOf("--plot", path)
	if err != nil {
		return err
	}
	return e.writeOutput(c, path, s.chart(r, best).Draw(kind))
}

// chart returns what there is to draw. Axes of one value are not drawn, nor is the third of three: of this, the points
// with the best value are taken.
func (s *search) chart(r *searched, best point) *chart.Grid {
	d := &chart.Grid{Measure: s.Measure}
	var drawn, fixed []int
	for i, a := range s.axes {
		if len(a.values) > 1 && len(drawn) < 2 {
			drawn = append(drawn, i)
		} else if len(a.values) > 1 {
			fixed = append(fixed, i)
		}
	}
	if drawn == nil {
		drawn = []int{0}
	}
	for k, i := range drawn {
		d.Axes = append(d.Axes, chart.Axis{Name: s.axes[i].name, Exponents: s.axes[i].exponents})
		d.Best[k] = slices.Index(s.axes[i].values, best[i])
	}
	for k, p := range s.points {
		if slices.ContainsFunc(fixed, func(i int) bool { return p[i] != best[i] }) {
			continue
		}
		score, deviation := math.NaN(), math.NaN()
		if t := s.tried[k]; t.err == nil {
			score = chart.Displayed(&s.Measure, t.score)
			if len(drawn) == 1 {
				deviation = chart.Displayed(&s.Measure, float64(*s.told(k).Deviation))
			}
		}
		d.Score, d.Deviation = append(d.Score, score), append(d.Deviation, deviation)
	}
	var at, plane []string
	for i, a := range s.axes {
		exponent := a.exponents[slices.Index(a.values, best[i])]
		at = append(at, fmt.Sprintf("%s %.6g (2^%.6g)", a.name, best[i], exponent))
		if slices.Contains(fixed, i) {
			plane = append(plane, fmt.Sprintf("; the map is of %s %.6g", a.name, best[i]))
		}
	}
	unit := ""
	if s.Percent {
		unit = "%"
	}
	value := d.BestScore() // NaN if no point has one
	d.Title = [2]string{
		fmt.Sprintf("%s %.6g%s, the %s of %s%s", s.Text, value, unit, s.superlative(), phrase.Count(len(r.Points), "point"), strings.Join(plane, "")),
		"at " + strings.Join(at, ", "),
	}
	return d
}
