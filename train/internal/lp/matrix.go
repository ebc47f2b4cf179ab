package lp

// A Matrix is read by rows and by columns, which others may read at the same time. The
// slices that it returns are not to be changed, and stay as they are.
type Matrix interface {
	Dims() (rows, columns int)
	Row(i int) []float64
	Column(j int) []float64
}

// A Dense matrix is kept both by rows and by columns.
type Dense struct {
	rows, columns   int
	byRow, byColumn []float64
}

var _ Matrix = (*Dense)(nil)

// NewDense returns a matrix that fill writes: it is given the rows, in memory.
func NewDense(rows, columns int, fill func(row func(i int) []float64)) *Dense {
	d := &Dense{rows, columns, make([]float64, rows*columns), make([]float64, rows*columns)}
	fill(d.Row)
	const block = 32 // a turn of squares stays in the cache
	for i0 := 0; i0 < rows; i0 += block {
		for j0 := 0; j0 < columns; j0 += block {
			for i := i0; i < min(i0+block, rows); i++ {
				for j := j0; j < min(j0+block, columns); j++ {
					d.byColumn[j*rows+i] = d.byRow[i*columns+j]
				}
			}
		}
	}
	return d
}

// Dims returns the numbers of rows and columns.
func (d *Dense) Dims() (rows, columns int) { return d.rows, d.columns }

// Row returns row i.
func (d *Dense) Row(i int) []float64 { return d.byRow[i*d.columns : (i+1)*d.columns : (i+1)*d.columns] }

// Column returns column j.
func (d *Dense) Column(j int) []float64 { return d.byColumn[j*d.rows : (j+1)*d.rows : (j+1)*d.rows] }
