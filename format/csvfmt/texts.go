package csvfmt

import (
	"crypto/sha256"

	"github.com/slimsvm/slimsvm/format/labels"
)

// When a column of text is Nominal and when String, see the package comment.
const (
	fewLabels  = 64
	mostLabels = 1 << 16
)

// mostBytes is the size of a column's texts from which on they are no longer kept
// but only counted: a column of long texts is seldom Nominal, and if it is, another
// reading gets them.
const mostBytes = 1 << 20

// texts are the different texts of a column in the order in which they came.
// The zero value is empty and ready.
type texts struct {
	set   labels.Set
	kinds []kind // what each looks like
	bytes int    // how long all are

	// If the texts are only counted: a part of each one's SHA-256, which no two of
	// them share.
	digests map[digest]struct{}

	comma bool // fractions begin with one
	many  bool // more than mostLabels came, and the list was given up
}

type digest [16]byte

func digestOf(b []byte) digest {
	sum := sha256.Sum256(b)
	return digest(sum[:len(digest{})])
}

// add adds a text, unless it is there, and returns what it looks like. all says
// that there are no limits.
func (l *texts) add(b []byte, all bool) kind {
	if l.many {
		return l.kind(b)
	}
	if l.digests != nil {
		l.digests[digestOf(b)] = struct{}{}
		l.limit(all)
		return l.kind(b)
	}
	i, added := l.set.Add(b)
	if added {
		l.kinds = append(l.kinds, l.kind(b))
		l.bytes += len(b)
	}
	kind := l.kinds[i]
	if added {
		l.limit(all)
	}
	return kind
}

// kind returns what b looks like.
func (l *texts) kind(b []byte) kind { return dialect{comma: l.comma}.kind(b) }

// limit gives up what is too much.
func (l *texts) limit(all bool) {
	switch {
	case all:
	case l.len() > mostLabels:
		*l = texts{comma: l.comma, many: true}
	case l.bytes > mostBytes:
		l.digests = make(map[digest]struct{}, 2*l.set.Len())
		for _, s := range l.set.Texts() {
			l.digests[digestOf([]byte(s))] = struct{}{}
		}
		l.set, l.kinds, l.bytes = labels.Set{}, nil, 0
	}
}

// addFirst adds a text as the first that came.
func (l *texts) addFirst(b []byte, all bool) {
	if l.many || l.digests != nil {
		l.add(b, all)
		return
	}
	first := texts{comma: l.comma}
	first.add(b, true)
	for _, s := range l.set.Texts() {
		first.add([]byte(s), true)
	}
	first.limit(all)
	*l = first
}

// len returns the number of texts, 0 when there are many.
func (l *texts) len() int { return l.set.Len() + len(l.digests) }

// isMany reports whether the labels are too many for a Nominal column with
// the given number of cells.
func (l *texts) isMany(cells int) bool { return l.len() > fewLabels && 2*l.len() > cells }
