package scale

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Rows keep their lists, those that are the same mostly stand once, and nothing else changes.
func TestInterner(t *testing.T) {
	if !hasRows() {
		t.Skip("rows share no lists without the instructions for it")
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	var s Interner
	for round := range 3000 {
		var kinds [][]int32
		for range 1 + rnd.IntN(20) {
			n := rnd.IntN(60)
			if rnd.IntN(20) == 0 {
				n = longShared - 2 + rnd.IntN(5)
			}
			list := make([]int32, n)
			for k := range list {
				list[k] = int32(k)*3 + rnd.Int32N(3)
			}
			kinds = append(kinds, list)
		}
		const mark = -7
		before, gap := rnd.IntN(4), rnd.IntN(40)*rnd.IntN(2)
		index := slices.Repeat([]int32{mark}, before+gap)
		starts, want := []int32{rnd.Int32N(100)}, [][]int32{}
		different := map[int]bool{}
		rows := rnd.IntN(50)
		for range rows {
			k := rnd.IntN(len(kinds))
			different[k] = true
			index = append(index, kinds[k]...)
			want = append(want, kinds[k])
			starts = append(starts, starts[len(starts)-1]+int32(len(kinds[k])))
		}
		all := len(index)
		index = append(index, mark, mark)
		lists := slices.Repeat([]int32{mark}, rows+1)
		s.Reset()
		s.gain = 0
		done, end := s.Intern(index, before+gap, before, starts, lists[:rows])
		if done < rows && len(want[done]) <= longShared || lists[rows] != mark {
			t.Fatalf("round %d: %d of %d rows, and %d", round, done, rows, lists[rows])
		}
		sum := before
		for i, list := range lists[:done] {
			if got := index[list : int(list)+len(want[i])]; len(want[i]) > longShared || !slices.Equal(got, want[i]) {
				t.Fatalf("round %d, row %d: %v, want %v", round, i, got, want[i])
			}
			sum += len(want[i])
		}
		if at := before + gap + int(starts[done]-starts[0]); !slices.Equal(index[at:all], slices.Concat(want[done:]...)) || index[all] != mark || slices.ContainsFunc(index[:before], func(i int32) bool { return i != mark }) {
			t.Fatalf("round %d: other indices are changed", round)
		}
		if end > sum || done == rows && rows > 3*len(different) && end > (sum-before)*2/3+before {
			t.Errorf("round %d: %d indices for %d rows of %d kinds, %d in all", round, end, rows, len(different), sum)
		}
	}
	// lists that differ in one index seldom have the same place in the table
	index, starts := []int32{}, []int32{0}
	for k := range int32(20 * 30) {
		index = append(index, k%20+1, 21, 22, 23, 24, 25)
		starts = append(starts, int32(len(index)))
	}
	s.gain = 0
	if _, end := s.Intern(index, 0, 0, starts, make([]int32, len(starts)-1)); end > 6*20*10 {
		t.Errorf("%d indices for 20 kinds", end)
	}
	// lists that are seldom the same are no longer looked for
	s.gain = -mostMisses - 1
	if done, end := s.Intern([]int32{1, 2, 1, 2}, 0, 0, []int32{0, 2, 4}, make([]int32, 2)); done != 0 || end != 0 {
		t.Errorf("%d rows, end %d", done, end)
	}
	defer simd.Use(simd.Use(simd.AVX2))
	s.gain = 0
	if done, _ := s.Intern([]int32{1, 2, 1, 2}, 0, 0, []int32{0, 2, 4}, make([]int32, 2)); done != 0 {
		t.Errorf("%d rows without AVX-512", done)
	}
}
