package train

// FindSoon has pairs of up to so many rows be calibrated by one goroutine, until the function that it returns
// is called.
func FindSoon(rows int) (restore func()) {
	was := soonDone
	soonDone = rows
	return func() { soonDone = was }
}
