package kernel

import (
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestStudy: the properties found of a matrix are those that its entries have one by one, for any
// number of workers.
func TestStudy(t *testing.T) {
	together := func(n int, f func(part int)) {
		var all sync.WaitGroup
		for k := range n {
			all.Go(func() { f(k) })
		}
		all.Wait()
	}
	r := rand.New(rand.NewPCG(5, 2))
	most := 0
	var used []int32
	for k := range 60 {
		x := studied(r)
		want, wantOK := bySingleEntries(x)
		table := &used
		if k%3 == 0 {
			table = nil
		}
		for _, workers := range []int{1, 2, 5} {
			do := func(n int, f func(part int)) {
				most = max(most, n)
				together(n, f)
			}
			got, ok := numberColumns(workers, do, x, table)
			if math.IsNaN(got.constant) {
				got.constant = -1 // no entry has this number
			}
			if ok != wantOK || ok && !reflect.DeepEqual(got, want) {
				got.of, want.of = nil, nil
				t.Fatalf("%d workers, %d rows: %v %+v, want %v %+v", workers, x.Len(), ok, got, wantOK, want)
			}
		}
	}
	if most < 5 {
		t.Errorf("at most %d parts were made", most)
	}
}

// TestStudyEmptyRow: an empty row at the beginning of a part differs from the others.
func TestStudyEmptyRow(t *testing.T) {
	x := new(vec.Matrix)
	const n, d = 2000, 100
	for i := range n {
		var row vec.Vector
		for k := range d {
			if i != n/2 {
				row.Index, row.Value = append(row.Index, int32(k+1)), append(row.Value, float64(i+k+1))
			}
		}
		x.Append(row)
	}
	for _, workers := range []int{1, 2} {
		if c, ok := numberColumns(workers, serially, x, nil); !ok || c.aligned {
			t.Errorf("%d workers: %v, aligned %v", workers, ok, c.aligned)
		}
	}
}

// studied returns a matrix of a random kind.
func studied(r *rand.Rand) *vec.Matrix {
	x := new(vec.Matrix)
	n, d := 1+r.IntN(3000), 1+r.IntN(200)
	same, zeros, one, wrong, two := r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(6) == 0, r.IntN(2) == 0
	for i := range n {
		var row vec.Vector
		for c := range int32(d) {
			if !same && r.IntN(3) > 0 {
				continue
			}
			v := r.NormFloat64()
			if one {
				if v = 2.5; two && i >= n/2 {
					v = 3.5
				}
			}
			if zeros && r.IntN(9) == 0 {
				v = 0
			}
			if wrong && i == n-1 {
				v = math.Inf(1)
			}
			row.Index, row.Value = append(row.Index, c+1), append(row.Value, v)
		}
		x.Append(row)
	}
	return x
}

// bySingleEntries is numberColumns, one entry after the other.
func bySingleEntries(x *vec.Matrix) (c columns, ok bool) {
	c.of = make([]int32, x.MaxIndex()+1)
	c.aligned = len(x.Row(0).Index) > 0
	listed := make([]bool, len(c.of))
	for i := range x.Len() {
		row := x.Row(i)
		c.longest = max(c.longest, len(row.Index))
		c.aligned = c.aligned && reflect.DeepEqual(row.Index, x.Row(0).Index)
		for k, v := range row.Value {
			listed[row.Index[k]] = true
			if v-v != 0 {
				return c, false
			}
			if v == 0 {
				continue
			}
			c.of[row.Index[k]]++
			if c.entries++; c.entries == 1 {
				c.constant = v
			} else if v != c.constant {
				c.constant = math.NaN()
			}
		}
	}
	for i, rows := range c.of {
		c.of[i] = -1
		if rows > 0 || c.aligned && listed[i] {
			rows = max(rows, 1)
			share := float64(rows) / float64(x.Len())
			c.shared += float64(share * share)
			c.of[i] = int32(c.count)
			c.count++
		}
	}
	if math.IsNaN(c.constant) {
		c.constant = -1
	}
	return c, c.entries > 0
}
