package vec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// errCut is the error for bytes that MarshalBinary did not write.
var errCut = errors.New("the bytes of a matrix end too early, or are none of one")

// MarshalBinary returns the rows as bytes, NaN and infinities included. Package gob calls it.
func (m Matrix) MarshalBinary() ([]byte, error) {
	b := binary.AppendUvarint(nil, uint64(m.Len()))
	for i := range m.rows {
		x := m.Row(i)
		if err := x.CheckIndices(); err != nil {
			return nil, fmt.Errorf("row %d of a matrix: %w", i+1, err)
		}
		b = binary.AppendUvarint(b, uint64(len(x.Index)))
		last := int32(-1)
		for k, index := range x.Index {
			b = binary.AppendUvarint(b, uint64(int64(index)-int64(last)-1))
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x.Value[k]))
			last = index
		}
	}
	return b, nil
}

// UnmarshalBinary sets m to the matrix that MarshalBinary wrote. On error m is unchanged.
func (m *Matrix) UnmarshalBinary(b []byte) error {
	count := func() (uint64, bool) {
		v, n := binary.Uvarint(b)
		b = b[max(0, n):]
		return v, n > 0
	}
	rows, ok := count()
	if !ok || rows > uint64(len(b)) {
		return errCut
	}
	var read Matrix
	var x Vector
	for range rows {
		n, ok := count()
		if !ok || n > uint64(len(b))/9 {
			return errCut
		}
		x.Index, x.Value = x.Index[:0], x.Value[:0]
		last := int64(-1)
		for range n {
			skipped, ok := count()
			if !ok || skipped >= uint64(math.MaxInt32-last) || len(b) < 8 {
				return errCut
			}
			last += int64(skipped) + 1
			x.Index = append(x.Index, int32(last))
			x.Value = append(x.Value, math.Float64frombits(binary.LittleEndian.Uint64(b)))
			b = b[8:]
		}
		read.Append(x)
	}
	if len(b) > 0 {
		return errCut
	}
	*m = read
	return nil
}
