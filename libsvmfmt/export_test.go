package libsvmfmt

// ParseBlocks is Parse with a number of goroutines and a block size.
var ParseBlocks = parse
