package javasource

// PartBytes sets the number of bytes of a table in one constant, and returns a function that
// restores it.
func PartBytes(n int) (restore func()) {
	was := partBytes
	partBytes = n
	return func() { partBytes = was }
}
