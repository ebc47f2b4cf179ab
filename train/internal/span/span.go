// Package span represents rows of many features by coordinates in an orthonormal basis of the space
// that they span.
package span

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: given rows x_i with more features than there are rows, such as gene expressions or text,
// find an orthonormal basis Q of their span and coordinates l_i with x_i = Q l_i. Dot products and
// distances of coordinates are those of the rows. Sums of multiples of rows, such as the gradient
// of a kernel's values by a vector, are the same sums of coordinates. So working with coordinates
// needs at most as many dimensions as there are rows.
//
// Method: the matrix of dot products of rows, divided by their lengths, is L L'. L is lower
// triangular if the rows are in the order of the pivots. This is a Cholesky factorisation in which
// the next pivot is the row that the earlier pivots explain least. It ends when all rows are
// explained, except for rounding. Line i of L, times the length of row i, is the row's coordinates.
// Coordinates b belong to the vector Q b = sum_a c_a x_a / |x_a| over the pivots a, with L_P' c =
// b, where L_P are the lines of the pivots. The coordinates of a vector v of the span solve L_P b =
// t, where t_a = v.x_a / |x_a|.
//
// Sums have one order, whatever the number of threads and the instructions.

// explained is a share of a row's squared length. If less is left, the rest counts as rounding. The
// rounding error of a dot product of thousands of features is about a hundredth of this.
const explained = 0x1p-40

// MostRows is the number of rows up to which this pays: the dot products of all pairs of rows and L
// are in memory at the same time.
const MostRows = 4096

// A Span is a basis of the span of rows.
type Span struct {
	rows    *vec.Matrix
	columns int
	lengths []float64
	pivots  []int
	factor  [][]float64 // L_P by line: line a has a+1 numbers
}

// New returns the span of rows, whose features are numbered from 1 to columns, and the rows'
// coordinates, numbered from 1. The squared length of each row must be finite, and have a finite
// inverse if it is not 0. The Span keeps rows. The error is that of ctx.
func New(ctx context.Context, rows *vec.Matrix, columns int) (*Span, *vec.Matrix, error) {
	s := &Span{rows: rows, columns: columns, lengths: make([]float64, rows.Len())}
	for i := range s.lengths {
		s.lengths[i] = math.Sqrt(rows.SquaredNorm(i))
	}
	gram, err := s.gram(ctx)
	if err != nil {
		return nil, nil, err
	}
	l, err := s.factorize(ctx, gram)
	if err != nil {
		return nil, nil, err
	}
	coordinates := new(vec.Matrix)
	for i, length := range s.lengths {
		var x vec.Vector
		for k := range s.pivots {
			if v := length * l.at(i, k); v != 0 {
				x.Index, x.Value = append(x.Index, int32(k+1)), append(x.Value, v)
			}
		}
		coordinates.Append(x)
	}
	for a, p := range s.pivots {
		line := make([]float64, a+1)
		for k := range line {
			line[k] = l.at(p, k)
		}
		s.factor = append(s.factor, line)
	}
	return s, coordinates, nil
}

// Dimension returns the number of coordinates.
func (s *Span) Dimension() int { return len(s.pivots) }

// Coordinates returns the coordinates of the vector in the span that is nearest to v.
func (s *Span) Coordinates(v vec.Vector) []float64 {
	b := make([]float64, len(s.pivots))
	for a, p := range s.pivots {
		sum := vec.Dot(v, s.rows.Row(p)) / s.lengths[p]
		line := s.factor[a]
		for k, l := range line[:a] {
			sum -= float64(l * b[k])
		}
		b[a] = sum / line[a]
	}
	return b
}

// Vector returns the vector with coordinates b, by feature. It ignores coordinates beyond the
// dimension.
func (s *Span) Vector(b []float64) []float64 {
	c := append([]float64(nil), b[:len(s.pivots)]...)
	for a := len(c) - 1; a >= 0; a-- {
		line := s.factor[a]
		c[a] /= line[a]
		for k, l := range line[:a] {
			c[k] -= float64(l * c[a])
		}
	}
	v := make([]float64, s.columns)
	for a, p := range s.pivots {
		x, by := s.rows.Row(p), c[a]/s.lengths[p]
		for k, f := range x.Index {
			v[f-1] += float64(by * x.Value[k])
		}
	}
	return v
}

// segment is the number of rows whose parts of L are processed together.
const segment = 512

// lower is L in segments of rows. Within a segment, each column is contiguous.
type lower [][]float64

func (l lower) at(row, column int) float64 { return l[row/segment][column*segment+row%segment] }

