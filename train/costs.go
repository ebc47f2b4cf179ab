package train

import (
	"errors"
	"fmt"
)

// ErrCost reports that the cost C of an error is not above 0.
var ErrCost = errors.New("C <= 0")

// Arguments of [CheckCost]: the cost was multiplied by the weight of a class or of a row.
const (
	OfClass = "class"
	OfRow   = "row"
)

// CheckCost returns an error that wraps [ErrCost] unless cost is above 0. Such a cost is a product
// of C and weights of classes or rows, which are positive; the product may still be too small for a
// float64. of is [OfClass] or [OfRow].
func CheckCost(cost float64, of string) error {
	if cost > 0 {
		return nil
	}
	return fmt.Errorf("%w for a %s, by its weight", ErrCost, of)
}
