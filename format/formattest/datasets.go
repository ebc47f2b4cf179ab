package formattest

import (
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
)

// A namedSet is a data set to write and read.
type namedSet struct {
	name string
	data *format.Dataset
}

const (
	smallestNormal   = 0x1p-1022
	largestSubnormal = 0x1p-1022 - 0x1p-1074
)

// held returns the data sets that the format must hold.
func (s *suite) held() []namedSet {
	l := s.limits
	i := float64(max(l.MinIndex, 1)) // a first index every format has
	sets := []namedSet{
		{"no rows", dataset()},
		{"one row", dataset(Row(1, i, 0.5, i+1, -2))},
		{"labels only", dataset(Row(1), Row(-1), Row(3))},
		{"labels only between rows", dataset(Row(1), Row(-1, i+1, 2), Row(2), Row(3, i, 1), Row(4))},
		{"gaps", dataset(Row(1, i, 1, i+6, 2), Row(2, i+3, 3), Row(3, i+5, 4, i+6, 5))},
		{"zeros", dataset(Row(1, i, 0, i+1, 1), Row(2, i, math.Copysign(0, -1), i+1, 0), Row(3, i+1, 2))},
		{"labels", dataset(
			Row(0, i, 1), Row(math.Copysign(0, -1), i, 1), Row(-3, i, 1), Row(1.5, i, 1), Row(1e10, i, 1), Row(1234567, i, 1),
			Row(0.1, i, 1), Row(-1.0/3, i, 1), Row(123456789.12345679, i, 1), Row(math.MaxFloat64, i, 1), Row(smallestNormal, i, 1),
		)},
		{"values of 17 digits", dataset(
			Row(1, i, 0.1, i+1, 1.0/3, i+2, 0.1+0.2, i+3, math.Pi, i+4, 1-0x1p-53),
			Row(1, i, 1e22, i+1, 1e23, i+2, 1<<53+2, i+3, 123456789012345680, i+4, 1+0x1p-52),
			Row(1, i, 5e-5, i+1, 1e-4, i+2, 123456.5, i+3, 9007199254740993e3, i+4, -2.5e-7),
		)},
		{"extreme values", dataset(
			Row(1, i, math.MaxFloat64, i+1, -math.MaxFloat64, i+2, smallestNormal, i+3, -smallestNormal),
			Row(1, i, 1e308, i+1, 1e-307, i+2, 0x1p1023, i+3, 0x1p-1000),
		)},
		{"long row", dataset(Row(1, i, 1), wide(int(i), min(int(l.MaxIndex), 5000)), Row(2, i, 1))},
	}
	if l.MinIndex == 0 {
		sets = append(sets, namedSet{"index 0", dataset(Row(1, 0, 5, 1, 6), Row(2, 0, 7), Row(3, 1, 8))})
	}
	if !l.DropsZeros { // a table would need all columns before it
		m := float64(l.MaxIndex)
		sets = append(sets, namedSet{"largest index", dataset(Row(1, m, 1), Row(2, i, 3, m-1, 4, m, 5), Row(3, m-2, 6))})
	}
	for _, in := range []struct {
		refused bool
		set     namedSet
	}{
		{l.NoSubnormal, subnormals(i)},
		{l.NoNonFinite, nonFinites(i)},
		{l.NoWeight, weights(i)},
	} {
		if !in.refused {
			sets = append(sets, in.set)
		}
	}
	for _, g := range generate.All() {
		if g.Inputs <= int(l.MaxIndex) {
			sets = append(sets, namedSet{"generated " + g.Name, g.Generate(25, 11)})
		}
	}
	return sets
}

// beyond returns rows, each a data set, that the format cannot hold.
func (s *suite) beyond() []namedSet {
	l := s.limits
	i := float64(max(l.MinIndex, 1))
	var sets []namedSet
	for _, in := range []struct {
		refused bool
		set     namedSet
	}{
		{l.NoSubnormal, subnormals(i)},
		{l.NoNonFinite, nonFinites(i)},
		{l.NoWeight, weights(i)},
		{l.MinIndex > 0, namedSet{"index too small", dataset(Row(1, 0, 5, i, 6))}},
		{l.MaxIndex < math.MaxInt32 && !l.DropsZeros, namedSet{"index too large", dataset(Row(1, i, 6, float64(l.MaxIndex)+1, 5))}},
	} {
		if !in.refused {
			continue
		}
		for _, row := range rows(in.set.data) {
			sets = append(sets, namedSet{in.set.name, dataset(row)})
		}
	}
	return sets
}

func subnormals(i float64) namedSet {
	return namedSet{"subnormal numbers", dataset(
		Row(1, i, math.SmallestNonzeroFloat64), Row(1, i, -math.SmallestNonzeroFloat64),
		Row(1, i, largestSubnormal), Row(1, i, 1e-310, i+1, 2), Row(1e-310, i, 2),
	)}
}

func nonFinites(i float64) namedSet {
	return namedSet{"infinities and NaN", dataset(
		Row(1, i, math.Inf(1)), Row(1, i, math.Inf(-1), i+1, 2), Row(1, i, math.NaN()),
		Row(math.Inf(1), i, 1), Row(math.NaN(), i, 1),
	)}
}

func weights(i float64) namedSet {
	d := namedSet{"weights", dataset()}
	for _, w := range []float64{2, 0.1, 1, 0, 1e6} {
		in := Row(1, i, 3)
		in.Weight = w
		d.data.Append(in)
	}
	return d
}

// wide returns a row with n entries from index i on, most of 17 digits.
func wide(i, n int) format.Instance {
	in := format.Instance{Y: 5, Weight: 1}
	for k := range n {
		in.X.Index = append(in.X.Index, int32(i+k))
		in.X.Value = append(in.X.Value, float64(k-n/2)/3+0.1)
	}
	return in
}