// factorize finds the pivots and L.
func (s *Span) factorize(ctx context.Context, gram [][]float64) (lower, error) {
	n := len(s.lengths)
	l := make(lower, (n+segment-1)/segment)
	left := make([]float64, n) // share of each row's squared length that is not explained yet
	for i, length := range s.lengths {
		if length > 0 {
			left[i] = 1
		}
	}
	var every []int32
	var by []float64
	for {
		p, most := 0, 0.0
		for i, v := range left {
			if v > most {
				p, most = i, v
			}
		}
		if most <= explained {
			return l, nil
		}
		if err := ended.Err(ctx); err != nil {
			return nil, err
		}
		column, root := len(s.pivots), math.Sqrt(most)
		by = by[:0]
		for k := range column {
			by = append(by, -l.at(p, k))
		}
		team.Do(ctx, len(l), func(_ context.Context, part int) {
			from := part * segment
			line := make([]float64, segment)
			copy(line, gram[p][from:min(from+segment, n)])
			columns.AddRows(line, l[part], every, by)
			for i := range min(segment, n-from) {
				switch row := from + i; {
				case row == p:
					line[i], left[row] = root, 0
				case left[row] > 0:
					line[i] /= root
					left[row] -= float64(line[i] * line[i])
				default: // a pivot, an explained row, or a zero row
					line[i] = 0
				}
			}
			l[part] = append(l[part], line...)
		})
		s.pivots, every = append(s.pivots, p), append(every, int32(column))
	}
}

// gram returns the dot products of all pairs of rows, divided by their lengths.
func (s *Span) gram(ctx context.Context) ([][]float64, error) {
	n := len(s.lengths)
	gram := make([][]float64, n)
	for i := range gram {
		gram[i] = make([]float64, n)
	}
	if vec.IsSparse(s.rows.NNZ(), n, s.columns) {
		s.sparseDots(ctx, gram)
	} else {
		s.denseDots(ctx, gram)
	}
	for i, line := range gram {
		for j := range i + 1 {
			if both := s.lengths[i] * s.lengths[j]; both > 0 {
				line[j] /= both
			}
			gram[j][i] = line[j]
		}
	}
	return gram, ended.Err(ctx)
}

// sparseDots sets the lower triangle of gram to dot products. It expands one row at a time to a
// dense vector, from which the other rows gather.
func (s *Span) sparseDots(ctx context.Context, gram [][]float64) {
	const together = 64
	n := len(gram)
	team.Do(ctx, (n+together-1)/together, func(ctx context.Context, part int) {
		spread := make([]float64, s.columns)
		for i := part * together; i < min((part+1)*together, n) && ctx.Err() == nil; i++ {
			x := s.rows.Row(i)
			for k, f := range x.Index {
				spread[f-1] = x.Value[k]
			}
			for j := range i + 1 {
				y, sum := s.rows.Row(j), 0.0
				for k, f := range y.Index {
					sum += float64(y.Value[k] * spread[f-1])
				}
				gram[i][j] = sum
			}
			for _, f := range x.Index {
				spread[f-1] = 0
			}
		}
	})
}

// denseDots sets the lower triangle of gram to dot products, using panels of rows.
func (s *Span) denseDots(ctx context.Context, gram [][]float64) {
	n := len(gram)
	column := make([]int32, s.columns+1)
	for k := range column {
		column[k] = int32(k - 1)
	}
	panels := (n + vec.PanelRows - 1) / vec.PanelRows
	team.Do(ctx, panels, func(ctx context.Context, panel int) {
		var rows vec.Panels
		rows.Reset(vec.PanelRows, s.columns)
		from := panel * vec.PanelRows
		for i := from; i < min(from+vec.PanelRows, n); i++ {
			rows.Set(i-from, s.rows.Row(i), column)
		}
		dots := make([]float64, vec.MaxQueries*vec.PanelRows)
		query := make([]float64, vec.MaxQueries*s.columns)
		for first := 0; first < min(from+vec.PanelRows, n) && ctx.Err() == nil; first += vec.MaxQueries {
			together := min(vec.MaxQueries, n-first)
			clear(query)
			for q := range together {
				x := s.rows.Row(first + q)
				for k, f := range x.Index {
					query[int(f-1)*together+q] = x.Value[k]
				}
			}
			rows.DotsTo(dots[:together*vec.PanelRows], vec.PanelRows, query[:together*s.columns], together, 0, 1)
			for q := range together {
				for i := max(from, first+q); i < min(from+vec.PanelRows, n); i++ {
					gram[i][first+q] = dots[q*vec.PanelRows+i-from]
				}
			}
		}
	})
}
