package csvfmt

import "slices"

// When a column of text is Nominal and when String, see the package comment.
const (
	fewLabels  = 64
	mostLabels = 1 << 16
)

// labels are the different texts of a column in the order in which they came.
// The zero value is empty and ready.
type labels struct {
	list  []string
	index map[string]int32
	many  bool // more than mostLabels came, and the list was given up
}

// add adds a text unless it is there. all says that there is no limit.
func (l *labels) add(b []byte, all bool) {
	if _, ok := l.index[string(b)]; ok || l.many {
		return
	}
	if len(l.list) == mostLabels && !all {
		*l = labels{many: true}
		return
	}
	if l.index == nil {
		l.index = map[string]int32{}
	}
	s := string(b)
	l.index[s] = int32(len(l.list))
	l.list = append(l.list, s)
}

// addFirst adds a text as the first that came.
func (l *labels) addFirst(b []byte) {
	if l.many {
		return
	}
	s := string(b)
	if at, ok := l.index[s]; ok {
		l.list = slices.Delete(l.list, int(at), int(at)+1)
	}
	l.list = slices.Insert(l.list, 0, s)
	l.index = make(map[string]int32, len(l.list))
	for i, s := range l.list {
		l.index[s] = int32(i)
	}
}

// isMany reports whether the labels are too many for a Nominal column with
// the given number of cells.
func (l *labels) isMany(cells int) bool {
	return len(l.list) > fewLabels && 2*len(l.list) > cells
}
