package csvfmt

import "errors"

// ErrOpen is wrapped by the fault of a quote that is not closed.
var ErrOpen = errors.New("the quote that opens here is not closed")

// ErrMisplaced is wrapped by the faults of a quote inside a cell, of text after the closing quote
// of a cell, and of a line end inside a cell without quotes.
var ErrMisplaced = errors.New("a quote that neither begins nor ends a cell, or none where one is needed")

// misplaced is an ErrMisplaced whose text does not say so.
type misplaced string

func (m misplaced) Error() string { return string(m) }

func (misplaced) Is(target error) bool { return target == ErrMisplaced }

// ErrEncoding is wrapped by the faults of bytes that are not UTF-8, anywhere in a record.
var ErrEncoding = errors.New("no text in UTF-8")

// encodingError is an ErrEncoding whose text does not say so.
type encodingError string

func (e encodingError) Error() string { return string(e) }

func (encodingError) Is(target error) bool { return target == ErrEncoding }
