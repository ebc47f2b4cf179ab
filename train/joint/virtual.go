package joint

import (
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A Virtual makes additional training rows from the given ones, such as shifted images, whose
// labels are known to be the same.
type Virtual interface {
	// Rows returns the additional rows and, for each, the row of d from which it was made.
	Rows(d *format.Dataset) (rows *format.Dataset, from []int, err error)
}

// Shifts makes shifted copies of images, by one pixel in each of four directions. Feature 1 is the
// pixel at the top left; the next is to its right.
type Shifts struct{ Width, Height int }

// mostPixels is the largest number of pixels of an image. All of them are moved.
const mostPixels = 1 << 24

// Rows implements [Virtual]. Pixels that enter the image have the background value, the most
// frequent value on the edges of the images.
func (s Shifts) Rows(d *format.Dataset) (*format.Dataset, []int, error) {
	if s.Width < 1 || s.Height < 1 {
		return nil, nil, fmt.Errorf("images of %d x %d pixels, expected at least 1 x 1", s.Width, s.Height)
	}
	if s.Width > mostPixels/s.Height {
		return nil, nil, fmt.Errorf("images of %d x %d pixels, expected no more than %d in all", s.Width, s.Height, mostPixels)
	}
	if n := int(d.X.MaxIndex()); n > s.Width*s.Height {
		return nil, nil, fmt.Errorf("feature %d is no pixel of images of %d x %d", n, s.Width, s.Height)
	}
	background := s.background(&d.X)
	all := &format.Dataset{Header: d.Header}
	var from []int
	pixels := make([]float64, s.Width*s.Height)
	for i := range d.Len() {
		s.draw(pixels, d.X.Row(i))
		for _, by := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			row := format.Instance{Y: d.Y[i], Weight: 1}
			if d.Weight != nil {
				row.Weight = d.Weight[i]
			}
			for k := range pixels {
				p, x, y := background, k%s.Width-by[0], k/s.Width-by[1]
				if x >= 0 && x < s.Width && y >= 0 && y < s.Height {
					p = pixels[y*s.Width+x]
				}
				if p != 0 {
					row.X.Index, row.X.Value = append(row.X.Index, int32(k+1)), append(row.X.Value, p)
				}
			}
			all.Append(row)
			from = append(from, i)
		}
	}
	return all, from, nil
}

// draw sets pixels to those of a row.
func (s Shifts) draw(pixels []float64, v vec.Vector) {
	clear(pixels)
	for k, f := range v.Index {
		if f > 0 {
			pixels[f-1] = v.Value[k]
		}
	}
}

// background returns the most frequent value on the edges, of equally frequent ones the smallest.
func (s Shifts) background(x *vec.Matrix) float64 {
	count := map[float64]int{}
	pixels := make([]float64, s.Width*s.Height)
	for i := range x.Len() {
		s.draw(pixels, x.Row(i))
		for k, p := range pixels {
			if c, r := k%s.Width, k/s.Width; c == 0 || r == 0 || c == s.Width-1 || r == s.Height-1 {
				count[p]++
			}
		}
	}
	var values []float64
	for v := range count {
		values = append(values, v)
	}
	slices.Sort(values)
	best := math.NaN() // no pixel has it
	for _, v := range values {
		if count[v] > count[best] {
			best = v
		}
	}
	return best
}
