// Package catalog lists the data formats that the commands know. A new format
// is one entry here.
package catalog

import (
	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// Formats are the data formats, the default first.
var Formats = []format.Codec{libsvmfmt.Codec, arff.Codec, csvfmt.Codec}
