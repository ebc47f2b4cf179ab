package csvfmt

import "fmt"

// A keptCell is what stood in a cell of the last row.
type keptCell struct {
	text    []byte
	place   place
	missing bool // a missing value, other than the number nan
}

// KeepTexts makes the reader keep the texts of the cells of some columns of any type, for
// [Reader.Text]. Call it before the first Read.
func (r *Reader) KeepTexts(columns []int32) {
	for _, k := range columns {
		mustBeColumn(k, "KeepTexts")
		for int(k) >= len(r.rows.kept) {
			r.rows.kept = append(r.rows.kept, nil)
		}
		if r.rows.kept[k] == nil {
			r.rows.kept[k] = new(keptCell)
		}
	}
}

// mustBeColumn panics for a number that no column has.
func mustBeColumn(k int32, method string) {
	if k < 0 {
		panic(fmt.Sprintf("csvfmt: %s of column %d", method, k))
	}
}

// Text returns the text of the last row's cell in a column given to KeepTexts, and the line and
// column where it begins. The text says more than a number: 007 is not 7. It is valid until the
// next Read. Text panics for other columns.
func (r *Reader) Text(column int32) (text []byte, line, at int) {
	if !r.rows.keeps(int(column)) {
		panic(fmt.Sprintf("csvfmt: Text of column %d, which KeepTexts was not told of", column))
	}
	c := r.rows.kept[column]
	return c.text, c.place.line, c.place.column
}

// Lacks reports whether the last row's cell in a column given to KeepTexts has no text that could
// be a label. A cell that reads as the number nan, which is a missing value among numbers, has one.
func (r *Reader) Lacks(column int32) bool {
	r.Text(column)
	return r.rows.kept[column].missing
}

// AllowInvalidNumbers makes the given Numeric columns accept cells that are not valid numbers because
// they have a comma or are too large: they become 0 instead of errors. It is for columns that are
// left out, or whose texts alone are used. Call it before the first Read. After
// [Reader.DisallowInvalidNumbers] it does nothing.
func (r *Reader) AllowInvalidNumbers(columns []int32) {
	for _, k := range columns {
		mustBeColumn(k, "AllowInvalidNumbers")
		for int(k) >= len(r.rows.lenient) {
			r.rows.lenient = append(r.rows.lenient, false)
		}
		r.rows.lenient[k] = true
	}
}

// DisallowInvalidNumbers makes all cells of Numeric columns that are not valid numbers errors,
// regardless of [Reader.AllowInvalidNumbers].
func (r *Reader) DisallowInvalidNumbers() { r.rows.strict = true }
