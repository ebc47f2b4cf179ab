package libsvmfmt

// ParseBlocks is Parse with a number of goroutines and a block size.
var ParseBlocks = parse

// ParseLine reads one line.
var ParseLine = parseLine
