package csvfmt

import (
	"errors"

	"github.com/slimsvm/slimsvm/format"
)

// passes reports whether the current record, which has a fault, is to be passed over.
func (r *Reader) passes(rec *records, fault error) bool {
	at := (*format.Error)(nil)
	return r.Pass != nil && errors.As(fault, &at) && at.Line == rec.line && rec.endsInLine() && r.Pass(fault)
}

// endsInLine reports whether the current record, of which only a part may be split, ends in the line
// that it begins in.
func (r *records) endsInLine() bool {
	if !r.joined && !r.plain {
		most := r.most
		r.cells, r.most = r.cells[:0], mostColumns
		r.splitQuoted() // what else is wrong does not matter
		r.most = most
	}
	return !r.joined
}
