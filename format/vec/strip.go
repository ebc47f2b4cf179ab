package vec

import (
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute dot products and squared distances of some dozens of sparse rows x with many
// sparse vectors z, each sum in ascending index order.
//
// Method: the rows are side by side, one in each lane. Their entries are put into blocks in the
// order of indices, with at most one entry of each row in a block and as many entries as possible:
// 32 rows of text with 40 entries give some 270 blocks, although they have 580 different indices;
// 64 rows give 370. If z has no entry in a block, each row's sum gets the square of its entry.
// Otherwise an entry of z is compared with the indices of its block: rows with a lower index add
// their square before the term of z's entry, rows with a higher one after it. So each row's sum is
// in order, and rows without an entry add zeros. The blocks are processed in parts, each part for
// all z, so that a part stays in the near cache.
//
// If rows have very many entries, blocks are made for one range of indices after the other
// (strip_ranges.go), so that memory does not grow with the entries.

// The sizes of a part and of a group of vectors that are processed together. Blocks with
// stripPartLanes lanes take 48 KB, but their indices are seldom read.
const stripPartLanes, stripVectors = 4096, 256

// A Strip holds up to [StripRows] sparse rows side by side. The zero Strip is empty and ready;
// setting it again reuses its memory. Values must be finite.
type Strip struct {
	lanes  int
	blocks int
	x      []float64 // value of row r in block b at [lanes*b+r], 0 if there is none
	index  []int32   // index of that entry, 0 if there is none
	top    int       // largest index of vectors
	listed bool      // tables are by number in own instead of by index, because top is large
	own    IndexSet  // the indices that occur in rows
	at     []int32   // for each index: twice its block, plus 1 if a row has it
	rows   []uint8   // for each entry of the rows, in order of indices: its row
	values []float64 // for stripDotsPortable: the values of these entries, and
	ends   []int32   // for each index, the end of its entries in rows
	sorts  sorts     // used if listed: the entries
	window window    // used for rows with many entries
	places []int32   // for each entry of the current vectors: its value in at; each vector ends with math.MaxInt32
	done   []int32   // for each current vector: the number of entries that are processed
	part   stripPart // the current part
}

// StripRows returns the number of rows that fit in a [Strip].
func StripRows() int { return stripRows(simd.Current()) }

// Lanes returns the number of rows for which sums are computed: [PanelRows] or twice as many.
func (s *Strip) Lanes() int { return s.lanes }

// Set makes the strip hold the rows xs, for vectors with indices up to top.
func (s *Strip) Set(xs []Vector, top int) {
	if len(xs) > StripRows() {
		panic(fmt.Sprintf("vec: %d rows in a strip", len(xs)))
	}
	s.lanes, s.top = (max(len(xs), 1)+PanelRows-1)/PanelRows*PanelRows, top
	entries := 0
	for _, x := range xs {
		entries += len(x.Index)
	}
	if s.window.set(xs, entries); s.window.used() {
		return
	}
	if s.listed = farApart(top, entries); s.listed {
		s.setListed(xs)
		return
	}
	// Entries beyond top, which no vector has, get blocks of their own at the end.
	inner := s.setBlocks(xs, top)
	s.blocks = inner
	for _, x := range xs {
		k, _ := slices.BinarySearch(x.Index, int32(top+1))
		s.blocks = max(s.blocks, inner+len(x.Index)-k)
	}
	n := s.blocks * s.lanes
	s.x, s.index = zeroed(s.x, n, n), zeroed(s.index, n, n)
	for r, x := range xs {
		outer := inner
		for k, i := range x.Index {
			b := outer
			if int(i) > top {
				outer++
			} else {
				b = int(s.at[i] / 2)
			}
			s.x[b*s.lanes+r], s.index[b*s.lanes+r] = x.Value[k], i
		}
	}
}

// setBlocks puts the rows' entries up to top into blocks and returns the number of blocks, at least
// 1.
func (s *Strip) setBlocks(xs []Vector, top int) int {
	if cap(s.at) <= top {
		s.at = make([]int32, top+1)
	}
	s.at = s.at[:top+1]
	clear(s.at)
	// at has, for each index, the number of its entries, then their start in rows, then their end
	n := int32(0)
	for _, x := range xs {
		for _, i := range x.Index {
			if int(i) > top {
				break
			}
			s.at[i]++
			n++
		}
	}
	if cap(s.rows) < int(n) {
		s.rows = make([]uint8, n)
	}
	s.rows = s.rows[:n]
	plain := simd.Current() == simd.Portable
	if plain {
		s.values = slices.Grow(s.values[:0], int(n))[:n]
		s.ends = slices.Grow(s.ends[:0], len(s.at))[:len(s.at)]
	}
	begin := int32(0)
	for i, n := range s.at {
		s.at[i] = begin
		begin += n
	}
	for r, x := range xs {
		for k, i := range x.Index {
			if int(i) > top {
				break
			}
			s.rows[s.at[i]] = uint8(r)
			if plain {
				s.values[s.at[i]] = x.Value[k]
			}
			s.at[i]++
		}
	}
	if plain {
		copy(s.ends, s.at)
	}
	begin = 0
	last := int32(0)
	taken := uint64(0) // bit set of the rows that have an entry in the last block
	for i, end := range s.at {
		if begin == end {
			s.at[i] = 2 * last
			continue
		}
		have := uint64(0)
		for _, r := range s.rows[begin:end] {
			have |= 1 << r
		}
		begin = end
		if have&taken != 0 {
			last, taken = last+1, 0
		}
		taken |= have
		s.at[i] = 2*last + 1
	}
	return int(last) + 1
}

// DotsTo sets dst[(i-from)*stride+r] to the dot product of row r and zs[i], for from <= i < to and
// r < Lanes(). The elements for r without a row are meaningless.
func (s *Strip) DotsTo(dst []float64, stride int, zs *Matrix, from, to int) {
	s.sum(stripDots, dst, stride, zs, from, to)
}

// DistancesTo is [Strip.DotsTo] with sums of squared differences.
func (s *Strip) DistancesTo(dst []float64, stride int, zs *Matrix, from, to int) {
	s.sum(stripDistances, dst, stride, zs, from, to)
}

func (s *Strip) sum(f stripSum, dst []float64, stride int, zs *Matrix, from, to int) {
	if from < 0 || from > to || to > zs.Len() || stride < s.lanes || zs.MaxIndex() > s.top {
		panic(fmt.Sprintf("vec: vectors %d to %d of %d, indices to %d, at a distance of %d", from, to-1, zs.Len(), zs.MaxIndex(), stride))
	}
	if from == to {
		return
	}
	dst = dst[:(to-from-1)*stride+s.lanes]
	for ; from < to; from += stripVectors {
		end := min(from+stripVectors, to)
		if s.window.used() {
			s.sumWindows(f, dst, stride, zs, from, end)
		} else {
			s.sumSome(f, dst, stride, zs, from, end)
		}
		dst = dst[min(stripVectors*stride, len(dst)):]
	}
}

// sumSome is sum for at most stripVectors vectors. In a window, it adds to the sums of the windows
// before.
func (s *Strip) sumSome(f stripSum, dst []float64, stride int, zs *Matrix, from, to int) {
	s.place(zs, from, to)
	level := simd.Current()
	part := &s.part
	part.strip = s
	part.first = 0
	for part.first < s.blocks {
		end := min(part.first+stripPartLanes/s.lanes, s.blocks)
		part.blocks = end - part.first
		part.x, part.index = s.x[part.first*s.lanes:end*s.lanes], s.index[part.first*s.lanes:end*s.lanes]
		places := s.places
		for i := from; i < to; i++ {
			sums := dst[(i-from)*stride:][:s.lanes]
			if part.first == 0 && s.window.first() {
				clear(sums)
			}
			done := &s.done[i-from]
			z := s.window.of(zs, i)
			n := len(z.Index) + 1
			z.Index, z.Value = z.Index[*done:], z.Value[*done:]
			*done += int32(f(level, sums, part, z, places[*done:n]))
			places = places[n:]
		}
		part.first = end
	}
}

// place sets places and done for some vectors.
func (s *Strip) place(zs *Matrix, from, to int) {
	n := to - from
	for i := from; i < to; i++ {
		n += len(s.window.of(zs, i).Index)
	}
	if cap(s.places) < n {
		s.places = make([]int32, n+n/4)
	}
	s.places = s.places[:n]
	if cap(s.done) < to-from {
		s.done = make([]int32, to-from)
	}
	s.done = s.done[:to-from]
	clear(s.done)
	places := s.places
	for i := from; i < to; i++ {
		index := s.window.of(zs, i).Index
		of := places[:len(index)+1]
		if s.listed {
			s.listedPlaces(of, index)
		} else {
			for k, i := range index {
				of[k] = s.at[i]
			}
		}
		of[len(index)] = math.MaxInt32
		places = places[len(of):]
	}
}

// stripSum adds the terms of a part's blocks to sums. z has the vector's remaining entries, and
// places their places in the strip. It returns the number of these entries that are in the part's
// blocks.
type stripSum func(level simd.Level, sums []float64, part *stripPart, z Vector, places []int32) int

// stripPart is a part of a strip's blocks.
type stripPart struct {
	strip         *Strip
	first, blocks int // number of the first block, and number of blocks
	x             []float64
	index         []int32
}

// block returns the index in the part of a place's block. It may be beyond the last one.
func (p *stripPart) block(place int32) int { return int(place/2) - p.first }

// of returns block b, if a block has PanelRows rows.
func (p *stripPart) of(b int) (index *[PanelRows]int32, x *[PanelRows]float64) {
	return (*[PanelRows]int32)(p.index[b*PanelRows:]), (*[PanelRows]float64)(p.x[b*PanelRows:])
}

// masked returns x if mask is -1, and 0 if mask is 0.
func masked(x float64, mask int64) float64 {
	return math.Float64frombits(math.Float64bits(x) & uint64(mask))
}

// stripDotsPortable processes all entries of z in the first part: plain Go is fastest if it visits
// only entries that some row has, too.
func stripDotsPortable(sums []float64, p *stripPart, z Vector, _ []int32) int {
	s := p.strip
	to := (*[PanelRows]float64)(sums)
	for k, i := range z.Index {
		if s.listed {
			number, is := s.own.Rank(i)
			if !is {
				continue
			}
			i = number
		}
		begin := int32(0)
		if i > 0 {
			begin = s.ends[i-1]
		}
		rows := s.rows[begin:s.ends[i]]
		values := s.values[begin:][:len(rows)]
		for j, r := range rows {
			to[r%PanelRows] += float64(values[j] * z.Value[k])
		}
	}
	return len(z.Index)
}

func stripDistancesPortable(sums []float64, p *stripPart, z Vector, places []int32) (taken int) {
	to := (*[PanelRows]float64)(sums)
	b := 0 // all blocks before b are processed
	skip := func(until int) {
		for ; b < until; b++ {
			_, x := p.of(b)
			for r := range to {
				to[r] += float64(x[r] * x[r])
			}
		}
	}
	for p.block(places[taken]) < p.blocks {
		skip(p.block(places[taken]))
		index, x := p.of(b)
		before := int32(-1) // index of the entry before this one, if that is in the same block
		for ; p.block(places[taken]) == b; taken++ {
			i, value := z.Index[taken], z.Value[taken]
			for r := range to {
				// masks instead of branches, because branches would often be predicted wrongly
				here := int64(index[r])
				earlier := masked(x[r], (int64(before)-here)&(here-int64(i))>>63)
				d := masked(x[r], (here^int64(i)-1)>>63) - value
				to[r] = float64(to[r]+float64(earlier*earlier)) + float64(d*d)
			}
			before = i
		}
		for r := range to {
			if index[r] > before {
				to[r] += float64(x[r] * x[r])
			}
		}
		b++
	}
	skip(p.blocks)
	return taken
}
