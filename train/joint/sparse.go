package joint

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/predict/columns"
)

// Problem: multiply a chunk of rows with few features each, as text has, by dense vectors: Kxz
// needs X Z', and the gradient by vectors needs W'X.
//
// Method: vectors are side by side, so that the values that all of them have for a feature are
// together in memory, in a line. A row's products with all vectors are then a sum of lines, one for
// each entry of the row in order. Likewise, those of a feature of W'X are a sum of lines of W, one
// for each row that has the feature. The zeros that are left out would have added nothing: sums
// have the bits of those of dense rows, except for vectors that are not finite, where the objective
// is infinite.

// sparseRows are the rows of a chunk, by row and by feature. Features are counted from 0.
type sparseRows struct {
	rows     columns.Lists // each row's features with their values
	features columns.Lists // the rows that have a feature, with its values; then all rows, with ones
	of       []int32       // the features that rows have, ascending, by place in features
}

// entries returns the number of values that rows list.
func entries(x *vec.Matrix, rows []int) int {
	n := 0
	for _, i := range rows {
		n += len(x.Row(i).Index)
	}
	return n
}

// sparsePays reports whether rows with so many values that are not 0 are better held sparsely, for
// products with the given number of vectors. A value takes as long as two and a half of a dense row,
// for as many vectors as a line has room for and four more.
func sparsePays(entries, rows, inputs, vectors int) bool {
	dense := float64(rows) * float64(inputs) * float64(vectors)
	return vec.IsSparse(entries, rows, inputs) || 2.5*float64(entries)*float64(columns.PaddedRow(vectors)+4) < dense
}

// newSparseRows returns rows of x, whose features are numbered from 1.
func newSparseRows(x *vec.Matrix, rows []int) *sparseRows {
	s := &sparseRows{}
	type entry struct {
		feature, row int32
		value        float64
	}
	var all []entry
	var index, every []int32
	var value, ones []float64
	for i, row := range rows {
		v := x.Row(row)
		index, value = index[:0], value[:0]
		for k, feature := range v.Index {
			if feature == 0 {
				continue
			}
			index, value = append(index, feature-1), append(value, v.Value[k])
			all = append(all, entry{feature - 1, int32(i), v.Value[k]})
		}
		s.rows.Append(index, value)
		ones, every = append(ones, 1), append(every, int32(i))
	}
	slices.SortStableFunc(all, func(a, b entry) int { return int(a.feature) - int(b.feature) })
	for len(all) > 0 {
		feature := all[0].feature
		s.of = append(s.of, feature)
		index, value = index[:0], value[:0]
		for ; len(all) > 0 && all[0].feature == feature; all = all[1:] {
			index, value = append(index, all[0].row), append(value, all[0].value)
		}
		s.features.Append(index, value)
	}
	s.features.Append(every, ones)
	return s
}

// width is the length of a line of all vectors.
func (o *objective) width() int {
	return columns.PaddedRow(o.vectors)
}

// sparse reports whether rows are held sparsely.
func (o *objective) sparse() bool { return len(o.chunks) > 0 && o.chunks[0].sparse != nil }

// transposed is memory that one evaluation after the other uses.
type transposed struct {
	lines, slopes []float64   // vectors by feature, slopes by vector
	z             [][]float64 // vectors as queries
	rows, columns vec.Panels  // vectors as rows; their features as rows, followed by a row of ones
	slopesOfAll   []float64   // gradient of the penalty, by vector
}

// reset gives panels these numbers of rows and columns. The caller sets all of them.
func reset(x *vec.Panels, rows, columns int) {
	if x.Len() != rows || x.Columns() != columns {
		x.Reset(rows, columns)
	}
}

// linesOf returns the vectors by feature.
func (o *objective) linesOf(z []float64) []float64 {
	width := o.width()
	if o.transposed.lines == nil {
		o.transposed.lines = make([]float64, o.inputs*width)
	}
	transposeTo(o.transposed.lines, width, z, o.inputs, o.vectors, o.inputs)
	return o.transposed.lines
}

