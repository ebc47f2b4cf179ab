package train

// FindSoon makes one goroutine calibrate pairs of up to this many rows, until the function that it
// returns is called.
func FindSoon(rows int) (restore func()) {
	was := fewPairRows
	fewPairRows = rows
	return func() { fewPairRows = was }
}
