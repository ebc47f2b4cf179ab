package datafile

// Places say where rows stand in a file: their lines, or whatever else counts up. Of rows that stand place after place
// only the first is kept.
type Places struct {
	runs []run
	n    int // rows
}

// A run is rows from a first one on, which stand from a place on.
type run struct{ row, place int }

func (r run) at(row int) int { return r.place + row - r.row }

// Add adds the place of the next row.
func (p *Places) Add(place int) {
	if k := len(p.runs) - 1; k < 0 || p.runs[k].at(p.n) != place {
		p.runs = append(p.runs, run{p.n, place})
	}
	p.n++
}

// Len returns the number of rows.
func (p *Places) Len() int { return p.n }

// Of returns the place of a row, which is counted from 0.
func (p *Places) Of(row int) int {
	low, high := 0, len(p.runs) // the last run that begins at the row or before
	for high-low > 1 {
		if middle := (low + high) / 2; p.runs[middle].row <= row {
			low = middle
		} else {
			high = middle
		}
	}
	return p.runs[low].at(row)
}
