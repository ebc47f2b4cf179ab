package lp

// SetMinParallel changes the number of products from which on work is shared, and
// returns the function that changes it back.
func SetMinParallel(n int) (back func()) {
	was := minParallel
	minParallel = n
	return func() { minParallel = was }
}
