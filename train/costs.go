package train

import (
	"errors"
	"fmt"
)

// ErrCost reports a cost of errors that is not above 0.
var ErrCost = errors.New("C <= 0")

// Whose weight a cost has been multiplied by.
const (
	OfClass = "class"
	OfRow   = "row"
)

// CheckCost returns an error, which wraps ErrCost, unless a cost of errors is above 0. C and
// the weights of classes and rows are, but their products may be too small for a float64.
func CheckCost(cost float64, of string) error {
	if cost > 0 {
		return nil
	}
	return fmt.Errorf("%w for a %s, by its weight", ErrCost, of)
}
