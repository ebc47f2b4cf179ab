package vec_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestHashIndices: lists that differ in one index, or in length, are not equal, and rarely have the
// same place in a table of 64.
func TestHashIndices(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	together, pairs := 0, 0
	for n := range 70 {
		list := make([]int32, n)
		for k := range list {
			list[k] = int32(k + 1 + rnd.IntN(3)*rnd.IntN(2))
		}
		same := slices.Clone(list)
		if !vec.EqualIndices(list, list) || !vec.EqualIndices(list, same) || vec.HashIndices(list) != vec.HashIndices(same) {
			t.Fatalf("%v is not itself", list)
		}
		for k := range n {
			for _, by := range []int32{1, -1, 1 << 8, 1 << 30} {
				other := slices.Clone(list)
				other[k] += by
				if vec.EqualIndices(list, other) {
					t.Fatalf("%v is %v", list, other)
				}
				pairs++
				if vec.HashIndices(list)>>58 == vec.HashIndices(other)>>58 {
					together++
				}
			}
		}
		if n > 0 && (vec.EqualIndices(list, list[1:]) || vec.EqualIndices(list[:n-1], list)) {
			t.Fatalf("%v is a part of itself", list)
		}
	}
	if together*20 > pairs {
		t.Errorf("%d of %d lists are at the place of one that differs in one index", together, pairs)
	}
}

// TestDistinct: equal vectors have one number, whatever memory they are in and however their zeros
// are signed, and others, by a value, an index or their length, have another, in the order of their
// coming.
func TestDistinct(t *testing.T) {
	var d vec.Distinct
	if len(d.Vectors()) != 0 {
		t.Error("a new one has vectors")
	}
	rnd := rand.New(rand.NewPCG(9, 10))
	var all []vec.Vector // each other than the ones before
	for range 400 {
		var v vec.Vector
		for i := range int32(rnd.IntN(4)) {
			v.Index, v.Value = append(v.Index, i+1+int32(rnd.IntN(2))*10), append(v.Value, float64(rnd.IntN(3)))
		}
		want := slices.IndexFunc(all, func(w vec.Vector) bool { return slices.Equal(v.Index, w.Index) && slices.Equal(v.Value, w.Value) })
		if want < 0 {
			want = len(all)
			all = append(all, v)
		}
		for k, x := range v.Value {
			if x == 0 && rnd.IntN(2) == 0 {
				v.Value = slices.Clone(v.Value)
				v.Value[k] = math.Copysign(0, -1)
			}
		}
		if n := d.Number(v); n != want {
			t.Fatalf("%v has the number %d, want %d of %v", v, n, want, all)
		}
	}
	if len(all) < 50 || len(all) > 300 {
		t.Errorf("%d distinct vectors", len(all))
	}
	for n, v := range d.Vectors() {
		if !slices.Equal(v.Index, all[n].Index) || !slices.Equal(v.Value, all[n].Value) {
			t.Errorf("vector %d is %v, want %v", n, v, all[n])
		}
	}
}
