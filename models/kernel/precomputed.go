package kernel

import (
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
)

// Precomputed takes kernel values from the data. A row lists 0:serial, followed by K(x, x_1), K(x,
// x_2), ... at positions 1, 2, ... without gaps. The value against a row z is at the position that
// z's serial number gives. Rows that are only compared with, such as support vectors, need just
// 0:serial. For rows to predict the serial number means nothing.
type Precomputed struct{}

// Errors of the rows of a precomputed kernel.
var (
	// ErrSerial reports a row whose first pair is not 0:serial.
	ErrSerial = errors.New("first column must be 0:sample_serial_number")
	// ErrSerialRange reports a serial number that is less than 1 or beyond the columns.
	ErrSerialRange = errors.New("sample_serial_number out of range")
)

// RowTo implements Kernel.
func (Precomputed) RowTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	for i := range dst {
		dst[i] = x.Value[int(zs.Row(i).Value[0])]
	}
}

// DiagTo implements Kernel.
func (Precomputed) DiagTo(dst []float64, zs *vec.Matrix) {
	for i := range dst {
		z := zs.Row(i)
		dst[i] = z.Value[int(z.Value[0])]
	}
}

// EvaluateTo implements Kernel.
func (k Precomputed) EvaluateTo(dst []float64, x vec.Vector, zs *vec.Matrix) { k.RowTo(dst, x, zs) }

// serials are the serial numbers of rows, stored together: in the rows themselves they are far
// apart.
type serials []int32

// set makes s the serial numbers of zs.
func (s *serials) set(zs *vec.Matrix) {
	*s = (*s)[:0]
	for i := range zs.Len() {
		*s = append(*s, int32(zs.Row(i).Value[0]))
	}
}

// rowTo sets dst[i] = K(x, zs[i]) as float32.
func (s serials) rowTo(dst []float32, x vec.Vector) {
	for i, serial := range s[:len(dst)] {
		dst[i] = float32(x.Value[serial])
	}
}

// Serial returns the serial number of a row of a precomputed kernel, which is at least 1.
func Serial(z vec.Vector) (int, error) {
	if len(z.Index) == 0 || z.Index[0] != 0 {
		return 0, ErrSerial
	}
	if s := z.Value[0]; s >= 1 && s <= math.MaxInt32 {
		return int(s), nil
	}
	return 0, fmt.Errorf("%w: %v", ErrSerialRange, z.Value[0])
}

// CheckColumns returns an error unless x is a row of a precomputed kernel with a value for each of
// the serial numbers 1 to serials.
func CheckColumns(x vec.Vector, serials int) error {
	if len(x.Index) == 0 || x.Index[0] != 0 {
		return ErrSerial
	}
	for k, i := range x.Index {
		if k > serials {
			return nil
		}
		if int(i) != k {
			return fmt.Errorf("kernel value %d is missing: precomputed rows have no gaps", k)
		}
	}
	if len(x.Index) <= serials {
		return fmt.Errorf("kernel values end at %d, expected %d", len(x.Index)-1, serials)
	}
	return nil
}
