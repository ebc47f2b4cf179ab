// Package labels numbers different texts in the order in which they first occur, like the labels of
// a nominal column, and finds the number of a text quickly. It also lists labels for messages.
package labels

import (
	"encoding/binary"
	"math/bits"
)

// A Set is a list of different texts. The zero Set is empty and ready. Only one goroutine may use
// it at a time, even for Find.
type Set struct {
	texts []string
	index map[string]int32

	// recent holds, for each hash, the last two texts that were asked for. Columns
	// have few labels, most of them short, and comparing with one or two is much
	// quicker than the map, which makes sure that no texts are slow.
	recent [][2]known
	shift  int // of a hash, for a place in recent
}

// A known is a text with its number. The zero known is none.
type known struct {
	key    uint64 // of the text; up to keyBytes it is the text
	length int32
	next   int32 // 1 + the number of the text
}

// The length of recent: at first, and at most. So much still stays in the
// second-level cache when several columns have it.
const (
	fewPlaces  = 4
	mostPlaces = 1 << 9
)

// Len returns the number of texts.
func (s *Set) Len() int { return len(s.texts) }

// Texts returns the texts in order. They must not be changed.
func (s *Set) Texts() []string { return s.texts }

// Find returns the number of a text. ok is false if it has not been added.
func (s *Set) Find(text []byte) (i int, ok bool) {
	if len(s.texts) == 0 {
		return 0, false
	}
	key, n := keyOf(text), len(text)
	place := &s.recent[hash(key, n)>>s.shift]
	for way := range place {
		if p := &place[way]; p.key == key && int(p.length) == n && p.next > 0 {
			if k := int(p.next) - 1; n <= keyBytes || s.texts[k] == string(text) {
				return k, true
			}
		}
	}
	k, ok := s.index[string(text)]
	if ok {
		place[1] = place[0]
		place[0] = known{key, int32(n), k + 1}
	}
	return int(k), ok
}

// Finder returns a Set of the same texts for another goroutine: both may Find at the same time, as
// long as nothing is added to either.
func (s *Set) Finder() Set {
	f := *s
	f.recent = make([][2]known, len(s.recent))
	return f
}

// FinderBytes returns about how many bytes a [Set.Finder] does not share with s.
func (s *Set) FinderBytes() int { return len(s.recent) * knownBytes }

// knownBytes is the size of an element of recent.
const knownBytes = 32

// Add returns the number of a text and adds the text if it is new. It panics at 2^31 texts.
func (s *Set) Add(text []byte) (i int, added bool) {
	if k, ok := s.Find(text); ok {
		return k, false
	}
	if s.index == nil {
		s.index = map[string]int32{}
	}
	k := len(s.texts)
	if int(int32(k)) != k {
		panic("labels: too many texts")
	}
	own := string(text)
	s.texts = append(s.texts, own)
	s.index[own] = int32(k)
	if n := len(s.recent); n < mostPlaces && n < 2*len(s.texts) {
		n = max(fewPlaces, 2*n)
		s.recent = make([][2]known, n)
		s.shift = 64 - bits.TrailingZeros(uint(n))
	}
	return k, true
}

// keyBytes is the length up to which texts of one length differ in their keys.
const keyBytes = 8

// keyOf mixes a text's first and last bytes. Longer texts of one length that agree
// in these share a place.
func keyOf(text []byte) uint64 {
	switch n := len(text); {
	case n > keyBytes:
		return binary.LittleEndian.Uint64(text) ^ bits.RotateLeft64(binary.LittleEndian.Uint64(text[n-8:]), 29)
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(text)) | uint64(binary.LittleEndian.Uint32(text[n-4:]))<<32
	case n > 0:
		return uint64(text[0]) | uint64(text[n/2])<<8 | uint64(text[n-1])<<16
	}
	return 0
}

func hash(key uint64, n int) uint64 {
	const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio: Knuth, volume 3, section 6.4
	h := (key + uint64(n)) * golden
	return (h ^ h>>32) * golden
}
