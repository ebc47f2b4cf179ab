// Package labels numbers texts in the order in which they first come, as the
// labels of a nominal column are, and finds the number of a text quickly.
package labels

import (
	"encoding/binary"
	"math/bits"
)

// A Set is a list of different texts. The zero Set is empty and ready. It must not
// be used by several goroutines at a time, for Find alone either.
type Set struct {
	texts []string
	index map[string]int32

	// recent[slot of a text] is 1 + the number of the text that was asked for last
	// there, 0: of none. Columns have few labels, and comparing with one text is
	// much quicker than the map, which makes sure that no texts are slow.
	recent []int32
	shift  int // of a hash, for a slot
}

// The number of slots: at first, and at most. So many still stay in the
// first-level cache when several columns have them.
const (
	fewSlots  = 16
	mostSlots = 1 << 10
)

// Len returns the number of texts.
func (s *Set) Len() int { return len(s.texts) }

// Texts returns the texts in their order. They must not be changed.
func (s *Set) Texts() []string { return s.texts }

// Find returns the number of a text; ok is false if it was not added.
func (s *Set) Find(text []byte) (i int, ok bool) {
	if len(s.texts) == 0 {
		return 0, false
	}
	slot := &s.recent[hash(text)>>s.shift]
	if k := int(*slot) - 1; k >= 0 && s.texts[k] == string(text) {
		return k, true
	}
	k, ok := s.index[string(text)]
	if ok {
		*slot = k + 1
	}
	return int(k), ok
}

// Add returns the number of a text, which is added if it is new. It panics when
// there are 2^31 texts.
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
	if n := len(s.recent); n < mostSlots && n < 4*len(s.texts) {
		n = max(fewSlots, 2*n)
		s.recent = make([]int32, n)
		s.shift = 64 - bits.TrailingZeros(uint(n))
	}
	return k, true
}

// hash mixes a text's length, first bytes and last bytes. Where texts agree in
// these, one slot serves them all in turn.
func hash(text []byte) uint64 {
	n := len(text)
	x := uint64(n)
	switch {
	case n >= 8:
		x += binary.LittleEndian.Uint64(text) ^ bits.RotateLeft64(binary.LittleEndian.Uint64(text[n-8:]), 29)
	case n >= 4:
		x += uint64(binary.LittleEndian.Uint32(text)) ^ uint64(binary.LittleEndian.Uint32(text[n-4:]))<<32
	case n > 0:
		x += uint64(text[0])<<8 | uint64(text[n/2])<<16 | uint64(text[n-1])<<24
	}
	const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio: Knuth, volume 3, section 6.4
	return x * golden
}