// byVector returns W'X and W'1 by vector, as dense rows have them.
func (o *objective) byVector(sum []float64) []float64 {
	if !o.sparse() || !o.moveVectors {
		return sum
	}
	if o.transposed.slopes == nil {
		o.transposed.slopes = make([]float64, o.vectors*padded(o.inputs+1))
	}
	transposeTo(o.transposed.slopes, padded(o.inputs+1), sum, o.width(), o.inputs+1, o.vectors)
	return o.transposed.slopes
}

// allFinite reports whether no number is infinite or NaN.
func allFinite(numbers []float64) bool {
	for _, v := range numbers {
		if !(math.Abs(v) <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// transposeTo sets to[k*toStride+j] to from[j*fromStride+k], for j < rows and k < columns.
func transposeTo(to []float64, toStride int, from []float64, fromStride, rows, columns int) {
	const side = 8 // rows at a time, so that their cache lines stay
	for j := 0; j < rows; j += side {
		n := min(side, rows-j)
		for k := range columns {
			for i := range n {
				to[k*toStride+j+i] = from[(j+i)*fromStride+k]
			}
		}
	}
}

// linesOfPanel sets to[i*width+j] to value j of row i of a panel, for i < rows.
func linesOfPanel(to []float64, width int, panel []float64, rows int) {
	const lanes = vec.PanelRows
	for j := range len(panel) / lanes {
		at := j
		for _, v := range (*[lanes]float64)(panel[j*lanes:])[:rows] {
			to[at] = v
			at += width
		}
	}
}

// dots sets k[j*PanelRows+i] to the dot product of vector j and row i of panel p.
func (s *sparseRows) dots(k []float64, lines []float64, width, panel int) {
	const lanes = vec.PanelRows
	clear(k)
	line := make([]float64, width)
	for i := range min(lanes, s.rows.Len()-panel*lanes) {
		clear(line)
		s.rows.AddTo(line, lines, panel*lanes+i)
		at := i
		for _, v := range line[:len(k)/lanes] {
			k[at] = v
			at += lanes
		}
	}
}

// distances is dots with sums of squared differences.
func (s *sparseRows) distances(dist []float64, q *queries, vectors, inputs, panel int) {
	const lanes = vec.PanelRows
	var dense vec.Panels
	dense.Reset(lanes, inputs)
	row := make([]float64, inputs)
	for i := range min(lanes, s.rows.Len()-panel*lanes) {
		clear(row)
		for feature, value := range s.rows.Entries(panel*lanes + i) {
			row[feature] = value
		}
		dense.SetDense(i, row)
	}
	panelDistances(dist, &dense, q.z, vectors, 0)
}

// addProducts adds W'X to lines of sum, and W'1 to the last line. w has a line of W for each row.
// Feature k of those that the rows have is in line places[k].
func (s *sparseRows) addProducts(sum, w []float64, width int, places []int32) {
	part := make([]float64, width)
	for k := range s.features.Len() {
		line := sum[len(sum)-width:]
		if k < len(places) {
			line = sum[int(places[k])*width:][:width]
		}
		clear(part)
		s.features.AddTo(part, w, k)
		for j, v := range part {
			line[j] += v
		}
	}
}

// hold gives p lines only for the features that the rows of some chunks have. Of thousands of
// features, the rows of a strip have a part.
func (p *partial) hold(chunks []chunk, width int) {
	for i := range chunks {
		p.of = append(p.of, chunks[i].sparse.of...)
	}
	slices.Sort(p.of)
	p.of = slices.Compact(p.of)
	p.places = make([][]int32, len(chunks))
	for i := range chunks {
		line := 0
		for _, feature := range chunks[i].sparse.of {
			for p.of[line] < feature {
				line++
			}
			p.places[i] = append(p.places[i], int32(line))
		}
	}
	p.z = make([]float64, (len(p.of)+1)*width)
}

// addLines adds the lines of q to those of p, which has all features. Lines that are left out would
// add zeros to sums that begin at 0.
func (p *partial) addLines(q *partial, width int) {
	if width == 0 { // there are no vectors
		return
	}
	add := func(to, from int) {
		line := p.z[to*width:][:width]
		for j, v := range q.z[from*width:][:width] {
			line[j] += v
		}
	}
	for from, feature := range q.of {
		add(int(feature), from)
	}
	add(len(p.z)/width-1, len(q.of))
}
