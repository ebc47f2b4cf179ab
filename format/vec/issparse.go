package vec

// fewShare is the share of nonzero values below which sums over the entries of rows are faster than
// sums over all columns by vector instructions.
const fewShare = 1. / 8

// IsSparse reports whether so few of the values are not zero that rows are better held sparsely:
// less than an eighth of rows * columns.
func IsSparse(entries, rows, columns int) bool {
	return float64(entries) < float64(fewShare*float64(rows)*float64(columns))
}
