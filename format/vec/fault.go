package vec

import (
	"fmt"
	"math"
)

// Check returns an error unless v is valid: a value for each index, indices that increase from 0 or
// more, and finite values.
func (v Vector) Check() error {
	if len(v.Index) != len(v.Value) {
		return v.uneven()
	}
	sum, sign, last := 0.0, int32(0), int32(-1)
	for k, x := range v.Value {
		sum += float64(x * 0) // stays 0 unless x is not finite
		sign |= step(last, v.Index[k])
		last = v.Index[k]
	}
	if sum == 0 && sign >= 0 {
		return nil
	}
	return v.fault()
}

// CheckIndices is [Vector.Check] without the condition that values are finite, for rows where NaN
// is a missing value.
func (v Vector) CheckIndices() error {
	if len(v.Index) != len(v.Value) {
		return v.uneven()
	}
	last := int32(-1)
	for _, i := range v.Index {
		if i <= last {
			return follows(last, i)
		}
		last = i
	}
	return nil
}

func (v Vector) uneven() error {
	return fmt.Errorf("%d indices but %d values", len(v.Index), len(v.Value))
}

// fault returns the first fault of v.
func (v Vector) fault() error {
	last := int32(-1)
	for k, i := range v.Index {
		if err := follows(last, i); err != nil {
			return err
		}
		if x := v.Value[k]; math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("feature %d is %v, expected a finite number", i, x)
		}
		last = i
	}
	return nil
}

// follows returns an error unless next may follow the index last. last is -1 before the first
// index.
func follows(last, next int32) error {
	switch {
	case next < 0:
		return fmt.Errorf("index %d is negative", next)
	case next <= last:
		return fmt.Errorf("index %d follows index %d: indices must increase", next, last)
	}
	return nil
}

// Fault returns the first row that is not valid by [Vector.Check], with the error, or no error if
// all rows are valid. It is fast if every row was valid when it was added.
func (m *Matrix) Fault() (row int, err error) {
	if !m.doubtful {
		return 0, nil
	}
	for i := range m.rows {
		if err := m.rows[i].vector().Check(); err != nil {
			return i, err
		}
	}
	return 0, nil
}

// step is negative unless next is larger than last, which must be -1 or larger.
func step(last, next int32) int32 { return next | (next - last - 1) }

// increase reports whether the indices increase and the first one is not negative.
func increase(index []int32) bool {
	sign, last := int32(0), int32(-1)
	for _, i := range index {
		sign |= step(last, i)
		last = i
	}
	return sign >= 0
}
