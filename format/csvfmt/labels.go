package csvfmt

import "github.com/slimsvm/slimsvm/format/labels"

// When a column of text is Nominal and when String, see the package comment.
const (
	fewLabels  = 64
	mostLabels = 1 << 16
)

// texts are the different texts of a column in the order in which they came.
// The zero value is empty and ready.
type texts struct {
	labels.Set
	kinds []kind // what each looks like
	many  bool   // more than mostLabels came, and the list was given up
}

// add adds a text, unless it is there, and returns what it looks like. all says
// that there is no limit.
func (l *texts) add(b []byte, all bool) kind {
	if l.many {
		return kindOf(b)
	}
	if i, ok := l.Find(b); ok {
		return l.kinds[i]
	}
	if l.Len() == mostLabels && !all {
		*l = texts{many: true}
		return kindOf(b)
	}
	kind := kindOf(b)
	l.Add(b)
	l.kinds = append(l.kinds, kind)
	return kind
}

// addFirst adds a text as the first that came.
func (l *texts) addFirst(b []byte) {
	if l.many {
		return
	}
	var first texts
	first.add(b, true)
	for _, s := range l.Texts() {
		first.add([]byte(s), true)
	}
	*l = first
}

// isMany reports whether the labels are too many for a Nominal column with
// the given number of cells.
func (l *texts) isMany(cells int) bool { return l.Len() > fewLabels && 2*l.Len() > cells }
