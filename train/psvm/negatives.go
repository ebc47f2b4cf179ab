package psvm

import "slices"

// Problem, algorithm 2 (CHOOSENEGATIVES): find the first negative set of exemplar d_i: k rows of
// other classes that are near it and, roughly, on one side of it. With x the nearest row of another
// class that is not in d_i's place, these are the nearest d_j with
//
//	(x - d_i).(d_j - d_i) > 0.
//
// Method: a heap gives the rows of other classes by their distance, as many as are needed until k
// have passed the test.

// A neighbour is a row of another class.
type neighbour struct {
	row      int
	distance float64
}

// before orders neighbours, equally near ones by their numbers.
func (a neighbour) before(b neighbour) bool {
	return a.distance < b.distance || a.distance == b.distance && a.row < b.row
}

// chooseNegatives returns the rows, in order, and the memory of heap for the next call. There are
// no rows if there is no other class, or if all rows of other classes are in d_i's place.
func (p *points) chooseNegatives(i, k int, heap []neighbour) ([]int32, []neighbour) {
	heap = heap[:0]
	for j, c := range p.class {
		if c == p.class[i] {
			continue
		}
		if d := p.squaredDistance(i, j); d > 0 {
			heap = append(heap, neighbour{j, d})
		}
	}
	for at := len(heap)/2 - 1; at >= 0; at-- {
		siftDown(heap, at)
	}
	var chosen []int32
	first := -1
	for left := heap; len(left) > 0 && len(chosen) < k; {
		j := left[0].row
		if first < 0 {
			first = j
		}
		if j == first || p.towards(i, first, j) > 0 {
			chosen = append(chosen, int32(j))
		}
		last := len(left) - 1
		left[0] = left[last]
		left = left[:last]
		if last > 0 {
			siftDown(left, 0)
		}
	}
	slices.Sort(chosen)
	return chosen, heap
}

// siftDown moves an element of a heap, nearest first, down to where it belongs.
func siftDown(heap []neighbour, at int) {
	for {
		child := 2*at + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1].before(heap[child]) {
			child++
		}
		if !heap[child].before(heap[at]) {
			return
		}
		heap[at], heap[child] = heap[child], heap[at]
		at = child
	}
}
