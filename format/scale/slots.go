package scale

import "github.com/slimsvm/slimsvm/format/vec/pages"

// slots gives each index a number, counted from 0 in order of arrival. Memory is
// of the order of the number of indices, whatever their size: low indices are
// looked up in a table that may grow to a multiple of that number, others in a
// map. The zero value is empty and ready.
type slots struct {
	n      int32
	direct []int32         // direct[index] = slot+1, 0: none
	far    map[int32]int32 // index -> slot, for index >= len(direct)
}

const (
	// directMin is the table's size that needs no justification.
	directMin = 1 << 12
	// directFill is how many table entries one index may cost: 4 bytes each,
	// about what an entry of a map takes.
	directFill = 8
)

// find returns the slot of index, -1 when it has none.
func (s *slots) find(index int32) int32 {
	if int(index) < len(s.direct) {
		return s.direct[index] - 1
	}
	if slot, ok := s.far[index]; ok {
		return slot
	}
	return -1
}

// add gives a new index the next slot and returns it.
func (s *slots) add(index int32) int32 {
	slot := s.n
	s.n++
	limit := max(directMin, directFill*int(s.n))
	if int(index) >= len(s.direct) && int(index) < limit && limit >= 2*len(s.direct) { // doubling keeps the cost of moving linear
		s.grow(max(directMin, 2*len(s.direct), int(index)+1))
	}
	if int(index) < len(s.direct) {
		s.direct[index] = slot + 1
		return slot
	}
	if s.far == nil {
		s.far = make(map[int32]int32)
	}
	s.far[index] = slot
	return slot
}

// grow extends the table to size entries and moves into it what now fits.
func (s *slots) grow(size int) {
	table := make([]int32, size)
	pages.Move(table, s.direct)
	s.direct = table
	for index, slot := range s.far {
		if int(index) < size {
			s.direct[index] = slot + 1
			delete(s.far, index)
		}
	}
}
