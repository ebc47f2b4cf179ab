package javasource

// PartBytes sets the number of bytes of a table that a constant has, and returns what restores it.
func PartBytes(n int) (restore func()) {
	was := partBytes
	partBytes = n
	return func() { partBytes = was }
}
