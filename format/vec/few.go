package vec

// fewShare is the share of values that are not 0 up to which sums over what rows have are had sooner
// than sums over all columns, which vector instructions go through.
const fewShare = 1. / 8

// Few reports whether so few of the values are not zero that rows are better held sparsely: less
// than an eighth of rows * columns.
func Few(entries, rows, columns int) bool {
	return float64(entries) < float64(fewShare*float64(rows)*float64(columns))
}
