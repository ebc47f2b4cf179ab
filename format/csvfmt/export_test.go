package csvfmt

// InBlocks makes a Reader read blocks of about so many bytes, from the third row on, with goroutines.
func InBlocks(r *Reader, workers, bytes int) {
	r.Workers, r.sizes = workers, blockSizes{bytes: bytes, alone: 2}
}
